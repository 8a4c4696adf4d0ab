//! Redaction of events before they are stored.

use super::redactor::{clean, Tally};
use litemap::LiteMap;
use nbmedic_protocol::Event;
use nbmedic_secrets::Found;

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
    let mut gone = Vec::new();
    let mut each = |text: &mut String| clean(text, &mut gone);
    if let Event::Output(e) = event {
        e.whole_words();
    }
    event.visit_text(&mut each);
    gone
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
