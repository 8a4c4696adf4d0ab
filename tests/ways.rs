//! Every way out over all planted secrets, each also in an exception's message, in a box, and wrapped at 80 columns: what the raw
//! text shows to be a secret leaves nowhere, neither whole nor in pieces.
//!
//! `cargo test -p nbmedic --test ways -- --nocapture` prints the figures.

// The figures are printed.
#![allow(clippy::disallowed_macros)]

#[path = "../src/secrets/tests/planted/mod.rs"]
#[allow(dead_code)]
mod cases;
#[path = "support/channels.rs"]
mod channels;

use channels::{batches, channels, judged, played, prose, NOW};
use nbmedic::catalog::Prose;
use nbmedic::report::{
    judged_html, judged_json, judged_markdown, past, redact, redact_events, Known,
};
use nbmedic::view::ProseCache;
use std::collections::BTreeMap;

/// So many letters of a secret in their order are a piece of it.
const PIECE: usize = 12;
const COLUMNS: usize = 80;

/// A secret that a text holds: none of its pieces may leave. Of what is shorter, the whole.
fn left<'a>(secret: &'a str, held: &str) -> Option<&'a str> {
    let solid = |piece: &&str| piece.bytes().all(|b| b.is_ascii_graphic());
    let starts = 0..=secret.len().saturating_sub(PIECE);
    let pieces = starts.filter_map(|n| secret.get(n..(n + PIECE).min(secret.len())));
    let mut pieces = pieces.filter(solid);
    match secret.is_ascii() {
        true => pieces.find(|piece| held.contains(piece)),
        false => held.contains(secret).then_some(secret),
    }
}

fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let chunks = |line: &str| {
        let all: Vec<char> = line.chars().collect();
        let parts = all.chunks(columns).map(|c| c.iter().collect());
        parts.collect::<Vec<String>>()
    };
    text.lines().flat_map(chunks).collect()
}

/// The forms in which a text is printed where something failed.
fn forms(text: &str) -> [(&'static str, String); 4] {
    let head =
        "Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f()\n";
    let boxed: Vec<String> = wrapped(text, COLUMNS - 4)
        .iter()
        .map(|l| format!("│ {l:<76} │"))
        .collect();
    let edge = "─".repeat(COLUMNS - 2);
    let boxed = boxed.join("\n");
    [
        ("as a message", format!("{head}ValueError: {text}\n")),
        (
            "wrapped",
            wrapped(&format!("{head}ValueError: cannot use {text}"), COLUMNS).join("\n") + "\n",
        ),
        (
            "in a box",
            format!("╭{edge}╮\n{boxed}\n╰{edge}╯\n{head}ValueError: cannot use it\n"),
        ),
        (
            "printed, then in a message of one line",
            format!("{text}\n{head}RuntimeError: {}\n", text.replace('\n', "")),
        ),
    ]
}

/// Whether a way out is made from the whole page. The others are given one output alone, and know what that shows.
fn reads_the_page(way: &str) -> bool {
    !way.starts_with("triage ") && way != "report about nbmedic"
}

fn all() -> Vec<cases::Case> {
    let mut all = cases::planted();
    for (planted, _) in [
        cases::unread::third(),
        cases::unread::fourth(),
        cases::unread::fifth(),
        cases::unread::sixth(),
        cases::unread::seventh(),
    ] {
        all.extend(planted);
    }
    all
}

#[test]
fn what_an_input_shows_to_be_secret_is_in_no_triage_of_it() {
    let prose = prose();
    let (mut shown, mut unknown, mut leaks) = (0, 0, Vec::new());
    // Both forms of each text, and every form of a failure, come in turn.
    for (n, case) in all().into_iter().step_by(5).enumerate() {
        let (form, text) = forms(&case.text)[n % 4].clone();
        let raw = redact(&text).text;
        let judged = judged(&text, &prose);
        for (way, held) in [
            ("JSON", judged_json(&judged, true)),
            ("Markdown", judged_markdown(&judged)),
            ("HTML", judged_html(&[judged])),
        ] {
            for secret in &case.secrets {
                shown += 1;
                let Some(piece) = left(secret, &held) else {
                    continue;
                };
                // What the text as it was read does not show is for the detector's own tests.
                match left(secret, &raw) {
                    Some(_) => unknown += 1,
                    None => leaks.push(format!("{way}, {form}: {piece} of {text:?} in {held}")),
                }
            }
        }
    }
    println!(
        "triage: {shown} secrets shown, {} leave though the text shows them to be secret, {unknown} others",
        leaks.len()
    );
    assert!(shown > 1500, "{shown}");
    assert!(leaks.is_empty(), "{:#?}", &leaks[..leaks.len().min(20)]);
    assert!(unknown * 100 <= shown * 4, "{unknown} of {shown}");
}

fn cache(all: &BTreeMap<String, Prose>) -> ProseCache {
    let mut cache = ProseCache::new();
    for (id, p) in all {
        cache.insert(id, p.clone());
    }
    cache
}

#[test]
fn what_a_page_shows_to_be_secret_is_in_nothing_that_leaves_or_is_stored() {
    let prose = prose();
    let cache = cache(&prose);
    let (mut shown, mut unknown, mut leaks) = (0, 0, Vec::new());
    let all = all();
    // A page has nine texts.
    let some: Vec<&cases::Case> = all.iter().step_by(31).collect();
    for (n, group) in some.chunks(9).enumerate() {
        let texts: Vec<String> = group
            .iter()
            .map(|c| match n % 3 {
                0 => c.text.clone(),
                1 => wrapped(&c.text, COLUMNS).join("\n"),
                _ => forms(&c.text)[2].1.clone(),
            })
            .collect();
        let batches = batches(&texts);
        let (page, kept) = played(&batches, &cache);
        let known = page.session().secrets().clone();
        let ways: Vec<_> = channels(page.session(), &batches, &kept, &cache, &prose)
            .into_iter()
            .filter(|(way, _)| reads_the_page(way))
            .collect();
        for (case, text) in group.iter().zip(&texts) {
            let raw = known.redact(text).text + &known.redact(&text.replace('\n', " ")).text;
            for secret in &case.secrets {
                for (way, held) in &ways {
                    shown += 1;
                    let Some(piece) = left(secret, held) else {
                        continue;
                    };
                    match left(secret, &raw) {
                        Some(_) => unknown += 1,
                        None => leaks.push(format!("{way}: {piece} of {text:?}")),
                    }
                }
            }
        }
    }
    println!(
        "pages: {shown} looked for, {} leave though the page shows them to be secret, {unknown} others",
        leaks.len()
    );
    assert!(shown > 1500, "{shown}");
    assert!(leaks.is_empty(), "{:#?}", &leaks[..leaks.len().min(20)]);
    assert!(unknown * 100 <= shown * 4, "{unknown} of {shown}");
}

/// A value that one cell's source or an earlier line names, in another's traceback, and the other way round.
#[test]
fn a_value_known_from_one_place_is_gone_from_every_other() {
    let prose = prose();
    let cache = cache(&prose);
    let secret = "Vq7mWz2LpX9c";
    let source = |cell: &str, text: &str| serde_json::json!({"t": "source", "nb": "n", "cell": cell, "text": text});
    let failed = |cell: &str, text: &str| serde_json::json!({"t": "output", "nb": "n", "cell": cell, "out": 0, "run": 1, "kind": "error", "len": text.len(), "head": text});
    let cell = |cell: &str, i: u32| serde_json::json!({"t": "cell", "nb": "n", "cell": cell, "index": i, "state": "error", "run": 1, "count": i});
    let bare = format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f()\nKeyError: '{secret}'\n");
    for batch in [
        serde_json::json!([
            source("a", &format!("password = '{secret}'")),
            source("b", "f()"),
            cell("b", 2),
            failed("b", &bare)
        ]),
        serde_json::json!([
            source("a", &format!("f('{secret}')")),
            cell("a", 1),
            failed("a", &format!("connecting with password='{secret}'\n{bare}"))
        ]),
    ] {
        let batches = vec![nbmedic::protocol::parse_events(&batch.to_string()).expect("events")];
        let (page, kept) = played(&batches, &cache);
        assert!(!page.session().findings().is_empty());
        let ways = channels(page.session(), &batches, &kept, &cache, &prose);
        for (way, held) in ways.into_iter().filter(|(way, _)| reads_the_page(way)) {
            assert!(!held.contains(secret), "{way}: {held}");
        }
        assert!(!serde_json::to_string(&past(page.session(), &cache, NOW))
            .expect("JSON")
            .contains(secret));
    }
    let text = format!("connecting with password='{secret}'\nstep 2\n{bare}");
    for held in [
        judged_json(&judged(&text, &prose), true),
        judged_markdown(&judged(&text, &prose)),
        judged_html(&[judged(&text, &prose), judged(&bare, &prose)]),
    ] {
        assert!(!held.contains(secret), "{held}");
    }
}

/// What a page has shown is gone from what is stored of it later.
#[test]
fn what_an_earlier_batch_showed_is_not_stored_with_a_later_one() {
    let secret = "Vq7mWz2LpX9c";
    let mut known = Known::default();
    let event = |json: serde_json::Value| {
        nbmedic::protocol::parse_events(&serde_json::json!([json]).to_string()).expect("events")
    };
    let mut first = event(
        serde_json::json!({"t": "source", "nb": "n", "cell": "a", "text": format!("api_key = '{secret}'")}),
    );
    redact_events(&mut first, &mut known);
    let mut then = event(
        serde_json::json!({"t": "output", "nb": "n", "cell": "b", "len": 40, "head": format!("refused: {secret}\n")}),
    );
    redact_events(&mut then, &mut known);
    let stored = serde_json::to_string(&[first, then]).expect("JSON");
    assert!(!stored.contains(secret), "{stored}");
}
