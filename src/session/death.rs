//! Kernel deaths and other incidents: which cell, and what is known of the cause.

use super::notebook::{is_device_fault, Cell, Notebook, Signal, MIN_CONFIDENCE, RECENT_MS};
use super::record::Record;
use super::witness::{witness, CAUSES};
use super::{log, unread, weigh, Triage};
use crate::catalog;
use crate::secrets::cut;
use crate::triage::{Diagnosis, Facts, Input, Location, Surface};
use crate::vitals::{Reading, Sample};
use nbmedic_protocol::{Before, Incident, Said};
use nbmedic_protocol::{CellState, KernelStatus, NoticeSeen};

/// Signals of one death come within this time.
const SAME_MS: u64 = 120_000;
/// A log that is opened so late is not about the last death, in milliseconds.
const LOG_MS: u64 = 30 * 60_000;

/// Whether a notice's diagnosis means that the kernel or the runtime is gone.
fn is_death(d: &Diagnosis) -> bool {
    // A question or a warning comes before the end.
    if matches!(d.variant, Some("soon" | "warning")) {
        return false;
    }
    matches!(
        d.id,
        "kernel-died"
            | "host-oom"
            | "native-crash"
            | "runtime-disconnected"
            | "runtime-policy-terminated"
    ) || d.id.starts_with("session-")
}

/// Judges the signals of a batch.
pub(crate) fn judge(nb: &mut Notebook, page: &crate::vitals::Series, now: u64, triage: Triage) {
    for signal in std::mem::take(&mut nb.signals) {
        match signal {
            Signal::Restarted => {
                nb.unread.asked = Some(now);
                nb.memory.restarted();
                if cut_off(nb, now) {
                    let incident = incident(nb, page, now, true, 0);
                    incident.status = Some(KernelStatus::Restarting);
                }
                nb.memory.booted("person", now);
            }
            Signal::Died(status) => {
                nb.memory.restarted();
                let incident = incident(nb, page, now, true, u64::MAX);
                incident.status = Some(status);
                nb.memory.booted("died", now);
            }
            Signal::Notice(notice) => take_notice(nb, page, now, triage, notice),
        }
        nb.memory.bound();
    }
    late(nb, page, now);
    for said in unread::proven(nb, now) {
        nb.memory.handled.push(said.id.clone());
        nb.memory.restarted();
        incident(nb, page, now, true, SAME_MS).notices.push(said);
        nb.memory.booted("died", now);
        nb.memory.bound();
    }
    // What was shown at the top, or at a cell, goes when something runs again.
    let runs = nb.runs();
    let cells = &nb.cells;
    nb.memory.incidents.retain(|i| match &i.cell {
        Some(id) => cells.get(id).is_none_or(|c| c.run() <= i.run),
        None => runs <= i.runs,
    });
}

fn take_notice(
    nb: &mut Notebook,
    page: &crate::vitals::Series,
    now: u64,
    triage: Triage,
    notice: NoticeSeen,
) {
    let said = nb
        .memory
        .incidents
        .iter_mut()
        .flat_map(|i| &mut i.notices)
        .find(|s| s.id == notice.id);
    if let Some(said) = said {
        said.text = notice.text;
        return;
    }
    if nb.memory.knows_notice(&notice.id) {
        return;
    }
    if log::last_end(&notice.text).is_some() {
        // It says something of a death that was seen, and of others that were not.
        nb.memory.handled.push(notice.id.clone());
        let dead = nb.memory.incidents.iter_mut().rfind(|i| i.fatal);
        if let Some(incident) = dead.filter(|i| now.saturating_sub(i.at) <= LOG_MS) {
            incident.notices.push(Said {
                id: notice.id,
                text: notice.text,
            });
        }
        return;
    }
    let Some(best) = of_notice(triage, &notice.text).into_iter().next() else {
        unread::note(nb, now, notice);
        return;
    };
    nb.memory.handled.push(notice.id.clone());
    if notice.old && nb.running().is_none() {
        return;
    }
    let fatal = is_death(&best);
    if fatal {
        nb.memory.restarted();
    }
    let said = Said {
        id: notice.id,
        text: notice.text,
    };
    let same = |i: &&mut Incident| {
        !i.fatal
            && i.notices.iter().any(|s| {
                of_notice(triage, &s.text)
                    .first()
                    .is_some_and(|d| d.id == best.id)
            })
    };
    if !fatal {
        if let Some(i) = nb.memory.incidents.iter_mut().find(same) {
            i.notices.push(said);
            return;
        }
    }
    incident(nb, page, now, fatal, SAME_MS).notices.push(said);
    if fatal {
        nb.memory.booted("died", now);
    }
    // The machine itself is gone: the next one is new.
    if fatal && best.id.starts_with("session-") {
        nb.memory.born = 0;
    }
}

/// The diagnoses of a notice that may be shown.
fn of_notice(triage: Triage, text: &str) -> Vec<Diagnosis> {
    let mut list = triage(&Input {
        text,
        surface: Surface::Notice,
        source: None,
    });
    list.retain(|d| d.confidence >= MIN_CONFIDENCE);
    list
}

/// The incident that a signal belongs to: the death of the last `within` milliseconds, if nothing
/// has run since, or a new one.
fn incident<'a>(
    nb: &'a mut Notebook,
    page: &crate::vitals::Series,
    now: u64,
    fatal: bool,
    within: u64,
) -> &'a mut Incident {
    let runs = nb.runs();
    let mut seen = Incident::default();
    if let Some((id, run, ran)) = fatal.then(|| victim(nb, now)).flatten() {
        weigh::read_code(nb, &id, &mut seen);
        (seen.cell, seen.run, seen.ran) = (Some(id), run, ran);
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
                (i.cell, i.run, i.ran) = (seen.cell, seen.run, seen.ran);
                (i.wants, i.line, i.asked) = (seen.wants, seen.line, seen.asked);
            }
            at
        }
        None => {
            nb.memory.last += 1;
            let last = |pick: fn(&Sample) -> Reading| match (
                before(&nb.vitals, now, pick),
                before(page, now, pick),
            ) {
                (Some(own), Some(page)) if page.age < own.age => Some(page),
                (own, page) => own.or(page),
            };
            let since = |at: u64| if at == 0 { 0 } else { now.saturating_sub(at) };
            let ended = nb.memory.runs.iter().map(|r| r.end).max();
            let new = Incident {
                n: nb.memory.last,
                at: now,
                fatal,
                runs,
                ram: last(|s| s.ram),
                gpu: last(|s| s.gpu),
                disk: last(|s| s.disk),
                age: since(nb.memory.born),
                idle: since(ended.unwrap_or(0)),
                ..seen
            };
            nb.memory.incidents.push(new);
            nb.memory.incidents.len() - 1
        }
    };
    &mut nb.memory.incidents[at]
}

/// Before a death is told the widget may show the new, empty kernel already.
const EMPTIED_MS: u64 = 20_000;

/// The last reading of a quantity before the end, and its age.
fn before(
    series: &crate::vitals::Series,
    now: u64,
    pick: fn(&Sample) -> Reading,
) -> Option<Before> {
    let mut found: Option<(u64, u64, Reading)> = None;
    for s in series.samples().rev() {
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

/// The cell that was running: its id, its run and how long it had been running.
fn victim(nb: &Notebook, now: u64) -> Option<(String, u32, Option<u64>)> {
    let took = |c: &Cell, end: u64| c.since.map(|s| end.saturating_sub(s));
    if let Some((id, c)) = nb.running() {
        return Some((id.clone(), c.run(), took(c, now)));
    }
    // A cell that was last seen waiting began to run before the page could be read again. Right after
    // a death it waits for the new kernel, and what is said then is about the old one.
    let just = |i: &Incident| i.fatal && now.saturating_sub(i.at) <= SAME_MS;
    let died = nb.memory.incidents.iter().any(just);
    let waits = |c: &Cell| !died && !c.gone && c.state == CellState::Pending;
    let waiting = nb.cells.iter().filter(|(_, c)| waits(c));
    if let Some((id, c)) = waiting.min_by_key(|(_, c)| (c.touched, c.index)) {
        return Some((id.clone(), c.run(), None));
    }
    // What ended with the kernel before is not what runs in this one.
    let boot = nb.memory.boot;
    let past = |id: &String, c: &Cell| {
        let mut all = nb.memory.incidents.iter();
        all.any(|i| i.fatal && i.cell.as_ref() == Some(id) && i.run >= c.run())
    };
    nb.cells
        .iter()
        .filter(|(id, c)| !c.gone && !past(id, c))
        .filter_map(|(id, c)| Some((id, c, c.ended?)))
        .filter(|(_, c, (end, _))| {
            let recent = now.saturating_sub(*end) <= RECENT_MS && *end > boot;
            recent && c.state != CellState::Error
        })
        // Cells that ended without a result, then the last one; of those that ended together, the
        // first to start.
        .min_by_key(|(_, c, (end, well))| (*well, std::cmp::Reverse(*end), c.since, c.index))
        .map(|(id, c, (end, _))| (id.clone(), c.run(), took(c, end)))
}

/// The end of a run may be told this long after the death or the restart that it is of.
const LATE_MS: u64 = 3_000;

/// A run whose end is told just after a death, and that nobody saw before, is what died: not a cell
/// that ended well before it.
fn late(nb: &mut Notebook, page: &crate::vitals::Series, now: u64) {
    let near = |at: u64| now.saturating_sub(at) <= LATE_MS;
    let told = |id: &String| {
        let mut all = nb.memory.incidents.iter();
        all.any(|i| i.cell.as_ref() == Some(id))
    };
    let cut = nb.cells.iter().find(|(id, c)| {
        let ended = c.ended.is_some_and(|(end, well)| !well && end == now);
        c.dirty && !c.gone && ended && c.state != CellState::Error && !told(id)
    });
    let Some(id) = cut.map(|(id, _)| id.clone()) else {
        return;
    };
    let asked = nb.memory.restarts.last().is_some_and(|r| r.0 == "person");
    let last = nb
        .memory
        .incidents
        .iter()
        .rposition(|i| i.fatal && near(i.at));
    let at = match last {
        Some(at) => at,
        None if asked && near(nb.memory.boot) => {
            let new = incident(nb, page, now, true, 0);
            new.status = Some(KernelStatus::Restarting);
            nb.memory.incidents.len() - 1
        }
        None => return,
    };
    let mut found = Incident::default();
    weigh::read_code(nb, &id, &mut found);
    let cell = |id: &String| nb.cells.get(id);
    let well = |c: &Cell| c.ended.is_some_and(|(_, well)| well);
    let was = nb.memory.incidents[at].cell.as_ref();
    let run = cell(&id).map_or(0, Cell::run);
    if was.is_none_or(|id| cell(id).is_none_or(well)) {
        let runs = nb.runs();
        let i = &mut nb.memory.incidents[at];
        (i.wants, i.line, i.asked) = (found.wants, found.line, found.asked);
        (i.cell, i.run, i.runs, i.ran) = (Some(id), run, runs, None);
        nb.refresh = true;
    }
}

/// Whether a restart that somebody asks for ends a cell's run, and is no answer to a death.
fn cut_off(nb: &Notebook, now: u64) -> bool {
    let runs = nb.runs();
    let told = |i: &Incident| i.fatal && i.runs == runs;
    let Some((id, ..)) = victim(nb, now).filter(|_| !nb.memory.incidents.iter().any(told)) else {
        return false;
    };
    let cell = nb.cells.get(&id);
    cell.is_some_and(|c| c.state == CellState::Running || c.ended.is_some_and(|(_, well)| !well))
}

/// The cause that a log's lines before a restart name.
fn of_log(triage: Triage, lines: &str) -> Option<Diagnosis> {
    let mut list = triage(&Input {
        text: lines,
        surface: Surface::Log,
        source: None,
    });
    list.retain(|d| d.confidence >= MIN_CONFIDENCE);
    list.retain(|d| CAUSES.contains(&d.id) || is_device_fault(d.id));
    let mut d = list.into_iter().next()?;
    d.confidence = d.confidence.min(0.85);
    d.location = Location::default();
    Some(d)
}

/// A text in one line, clipped.
fn one_line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clip(&words.join(" "), max)
}

/// What is concluded about an incident.
pub(crate) struct Verdict {
    /// Best first; never empty.
    pub diagnoses: Vec<Diagnosis>,
    /// What was seen: where, and what.
    pub known: Vec<(&'static str, String)>,
    /// What was looked at without finding a reason.
    pub unknown: Vec<String>,
}

/// Puts together what the notices, the cell's output and the vitals say.
pub(crate) fn verdict(
    nb: &Notebook,
    incident: &Incident,
    hosted: bool,
    triage: Triage,
) -> Option<Verdict> {
    let mut told: Vec<Diagnosis> = Vec::new();
    let mut known = Vec::new();
    let mut logged: Option<Diagnosis> = None;
    for said in &incident.notices {
        if let Some(lines) = log::last_end(&said.text) {
            logged = of_log(triage, &lines).or(logged);
            continue;
        }
        known.push(("notice", one_line(&said.text, 300)));
        for d in of_notice(triage, &said.text) {
            if !told.iter().any(|t| t.id == d.id) {
                told.push(d);
            }
        }
    }
    let read = !told.is_empty();
    // A notice that names a cause says more than one that does not.
    let (nameless, mut told): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|d| d.id == "kernel-died");
    told.extend(nameless);
    for d in &mut told {
        // Its line numbers are the notice's, not the output's.
        d.evidence.clear();
        d.location = Location::default();
        weigh::settle(d, incident);
    }
    let cell = incident
        .cell
        .as_ref()
        .and_then(|id| nb.cells.get(id))
        .filter(|c| c.run() <= incident.run);
    let asked = incident.status == Some(KernelStatus::Restarting) && incident.notices.is_empty();
    known.extend(seen(incident, cell));
    if let Some(e) = logged.iter().flat_map(|d| &d.evidence).next() {
        known.push(("log", one_line(&e.text, 200)));
    }
    for e in logged.iter_mut().flat_map(|d| &mut d.evidence) {
        // A line of the log, not of the output.
        e.line = 0;
    }
    let printed = cell.filter(|_| !asked).and_then(witness).or(logged);
    let told_cause = told.first().is_some_and(|d| d.id != "kernel-died");
    let mut diagnoses = Vec::new();
    match (printed, incident.fatal) {
        (Some(found), true) if !told_cause => diagnoses.push(found),
        (Some(found), true) => {
            // The same cause, seen twice: the output has the evidence.
            if let Some(same) = told.iter_mut().find(|d| d.id == found.id) {
                same.evidence = found.evidence;
                same.facts.extend(found.facts);
            }
        }
        _ => {}
    }
    let nothing_told = diagnoses.is_empty() && !told_cause;
    if asked {
        let mut d = plain("kernel-died", 0.9)?;
        d.variant = Some("restarted");
        diagnoses.push(d);
    } else if nothing_told && incident.fatal {
        diagnoses.extend(weigh::cause(incident, cell));
    }
    for d in told {
        if d.id != "kernel-died" || diagnoses.is_empty() {
            diagnoses.push(d);
        }
    }
    if diagnoses.is_empty() {
        if !incident.fatal {
            return None;
        }
        diagnoses.push(plain("kernel-died", 0.9)?);
    }
    for d in cell.iter().flat_map(|c| c.shown()).take(3) {
        if !diagnoses.iter().any(|known| known.id == d.id) {
            diagnoses.push(d.clone());
        }
    }
    let recorded = weigh::probed(&nb.memory, incident, cell, &mut diagnoses, &mut known);
    let unsaid = diagnoses[0].id == "kernel-died" && !incident.asked && !recorded && !asked;
    if diagnoses[0].variant == Some("asked") {
        weigh::own_end(incident, cell, &mut known);
    }
    weigh::evidence(&diagnoses[0], incident, &mut known);
    let mut unknown = Vec::new();
    if unsaid {
        unknown = looked_at(incident, cell, read);
        let last = unknown.len() - 1;
        unknown.splice(last..last, weigh::looked_at(incident, cell, hosted));
    }
    Some(Verdict {
        known,
        unknown,
        diagnoses,
    })
}

pub(crate) fn plain(id: &'static str, confidence: f32) -> Option<Diagnosis> {
    Some(Diagnosis {
        id,
        variant: None,
        confidence,
        facts: Facts::new(),
        location: Location::default(),
        evidence: Vec::new(),
        also: Vec::new(),
    })
}

fn seen(incident: &Incident, cell: Option<&Cell>) -> Vec<(&'static str, String)> {
    let mut known = Vec::new();
    match incident.status {
        Some(KernelStatus::Dead) => known.push(("kernel", "dead".to_owned())),
        Some(KernelStatus::Restarting) => {
            known.push(("kernel", "a restart was asked for".to_owned()));
        }
        Some(_) => known.push(("kernel", "died and was started again".to_owned())),
        None => {}
    }
    if incident.fatal {
        if let Some(cell) = cell {
            let mut text = format!("{} was running", cell.label());
            if let Some(ran) = incident.ran {
                text.push_str(&format!(", for {}", duration(ran)));
            }
            known.push(("cell", text));
            if let Some(last) = cell.joined.last_lines(1).next() {
                known.push(("last line", clip(last.trim(), 200)));
            }
        }
        if let Some(before) = incident.ram {
            known.push((
                "memory",
                format!(
                    "the last reading was {}, {} before",
                    before.reading.text(),
                    duration(before.age)
                ),
            ));
        }
    }
    known
}

fn looked_at(incident: &Incident, cell: Option<&Cell>, read: bool) -> Vec<String> {
    let mut unknown = Vec::new();
    if incident.notices.is_empty() {
        unknown.push("The front end shows no notice with a reason.".to_owned());
    } else if read {
        unknown.push("The notice names no reason.".to_owned());
    } else {
        unknown.push("The notice is in words that nbmedic does not know.".to_owned());
    }
    unknown.push(match cell {
        Some(c) if c.joined.text.trim().is_empty() => "The cell printed nothing.".to_owned(),
        Some(_) => "The end of the output has no line such as “Killed”, “Fatal Python error” or \
                    “Aborted”."
            .to_owned(),
        None => "No cell was seen running when it died.".to_owned(),
    });
    let share = incident.ram.map(|before| match before.reading {
        Reading::Known {
            used,
            total: Some(total),
        } => used as f64 / total as f64,
        _ => -1.0,
    });
    unknown.push(
        match share {
            None => "Memory: no reading, so running out of it can't be told from a crash.",
            Some(..0.0) => {
                "Memory: no limit is shown, so running out of it can't be told from a crash."
            }
            Some(0.9..) => {
                "Memory was nearly full at the last reading; nothing else says that it ran out."
            }
            Some(_) => {
                "Memory was not nearly full at the last reading; one large allocation between two \
                 readings would not show."
            }
        }
        .to_owned(),
    );
    unknown.push("The signal and exit code: the page is not told.".to_owned());
    unknown
}

/// A time for people.
pub(crate) fn duration(ms: u64) -> String {
    let s = ms / 1000;
    match s {
        0 => "less than a second".to_owned(),
        1..=119 => format!("{s} s"),
        120..=7199 => format!("{} min", s / 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

/// Text of at most `max` characters.
pub(crate) fn clip(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    format!("{}…", cut(text, max - 1))
}

/// Severity of a diagnosis.
pub(crate) fn severity(d: &Diagnosis) -> &'static str {
    super::foresight::warns(d).unwrap_or(catalog::find(d.id).map_or("error", |r| r.severity))
}
