//! What slows a run down: processors or disks that are busy all the time, and a GPU that waits for
//! them. Only the probe tells.

use crate::order::sort_by_key;
use crate::triage::flight::{items, number, Line};
use nbmedic_protocol::{Memory, LOAD_STRIDE as STRIDE, MISSING};

// The columns of a reading, in percent: all processors, the kernel of one processor, the GPU, the
// busiest disk, what waits for disks.
const ALL: usize = 0;
const OWN: usize = 1;
const GPU: usize = 2;
const DISK: usize = 3;
const WAIT: usize = 4;
/// The probe speaks every second; so often is enough, in milliseconds.
const EVERY_MS: i64 = 4_000;
/// Readings of the present run that are needed, and the time they must span.
const LEAST: usize = 6;
const SPAN_MS: i64 = 25_000;
/// From here on a processor or a disk is busy all the time, in percent.
const FULL: i64 = 90;
/// Below this a GPU waits for something, in percent.
const IDLE: i64 = 60;
/// From here on waiting for disks holds things up, in percent of the time.
const HELD_UP: i64 = 30;

/// Notes what a sample of the probe says of the load, seen at `at` by the page's clock.
pub(crate) fn note(memory: &mut Memory, line: &Line, at: u64) {
    let at = at as i64;
    let last = memory.loads.len().checked_sub(STRIDE);
    if last.is_some_and(|i| at - memory.loads[i] < EVERY_MS) {
        return;
    }
    // Of several GPUs the one that works hardest.
    let gpus = items(line.get("g")).iter().filter_map(|g| number(g, 2));
    // Milliseconds per second, and hundredths of a percent.
    let disk = number(line.get("io"), 2).map(|n| n / 10);
    let stalled = number(line.get("psi"), 2).map(|n| n / 100);
    let row = [
        number(line.get("cpu"), 0),
        number(line.get("cpu"), 2),
        gpus.max(),
        disk,
        number(line.get("cpu"), 1).max(stalled),
    ];
    if row.iter().all(Option::is_none) {
        return;
    }
    memory.loads.push(at);
    // Threads of a hundred processors are 10,000 % of one.
    let plain = |n: Option<i64>| n.filter(|n| *n <= 100_000).unwrap_or(MISSING);
    memory.loads.extend(row.map(plain));
}

/// The median of a column; `None` where fewer than half of the readings know it.
fn median(rows: &[&[i64]], column: usize) -> Option<i64> {
    let known = rows.iter().map(|r| r[1 + column]).filter(|n| *n != MISSING);
    let mut known: Vec<i64> = known.collect();
    sort_by_key(&mut known, |n| *n as u64);
    (known.len() * 2 >= rows.len())
        .then(|| known.get(known.len() / 2).copied())
        .flatten()
}

/// What holds the present run up: its name, and what says so. `None`: nothing does, or the GPU is
/// busy itself, or nothing tells.
pub(crate) fn slows(memory: &Memory) -> Option<String> {
    let start = memory.running()?.start as i64;
    let rows = memory.loads.chunks_exact(STRIDE).filter(|r| r[0] >= start);
    let rows: Vec<&[i64]> = rows.collect();
    let span = rows.last()?[0] - rows.first()?[0];
    if rows.len() < LEAST || span < SPAN_MS {
        return None;
    }
    let of = |column| median(&rows, column);
    let gpu = of(GPU);
    if gpu.is_some_and(|n| n >= IDLE) {
        return None;
    }
    let waits = gpu.map_or(String::new(), |n| {
        format!(", the GPU {n} %: it waits for data")
    });
    let reaches = |n: Option<i64>, least: i64| n.filter(|n| *n >= least);
    if let Some(wait) = reaches(of(WAIT), HELD_UP) {
        let busy =
            reaches(of(DISK), 1).map_or(String::new(), |n| format!("busy {n} % of the time, "));
        return Some(format!(
            "Disk I/O, {busy}waited for {wait} % of the time{waits}"
        ));
    }
    if let Some(all) = reaches(of(ALL), FULL) {
        return Some(format!("CPU, all processors {all} % busy{waits}"));
    }
    // One thread that prepares the data can do no more.
    let own = reaches(of(OWN), FULL).filter(|_| gpu.is_some())?;
    Some(format!(
        "CPU, the kernel uses {own} % of one processor{waits}"
    ))
}
