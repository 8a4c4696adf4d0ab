//! A session with texts in all its places, and everything that leaves it or is stored from it.

use nbmedic::catalog::Prose;
use nbmedic::page::Page;
use nbmedic::protocol::{parse_events, Effect, Event};
use nbmedic::report::{
    assistant, draft, judged_html, judged_json, judged_markdown, past, redact, redact_events,
    Judged, Known, Options,
};
use nbmedic::session::Session;
use nbmedic::tree::{issue_address, self_report, Health, Trouble};
use nbmedic::triage::{triage, Input};
use nbmedic::view::ProseCache;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The prose of every diagnosis.
pub fn prose() -> BTreeMap<String, Prose> {
    nbmedic_catalogc::load(Path::new("src/catalog"))
        .unwrap_or_else(|e| panic!("{e}"))
        .into_iter()
        .map(|r| (r.id, r.prose))
        .collect()
}

/// The batches of a notebook's page with texts in its name, sources, outputs, paths and notices.
pub fn batches(texts: &[String]) -> Vec<Vec<Event>> {
    let one_line = |text: &str| text.replace('\n', " ");
    let cell = |i: usize, state: &str| {
        json!({"t": "cell", "nb": "n", "cell": format!("c{i}"), "index": i, "state": state, "run": 1,
        "count": if state == "error" { json!(i + 1) } else { Value::Null }})
    };
    let mut all = vec![vec![
        json!({"t": "hello", "profile": "jupyterlab", "origin": "http://localhost:8888", "found": {}, "theme": "light"}),
        json!({"t": "notebook", "nb": "n", "name": format!("{}.ipynb", one_line(&texts[0]))}),
    ]];
    for (i, text) in texts.iter().enumerate().skip(1) {
        let line = one_line(text);
        let output = match i % 3 {
            0 => format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f()\nValueError: cannot use {line}\n"),
            1 => format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    open({line:?})\nFileNotFoundError: [Errno 2] No such file or directory: '{line}'\n"),
            _ => format!("{text}\nTraceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f({line})\nKeyError: '{line}'\n"),
        };
        all.push(vec![cell(i, "running"), json!({"t": "source", "nb": "n", "cell": format!("c{i}"), "text": format!("# {line}\nx = 1\nf(\"{line}\")\n{text}")})]);
        all.push(vec![
            json!({"t": "output", "nb": "n", "cell": format!("c{i}"), "out": 0, "run": 1, "kind": "error", "len": output.len(), "head": output}),
            cell(i, "error"),
        ]);
    }
    let last = one_line(&texts[texts.len() - 1]);
    all.push(vec![
        cell(0, "running"),
        json!({"t": "notice", "nb": "n", "id": "m1", "kind": "dialog", "text": format!("Kernel Restarting. The kernel for {last} appears to have died. It will restart automatically.")}),
        json!({"t": "kernel", "nb": "n", "status": "autorestarting"}),
    ]);
    all.iter()
        .map(|b| parse_events(&json!(b).to_string()).expect("events"))
        .collect()
}

/// The page, and what it asks to be stored.
pub fn played(batches: &[Vec<Event>], prose: &ProseCache) -> (Page, Vec<Event>) {
    let mut page = Page::new();
    let mut kept = Vec::new();
    for (i, batch) in batches.iter().enumerate() {
        for effect in page.apply(batch, 1_790_000_000_000 + i as u64 * 1000, prose) {
            if let Effect::Keep { event, .. } = effect {
                kept.push(event.clone());
            }
        }
    }
    (page, kept)
}

pub const NOW: u64 = 1_790_000_100_000;

/// What is found in a text, and the secrets that it shows.
pub fn judged(text: &str, prose: &BTreeMap<String, Prose>) -> Judged {
    let input = Input {
        text,
        ..Input::default()
    };
    let found = triage(&input).into_iter();
    Judged {
        source: "x".into(),
        found: found.map(|d| (d.clone(), prose[d.id].clone())).collect(),
        known: Known::of([text]),
        ..Judged::default()
    }
}

/// Everything that leaves a session or is stored from it, by name.
pub fn channels(
    session: &Session,
    batches: &[Vec<Event>],
    kept: &[Event],
    prose: &ProseCache,
    all: &BTreeMap<String, Prose>,
) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for source in [false, true] {
        let options = Options {
            source,
            ..Options::default()
        };
        let formats: &[&str] = match source {
            true => &["markdown", "json", "html"],
            false => &["markdown"],
        };
        for format in formats {
            let made = draft(session, prose, NOW, format, &options);
            out.push((format!("draft {format} {source}"), json!(made).to_string()));
            if *format == "markdown" {
                let (address, _) =
                    issue_address("a/b", &made.title, &made.text).expect("an address");
                out.push((format!("issue {source}"), address));
            }
        }
    }
    for f in session.findings() {
        let text = assistant(session, prose, &f.card, NOW).expect("the problem of a card");
        out.push(("for an assistant".into(), text));
    }
    out.push((
        "history".into(),
        json!(past(session, prose, NOW)).to_string(),
    ));
    let mut stored: Vec<Event> = [batches.concat(), kept.to_vec()].concat();
    redact_events(&mut stored, &mut session.secrets());
    out.push((
        "stored, and the event log".into(),
        json!(stored).to_string(),
    ));
    for batch in batches.iter().step_by(3) {
        for event in batch {
            let Event::Output(o) = event else { continue };
            let judged = judged(&o.head, all);
            out.push(("triage json, redacted".into(), judged_json(&judged, true)));
            out.push(("triage markdown".into(), judged_markdown(&judged)));
            out.push(("triage html".into(), judged_html(&[judged])));
            // The background redacts the messages of its own failures in the same way.
            let health = Health {
                troubles: vec![Trouble {
                    code: "failed".into(),
                    detail: redact(&o.head).text,
                    ..Trouble::default()
                }],
                ..Health::default()
            };
            out.push(("report about nbmedic".into(), self_report(&health)));
        }
    }
    out
}
