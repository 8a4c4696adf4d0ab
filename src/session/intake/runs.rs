//! What ran, when, and what it did to the runtime's memory: recorded across restarts and reloads.

use crate::known::{checksum, Asker, Cell, Memory, Quantity, Restart, RestartCause, Run, Sample};
use litemap::LiteMap;
use nbmedic_ask::{loads, may_install};
use nbmedic_protocol::limits::MAX_SAMPLES;
use nbmedic_protocol::CellState;
use nbmedic_secrets::cut;
use nbmedic_vitals as vitals;

/// A sample within this time of the last one is kept only if it differs much, in milliseconds.
const SOON_MS: u64 = 4_000;
/// A level that was unchanged for this long gets a sample before the change, in milliseconds: only
/// changes are reported.
const HELD_MS: u64 = 20_000;
/// The level after a run is read within this time, in milliseconds; later it can only fall.
const SETTLE_MS: u64 = 30_000;
/// Signs of one death arrive within this time, in seconds, if nothing ran in between.
const SAME_S: u32 = 120;

/// Records what the changed cells of a batch say about runs.
pub(crate) fn record_runs(
    memory: &mut Memory,
    cells: &LiteMap<String, Cell>,
    changed: &[String],
    asker: &Asker,
) {
    asker.take_away();

    for at in 0..memory.runs.len() {
        let cell = cells
            .get(&memory.runs[at].cell)
            .filter(|_| memory.runs[at].unread);
        if let Some(cell) = cell.filter(|c| c.run() == memory.runs[at].run) {
            read_packages(memory, cells, at, cell, asker);
        }
        memory.runs[at].unread &= cell.is_some_and(|c| c.run() == memory.runs[at].run);
    }
    for id in changed {
        if let Some(cell) = cells.get(id).filter(|c| c.run() > 0) {
            record_run(memory, cells, id, cell, asker);
        }
    }
}

fn record_run(
    memory: &mut Memory,
    cells: &LiteMap<String, Cell>,
    id: &str,
    cell: &Cell,
    asker: &Asker,
) {
    let now = cell.touched;
    memory.born.get_or_insert(now);
    let at = find_or_begin(memory, id, cell, now);
    // The source may come after the start.
    let run = &mut memory.runs[at];
    if run.source == checksum("") && run.run == cell.run() {
        run.source = checksum(&cell.source);
    }
    if cell.is_busy() {
        return;
    }
    // Not every front end reports the failure: Jupyter's does not.
    let failed = cell.state == CellState::Error || cell.joined.raised();
    let best = cell.shown().next();
    let found = best.map_or("", |d| d.id);
    // An installer's or a library's advice may follow the line that tells the failure.
    let told = best.and_then(|d| d.evidence.last());
    let last = || cell.joined.last_lines(1).next().unwrap_or("");
    let tail = told.map_or_else(last, |e| e.text.trim());
    let tail = cut(tail, 160).to_owned();
    if run.end.is_some() {
        // A front end may report the end of a cell before it shows the error.
        let late = run.well && failed || run.id.is_empty() && !found.is_empty();
        if late && run.run == cell.run() {
            (run.id, run.tail) = (found.to_owned(), tail);
            run.well &= !failed;
        }
        return;
    }
    // A count that went back means a new kernel that nothing reported.
    let back = |r: &Run| {
        memory.in_this_kernel(r.start)
            && r.end.is_some()
            && r.count >= cell.count
            && r.count.is_some()
    };
    if cell.count.is_some() && memory.runs[..at].iter().any(back) {
        let start = memory.runs[at].start;
        memory.booted(RestartCause::Unseen, start);
        memory.close_contexts();
    }
    let run = &mut memory.runs[at];
    run.end = Some(cell.ended.map_or(now, |e| e.at).max(run.start));
    run.well = cell.state == CellState::Done && !failed;
    run.count = cell.count;
    run.tail = tail;
    run.id = found.to_owned();
    read_packages(memory, cells, at, cell, asker);
}

/// The position of a cell's current run in the record, added on first use.
fn find_or_begin(memory: &mut Memory, id: &str, cell: &Cell, now: u64) -> usize {
    let mut runs = memory.runs.iter();
    if let Some(at) = runs.rposition(|r| r.cell == id && r.run >= cell.run()) {
        return at;
    }
    // A new run of the same cell began: the previous one is over.
    for r in memory.runs.iter_mut().filter(|r| r.cell == id) {
        r.end.get_or_insert(now);
    }
    // Its output may come before its state: what is known then is when the previous run started.
    let fresh = |since: &u64| cell.ended.is_none_or(|e| e.at < *since);
    let start = cell.since.filter(fresh).unwrap_or(now);
    let last = memory.samples.last();
    let run = Run::begin(id, cell.run(), &cell.source, start, last);
    memory.runs.push(run);
    memory.runs.len() - 1
}

/// Records the packages that a run replaced although the kernel had loaded them, or that this can't be told yet.
fn read_packages(
    memory: &mut Memory,
    cells: &LiteMap<String, Cell>,
    at: usize,
    cell: &Cell,
    asker: &Asker,
) {
    let packages = replaced(memory, cells, &memory.runs[at].cell, cell, asker);
    let run = &mut memory.runs[at];
    run.unread = asker.take_away();
    run.packages = packages;
}

/// The packages that a cell's install replaced although the kernel had loaded them.
fn replaced(
    memory: &Memory,
    cells: &LiteMap<String, Cell>,
    id: &str,
    cell: &Cell,
    asker: &Asker,
) -> Vec<String> {
    if !may_install(&cell.source) {
        return Vec::new();
    }
    // Most installs replace nothing, which their output says.
    let mut packages = nbmedic_ask::replaced(&cell.joined.text);
    if packages.is_empty() || asker.plain(cell).installer.is_none() {
        return Vec::new();
    }
    let others = memory
        .runs
        .iter()
        .filter(|r| r.cell != id && memory.in_this_kernel(r.start));
    let loaded: Vec<String> = others
        .filter_map(|r| cells.get(&r.cell))
        .filter(|c| c.source.contains("import"))
        .flat_map(|c| asker.plain(c).imports)
        .collect();
    packages.retain(|p| loaded.iter().any(|m| loads(m, p)));
    packages
}

/// Records a reading of the runtime, once anything ran.
pub(crate) fn record_sample(memory: &mut Memory, sample: Option<&vitals::Sample>, now: u64) {
    if let Some(sample) = sample.filter(|_| !memory.runs.is_empty()) {
        add_change(memory, sample.into());
        add_held(memory, now);
    }
    memory.bound();
}

/// Records a reading that differs from the last.
fn add_change(memory: &mut Memory, sample: Sample) {
    if let Some(last) = memory.samples.last().copied() {
        if sample.at <= last.at || sample.same_levels(&last) {
            return;
        }
        // This soon after the last one only a jump counts: the probe writes every second.
        if sample.at - last.at < SOON_MS && !sample.jumped(&last) {
            return;
        }
        if sample.at - last.at > HELD_MS {
            memory.samples.push(last.moved_to(sample.at - SOON_MS));
        }
    }
    add(memory, sample);
    let Some(run) = memory.runs.last_mut() else {
        return;
    };
    let settled = run.end.is_some_and(|end| sample.at > end + SETTLE_MS);
    let levels = run.levels.get_or_insert_default();
    for what in Quantity::ALL {
        let Some(used) = sample.level(what).used else {
            continue;
        };
        let of = levels.of_mut(what);
        if run.end.is_none() {
            of.peak = of.peak.max(Some(used));
        }
        if !settled || of.after.is_none_or(|after| used < after) {
            of.after = Some(used);
        }
    }
}

/// Repeats the last reading from time to time while a cell runs: only changes are reported.
fn add_held(memory: &mut Memory, now: u64) {
    let last = memory.samples.last().filter(|_| memory.running().is_some());
    if let Some(last) = last.filter(|s| now > s.at + HELD_MS).copied() {
        add(memory, last.moved_to(now));
    }
}

fn add(memory: &mut Memory, sample: Sample) {
    let samples = &mut memory.samples;
    samples.push(sample);
    while samples.len() > MAX_SAMPLES {
        let half = samples.len() / 2;
        let mut at = 0;
        samples.retain(|_| {
            at += 1;
            at > half || at % 2 == 1
        });
    }
}

impl Memory {
    /// Records that a new kernel runs since `at` (milliseconds since 1970), and why.
    pub fn booted(&mut self, cause: RestartCause, at: u64) {
        if self.boot.is_none_or(|boot| boot < at) {
            let second = (at / 1000) as u32;
            // One death has several signs.
            let last = self.restarts.last().filter(|_| cause == RestartCause::Died);
            let same = last
                .is_some_and(|r| r.cause == cause && second.saturating_sub(r.second) <= SAME_S)
                && !self.runs.iter().any(|r| r.start > self.boot.unwrap_or(0));
            self.boot = Some(at);
            if !same {
                self.restarts.push(Restart { cause, second });
            }
        }
        for r in self.runs.iter_mut().filter(|r| r.start <= at) {
            r.end.get_or_insert(at);
        }
        self.warned.clear();
    }
}
