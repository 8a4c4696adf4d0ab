//! The probe's lines in a cell's output: samples of the machine, and how a kernel ended.
//!
//! `⟦nbmedic:1 {…}⟧` holds one line of the flight record (`probe/FORMAT.md`).

use super::load;
use super::notebook::Notebook;
use crate::triage::flight::{items, line, pair, Line};
use crate::vitals::{Reading, Reason, Sample};
use nbmedic_protocol::{Flight, Memory};

/// What a line of the probe in an output begins with.
pub(crate) const OPEN: &str = "⟦nbmedic:1 ";
const CLOSE: char = '⟧';
/// Two clocks may differ by this, and a notice comes after the death: in milliseconds.
const SAME_DEATH_MS: u64 = 90_000;

/// Reads what cells that changed in this batch hold of the probe.
pub(crate) fn note(nb: &mut Notebook, now: u64) {
    for id in nb.in_order() {
        let Some(cell) = nb.cells.get(&id).filter(|c| c.run() > 0) else {
            continue;
        };
        let text = &cell.joined.text;
        // The newest of each kind: the feed stands in one place and is written over.
        let mut lines = text.rmatch_indices(OPEN).take(8).filter_map(|(at, _)| {
            let rest = &text[at + OPEN.len()..];
            line(rest.split(CLOSE).next()?)
        });
        let mut sample = None;
        let mut ended = None;
        for line in &mut lines {
            match line.kind.as_str() {
                "s" if sample.is_none() => sample = Some(line),
                "end" if ended.is_none() => ended = Some(line),
                _ => {}
            }
        }
        if let Some(line) = sample {
            // The page's clock: the machine's may be another.
            nb.vitals.push(read(&line, now));
            load::note(&mut nb.memory, &line, now);
        }
        if let Some(ended) = ended.and_then(|l| l.ended(&[])) {
            let known = nb.memory.flights.iter().any(|f| f.at == ended.at);
            if !known {
                let d = ended.diagnosis.as_ref();
                nb.memory.flights.push(Flight {
                    at: ended.at,
                    clean: ended.clean,
                    id: d.map_or("", |d| d.id).to_owned(),
                    sure: d.map_or(0, |d| (d.confidence * 100.0) as u32),
                    signal: match d.and_then(|d| d.facts.get("signal")) {
                        Some(crate::triage::Value::Int(n)) => *n,
                        _ => 0,
                    },
                    reason: match d.and_then(|d| d.facts.get("reason")) {
                        Some(crate::triage::Value::Text(text)) => text.clone(),
                        _ => String::new(),
                    },
                    seen: now,
                    speaks: ended.speaks,
                    against: ended.against,
                });
                nb.refresh = true;
            }
        }
    }
}

/// A sample line as a sample.
fn read(line: &Line, at: u64) -> Sample {
    let missing = Reading::Missing(Reason::NotShown);
    let known = |(used, total): (u64, u64)| Reading::Known {
        used,
        total: Some(total),
    };
    // The narrower of the two limits is the one that kills.
    let ram = match (pair(line.get("r"), 0), pair(line.get("cg"), 0)) {
        (Some(ram), Some(group)) if group.1 > ram.1 => Some(ram),
        (ram, group) => group.or(ram),
    };
    // The root's file system, or the working folder's, is first: its name, then free and total.
    let disk = items(line.get("d")).first().and_then(|d| pair(d, 1));
    let disk = disk.map(|(free, total)| (total.saturating_sub(free), total));
    // The fullest GPU is the one that runs out.
    let mut gpu: Option<(u64, u64)> = None;
    let share = |(used, total): (u64, u64)| used as f64 / total as f64;
    for g in items(line.get("g")) {
        let now = pair(g, 0);
        if now.map_or(0.0, share) >= gpu.map_or(0.0, share) {
            gpu = now.or(gpu);
        }
    }
    Sample {
        at,
        ram: ram.map_or(missing, known),
        disk: disk.map_or(missing, known),
        gpu: gpu.map_or(missing, known),
    }
}

/// What the probe recorded of the end of a kernel that was told at such a time. The next kernel tells
/// it: it is the first that is read after the death, before another one is told. It may still be of an
/// earlier end: the first that was told after it is the one that it is of.
pub(crate) fn of(memory: &Memory, at: u64) -> Option<&Flight> {
    // Restarts are remembered in whole seconds.
    let told = || {
        memory
            .restarts
            .iter()
            .map(|(why, s)| (why, u64::from(*s) * 1000))
    };
    let fits = |f: &&Flight| {
        let near = f.at.abs_diff(at);
        let later = |other: u64| other > at + 2_000 && other < f.seen;
        let nearer = |other: u64| other + 1_000 >= f.at && other.abs_diff(f.at) + 2_000 < near;
        // A kernel that is gone is started again by the person.
        let taken = |(why, other): (&String, u64)| nearer(other) || why == "died" && later(other);
        near <= SAME_DEATH_MS && f.seen > at && !told().any(taken)
    };
    memory.flights.iter().find(fits)
}
