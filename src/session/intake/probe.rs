//! The probe's lines in a cell's output: samples of the machine, and how a kernel ended.
//!
//! `⟦nbmedic:1 {…}⟧` holds one line of the flight record (`probe/FORMAT.md`).

use crate::known::{Load, Memory, Notebook, PROBE};
use nbmedic_protocol::Flight;
use nbmedic_triage::flight::{items, line, number, pair, variant, Ended, Line};
use nbmedic_triage::Value;
use nbmedic_vitals::{Reading, Reason, Sample};

const CLOSE: char = '⟧';
/// The probe writes a line every second; one load in this time is enough, in milliseconds.
const EVERY_MS: u64 = 4_000;

/// Reads what the probe wrote in some changed cells.
pub(crate) fn read_probe(nb: &mut Notebook, changed: &[String], now: u64) {
    for id in changed {
        let Some(cell) = nb.cells.get(id).filter(|c| c.run() > 0) else {
            continue;
        };
        let (sample, ended) = newest(&cell.joined.text);
        if let Some(line) = sample {
            // By the page's clock: the machine's may differ.
            nb.vitals.push(reading(&line, now));
            add_load(&mut nb.memory, load(&line, now));
        }
        if let Some(ended) = ended.and_then(|line| line.ended(&[])) {
            if !nb.memory.flights.iter().any(|f| f.at == ended.at) {
                nb.memory.flights.push(flight(ended, now));
            }
        }
    }
}

/// The newest sample and the newest end in a text: the feed is overwritten in place.
fn newest(text: &str) -> (Option<Line>, Option<Line>) {
    let lines = text.rmatch_indices(PROBE).take(8).filter_map(|(at, _)| {
        let rest = &text[at + PROBE.len()..];
        line(rest.split(CLOSE).next()?)
    });
    let (mut sample, mut ended) = (None, None);
    for line in lines {
        match line.kind.as_str() {
            "s" if sample.is_none() => sample = Some(line),
            "end" if ended.is_none() => ended = Some(line),
            _ => {}
        }
    }
    (sample, ended)
}

/// How a kernel ended, as the record keeps it.
fn flight(ended: Ended, now: u64) -> Flight {
    let d = ended.diagnosis.as_ref();
    Flight {
        at: ended.at,
        clean: ended.clean,
        id: d.map_or("", |d| d.id).to_owned(),
        sure: d.map_or(0, |d| (d.confidence * 100.0) as u32),
        // A limit or an alarm of its own is nobody's signal.
        signal: match d.and_then(|d| d.facts.get("signal")) {
            Some(Value::Int(n)) if d.is_some_and(|d| d.variant != Some("limit")) => *n,
            _ => 0,
        },
        way: d.and_then(|d| variant(d.variant?)).unwrap_or("").to_owned(),
        reason: match d.and_then(|d| d.facts.get("reason")) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        },
        seen: now,
        speaks: ended.speaks,
        against: ended.against,
    }
}

/// A sample line as a sample.
fn reading(line: &Line, at: u64) -> Sample {
    let missing = Reading::Missing(Reason::NotShown);
    let known = |(used, total): (u64, u64)| Reading::Known {
        used,
        total: Some(total),
    };
    // The lower of the two limits is the one that kills.
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

/// What a sample line says about the load.
fn load(line: &Line, at: u64) -> Load {
    // Threads of a hundred processors are 10,000 % of one.
    let percent = |n: Option<i64>| {
        n.and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n <= 100_000)
    };
    // The busiest of several GPUs.
    let gpus = items(line.get("g")).iter().filter_map(|g| number(g, 2));
    // Milliseconds per second, and hundredths of a percent.
    let disk = number(line.get("io"), 2).map(|n| n / 10);
    let stalled = number(line.get("psi"), 2).map(|n| n / 100);
    Load {
        at,
        all: percent(number(line.get("cpu"), 0)),
        own: percent(number(line.get("cpu"), 2)),
        gpu: percent(gpus.max()),
        disk: percent(disk),
        wait: percent(number(line.get("cpu"), 1).max(stalled)),
    }
}

/// Records a load, unless the last one is too recent.
fn add_load(memory: &mut Memory, load: Load) {
    let recent = |last: &Load| load.at < last.at + EVERY_MS;
    if load.is_known() && !memory.loads.last().is_some_and(recent) {
        memory.loads.push(load);
    }
}
