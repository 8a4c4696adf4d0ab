//! Runs of cells, and what each did to the runtime's memory.

use super::fnv1a;
use super::readings::{bytes, Quantity, Sample};

/// What a run did to a quantity: KiB in use before it, at most while it ran, and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    pub before: Option<u64>,
    pub peak: Option<u64>,
    pub after: Option<u64>,
}

/// The use of each quantity by a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunLevels {
    pub ram: Use,
    pub gpu: Use,
    pub disk: Use,
}

impl RunLevels {
    /// The use of a quantity.
    pub fn of(&self, what: Quantity) -> &Use {
        match what {
            Quantity::Ram => &self.ram,
            Quantity::Gpu => &self.gpu,
            Quantity::Disk => &self.disk,
        }
    }

    /// The use of a quantity, to be changed.
    pub fn of_mut(&mut self, what: Quantity) -> &mut Use {
        match what {
            Quantity::Ram => &mut self.ram,
            Quantity::Gpu => &mut self.gpu,
            Quantity::Disk => &mut self.disk,
        }
    }

    /// The levels at the start of a run: those of the last sample.
    fn from_sample(sample: &Sample) -> RunLevels {
        let mut levels = RunLevels::default();
        for what in Quantity::ALL {
            let used = sample.level(what).used;
            *levels.of_mut(what) = Use {
                before: used,
                peak: used,
                after: used,
            };
        }
        levels
    }
}

/// A run of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Run {
    /// The cell.
    pub cell: String,
    /// The number of the run, as the sensor counts them; 0 after a reload of the page.
    pub run: u32,
    /// The checksum of the cell's source when the run started.
    pub source: u32,
    /// The execution count with which it ended.
    pub count: Option<i64>,
    /// When it started, in milliseconds since 1970.
    pub start: u64,
    /// When it ended; none while it is in progress.
    pub end: Option<u64>,
    /// It ended without an error.
    pub well: bool,
    /// What it did to the runtime's memory; none if no reading is known.
    pub levels: Option<RunLevels>,
    /// The last line that it printed.
    pub tail: String,
    /// The diagnosis of its output; empty for none.
    pub id: String,
    /// Packages that it replaced although the kernel had loaded them.
    pub packages: Vec<String>,
    /// Whether it did is not known yet: the reader of its source is not loaded.
    pub unread: bool,
}

impl Run {
    /// A run that starts now.
    pub fn begin(cell: &str, run: u32, source: &str, start: u64, last: Option<&Sample>) -> Run {
        let levels = last.map(RunLevels::from_sample);
        let known = |l: &RunLevels| Quantity::ALL.iter().any(|q| l.of(*q).before.is_some());
        Run {
            cell: cell.to_owned(),
            run,
            source: checksum(source),
            start,
            levels: levels.filter(known),
            ..Run::default()
        }
    }

    fn used(&self, what: Quantity) -> Option<&Use> {
        self.levels.as_ref().map(|l| l.of(what))
    }

    /// Bytes in use before it.
    pub fn before(&self, what: Quantity) -> Option<f64> {
        self.used(what)?.before.map(bytes)
    }

    /// The most bytes in use while it ran.
    pub fn peak(&self, what: Quantity) -> Option<f64> {
        self.used(what)?.peak.map(bytes)
    }

    /// Bytes in use after it.
    pub fn after(&self, what: Quantity) -> Option<f64> {
        self.used(what)?.after.map(bytes)
    }
}

/// The checksum of a cell's source, without the white space around it.
pub(crate) fn checksum(source: &str) -> u32 {
    fnv1a(source.trim().bytes())
}
