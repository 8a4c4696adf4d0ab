//! What is about to happen: arrays that can't fit, leaks, memory or disk that fills, the end of the
//! runtime, a restart that an install needs.

use super::death::{duration, plain};
use super::notebook::{Cell, Notebook};
use super::record::{DISK, GPU, RAM};
use super::{load, record, CellState, Limits};
use crate::source::{self, Allocation, Device, Sizes};
use crate::triage::{Diagnosis, Value};
use crate::vitals::trend::{self, Forecast, Level};
use nbmedic_protocol::{Memory, Ran};

/// A warning: what, and what it rests on.
pub(crate) struct Warning {
    pub diagnosis: Diagnosis,
    pub known: Vec<(&'static str, String)>,
}

/// Variants that warn of what has not happened yet; the card is no error then.
pub(crate) fn warns(d: &Diagnosis) -> Option<&'static str> {
    match d.variant? {
        "planned" | "leak" | "filling" | "restart-needed" | "warning" => Some("warning"),
        "soon" | "asked" | "clean" | "restarted" => Some("info"),
        _ => None,
    }
}

/// Longest runtime of a free plan, in milliseconds (Colab's FAQ: at most 12 hours; Kaggle: 12 hours).
const LONGEST_MS: u64 = 12 * 3_600_000;
/// From this age on a runtime's end is near.
const OLD_MS: u64 = 11 * 3_600_000;

/// Names of the quantities, and the diagnosis of each that runs out.
const QUANTITIES: [(&str, &str); 3] = [
    ("Runtime RAM", "host-oom"),
    ("GPU memory", "gpu-oom"),
    ("Disk", "disk-full"),
];

/// What is to be said at a cell that has no problem yet.
pub(crate) fn at_cell(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    hosted: bool,
    limits: &Limits,
) -> Option<Warning> {
    if limits.quiet {
        return None;
    }
    let busy = matches!(cell.state, CellState::Running | CellState::Pending);
    let running = cell.state == CellState::Running;
    busy.then(|| planned(nb, cell))
        .flatten()
        .or_else(|| restart_needed(nb, id, cell))
        .or_else(|| leak(nb, id))
        .or_else(|| running.then(|| filling(nb, id, limits)).flatten())
        .or_else(|| {
            (running && hosted)
                .then(|| clock(nb, id, cell, limits))
                .flatten()
        })
}

fn warning(id: &'static str, variant: &'static str, confidence: f32) -> Option<Warning> {
    let mut diagnosis = plain(id, confidence)?;
    diagnosis.variant = Some(variant);
    Some(Warning {
        diagnosis,
        known: Vec::new(),
    })
}

impl Warning {
    #[inline(never)]
    fn bytes(&mut self, name: &str, n: f64) {
        self.diagnosis
            .facts
            .insert(name.to_owned(), Value::Int(n as i64));
    }

    #[inline(never)]
    fn text(&mut self, name: &str, text: String) {
        self.diagnosis
            .facts
            .insert(name.to_owned(), Value::Text(text));
    }
}

/// The numbers that cells assigned which ran in this kernel.
pub(crate) fn sizes(nb: &Notebook, except: &str) -> Sizes {
    let mut sizes = Sizes::new();
    for r in &nb.memory.runs {
        if r.start >= nb.memory.boot && r.cell != except {
            if let Some(cell) = nb.cells.get(&r.cell) {
                source::learn_all(&cell.source, &mut sizes);
            }
        }
    }
    sizes
}

/// The array of a cell that can't fit, and what the runtime has: its use and its limit.
pub(crate) fn too_large(nb: &Notebook, id: &str, cell: &Cell) -> Option<(Allocation, usize, f64)> {
    // Most cells make no array: the others' sources need no look then.
    if !source::makes_arrays(&cell.source) {
        return None;
    }
    let last = nb.memory.rows().next_back();
    let total = |what: usize| last.and_then(|r| r.total(what));
    let all = source::allocations(&cell.source, &sizes(nb, id));
    all.into_iter().find_map(|a| {
        let (ram, gpu) = (total(RAM), total(GPU));
        let (what, limit) = match a.device {
            Device::Host => (RAM, ram?),
            Device::Gpu => (GPU, gpu.unwrap_or(source::LARGEST_GPU)),
            Device::Unknown if a.bytes <= gpu.unwrap_or(source::LARGEST_GPU) => return None,
            Device::Unknown => (RAM, ram?),
            // TensorFlow and JAX take the GPU where there is one: it must exceed both.
            Device::Default => match gpu {
                Some(gpu) if gpu > ram.unwrap_or(0.0) => (GPU, gpu),
                _ => (RAM, ram?),
            },
        };
        (a.bytes > limit).then_some((a, what, limit))
    })
}

fn planned(nb: &Notebook, cell: &Cell) -> Option<Warning> {
    let (a, what, limit) = too_large(nb, "", cell)?;
    let mut w = warning(QUANTITIES[what].1, "planned", 0.95)?;
    w.bytes("requested_bytes", a.bytes);
    w.text("dtype", a.dtype.clone());
    w.text("shape_text", a.shape_text());
    // The largest GPU there is stands for one that is not known.
    let known = nb.memory.rows().next_back().and_then(|r| r.total(what));
    if known.is_some() {
        w.bytes("total_bytes", limit);
    }
    w.diagnosis.location.line = Some(a.line);
    let has = match known {
        Some(_) => format!("has {}", crate::catalog::bytes(limit as i64)),
        None => "is not shown; no single GPU has so much".to_owned(),
    };
    w.known.push((
        "code",
        format!(
            "line {} makes an array {} of {}: {}",
            a.line,
            a.shape_text(),
            a.dtype,
            crate::catalog::bytes(a.bytes as i64)
        ),
    ));
    w.known
        .push(("runtime", format!("{} {has}", QUANTITIES[what].0)));
    Some(w)
}

fn restart_needed(nb: &Notebook, id: &str, cell: &Cell) -> Option<Warning> {
    let ran = nb.memory.ran(id)?;
    let now = ran.run == cell.run() && ran.start >= nb.memory.boot;
    if ran.packages.is_empty() || !now || cell.state == CellState::Running {
        return None;
    }
    let mut w = warning("binary-incompatible", "restart-needed", 0.9)?;
    let names = ran.packages.join(", ");
    let tool = source::installer(&cell.source).map_or("the install", |t| t.name());
    w.known.push((
        "install",
        format!("{tool} put another version in the place of {names}"),
    ));
    w.text("name", names);
    w.known.push((
        "kernel",
        "had loaded it before and goes on with what it loaded".to_owned(),
    ));
    Some(w)
}

/// The runs of a cell's present source in this kernel that ended well.
fn like_runs<'a>(memory: &'a Memory, id: &'a str) -> impl Iterator<Item = &'a Ran> {
    let source = memory.ran(id).map(|r| r.source);
    let boot = memory.boot;
    memory.runs.iter().filter(move |r| {
        r.cell == id && Some(r.source) == source && r.start >= boot && r.end > 0 && r.well
    })
}

pub(crate) fn leak(nb: &Notebook, id: &str) -> Option<Warning> {
    let memory = &nb.memory;
    if like_runs(memory, id).count() < trend::MIN_RUNS {
        return None;
    }
    let last = memory.rows().next_back()?;
    [GPU, RAM].into_iter().find_map(|what| {
        let level = |r: &Ran| {
            Some(Level {
                before: r.level(0, what)?,
                after: r.level(2, what)?,
            })
        };
        let levels: Vec<Level> = like_runs(memory, id).filter_map(level).collect();
        let total = last.total(what);
        let growth = trend::leak(&levels, total)?;
        let used = last.used(what)?;
        let mut w = warning(QUANTITIES[what].1, "leak", 0.85)?;
        w.bytes("growth_bytes", growth);
        w.bytes("used_bytes", used);
        if let Some(total) = total {
            w.bytes("total_bytes", total);
            // A run needs its peak, not only what it keeps.
            let peak = like_runs(memory, id)
                .last()
                .and_then(|r| Some((r.level(1, what)? - r.level(2, what)?).max(0.0)));
            let left = ((total - used - peak.unwrap_or(0.0)) / growth).max(0.0);
            w.bytes("left_count", left);
        }
        let text = |n: f64| crate::catalog::bytes(n as i64);
        let (first, end) = (levels.first()?.after, levels.last()?.after);
        w.known.push((
            "runs",
            format!(
                "after {} runs of this cell in this kernel {} stood at {}, after the first at {}",
                levels.len(),
                QUANTITIES[what].0,
                text(end),
                text(first)
            ),
        ));
        Some(w)
    })
}

/// When a quantity is full, if it goes on like this.
pub(crate) fn fills(memory: &Memory, what: usize) -> Option<Forecast> {
    let run = memory.running()?;
    let total = memory.rows().next_back()?.total(what)?;
    let second = |at: u64| at as f64 / 1000.0;
    let points: Vec<(f64, f64)> = memory
        .rows()
        .filter(|r| r.at() >= memory.boot && r.total(what).is_some())
        .filter_map(|r| Some((second(r.at()), r.used(what)?)))
        .collect();
    trend::forecast(&points, second(run.start), total)
}

/// Whether a forecast is worth a word: soon, and sure enough. What was said once stays said while
/// it is half as true.
fn worth(memory: &Memory, what: usize, f: &Forecast, limits: &Limits) -> bool {
    let (Some(run), Some(last)) = (memory.running(), memory.rows().next_back()) else {
        return false;
    };
    let said = memory.warned.contains(&warned(&run.cell, what, run.run));
    let slack = if said { 2.0 } else { 1.0 };
    let minutes = match what {
        DISK => limits.disk,
        _ => limits.memory,
    };
    let limit = f64::from(minutes) * 60.0;
    let full = last.used(what).zip(last.total(what));
    let share = full.map_or(0.0, |(used, total)| used / total);
    minutes > 0
        && f.likely <= limit * slack
        && f.late <= f.likely * 4.0 * slack
        && share * slack >= f64::from(limits.full) / 100.0
}

fn warned(cell: &str, what: usize, run: u32) -> (String, u32) {
    (format!("{} {cell}", QUANTITIES[what].0), run)
}

/// Remembers what is being said of the running cell.
pub(crate) fn note(nb: &mut Notebook, limits: &Limits) {
    let Some(run) = nb.memory.running() else {
        return;
    };
    let (cell, number) = (run.cell.clone(), run.run);
    for what in [RAM, GPU, DISK] {
        let said = warned(&cell, what, number);
        if !nb.memory.warned.contains(&said)
            && fills(&nb.memory, what).is_some_and(|f| worth(&nb.memory, what, &f, limits))
        {
            nb.memory.warned.push(said);
        }
    }
}

/// A time from now for people, coarse: a card that changes every second is no help.
pub(crate) fn about(seconds: f64) -> String {
    let s = seconds.max(0.0) as u64;
    let step = match s {
        0..=119 => 30,
        120..=899 => 60,
        _ => 300,
    };
    duration(((s + step / 2) / step * step).max(step) * 1000)
}

fn filling(nb: &Notebook, id: &str, limits: &Limits) -> Option<Warning> {
    let memory = &nb.memory;
    if memory.running()?.cell != id {
        return None;
    }
    let (what, f) = [RAM, GPU, DISK]
        .into_iter()
        .filter_map(|what| {
            Some((
                what,
                fills(memory, what).filter(|f| worth(memory, what, f, limits))?,
            ))
        })
        .reduce(|a, b| if b.1.likely < a.1.likely { b } else { a })?;
    let mut w = warning(QUANTITIES[what].1, "filling", 0.7)?;
    let last = memory.rows().next_back()?;
    w.text("eta", about(f.likely));
    w.bytes("used_bytes", last.used(what)?);
    w.bytes("total_bytes", last.total(what)?);
    w.known.push((
        "forecast",
        format!(
            "{} is full in {} to {} at the rate of the last minutes",
            QUANTITIES[what].0,
            about(f.soon),
            about(f.late)
        ),
    ));
    Some(w)
}

/// The last thing that was seen of a cell or of the runtime.
fn latest(nb: &Notebook, cell: &Cell) -> u64 {
    let sample = nb.memory.rows().next_back().map_or(0, |r| r.at());
    cell.touched.max(sample)
}

fn clock(nb: &Notebook, id: &str, cell: &Cell, limits: &Limits) -> Option<Warning> {
    let memory = &nb.memory;
    let now = latest(nb, cell);
    let run = memory.running().filter(|r| r.cell == id)?;
    let age = now.saturating_sub(memory.born);
    let ran = now.saturating_sub(run.start);
    let old = memory.born > 0 && age >= OLD_MS;
    let long = limits.unsaved > 0 && ran >= u64::from(limits.unsaved) * 60_000;
    if !old && !long {
        return None;
    }
    let saved = |r: &&Ran| {
        let source = nb.cells.get(&r.cell).map_or("", |c| c.source.as_str());
        r.start >= memory.boot && source::saves(source)
    };
    let kept = source::saves(&cell.source) || memory.runs.iter().rfind(saved).is_some();
    if !old && kept {
        return None;
    }
    let mut w = warning("session-time-limit", "soon", 0.7)?;
    if old {
        w.text("age", duration(age / 1_800_000 * 1_800_000));
        w.text(
            "left",
            about(LONGEST_MS.saturating_sub(age) as f64 / 1000.0),
        );
    }
    if !kept && limits.unsaved > 0 {
        w.text("unsaved", duration(ran / 1_800_000 * 1_800_000));
        let text = "no call that saves stands in the cells that ran";
        w.known.push(("code", text.to_owned()));
    }
    w.known.push((
        "runtime",
        format!("first seen {} ago", duration(age / 600_000 * 600_000)),
    ));
    Some(w)
}

/// So soon an end matters more than what slows a run down, in seconds.
const SOON: f64 = 1800.0;

/// What limits the present run: what will stop it first, its name and when; or what slows it down
/// meanwhile, and what says so. `None`: nothing in sight.
pub(crate) fn bottleneck(nb: &Notebook, hosted: bool) -> Option<String> {
    let memory = &nb.memory;
    memory.running()?;
    let mut first: Option<(&'static str, Forecast)> = None;
    for what in [RAM, GPU, DISK] {
        if let Some(f) = fills(memory, what) {
            if first.is_none_or(|(_, b)| f.likely < b.likely) {
                first = Some((QUANTITIES[what].0, f));
            }
        }
    }
    if hosted && memory.born > 0 {
        let seen = memory.rows().next_back().map_or(0, |r| r.at());
        let left = (memory.born + LONGEST_MS).saturating_sub(seen) as f64 / 1000.0;
        let end = Forecast {
            soon: left,
            likely: left,
            late: left,
        };
        if seen > 0 && first.is_none_or(|(_, b)| left < b.likely) {
            first = Some(("Time limit", end));
        }
    }
    if first.is_none_or(|(_, f)| f.likely > SOON) {
        if let Some(slow) = load::slows(memory) {
            return Some(slow);
        }
    }
    first.map(|(name, f)| match f.soon < f.late {
        true => format!("{name}, full in {} to {}", about(f.soon), about(f.late)),
        false => format!("{name}, in {} at the most", about(f.likely)),
    })
}

/// Whether a cell's present source is not what ran.
pub(crate) fn edited(memory: &Memory, id: &str, cell: &Cell) -> bool {
    memory.ran(id).is_some_and(|r| {
        r.run == cell.run() && r.end > 0 && r.source != record::checksum(&cell.source)
    })
}
