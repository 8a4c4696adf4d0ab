//! Reads a flight record.
//!
//! A file may contain the records of several kernels, one after the other. Only the newest part of a
//! long record is kept.

use crate::bytes::{lines, NONE};
use crate::json::{fields, Value};
use crate::parts::{
    numbers, pair, Cell, End, Gpu, GpuUse, Pressure, Sample, Space, Start, Use, Xid, MAX_GPUS,
    MAX_TEXT,
};
use crate::verdict::{verdict, Facts, Verdict, XidSeen};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

const MAX_LINE: usize = 8_192;
const MAX_RECORDS: usize = 8;
const MAX_SAMPLES: usize = 600;
const MAX_CELLS: usize = 64;
const MAX_XIDS: usize = 64;

/// One kernel's record.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The `start` line.
    pub start: Start,
    /// The GPUs, in the order of [`Sample::gpus`].
    pub gpus: Vec<Gpu>,
    /// Why there are none: a reason for [`crate::nvml::reason_text`].
    pub no_gpu: Option<String>,
    /// The newest samples, oldest first. Each is the complete state at its time.
    pub samples: VecDeque<Sample>,
    /// File systems, last known.
    pub space: Vec<Space>,
    /// Cells that ran, oldest first.
    pub cells: VecDeque<Cell>,
    /// GPU faults, oldest first.
    pub xids: Vec<Xid>,
    /// The kernel's end, if it was seen.
    pub end: Option<End>,
    /// When the recording was stopped and why, if it was.
    pub stop: Option<(u64, String)>,
    state: Sample,
}

impl Record {
    /// The records in these files, oldest first. Pass the older part (`.1`) before the newer.
    pub fn read(files: &[&[u8]]) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        for line in files.iter().flat_map(|file| lines(file)) {
            if line.len() > MAX_LINE {
                continue;
            }
            let Some(head) = Head::of(line) else { continue };
            if head.kind.is("start") {
                let start = Start::of(line, head.time);
                // A `start` that is repeated after a rotation continues the same record.
                let goes_on = |r: &Record| r.start.is_of(&start);
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
            // Without a start, as after two quick rotations, the other lines are still useful.
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

    /// The Xids as a verdict reads them: by how long before the end they came.
    pub fn xids_seen(&self) -> Vec<XidSeen> {
        let millis = |time: u64| i64::try_from(time).unwrap_or(0);
        let end = self.end.as_ref().map_or(self.state.time, |end| end.time);
        let seen = |xid: &Xid| XidSeen {
            number: xid.number,
            before: millis(end) - millis(xid.time),
            address: xid
                .message
                .as_ref()
                .is_some_and(|m| m.contains("Out Of Range Address")),
        };
        self.xids.iter().map(seen).collect()
    }

    /// What the record knows of the end, without the Xids. `None` if no end was recorded: the kernel
    /// lives, or the recorder ended together with it.
    pub fn facts(&self) -> Option<Facts<'static>> {
        let end = self.end.as_ref()?;
        Some(Facts {
            status: end.status,
            replaced: end.replaced,
            spent: end.spent,
            oom: end.oom.map(|n| n.unwrap_or(NONE)),
            exact: end.exact,
            oom_log: end.oom_line.as_ref().and_then(|(ours, _)| *ours),
            fault: end.fault.is_some(),
            memory: both(end.last),
            shm: both(end.shm),
            disk: both(end.disk),
            own: end.own.unwrap_or(NONE),
            running: self.running().is_some(),
            gpu_lost: end.gpu_lost,
            xids: &[],
        })
    }

    /// Judges the end by the evidence in the record. `None` as for [`Record::facts`].
    pub fn verdict(&self) -> Option<Verdict> {
        let xids = self.xids_seen();
        let facts = self.facts()?;
        Some(verdict(&Facts {
            xids: &xids,
            ..facts
        }))
    }
}

/// The fields that every line has.
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

/// Both figures, or `None`.
fn both(pair: Option<Use>) -> [u64; 2] {
    pair.map_or([NONE; 2], |(a, b)| [a, b])
}
