//! What ran, when, and what it did to the runtime's memory: kept through restarts and reloads.

use super::notebook::{Cell, Notebook};
use crate::secrets::cut;
use crate::source;
use crate::vitals::{Reading, Sample};
use nbmedic_protocol::{CellState, Memory, Ran, MAX_SAMPLES, MISSING, STRIDE};

pub(crate) use nbmedic_protocol::{DISK, GPU, RAM};

/// A sample so soon after the last is kept only if it differs much, in milliseconds.
const SOON_MS: i64 = 4_000;
/// A level held this long before it changed; what changes is told, what stays is not.
const HELD_MS: i64 = 20_000;
/// After its end a run's level is what is seen within this time; later it can only come down.
const SETTLE_MS: u64 = 30_000;

/// Signs of one death come within this time, in seconds, if nothing ran in between.
const SAME_S: u32 = 120;

fn parts(reading: Reading) -> [i64; 2] {
    let kib = |n: u64| (n / 1024) as i64;
    match reading {
        Reading::Known { used, total } => [kib(used), total.map_or(MISSING, kib)],
        Reading::Missing(_) => [MISSING; 2],
    }
}

/// What the session adds to its record.
pub(crate) trait Record {
    /// Takes a sample.
    fn sample(&mut self, s: &Sample);
    /// Notes now and then while a cell runs that the level is what it was at the last sample.
    fn held(&mut self, now: u64);
    /// Takes a row of numbers.
    fn add(&mut self, row: &[i64]);
    /// A new kernel runs, and why.
    fn booted(&mut self, why: &str, at: u64);
}

impl Record for Memory {
    fn sample(&mut self, s: &Sample) {
        let mut row = vec![s.at as i64];
        for reading in [s.ram, s.gpu, s.disk] {
            row.extend(parts(reading));
        }
        let n = self.samples.len();
        if n >= STRIDE {
            let last = &self.samples[n - STRIDE..];
            let (at, same) = (last[0], last[1..] == row[1..]);
            if row[0] <= at || same {
                return;
            }
            // So soon after the last one only a jump counts: the probe speaks every second.
            let jump = |i: usize| (row[i] - last[i]).abs() > row[i + 1].max(0) / 50;
            if row[0] - at < SOON_MS && ![1, 3, 5].into_iter().any(jump) {
                return;
            }
            if row[0] - at > HELD_MS {
                let mut held = last.to_vec();
                held[0] = row[0] - SOON_MS;
                self.samples.extend(held);
            }
        }
        let now: Vec<i64> = (0..3).map(|i| row[1 + 2 * i]).collect();
        self.add(&row);
        let Some(last) = self.runs.last_mut() else {
            return;
        };
        last.levels.resize(9, MISSING);
        let settled = last.end > 0 && s.at > last.end + SETTLE_MS;
        for (i, level) in now.into_iter().enumerate() {
            if level == MISSING {
                continue;
            }
            if last.end == 0 {
                last.levels[3 + i] = last.levels[3 + i].max(level);
            }
            let after = &mut last.levels[6 + i];
            if !settled || *after == MISSING || level < *after {
                *after = level;
            }
        }
    }

    fn held(&mut self, now: u64) {
        let last = self.samples.len().saturating_sub(STRIDE)..;
        let mut row = self.samples[last].to_vec();
        if self.running().is_some() && row.first().is_some_and(|at| now as i64 - at > HELD_MS) {
            row[0] = now as i64;
            self.add(&row);
        }
    }

    fn add(&mut self, row: &[i64]) {
        self.samples.extend(row);
        while self.samples.len() > MAX_SAMPLES * STRIDE {
            let half = self.samples.len() / STRIDE / 2;
            for i in (0..half).rev().filter(|i| i % 2 == 1) {
                self.samples.drain(i * STRIDE..(i + 1) * STRIDE);
            }
        }
    }

    fn booted(&mut self, why: &str, at: u64) {
        if self.boot < at {
            let second = (at / 1000) as u32;
            // One death has several signs.
            let last = self.restarts.last().filter(|_| why == "died");
            let same = last
                .is_some_and(|(was, s)| was == why && second.saturating_sub(*s) <= SAME_S)
                && !self.runs.iter().any(|r| r.start > self.boot);
            self.boot = at;
            if !same {
                self.restarts.push((why.to_owned(), second));
            }
        }
        for r in self.runs.iter_mut().filter(|r| r.end == 0) {
            r.end = at;
        }
        self.warned.clear();
    }
}

/// The run of a cell that begins.
fn begun(id: &str, cell: &Cell, memory: &Memory, start: u64) -> Ran {
    let last = memory.rows().next_back();
    let level = |what: usize| last.map_or(MISSING, |r| r.kib(what));
    let now = [level(RAM), level(GPU), level(DISK)];
    let levels = match now.iter().any(|l| *l != MISSING) {
        true => [now, now, now].concat(),
        false => Vec::new(),
    };
    Ran {
        cell: id.to_owned(),
        run: cell.run(),
        source: checksum(&cell.source),
        start,
        levels,
        ..Ran::default()
    }
}

/// Tells one source from another.
pub(crate) fn checksum(source: &str) -> u32 {
    source.trim().bytes().fold(0x811c_9dc5, |hash: u32, b| {
        (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}

/// Notes what the batch says about runs.
pub(crate) fn note(nb: &mut Notebook, sample: Option<&Sample>, now: u64) {
    for id in nb.in_order() {
        let Some(cell) = nb.cells.get(&id).filter(|c| c.dirty && c.run() > 0) else {
            continue;
        };
        let memory = &mut nb.memory;
        let now = cell.touched;
        if memory.born == 0 {
            memory.born = now;
        }
        let known = memory
            .runs
            .iter()
            .rposition(|r| r.cell == id && r.run >= cell.run());
        let at = match known {
            Some(at) => at,
            None => {
                // Another run of the same cell began: the last one is over.
                for r in memory
                    .runs
                    .iter_mut()
                    .filter(|r| r.cell == id && r.end == 0)
                {
                    r.end = now;
                }
                let ran = begun(&id, cell, memory, cell.since.unwrap_or(now));
                memory.runs.push(ran);
                memory.runs.len() - 1
            }
        };
        // Its source may be told after its start.
        let ran = &mut memory.runs[at];
        if ran.source == checksum("") && ran.run == cell.run() {
            ran.source = checksum(&cell.source);
        }
        if matches!(cell.state, CellState::Running | CellState::Pending) {
            continue;
        }
        // A front end need not say so: Jupyter's does not.
        let failed = cell.state == CellState::Error || cell.joined.raised();
        let well = cell.state == CellState::Done && !failed;
        let found = cell.shown().next().map_or("", |d| d.id);
        let tail = cell.joined.last_lines(1).next().unwrap_or("");
        let tail = cut(tail, 160).to_owned();
        if ran.end > 0 {
            // A front end may say that a cell ended before it shows the error with which it did.
            let late = ran.well && failed || ran.id.is_empty() && !found.is_empty();
            if late && ran.run == cell.run() {
                (ran.id, ran.tail) = (found.to_owned(), tail);
                ran.well &= !failed;
            }
            continue;
        }
        let count = cell.count;
        // A count that went back: the kernel is a new one, and nobody said so.
        let boot = memory.boot;
        let back = |r: &&Ran| r.start >= boot && r.end > 0 && r.count >= count && r.count.is_some();
        if count.is_some() && memory.runs[..at].iter().rfind(back).is_some() {
            let start = memory.runs[at].start;
            memory.booted("unseen", start);
            memory.restarted();
        }
        let ran = &mut nb.memory.runs[at];
        ran.end = cell.ended.map_or(now, |(end, _)| end).max(ran.start);
        ran.well = well;
        ran.count = count;
        ran.tail = tail;
        ran.id = found.to_owned();
        nb.memory.runs[at].packages = replaced(nb, &id);
    }
    if let Some(sample) = sample.filter(|_| !nb.memory.runs.is_empty()) {
        nb.memory.sample(sample);
        nb.memory.held(now);
    }
    nb.memory.bound();
}

/// The packages that a cell's install put in the place of what the kernel had loaded.
fn replaced(nb: &Notebook, id: &str) -> Vec<String> {
    let Some(cell) = nb.cells.get(id) else {
        return Vec::new();
    };
    if source::installer(&cell.source).is_none() {
        return Vec::new();
    }
    let mut packages = source::replaced(&cell.joined.text);
    let mut loaded: Vec<String> = Vec::new();
    for r in &nb.memory.runs {
        let other = nb.cells.get(&r.cell).filter(|_| r.cell != id);
        if let Some(c) = other.filter(|_| r.start >= nb.memory.boot) {
            loaded.append(&mut source::imports(&c.source));
        }
    }
    packages.retain(|p| loaded.iter().any(|m| source::loads(m, p)));
    packages
}
