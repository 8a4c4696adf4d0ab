//! Event logs of whole sessions: the cards that a page shows after each batch.
//!
//! A line of a fixture is a line of an event log; its `cards`, if given, are the cards shown after
//! it: key and diagnosis, `consequence`, or `*` for any diagnosis.
// The engine does no I/O; its tests read their fixtures.
#![allow(clippy::disallowed_methods)]

use nbmedic::ask::Reply;
use nbmedic::catalog::Prose;
use nbmedic::page::{self, replay};
use nbmedic::protocol::{Answered, Effect, Event, Judged, LogLine};
use nbmedic::report::{session_report, Options};
use nbmedic::triage::{triage, Diagnosis, Input, Surface};
use nbmedic::view::{html, Node, ProseCache};
use serde::Deserialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Expected {
    cards: Option<Vec<String>>,
}

fn fixtures() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions");
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the fixtures' folder")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .map(|p| {
            let name = p.file_stem().expect("a name").to_string_lossy().into();
            (name, std::fs::read_to_string(p).expect("a fixture"))
        })
        .collect();
    all.sort();
    all
}

fn fixture(name: &str) -> String {
    fixtures()
        .into_iter()
        .find(|(n, _)| n == name)
        .unwrap_or_else(|| panic!("no fixture {name}"))
        .1
}

fn all_prose() -> BTreeMap<String, Prose> {
    nbmedic_catalogc::load(Path::new("src/catalog"))
        .unwrap_or_else(|e| panic!("{e}"))
        .into_iter()
        .map(|r| (r.id, r.prose))
        .collect()
}

/// What a page shows, derived from the effects only, and what the background stores.
struct Page {
    page: page::Page,
    prose: ProseCache,
    cards: BTreeMap<String, Node>,
    store: Vec<(String, u64, Event)>,
}

impl Page {
    fn new(prose: &BTreeMap<String, Prose>) -> Page {
        let mut cache = ProseCache::new();
        for (id, p) in prose {
            cache.insert(id, p.clone());
        }
        Page {
            page: page::Page::new(),
            prose: cache,
            cards: BTreeMap::new(),
            store: Vec::new(),
        }
    }

    fn keep(&mut self, event: &Event, at: u64) {
        let slot = event.slot();
        if let Event::Removed(e) = event {
            let gone = [
                format!("source:{}:{}", e.nb, e.cell),
                format!("outs:{}:{}", e.nb, e.cell),
            ];
            let outs = format!("out:{}:{}:", e.nb, e.cell);
            self.store
                .retain(|(s, _, _)| !gone.contains(s) && !s.starts_with(&outs));
        }
        self.store.retain(|(s, _, _)| *s != slot);
        self.store.push((slot, at, event.clone()));
    }

    /// The page of a background that starts again from what is stored, each event as `read` gives it.
    fn again(
        &self,
        prose: &BTreeMap<String, Prose>,
        read: impl Fn(&Event) -> Option<Event>,
    ) -> Page {
        let mut again = Page::new(prose);
        again.page = page::Page::with(counted, nbmedic_answer::reader);
        JUDGED.set(0);
        for (at, event) in &self.stored(read) {
            again.apply(std::slice::from_ref(event), *at);
        }
        again
    }

    /// What is stored, in the order of a replay.
    fn stored(&self, read: impl Fn(&Event) -> Option<Event>) -> Vec<(u64, Event)> {
        let rows = self.store.iter();
        let rows = rows.filter_map(|(_, at, e)| Some((*at, read(e)?)));
        let is_found = |(_, e): &(u64, Event)| matches!(e, Event::Judged(_) | Event::Answered(_));
        let (mut first, rest): (Vec<_>, Vec<_>) = rows.partition(is_found);
        first.extend(rest);
        first
    }

    /// The cards of a replay for which the reader of the cells' Python is away; `None` if it is needed.
    fn unread(
        &self,
        prose: &BTreeMap<String, Prose>,
        read: impl Fn(&Event) -> Option<Event>,
    ) -> Option<BTreeMap<String, Node>> {
        let mut again = Page::new(prose);
        again.page = page::Page::with(triage, |_| Reply::Away);
        for (at, event) in &self.stored(read) {
            again.page.follow(std::slice::from_ref(event), *at);
        }
        for effect in again.page.effects(&again.prose) {
            match effect {
                Effect::Card { card, tree, .. } => {
                    again.cards.insert(card, tree);
                }
                Effect::Need { .. } => return None,
                _ => {}
            }
        }
        Some(again.cards)
    }

    fn apply(&mut self, events: &[Event], at: u64) {
        for e in events {
            self.keep(e, at);
        }
        for effect in self.page.apply(events, at, &self.prose) {
            match effect {
                Effect::Card { card, tree, .. } => {
                    self.cards.insert(card, tree);
                }
                Effect::Uncard { card } => {
                    assert!(self.cards.remove(&card).is_some(), "{card}");
                }
                Effect::Keep { event, .. } => self.keep(&event, at),
                Effect::Badge { count } => {
                    let counts = |tree: &&Node| {
                        !tree.class.contains(" solved") && !tree.class.contains(" quiet")
                    };
                    assert_eq!(count, self.cards.values().filter(counts).count());
                }
                Effect::Need { ids, .. } => panic!("no prose for {ids:?}"),
            }
        }
    }

    fn shows(&self) -> Vec<String> {
        self.cards
            .iter()
            .map(|(key, tree)| match tree.attrs.get("data-consequence") {
                Some(_) => format!("{key} consequence"),
                None if tree.class.contains(" solved") => format!("{key} solved"),
                None => match tree.attrs.get("data-id") {
                    Some(id) => format!("{key} {id}"),
                    None => format!("{key} unexplained"),
                },
            })
            .collect()
    }
}

thread_local! {
    /// How many outputs were judged.
    static JUDGED: Cell<usize> = const { Cell::new(0) };
}

fn counted(input: &Input<'_>) -> Vec<Diagnosis> {
    if input.surface == Surface::Output {
        JUDGED.set(JUDGED.get() + 1);
    }
    triage(input)
}

fn same(shown: &[String], expected: &[String]) -> bool {
    shown.len() == expected.len()
        && shown
            .iter()
            .zip(expected)
            .all(|(s, e)| match e.strip_suffix('*') {
                Some(key) => s.starts_with(key),
                None => s == e,
            })
}

#[test]
fn every_log_gives_its_cards_after_each_batch_and_again_from_the_store() {
    let prose = all_prose();
    let mut checked = 0;
    for (name, log) in fixtures() {
        let mut page = Page::new(&prose);
        for (n, line) in log.lines().enumerate() {
            let batch = LogLine::parse(line).expect("a line of an event log");
            page.apply(&batch.events, batch.at);
            let expected: Expected = serde_json::from_str(line).expect("JSON");
            if let Some(expected) = expected.cards {
                let shown = page.shows();
                assert!(
                    same(&shown, &expected),
                    "{name}, line {}: {shown:?}, expected {expected:?}",
                    n + 1
                );
                checked += 1;
            }
            // The background stops here and restarts from what it stored.
            let again = page.again(&prose, |e| Some(e.clone()));
            assert_eq!(again.shows(), page.shows(), "{name}, line {}", n + 1);
            assert!(again.cards == page.cards, "{name}, line {}", n + 1);
        }
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn a_replay_with_stored_verdicts_gives_the_same_cards_and_judges_less() {
    let prose = all_prose();
    let (mut with, mut without, mut failing) = (0, 0, 0);
    for (name, log) in fixtures() {
        let mut page = Page::new(&prose);
        for line in log.lines() {
            let batch = LogLine::parse(line).expect("a line of an event log");
            page.apply(&batch.events, batch.at);
        }
        let same = |again: &Page, what: &str| {
            assert_eq!(again.shows(), page.shows(), "{name}, {what}");
            assert!(again.cards == page.cards, "{name}, {what}");
            JUDGED.get()
        };
        let changed = |change: fn(&mut Judged)| {
            page.again(&prose, |e| {
                let mut e = e.clone();
                if let Event::Judged(judged) = &mut e {
                    change(judged);
                }
                Some(e)
            })
        };
        let kept = same(&page.again(&prose, |e| Some(e.clone())), "kept");
        let none = page.again(&prose, |e| {
            (!matches!(e, Event::Judged(_))).then(|| e.clone())
        });
        let none = same(&none, "not kept");
        // Whatever the store holds instead, the text is judged again.
        for (what, change) in [
            (
                "of another text",
                (|j| j.of = "0".repeat(16)) as fn(&mut Judged),
            ),
            ("nothing", |j| j.found.clear()),
            ("cut", |j| j.found.truncate(j.found.len() / 2)),
            ("another diagnosis", |j| {
                j.found = j.found.replace("\"id\":\"", "\"id\":\"no-")
            }),
            ("a lie", |j| {
                j.found = j.found.replace("confidence", "confident")
            }),
        ] {
            let judged = same(&changed(change), what);
            let told = page
                .store
                .iter()
                .any(|(_, _, e)| matches!(e, Event::Judged(j) if !j.found.is_empty()));
            assert!(
                judged >= kept && (judged == none || !told),
                "{name}, {what}"
            );
        }
        with += kept;
        without += none;
        failing += usize::from(none > kept);
    }
    assert!(failing > 4, "{failing} logs with stored verdicts");
    assert!(
        with < without / 2,
        "{with} outputs judged with stored verdicts, {without} without"
    );
}

#[test]
fn a_replay_with_stored_answers_reads_no_python_and_gives_the_same_cards() {
    let prose = all_prose();
    let mut spared = 0;
    for (name, log) in fixtures() {
        let mut page = Page::new(&prose);
        for (n, line) in log.lines().enumerate() {
            let batch = LogLine::parse(line).expect("a line of an event log");
            let before = page.cards.clone();
            page.apply(&batch.events, batch.at);
            if page.cards != before {
                let again = page.unread(&prose, |e| Some(e.clone()));
                assert!(again == Some(page.cards.clone()), "{name}, line {}", n + 1);
            }
        }
        let again = page.unread(&prose, |e| Some(e.clone()));
        assert!(again == Some(page.cards.clone()), "{name}");
        let changed = |change: fn(&mut Answered)| {
            page.unread(&prose, |e| {
                let mut e = e.clone();
                if let Event::Answered(answered) = &mut e {
                    change(answered);
                }
                Some(e)
            })
        };
        let needed = page
            .unread(&prose, |e| {
                (!matches!(e, Event::Answered(_))).then(|| e.clone())
            })
            .is_none();
        // Whatever the store holds instead, the sources are read again.
        for change in [
            (|a| a.of = "0".repeat(16)) as fn(&mut Answered),
            |a| a.text.truncate(a.text.len() / 2),
            |a| a.text = a.text.replace('"', "'"),
        ] {
            assert_eq!(changed(change).is_none(), needed, "{name}");
        }
        spared += usize::from(needed);
    }
    assert!(spared > 3, "{spared} logs with stored answers");
}

#[test]
fn text_that_looks_like_markup_stays_text() {
    let prose = all_prose();
    let cards = replay(&fixture("markup-is-text"), |id| prose.get(id).cloned()).expect("a log");
    let [card] = cards.as_slice() else {
        panic!("one card: {cards:?}");
    };
    let page = html(&card.tree);
    assert!(
        page.contains("&lt;img src=x onerror=alert(1)&gt;"),
        "{page}"
    );
    assert!(
        !page.contains("<img") && !page.contains("<script"),
        "{page}"
    );
    assert_eq!(card.cell, "cell [3]");
}

#[test]
fn the_failing_line_and_the_raw_line_numbers_are_right() {
    let prose = all_prose();
    let log = fixture("colab-streamed-oom");
    // Up to the failure.
    let upto = log
        .lines()
        .position(|l| l.contains("\"gpu-oom\"") || l.contains("c1 gpu-oom"));
    let log: Vec<&str> = log.lines().take(upto.expect("the failure") + 1).collect();
    let cards = replay(&log.join("\n"), |id| prose.get(id).cloned()).expect("a log");
    let page = html(&cards[0].tree);
    assert!(page.contains("out = model(x.cuda())"), "{page}");
    // 600 lines of training log precede the traceback; the message is its last line.
    assert!(page.contains(">616<"), "{page}");
}

#[test]
fn a_death_says_what_is_known_and_what_is_not() {
    let prose = all_prose();
    for (name, upto, parts) in [
        (
            "jupyter-killed",
            5,
            &[
                "cell 2 was running, for 2 s",
                "appears to have died",
                "The cell printed nothing.",
                "The signal and exit code: the page does not receive them.",
            ][..],
        ),
        (
            "colab-ram",
            5,
            &[
                "crashed after using all available RAM",
                "the last reading was 9.9 of 12.7 GiB, 3 s earlier",
            ],
        ),
    ] {
        let log = fixture(name);
        let log: Vec<&str> = log.lines().take(upto).collect();
        let cards = replay(&log.join("\n"), |id| prose.get(id).cloned()).expect("a log");
        let page = html(&cards[0].tree);
        for part in parts {
            assert!(page.contains(part), "{name}: {part}: {page}");
        }
    }
}

#[test]
fn every_logs_report_is_made_in_every_form() {
    let prose = all_prose();
    for (name, log) in fixtures() {
        let mut page = Page::new(&prose);
        let mut at = 0;
        for line in log.lines() {
            let batch = LogLine::parse(line).expect("a line");
            at = batch.at;
            page.apply(&batch.events, at);
        }
        let report = session_report(
            page.page.session(),
            &page.prose,
            at,
            &Options {
                source: true,
                ..Options::default()
            },
        );
        let json: serde_json::Value = serde_json::from_str(&report.json()).expect("JSON");
        assert_eq!(json["schema"], "nbmedic.report/1", "{name}");
        if name == "values-below" {
            assert_eq!(json["findings"][0]["values"][0]["name"], "df");
        }
        assert!(report.html().contains("default-src 'none'"), "{name}");
        assert!(!report.html().contains("<script"), "{name}");
        assert!(
            report.markdown().contains("nbmedic triage report"),
            "{name}"
        );
    }
}

#[test]
fn a_log_that_cannot_be_read_names_the_line() {
    let error = replay("{\"at\":1,\"events\":[]}\nnope\n", |_| None).expect_err("no log");
    assert!(error.starts_with("line 2:"), "{error}");
}
