//! The state of one page: events in, effects out.
//!
//! A session does no I/O and has no clock. It can be rebuilt at any time from the stored events
//! (the latest of each slot, in order): the cards are then the same as they were.

mod contexts;
mod death;
mod finding;
mod foresight;
mod load;
mod log;
mod notebook;
mod output;
mod panel;
mod probe;
mod prose;
mod record;
mod replay;
mod sense;
mod status;
mod unread;
mod weigh;
mod witness;

pub use finding::Finding;
pub use nbmedic_protocol::{
    parse_events, Act, ActKind, Before, CellSeen, CellState, Context, Dismissed, Effect, Event,
    Flight, Hello, Incident, KernelSeen, KernelStatus, Limits, LogLine, Memory, NotebookSeen,
    NoticeGone, NoticeKind, NoticeSeen, OutputKind, OutputSeen, OutputsSeen, Ran, Removed, Said,
    SourceSeen, VitalsSeen,
};
pub use prose::ProseCache;
pub use replay::{replay, Card};
pub use status::Overview;

use crate::secrets::redact;
use crate::triage::{triage, Diagnosis, Input, Surface};
use crate::view::Node;
use crate::vitals::Series;
use crate::words::Text;
use litemap::LiteMap;
use notebook::{Notebook, Signal};
use std::collections::BTreeSet;

/// What judges a text; tests put another one in its place.
pub(crate) type Triage = fn(&Input<'_>) -> Vec<Diagnosis>;

/// Most notebooks of one page.
const MAX_NOTEBOOKS: usize = 32;
/// Most text of outputs held for one page, in bytes. Above, cells that did not change for longest
/// keep only their last lines.
const MAX_WEIGHT: usize = 24 << 20;
/// What such a cell keeps of an output, in bytes.
const SHRUNK: usize = 2 << 10;
/// Most diagnoses that can be muted.
const MAX_MUTED: usize = 1000;
/// Most notices remembered as open.
const MAX_NOTICES: usize = 64;

/// A card that was sent.
#[derive(Clone, Debug)]
struct Shown {
    rev: u32,
    title: Text,
    effect: Effect,
}

/// The state of one page.
#[derive(Clone)]
pub struct Session {
    hello: Hello,
    notebooks: LiteMap<String, Notebook>,
    /// What a widget shows for the whole page.
    vitals: Series,
    /// Notices that are open, and those that came before any notebook was seen.
    notices: LiteMap<String, NoticeSeen>,
    pending: Vec<Signal>,
    /// Memories of the page that stood here before a reload, until their notebooks are seen.
    carried: Vec<Memory>,
    muted: BTreeSet<String>,
    limits: Limits,
    shown: LiteMap<String, Shown>,
    badge: usize,
    /// Cards for which prose is missing.
    waiting: BTreeSet<String>,
    triage: Triage,
}

impl Default for Session {
    fn default() -> Self {
        Self::with_triage(triage)
    }
}

impl Session {
    /// A page of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with_triage(triage: Triage) -> Self {
        Session {
            hello: Hello::default(),
            notebooks: LiteMap::new(),
            vitals: Series::default(),
            notices: LiteMap::new(),
            pending: Vec::new(),
            carried: Vec::new(),
            muted: BTreeSet::new(),
            limits: Limits::default(),
            shown: LiteMap::new(),
            badge: 0,
            waiting: BTreeSet::new(),
            triage,
        }
    }

    /// Takes a batch of events that came at `now_ms` (milliseconds since 1970).
    pub fn apply(&mut self, events: &[Event], now_ms: u64, prose: &ProseCache) -> Vec<Effect> {
        self.follow(events, now_ms);
        self.effects(prose)
    }

    /// Takes a batch of a record that goes on: what was shown after it was shown then, and what is to be shown after
    /// the last one is said by [`Session::apply`].
    pub fn follow(&mut self, events: &[Event], now_ms: u64) {
        for event in events {
            self.take(event, now_ms);
        }
        self.adopt();
        self.judge(now_ms);
        self.shrink();
    }

    /// All cards that are open, for a page that has lost them.
    pub fn cards(&self) -> Vec<Effect> {
        self.shown.values().map(|s| s.effect.clone()).collect()
    }

    /// What the front end is, as the sensor said.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    fn obey(&mut self, act: &Act) {
        match (act.what, &act.card, &act.id) {
            (ActKind::Dismiss, Some(card), _) => self.dismiss(card),
            (ActKind::Mute, _, Some(id)) => {
                if self.muted.len() < MAX_MUTED {
                    self.muted.insert(id.clone());
                }
            }
            (ActKind::Unmute, _, Some(id)) => {
                self.muted.remove(id);
            }
            _ => return,
        }
        self.refresh();
    }

    /// Every card is looked at again.
    fn refresh(&mut self) {
        for nb in self.notebooks.iter_mut().map(|(_, v)| v) {
            nb.refresh = true;
        }
    }

    fn dismiss(&mut self, card: &str) {
        let found = self.notebooks.iter().find_map(|(id, nb)| {
            let cell = card.strip_prefix(id.as_str())?.strip_prefix('/')?;
            let cell = (cell != "@top").then_some(cell);
            if cell.is_some_and(|c| !nb.cells.contains_key(c)) {
                return None;
            }
            Some((id.clone(), self.dismissal(id, nb, cell)))
        });
        if let Some((id, dismissed)) = found {
            if let Some(nb) = self.notebooks.get_mut(&id) {
                nb.memory.dismissed.retain(|d| d.card != dismissed.card);
                nb.memory.dismissed.push(dismissed);
                nb.memory.bound();
            }
        }
    }

    fn notebook(&mut self, id: &str) -> Option<&mut Notebook> {
        if self.notebooks.len() >= MAX_NOTEBOOKS && !self.notebooks.contains_key(id) {
            return None;
        }
        let nb = self.notebooks.entry(id.to_owned()).or_default();
        if nb.memory.nb != id {
            nb.memory.nb = id.to_owned();
            nb.kept.nb = id.to_owned();
        }
        Some(nb)
    }

    fn take(&mut self, event: &Event, now: u64) {
        match event {
            Event::Hello(e) => self.hello = e.clone(),
            Event::Notebook(e) => {
                if let Some(nb) = self.notebook(&e.nb) {
                    nb.name.clone_from(&e.name);
                }
            }
            Event::Cell(e) => {
                let ran = self.notebook(&e.nb).is_some_and(|nb| nb.see_cell(e, now));
                let key = finding::key(&e.nb, Some(&e.cell));
                if let Some(shown) = self.shown.get_mut(&key).filter(|_| ran) {
                    // The page took the card away when the run began: an equal one is sent again.
                    shown.rev = !shown.rev;
                }
            }
            Event::Source(e) => {
                let Some(nb) = self.notebook(&e.nb) else {
                    return;
                };
                let Some(cell) = nb.cell(&e.cell).filter(|c| c.source != e.text) else {
                    return;
                };
                cell.source.clone_from(&e.text);
                cell.stale = true;
                cell.touch(now);
                // What fails elsewhere may be explained by it.
                nb.refresh = true;
            }
            Event::Output(e) => {
                if let Some(nb) = self.notebook(&e.nb) {
                    nb.see_output(e, now);
                }
            }
            Event::Outputs(e) => {
                let nb = self.notebook(&e.nb);
                if let Some(cell) = nb.and_then(|nb| nb.cell(&e.cell)) {
                    if cell.outputs.keep(e.n) {
                        cell.touch(now);
                    }
                }
            }
            Event::Removed(e) => {
                let nb = self.notebook(&e.nb);
                if let Some(cell) = nb.and_then(|nb| nb.cell(&e.cell)) {
                    cell.gone = true;
                    cell.outputs = output::Outputs::default();
                    cell.source = String::new();
                    cell.touch(now);
                }
            }
            Event::Notice(e) => {
                if self.notices.get(&e.id) != Some(e) {
                    self.notices.insert(e.id.clone(), e.clone());
                    while self.notices.len() > MAX_NOTICES {
                        let Some(first) = self.notices.first().map(|(id, _)| id.clone()) else {
                            break;
                        };
                        self.notices.remove(&first);
                    }
                    self.pending.push(Signal::Notice(e.clone()));
                }
            }
            Event::NoticeGone(e) => {
                self.notices.remove(&e.id);
            }
            Event::Kernel(e) => {
                if let Some(nb) = self.notebook(&e.nb) {
                    nb.see_status(e.status);
                }
            }
            Event::Vitals(e) => {
                let vitals = match &e.nb {
                    Some(nb) => self.notebook(nb).map(|nb| &mut nb.vitals),
                    None => Some(&mut self.vitals),
                };
                if let Some(vitals) = vitals {
                    vitals.read(&e.source, &e.text, now);
                }
            }
            Event::Act(e) => self.obey(e),
            Event::Limits(e) => {
                self.limits = *e;
                self.refresh();
            }
            Event::Memory(e) if e.old => {
                if self.carried.len() < MAX_NOTEBOOKS {
                    self.carried.push(e.clone());
                }
            }
            Event::Memory(e) => {
                // A notice that it knows was not about another notebook, unless that knows it too.
                for nb in self.notebooks.iter_mut().map(|(_, v)| v) {
                    nb.disown(e);
                }
                if let Some(nb) = self.notebook(&e.nb) {
                    nb.recall(e);
                }
            }
        }
    }

    /// Gives what was remembered before a reload to the notebooks of the same name.
    fn adopt(&mut self) {
        let notebooks = &mut self.notebooks;
        self.carried.retain(|old| {
            let fresh = |(_, nb): &(&String, &mut Notebook)| {
                // What is stored has no names of people in it.
                let same = nb.name == old.name || redact(&nb.name).text == old.name;
                same && nb.memory.born == 0 && nb.memory.last == 0
            };
            let Some((id, nb)) = notebooks.iter_mut().find(fresh) else {
                return true;
            };
            nb.memory = old.reloaded(id);
            nb.refresh = true;
            false
        });
    }

    /// Judges what the batch changed.
    fn judge(&mut self, now: u64) {
        let triage = self.triage;
        for nb in self.notebooks.iter_mut().map(|(_, v)| v) {
            for cell in nb.cells.iter_mut().map(|(_, v)| v).filter(|c| c.dirty) {
                judge_cell(cell, triage);
            }
        }
        for signal in std::mem::take(&mut self.pending) {
            self.address(signal, now);
        }
        for nb in self.notebooks.iter_mut().map(|(_, v)| v) {
            contexts::note(nb);
            probe::note(nb, now);
            let sample = newest(nb, &self.vitals).last().copied();
            record::note(nb, sample.as_ref(), now);
            foresight::note(nb, &self.limits);
            death::judge(nb, &self.vitals, now, triage);
            for cell in nb.cells.iter_mut().map(|(_, v)| v).filter(|c| c.dirty) {
                cell.dirty = false;
                cell.refresh = true;
            }
        }
    }

    /// Gives a signal to the notebook that it is about, in every view of it in which something ran.
    fn address(&mut self, signal: Signal, now: u64) {
        let Signal::Notice(notice) = &signal else {
            return;
        };
        // Its text may have changed: the notebooks that know it look again.
        let knows = |nb: &Notebook| nb.memory.knows_notice(&notice.id);
        let about = |test: &dyn Fn(&Notebook) -> bool| -> Vec<String> {
            let all = self.notebooks.iter().filter(|(_, nb)| test(nb));
            all.map(|(id, _)| id.clone()).collect()
        };
        let mut ids = about(&knows);
        if let (true, Some(nb)) = (ids.is_empty(), &notice.nb) {
            ids.push(nb.clone());
        }
        if ids.is_empty() {
            // The notebook that it names, in which something runs, or else that changed last.
            let busy = |nb: &Notebook| {
                let named = match notice.text.contains(&nb.name) {
                    true => nb.name.len(),
                    false => 0,
                };
                let changed = nb.cells.values().map(|c| c.touched).max();
                (named, nb.running().is_some(), changed)
            };
            let best = self.notebooks.iter().max_by_key(|(_, nb)| busy(nb));
            if let Some((_, nb)) = best.filter(|(_, nb)| busy(nb).0 > 0) {
                ids = about(&|other| other.name == nb.name && other.was_hit(now));
            }
            let id = best.map_or(String::new(), |(id, _)| id.clone());
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        for id in ids {
            if let Some(nb) = self.notebook(&id) {
                nb.signals.push(signal.clone());
            }
        }
    }

    /// Keeps the text of a page within bounds.
    fn shrink(&mut self) {
        let cells = || self.notebooks.values().flat_map(|nb| nb.cells.values());
        let mut weight: usize = cells().map(|c| c.outputs.weight()).sum();
        if weight <= MAX_WEIGHT {
            return;
        }
        let order = crate::order::sorted(cells().map(|c| (c.touched, 0)));
        let mut cells: Vec<&mut notebook::Cell> = self
            .notebooks
            .iter_mut()
            .map(|(_, v)| v)
            .flat_map(|nb| nb.cells.iter_mut().map(|(_, v)| v))
            .collect();
        for at in order {
            let outputs = &mut cells[at].outputs;
            let held = outputs.weight();
            outputs.shrink(SHRUNK);
            weight -= held - outputs.weight();
            if weight <= MAX_WEIGHT / 2 {
                break;
            }
        }
    }

    /// What has to be done for the page to show what is known now.
    pub(crate) fn effects(&mut self, prose: &ProseCache) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut need = BTreeSet::new();
        for (key, finding) in self.changed() {
            match finding {
                Some(finding) => effects.extend(self.show(finding, prose, &mut need)),
                None => {
                    self.waiting.remove(&key);
                    if self.shown.remove(&key).is_some() {
                        effects.push(Effect::Uncard { card: key });
                    }
                }
            }
        }
        if !need.is_empty() {
            let ids = need.into_iter().collect();
            effects.push(Effect::Need { ids });
        }
        if self.badge != self.shown.len() {
            self.badge = self.shown.len();
            effects.push(Effect::Badge { count: self.badge });
        }
        for nb in self.notebooks.iter_mut().map(|(_, v)| v) {
            nb.refresh = false;
            for cell in nb.cells.iter_mut().map(|(_, v)| v) {
                cell.refresh = false;
            }
            if nb.memory != nb.kept {
                nb.memory.status = nb.status;
                nb.memory.name.clone_from(&nb.name);
                nb.kept = nb.memory.clone();
                let event = Event::Memory(nb.memory.clone());
                effects.push(Effect::Keep {
                    key: event.slot(),
                    event,
                });
            }
        }
        effects
    }

    /// The places that may have changed, by the keys of their cards, and what to show there.
    fn changed(&self) -> Vec<(String, Option<Finding>)> {
        let mut out = Vec::new();
        for (nb_id, nb) in &self.notebooks {
            let all = nb.refresh || nb.memory != nb.kept;
            let top = finding::key(nb_id, None);
            if all || self.waiting.contains(&top) {
                out.push((top, self.at_top(nb_id, nb)));
            }
            for (id, cell) in &nb.cells {
                let key = finding::key(nb_id, Some(id));
                if all || cell.refresh || self.waiting.contains(&key) {
                    out.push((key, self.at_cell(nb_id, nb, id, cell)));
                }
            }
        }
        for (_, finding) in &mut out {
            *finding = finding.take().filter(|f| !f.hidden);
        }
        out
    }

    fn show(
        &mut self,
        finding: Finding,
        prose: &ProseCache,
        need: &mut BTreeSet<String>,
    ) -> Option<Effect> {
        let mut missing = BTreeSet::new();
        let card = finding.card(prose, &mut missing);
        if missing.is_empty() {
            self.waiting.remove(&finding.card);
        } else {
            self.waiting.insert(finding.card.clone());
            need.append(&mut missing);
        }
        let card = card?;
        let rev = checksum(&card.tree);
        if self.shown.get(&finding.card).is_some_and(|s| s.rev == rev) {
            return None;
        }
        let effect = Effect::Card {
            card: finding.card.clone(),
            nb: Some(finding.nb).filter(|nb| !nb.is_empty()),
            cell: finding.cell,
            rev,
            severity: card.severity,
            tree: card.tree,
        };
        let shown = Shown {
            rev,
            title: card.title,
            effect: effect.clone(),
        };
        self.shown.insert(finding.card, shown);
        Some(effect)
    }

    /// A notebook's name; empty where it has none.
    pub(crate) fn name(&self, nb: &str) -> &str {
        self.notebooks.get(nb).map_or("", |nb| &nb.name)
    }

    /// The source of a cell, where it is known.
    pub(crate) fn source(&self, nb: &str, cell: Option<&str>) -> Option<String> {
        let source = &self.notebooks.get(nb)?.cells.get(cell?)?.source;
        (!source.is_empty()).then(|| source.clone())
    }

    /// What the cells of a notebook printed, as far as it is held, in no order.
    pub(crate) fn printed(&self, nb: &str) -> impl Iterator<Item = &str> {
        let cells = self.notebooks.get(nb).into_iter();
        cells.flat_map(|nb| nb.cells.values().map(|c| c.joined.text.as_str()))
    }

    /// The samples that speak for a notebook: its own, or the page's.
    fn series<'a>(&'a self, nb: &'a Notebook) -> &'a Series {
        newest(nb, &self.vitals)
    }
}

/// The notebook's own samples (the probe's), or the page's where those are old.
fn newest<'a>(nb: &'a Notebook, page: &'a Series) -> &'a Series {
    const STALE_MS: u64 = 30_000;
    match (nb.vitals.last(), page.last()) {
        (None, _) => page,
        (Some(own), Some(other)) if other.at > own.at + STALE_MS => page,
        _ => &nb.vitals,
    }
}

/// Judges a cell's outputs, if they changed.
fn judge_cell(cell: &mut notebook::Cell, triage: Triage) {
    let joined = cell.outputs.join(cell.run());
    if joined == cell.joined && !cell.stale {
        return;
    }
    cell.stale = false;
    let source = Some(cell.source.as_str()).filter(|s| !s.is_empty());
    // What the probe's own cell prints of a death quotes the system's log.
    let own = joined.text.contains(probe::OPEN) && !joined.failed;
    let mut diagnoses = match own {
        true => Vec::new(),
        false => triage(&Input {
            text: &joined.text,
            surface: Surface::Output,
            source,
        }),
    };
    // What the person did or sees anyway (a run that was stopped, a long output that was cut) is
    // named in a triage, but opens no card.
    diagnoses.retain(|d| death::severity(d) != "info");
    for d in &mut diagnoses {
        d.evidence.retain(|e| !joined.in_gap(&e.range));
        for e in &mut d.evidence {
            e.line = joined.number(e.line);
        }
    }
    cell.diagnoses = diagnoses;
    cell.joined = joined;
}

/// FNV-1a over what is sent.
fn checksum(tree: &Node) -> u32 {
    let json = crate::json::to_string(tree);
    json.bytes().fold(0x811c_9dc5, |hash: u32, b| {
        (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests;
