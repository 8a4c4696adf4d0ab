//! Redaction of events before they are stored.

use super::redactor::Tally;
use litemap::LiteMap;
use nbmedic_protocol::{Event, OutputSeen};
use nbmedic_secrets::{find, replaced, Found, Known};

/// Counts what was redacted, by kind.
pub fn tally(found: &[Found]) -> Vec<Tally> {
    let mut counts: LiteMap<&'static str, usize> = LiteMap::new();
    for f in found {
        *counts.entry(f.kind).or_default() += 1;
    }
    let tally = |(kind, count)| Tally { kind, count };
    counts.into_iter().map(tally).collect()
}

/// Redacts every text of an event; returns what was redacted.
pub fn redact_event(event: &mut Event) -> Vec<Found> {
    redact_events(std::slice::from_mut(event), &mut Known::default())
}

/// Redacts every text of several events, and what is `known` from others: what is found in one text
/// goes from all. Returns what was redacted.
pub fn redact_events(events: &mut [Event], known: &mut Known) -> Vec<Found> {
    let mut seen: Vec<Vec<Found>> = Vec::new();
    for event in events.iter_mut() {
        if let Event::Output(e) = event {
            e.whole_words();
            if let Some((text, _)) = joined(e) {
                known.learn_secrets(&text);
            }
        }
        event.visit_text(&mut |text| {
            let found = find(text);
            known.add_secrets(text, &found);
            seen.push(found);
        });
    }
    let mut gone = Vec::new();
    let mut seen = seen.into_iter();
    for event in events {
        let before = gone.len();
        if let Event::Output(e) = event {
            windows(e, known, &mut gone);
        }
        let changed = gone.len() > before;
        event.visit_text(&mut |text| {
            let found = match seen.next() {
                Some(found) if !changed => known.all(text, found),
                _ => known.find_all(text),
            };
            if !found.is_empty() {
                *text = replaced(text, &found);
                gone.extend(found);
            }
        });
    }
    gone
}

/// Head and tail of an output as one text, and where the tail begins in it, if nothing is left out
/// between the two.
fn joined(e: &OutputSeen) -> Option<(String, usize)> {
    let (tail, twice) = (e.tail.as_ref()?, e.overlap()?);
    Some((
        format!("{}{}", e.head, &tail[twice..]),
        e.head.len() - twice,
    ))
}

/// Redacts an output's head and tail over the joined text: where one of them ends, half a secret may
/// stand, which nothing recognises.
fn windows(e: &mut OutputSeen, known: &Known, gone: &mut Vec<Found>) {
    let Some((text, start)) = joined(e) else {
        return;
    };
    let found = known.find_all(&text);
    if found.is_empty() {
        return;
    }
    let part = |from: usize, to: usize| -> Vec<Found> {
        let inside = |f: &Found| {
            let range = f.range.start.max(from)..f.range.end.min(to);
            let kind = f.kind;
            (range.start < range.end).then(|| Found {
                kind,
                range: range.start - from..range.end - from,
            })
        };
        found.iter().filter_map(inside).collect()
    };
    let (first, last) = (part(0, e.head.len()), part(start, text.len()));
    e.head = replaced(&e.head, &first);
    if let Some(tail) = &mut e.tail {
        *tail = replaced(tail, &last);
    }
    gone.extend(found);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_events_texts_are_redacted() {
        let mut event = Event::parse(
            r#"{"t":"output","nb":"n","cell":"c","head":"/home/ada/x","tail":"ada@example.org"}"#,
        )
        .unwrap();
        let gone = redact_event(&mut event);
        assert_eq!(
            tally(&gone).iter().map(|t| t.kind).collect::<Vec<_>>(),
            ["e-mail", "user-name"]
        );
        let Event::Output(o) = event else {
            panic!("still an output");
        };
        assert_eq!(o.head, "/home/[redacted-user-name]/x");
        assert_eq!(o.tail.unwrap(), "[redacted-e-mail]");
    }

    #[test]
    fn a_secret_across_the_end_of_the_head_leaves_no_half() {
        let token = "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD7fGh";
        let text = format!(
            "{}the key {token} was refused\n{}",
            "x\n".repeat(40),
            "y\n".repeat(40)
        );
        let start = text.find(token).expect("it");
        for (head, tail) in [
            (start + 9, start + 9),
            (start + 9, start + 3),
            (start + 20, start - 5),
            (start + 37, start + 12),
        ] {
            let event = serde_json::json!({
                "t": "output", "nb": "n", "cell": "c", "len": text.len(), "head": text[..head], "tail": text[tail..],
            });
            let mut event = Event::parse(&event.to_string()).expect("an event");
            redact_event(&mut event);
            let Event::Output(o) = event else {
                panic!("an output");
            };
            let tail = o.tail.expect("a tail");
            for n in 0..token.len() - 5 {
                let part = &token[n..n + 5];
                assert!(
                    !o.head.contains(part) && !tail.contains(part),
                    "{part}: {} {tail}",
                    o.head
                );
            }
            assert!(o.head.starts_with("x\nx\n") && tail.ends_with("y\ny\n"));
        }
    }

    #[test]
    fn whatever_the_cut_nothing_of_a_secret_is_stored() {
        let secrets = ["q7W8e9R0t1Y2u3I4", "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD7fGh"];
        let lines = [
            format!("password: {}", secrets[0]),
            format!("curl -u ada:{} https://x.io", secrets[0]),
            format!("{{'api_key': '{}', 'n': 3}}", secrets[0]),
            format!("the key {} was refused", secrets[1]),
            format!("postgres://ada:{}@db.acme.io/x", secrets[0]),
        ];
        for line in lines {
            let text = format!("step 1\n{line}\nstep 2\n");
            for cut in 0..=text.len() {
                let output = serde_json::json!({
                    "t": "output", "nb": "n", "cell": "c", "len": 900_000, "head": text[..cut], "tail": text[cut..],
                });
                let mut event = Event::parse(&output.to_string()).expect("an event");
                redact_event(&mut event);
                let stored = serde_json::to_string(&event).expect("JSON");
                for secret in secrets {
                    let kept = (0..secret.len() - 5).find(|n| stored.contains(&secret[*n..n + 6]));
                    assert!(kept.is_none(), "{cut} of {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_source_that_is_too_long_ends_with_no_half_secret() {
        let line = "the key hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD7fGh is refused\n";
        for pad in (0..line.len()).step_by(3) {
            let text = format!("{}{}", "x".repeat(pad), line.repeat(6000));
            let event = serde_json::json!({"t": "source", "nb": "n", "cell": "c", "text": text});
            let mut event = Event::parse(&event.to_string()).expect("an event");
            redact_event(&mut event);
            let Event::Source(stored) = event else {
                panic!("a source");
            };
            let end = &stored.text[stored.text.len() - 40..];
            assert!(
                stored.text.len() < text.len() && !end.contains("hf_"),
                "{end}"
            );
        }
    }

    #[test]
    fn what_one_event_shows_goes_from_the_others() {
        let mut events: Vec<Event> = [
            r#"{"t":"source","nb":"n","cell":"c","text":"api_key = 'q7w8e9r0t1y2u3i4'"}"#,
            r#"{"t":"output","nb":"n","cell":"c","len":31,"head":"refused: q7w8e9r0t1y2u3i4 (401)"}"#,
        ]
        .iter()
        .map(|e| Event::parse(e).expect("an event"))
        .collect();
        redact_events(&mut events, &mut Known::default());
        let Event::Output(o) = &events[1] else {
            panic!("an output");
        };
        assert_eq!(o.head, "refused: [redacted-assigned-secret] (401)");
    }

    #[test]
    fn half_a_secret_at_the_edge_of_what_is_left_out_goes() {
        let parts = |len: usize| {
            let json = format!(
                r#"{{"t":"output","nb":"n","cell":"c","len":{len},"head":"key: hf_aBcDeFgH","tail":"iJkLmNoPq\nend"}}"#
            );
            let mut event = Event::parse(&json).expect("an event");
            redact_event(&mut event);
            match event {
                Event::Output(o) => (o.head, o.tail),
                _ => panic!("an output"),
            }
        };
        assert_eq!(parts(90_000), ("key: ".into(), Some("\nend".into())));
        let whole = ("key: hf_aBcDeFgH".into(), Some("iJkLmNoPq\nend".into()));
        assert_eq!(parts(29), whole, "nothing is left out");
    }
}
