//! Reading a flight record.
//!
//! A file may hold the records of several kernels, one after the other. Only the newest part of a
//! long record is kept.

use crate::bytes::lines;
use crate::json::{fields, Fields, Value};
use crate::verdict::{verdict, Facts, Verdict, XidSeen};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

const MAX_LINE: usize = 8_192;
const MAX_RECORDS: usize = 8;
const MAX_SAMPLES: usize = 600;
const MAX_CELLS: usize = 64;
const MAX_XIDS: usize = 64;
const MAX_GPUS: usize = 16;
const MAX_TEXT: usize = 200;

/// One kernel's record.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What was there when it began.
    pub start: Start,
    /// The GPUs, in the order of [`Sample::gpus`].
    pub gpus: Vec<Gpu>,
    /// Why there are none, a reason for [`crate::nvml::reason_text`].
    pub no_gpu: Option<String>,
    /// The newest samples, oldest first. Each is the whole state at its time.
    pub samples: VecDeque<Sample>,
    /// File systems, last known.
    pub space: Vec<Space>,
    /// Cells that ran, oldest first.
    pub cells: VecDeque<Cell>,
    /// Faults that GPUs reported, oldest first.
    pub xids: Vec<Xid>,
    /// The kernel's end, when it was seen.
    pub end: Option<End>,
    /// When the recording was stopped and why, when it was.
    pub stop: Option<(u64, String)>,
    state: Sample,
}

/// The line `start`.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Unix time, ms.
    pub time: u64,
    /// Written by the native program, not by Python.
    pub native: bool,
    /// The kernel's process id.
    pub pid: u64,
    /// The kernel's start, in clock ticks since the machine's.
    pub born: u64,
    /// The machine's boot id.
    pub boot: String,
    /// Bytes of memory.
    pub ram: Option<u64>,
    /// The control group's limit in bytes.
    pub limit: Option<u64>,
    /// Which kernel it is, by the name of its connection file: a restart keeps it.
    pub id: Option<String>,
    /// Processors.
    pub cpus: Option<u64>,
    /// NVIDIA's driver.
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
    /// An instance of a GPU that is divided up (MIG).
    pub mig: bool,
    /// A virtual GPU.
    pub virtual_: bool,
    /// `used` counts the driver's reserve.
    pub reserve_counted: bool,
    /// Figures that are not there, and why: field, reason.
    pub missing: Vec<(String, String)>,
}

/// Two figures that belong together: bytes used, bytes there are.
pub type Use = (u64, u64);

/// The state at one time. What is not known is `None`, never 0.
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
    /// GPUs, `None` for one that does not answer.
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
    /// Bytes there are.
    pub total: Option<u64>,
    /// Percent of the time that something ran on it.
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
}

/// A file system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// `/`, `.` (the working folder) or `/dev/shm`.
    pub name: String,
    /// Bytes free.
    pub free: u64,
    /// Bytes there are.
    pub total: u64,
}

/// A cell that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its execution count.
    pub count: u64,
    /// When it began, Unix time, ms.
    pub start: u64,
    /// When it ended, and whether without an error. `None` while it runs.
    pub done: Option<(u64, bool)>,
    /// The front end's id of it.
    pub id: Option<String>,
    /// The hash of its source.
    pub hash: Option<String>,
    /// Its first line.
    pub line: Option<String>,
}

/// A fault that a GPU reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xid {
    /// When it was seen, Unix time, ms.
    pub time: u64,
    /// Its number.
    pub number: u32,
    /// The GPU's UUID, where it is known.
    pub uuid: Option<String>,
    /// What the driver says in the kernel's log.
    pub message: Option<String>,
}

/// The kernel's end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// Unix time, ms.
    pub time: u64,
    /// The wait status.
    pub status: Option<u32>,
    /// By how much the counters of kills rose.
    pub oom: [Option<u64>; 3],
    /// The log's line about a kill: whether it was the kernel's, and the line.
    pub oom_line: Option<(bool, String)>,
    /// What Python's fault handler said.
    pub fault: Option<String>,
    /// The control group's counter is that of the kernel's own group.
    pub exact: bool,
    /// The stack of the fault was too deep to be shown: it overflowed.
    pub deep: bool,
    /// The kernel's parent, its server, was still there. `None` where that is not known.
    pub parent: Option<bool>,
    /// The last memory figures: bytes used, bytes there are.
    pub last: Option<Use>,
    /// `/dev/shm`: bytes free, bytes there are.
    pub shm: Option<Use>,
    /// A GPU had stopped answering.
    pub gpu_lost: bool,
}

impl Record {
    /// The records in these files, oldest first: give the older half (`.1`) before the newer.
    pub fn read(files: &[&[u8]]) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        for line in files.iter().flat_map(|file| lines(file)) {
            if line.len() > MAX_LINE {
                continue;
            }
            let Some(head) = Head::of(line) else { continue };
            if head.kind.is("start") {
                let start = Start::of(line, head.time);
                // One that repeats another after a rotation is the same record going on.
                let goes_on = |r: &Record| r.start.pid == start.pid && r.start.born == start.born;
                if !(head.again && records.iter().any(goes_on)) {
                    if records.len() == MAX_RECORDS {
                        records.remove(0);
                    }
                    records.push(Record {
                        start,
                        ..Record::default()
                    });
                    if let Some(record) = records.last_mut() {
                        record.add_gpus(line);
                    }
                }
                continue;
            }
            // Without a start, as after two quick rotations, what there is still tells something.
            if records.is_empty() {
                records.push(Record::default());
            }
            if let Some(record) = records.last_mut() {
                record.add(&head, line);
            }
        }
        records
    }

    fn add(&mut self, head: &Head, line: &[u8]) {
        let kind = head.kind;
        if kind.is("s") {
            self.add_sample(head.time, line);
        } else if kind.is("gpus") {
            self.add_gpus(line);
        } else if kind.is("run") {
            if self.cells.len() == MAX_CELLS {
                self.cells.pop_front();
            }
            self.cells.push_back(Cell::of(line, head.time));
        } else if kind.is("ran") {
            let mut count = None;
            let mut ok = false;
            for (name, value) in fields(line) {
                match name {
                    b"n" => count = value.number(),
                    b"ok" => ok = value.is_true(),
                    _ => {}
                }
            }
            let fits = |c: &&mut Cell| c.done.is_none() && count.is_none_or(|n| n == c.count);
            if let Some(cell) = self.cells.iter_mut().rev().find(fits) {
                cell.done = Some((head.time, ok));
            }
        } else if kind.is("xid") {
            if self.xids.len() < MAX_XIDS {
                self.xids.extend(Xid::of(line, head.time));
            }
        } else if kind.is("end") {
            self.end = Some(End::of(line, head.time));
        } else if kind.is("stop") {
            let why = fields(line).find(|(name, _)| *name == b"why");
            self.stop = Some((
                head.time,
                why.and_then(|(_, v)| v.text(MAX_TEXT)).unwrap_or_default(),
            ));
        }
    }

    fn add_gpus(&mut self, line: &[u8]) {
        for (name, value) in fields(line) {
            match name {
                b"drv" => self.start.driver = value.text(MAX_TEXT),
                b"nogpu" => self.no_gpu = value.text(MAX_TEXT),
                b"gpus" => {
                    self.gpus = value
                        .items()
                        .take(MAX_GPUS)
                        .map(|g| Gpu::of(g.fields()))
                        .collect();
                    self.no_gpu = None;
                }
                _ => {}
            }
        }
    }

    fn add_sample(&mut self, time: u64, line: &[u8]) {
        let state = &mut self.state;
        state.time = time;
        for (name, value) in fields(line) {
            match name {
                b"r" => state.ram = pair(value),
                b"sw" => state.swap = pair(value),
                b"cg" => {
                    let [used, limit] = numbers(value);
                    state.group = used.map(|used| (used, limit));
                }
                b"oom" => state.oom = numbers(value),
                b"psi" => {
                    let [memory_some, memory_full, io_some, io_full, cpu_some] = numbers(value);
                    state.pressure = Pressure {
                        memory_some,
                        memory_full,
                        io_some,
                        io_full,
                        cpu_some,
                    };
                }
                b"io" => state.io = numbers(value),
                b"cpu" => state.cpu = numbers(value),
                b"rss" => state.rss = numbers(value),
                b"up" => state.up = value.number(),
                b"d" => self.space = value.items().take(MAX_GPUS).filter_map(Space::of).collect(),
                b"g" => {
                    state.gpus = value.items().take(MAX_GPUS).map(GpuUse::of).collect();
                }
                b"na" => {
                    for (name, _) in value.fields() {
                        match name {
                            b"r" => state.ram = None,
                            b"sw" => state.swap = None,
                            b"cg" => state.group = None,
                            b"psi" => state.pressure = Pressure::default(),
                            b"io" => state.io = [None; 3],
                            b"rss" => state.rss = [None; 2],
                            b"g" => state.gpus.clear(),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        if self.samples.len() == MAX_SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(state.clone());
    }

    /// The cell that was running at the end of the record.
    pub fn running(&self) -> Option<&Cell> {
        self.cells.back().filter(|cell| cell.done.is_none())
    }

    /// Judges the end, from the evidence in the record. `None` where no end was recorded: the
    /// kernel lives, or the recorder went with it.
    pub fn verdict(&self) -> Option<Verdict> {
        let end = self.end.as_ref()?;
        let millis = |time: u64| i64::try_from(time).unwrap_or(0);
        let xids: Vec<XidSeen> = self
            .xids
            .iter()
            .map(|xid| XidSeen {
                number: xid.number,
                before: millis(end.time) - millis(xid.time),
                address: xid
                    .message
                    .as_ref()
                    .is_some_and(|m| m.contains("Out Of Range Address")),
            })
            .collect();
        Some(verdict(&Facts {
            status: end.status,
            oom: end.oom,
            exact: end.exact,
            oom_log: end.oom_line.as_ref().map(|(ours, _)| *ours),
            fault: end.fault.is_some(),
            memory: end.last,
            shm: end.shm,
            gpu_lost: end.gpu_lost,
            xids: &xids,
        }))
    }
}

/// What every line has.
struct Head<'a> {
    kind: Value<'a>,
    time: u64,
    again: bool,
}

impl<'a> Head<'a> {
    fn of(line: &'a [u8]) -> Option<Head<'a>> {
        let (mut kind, mut time, mut again) = (None, None, false);
        for (name, value) in fields(line) {
            match name {
                b"k" => kind = Some(value),
                b"t" => time = value.number(),
                b"again" => again = value.is_true(),
                _ => {}
            }
        }
        Some(Head {
            kind: kind?,
            time: time?,
            again,
        })
    }
}

impl Start {
    fn of(line: &[u8], time: u64) -> Start {
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
    fn of(fields: Fields) -> Gpu {
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
    fn of(value: Value) -> Option<GpuUse> {
        value.items().next()?;
        let [used, total, utilisation, temperature, power, throttle, ecc, own] = numbers(value);
        Some(GpuUse {
            used,
            total,
            utilisation,
            temperature,
            power,
            throttle,
            ecc,
            own,
        })
    }
}

impl Space {
    fn of(value: Value) -> Option<Space> {
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
    fn of(line: &[u8], start: u64) -> Cell {
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
    fn of(line: &[u8], time: u64) -> Option<Xid> {
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
    fn of(line: &[u8], time: u64) -> End {
        let mut end = End {
            time,
            ..End::default()
        };
        let mut other = false;
        let mut text = None;
        for (name, value) in fields(line) {
            match name {
                b"st" => end.status = value.number().and_then(|n| u32::try_from(n).ok()),
                b"oom" => end.oom = numbers(value),
                b"oomline" => text = value.text(MAX_TEXT),
                b"oomother" => other = value.is_true(),
                b"fault" => end.fault = value.text(MAX_TEXT),
                b"last" => end.last = pair(value),
                b"shm" => end.shm = pair(value),
                b"exact" => end.exact = value.is_true(),
                b"deep" => end.deep = value.is_true(),
                b"par" => end.parent = value.number().map(|n| n != 0),
                b"lost" => end.gpu_lost = value.is_true(),
                _ => {}
            }
        }
        end.oom_line = text.map(|line| (!other, line));
        end
    }
}

fn numbers<const N: usize>(value: Value) -> [Option<u64>; N] {
    let mut out = [None; N];
    for (place, item) in out.iter_mut().zip(value.items()) {
        *place = item.number();
    }
    out
}

fn pair(value: Value) -> Option<Use> {
    match numbers(value) {
        [Some(a), Some(b)] => Some((a, b)),
        _ => None,
    }
}
