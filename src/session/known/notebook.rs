//! One notebook of a page.

use super::cell::Cell;
use super::memory::Memory;
use super::output::PROBE;
use litemap::LiteMap;
use nbmedic_protocol::{CellState, KernelStatus, Said};
use nbmedic_vitals::Series;

/// A run that was cut off this long before a notice may be the one that the notice is about, in
/// milliseconds. Colab asks its server why for up to 30 s before it shows the toast.
pub(crate) const CUT_MS: u64 = 45_000;
/// Maximum number of closed notices remembered.
const MAX_GONE: usize = 8;
/// Maximum number of cells kept of one notebook.
const MAX_CELLS: usize = 5000;

/// Signs of a restart that no event reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestartSigns {
    /// Toasts in words that no rule knows, and when each came.
    pub toasts: Vec<(u64, Said)>,
    /// When the user last asked for a restart, or a dialog in unknown words opened: a restart is
    /// confirmed in one.
    pub asked: Option<u64>,
    /// When execution counts of idle cells were last reset.
    pub reset: Option<u64>,
}

/// A notice in words that no rule knows, and when it opened and closed.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    pub said: Said,
    pub dialog: bool,
    pub opened: u64,
    pub closed: Option<u64>,
}

/// What the page shows of a lost connection to the kernel. A replay of the page's events gives the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loss {
    /// Since when there has been no connection, in milliseconds since 1970; none if there is one.
    pub since: Option<u64>,
    /// The last notices in unknown words, oldest first.
    pub notices: Vec<Unread>,
    /// The last notices that closed: one may do so in the batch in which it opened.
    pub gone: Vec<(String, u64)>,
}

impl Loss {
    /// Records the kernel's status at `now`.
    pub fn see(&mut self, status: KernelStatus, now: u64) {
        match status {
            KernelStatus::Disconnected | KernelStatus::Connecting => {
                self.since.get_or_insert(now);
            }
            _ => self.since = None,
        }
    }

    /// Records that a notice closed.
    pub fn close(&mut self, id: &str, now: u64) {
        for n in self.notices.iter_mut().filter(|n| n.said.id == id) {
            n.closed.get_or_insert(now);
        }
        self.gone.push((id.to_owned(), now));
        let extra = self.gone.len().saturating_sub(MAX_GONE);
        self.gone.drain(..extra);
    }
}

/// A notebook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notebook {
    pub name: String,
    pub cells: LiteMap<String, Cell>,
    pub status: KernelStatus,
    /// Its own readings: the probe's, or those of a widget that names it.
    pub vitals: Series,
    /// The record of its session.
    pub memory: Memory,
    /// The record as it is stored.
    pub stored: Memory,
    /// Incidents up to this number came with the stored record: they are its own.
    pub recalled: u32,
    pub signs: RestartSigns,
    pub loss: Loss,
}

impl Notebook {
    /// The cell of an event; none if there are too many.
    pub fn cell(&mut self, id: &str) -> Option<&mut Cell> {
        if self.cells.len() >= MAX_CELLS && !self.cells.contains_key(id) {
            return None;
        }
        Some(self.cells.entry(id.to_owned()).or_default())
    }

    /// Whether a probe has reported from the kernel that runs now.
    pub fn is_probing(&self) -> bool {
        let restarted = self
            .memory
            .restarts
            .last()
            .map_or(0, |r| u64::from(r.second));
        let heard = self.memory.loads.last();
        heard.is_some_and(|load| load.at / 1000 >= restarted)
    }

    /// Whether a probe has been recording in it.
    pub fn is_probed(&self) -> bool {
        let said = |c: &Cell| c.joined.text.contains(PROBE);
        !self.memory.flights.is_empty()
            || !self.memory.loads.is_empty()
            || self.cells.values().any(said)
    }

    /// All runs that were seen.
    pub fn runs(&self) -> u64 {
        self.cells.values().map(|c| u64::from(c.run())).sum()
    }

    /// The running cell; the first one if several wait for the same kernel.
    pub fn running(&self) -> Option<(&String, &Cell)> {
        self.cells
            .iter()
            .filter(|(_, c)| !c.gone && c.state == CellState::Running)
            .min_by_key(|(_, c)| (c.since, c.index))
    }

    /// Whether a cell runs, or was cut off just now.
    pub fn was_hit(&self, now: u64) -> bool {
        let cut = |c: &Cell| {
            !c.gone
                && c.cut_off()
                    .is_some_and(|end| now.saturating_sub(end) <= CUT_MS)
        };
        self.running().is_some() || self.cells.values().any(cut)
    }

    /// Sorts cells in the order in which they ran, without those that are not on the page.
    pub fn in_order<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut cells: Vec<(&str, &Cell)> = ids
            .filter_map(|id| Some((id, self.cells.get(id).filter(|c| !c.gone)?)))
            .collect();
        let count = |c: &Cell| c.count.and_then(|n| u64::try_from(n).ok());
        cells.sort_by_key(|(_, c)| (count(c).unwrap_or(u64::MAX), c.index));
        cells.into_iter().map(|(id, _)| id.to_owned()).collect()
    }

    /// The cells that ran in this kernel, except one, in the order of their runs.
    pub fn ran_here(&self, except: &str) -> Vec<&Cell> {
        let memory = &self.memory;
        let runs = memory.runs.iter().filter(|r| r.cell != except);
        runs.filter(|r| memory.in_this_kernel(r.start))
            .filter_map(|r| self.cells.get(&r.cell))
            .collect()
    }

    /// Whether a cell's current source is not what ran.
    pub fn edited(&self, id: &str, cell: &Cell) -> bool {
        self.memory.ran(id).is_some_and(|r| {
            r.run == cell.run() && r.end.is_some() && r.source != super::checksum(&cell.source)
        })
    }
}
