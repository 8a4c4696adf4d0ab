//! Evidence for and against a cause of death besides the notice and the output.

use super::causes::{is_nameless, DEATH_CONFIDENCE};
use super::flight;
use crate::clue::{Clue, LookedAt, TooMuch};
use crate::known::{
    clip, of_rule, standing, stands_for, Asker, Cell, CodeSays, Incident, Memory, Notebook,
    Quantity,
};
use nbmedic_ask::{may_end_kernel, may_install, may_make_arrays, Device};
use nbmedic_catalog::{find, standing_for, Condition};
use nbmedic_facts::Ended;
use nbmedic_protocol::Before;
use nbmedic_triage::flight::variant;
use nbmedic_triage::{Diagnosis, Value};
use nbmedic_vitals::Reading;

/// Memory counts as full from this share of its limit.
const FULL: f64 = 0.95;
/// Memory counts as plentiful below this share of its limit.
const PLENTY: f64 = 0.85;
/// Oldest reading that says anything about the end, in milliseconds.
const FRESH_MS: u64 = 60_000;
/// Inactivity ends a session after about 90 minutes on Colab, 60 on Kaggle.
const IDLE_MS: u64 = 55 * 60_000;
/// From this age, the time limit of a free runtime (at most 12 hours) counts as the cause.
const OLD_MS: u64 = 11 * 3_600_000;

/// The variant of a cell that ended its own kernel.
const ASKED: &str = "asked";
/// The variant of a cell that restarts its kernel when it is done.
const ON_PURPOSE: &str = "on-purpose";

/// Whether a diagnosis is a restart on purpose, which is nothing to worry about.
pub(crate) fn is_on_purpose(d: &Diagnosis) -> bool {
    d.variant == Some(ON_PURPOSE) && is_nameless(d)
}

/// What the code of a cell says about a death.
pub(super) fn read_code(nb: &Notebook, id: &str, asker: &Asker) -> CodeSays {
    asker.take_away();
    let says = known_code(nb, id, asker);
    match asker.take_away() {
        true => CodeSays::Unread,
        false => says,
    }
}

fn known_code(nb: &Notebook, id: &str, asker: &Asker) -> CodeSays {
    let Some(cell) = nb.cells.get(id) else {
        return CodeSays::Nothing;
    };
    let may = may_end_kernel(&cell.source);
    if let Some(end) = may.then(|| asker.plain(cell).ends_kernel).flatten() {
        return CodeSays::EndsKernel {
            line: end.line,
            surely: end.surely,
            last: end.last,
        };
    }
    if !may_make_arrays(&cell.source) {
        return CodeSays::Nothing;
    }
    let mut all = asker.arrays(cell, &nb.ran_here(id)).into_iter();
    all.find(|a| !matches!(a.device, Device::Gpu | Device::Unknown))
        .filter(|a| a.bytes >= 1.0)
        .map_or(CodeSays::Nothing, |a| CodeSays::Allocates {
            line: a.line,
            bytes: a.bytes as u64,
        })
}

/// Use and limit of a reading, in bytes.
struct Room {
    used: f64,
    total: f64,
}

impl Room {
    fn of(before: Option<Before>) -> Option<Room> {
        match before?.reading {
            Reading::Known {
                used,
                total: Some(total),
            } if total > 0 => Some(Room {
                used: used as f64,
                total: total as f64,
            }),
            _ => None,
        }
    }

    fn share(&self) -> f64 {
        self.used / self.total
    }

    fn percent(&self) -> u32 {
        (self.share() * 100.0) as u32
    }
}

/// The line of the cell that asks for more than was free.
fn too_much(incident: &Incident) -> Option<TooMuch> {
    let room = Room::of(incident.ram)?;
    let free = room.total - room.used;
    match incident.code {
        CodeSays::Allocates { line, bytes } if bytes as f64 > free => Some(TooMuch {
            line,
            wants: bytes,
            free,
        }),
        _ => None,
    }
}

/// A cause that neither notice nor output names, if the code or the last readings show one.
pub(super) fn cause(incident: &Incident, cell: Option<&Cell>) -> Option<Diagnosis> {
    if let CodeSays::EndsKernel {
        line, surely: true, ..
    } = incident.code
    {
        let mut d = standing(Condition::KernelDeath, DEATH_CONFIDENCE)?;
        d.variant = Some(own_end_variant(incident));
        d.facts
            .insert("cell_line".into(), Value::Int(i64::from(line)));
        d.location.line = Some(line);
        return Some(d);
    }
    cell?;
    let fresh = incident.ram.filter(|b| b.age <= FRESH_MS);
    let full = Room::of(fresh).is_some_and(|room| room.share() >= FULL);
    if full || too_much(incident).is_some() {
        let mut d = standing(Condition::HostMemory, if full { 0.75 } else { 0.7 })?;
        d.variant = Some("killed");
        return Some(d);
    }
    None
}

/// Decides between the two reasons of a notice by the runtime's age and by what ran, if they are
/// known.
pub(super) fn settle(d: &mut Diagnosis, incident: &Incident) {
    if !stands_for(d, Condition::TimeLimit) || d.variant != Some("or-idle") {
        return;
    }
    match limit(incident) {
        Some(Condition::Inactivity) => {
            if let Some(rule) = standing_for(Condition::Inactivity) {
                d.id = rule.id;
                d.variant = None;
                d.confidence = 0.8;
            }
        }
        Some(_) => {
            d.variant = None;
            d.confidence = 0.9;
        }
        None => {}
    }
}

/// The limit of a lent runtime that its age, or the time without a run, reached.
pub(super) fn limit(incident: &Incident) -> Option<Condition> {
    if incident.age.is_some_and(|age| age >= OLD_MS) {
        return Some(Condition::TimeLimit);
    }
    let idle = incident.cell.is_none() && incident.idle >= IDLE_MS;
    idle.then_some(Condition::Inactivity)
}

/// Puts the probe's verdict first, with its clues, because the probe watched the process itself. True
/// if there is one.
pub(super) fn add_flight(
    memory: &Memory,
    incident: &Incident,
    cell: Option<&Cell>,
    diagnoses: &mut Vec<Diagnosis>,
    known: &mut Vec<Clue>,
) -> bool {
    let Some(f) = flight::of_death(memory, incident.at).filter(|_| incident.fatal) else {
        return false;
    };
    known.extend(f.speaks.iter().cloned().map(Clue::ProbeFor));
    known.extend(f.against.iter().cloned().map(Clue::ProbeAgainst));
    let rule = match f.clean {
        true => standing_for(Condition::KernelDeath),
        false => find(&f.id),
    };
    let Some(rule) = rule else {
        return false;
    };
    let mut d = match diagnoses.iter().position(|d| d.id == rule.id) {
        Some(at) => diagnoses.remove(at),
        None => of_rule(rule, DEATH_CONFIDENCE),
    };
    d.confidence = d.confidence.max(f.sure as f32 / 100.0);
    if rule.is(Condition::HostMemory) && d.variant.is_none() {
        d.variant = Some("system-says");
    }
    if rule.is(Condition::Disconnection) && d.variant.is_none() {
        d.variant = variant(&f.way);
    }
    // The cell ended its kernel itself if it has a line that does so.
    let line = ending_line(incident, cell).filter(|(_, l)| f.signal == 0 || l.contains("kill"));
    if is_nameless(&d) && d.variant != Some("restarted") {
        d.variant = match (line, f.signal, f.clean) {
            (Some((line, _)), ..) => {
                d.facts
                    .insert("cell_line".into(), Value::Int(i64::from(line)));
                Some(own_end_variant(incident))
            }
            (_, _, true) => Some("clean"),
            _ => variant(&f.way).or((f.signal > 0).then_some("killed")),
        };
    }
    if f.signal > 0 {
        d.facts.insert("signal".into(), Value::Int(f.signal));
    }
    if !f.reason.is_empty() && (rule.is(Condition::NativeCrash) || d.variant == Some("limit")) {
        let reason = || Value::Text(f.reason.clone());
        d.facts.entry("reason".into()).or_insert_with(reason);
    }
    // A death without a reason is not another diagnosis.
    diagnoses.retain(|d| !is_nameless(d));
    // A known cause of just such an end says more than that it was one.
    let explains = |told: &Diagnosis| {
        (rule.is(Condition::NativeCrash) || f.signal == 0)
            && find(told.id).is_some_and(|r| r.explains_death() && r.hides.contains(&rule.id))
    };
    match diagnoses.first_mut().filter(|told| explains(told)) {
        Some(told) => told.confidence = told.confidence.max(d.confidence),
        None => diagnoses.insert(0, d),
    }
    true
}

/// How a kernel ended, as far as cures from its cell's code may rest on it; none, if something else is known to have
/// ended it.
pub(crate) fn ended(best: &Diagnosis, incident: &Incident) -> Option<Ended> {
    let memory = stands_for(best, Condition::HostMemory);
    let nameless = is_nameless(best) && best.variant.is_none();
    let room = Room::of(incident.ram);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // bytes
    let whole = |n: f64| n as u64;
    let ended = Ended {
        memory,
        crash: nameless,
        total: room.as_ref().map(|r| whole(r.total)),
        free: room.as_ref().map(|r| whole((r.total - r.used).max(0.0))),
    };
    (incident.fatal && (memory || nameless)).then_some(ended)
}

/// The evidence for and against the first diagnosis.
pub(super) fn weigh(best: &Diagnosis, incident: &Incident) -> Vec<Clue> {
    let mut known = Vec::new();
    if !incident.fatal {
        return known;
    }
    let asks = too_much(incident);
    known.extend(asks.map(Clue::AsksTooMuch));
    let lifetime = find(best.id).is_some_and(|rule| rule.lifetime);
    if let Some(age) = incident.age.filter(|_| lifetime) {
        known.push(Clue::RuntimeSeenFor(age));
        known.push(match incident.cell {
            Some(_) => Clue::WasBusy,
            None => Clue::WasIdle(incident.idle),
        });
    }
    let memory = stands_for(best, Condition::HostMemory);
    let crash = stands_for(best, Condition::NativeCrash);
    match (Room::of(incident.ram), incident.ram) {
        (Some(room), Some(before)) if memory && room.share() < PLENTY => {
            known.push(Clue::BarShowedRoom {
                percent: room.percent(),
                age: before.age,
            });
            known.push(Clue::WhyBarShowedRoom(asks));
        }
        (Some(room), _) if crash && room.share() >= FULL => {
            known.push(Clue::RamWasFull(room.percent()));
        }
        _ => {}
    }
    for (what, before) in [
        (Quantity::Gpu, incident.gpu),
        (Quantity::Disk, incident.disk),
    ] {
        if let Some(room) = Room::of(before).filter(|room| room.share() >= FULL) {
            known.push(Clue::AlsoFull(what, room.percent()));
        }
    }
    known
}

/// What else was checked without finding a reason.
pub(super) fn looked_at(incident: &Incident, cell: Option<&Cell>, lent: bool) -> Vec<LookedAt> {
    let mut out = Vec::new();
    if cell.is_some_and(|c| !c.source.is_empty()) {
        out.push(match incident.code {
            CodeSays::EndsKernel { .. } => LookedAt::CodeMayEndKernel,
            CodeSays::Nothing | CodeSays::Unread => LookedAt::CodeEndsNothing,
            CodeSays::Allocates { .. } => LookedAt::CodeFits,
        });
    }
    for (before, looked) in [
        (incident.gpu, LookedAt::GpuNotFull),
        (incident.disk, LookedAt::DiskNotFull),
    ] {
        if Room::of(before).is_some_and(|room| room.share() < FULL) {
            out.push(looked);
        }
    }
    out.extend(incident.age.filter(|_| lent).map(LookedAt::TimeLimit));
    out
}

/// The line that ends the kernel if it is reached: its number and text.
fn ending_line<'a>(incident: &Incident, cell: Option<&'a Cell>) -> Option<(u32, &'a str)> {
    let CodeSays::EndsKernel { line, .. } = incident.code else {
        return None;
    };
    let at = (line as usize).checked_sub(1)?;
    let text = cell?.source.lines().nth(at)?;
    Some((line, text.trim()))
}

/// A kernel that ends as the last thing that its cell does is restarted on purpose.
fn own_end_variant(incident: &Incident) -> &'static str {
    match incident.code {
        CodeSays::EndsKernel {
            surely: true,
            last: true,
            ..
        } => ON_PURPOSE,
        _ => ASKED,
    }
}

/// Whether a diagnosis says that the cell ended its own kernel.
pub(super) fn is_own_end(d: &Diagnosis) -> bool {
    is_nameless(d) && matches!(d.variant, Some(ASKED | ON_PURPOSE))
}

/// The line with which the cell ended its own kernel, and whether the cell installs packages.
pub(super) fn own_end(incident: &Incident, cell: Option<&Cell>, asker: &Asker) -> Vec<Clue> {
    let Some((_, line)) = ending_line(incident, cell) else {
        return Vec::new();
    };
    let installs = cell.filter(|c| may_install(&c.source));
    let tool = installs.and_then(|c| asker.plain(c).installer);
    let ends = Clue::EndsKernel(clip(line, 200));
    std::iter::once(ends)
        .chain(tool.map(Clue::InstallsPackages))
        .collect()
}
