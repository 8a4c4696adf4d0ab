//! The state machine, with a judge of texts that is easy to follow.

use lazy::Lazy;
use litemap::LiteMap;
use nbmedic_catalog::{Block, Inline, Prose};
use nbmedic_protocol::{Act, Effect, Event, Memory};
use nbmedic_triage::{Diagnosis, Evidence, Facts, Input, Location, Surface};
use nbmedic_view::{Node, ProseCache};

/// Words and what they mean: surface, word, id, confidence.
const WORDS: &[(Surface, &str, &str, f32)] = &[
    (Surface::Output, "BOOM", "assertion-failed", 0.8),
    (Surface::Output, "HUH", "python-exception", 0.8),
    (Surface::Output, "MEMORY", "gpu-oom", 0.97),
    (Surface::Output, "ILLEGAL", "cuda-illegal-access", 0.97),
    (Surface::Output, "LAUNCH", "cuda-launch-failed", 0.97),
    (Surface::Output, "CUDNN", "cuda-library-failed", 0.8),
    (Surface::Output, "WEAK", "disk-full", 0.3),
    (Surface::Notice, "crashed", "kernel-died", 0.9),
    (Surface::Notice, "all available RAM", "host-oom", 0.97),
    (Surface::Notice, "inactivity", "session-time-limit", 0.9),
    (Surface::Notice, "disk is almost full", "disk-full", 0.9),
];

fn judge(input: &Input<'_>) -> Vec<Diagnosis> {
    let mut out: Vec<Diagnosis> = Vec::new();
    for (surface, word, id, confidence) in WORDS {
        if *surface != input.surface || out.iter().any(|d| d.id == *id) {
            continue;
        }
        let Some(at) = input.text.find(word) else {
            continue;
        };
        let line = input.text[..at].matches('\n').count() + 1;
        out.push(Diagnosis {
            id,
            variant: None,
            confidence: *confidence,
            facts: Facts::new(),
            location: Location {
                cell: None,
                line: Some(2),
            },
            evidence: vec![Evidence {
                line,
                text: input.text.lines().nth(line - 1).unwrap_or("").to_owned(),
                range: at..at + word.len(),
            }],
            also: Vec::new(),
            ..Diagnosis::default()
        });
    }
    out.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    out
}

fn prose() -> ProseCache {
    let mut cache = ProseCache::new();
    let ids = WORDS.iter().map(|w| w.2).chain([
        "native-crash",
        "runtime-disconnected",
        "session-idle-timeout",
    ]);
    for id in ids {
        cache.insert(
            id,
            Prose {
                id: id.into(),
                family: String::new(),
                title: format!("About {id}"),
                summary: vec![Block::P(vec![Inline::Text("Sum.".into())])],
                variants: Vec::new(),
                meaning: Vec::new(),
                why: Vec::new(),
                fixes: Vec::new(),
                links: Vec::new(),
            },
        );
    }
    cache
}

/// A page and the cards on it, kept up to date by effects alone.
struct Page {
    /// Made with the real judge and the real prose.
    real: bool,
    page: crate::Page,
    prose: ProseCache,
    now: u64,
    cards: LiteMap<String, Node>,
    store: Vec<(String, u64, Event)>,
    /// The same page with a reader that is never there at first.
    lazy: Lazy,
}

impl Page {
    fn new() -> Page {
        Page {
            real: false,
            page: crate::Page::with(judge, nbmedic_answer::reader),
            prose: prose(),
            now: 1_000_000,
            cards: LiteMap::new(),
            store: Vec::new(),
            lazy: Lazy::new(judge),
        }
    }

    fn real() -> Page {
        static PROSE: std::sync::OnceLock<ProseCache> = std::sync::OnceLock::new();
        let cache = PROSE.get_or_init(|| {
            let mut cache = ProseCache::new();
            let rules = nbmedic_catalogc::load(std::path::Path::new("../catalog"));
            for rule in rules.unwrap_or_else(|e| panic!("{e}")) {
                cache.insert(&rule.id, rule.prose);
            }
            cache
        });
        Page {
            real: true,
            page: crate::Page::new(),
            prose: cache.clone(),
            lazy: Lazy::new(nbmedic_triage::triage),
            ..Page::new()
        }
    }

    fn send(&mut self, json: &[&str]) -> Vec<Effect> {
        let events: Vec<Event> = json
            .iter()
            .map(|j| Event::parse(j).unwrap_or_else(|| panic!("an event: {j}")))
            .collect();
        self.apply(&events)
    }

    fn keep(&mut self, event: Event) {
        let slot = event.slot();
        let outputs = |cell: &str| format!("out:n:{cell}:");
        self.store.retain(|(s, _, _)| match &event {
            Event::Removed(e) => {
                *s != format!("source:n:{}", e.cell) && !s.starts_with(&outputs(&e.cell))
            }
            Event::Outputs(e) => s
                .strip_prefix(&outputs(&e.cell))
                .is_none_or(|n| n.parse::<u32>().is_ok_and(|n| n < e.n)),
            _ => *s != slot,
        });
        self.store.retain(|(s, _, _)| *s != slot);
        self.store.push((slot, self.now, event));
    }

    fn apply(&mut self, events: &[Event]) -> Vec<Effect> {
        for e in events {
            self.keep(e.clone());
        }
        let effects = self.page.apply(events, self.now, &self.prose);
        self.note(&effects);
        self.lazy.apply(events, self.now, &self.prose);
        assert_eq!(self.lazy.cards, self.cards, "with a reader that comes late");
        effects
    }

    fn note(&mut self, effects: &[Effect]) {
        for e in effects {
            match e {
                Effect::Card { card, tree, .. } => {
                    self.cards.insert(card.clone(), tree.clone().english());
                }
                Effect::Uncard { card } => {
                    assert!(self.cards.remove(card).is_some(), "{card} was not there");
                }
                Effect::Keep { event, .. } => self.keep(event.clone()),
                Effect::Badge { count } => {
                    let counts = |tree: &&Node| {
                        !tree.class.contains(" quiet") && !tree.class.contains(" solved")
                    };
                    assert_eq!(*count, self.cards.values().filter(counts).count());
                }
                Effect::Need { ids, .. } => panic!("{ids:?} are not known"),
            }
        }
    }

    fn act(&mut self, what: &str, card: Option<&str>, id: Option<&str>) {
        let act = Act {
            what: what.into(),
            card: card.map(Into::into),
            id: id.map(Into::into),
        };
        self.apply(&[Event::Act(act)]);
    }

    /// What the cards say: key, diagnosis, title.
    fn shows(&self) -> Vec<(&str, &str)> {
        self.cards
            .iter()
            .map(|(key, tree)| {
                let attr = |name: &str| tree.attrs.get(name).map(String::as_str);
                let id = match tree.class.contains(" solved") {
                    true => "solved",
                    false if attr("data-consequence").is_some() => "consequence",
                    false => attr("data-id")
                        .or_else(|| attr("data-unexplained"))
                        .unwrap_or_default(),
                };
                (key.as_str(), id)
            })
            .collect()
    }

    /// A replay of the stored events must give the same cards, however they were batched.
    fn replays(&self) {
        for size in [1, 3, usize::MAX] {
            let mut again = match self.real {
                true => Page::real(),
                false => Page::new(),
            };
            let mut store = self.store.as_slice();
            while !store.is_empty() {
                let (batch, rest) = store.split_at(size.min(store.len()));
                store = rest;
                again.now = batch[batch.len() - 1].1;
                let events: Vec<Event> = batch.iter().map(|(_, _, e)| e.clone()).collect();
                again.apply(&events);
            }
            assert_eq!(again.shows(), self.shows(), "in batches of {size}");
            assert!(again.cards == self.cards, "in batches of {size}");
        }
        self.replays_in_silence();
    }
}

fn cell(id: &str, index: u32, state: &str, run: u32, count: Option<u32>) -> String {
    let count = count.map_or("null".to_owned(), |n| n.to_string());
    format!(
        r#"{{"t":"cell","nb":"n","cell":"{id}","index":{index},"state":"{state}","run":{run},"count":{count}}}"#
    )
}

fn out(id: &str, run: u32, text: &str) -> String {
    format!(
        r#"{{"t":"output","nb":"n","cell":"{id}","out":0,"run":{run},"kind":"stream","len":{},"head":{}}}"#,
        text.len(),
        serde_json::to_string(text).unwrap()
    )
}

#[test]
fn a_running_cell_gets_a_card_only_for_an_exception_or_certainty() {
    let mut p = Page::new();
    p.send(&[
        &cell("a", 0, "running", 1, None),
        &out("a", 1, "epoch 1\nBOOM in the log\n"),
    ]);
    assert!(p.cards.is_empty());
    p.send(&[&out(
        "a",
        1,
        "epoch 1\nBOOM\nTraceback (most recent call last)\n",
    )]);
    assert_eq!(p.shows(), [("n/a", "assertion-failed")]);
    p.send(&[
        &cell("b", 1, "running", 1, None),
        &out("b", 1, "MEMORY WEAK"),
    ]);
    assert_eq!(p.shows()[1], ("n/b", "gpu-oom"), "certain");
    p.send(&[&cell("c", 2, "done", 1, Some(3)), &out("c", 1, "WEAK")]);
    assert_eq!(p.cards.len(), 2, "too weak");
    p.replays();
}

#[test]
fn a_rerun_takes_the_card_away() {
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "BOOM")]);
    assert_eq!(p.cards.len(), 1);
    // The old output stays until the new one comes.
    p.send(&[&cell("a", 0, "running", 2, None)]);
    assert!(p.cards.is_empty());
    p.send(&[&out("a", 2, "fine"), &cell("a", 0, "done", 2, Some(2))]);
    assert_eq!(p.shows(), [("n/a", "solved")]);
    p.replays();
    p.send(&[&out("a", 2, "BOOM again")]);
    assert_eq!(p.shows(), [("n/a", "assertion-failed")]);
    assert_eq!(p.cards.len(), 1);
    p.send(&[r#"{"t":"outputs","nb":"n","cell":"a","n":0}"#]);
    assert!(p.cards.is_empty(), "outputs were cleared");
    p.replays();
}

#[test]
fn a_card_is_sent_once_and_again_when_it_changes() {
    let mut p = Page::new();
    let first = p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "BOOM")]);
    assert!(
        matches!(
            first[..],
            [
                Effect::Card { .. },
                Effect::Badge { .. },
                Effect::Keep { .. },
                Effect::Keep { .. },
                Effect::Keep { .. }
            ]
        ),
        "{first:?}"
    );
    assert!(p.send(&[&out("a", 1, "BOOM")]).is_empty());
    assert!(matches!(
        p.send(&[&out("a", 1, "x\nBOOM")])[..],
        [
            Effect::Card { .. },
            Effect::Keep { .. },
            Effect::Keep { .. }
        ]
    ));
    assert_eq!(p.page.cards().len(), 1);
    p.send(&[r#"{"t":"removed","nb":"n","cell":"a"}"#]);
    assert!(p.cards.is_empty());
    p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "x\nBOOM")]);
    assert_eq!(p.cards.len(), 1, "the front end made it anew");
}

#[test]
fn a_card_comes_again_with_every_run() {
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "BOOM")]);
    // The page removed it; no event reported the start of the run alone.
    let again = p.send(&[&cell("a", 0, "error", 2, Some(1)), &out("a", 2, "BOOM")]);
    assert!(
        again.iter().any(|e| matches!(e, Effect::Card { .. })),
        "{again:?}"
    );
    p.replays();
}

#[test]
fn prose_is_asked_for_and_the_card_follows() {
    let mut p = Page::new();
    p.prose = ProseCache::new();
    let events = [
        Event::parse(&cell("a", 0, "error", 1, Some(1))).unwrap(),
        Event::parse(&out("a", 1, "BOOM")).unwrap(),
    ];
    let effects = p.page.apply(&events, 5, &p.prose);
    assert_eq!(
        serde_json::to_string(&effects[0]).unwrap(),
        r#"{"t":"need","ids":["assertion-failed"],"python":false}"#
    );
    p.prose = prose();
    let effects = p.page.apply(&[], 6, &p.prose);
    assert!(matches!(effects[0], Effect::Card { .. }));
}

#[test]
fn after_a_dead_context_errors_are_consequences_until_the_restart() {
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "ILLEGAL")]);
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, "CUDNN")]);
    p.send(&[&cell("c", 2, "error", 1, Some(3)), &out("c", 1, "BOOM")]);
    assert_eq!(
        p.shows(),
        [
            ("n/a", "cuda-illegal-access"),
            ("n/b", "consequence"),
            ("n/c", "assertion-failed")
        ]
    );
    p.replays();
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"idle"}"#]);
    p.send(&[&cell("d", 3, "error", 1, Some(1)), &out("d", 1, "ILLEGAL")]);
    assert_eq!(p.shows()[3], ("n/d", "cuda-illegal-access"));
    assert_eq!(p.shows()[1], ("n/b", "consequence"), "what was said stays");
    // The sensor reads the page a second time.
    p.send(&[&cell("a", 0, "error", 1, Some(1)), &out("a", 1, "ILLEGAL")]);
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, "CUDNN")]);
    p.replays();
}

#[test]
fn saved_outputs_are_not_mixed_with_a_new_kernel() {
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "idle", 0, Some(3)), &out("a", 0, "ILLEGAL")]);
    p.send(&[&cell("b", 1, "idle", 0, Some(4)), &out("b", 0, "CUDNN")]);
    p.send(&[&cell("c", 2, "error", 1, Some(9)), &out("c", 1, "CUDNN")]);
    assert_eq!(
        p.shows(),
        [
            ("n/a", "cuda-illegal-access"),
            ("n/b", "consequence"),
            ("n/c", "cuda-library-failed")
        ]
    );
}

const CRASHED: &str = r#"{"t":"notice","id":"1","kind":"toast","text":"Your session crashed for an unknown reason."}"#;

#[test]
fn a_death_is_one_card_at_the_cell_that_was_running() {
    let mut p = Page::new();
    p.send(&[
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &cell("a", 0, "done", 1, Some(1)),
    ]);
    p.send(&[
        &cell("b", 1, "running", 1, None),
        &cell("c", 2, "running", 1, None),
    ]);
    p.now += 12_000;
    p.send(&[
        r#"{"t":"kernel","nb":"n","status":"autorestarting"}"#,
        &cell("b", 1, "idle", 1, None),
        &cell("c", 2, "idle", 1, None),
    ]);
    assert_eq!(p.shows(), [("n/b", "kernel-died")]);
    p.now += 500;
    p.send(&[CRASHED]);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"idle"}"#]);
    assert_eq!(p.shows(), [("n/b", "kernel-died")]);
    let text = serde_json::to_string(&p.cards[&"n/b".to_owned()]).unwrap();
    for part in [
        "cell 2 was running, for 12 s",
        "Your session crashed for an unknown reason.",
        "died and was restarted",
        "The cell printed nothing.",
        "Memory: no reading",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    p.replays();
    p.send(&[&cell("b", 1, "running", 2, None)]);
    assert!(p.cards.is_empty());
    p.replays();
    // The notice is still open when the sensor reads the page a second time.
    p.send(&[CRASHED]);
    assert!(p.cards.is_empty());
    p.replays();
}

#[test]
fn witnesses_and_notices_that_name_a_cause_win() {
    for (printed, notice, id) in [
        ("step 1\nKilled\n", CRASHED, "host-oom"),
        (
            "Fatal Python error: Segmentation fault\n\nCurrent thread\n",
            CRASHED,
            "native-crash",
        ),
        ("python: Aborted (core dumped)", CRASHED, "native-crash"),
        ("Killed time: 3 s\n", CRASHED, "kernel-died"),
        (
            "x",
            r#"{"t":"notice","id":"1","text":"Your session crashed after using all available RAM."}"#,
            "host-oom",
        ),
        (
            "Killed",
            r#"{"t":"notice","id":"1","text":"disconnected due to inactivity"}"#,
            "session-time-limit",
        ),
    ] {
        let mut p = Page::new();
        p.send(&[&cell("a", 0, "running", 1, None), &out("a", 1, printed)]);
        p.send(&[notice]);
        assert_eq!(p.shows(), [("n/a", id)], "{printed}");
        p.replays();
    }
}

#[test]
fn vitals_before_the_death_are_part_of_it() {
    let mut p = Page::new();
    p.send(&[
        r#"{"t":"vitals","nb":null,"source":"w","text":"RAM: 12.10 GB/12.67 GB"}"#,
        &cell("a", 0, "running", 1, None),
    ]);
    p.now += 4_000;
    p.send(&[CRASHED]);
    // The new kernel starts empty.
    p.send(&[r#"{"t":"vitals","nb":null,"source":"w","text":"RAM: 0.80 GB/12.67 GB"}"#]);
    let text = serde_json::to_string(&p.cards[&"n/a".to_owned()]).unwrap();
    assert!(
        text.contains("the last reading was 12.1 of 12.7 GiB, 4 s earlier"),
        "{text}"
    );
    p.replays();
}

#[test]
fn notices_without_a_running_cell_stand_at_the_top() {
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.now += 60_000;
    p.send(&[r#"{"t":"notice","id":"0","text":"Your session crashed","old":true}"#]);
    assert!(p.cards.is_empty(), "it was there before");
    p.send(&[r#"{"t":"notice","id":"2","text":"Your disk is almost full"}"#]);
    assert_eq!(p.shows(), [("n/@top", "disk-full")]);
    p.send(&[CRASHED]);
    assert_eq!(p.shows(), [("n/@top", "kernel-died")]);
    p.replays();
    p.send(&[&cell("a", 0, "running", 2, None)]);
    assert!(p.cards.is_empty());
    p.replays();
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[r#"{"t":"notice","id":"0","text":"Your session crashed","old":true}"#]);
    assert_eq!(
        p.shows(),
        [("n/a", "kernel-died")],
        "it may be about this cell"
    );
}

#[test]
fn the_persons_restart_is_no_death() {
    let restarting = r#"{"t":"kernel","nb":"n","status":"restarting"}"#;
    let mut p = Page::real();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[restarting, &cell("a", 0, "idle", 1, None)]);
    assert_eq!(p.variant("n/a"), "card info kernel-died/restarted");
    assert!(p.says().contains("a restart was requested"), "{}", p.says());
    p.replays();
    // Nothing was cut off, so there is nothing to report.
    let mut p = Page::real();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.send(&[restarting]);
    assert!(p.cards.is_empty());
    // The restart after a death does not replace it.
    let mut p = Page::real();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[
        r#"{"t":"kernel","nb":"n","status":"dead"}"#,
        &cell("a", 0, "idle", 1, None),
    ]);
    p.send(&[restarting]);
    assert_eq!(p.variant("n/a"), "card error kernel-died/");
}

#[test]
fn the_person_has_the_last_word() {
    let mut p = Page::new();
    p.send(&[
        &cell("a", 0, "error", 1, Some(1)),
        &out("a", 1, "BOOM and MEMORY"),
    ]);
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, "BOOM")]);
    p.act("dismiss", Some("n/a"), None);
    assert_eq!(p.shows(), [("n/b", "assertion-failed")]);
    p.send(&[&out("a", 1, "BOOM and MEMORY, more")]);
    assert_eq!(p.cards.len(), 1);
    p.replays();
    p.send(&[
        &cell("a", 0, "error", 2, Some(3)),
        &out("a", 2, "BOOM and MEMORY"),
    ]);
    assert_eq!(p.shows()[0], ("n/a", "gpu-oom"), "a new run");
    p.act("mute", None, Some("gpu-oom"));
    assert_eq!(p.shows()[0], ("n/a", "assertion-failed"));
    p.act("unmute", None, Some("gpu-oom"));
    p.act("mute", None, Some("assertion-failed"));
    assert_eq!(p.shows(), [("n/a", "gpu-oom")]);
    p.replays();
}

mod crash;
mod ends;
mod foresight;
mod lazy;
mod load;
mod lost;
mod records;
mod sense;
mod several;
mod solved;
mod streams;
mod timeline;
mod unexplained;
mod unread;
mod values;
mod verdicts;
mod wishes;
