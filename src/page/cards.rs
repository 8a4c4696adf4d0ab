//! A page's session, the cards that it shows, and the effects of a change.

use litemap::LiteMap;
use nbmedic_protocol::{Effect, Event};
use nbmedic_session::{fnv1a, Changes, Finding, Now, Place, Reader, Session, Triage};
use nbmedic_view::{draw, solved, Drawn, ProseCache};
use nbmedic_words::Text;
use std::collections::BTreeSet;

/// A card that was sent.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The revision on the page; none after a run began, because the page then removes the card.
    on_page: Option<u32>,
    /// It is no problem, or one of which nothing is known: the badge leaves it out.
    note: bool,
    /// Its headline.
    pub(super) title: Text,
    /// What its first fix says to do.
    pub(super) fix: Text,
    /// Its first fix's code.
    pub(super) code: String,
    pub(super) effect: Effect,
}

/// One page.
#[derive(Clone, Default)]
pub struct Page {
    pub(super) session: Session,
    /// What changed since effects were last emitted.
    changes: Changes,
    /// The open cards by their keys.
    pub(super) shown: LiteMap<String, Shown>,
    /// The number on the badge.
    badge: usize,
    /// The keys of cards for which prose or an answer about the cells' Python is missing.
    waiting: BTreeSet<String>,
}

impl Page {
    /// An empty page.
    pub fn new() -> Self {
        Self::default()
    }

    /// Like [`Page::new`], with another function that judges texts and another reader of the cells' Python.
    pub fn with(triage: Triage, reader: Reader) -> Self {
        Page {
            session: Session::with(triage, reader),
            ..Self::default()
        }
    }

    /// What is known about the page and what was found.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Applies a batch of events that came at `now_ms` (milliseconds since 1970).
    pub fn apply(&mut self, events: &[Event], now_ms: u64, prose: &ProseCache) -> Vec<Effect> {
        self.follow(events, now_ms);
        self.effects(prose)
    }

    /// Applies a batch during replay, without emitting effects. [`Page::effects`] emits those of all
    /// batches together.
    pub fn follow(&mut self, events: &[Event], now_ms: u64) {
        let changes = self.session.take(events, now_ms);
        self.changes.merge(changes);
    }

    /// All open cards, for a page that has lost them.
    pub fn cards(&self) -> Vec<Effect> {
        self.shown.values().map(|s| s.effect.clone()).collect()
    }

    /// The effects that bring the page up to date.
    pub fn effects(&mut self, prose: &ProseCache) -> Vec<Effect> {
        let changes = std::mem::take(&mut self.changes);
        for (nb, cell) in changes.begun() {
            if let Some(shown) = self.shown.get_mut(&key(nb, cell)) {
                shown.on_page = None;
            }
        }
        let mut effects = Vec::new();
        let mut need = BTreeSet::new();
        let places = self
            .session
            .changed(&changes, |card| self.waiting.contains(card));
        let mut python = self.session.is_unread();
        for (place, now) in places {
            let card = place.card();
            let mut note = false;
            let drawn = match now {
                Now::Found(finding) => {
                    note = finding.note || finding.quiet;
                    let mut missing = BTreeSet::new();
                    let drawn = draw(&finding, prose, &mut missing);
                    self.wait(&card, !missing.is_empty());
                    need.append(&mut missing);
                    // A card on the page stays while prose is missing.
                    let Some(drawn) = drawn else {
                        continue;
                    };
                    Some(drawn)
                }
                Now::Solved(is) => {
                    self.wait(&card, false);
                    note = true;
                    Some(solved(&card, is.by))
                }
                // A card on the page stays, and a new one appears with its cures at once.
                Now::Unread => {
                    self.wait(&card, true);
                    python = true;
                    continue;
                }
                Now::Nothing => {
                    self.wait(&card, false);
                    None
                }
            };
            effects.extend(match drawn {
                Some(drawn) => self.show(card, place, drawn, note),
                None => self.take_away(card),
            });
        }
        if python || !need.is_empty() {
            let ids = need.into_iter().collect();
            effects.push(Effect::Need { ids, python });
        }
        let count = self.shown.values().filter(|s| !s.note).count();
        if self.badge != count {
            self.badge = count;
            effects.push(Effect::Badge { count: self.badge });
        }
        let memory = self.session.take_unsaved().into_iter().map(Event::Memory);
        let judged = self.session.take_judged().into_iter().map(Event::Judged);
        let answered = self.session.take_answered();
        let answered = answered.into_iter().map(Event::Answered);
        effects.extend(
            memory
                .chain(judged)
                .chain(answered)
                .map(|event| Effect::Keep {
                    key: event.slot(),
                    event,
                }),
        );
        effects
    }

    /// Remembers whether a card waits for something.
    fn wait(&mut self, card: &str, waits: bool) {
        match waits {
            true => self.waiting.insert(card.to_owned()),
            false => self.waiting.remove(card),
        };
    }

    /// Shows a card, unless the page has the same one.
    fn show(&mut self, card: String, place: Place, drawn: Drawn, note: bool) -> Option<Effect> {
        let rev = fnv1a(nbmedic_json::to_string(&drawn.tree).bytes());
        let shown = self.shown.get(&card);
        if shown.is_some_and(|s| s.on_page == Some(rev)) {
            return None;
        }
        let effect = Effect::Card {
            card: card.clone(),
            nb: Some(place.nb).filter(|nb| !nb.is_empty()),
            cell: place.cell,
            rev,
            severity: drawn.severity,
            tree: drawn.tree,
        };
        let shown = Shown {
            on_page: Some(rev),
            note,
            title: drawn.title,
            fix: drawn.fix,
            code: drawn.code,
            effect: effect.clone(),
        };
        self.shown.insert(card, shown);
        Some(effect)
    }

    fn take_away(&mut self, card: String) -> Option<Effect> {
        self.shown.remove(&card)?;
        Some(Effect::Uncard { card })
    }

    /// A finding's card, if it is open.
    pub(super) fn card(&self, f: &Finding) -> Option<&Shown> {
        let open = !f.hidden && f.solved.is_none();
        self.shown.get(&f.card).filter(|_| open)
    }
}

fn key(nb: &str, cell: &str) -> String {
    Place {
        nb: nb.to_owned(),
        cell: Some(cell.to_owned()),
    }
    .card()
}
