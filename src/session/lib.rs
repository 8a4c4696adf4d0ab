//! The state of one page: events in, findings out.
//!
//! A session does no I/O and has no clock. It can be rebuilt at any time from the stored events
//! (the latest of each slot, in order): what it finds is then the same.
//!
//! Its storeys, each using only those named before it:
//!
//! 1. `known`: what is known of the page
//! 2. `intake`: what comes in, applied to what is known
//! 3. `death`: why a kernel died
//! 4. `forecast`: what is about to happen
//! 5. `shown`: what there is to show

mod changes;
mod clue;
mod death;
mod forecast;
mod intake;
mod known;
mod shown;

pub use changes::Changes;
pub use clue::{Bottleneck, Clue, KernelEnd, LookedAt, NotRunSince, TooMuch};
pub use known::{
    coarse, duration, fnv1a, fnv1a_64, severity, Level, Load, Quantity, RestartCause, Sample,
    Triage,
};
pub use nbmedic_ask::Reader;
pub use shown::{Finding, Happening, History, Now, Overview, Past, Place, Solved, What};

use death::Concluded;
use intake::{Batch, Signal};
use known::{Asker, Known, Notebook};
use litemap::LiteMap;
use nbmedic_facts::CellName;
use nbmedic_protocol::{Event, Hello};
use nbmedic_triage::triage;
use shown::Findings;
use std::cell::{RefCell, RefMut};

/// Reads the cells' Python. On the web the engine gets a reader that is loaded when it is needed.
#[cfg(not(target_arch = "wasm32"))]
const READER: Reader = nbmedic_answer::reader;
#[cfg(target_arch = "wasm32")]
const READER: Reader = |_| nbmedic_ask::Reply::Gone;

/// The state of one page.
#[derive(Clone)]
pub struct Session {
    page: Known,
    /// The verdicts on each notebook's incidents.
    concluded: LiteMap<String, Vec<Concluded>>,
    triage: Triage,
    asker: Asker,
    secrets: RefCell<nbmedic_secrets::Known>,
}

impl Default for Session {
    fn default() -> Self {
        Self::with(triage, READER)
    }
}

impl Session {
    /// An empty page.
    pub fn new() -> Self {
        Self::default()
    }

    /// Like [`Session::new`], with another function that judges texts and another reader of the cells'
    /// Python.
    pub fn with(triage: Triage, reader: Reader) -> Self {
        Session {
            page: Known::default(),
            concluded: LiteMap::new(),
            triage,
            asker: Asker::new(reader),
            secrets: RefCell::default(),
        }
    }

    /// The secrets that the page's cells show in their sources and outputs, now or earlier. What is learnt elsewhere can be
    /// added.
    pub fn secrets(&self) -> RefMut<'_, nbmedic_secrets::Known> {
        let mut known = self.secrets.borrow_mut();
        shown::learn(&mut known, &self.page);
        known
    }

    /// Applies a batch of events that came at `now` (milliseconds since 1970). Returns what it
    /// changed, which is still to be shown.
    #[must_use]
    pub fn take(&mut self, events: &[Event], now: u64) -> Changes {
        let mut batch = Batch::default();
        for event in events {
            intake::apply(&mut self.page, event, now, &mut batch);
        }
        intake::adopt(&mut self.page, &mut batch.changes);
        for (nb, cell) in batch.changes.cells() {
            let nb = self.page.notebooks.get_mut(nb);
            if let Some(cell) = nb.and_then(|nb| nb.cells.get_mut(cell)) {
                intake::judge_printed(cell, self.triage);
            }
        }
        intake::address(&mut self.page, &mut batch, now);
        let ids: Vec<String> = self.page.notebooks.keys().cloned().collect();
        for id in ids {
            let signals = batch.signals.remove(&id).unwrap_or_default();
            self.settle(&id, signals, &batch.changes, now);
        }
        intake::shrink(&mut self.page);
        batch.changes
    }

    /// Draws the conclusions from what a batch changed in a notebook.
    fn settle(&mut self, id: &str, signals: Vec<Signal>, changes: &Changes, now: u64) {
        let lent = self.page.lent;
        let Known {
            notebooks,
            vitals,
            limits,
            ..
        } = &mut self.page;
        let Some(nb) = notebooks.get_mut(id) else {
            return;
        };
        let changed = nb.in_order(changes.cells_of(id));
        intake::record_contexts(&mut nb.memory, &nb.cells, &changed);
        intake::read_probe(nb, &changed, now);
        intake::record_runs(&mut nb.memory, &nb.cells, &changed, &self.asker);
        let sample = known::newest(&nb.vitals, vitals).last().copied();
        intake::record_sample(&mut nb.memory, sample.as_ref(), now);
        let warned = forecast::given(&nb.memory, limits);
        nb.memory.warned.extend(warned);
        death::record_incidents(nb, vitals, signals, &changed, now, self.triage, &self.asker);
        death::record_loss(nb, vitals, lent, now, self.triage, &self.asker);
        let before = self.concluded.remove(id).unwrap_or_default();
        let concluded = death::conclude(nb, before, lent, self.triage, &self.asker);
        self.concluded.insert(id.to_owned(), concluded);
    }

    /// Whether a record or a verdict waits for the reader of the cells' Python.
    pub fn is_unread(&self) -> bool {
        let mut all = self.page.notebooks.iter();
        all.any(|(id, nb)| self.look().is_unread(id, nb))
    }

    /// Whether an answer about the cells' Python was missing since this was last asked, because the reader
    /// is not loaded: what was returned meanwhile may be incomplete.
    pub fn take_missed(&self) -> bool {
        self.asker.take_away()
    }

    /// Returns the records that differ from their stored form, to be stored: in a replay they
    /// restore the conclusions. From then on they count as stored. One that waits for the reader follows
    /// later.
    pub fn take_unsaved(&mut self) -> Vec<nbmedic_protocol::Memory> {
        let mut unsaved = Vec::new();
        for nb in self.page.notebooks.iter_mut().map(|(_, nb)| nb) {
            if nb.memory != nb.stored && !nb.memory.is_unread() {
                nb.memory.status = nb.status;
                nb.memory.name.clone_from(&nb.name);
                nb.stored = nb.memory.clone();
                unsaved.push((&nb.memory).into());
            }
        }
        unsaved
    }

    /// Returns what was found in outputs since it was last asked, to be stored: a replay then judges
    /// only what changed. Of running cells it returns nothing yet.
    pub fn take_judged(&mut self) -> Vec<nbmedic_protocol::Judged> {
        let notebooks = self.page.notebooks.iter_mut();
        notebooks
            .flat_map(|(id, nb)| intake::take_judged(id, nb))
            .collect()
    }

    /// Returns what the reader of the cells' Python answered since this was last asked, to be stored: a replay then asks it
    /// only what is new.
    pub fn take_answered(&mut self) -> Vec<nbmedic_protocol::Answered> {
        let notebooks = self.page.notebooks.iter_mut();
        notebooks
            .flat_map(|(id, nb)| intake::take_answered(id, nb))
            .collect()
    }

    fn look(&self) -> Findings<'_> {
        Findings {
            page: &self.page,
            concluded: &self.concluded,
            asker: &self.asker,
        }
    }

    /// All current findings, in the order of the cells, including hidden ones.
    pub fn findings(&self) -> Vec<Finding> {
        self.look().all()
    }

    /// The places where something may have changed, each with what there is to show, without what is
    /// hidden. `waiting` adds cards by their keys.
    pub fn changed(&self, changes: &Changes, waiting: impl Fn(&str) -> bool) -> Vec<(Place, Now)> {
        self.look().changed(changes, waiting)
    }

    /// The id that mutes the cell of a finding, and a name for people: the checksum of its code, and its
    /// first line, both redacted. A front end's own ids of cells don't last. None if the code is not
    /// known.
    pub fn code(&self, f: &Finding) -> Option<(String, String)> {
        shown::code_of(&self.page, f)
    }

    /// When the run in which something was found began, and when it ended (its start while it is in
    /// progress), in milliseconds since 1970. None for what was on the page before.
    pub fn found_at(&self, f: &Finding) -> Option<(u64, u64)> {
        shown::found_at(&self.page, f)
    }

    /// The notebooks of the page, in the order of their ids.
    pub fn overview(&self) -> Vec<Overview> {
        shown::overview(&self.page)
    }

    /// The session of each notebook, in the order of [`Session::overview`].
    pub fn histories(&self) -> Vec<History> {
        shown::histories(&self.page, &self.concluded, &self.asker)
    }

    /// What is over in each notebook, in the order of [`Session::overview`].
    pub fn past(&self) -> impl Iterator<Item = Vec<Past>> + '_ {
        shown::pasts(&self.page, &self.concluded)
    }

    /// The front end, as reported by the sensor.
    pub fn hello(&self) -> &Hello {
        &self.page.hello
    }

    fn known(&self, nb: &str) -> Option<&Notebook> {
        self.page.notebooks.get(nb)
    }

    /// A notebook's name; empty if it has none.
    pub fn name(&self, nb: &str) -> &str {
        self.known(nb).map_or("", |nb| &nb.name)
    }

    /// The source of the cell at a place, if it is known.
    pub fn source(&self, place: &Place) -> Option<&str> {
        let cells = &self.known(&place.nb)?.cells;
        let source = &cells.get(place.cell.as_ref()?)?.source;
        (!source.is_empty()).then_some(source)
    }

    /// The cells that set what the cell at a place uses: their names for people, their sources, and what they set. In the
    /// order of the notebook.
    pub fn rests_on<'a>(&'a self, place: &'a Place) -> Vec<(CellName, &'a str, Vec<String>)> {
        let nb = self.known(&place.nb).zip(place.cell.as_ref());
        let cells = nb.map_or(Vec::new(), |(nb, id)| shown::sources(nb, id, &self.asker));
        cells
            .into_iter()
            .map(|(c, names)| (c.place(), c.source.as_str(), names))
            .collect()
    }

    /// The text that the cells of a notebook printed, if it is still held, in no order.
    pub fn printed(&self, nb: &str) -> impl Iterator<Item = &str> {
        let cells = self.known(nb).into_iter().flat_map(|nb| nb.cells.values());
        cells.map(|c| c.joined.text.as_str())
    }
}
