//! Replays, and a reader of the cells' Python that is not there when it is asked first.

use super::*;
use nbmedic_ask::{Question, Reply};
use nbmedic_session::Triage;
use std::cell::Cell;

thread_local! {
    /// Whether the reader is there.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

fn reader(question: &Question<'_>) -> Reply {
    match HERE.get() {
        true => nbmedic_answer::reader(question),
        false => Reply::Away,
    }
}

/// A page whose reader is loaded whenever it is needed, and gone again afterwards.
pub(super) struct Lazy {
    page: crate::Page,
    pub cards: LiteMap<String, Node>,
    /// How often the reader was loaded.
    pub loaded: usize,
}

impl Lazy {
    pub fn new(triage: Triage) -> Lazy {
        Lazy {
            page: crate::Page::with(triage, reader),
            cards: LiteMap::new(),
            loaded: 0,
        }
    }

    pub fn apply(&mut self, events: &[Event], now: u64, prose: &ProseCache) {
        // The engine holds a batch that reports a death until the reader is there.
        let is_death = |e: &Event| matches!(e, Event::Notice(_) | Event::Kernel(_));
        HERE.set(events.iter().any(is_death));
        if self.note(events, now, prose) {
            self.loaded += 1;
            HERE.set(true);
            assert!(!self.note(&[], now, prose), "it is there");
        }
        HERE.set(false);
    }

    /// Applies events; returns whether the reader is needed.
    fn note(&mut self, events: &[Event], now: u64, prose: &ProseCache) -> bool {
        let mut needed = false;
        for e in self.page.apply(events, now, prose) {
            match e {
                Effect::Card { card, tree, .. } => {
                    self.cards.insert(card, tree.english());
                }
                Effect::Uncard { card } => {
                    self.cards.remove(&card);
                }
                Effect::Need { python, .. } => needed |= python,
                _ => {}
            }
        }
        needed
    }
}

impl Page {
    /// The same, without effects before the last batch.
    pub(super) fn replays_in_silence(&self) {
        let Some(((_, last, end), before)) = self.store.split_last() else {
            return;
        };
        let mut again = match self.real {
            true => Page::real(),
            false => Page::new(),
        };
        for (_, at, event) in before {
            again.page.follow(std::slice::from_ref(event), *at);
            again.lazy.page.follow(std::slice::from_ref(event), *at);
        }
        again.now = *last;
        again.apply(std::slice::from_ref(end));
        assert_eq!(again.shows(), self.shows(), "in silence");
        assert!(again.cards == self.cards, "in silence");
    }
}

#[test]
fn a_card_appears_with_its_cure_and_stays_while_the_reader_is_awaited() {
    let mut p = Page::real();
    let error = "---------------------------------------------------------------------------\nNameError                                 Traceback (most recent call last)\nCell In[2], line 1\n----> 1 totl + 1\n\nNameError: name 'totl' is not defined\n";
    p.send(&[
        r#"{"t":"source","nb":"n","cell":"a","text":"total = 3"}"#,
        r#"{"t":"source","nb":"n","cell":"b","text":"totl + 1"}"#,
        &cell("a", 0, "done", 1, Some(1)),
    ]);
    assert_eq!(p.lazy.loaded, 0, "nothing failed");
    p.now += 9_000;
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, error)]);
    assert_eq!(p.lazy.loaded, 1);
    let card = serde_json::to_string(&p.lazy.cards[&"n/b".to_owned()]).unwrap();
    assert!(card.contains("Copy cell"), "{card}");
    p.send(&[&out("a", 1, "fine")]);
    assert_eq!(p.lazy.loaded, 1, "nothing new to read");
    p.replays();
}

#[test]
fn what_a_cure_quotes_is_not_stored_where_a_cell_holds_a_secret() {
    let error = "---------------------------------------------------------------------------\nNameError                                 Traceback (most recent call last)\nCell In[2], line 1\n----> 1 totl + 1\n\nNameError: name 'totl' is not defined\n";
    let key = format!("hf_{}", "aB3d".repeat(9));
    for (source, is_stored) in [
        ("total = 3".to_owned(), true),
        (format!("total = 3  # {key}"), false),
    ] {
        let mut p = Page::real();
        p.send(&[
            &format!(r#"{{"t":"source","nb":"n","cell":"a","text":"{source}"}}"#),
            r#"{"t":"source","nb":"n","cell":"b","text":"totl + 1"}"#,
            &cell("a", 0, "done", 1, Some(1)),
        ]);
        p.now += 9_000;
        p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, error)]);
        let card = serde_json::to_string(&p.cards[&"n/b".to_owned()]).unwrap();
        assert!(card.contains("Copy cell"), "{card}");
        let kept = p.store.iter().any(|(slot, _, _)| slot == "answered:n:b");
        assert_eq!(kept, is_stored, "{source}");
    }
}
