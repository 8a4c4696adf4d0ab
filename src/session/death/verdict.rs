//! The verdict on an incident: what the notices, the cell's output, a log, the code, the last
//! readings and the probe say about it, combined.
//!
//! A verdict is kept until what it rests on changes.

use super::causes::{is_cause, is_nameless, printed_cause, DEATH_CONFIDENCE};
use super::{evidence, flight, log, loss, notice};
use crate::clue::{Clue, KernelEnd, LookedAt};
use crate::known::Triage;
use crate::known::{clip, standing, Asker, Cell, CodeSays, Incident, Memory, Notebook};
use nbmedic_catalog::Condition;
use nbmedic_protocol::{Flight, KernelStatus};
use nbmedic_triage::{Diagnosis, Input, Location, Surface};
use nbmedic_vitals::Reading;

/// Highest confidence in a cause that only a log names.
const LOG_CONFIDENCE: f32 = 0.85;
/// Maximum number of diagnoses of the cell's output listed besides the cause of death.
const MAX_BESIDE: usize = 3;

/// What is concluded about an incident.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Best first; never empty.
    pub diagnoses: Vec<Diagnosis>,
    /// Its evidence.
    pub known: Vec<Clue>,
    /// What was checked without finding a reason.
    pub unknown: Vec<LookedAt>,
}

/// Everything that a verdict rests on.
#[derive(Clone, Debug, PartialEq)]
struct Case {
    incident: Incident,
    flight: Option<Flight>,
    /// How often the cell changed.
    cell: Option<u64>,
    lent: bool,
}

/// An incident with its verdict; none if there is nothing to report.
#[derive(Clone, Debug)]
pub(crate) struct Concluded {
    case: Case,
    pub verdict: Option<Verdict>,
    /// It waits for the reader of the sources.
    pub unread: bool,
}

impl Concluded {
    /// The incident's number in its notebook.
    pub fn n(&self) -> u32 {
        self.case.incident.n
    }

    /// The incident.
    pub fn incident(&self) -> &Incident {
        &self.case.incident
    }
}

/// The verdicts on a notebook's incidents. Those in `before` whose case did not change are kept.
/// `lent`: the runtime ends after a limited time.
pub(crate) fn conclude(
    nb: &Notebook,
    before: Vec<Concluded>,
    lent: bool,
    triage: Triage,
    asker: &Asker,
) -> Vec<Concluded> {
    let mut before = before;
    before.retain(|c| !c.unread);
    let conclude = |incident: &Incident| {
        let cell = incident.cell.as_ref().and_then(|id| nb.cells.get(id));
        let case = Case {
            flight: flight::of_death(&nb.memory, incident.at).cloned(),
            incident: incident.clone(),
            cell: cell.map(|c| c.version),
            lent,
        };
        if let Some(at) = before.iter().position(|c| c.case == case) {
            return before.swap_remove(at);
        }
        let cell = cell.filter(|c| c.run() <= incident.run);
        asker.take_away();
        let verdict = verdict(&nb.memory, incident, cell, lent, triage, asker);
        Concluded {
            case,
            verdict,
            unread: asker.take_away(),
        }
    };
    nb.memory.incidents.iter().map(conclude).collect()
}

/// What the notices of an incident say.
#[derive(Default)]
struct Notices {
    /// Their diagnoses: those that name a cause first.
    diagnoses: Vec<Diagnosis>,
    /// Their texts.
    clues: Vec<Clue>,
    /// The cause named by a log's lines before a restart.
    logged: Option<Diagnosis>,
}

fn read_notices(incident: &Incident, triage: Triage) -> Notices {
    let mut read = Notices::default();
    for said in &incident.notices {
        if let Some(lines) = log::last_end(&said.text) {
            read.logged = of_log(triage, &lines).or(read.logged);
            continue;
        }
        read.clues.push(Clue::Notice(one_line(&said.text, 300)));
        for d in notice::diagnoses(triage, &said.text) {
            if !read.diagnoses.iter().any(|known| known.id == d.id) {
                read.diagnoses.push(d);
            }
        }
    }
    // A notice that names a cause says more than one that does not.
    read.diagnoses.sort_by_key(is_nameless);
    for d in &mut read.diagnoses {
        // Its line numbers are the notice's, not the output's.
        d.evidence.clear();
        d.location = Location::default();
        evidence::settle(d, incident);
    }
    read
}

/// The cause named by a log's lines before a restart.
fn of_log(triage: Triage, lines: &str) -> Option<Diagnosis> {
    let list = triage(&Input {
        text: lines,
        surface: Surface::Log,
        source: None,
    });
    let mut d = list.into_iter().find(is_cause)?;
    d.confidence = d.confidence.min(LOG_CONFIDENCE);
    d.location = Location::default();
    Some(d)
}

/// Puts a text on one line and clips it.
fn one_line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clip(&words.join(" "), max)
}

fn verdict(
    memory: &Memory,
    incident: &Incident,
    cell: Option<&Cell>,
    lent: bool,
    triage: Triage,
    asker: &Asker,
) -> Option<Verdict> {
    let Notices {
        diagnoses: told,
        clues: mut known,
        mut logged,
    } = read_notices(incident, triage);
    let read = !told.is_empty();
    let asked = incident.status == Some(KernelStatus::Restarting) && incident.notices.is_empty();
    known.extend(seen(incident, cell));
    for e in logged.iter_mut().flat_map(|d| &mut d.evidence) {
        // The line is in the log, not in the output.
        e.line = 0;
    }
    let line = logged.iter().flat_map(|d| &d.evidence).next();
    known.extend(line.map(|e| Clue::LogLine(one_line(&e.text, 200))));
    let printed = cell.filter(|_| !asked).and_then(printed_cause).or(logged);
    let mut diagnoses = match asked {
        true => vec![Diagnosis {
            variant: Some("restarted"),
            ..standing(Condition::KernelDeath, DEATH_CONFIDENCE)?
        }],
        false => causes(incident, cell, printed, told, lent)?,
    };
    for d in cell.iter().flat_map(|c| c.shown()).take(MAX_BESIDE) {
        if !diagnoses.iter().any(|known| known.id == d.id) {
            diagnoses.push(d.clone());
        }
    }
    let recorded = evidence::add_flight(memory, incident, cell, &mut diagnoses, &mut known);
    let best = &diagnoses[0];
    if evidence::is_own_end(best) {
        known.extend(evidence::own_end(incident, cell, asker));
    }
    known.extend(evidence::weigh(best, incident));
    let surely = matches!(incident.code, CodeSays::EndsKernel { surely: true, .. });
    let unknown = match is_nameless(best) && !surely && !recorded && !asked {
        true => looked_at(incident, cell, read, lent),
        false => Vec::new(),
    };
    Some(Verdict {
        diagnoses,
        known,
        unknown,
    })
}

/// The causes that the output, the notices and the code name, best first. None if there is nothing
/// to report.
fn causes(
    incident: &Incident,
    cell: Option<&Cell>,
    printed: Option<Diagnosis>,
    mut told: Vec<Diagnosis>,
    lent: bool,
) -> Option<Vec<Diagnosis>> {
    let told_cause = told.first().is_some_and(|d| !is_nameless(d));
    let mut diagnoses = Vec::new();
    match printed.filter(|_| incident.fatal) {
        Some(found) if told_cause => {
            // Both name the same cause: the output has the evidence.
            if let Some(same) = told.iter_mut().find(|d| d.id == found.id) {
                same.evidence = found.evidence;
                same.facts.extend(found.facts);
            }
        }
        Some(found) => diagnoses.push(found),
        None if told_cause || !incident.fatal => {}
        None => diagnoses.extend(evidence::cause(incident, cell)),
    }
    for d in told {
        if !is_nameless(&d) || diagnoses.is_empty() {
            diagnoses.push(d);
        }
    }
    if diagnoses.is_empty() && incident.fatal {
        diagnoses = loss::causes(incident, lent);
    }
    if diagnoses.is_empty() && incident.fatal {
        diagnoses.extend(standing(Condition::KernelDeath, DEATH_CONFIDENCE));
    }
    (!diagnoses.is_empty()).then_some(diagnoses)
}

/// What was seen of the kernel, the cell and main memory.
fn seen(incident: &Incident, cell: Option<&Cell>) -> Vec<Clue> {
    let kernel = incident.status.map(|status| match status {
        KernelStatus::Dead => KernelEnd::Dead,
        KernelStatus::Restarting => KernelEnd::RestartAsked,
        KernelStatus::Disconnected => KernelEnd::Disconnected,
        _ => KernelEnd::Restarted,
    });
    let mut known: Vec<Clue> = kernel.map(Clue::Kernel).into_iter().collect();
    if !incident.fatal {
        return known;
    }
    if let Some(cell) = cell {
        known.push(Clue::CellRan {
            cell: cell.label(),
            ran: incident.ran,
        });
        if let Some(last) = cell.joined.last_lines(1).next() {
            known.push(Clue::LastLine(clip(last.trim(), 200)));
        }
    }
    known.extend(incident.ram.map(|before| Clue::LastMemory {
        reading: before.reading,
        age: before.age,
    }));
    known
}

/// What was checked without finding a reason. `read`: a rule knows a notice.
fn looked_at(incident: &Incident, cell: Option<&Cell>, read: bool, lent: bool) -> Vec<LookedAt> {
    let notice = match (incident.notices.is_empty(), read) {
        (true, _) => LookedAt::NoNotice,
        (false, true) => LookedAt::NoticeWithoutReason,
        (false, false) => LookedAt::NoticeInUnknownWords,
    };
    let output = match cell {
        Some(c) if c.joined.text.trim().is_empty() => LookedAt::PrintedNothing,
        Some(_) => LookedAt::NoLastWords,
        None => LookedAt::NoCell,
    };
    let memory = match incident.ram.map(|before| before.reading) {
        None => LookedAt::NoMemoryReading,
        Some(Reading::Known {
            used,
            total: Some(total),
        }) if used as f64 / total as f64 >= 0.9 => LookedAt::MemoryNearlyFull,
        Some(Reading::Known { total: Some(_), .. }) => LookedAt::MemoryNotFull,
        Some(_) => LookedAt::NoMemoryLimit,
    };
    let mut unknown = vec![notice, output, memory];
    unknown.extend(evidence::looked_at(incident, cell, lent));
    unknown.push(LookedAt::NoSignal);
    unknown
}
