//! What the engine concluded and must not forget when the record is replayed.
//!
//! The store keeps the latest event of each slot. Which cell was running when the kernel died, or
//! that a CUDA context died before the last restart, can't be told from the latest events. So the
//! engine asks the background to store its conclusions like an event (effect `keep`); in a replay
//! they replace whatever was concluded before them.

use super::strings::{Id, See, Text, MAX_NAME, MAX_NOTICE};
use super::words::KernelStatus;
use nbmedic_vitals::Reading;
use serde::{Deserialize, Serialize};

/// How much of a record is kept, and how its packed lists are laid out.
pub mod limits {
    /// Incidents.
    pub const MAX_INCIDENTS: usize = 16;
    /// Notices of one incident.
    pub const MAX_NOTICES: usize = 8;
    /// CUDA contexts.
    pub const MAX_CONTEXTS: usize = 8;
    /// Runs that failed because of one context.
    pub const MAX_MEMBERS: usize = 64;
    /// Runs that failed on the GPU.
    pub const MAX_FAULTS: usize = 128;
    /// Notices that need no further look.
    pub const MAX_HANDLED: usize = 64;
    /// Cards that were dismissed.
    pub const MAX_DISMISSED: usize = 64;
    /// Runs of cells.
    pub const MAX_RUNS: usize = 96;
    /// Restarts.
    pub const MAX_RESTARTS: usize = 16;
    /// Warnings already given.
    pub const MAX_WARNED: usize = 32;
    /// Ends of kernels that the probe recorded.
    pub const MAX_FLIGHTS: usize = 16;
    /// Samples. Of the older half every second one goes.
    pub const MAX_SAMPLES: usize = 160;
    /// Loads: two minutes of them.
    pub const MAX_LOADS: usize = 30;
    /// Numbers of one sample: its time, then use and limit of memory, device memory and disk in KiB.
    pub const SAMPLE: usize = 7;
    /// Numbers of one load: its time, then the five percentages.
    pub const LOAD: usize = 6;
    /// Stands for a number that is not known.
    pub const MISSING: i64 = -1;
}

use limits::*;

/// Conclusions about one notebook. JavaScript reads the notebook and sets `old`; the rest is the
/// engine's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(type = "{ nb: string; old?: boolean; [field: string]: unknown }")
)]
#[serde(default)]
pub struct Memory {
    /// The notebook; empty: none was on the page.
    pub nb: String,
    /// The notebook's name: after a reload of the page it may have another id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// It is of the page that stood here before a reload.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub old: bool,
    /// Number given to the last incident.
    pub last: u32,
    /// What happened to the session, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Incident>,
    /// Runs of cells that failed on the device and were looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(String, u32)>,
    /// CUDA contexts that died, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<Context>,
    /// Notices that need no further look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handled: Vec<String>,
    /// Cards that the person took away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<Dismissed>,
    /// The kernel's status when this was kept: the same one told again is nothing new.
    pub status: KernelStatus,
    /// When the runtime was first seen, in milliseconds since 1970; 0: not yet.
    pub born: u64,
    /// Since when the present kernel runs, as far as a restart was seen; 0: none was.
    pub boot: u64,
    /// Restarts: why (`person`, `died`, `unseen`) and when, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<(String, u32)>,
    /// The last runs of cells, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Ran>,
    /// Samples of the resource widgets, oldest first: seven numbers each, the time and then use and
    /// limit of memory, device memory and disk in KiB, -1 where not shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<i64>,
    /// What the probe said of processors and disks, oldest first: six numbers each, the time and then in
    /// percent all processors, the kernel of one, the GPU, the busiest disk and the time in which
    /// disks are waited for, -1 where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<i64>,
    /// Ends of kernels that the probe recorded, in the order in which they were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flights: Vec<Flight>,
    /// Of what was warned, and in which run: `ram`, `gpu`, `disk`, `clock`, and the cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<(String, u32)>,
}

/// A run of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ran {
    /// The cell.
    pub cell: String,
    /// Its run.
    pub run: u32,
    /// A checksum of its source when it started.
    pub source: u32,
    /// The execution count with which it ended.
    pub count: Option<i64>,
    /// When it started, in milliseconds since 1970.
    pub start: u64,
    /// When it ended; 0: it runs.
    pub end: u64,
    /// It ended without an error.
    pub well: bool,
    /// Memory, device memory and disk in use before, at most, and after: nine numbers, in KiB, -1
    /// where not shown; empty where nothing is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<i64>,
    /// The last line that it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// What was found in its output; empty: nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Packages that it replaced although the kernel had loaded them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// How a kernel ended, as the probe recorded it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flight {
    /// When, by the machine's clock, in milliseconds since 1970.
    pub at: u64,
    /// It ended without an error: a restart, a shutdown.
    pub clean: bool,
    /// The diagnosis; empty: what was seen does not tell, or it was no crash.
    pub id: String,
    /// How sure it is, in percent.
    pub sure: u32,
    /// The signal that ended it; 0: none, or not known.
    pub signal: i64,
    /// Who or what ended it, as the variant of a death without another cause; empty: it has one, or was no crash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub way: String,
    /// What a crash is called; empty: it was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// When it was read, by the page's clock, in milliseconds since 1970.
    pub seen: u64,
    /// What speaks for it, and what was written down.
    pub speaks: Vec<String>,
    /// What speaks against it.
    pub against: Vec<String>,
}

/// The kernel died, or the front end said something that needs explaining.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Incident {
    /// Its number in the notebook, from 1.
    pub n: u32,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The kernel or the runtime is gone.
    pub fatal: bool,
    /// The cell that was running.
    pub cell: Option<String>,
    /// The cell's run.
    pub run: u32,
    /// All runs that the notebook had seen by then.
    pub runs: u64,
    /// How long the cell had been running, in milliseconds.
    pub ran: Option<u64>,
    /// What the front end said.
    pub notices: Vec<Said>,
    /// The status that told of it.
    pub status: Option<KernelStatus>,
    /// Memory of the runtime before.
    pub ram: Option<Before>,
    /// Device memory before.
    pub gpu: Option<Before>,
    /// Disk before.
    pub disk: Option<Before>,
    /// How long the runtime had been seen, in milliseconds.
    pub age: u64,
    /// How long nothing had run, in milliseconds.
    pub idle: u64,
    /// The most that one line of the running cell asks for, in bytes; 0: nothing can be read off it.
    pub wants: u64,
    /// That line, or the line with which the cell ends its own kernel; from 1, 0: none.
    pub line: u32,
    /// The running cell ends its own kernel.
    pub asked: bool,
    /// It does nothing after that.
    pub last: bool,
}

/// A notice of an incident.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Said {
    /// The notice.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A reading and how old it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Before {
    /// The reading.
    pub reading: Reading,
    /// Its age, in milliseconds.
    pub age: u64,
}

/// A CUDA context that is dead since a cell's run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// The diagnosis that killed it.
    pub id: String,
    /// The cell.
    pub cell: String,
    /// Its run.
    pub run: u32,
    /// Its execution count.
    pub count: Option<i64>,
    /// What people call the cell.
    pub label: String,
    /// The kernel has not been restarted since.
    pub open: bool,
    /// Cells and runs that failed because of it.
    pub members: Vec<(String, u32)>,
}

/// A card that the person took away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dismissed {
    /// The card.
    pub card: String,
    /// The cell's run then.
    pub run: u32,
    /// The incident shown then; 0: none.
    pub n: u32,
}

impl Memory {
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
        for f in &mut self.flights {
            last(&mut f.speaks, 40);
            last(&mut f.against, 40);
        }
        let rows = self.loads.len() / LOAD;
        self.loads.truncate(rows * LOAD);
        self.loads.drain(..rows.saturating_sub(MAX_LOADS) * LOAD);
        let rows = self.samples.len() / SAMPLE;
        self.samples.truncate(rows.min(2 * MAX_SAMPLES) * SAMPLE);
        for c in &mut self.contexts {
            last(&mut c.members, MAX_MEMBERS);
        }
        for i in &mut self.incidents {
            last(&mut i.notices, MAX_NOTICES);
        }
    }

    pub(super) fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Text(MAX_NAME, &mut self.name));
        for said in self.incidents.iter_mut().flat_map(|i| &mut i.notices) {
            see(Text(MAX_NOTICE, &mut said.text));
        }
        for run in &mut self.runs {
            see(Text(MAX_NOTICE, &mut run.tail));
        }
        for flight in &mut self.flights {
            for said in flight.speaks.iter_mut().chain(&mut flight.against) {
                see(Text(MAX_NOTICE, said));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field is set, so that one which is written but not read is seen.
    #[test]
    fn what_is_kept_is_read_again() {
        let memory = Memory {
            nb: "n".into(),
            name: "demo".into(),
            old: true,
            last: 2,
            incidents: vec![Incident {
                n: 2,
                at: 1_800_000_000_000,
                fatal: true,
                cell: Some("c".into()),
                run: 3,
                runs: 4,
                ran: Some(5),
                notices: vec![Said {
                    id: "7".into(),
                    text: "crashed".into(),
                }],
                status: Some(KernelStatus::Dead),
                ram: Some(Before {
                    reading: Reading::Known {
                        used: 1 << 40,
                        total: Some(1 << 41),
                    },
                    age: 9,
                }),
                gpu: Some(Before::default()),
                disk: Some(Before::default()),
                age: 10,
                idle: 11,
                wants: 12,
                line: 13,
                asked: true,
                last: true,
            }],
            faults: vec![("c".into(), 1)],
            contexts: vec![Context {
                id: "cuda-illegal-access".into(),
                cell: "c".into(),
                run: 1,
                count: Some(-1),
                label: "cell 1".into(),
                open: true,
                members: vec![("d".into(), 2)],
            }],
            handled: vec!["7".into()],
            dismissed: vec![Dismissed {
                card: "n/c".into(),
                run: 1,
                n: 2,
            }],
            status: KernelStatus::Busy,
            born: 1_800_000_000_000,
            boot: 1_800_000_000_001,
            restarts: vec![("person".into(), 5)],
            runs: vec![Ran {
                cell: "c".into(),
                run: 1,
                source: 2,
                count: Some(3),
                start: 4,
                end: 5,
                well: true,
                levels: vec![1, 2, 3, 4, 5, 6, 7, 8, -1],
                tail: "done".into(),
                id: "gpu-oom".into(),
                packages: vec!["numpy".into()],
            }],
            samples: vec![1, 2, 3, 4, 5, 6, -1],
            loads: vec![1, 98, 99, 12, -1, 0],
            warned: vec![("ram".into(), 1)],
            flights: vec![Flight {
                at: 1,
                clean: true,
                id: "host-oom".into(),
                sure: 98,
                signal: 9,
                reason: "bus error".into(),
                seen: 2,
                way: "killed".into(),
                speaks: vec!["killed".into()],
                against: vec!["memory was low".into()],
            }],
        };
        let json = serde_json::to_string(&memory).unwrap();
        let read: Memory = serde_json::from_str(&json).unwrap();
        assert_eq!(read, memory, "{json}");
    }
}
