//! The stages through which a text passes, each by itself.

use nbmedic::cure::{cure, Book, BookCell};
use nbmedic::page::Page;
use nbmedic::protocol::{parse_events, Event};
use nbmedic::report::{draft, redact, redact_event, Judged, Options};
use nbmedic::text::{Document, Limits};
use nbmedic::triage::{last_words, triage, Diagnosis, Input};
use nbmedic::view::ProseCache;
use serde_json::json;

/// A stage: its name, and what prepares a text and returns the work of the stage alone.
pub type Stage = (&'static str, fn(&str) -> Box<dyn FnMut() + '_>);

/// All stages.
pub const STAGES: &[Stage] = &[
    ("cleaner", |text| {
        Box::new(move || drop(Document::from_terminal(text, Limits::default())))
    }),
    ("forms", |text| {
        let doc = Document::from_terminal(text, Limits::default());
        Box::new(move || drop(nbmedic_plain::plain(&doc)))
    }),
    ("traceback", |text| {
        let doc = Document::from_terminal(text, Limits::default());
        Box::new(move || drop(nbmedic::traceback::parse(&doc)))
    }),
    ("triage", |text| {
        Box::new(move || {
            drop(found(text));
            drop(last_words(text));
        })
    }),
    ("redaction", |text| Box::new(move || drop(redact(text)))),
    ("session", |text| {
        let batches = batches(text);
        Box::new(move || drop(played(&batches)))
    }),
    ("store", |text| {
        let batches = batches(text);
        Box::new(move || {
            batches
                .concat()
                .iter_mut()
                .for_each(|e| drop(redact_event(e)))
        })
    }),
    ("cure", |text| {
        let found = found(text);
        Box::new(move || {
            let cell = BookCell {
                position: 1,
                source: text,
                count: Some(1),
                ran: Some(1),
                edited: false,
                output: "",
            };
            cure(&Book::new(vec![cell]), 0, text, &mut found.clone());
            cure(&Book::new(Vec::new()), 0, text, &mut found.clone());
        })
    }),
    ("views", |text| {
        let page = played(&batches(text));
        let prose = ProseCache::new();
        let found: Vec<_> = found(text)
            .into_iter()
            .filter_map(|d| Some((d.clone(), nbmedic::catalog::prose(d.id)?)))
            .collect();
        Box::new(move || {
            draft(page.session(), &prose, NOW, "markdown", &Options::default());
            let judged = Judged {
                source: "x".into(),
                found: found.clone(),
                ..Judged::default()
            };
            nbmedic::report::judged_markdown(&judged);
            nbmedic::report::judged_html(&[judged]);
        })
    }),
];

/// Seconds that this thread ran on a processor, so that other programs do not count.
pub fn clock() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64()
}

const NOW: u64 = 1_790_000_100_000;

fn found(text: &str) -> Vec<Diagnosis> {
    triage(&Input {
        text,
        ..Input::default()
    })
}

/// A page with one cell that printed the text.
fn batches(text: &str) -> Vec<Vec<Event>> {
    let cell = |state: &str| json!({"t": "cell", "nb": "n", "cell": "c", "index": 0, "state": state, "run": 1});
    let all = [
        json!([
            {"t": "hello", "profile": "jupyterlab", "origin": "http://localhost:8888", "found": {}, "theme": "light"},
            {"t": "notebook", "nb": "n", "name": "a.ipynb"},
            {"t": "source", "nb": "n", "cell": "c", "text": text},
            cell("running"),
        ]),
        json!([
            {"t": "output", "nb": "n", "cell": "c", "out": 0, "run": 1, "kind": "error", "len": text.len(), "head": text},
            cell("error"),
        ]),
    ];
    all.iter()
        .map(|b| parse_events(&b.to_string()).expect("events"))
        .collect()
}

fn played(batches: &[Vec<Event>]) -> Page {
    let mut page = Page::new();
    let prose = ProseCache::new();
    for (i, batch) in batches.iter().enumerate() {
        page.apply(batch, NOW - 10_000 + i as u64 * 1000, &prose);
    }
    page
}
