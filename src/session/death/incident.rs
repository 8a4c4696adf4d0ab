//! Turns signals into incidents: when, at which cell, and the last readings before.

use super::evidence::read_code;
use super::log;
use super::notice::{diagnoses, ended};
use super::unknown_notices;
use crate::intake::Signal;
use crate::known::Triage;
use crate::known::{Asker, Cell, CodeSays, Incident, Notebook, RestartCause, CUT_MS};
use nbmedic_catalog::Ends;
use nbmedic_protocol::{Before, CellState, KernelStatus, NoticeSeen, Said};
use nbmedic_vitals::{Reading, Sample, Series};

/// Signals of one death come within this time, in milliseconds.
const SAME_MS: u64 = 120_000;
/// How long after the end of a run its last figures may still arrive: meters are read less often than cells.
const TRAILS_MS: u64 = 1_000;
/// A log opened later than this after the last death is not about it, in milliseconds.
const LOG_MS: u64 = 30 * 60_000;
/// How long before the report of a death the widget may already show the new, empty kernel, in
/// milliseconds.
const EMPTIED_MS: u64 = 20_000;
/// Longest delay between a death or restart and the report of the run that it ended, in
/// milliseconds.
const LATE_MS: u64 = 3_000;

/// Records the incidents that the signals of a batch report, and drops those that are over.
///
/// `page` has the readings that name no notebook, `changed` the cells that the batch changed.
pub(crate) fn record_incidents(
    nb: &mut Notebook,
    page: &Series,
    signals: Vec<Signal>,
    changed: &[String],
    now: u64,
    triage: Triage,
    asker: &Asker,
) {
    read_codes(nb, asker);
    for signal in signals {
        match signal {
            Signal::Restarted => {
                nb.signs.asked = Some(now);
                nb.memory.close_contexts();
                if cuts_off(nb, asker, now) {
                    incident(nb, page, asker, now, true, 0).status = Some(KernelStatus::Restarting);
                }
                nb.memory.booted(RestartCause::Asked, now);
            }
            Signal::Died(status) => {
                nb.memory.close_contexts();
                incident(nb, page, asker, now, true, u64::MAX).status = Some(status);
                nb.memory.booted(RestartCause::Died, now);
            }
            Signal::Notice(notice) => take_notice(nb, page, asker, now, triage, notice),
        }
        nb.memory.bound();
    }
    name_late_victim(nb, page, asker, changed, now);
    for said in unknown_notices::proven(nb, now) {
        nb.memory.handled.push(said.id.clone());
        nb.memory.close_contexts();
        let dead = incident(nb, page, asker, now, true, SAME_MS);
        dead.notices.push(said);
        let at = dead.at;
        nb.memory.booted(RestartCause::Died, at);
        nb.memory.bound();
    }
    // A new run clears what was shown at its cell, and at the top.
    let runs = nb.runs();
    let cells = &nb.cells;
    nb.memory.incidents.retain(|i| match &i.cell {
        Some(id) => cells.get(id).is_none_or(|c| c.run() <= i.run),
        None => runs <= i.runs,
    });
}

/// Reads the codes of incidents that could not be read when they were recorded.
fn read_codes(nb: &mut Notebook, asker: &Asker) {
    for at in 0..nb.memory.incidents.len() {
        let incident = &nb.memory.incidents[at];
        if incident.code == CodeSays::Unread {
            let cell = incident.cell.as_deref().unwrap_or_default();
            let code = read_code(nb, cell, asker);
            nb.memory.incidents[at].code = code;
        }
    }
}

fn take_notice(
    nb: &mut Notebook,
    page: &Series,
    asker: &Asker,
    now: u64,
    triage: Triage,
    notice: NoticeSeen,
) {
    let incidents = &mut nb.memory.incidents;
    let mut said = incidents.iter_mut().flat_map(|i| &mut i.notices);
    if let Some(said) = said.find(|s| s.id == notice.id) {
        said.text = notice.text;
        return;
    }
    if nb.memory.knows_notice(&notice.id) {
        return;
    }
    if log::last_end(&notice.text).is_some() {
        // It may also describe deaths that were not seen.
        nb.memory.handled.push(notice.id.clone());
        let dead = nb.memory.incidents.iter_mut().rfind(|i| i.fatal);
        if let Some(incident) = dead.filter(|i| now.saturating_sub(i.at) <= LOG_MS) {
            incident.notices.push(said_by(notice));
        }
        return;
    }
    let Some(best) = diagnoses(triage, &notice.text).into_iter().next() else {
        unknown_notices::remember(nb, now, notice);
        return;
    };
    nb.memory.handled.push(notice.id.clone());
    if notice.old && nb.running().is_none() {
        return;
    }
    let ended = ended(&best);
    let fatal = ended >= Ends::Kernel;
    let same = |s: &Said| {
        diagnoses(triage, &s.text)
            .first()
            .is_some_and(|d| d.id == best.id)
    };
    if !fatal {
        let mut others = nb.memory.incidents.iter_mut().filter(|i| !i.fatal);
        if let Some(i) = others.find(|i| i.notices.iter().any(same)) {
            i.notices.push(said_by(notice));
            return;
        }
    } else {
        nb.memory.close_contexts();
    }
    let said = said_by(notice);
    let seen = incident(nb, page, asker, now, fatal, SAME_MS);
    seen.notices.push(said);
    let at = seen.at;
    if fatal {
        nb.memory.booted(RestartCause::Died, at);
        if ended == Ends::Machine {
            nb.memory.born = None;
        }
    }
}

fn said_by(notice: NoticeSeen) -> Said {
    Said {
        id: notice.id,
        text: notice.text,
    }
}

/// The incident that a signal belongs to: the death of the last `within` milliseconds, if nothing
/// has run since, or a new one.
pub(super) fn incident<'a>(
    nb: &'a mut Notebook,
    page: &Series,
    asker: &Asker,
    now: u64,
    fatal: bool,
    within: u64,
) -> &'a mut Incident {
    let runs = nb.runs();
    let mut seen = Incident::default();
    // A notice may come long after the end of the run: what was read in between is about the new kernel.
    let mut died = now;
    if let Some(victim) = fatal.then(|| victim(nb, asker, now)).flatten() {
        died = victim.end.unwrap_or(now).min(now);
        seen.code = read_code(nb, &victim.cell, asker);
        (seen.cell, seen.run, seen.ran) = (Some(victim.cell), victim.run, victim.ran);
    }
    let same = nb
        .memory
        .incidents
        .iter()
        .position(|i| fatal && i.fatal && i.runs == runs && now.saturating_sub(i.at) <= within);
    let at = match same {
        Some(at) => {
            let i = &mut nb.memory.incidents[at];
            if i.cell.is_none() {
                (i.cell, i.run, i.ran, i.code) = (seen.cell, seen.run, seen.ran, seen.code);
            }
            at
        }
        None => {
            nb.memory.last += 1;
            let last = |pick: fn(&Sample) -> Reading| match (
                reading_before(&nb.vitals, died, pick),
                reading_before(page, died, pick),
            ) {
                (Some(own), Some(page)) if page.age < own.age => Some(page),
                (own, page) => own.or(page),
            };
            let since = |at: Option<u64>| at.map(|at| died.saturating_sub(at));
            let ended = nb.memory.runs.iter().filter_map(|r| r.end).max();
            let new = Incident {
                n: nb.memory.last,
                at: died,
                fatal,
                runs,
                ram: last(|s| s.ram),
                gpu: last(|s| s.gpu),
                disk: last(|s| s.disk),
                age: since(nb.memory.born).filter(|age| *age > 0),
                idle: since(ended).unwrap_or(0),
                ..seen
            };
            nb.memory.incidents.push(new);
            nb.memory.incidents.len() - 1
        }
    };
    &mut nb.memory.incidents[at]
}

/// The last reading of a quantity before the end, and its age. Meters show what was a moment after it.
fn reading_before(series: &Series, now: u64, pick: fn(&Sample) -> Reading) -> Option<Before> {
    let mut found: Option<(u64, u64, Reading)> = None;
    let told = series.samples().rev().filter(|s| s.at <= now + TRAILS_MS);
    for s in told {
        let Reading::Known { used, .. } = pick(s) else {
            continue;
        };
        let this = Some((s.at, used, pick(s)));
        let Some((at, last, _)) = found else {
            found = this;
            continue;
        };
        if now.saturating_sub(at) <= EMPTIED_MS && (last as f64) < used as f64 * 0.7 {
            found = this;
        }
        break;
    }
    let (at, _, reading) = found?;
    Some(Before {
        reading,
        age: now.saturating_sub(at),
    })
}

/// The cell that was running when a kernel died.
pub(super) struct Victim {
    pub cell: String,
    run: u32,
    /// How long it had been running, in milliseconds.
    ran: Option<u64>,
    /// When its run ended.
    pub end: Option<u64>,
}

impl Victim {
    fn new(id: &str, cell: &Cell, end: Option<u64>) -> Victim {
        let took = |end: u64| Some(end.saturating_sub(cell.since?));
        Victim {
            cell: id.to_owned(),
            run: cell.run(),
            ran: end.and_then(took),
            end,
        }
    }
}

/// The cell in which the kernel died, as far as a signal at `now` shows it. A cell whose run ended well is never
/// it: what killed the kernel afterwards is not known.
pub(super) fn victim(nb: &Notebook, asker: &Asker, now: u64) -> Option<Victim> {
    // A run that another death already explains is not this one's.
    let explained = |id: &String, c: &Cell| {
        let mut all = nb.memory.incidents.iter();
        all.any(|i| i.fatal && i.cell.as_ref() == Some(id) && i.run >= c.run())
    };
    let cut = nb
        .cells
        .iter()
        .filter(|(id, c)| !c.gone && !explained(id, c))
        .filter_map(|(id, c)| Some((id, c, c.cut_off()?)))
        .filter(|(_, _, end)| now.saturating_sub(*end) <= CUT_MS)
        .min_by_key(|(_, c, end)| (std::cmp::Reverse(*end), c.since, c.index));
    let running = nb.running();
    // The notice may come when the next cell runs already: in the new kernel.
    if let Some((id, c, end)) = cut {
        if running.is_none_or(|(_, r)| r.since.is_some_and(|since| since >= end)) {
            return Some(Victim::new(id, c, Some(end)));
        }
    }
    if let Some((id, c)) = running {
        return Some(Victim::new(id, c, Some(now)));
    }
    // A cell last seen waiting began to run before the page was read again. Right after a death,
    // however, it waits for the new kernel, and signals are about the old one.
    let just = |i: &Incident| i.fatal && now.saturating_sub(i.at) <= SAME_MS;
    let died = nb.memory.incidents.iter().any(just);
    let waits = |c: &Cell| !died && !c.gone && c.state == CellState::Pending;
    let waiting = nb.cells.iter().filter(|(_, c)| waits(c));
    if let Some((id, c)) = waiting.min_by_key(|(_, c)| (c.touched, c.index)) {
        return Some(Victim::new(id, c, None));
    }
    // A kernel that its own cell asked to end may let that cell end well first.
    let boot = nb.memory.boot;
    let asked = |id: &str| matches!(read_code(nb, id, asker), CodeSays::EndsKernel { .. });
    let lately = |end: u64| now.saturating_sub(end) <= CUT_MS && boot.is_none_or(|boot| end > boot);
    nb.cells
        .iter()
        .filter(|(id, c)| !c.gone && !explained(id, c))
        .filter_map(|(id, c)| Some((id, c, c.ended?.at)))
        .filter(|(id, c, end)| c.state != CellState::Error && lately(*end) && asked(id))
        .max_by_key(|(_, _, end)| *end)
        .map(|(id, c, end)| Victim::new(id, c, Some(end)))
}

/// If the end of a run is reported just after a death and no incident names the run, the kernel died
/// in it, and not in a cell that ended well before.
fn name_late_victim(nb: &mut Notebook, page: &Series, asker: &Asker, changed: &[String], now: u64) {
    let near = |at: u64| now.saturating_sub(at) <= LATE_MS;
    let named = |id: &String| {
        let mut all = nb.memory.incidents.iter();
        all.any(|i| i.cell.as_ref() == Some(id))
    };
    let cut = nb.cells.iter().find(|(id, c)| {
        let ended = c.cut_off() == Some(now);
        ended && !c.gone && changed.contains(id) && !named(id)
    });
    let Some((id, cell)) = cut else {
        return;
    };
    let (id, run) = (id.clone(), cell.run());
    let last_restart = nb.memory.restarts.last();
    let asked = last_restart.is_some_and(|r| r.cause == RestartCause::Asked);
    let incidents = &nb.memory.incidents;
    let at = match incidents.iter().rposition(|i| i.fatal && near(i.at)) {
        Some(at) => at,
        None if asked && nb.memory.boot.is_some_and(near) => {
            incident(nb, page, asker, now, true, 0).status = Some(KernelStatus::Restarting);
            nb.memory.incidents.len() - 1
        }
        None => return,
    };
    let named = nb.memory.incidents[at].cell.as_ref();
    let well = |id: &String| {
        let cell = nb.cells.get(id);
        cell.is_none_or(|c| c.ended.is_some_and(|e| e.well))
    };
    if named.is_none_or(well) {
        let (code, runs) = (read_code(nb, &id, asker), nb.runs());
        let i = &mut nb.memory.incidents[at];
        (i.cell, i.run, i.runs, i.ran, i.code) = (Some(id), run, runs, None, code);
    }
}

/// Whether a requested restart cuts off a cell's run, rather than answering a death.
fn cuts_off(nb: &Notebook, asker: &Asker, now: u64) -> bool {
    let runs = nb.runs();
    let known = |i: &Incident| i.fatal && i.runs == runs;
    let Some(victim) = victim(nb, asker, now).filter(|_| !nb.memory.incidents.iter().any(known))
    else {
        return false;
    };
    let cell = nb.cells.get(&victim.cell);
    cell.is_some_and(|c| c.state == CellState::Running || c.cut_off().is_some())
}
