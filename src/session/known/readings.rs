//! Readings of the runtime as the record keeps them.

use nbmedic_vitals::{self as vitals, Reading};

/// A quantity of the runtime that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Main memory.
    Ram,
    /// Memory of the GPU.
    Gpu,
    /// The disk.
    Disk,
}

impl Quantity {
    /// All of them, in the order in which cards and panels list them.
    pub const ALL: [Quantity; 3] = [Quantity::Ram, Quantity::Gpu, Quantity::Disk];
}

/// Use and limit of a quantity at one time, in KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// In use, if shown.
    pub used: Option<u64>,
    /// The limit, if shown.
    pub total: Option<u64>,
}

impl From<Reading> for Level {
    fn from(reading: Reading) -> Level {
        match reading {
            Reading::Known { used, total } => Level {
                used: Some(used / 1024),
                total: total.map(|n| n / 1024),
            },
            Reading::Missing(_) => Level::default(),
        }
    }
}

/// The quantities at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Main memory.
    pub ram: Level,
    /// Memory of the GPU.
    pub gpu: Level,
    /// The disk.
    pub disk: Level,
}

impl From<&vitals::Sample> for Sample {
    fn from(s: &vitals::Sample) -> Sample {
        Sample {
            at: s.at,
            ram: s.ram.into(),
            gpu: s.gpu.into(),
            disk: s.disk.into(),
        }
    }
}

pub(crate) fn bytes(kib: u64) -> f64 {
    kib as f64 * 1024.0
}

impl Sample {
    /// The level of a quantity.
    pub fn level(&self, what: Quantity) -> Level {
        match what {
            Quantity::Ram => self.ram,
            Quantity::Gpu => self.gpu,
            Quantity::Disk => self.disk,
        }
    }

    /// Bytes in use, if known.
    pub fn used(&self, what: Quantity) -> Option<f64> {
        self.level(what).used.map(bytes)
    }

    /// The limit in bytes, if known.
    pub fn total(&self, what: Quantity) -> Option<f64> {
        self.level(what).total.filter(|n| *n > 0).map(bytes)
    }

    /// The same levels at another time.
    pub fn moved_to(self, at: u64) -> Sample {
        Sample { at, ..self }
    }

    /// Whether the levels are those of another sample.
    pub fn same_levels(&self, other: &Sample) -> bool {
        other.moved_to(self.at) == *self
    }

    /// Whether a use moved by more than a fiftieth of its limit, appeared or disappeared.
    pub fn jumped(&self, last: &Sample) -> bool {
        Quantity::ALL.into_iter().any(|what| {
            let (now, then) = (self.level(what), last.level(what));
            match (now.used, then.used) {
                (Some(a), Some(b)) => a.abs_diff(b) > now.total.unwrap_or(0) / 50,
                (now, then) => now != then,
            }
        })
    }
}

/// How busy processors, disks and the GPU were, in percent, as the probe saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// When, in milliseconds since 1970 by the page's clock.
    pub at: u64,
    /// All processors.
    pub all: Option<u32>,
    /// The kernel's process, of one processor.
    pub own: Option<u32>,
    /// The busiest GPU.
    pub gpu: Option<u32>,
    /// The busiest disk.
    pub disk: Option<u32>,
    /// Time in which something waited for a disk.
    pub wait: Option<u32>,
}

impl Load {
    /// Whether any figure is known.
    pub fn is_known(&self) -> bool {
        [self.all, self.own, self.gpu, self.disk, self.wait]
            .iter()
            .any(Option::is_some)
    }
}
