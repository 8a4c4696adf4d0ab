//! What speaks for a cause of death and what against it, beside the notice and the output.

use super::death::{clip, duration, plain};
use super::notebook::{Cell, Notebook};
use super::{foresight, probe};
use crate::catalog;
use crate::source::{self, Device};
use crate::triage::{Diagnosis, Value};
use crate::vitals::Reading;
use nbmedic_protocol::{Before, Incident, Memory};

/// A share of the limit from which on memory was as good as full.
const FULL: f64 = 0.95;
/// Below this share the bar shows plenty.
const PLENTY: f64 = 0.85;
/// An older reading says nothing of the end.
const FRESH_MS: u64 = 60_000;
/// Inactivity ends a session after about 90 minutes on Colab, 60 on Kaggle.
const IDLE_MS: u64 = 55 * 60_000;
/// From this age on it is the time limit of a free runtime that ends it, 12 hours at most.
const OLD_MS: u64 = 11 * 3_600_000;

type Known = Vec<(&'static str, String)>;

/// Notes with an incident what its cell's code says, while it is still what ran.
pub(crate) fn read_code(nb: &Notebook, id: &str, incident: &mut Incident) {
    let Some(cell) = nb.cells.get(id) else {
        return;
    };
    if let Some((line, surely)) = source::ends_kernel(&cell.source) {
        (incident.asked, incident.line) = (surely, line);
        return;
    }
    if !source::makes_arrays(&cell.source) {
        return;
    }
    let all = source::allocations(&cell.source, &foresight::sizes(nb, id));
    if let Some(a) = all
        .iter()
        .find(|a| !matches!(a.device, Device::Gpu | Device::Unknown))
    {
        (incident.wants, incident.line) = (a.bytes as u64, a.line);
    }
}

/// Use and limit of a reading, and its share.
fn of(before: Option<Before>) -> Option<(f64, f64, f64)> {
    match before?.reading {
        Reading::Known {
            used,
            total: Some(total),
        } if total > 0 => Some((used as f64, total as f64, used as f64 / total as f64)),
        _ => None,
    }
}

/// The code asks for more than was free.
fn too_much(incident: &Incident) -> Option<String> {
    let (used, total, _) = of(incident.ram)?;
    let free = total - used;
    let text = |n: f64| catalog::bytes(n as i64);
    (incident.wants as f64 > free).then(|| {
        format!(
            "line {} asks for {} at once, {} were free",
            incident.line,
            text(incident.wants as f64),
            text(free)
        )
    })
}

/// A cause that no notice and no output names, as far as the code and the last readings tell it.
pub(crate) fn cause(incident: &Incident, cell: Option<&Cell>) -> Option<Diagnosis> {
    if incident.asked {
        let mut d = plain("kernel-died", 0.9)?;
        d.variant = Some("asked");
        d.facts
            .insert("cell_line".into(), Value::Int(i64::from(incident.line)));
        d.location.line = Some(incident.line);
        return Some(d);
    }
    cell?;
    let fresh = incident.ram.filter(|b| b.age <= FRESH_MS);
    let full = of(fresh).is_some_and(|(_, _, share)| share >= FULL);
    if full || too_much(incident).is_some() {
        let mut d = plain("host-oom", if full { 0.75 } else { 0.7 })?;
        d.variant = Some("killed");
        return Some(d);
    }
    None
}

/// A notice that names two reasons: the runtime's age and what ran decide, where they are known.
pub(crate) fn settle(d: &mut Diagnosis, incident: &Incident) {
    if d.id != "session-time-limit" || d.variant != Some("or-idle") {
        return;
    }
    if incident.age >= OLD_MS {
        d.variant = None;
        d.confidence = 0.9;
    } else if incident.cell.is_none() && incident.idle >= IDLE_MS {
        if let Some(rule) = catalog::find("session-idle-timeout") {
            d.id = rule.id;
            d.variant = None;
            d.confidence = 0.8;
        }
    }
}

/// Puts the probe's verdict first, with its evidence: it looked at the process itself. True where
/// there is one.
pub(crate) fn probed(
    memory: &Memory,
    incident: &Incident,
    cell: Option<&Cell>,
    diagnoses: &mut Vec<Diagnosis>,
    known: &mut Known,
) -> bool {
    let Some(f) = probe::of(memory, incident.at).filter(|_| incident.fatal) else {
        return false;
    };
    for text in &f.speaks {
        known.push(("probe", text.clone()));
    }
    for text in &f.against {
        known.push(("against", text.clone()));
    }
    let rule = if f.clean { "kernel-died" } else { &f.id };
    let Some(rule) = catalog::find(rule) else {
        return false;
    };
    let same = diagnoses.iter().position(|d| d.id == rule.id);
    let mut d = match same {
        Some(at) => diagnoses.remove(at),
        None => match plain(rule.id, 0.9) {
            Some(d) => d,
            None => return false,
        },
    };
    d.confidence = d.confidence.max(f.sure as f32 / 100.0);
    if rule.id == "host-oom" && d.variant.is_none() {
        d.variant = Some("system-says");
    }
    // The cell did it, if it has a line for just that.
    let line = own_line(incident, cell).filter(|l| f.signal == 0 || l.contains("kill"));
    if rule.id == "kernel-died" && d.variant != Some("restarted") {
        d.variant = match (line, f.signal, f.clean) {
            (Some(_), ..) => {
                let at = i64::from(incident.line);
                d.facts.insert("cell_line".into(), Value::Int(at));
                Some("asked")
            }
            (_, 1.., _) => Some("killed"),
            (_, _, true) => Some("clean"),
            _ => None,
        };
    }
    if f.signal > 0 {
        d.facts.insert("signal".into(), Value::Int(f.signal));
    }
    if !f.reason.is_empty() && rule.id == "native-crash" {
        let reason = || Value::Text(f.reason.clone());
        d.facts.entry("reason".into()).or_insert_with(reason);
    }
    // A front end that knows no reason is not another diagnosis.
    diagnoses.retain(|d| d.id != "kernel-died");
    diagnoses.insert(0, d);
    true
}

/// What speaks for and against the first diagnosis.
pub(crate) fn evidence(best: &Diagnosis, incident: &Incident, known: &mut Known) {
    if !incident.fatal {
        return;
    }
    if let Some(text) = too_much(incident) {
        known.push(("code", text));
    }
    let session = best.id.starts_with("session-") || best.id.starts_with("runtime-");
    if session && incident.age > 0 {
        let age = duration(incident.age);
        known.push((
            "runtime",
            format!("first seen {age} before; it may be older"),
        ));
        known.push(match incident.cell {
            Some(_) => ("activity", "a cell was running".to_owned()),
            None => (
                "activity",
                format!("nothing had run for {}", duration(incident.idle)),
            ),
        });
    }
    let ram = of(incident.ram);
    let percent = |share: f64| (share * 100.0) as u32;
    match (best.id, ram, incident.ram) {
        ("host-oom", Some((_, _, share)), Some(before)) if share < PLENTY => {
            known.push((
                "against",
                format!(
                    "the bar showed {} % of the runtime's RAM, {} before",
                    percent(share),
                    duration(before.age)
                ),
            ));
            let why = too_much(incident).unwrap_or_else(|| {
                "it is read every few seconds, and one large allocation between two readings does \
                 not show. Or a limit below the one shown was reached: a container's, or another \
                 process's"
                    .to_owned()
            });
            known.push((
                crate::view::FACE,
                format!("Why the bar showed plenty: {why}."),
            ));
        }
        ("native-crash", Some((_, _, share)), _) if share >= FULL => {
            known.push((
                "against",
                format!("the runtime's RAM was {} % full", percent(share)),
            ));
        }
        _ => {}
    }
    for (name, before) in [("GPU memory", incident.gpu), ("disk", incident.disk)] {
        if let Some((_, _, share)) = of(before) {
            if share >= FULL {
                known.push((name, format!("{} % full", percent(share))));
            }
        }
    }
}

/// What else was looked at without finding a reason.
pub(crate) fn looked_at(incident: &Incident, cell: Option<&Cell>, hosted: bool) -> Vec<String> {
    let mut out = Vec::new();
    if cell.is_some_and(|c| !c.source.is_empty()) {
        out.push(match (incident.wants, incident.line) {
            (0, 1..) => "The code: a line of it ends the kernel where it is reached; whether it was is not seen.",
            (0, _) => "The code: no line ends the kernel, and no array's size can be read off it.",
            _ => "The code: no line ends the kernel, and the arrays whose size can be read fit.",
        });
    }
    for (what, before) in [("GPU memory", incident.gpu), ("The disk", incident.disk)] {
        match of(before) {
            Some((_, _, share)) if share < FULL => out.push(match what {
                "The disk" => "The disk was not full.",
                _ => "GPU memory was not full; it would not end the kernel anyway.",
            }),
            _ => {}
        }
    }
    let mut out: Vec<String> = out.into_iter().map(str::to_owned).collect();
    if hosted && incident.age > 0 {
        out.push(format!(
            "The time limit: the runtime was first seen {} before.",
            duration(incident.age)
        ));
    }
    out
}

/// The line of the cell with which it ends its kernel, if it is reached.
fn own_line<'a>(incident: &Incident, cell: Option<&'a Cell>) -> Option<&'a str> {
    let at = (incident.line as usize).checked_sub(1)?;
    let line = cell?.source.lines().nth(at)?;
    (incident.wants == 0).then_some(line.trim())
}

/// That line, and what the cell installed before it.
pub(crate) fn own_end(incident: &Incident, cell: Option<&Cell>, known: &mut Known) {
    let Some(line) = own_line(incident, cell) else {
        return;
    };
    known.push(("code", clip(line, 200)));
    if let Some(tool) = cell.and_then(|c| source::installer(&c.source)) {
        let text = format!("{} installs packages in this cell", tool.name());
        known.push(("install", text));
    }
}
