//! What is known of one notebook.

use super::output::{Joined, Outputs};
use super::unread::Unread;
use crate::catalog;
use crate::triage::Diagnosis;
use crate::vitals::Series;
use litemap::LiteMap;
use nbmedic_protocol::{CellSeen, CellState, KernelStatus, OutputSeen};
use nbmedic_protocol::{Incident, Memory};

/// Below this a diagnosis is not shown.
pub(crate) const MIN_CONFIDENCE: f32 = 0.5;
/// From here on a diagnosis is shown while the cell is still running, without a traceback.
const CERTAIN: f32 = 0.9;
/// Most cells kept of one notebook.
pub(crate) const MAX_CELLS: usize = 5000;

/// A cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub index: u32,
    pub state: CellState,
    pub count: Option<i64>,
    /// Runs seen, as the cell's own event says.
    pub run: u32,
    /// Not on the page; kept because its runs count.
    pub gone: bool,
    pub source: String,
    pub outputs: Outputs,
    /// When its present run started.
    pub since: Option<u64>,
    /// When its last run ended, and whether it seemed to end well.
    pub ended: Option<(u64, bool)>,
    /// When something of it last changed.
    pub touched: u64,
    /// Something of it changed in this batch.
    pub dirty: bool,
    /// What its outputs are judged with changed.
    pub stale: bool,
    /// Its card is to be made again.
    pub refresh: bool,
    /// The judgement of its outputs.
    pub joined: Joined,
    pub diagnoses: Vec<Diagnosis>,
}

impl Cell {
    /// The run that is shown: an output may come before the cell's own event.
    pub fn run(&self) -> u32 {
        self.run.max(self.outputs.run())
    }

    /// Notes that it changed.
    pub fn touch(&mut self, now: u64) {
        self.touched = now;
        self.dirty = true;
    }

    /// What people call the cell.
    pub fn label(&self) -> String {
        match self.count {
            Some(n) => format!("cell [{n}]"),
            None => format!("cell {}", u64::from(self.index) + 1),
        }
    }

    /// The diagnoses that may be shown now. While the cell runs, what it prints is only judged
    /// where an exception was raised or nothing else can be meant.
    pub fn shown(&self) -> impl Iterator<Item = &Diagnosis> {
        let sure = self.state != CellState::Running || self.joined.failed;
        let min = if sure { MIN_CONFIDENCE } else { CERTAIN };
        self.diagnoses.iter().filter(move |d| d.confidence >= min)
    }
}

/// A cell that stopped running this long before a notice may be the one that it is about.
pub(crate) const RECENT_MS: u64 = 15_000;

/// What may be an incident.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    /// A notice of the front end.
    Notice(nbmedic_protocol::NoticeSeen),
    /// The kernel's status says that it died.
    Died(KernelStatus),
    /// The person restarts the kernel.
    Restarted,
}

/// A notebook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notebook {
    pub name: String,
    pub cells: LiteMap<String, Cell>,
    pub status: KernelStatus,
    pub vitals: Series,
    pub memory: Memory,
    /// What `memory` was when it was last kept.
    pub kept: Memory,
    /// Incidents up to this number were stored with it: they are its own.
    pub recalled: u32,
    /// Notices in unknown words, and signs of a restart.
    pub unread: Unread,
    /// What is to be judged at the end of the batch.
    pub signals: Vec<Signal>,
    /// All cards are to be made again.
    pub refresh: bool,
}

impl Notebook {
    /// The cell of an event; `None` if there are too many.
    pub fn cell(&mut self, id: &str) -> Option<&mut Cell> {
        if self.cells.len() >= MAX_CELLS && !self.cells.contains_key(id) {
            return None;
        }
        Some(self.cells.entry(id.to_owned()).or_default())
    }

    /// Takes a cell's event; whether another run of it began.
    pub fn see_cell(&mut self, seen: &CellSeen, now: u64) -> bool {
        let Some(cell) = self.cell(&seen.cell) else {
            return false;
        };
        let ran = seen.run != cell.run;
        let same = (cell.index, cell.state, cell.count, cell.run, cell.gone)
            == (seen.index, seen.state, seen.count, seen.run, false);
        if same {
            return false;
        }
        cell.touch(now);
        let was = cell.state;
        let runs = seen.state == CellState::Running;
        if runs && (was != CellState::Running || seen.run > cell.run || cell.since.is_none()) {
            cell.since = Some(now);
        }
        // One that waits again at once may have ended well.
        // A run that began and ended between two looks at the page is told only by how it ended.
        let unseen = seen.cut && seen.run > cell.run;
        if was == CellState::Running && !runs && seen.state != CellState::Pending || unseen {
            let well = matches!(seen.state, CellState::Done | CellState::Error) && !seen.cut;
            cell.ended = Some((now, well));
        }
        let active = matches!(seen.state, CellState::Running | CellState::Pending);
        let reset = cell.count.is_some() && seen.count.is_none() && !active;
        cell.gone = false;
        cell.index = seen.index;
        cell.state = seen.state;
        cell.count = seen.count;
        cell.run = seen.run;
        if reset {
            self.unread.reset = Some(now);
        }
        ran
    }

    /// Takes a window on an output.
    pub fn see_output(&mut self, seen: &OutputSeen, now: u64) {
        if let Some(cell) = self.cell(&seen.cell) {
            if cell.outputs.set(seen) {
                cell.touch(now);
            }
        }
    }

    /// Takes the kernel's status.
    pub fn see_status(&mut self, status: KernelStatus) {
        if status == self.status {
            return;
        }
        self.status = status;
        match status {
            KernelStatus::Autorestarting | KernelStatus::Dead => {
                self.signals.push(Signal::Died(status));
            }
            KernelStatus::Restarting => self.signals.push(Signal::Restarted),
            _ => {}
        }
    }

    /// Takes what was concluded before: it says more than what led to it.
    pub fn recall(&mut self, memory: &Memory) {
        self.signals.clear();
        self.unread = Unread::default();
        self.status = memory.status;
        self.memory = memory.clone();
        self.kept = memory.clone();
        self.recalled = memory.last;
        self.refresh = true;
    }

    /// Forgets the notices that another notebook's memory knows and its own does not.
    pub fn disown(&mut self, other: &Memory) {
        let own = self.recalled;
        let theirs = |i: &Incident| i.notices.iter().any(|s| other.knows_notice(&s.id));
        self.memory.incidents.retain(|i| i.n <= own || !theirs(i));
    }

    /// All runs that were seen.
    pub fn runs(&self) -> u64 {
        self.cells.values().map(|c| u64::from(c.run())).sum()
    }

    /// The cell that is running: of several that wait for the same kernel, the first.
    pub fn running(&self) -> Option<(&String, &Cell)> {
        self.cells
            .iter()
            .filter(|(_, c)| !c.gone && c.state == CellState::Running)
            .min_by_key(|(_, c)| (c.since, c.index))
    }

    /// Something runs in it, or was cut off just now.
    pub fn was_hit(&self, now: u64) -> bool {
        let cut = |c: &Cell| {
            let ended = c.ended.filter(|(_, well)| !c.gone && !well);
            ended.is_some_and(|(end, _)| now.saturating_sub(end) <= RECENT_MS)
        };
        self.running().is_some() || self.cells.values().any(cut)
    }

    /// The cells that changed in this batch, in the order in which they ran.
    pub fn in_order(&self) -> Vec<String> {
        let changed = |(_, c): &(&String, &Cell)| c.dirty && !c.gone;
        let cells: Vec<(&String, &Cell)> = self.cells.iter().filter(changed).collect();
        let count = |c: &Cell| c.count.and_then(|n| u64::try_from(n).ok());
        let keys = cells
            .iter()
            .map(|(_, c)| (count(c).unwrap_or(u64::MAX), u64::from(c.index)));
        let order = crate::order::sorted(keys);
        order.into_iter().map(|i| cells[i].0.clone()).collect()
    }
}

/// Whether a diagnosis is of the family of device faults.
pub(crate) fn is_device_fault(id: &str) -> bool {
    catalog::find(id).map_or(id.starts_with("cuda-"), |r| r.family == "gpu-fault")
}

/// Whether a diagnosis leaves the CUDA context unusable. A launch that was refused does not.
pub(crate) fn is_sticky(d: &Diagnosis) -> bool {
    let refused = |line: &str| {
        let line = line.to_ascii_lowercase();
        [
            "too many resources",
            "invalid configuration",
            "out of resource",
        ]
        .iter()
        .any(|s| line.contains(s))
    };
    match d.id {
        "cuda-illegal-access" | "cuda-device-assert" => true,
        "cuda-launch-failed" => !d.evidence.iter().any(|e| refused(&e.text)),
        _ => false,
    }
}
