//! The record of a notebook's session: what a replay of the page's events can't derive again.
//!
//! [`nbmedic_protocol::Memory`] is the form in which it is stored; this one is what the engine works
//! with.

use super::readings::{Load, Quantity, Sample};
use super::runs::Run;
use nbmedic_protocol::limits::*;
use nbmedic_protocol::{Before, Context, Dismissed, Flight, KernelStatus, Said};

/// Why a kernel was restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartCause {
    /// The user asked for it.
    Asked,
    /// The kernel had died.
    Died,
    /// Nothing reported it; the execution counts restarted.
    Unseen,
}

/// A restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Restart {
    pub cause: RestartCause,
    /// When, in seconds since 1970.
    pub second: u32,
}

/// What the source of the running cell says about a death.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CodeSays {
    /// Nothing.
    #[default]
    Nothing,
    /// It is not known yet: the reader of the source is not loaded.
    Unread,
    /// This line ends the kernel, either certainly or only if it is reached, and the cell does nothing after it.
    EndsKernel { line: u32, surely: bool, last: bool },
    /// This line asks for this many bytes, more than any other whose size can be read.
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
    /// The kernel's status that reported it.
    pub status: Option<KernelStatus>,
    /// Main memory before it.
    pub ram: Option<Before>,
    /// Memory of the GPU before it.
    pub gpu: Option<Before>,
    /// The disk before it.
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
    /// Runs of cells that failed on the GPU and were checked.
    pub faults: Vec<(String, u32)>,
    /// CUDA contexts that died, oldest first.
    pub contexts: Vec<Context>,
    /// Notices that need no further look.
    pub handled: Vec<String>,
    pub dismissed: Vec<Dismissed>,
    /// The kernel's status when the record was stored: the same status again is not a change.
    pub status: KernelStatus,
    /// When the runtime was first seen, in milliseconds since 1970.
    pub born: Option<u64>,
    /// When the current kernel started, if that was seen.
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

    /// The run in progress.
    pub fn running(&self) -> Option<&Run> {
        self.runs.iter().rfind(|r| r.end.is_none())
    }

    /// Whether a time is within the current kernel's life, as far as its start was seen.
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

    /// Marks the CUDA contexts of the previous kernel as gone.
    pub fn close_contexts(&mut self) {
        for c in &mut self.contexts {
            c.open = false;
        }
    }

    /// Whether something in it waits for the reader of the sources.
    pub fn is_unread(&self) -> bool {
        let code = self.incidents.iter().any(|i| i.code == CodeSays::Unread);
        code || self.runs.iter().any(|r| r.unread)
    }

    /// Drops the oldest entries of each list that is too long.
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

    /// This record for the same notebook after a reload: the sensor counts runs from 0 again, and gives
    /// notices new ids.
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
        // The end of a run in progress was not seen.
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
