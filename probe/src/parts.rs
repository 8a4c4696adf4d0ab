//! The lines of a record, each as a struct.

use crate::json::{fields, Fields, Value};
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) const MAX_GPUS: usize = 16;
pub(crate) const MAX_TEXT: usize = 200;

/// The line `start`.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Unix time, ms.
    pub time: u64,
    /// Whether the native program wrote it, not Python.
    pub native: bool,
    /// The kernel's process id.
    pub pid: u64,
    /// The kernel's start, in clock ticks since the machine started.
    pub born: u64,
    /// The machine's boot id.
    pub boot: String,
    /// Bytes of memory.
    pub ram: Option<u64>,
    /// The control group's limit in bytes.
    pub limit: Option<u64>,
    /// The kernel's id, from the name of its connection file: a restart keeps it.
    pub id: Option<String>,
    /// Number of processors.
    pub cpus: Option<u64>,
    /// Version of NVIDIA's driver.
    pub driver: Option<String>,
}

/// A GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gpu {
    /// Its UUID.
    pub uuid: String,
    /// Its name.
    pub name: String,
    /// Bytes of memory.
    pub total: Option<u64>,
    /// Whether it is an instance of a partitioned GPU (MIG).
    pub mig: bool,
    /// Whether it is a virtual GPU.
    pub virtual_: bool,
    /// Whether `used` includes the driver's reserve.
    pub reserve_counted: bool,
    /// Missing figures: field, reason.
    pub missing: Vec<(String, String)>,
}

/// Two figures that belong together: bytes used, bytes in total.
pub type Use = (u64, u64);

/// The state at one time. An unknown figure is `None`, never 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Unix time, ms.
    pub time: u64,
    /// The machine's memory.
    pub ram: Option<Use>,
    /// Swap.
    pub swap: Option<Use>,
    /// The control group: bytes used, and its limit.
    pub group: Option<(u64, Option<u64>)>,
    /// Out-of-memory kills so far: the machine's, the control group's, Colab's.
    pub oom: [Option<u64>; 3],
    /// Pressure.
    pub pressure: Pressure,
    /// Disks: bytes read per second, bytes written per second, ms busy per second.
    pub io: [Option<u64>; 3],
    /// Percent of all processors busy, percent waiting for I/O, the kernel's percent of one
    /// processor, load average in hundredths.
    pub cpu: [Option<u64>; 4],
    /// Bytes resident: the kernel, its descendants.
    pub rss: [Option<u64>; 2],
    /// Seconds since the runtime started.
    pub up: Option<u64>,
    /// GPUs; `None` for one that does not answer.
    pub gpus: Vec<Option<GpuUse>>,
}

/// Pressure stall figures, `avg10` in hundredths of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressure {
    /// Something waits for memory.
    pub memory_some: Option<u64>,
    /// Everything waits for memory.
    pub memory_full: Option<u64>,
    /// Something waits for I/O.
    pub io_some: Option<u64>,
    /// Everything waits for I/O.
    pub io_full: Option<u64>,
    /// Something waits for a processor.
    pub cpu_some: Option<u64>,
}

/// A GPU at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuUse {
    /// Bytes used.
    pub used: Option<u64>,
    /// Bytes in total.
    pub total: Option<u64>,
    /// Percent of the time in which something ran on it.
    pub utilisation: Option<u64>,
    /// Degrees Celsius.
    pub temperature: Option<u64>,
    /// Watts.
    pub power: Option<u64>,
    /// Throttle reasons, for [`crate::nvml::throttling`].
    pub throttle: Option<u64>,
    /// Uncorrected memory errors.
    pub ecc: Option<u64>,
    /// Bytes used by the kernel and its descendants.
    pub own: Option<u64>,
    /// Clock of its processors (SM), in MHz. Older records have none.
    pub clock: Option<u64>,
}

/// A file system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// `/`, `.` (the working folder) or `/dev/shm`.
    pub name: String,
    /// Bytes free.
    pub free: u64,
    /// Bytes in total.
    pub total: u64,
}

/// A cell that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its execution count.
    pub count: u64,
    /// When it began, Unix time, ms.
    pub start: u64,
    /// When it ended, and whether it succeeded. `None` while it runs.
    pub done: Option<(u64, bool)>,
    /// The front end's id of the cell.
    pub id: Option<String>,
    /// The hash of its source.
    pub hash: Option<String>,
    /// Its first line.
    pub line: Option<String>,
}

/// A fault that a GPU reported (Xid).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xid {
    /// When the probe saw it, Unix time, ms.
    pub time: u64,
    /// Its number.
    pub number: u32,
    /// The GPU's UUID, if known.
    pub uuid: Option<String>,
    /// The driver's text in the kernel log.
    pub message: Option<String>,
}

/// The kernel's end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// Unix time, ms.
    pub time: u64,
    /// The wait status.
    pub status: Option<u32>,
    /// How many more out-of-memory kills there were, per counter.
    pub oom: [Option<u64>; 3],
    /// The kernel log's line about a kill: whether it names this kernel, if that can be determined,
    /// and the line.
    pub oom_line: Option<(Option<bool>, String)>,
    /// What Python's fault handler wrote.
    pub fault: Option<String>,
    /// Whether the control group's counter belongs to the kernel's own group.
    pub exact: bool,
    /// Whether the fault's stack was too deep to be shown: it overflowed.
    pub deep: bool,
    /// Whether the kernel's parent, its server, was still running. `None` if unknown.
    pub parent: Option<bool>,
    /// The last memory figures: bytes used, bytes in total.
    pub last: Option<Use>,
    /// `/dev/shm`: bytes free, bytes in total.
    pub shm: Option<Use>,
    /// The fuller one of `/` and the working folder's file system: bytes free, bytes in total.
    pub disk: Option<Use>,
    /// The last figure of the memory of the kernel's own process, in bytes.
    pub own: Option<u64>,
    /// Whether a GPU had stopped answering.
    pub gpu_lost: bool,
    /// Bytes that files in `/dev/shm` still held afterwards.
    pub kept: Option<u64>,
    /// Whether another program runs in the kernel's process: it called `exec`.
    pub replaced: bool,
    /// Whether it had used the processor time after which the system kills it.
    pub spent: bool,
}

impl Start {
    /// Whether both are about the same process.
    pub(crate) fn is_of(&self, other: &Start) -> bool {
        self.pid == other.pid && self.born == other.born && self.boot == other.boot
    }

    pub(crate) fn of(line: &[u8], time: u64) -> Start {
        let mut start = Start {
            time,
            ..Start::default()
        };
        for (name, value) in fields(line) {
            match name {
                b"mode" => start.native = value.is("native"),
                b"pid" => start.pid = value.number().unwrap_or(0),
                b"born" => start.born = value.number().unwrap_or(0),
                b"boot" => start.boot = value.text(MAX_TEXT).unwrap_or_default(),
                b"id" => start.id = value.text(MAX_TEXT),
                b"ram" => start.ram = value.number(),
                b"lim" => start.limit = value.number(),
                b"cpus" => start.cpus = value.number(),
                _ => {}
            }
        }
        start
    }
}

impl Gpu {
    pub(crate) fn of(fields: Fields) -> Gpu {
        let mut gpu = Gpu::default();
        for (name, value) in fields {
            match name {
                b"u" => gpu.uuid = value.text(MAX_TEXT).unwrap_or_default(),
                b"n" => gpu.name = value.text(MAX_TEXT).unwrap_or_default(),
                b"tot" => gpu.total = value.number(),
                b"mig" => gpu.mig = value.is_true(),
                b"vgpu" => gpu.virtual_ = value.is_true(),
                b"v1" => gpu.reserve_counted = value.is_true(),
                b"na" => {
                    gpu.missing = value
                        .fields()
                        .take(MAX_GPUS)
                        .filter_map(|(name, why)| {
                            Some((
                                String::from_utf8_lossy(name).into_owned(),
                                why.text(MAX_TEXT)?,
                            ))
                        })
                        .collect();
                }
                _ => {}
            }
        }
        gpu
    }
}

impl GpuUse {
    pub(crate) fn of(value: Value) -> Option<GpuUse> {
        value.items().next()?;
        let [used, total, utilisation, temperature, power, throttle, ecc, own, clock] =
            numbers(value);
        Some(GpuUse {
            used,
            total,
            utilisation,
            temperature,
            power,
            throttle,
            ecc,
            own,
            clock,
        })
    }
}

impl Space {
    pub(crate) fn of(value: Value) -> Option<Space> {
        let mut items = value.items();
        let name = items.next()?.text(MAX_TEXT)?;
        Some(Space {
            name,
            free: items.next()?.number()?,
            total: items.next()?.number()?,
        })
    }
}

impl Cell {
    pub(crate) fn of(line: &[u8], start: u64) -> Cell {
        let mut cell = Cell {
            start,
            ..Cell::default()
        };
        for (name, value) in fields(line) {
            match name {
                b"n" => cell.count = value.number().unwrap_or(0),
                b"c" => cell.id = value.text(MAX_TEXT),
                b"h" => cell.hash = value.text(MAX_TEXT),
                b"l" => cell.line = value.text(MAX_TEXT),
                _ => {}
            }
        }
        cell
    }
}

impl Xid {
    pub(crate) fn of(line: &[u8], time: u64) -> Option<Xid> {
        let mut xid = Xid {
            time,
            ..Xid::default()
        };
        let mut number = None;
        for (name, value) in fields(line) {
            match name {
                b"x" => number = value.number().and_then(|n| u32::try_from(n).ok()),
                b"u" => xid.uuid = value.text(MAX_TEXT),
                b"msg" => xid.message = value.text(MAX_TEXT),
                _ => {}
            }
        }
        xid.number = number?;
        Some(xid)
    }
}

impl End {
    pub(crate) fn of(line: &[u8], time: u64) -> End {
        let mut end = End {
            time,
            ..End::default()
        };
        let mut ours = Some(true);
        let mut text = None;
        for (name, value) in fields(line) {
            match name {
                b"st" => end.status = value.number().and_then(|n| u32::try_from(n).ok()),
                b"oom" => end.oom = numbers(value),
                b"oomline" => text = value.text(MAX_TEXT),
                b"oomother" if value.is_true() => ours = Some(false),
                b"oommaybe" if value.is_true() => ours = None,
                b"fault" => end.fault = value.text(MAX_TEXT),
                b"last" => end.last = pair(value),
                b"shm" => end.shm = pair(value),
                b"disk" => end.disk = pair(value),
                b"own" => end.own = value.number(),
                b"kept" => end.kept = value.number(),
                b"exec" => end.replaced = value.is_true(),
                b"spent" => end.spent = value.is_true(),
                b"exact" => end.exact = value.is_true(),
                b"deep" => end.deep = value.is_true(),
                b"par" => end.parent = value.number().map(|n| n != 0),
                b"lost" => end.gpu_lost = value.is_true(),
                _ => {}
            }
        }
        end.oom_line = text.map(|line| (ours, line));
        end
    }
}

pub(crate) fn numbers<const N: usize>(value: Value) -> [Option<u64>; N] {
    let mut out = [None; N];
    for (place, item) in out.iter_mut().zip(value.items()) {
        *place = item.number();
    }
    out
}

pub(crate) fn pair(value: Value) -> Option<Use> {
    match numbers(value) {
        [Some(a), Some(b)] => Some((a, b)),
        _ => None,
    }
}
