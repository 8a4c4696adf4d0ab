//! The record of a notebook's session: what must not be forgotten when the page's events are
//! replayed.
//!
//! [`wire::Memory`] is the form in which it is stored; this one is what the engine works
//! with. The two convert into each other without loss.

use super::readings::{Level, Load, Quantity, Sample};
use super::runs::{Run, RunLevels, Use};
use nbmedic_protocol as wire;
use nbmedic_protocol::{Before, Context, Dismissed, Flight, KernelStatus, Said};

const MAX_INCIDENTS: usize = 16;
const MAX_NOTICES: usize = 8;
const MAX_CONTEXTS: usize = 8;
const MAX_MEMBERS: usize = 64;
const MAX_FAULTS: usize = 128;
const MAX_HANDLED: usize = 64;
const MAX_DISMISSED: usize = 64;
const MAX_RUNS: usize = 96;
const MAX_RESTARTS: usize = 16;
const MAX_WARNED: usize = 32;
const MAX_FLIGHTS: usize = 16;
/// Two minutes of readings.
const MAX_LOADS: usize = 30;

/// Why a kernel was restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartCause {
    /// The person asked for it.
    Asked,
    /// The kernel had died.
    Died,
    /// Nothing told of it; the execution counts started again.
    Unseen,
}

/// A restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Restart {
    pub cause: RestartCause,
    /// When, in seconds since 1970.
    pub second: u32,
}

/// What the source of the cell that was running says about a death.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CodeSays {
    /// Nothing.
    #[default]
    Nothing,
    /// This line ends the kernel; surely, or only if it is reached.
    EndsKernel { line: u32, surely: bool },
    /// This line asks for so many bytes, the most of any whose size can be read.
    Allocates { line: u32, bytes: u64 },
}

/// The kernel died, or the front end said something that needs explaining.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Incident {
    /// Its number in the notebook, from 1.
    pub n: u32,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The kernel or the runtime is gone.
    pub fatal: bool,
    /// The cell that was running.
    pub cell: Option<String>,
    /// That cell's run.
    pub run: u32,
    /// All runs that the notebook had seen by then.
    pub runs: u64,
    /// How long the cell had been running, in milliseconds.
    pub ran: Option<u64>,
    /// What the front end said.
    pub notices: Vec<Said>,
    /// The status that told of it.
    pub status: Option<KernelStatus>,
    /// Main memory before.
    pub ram: Option<Before>,
    /// Memory of the GPU before.
    pub gpu: Option<Before>,
    /// The disk before.
    pub disk: Option<Before>,
    /// How long the runtime had been seen, in milliseconds.
    pub age: Option<u64>,
    /// How long nothing had run, in milliseconds.
    pub idle: u64,
    /// What the cell's source says about it.
    pub code: CodeSays,
}

/// The record of one notebook.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    pub nb: String,
    /// The notebook's name: it may have another id after a reload of the page.
    pub name: String,
    /// The number given to the last incident.
    pub last: u32,
    /// Incidents, oldest first.
    pub incidents: Vec<Incident>,
    /// Runs of cells that failed on the GPU and were looked at.
    pub faults: Vec<(String, u32)>,
    /// CUDA contexts that died, oldest first.
    pub contexts: Vec<Context>,
    /// Notices that need no further look.
    pub handled: Vec<String>,
    pub dismissed: Vec<Dismissed>,
    /// The kernel's status when the record was stored: the same one again is no news.
    pub status: KernelStatus,
    /// When the runtime was first seen, in milliseconds since 1970.
    pub born: Option<u64>,
    /// Since when the present kernel runs, where its start was seen.
    pub boot: Option<u64>,
    pub restarts: Vec<Restart>,
    /// The last runs of cells, oldest first.
    pub runs: Vec<Run>,
    /// Readings of the widgets and the probe, oldest first.
    pub samples: Vec<Sample>,
    /// Loads that the probe saw, oldest first.
    pub loads: Vec<Load>,
    /// Ends of kernels that the probe recorded, in the order in which they were read.
    pub flights: Vec<Flight>,
    /// Warnings already given: the quantity and the cell as [`Quantity::warning`] writes them, and
    /// the cell's run.
    pub warned: Vec<(String, u32)>,
}

impl Quantity {
    /// What a record calls the warning that this quantity fills while a cell runs.
    pub(crate) fn warning(self, cell: &str) -> String {
        // Stored records have these names: another would repeat a warning.
        let name = match self {
            Quantity::Ram => "Runtime RAM",
            Quantity::Gpu => "GPU memory",
            Quantity::Disk => "Disk",
        };
        format!("{name} {cell}")
    }
}

impl Memory {
    /// The last run of a cell.
    pub fn ran(&self, cell: &str) -> Option<&Run> {
        self.runs.iter().rfind(|r| r.cell == cell)
    }

    /// The run that is going on.
    pub fn running(&self) -> Option<&Run> {
        self.runs.iter().rfind(|r| r.end.is_none())
    }

    /// Whether a time is of the present kernel, as far as its start was seen.
    pub fn in_this_kernel(&self, at: u64) -> bool {
        self.boot.is_none_or(|boot| at >= boot)
    }

    /// Whether a notice was dealt with.
    pub fn knows_notice(&self, id: &str) -> bool {
        self.handled.iter().any(|h| h == id)
    }

    /// The context that a cell's run killed or suffered from, and whether it killed it.
    pub fn context(&self, cell: &str, run: u32) -> Option<(&Context, bool)> {
        self.contexts.iter().rev().find_map(|c| {
            if c.cell == cell && c.run == run {
                Some((c, true))
            } else if c.members.iter().any(|(m, r)| m == cell && *r == run) {
                Some((c, false))
            } else {
                None
            }
        })
    }

    /// No CUDA context of the last kernel is alive.
    pub fn close_contexts(&mut self) {
        for c in &mut self.contexts {
            c.open = false;
        }
    }

    /// Drops the oldest of what there is too much of.
    pub fn bound(&mut self) {
        fn last<T>(list: &mut Vec<T>, max: usize) {
            let extra = list.len().saturating_sub(max);
            list.drain(..extra);
        }
        last(&mut self.incidents, MAX_INCIDENTS);
        last(&mut self.contexts, MAX_CONTEXTS);
        last(&mut self.faults, MAX_FAULTS);
        last(&mut self.handled, MAX_HANDLED);
        last(&mut self.dismissed, MAX_DISMISSED);
        last(&mut self.runs, MAX_RUNS);
        last(&mut self.restarts, MAX_RESTARTS);
        last(&mut self.warned, MAX_WARNED);
        last(&mut self.flights, MAX_FLIGHTS);
        last(&mut self.loads, MAX_LOADS);
        for c in &mut self.contexts {
            last(&mut c.members, MAX_MEMBERS);
        }
        for i in &mut self.incidents {
            last(&mut i.notices, MAX_NOTICES);
        }
    }

    /// This record for the same notebook on a page that was loaded again: the sensor counts runs
    /// from 0 again, and gives its notices other ids.
    pub fn reloaded(&self, nb: &str) -> Memory {
        let mut memory = Memory {
            nb: nb.to_owned(),
            faults: Vec::new(),
            handled: Vec::new(),
            dismissed: Vec::new(),
            warned: Vec::new(),
            status: KernelStatus::default(),
            ..self.clone()
        };
        // Nobody watched how a run ended that was going on.
        memory.runs.retain(|r| r.end.is_some());
        for r in &mut memory.runs {
            r.run = 0;
        }
        for i in &mut memory.incidents {
            (i.run, i.runs) = (0, 0);
            for said in &mut i.notices {
                said.id = String::new();
            }
        }
        for c in &mut memory.contexts {
            c.run = 0;
            c.members.clear();
        }
        memory
    }
}

/// What stands in a stored record for a figure that is not known.
const MISSING: i64 = -1;

fn figure(n: i64) -> Option<u64> {
    u64::try_from(n).ok()
}

fn stored(n: Option<u64>) -> i64 {
    n.map_or(MISSING, |n| n as i64)
}

/// 0 stands for "not known" in a stored record.
fn nonzero(n: u64) -> Option<u64> {
    (n > 0).then_some(n)
}

/// A stored sample: its time, then use and limit of each quantity in KiB.
fn sample(row: &[i64]) -> Sample {
    let level = |at: usize| Level {
        used: figure(row[at]),
        total: figure(row[at + 1]),
    };
    Sample {
        at: row[0].max(0) as u64,
        ram: level(1),
        gpu: level(3),
        disk: level(5),
    }
}

/// A stored load: its time, then the figures of [`Load`].
fn load(row: &[i64]) -> Load {
    let percent = |at: usize| u32::try_from(row[at]).ok();
    Load {
        at: row[0].max(0) as u64,
        all: percent(1),
        own: percent(2),
        gpu: percent(3),
        disk: percent(4),
        wait: percent(5),
    }
}

/// Stored levels of a run: before, peak and after of memory, device memory and disk.
fn levels(row: &[i64]) -> Option<RunLevels> {
    let of = |what: usize| Use {
        before: figure(row[what]),
        peak: figure(row[3 + what]),
        after: figure(row[6 + what]),
    };
    (row.len() == 9).then(|| RunLevels {
        ram: of(0),
        gpu: of(1),
        disk: of(2),
    })
}

impl From<&wire::Ran> for Run {
    fn from(r: &wire::Ran) -> Run {
        Run {
            cell: r.cell.clone(),
            run: r.run,
            source: r.source,
            count: r.count,
            start: r.start,
            end: nonzero(r.end),
            well: r.well,
            levels: levels(&r.levels),
            tail: r.tail.clone(),
            id: r.id.clone(),
            packages: r.packages.clone(),
        }
    }
}

impl From<&Run> for wire::Ran {
    fn from(r: &Run) -> wire::Ran {
        let levels = r.levels.map_or(Vec::new(), |l| {
            let all = Quantity::ALL.map(|what| *l.of(what));
            let rows = [
                all.map(|u| stored(u.before)),
                all.map(|u| stored(u.peak)),
                all.map(|u| stored(u.after)),
            ];
            rows.concat()
        });
        wire::Ran {
            cell: r.cell.clone(),
            run: r.run,
            source: r.source,
            count: r.count,
            start: r.start,
            end: r.end.unwrap_or(0),
            well: r.well,
            levels,
            tail: r.tail.clone(),
            id: r.id.clone(),
            packages: r.packages.clone(),
        }
    }
}

impl From<&wire::Incident> for Incident {
    fn from(i: &wire::Incident) -> Incident {
        Incident {
            n: i.n,
            at: i.at,
            fatal: i.fatal,
            cell: i.cell.clone(),
            run: i.run,
            runs: i.runs,
            ran: i.ran,
            notices: i.notices.clone(),
            status: i.status,
            ram: i.ram,
            gpu: i.gpu,
            disk: i.disk,
            age: nonzero(i.age),
            idle: i.idle,
            code: match (i.wants, i.line) {
                (0, 0) => CodeSays::Nothing,
                (0, line) => CodeSays::EndsKernel {
                    line,
                    surely: i.asked,
                },
                (bytes, line) => CodeSays::Allocates { line, bytes },
            },
        }
    }
}

impl From<&Incident> for wire::Incident {
    fn from(i: &Incident) -> wire::Incident {
        let (wants, line, asked) = match i.code {
            CodeSays::Nothing => (0, 0, false),
            CodeSays::EndsKernel { line, surely } => (0, line, surely),
            CodeSays::Allocates { line, bytes } => (bytes, line, false),
        };
        wire::Incident {
            n: i.n,
            at: i.at,
            fatal: i.fatal,
            cell: i.cell.clone(),
            run: i.run,
            runs: i.runs,
            ran: i.ran,
            notices: i.notices.clone(),
            status: i.status,
            ram: i.ram,
            gpu: i.gpu,
            disk: i.disk,
            age: i.age.unwrap_or(0),
            idle: i.idle,
            wants,
            line,
            asked,
        }
    }
}

impl From<&wire::Memory> for Memory {
    fn from(m: &wire::Memory) -> Memory {
        let cause = |why: &str| match why {
            "person" => RestartCause::Asked,
            "died" => RestartCause::Died,
            _ => RestartCause::Unseen,
        };
        let restart = |(why, second): &(String, u32)| Restart {
            cause: cause(why),
            second: *second,
        };
        let mut memory = Memory {
            nb: m.nb.clone(),
            name: m.name.clone(),
            last: m.last,
            incidents: m.incidents.iter().map(Incident::from).collect(),
            faults: m.faults.clone(),
            contexts: m.contexts.clone(),
            handled: m.handled.clone(),
            dismissed: m.dismissed.clone(),
            status: m.status,
            born: nonzero(m.born),
            boot: nonzero(m.boot),
            restarts: m.restarts.iter().map(restart).collect(),
            runs: m.runs.iter().map(Run::from).collect(),
            samples: m.samples.chunks_exact(7).map(sample).collect(),
            loads: m.loads.chunks_exact(6).map(load).collect(),
            flights: m.flights.clone(),
            warned: m.warned.clone(),
        };
        memory.bound();
        memory
    }
}

impl From<&Memory> for wire::Memory {
    fn from(m: &Memory) -> wire::Memory {
        let word = |cause: RestartCause| match cause {
            RestartCause::Asked => "person",
            RestartCause::Died => "died",
            RestartCause::Unseen => "unseen",
        };
        let restart = |r: &Restart| (word(r.cause).to_owned(), r.second);
        let sample = |s: &Sample| {
            let levels = Quantity::ALL.map(|what| s.level(what));
            let [ram, gpu, disk] = levels.map(|l| [stored(l.used), stored(l.total)]);
            [&[s.at as i64][..], &ram, &gpu, &disk].concat()
        };
        let load = |l: &Load| {
            let figures = [l.all, l.own, l.gpu, l.disk, l.wait];
            let figures = figures.map(|n| n.map_or(MISSING, i64::from));
            [&[l.at as i64][..], &figures].concat()
        };
        wire::Memory {
            nb: m.nb.clone(),
            name: m.name.clone(),
            old: false,
            last: m.last,
            incidents: m.incidents.iter().map(wire::Incident::from).collect(),
            faults: m.faults.clone(),
            contexts: m.contexts.clone(),
            handled: m.handled.clone(),
            dismissed: m.dismissed.clone(),
            status: m.status,
            born: m.born.unwrap_or(0),
            boot: m.boot.unwrap_or(0),
            restarts: m.restarts.iter().map(restart).collect(),
            runs: m.runs.iter().map(wire::Ran::from).collect(),
            samples: m.samples.iter().flat_map(sample).collect(),
            loads: m.loads.iter().flat_map(load).collect(),
            flights: m.flights.clone(),
            warned: m.warned.clone(),
        }
    }
}
