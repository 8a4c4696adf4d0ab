//! One event at a time.

use super::answered;
use super::batch::{Batch, Signal};
use crate::changes::Changes;
use crate::known::{self, Cell, Ended, Known, Memory, Notebook, Outputs, RestartSigns};
use nbmedic_protocol::{
    self as wire, Act, ActKind, CellSeen, CellState, Dismissed, Event, KernelStatus,
};
use nbmedic_secrets::redact;

/// Maximum number of diagnoses that can be muted.
const MAX_MUTED: usize = 1000;
/// Maximum number of notices remembered as open.
const MAX_NOTICES: usize = 64;

/// Applies an event that came at `now` (milliseconds since 1970).
pub(crate) fn apply(page: &mut Known, event: &Event, now: u64, batch: &mut Batch) {
    match event {
        Event::Hello(e) => {
            page.lent = nbmedic_host::is_lent(&e.profile, &e.origin);
            page.inserts = nbmedic_host::inserts(&e.profile);
            page.hello = e.clone();
        }
        Event::Notebook(e) => {
            if let Some(nb) = page.notebook(&e.nb) {
                nb.name.clone_from(&e.name);
            }
        }
        Event::Cell(e) => {
            if let Some(nb) = page.notebook(&e.nb) {
                see_cell(nb, e, now, &mut batch.changes);
            }
        }
        Event::Source(e) => {
            let Some(nb) = page.notebook(&e.nb) else {
                return;
            };
            let Some(cell) = nb.cell(&e.cell).filter(|c| c.source != e.text) else {
                return;
            };
            cell.source.clone_from(&e.text);
            cell.code += 1;
            cell.touch(now);
            batch.changes.cell(&e.nb, &e.cell);
            // It may explain what fails elsewhere.
            batch.changes.notebook(&e.nb);
        }
        Event::Output(e) => change_cell(page, &e.nb, &e.cell, now, batch, |c| c.outputs.set(e)),
        Event::Outputs(e) => change_cell(page, &e.nb, &e.cell, now, batch, |c| c.outputs.keep(e.n)),
        Event::Removed(e) => change_cell(page, &e.nb, &e.cell, now, batch, |cell| {
            cell.gone = true;
            cell.code += 1;
            cell.outputs = Outputs::default();
            cell.source = String::new();
            true
        }),
        Event::Notice(e) => {
            if page.notices.get(&e.id) != Some(e) {
                page.notices.insert(e.id.clone(), e.clone());
                while page.notices.len() > MAX_NOTICES {
                    let Some(first) = page.notices.first().map(|(id, _)| id.clone()) else {
                        break;
                    };
                    page.notices.remove(&first);
                }
                batch.notices.push(e.clone());
            }
        }
        Event::NoticeGone(e) => {
            page.notices.remove(&e.id);
            for (_, nb) in page.notebooks.iter_mut() {
                nb.loss.close(&e.id, now);
            }
        }
        Event::Kernel(e) => {
            let Some(nb) = page.notebook(&e.nb) else {
                return;
            };
            nb.loss.see(e.status, now);
            if nb.status != e.status {
                nb.status = e.status;
                match e.status {
                    KernelStatus::Autorestarting | KernelStatus::Dead => {
                        batch.signal(&e.nb, Signal::Died(e.status));
                    }
                    KernelStatus::Restarting => batch.signal(&e.nb, Signal::Restarted),
                    _ => {}
                }
            }
        }
        Event::Vitals(e) => {
            let vitals = match &e.nb {
                Some(nb) => page.notebook(nb).map(|nb| &mut nb.vitals),
                None => Some(&mut page.vitals),
            };
            if let Some(vitals) = vitals {
                vitals.read(&e.source, &e.text, now);
            }
        }
        Event::Act(e) => obey(page, e, &mut batch.changes),
        Event::Limits(e) => {
            page.limits = *e;
            batch.changes.everywhere();
        }
        Event::Memory(e) if e.old => {
            if page.carried.len() < known::MAX_NOTEBOOKS {
                page.carried.push(e.into());
            }
        }
        Event::Memory(e) => recall(page, e, batch),
        Event::Judged(e) => {
            let cell = page.notebook(&e.nb).and_then(|nb| nb.cell(&e.cell));
            if let Some(cell) = cell {
                cell.kept = Some(e.clone());
            }
        }
        Event::Answered(e) => {
            let cell = page.notebook(&e.nb).and_then(|nb| nb.cell(&e.cell));
            if let Some(cell) = cell {
                answered::recall(cell, e);
            }
        }
    }
}

/// Changes a cell; `change` says whether anything in it is new.
fn change_cell(
    page: &mut Known,
    nb: &str,
    id: &str,
    now: u64,
    batch: &mut Batch,
    change: impl FnOnce(&mut Cell) -> bool,
) {
    let cell = page.notebook(nb).and_then(|nb| nb.cell(id));
    if let Some(cell) = cell {
        if change(cell) {
            cell.touch(now);
            batch.changes.cell(nb, id);
        }
    }
}

/// Applies a cell's state.
fn see_cell(nb: &mut Notebook, seen: &CellSeen, now: u64, changes: &mut Changes) {
    let Some(cell) = nb.cell(&seen.cell) else {
        return;
    };
    let same = (cell.index, cell.state, cell.count, cell.seen_run, cell.gone)
        == (seen.index, seen.state, seen.count, seen.run, false);
    if same {
        return;
    }
    if seen.run != cell.seen_run {
        changes.run_began(&seen.nb, &seen.cell);
    }
    cell.touch(now);
    changes.cell(&seen.nb, &seen.cell);
    let was = cell.state;
    let runs = seen.state == CellState::Running;
    let begins =
        runs && (was != CellState::Running || seen.run > cell.seen_run || cell.since.is_none());
    if begins {
        cell.since = Some(now);
    }
    // A run that began and ended between two reads of the page shows only in its end. One that was waiting may
    // have been told so.
    let waited = was == CellState::Pending;
    let ended = seen.cut || waited && seen.state == CellState::Done;
    let unseen = ended && (waited || seen.run > cell.seen_run);
    if unseen {
        cell.since = None;
    }
    // A cell that is queued again at once may have ended well.
    if was == CellState::Running && !runs && seen.state != CellState::Pending || unseen {
        let well = matches!(seen.state, CellState::Done | CellState::Error) && !seen.cut;
        cell.ended = Some(Ended { at: now, well });
    }
    // The count of an exception may be drawn after its state: then the run was not cut off.
    if let Some(ended) = cell.ended.as_mut().filter(|_| seen.run == cell.seen_run) {
        ended.well |= seen.state == CellState::Error && seen.count.is_some() && !seen.cut;
    }
    let active = matches!(seen.state, CellState::Running | CellState::Pending);
    let reset = cell.count.is_some() && seen.count.is_none() && !active;
    cell.code += u64::from(cell.gone || cell.count != seen.count || cell.seen_run != seen.run);
    cell.gone = false;
    cell.index = seen.index;
    cell.state = seen.state;
    cell.count = seen.count;
    cell.seen_run = seen.run;
    if reset {
        nb.signs.reset = Some(now);
    }
    // What starts to run has a kernel.
    if begins {
        nb.loss.since = None;
    }
}

/// Restores the stored record of a notebook, which contains more than a replay of the events gives.
fn recall(page: &mut Known, stored: &wire::Memory, batch: &mut Batch) {
    let memory = Memory::from(stored);
    // A notice in this record was about this notebook only, unless another notebook's record has it
    // too.
    for nb in page.notebooks.iter_mut().map(|(_, nb)| nb) {
        let own = nb.recalled;
        nb.memory
            .incidents
            .retain(|i| i.n <= own || !i.notices.iter().any(|s| memory.knows_notice(&s.id)));
    }
    if let Some(nb) = page.notebook(&stored.nb) {
        nb.signs = RestartSigns::default();
        nb.status = memory.status;
        nb.stored = memory.clone();
        nb.recalled = memory.last;
        nb.memory = memory;
        batch.signals.remove(&stored.nb);
        batch.changes.notebook(&stored.nb);
    }
}

/// Moves the records from before a reload to the notebooks with the same names.
pub(crate) fn adopt(page: &mut Known, changes: &mut Changes) {
    let notebooks = &mut page.notebooks;
    page.carried.retain(|old| {
        let fresh = |(_, nb): &(&String, &mut Notebook)| {
            // Stored names are redacted.
            let same = nb.name == old.name || redact(&nb.name).text == old.name;
            same && nb.memory.born.is_none() && nb.memory.last == 0
        };
        let Some((id, nb)) = notebooks.iter_mut().find(fresh) else {
            return true;
        };
        nb.memory = old.reloaded(id);
        changes.notebook(id);
        false
    });
}

/// Carries out the user's request.
fn obey(page: &mut Known, act: &Act, changes: &mut Changes) {
    match (act.what, &act.card, &act.id) {
        (ActKind::Dismiss, Some(card), _) => dismiss(page, card),
        (ActKind::Mute, _, Some(id)) => {
            if page.muted.len() < MAX_MUTED {
                page.muted.insert(id.clone());
            }
        }
        (ActKind::Unmute, _, Some(id)) => {
            page.muted.remove(id);
        }
        _ => return,
    }
    changes.everywhere();
}

/// Records that the user dismissed a card, with the run and the incident that it showed.
fn dismiss(page: &mut Known, card: &str) {
    let found = page.notebooks.iter_mut().find_map(|(id, nb)| {
        let cell = card.strip_prefix(id.as_str())?.strip_prefix('/')?;
        let cell = (cell != "@top").then_some(cell);
        let known = cell.is_none_or(|c| nb.cells.contains_key(c));
        known.then_some((nb, cell))
    });
    let Some((nb, cell)) = found else {
        return;
    };
    let run = cell.and_then(|id| nb.cells.get(id)).map_or(0, Cell::run);
    let shown = nb
        .memory
        .incidents
        .iter()
        .rfind(|i| i.cell.as_deref() == cell && (cell.is_none() || run <= i.run));
    let n = shown.map_or(0, |i| i.n);
    nb.memory.dismissed.retain(|d| d.card != card);
    nb.memory.dismissed.push(Dismissed {
        card: card.to_owned(),
        run,
        n,
    });
    nb.memory.bound();
}
