//! The recording: samples when they are due, reports of GPUs and of the system's log, the end.

use crate::gpu::{text, FIGURES, MAX_GPUS, NAMES, SHARED, TOTAL, USED};
use crate::host::{
    Buffer, Figures, Host, CPU, FIELDS, GROUP, IO, NO_SPACE, OOM, RAM, RSS, SHM, SPACE, UP,
};
use crate::log::Log;
use crate::out::Out;
use crate::sys::{now, ticks, File};
use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::cgroup::Version;
use nbmedic_probe::kmsg;
use nbmedic_probe::line::Line;
use nbmedic_probe::nvml::{reason, NO_ANSWER};

/// Time without an answer after which NVML counts as hanging, ms.
const HANGS: u64 = 5_000;
/// Smallest change of memory that is worth a line, in bytes.
const NEWS: u64 = 16 << 20;

type GpuNow = [[u64; FIGURES]; MAX_GPUS];

/// A recording.
pub struct Watch {
    /// The kernel: process id, start, parent, and its id on its server.
    pub pid: u32,
    pub born: u64,
    pub parent: u32,
    pub id: Option<&'static CStr>,
    /// When the recording began.
    pub time: u64,
    pub boot: [u8; 36],
    /// Whether the system would let us read the kernel's wait status.
    pub open: bool,
    pub pidfd: bool,
    /// The fault handler's file; up to where it says nothing of the kernel's end; its size a second ago.
    pub fault: File,
    pub fault_size: u64,
    pub fault_seen: u64,
    /// Reports what is written there, while what the kernel holds is still in use.
    pub alarm: File,
    /// Space on the file systems at that moment.
    pub brim: [u64; 6],
    /// Where the kernel's stack began: each program that is started gets another place.
    pub stack: u64,
    pub host: Host,
    pub out: Out,
    pub log: Log,
    pub line: Line,
    pub buffer: Buffer,
    gpu: GpuNow,
    /// When the figures were sampled, Unix time in ms; 0 once they are written.
    found: u64,
    /// The figures of the last line, to omit unchanged ones.
    said: Figures,
    said_gpu: GpuNow,
    said_at: u64,
    slow_at: u64,
    /// State of the reasons that were written: `changes`, whether NVML hangs, number of GPUs plus 1.
    announced: (u32, bool, u32),
    fresh: bool,
    /// When the kernel was first seen dying, Unix time in ms; 0 while it is healthy.
    pub dying: u64,
    /// Kill counts when the kernel was last healthy.
    pub well: [u64; 3],
}

impl Watch {
    /// The only instance, all zeros until it is filled in.
    pub fn get() -> &'static mut Watch {
        struct Place(UnsafeCell<MaybeUninit<Watch>>);
        // SAFETY: only the main thread uses it.
        unsafe impl Sync for Place {}
        static PLACE: Place = Place(UnsafeCell::new(MaybeUninit::zeroed()));
        // SAFETY: zeros are valid in every field, and this is called once.
        unsafe { (*PLACE.0.get()).assume_init_mut() }
    }

    pub fn begin(&mut self, kind: &str, time: u64) {
        self.line.start(kind, time);
    }

    pub fn write(&mut self) {
        self.out.write(&mut self.line);
    }

    /// Writes the line `start`, at the beginning and again in every new file.
    pub fn start(&mut self, again: bool) {
        self.begin("start", self.time);
        let line = &mut self.line;
        line.number("v", 1);
        line.text("mode", b"native");
        line.number("me", crate::sys::me().into());
        line.number("pid", self.pid.into());
        line.number("born", self.born);
        line.text("boot", &self.boot);
        if let Some(id) = self.id {
            line.text("id", id.to_bytes());
        }
        line.number("cpus", crate::sys::processors());
        line.known("ram", self.host.now[RAM + 1]);
        line.text(
            "cg",
            match self.host.group.version {
                Some(Version::V1) => b"v1",
                Some(Version::V2) => b"v2",
                None => b"none",
            },
        );
        line.known("lim", self.host.group.limit);
        if self.host.group.limit == NONE {
            line.key("na");
            line.open(b'{');
            line.text("lim", b"no-limit");
            line.close(b'}');
        }
        line.number("st", self.open.into());
        line.number("pidfd", self.pidfd.into());
        line.number("kmsg", self.log.is_readable().into());
        line.flag("again", again);
        self.gpus();
        self.write();
        self.fresh = true;
    }

    /// Adds the GPUs to the line.
    fn gpus(&mut self) {
        let hangs = self.hangs();
        let gpus = SHARED.gpus();
        self.announced = (
            SHARED.changes.load(Acquire),
            hangs,
            gpus.map_or(0, |g| g.len() as u32 + 1),
        );
        let line = &mut self.line;
        let Some(gpus) = gpus else {
            if hangs {
                line.text("nogpu", reason(NO_ANSWER).as_bytes());
            }
            return;
        };
        if gpus.is_empty() {
            line.text("nogpu", reason(SHARED.answer.load(Acquire)).as_bytes());
            return;
        }
        line.text("drv", SHARED.driver());
        line.key("gpus");
        line.open(b'[');
        for (info, figures) in gpus.iter().zip(&SHARED.figures) {
            line.open(b'{');
            line.some("u", text(&info.uuid));
            line.some("n", text(&info.name));
            line.some("pci", text(&info.bus));
            line.some("of", text(&info.of));
            line.known("tot", !figures.values[TOTAL].load(Relaxed));
            line.flag("mig", info.of[0] != 0);
            line.flag("vgpu", info.virtual_);
            line.flag("v1", info.old);
            line.key("na");
            line.open(b'{');
            for (i, name) in NAMES {
                let answer = figures.why.get(i).map_or(0, |why| why.load(Acquire));
                if answer != 0 {
                    line.text(name, reason(answer).as_bytes());
                }
            }
            line.close(b'}');
            line.close(b'}');
        }
        line.close(b']');
    }

    fn hangs(&self) -> bool {
        let began = SHARED.began.load(Acquire);
        began != 0 && ticks().saturating_sub(began) > HANGS
    }

    /// Whether a GPU has stopped answering.
    pub fn gpu_lost(&self) -> bool {
        SHARED
            .figures
            .iter()
            .any(|f| f.why[USED].load(Relaxed) == 15)
    }

    /// Takes a sample. Writes it if `always` is set, if a second has passed, or if something changed.
    /// Returns whether something changed.
    pub fn sample(&mut self, always: bool) -> bool {
        if !self.host.look(&mut self.buffer) {
            return false;
        }
        let at = ticks();
        // If the log or the group counted a kill, checks at once whether it was the kernel, but does
        // nothing else: any allocation in a group without memory makes the probe the next victim.
        let counted = self.host.killed(&mut self.buffer) != self.well[1] || self.log.kill.is_some();
        let slow = counted || always || at.saturating_sub(self.slow_at) >= 990;
        if slow {
            self.host.counts(&mut self.buffer);
        }
        if slow && !counted {
            self.slow_at = at;
            // What stood there a second ago is not what the kernel dies of: a child wrote it.
            let (_, size) = self.fault.identity();
            if size == self.fault_seen {
                self.fault_size = size;
                self.brim = NO_SPACE;
            }
            self.fault_seen = size;
            if self.host.slow(&mut self.buffer) {
                // Kills are counted from here on.
                self.host.counts(&mut self.buffer);
            }
        }
        let before = self.host.now;
        self.host.fast(&mut self.buffer);
        // A dying kernel still holds its memory for a moment; once it shrinks, the figure means nothing.
        if self.host.kernel.is_well() {
            self.dying = 0;
        } else {
            if self.dying == 0 {
                self.dying = now();
            }
            let shrinks = |i: usize| before[i] != NONE && self.host.now[i] < before[i];
            if self.host.kernel.is_zombie() || shrinks(RSS) || shrinks(GROUP) {
                self.host.now = before;
                return false;
            }
        }
        if slow {
            if self.dying == 0 {
                self.well = [
                    self.host.now[OOM],
                    self.host.now[OOM + 1],
                    self.host.now[OOM + 2],
                ];
                self.log.forget(at);
                self.open = self.host.kernel.is_open();
            }
            self.news();
        }
        self.found = now();
        for (row, figures) in self.gpu.iter_mut().zip(&SHARED.figures) {
            for (place, value) in row.iter_mut().zip(&figures.values) {
                *place = !value.load(Relaxed);
            }
        }
        let due = at.saturating_sub(self.said_at) >= 990;
        let moved = self.moved();
        if always || due || moved {
            self.said_at = at;
            if self.out.renew() {
                self.start(true);
            }
            self.say();
        }
        moved
    }

    /// Whether a memory figure changed by a hundredth.
    fn moved(&self) -> bool {
        let (new, old) = (&self.host.now, &self.said);
        // A hundredth of the memory available to the kernel: its limit, or the machine's memory.
        let room = new[RAM + 1].min(new[GROUP + 1]);
        let far = |new: u64, old: u64, total: u64| {
            let by = new.abs_diff(old);
            by >= NEWS && by >= total / 100
        };
        [RAM, RAM + 2, GROUP, RSS]
            .iter()
            .any(|&i| far(new[i], old[i], room))
            || new
                .iter()
                .zip(old)
                .skip(OOM)
                .take(3)
                .any(|(new, old)| new != old)
            || self
                .gpu
                .iter()
                .zip(&self.said_gpu)
                .any(|(new, old)| far(new[USED], old[USED], new[TOTAL]))
    }

    /// Writes the last sample, unless it was written.
    pub fn say(&mut self) {
        if self.found == 0 {
            return;
        }
        self.begin("s", self.found);
        self.found = 0;
        let all = self.fresh;
        let hangs = self.hangs();
        let (new, old, line) = (&self.host.now, &mut self.said, &mut self.line);
        for field in &FIELDS {
            let range = field.at..field.at + field.len;
            let (Some(new), Some(old)) = (new.get(range.clone()), old.get_mut(range)) else {
                continue;
            };
            if (all || new != old) && new.iter().any(|&n| n != NONE) {
                line.numbers(field.name, new);
            }
            old.copy_from_slice(new);
        }
        if all || new[UP].wrapping_sub(old[UP]) >= 60 {
            line.known("up", new[UP]);
            old[UP] = new[UP];
        }
        // Files are written all the time; only a change of a MiB is worth a line.
        if all || (SPACE..SHM + 2).any(|i| new[i].abs_diff(old[i]) >= 1 << 20) {
            line.key("d");
            line.open(b'[');
            let mut i = SPACE;
            for name in [&b"/"[..], b".", b"/dev/shm"] {
                if new[i] != NONE {
                    line.open(b'[');
                    line.quoted(name);
                    line.value(new[i]);
                    line.value(new[i + 1]);
                    line.close(b']');
                }
                old[i] = new[i];
                old[i + 1] = new[i + 1];
                i += 2;
            }
            line.close(b']');
        }
        let gpus = SHARED.gpus().unwrap_or(&[]);
        if !gpus.is_empty() && !hangs && (all || self.gpu != self.said_gpu) {
            line.key("g");
            line.open(b'[');
            for (_, row) in gpus.iter().zip(&self.gpu) {
                if row[USED] == NONE && row[2] == NONE {
                    line.value(NONE);
                    continue;
                }
                line.list(row);
            }
            line.close(b']');
        }
        if all || hangs {
            line.key("na");
            line.open(b'{');
            for field in &FIELDS {
                // Rates are unknown at first.
                if !matches!(field.at, IO | CPU) && new[field.at] == NONE {
                    line.text(field.name, b"no-file");
                }
            }
            if hangs {
                line.text("g", reason(NO_ANSWER).as_bytes());
            }
            line.close(b'}');
        }
        self.said_gpu = self.gpu;
        self.fresh = false;
        self.write();
    }

    /// Writes the new reports of GPUs and the log.
    pub fn news(&mut self) {
        let known = SHARED.gpus().map_or(0, |g| g.len() as u32 + 1);
        if (SHARED.changes.load(Acquire), self.hangs(), known) != self.announced
            && (known > 0 || self.hangs())
        {
            self.begin("gpus", now());
            self.gpus();
            self.write();
        }
        while let Some(seen) = SHARED.take() {
            self.xid(seen.time, seen.number as u32);
            let line = &mut self.line;
            line.some("u", text(&seen.uuid));
            line.text("via", b"nvml");
            if seen.instance != u32::MAX {
                line.number("gi", seen.instance.into());
                line.number("ci", seen.compute.into());
            }
            self.write();
        }
        if known > 1 {
            self.log.refill();
        }
        let mut raw = [0; 1024];
        while let Some(message) = self.log.next(&mut raw) {
            if let Some(found) = kmsg::xid(message) {
                self.xid(now(), found.number);
                let line = &mut self.line;
                let gpus = SHARED.gpus().unwrap_or(&[]);
                if let Some(gpu) = gpus
                    .iter()
                    .find(|g| kmsg::same_bus(text(&g.bus), found.bus))
                {
                    line.text("u", text(if gpu.of[0] != 0 { &gpu.of } else { &gpu.uuid }));
                }
                line.text("via", b"kmsg");
                line.text("msg", found.rest.get(..160).unwrap_or(found.rest));
                self.write();
            }
        }
    }

    /// Starts the line of an Xid.
    fn xid(&mut self, time: u64, number: u32) {
        self.begin("xid", time);
        self.line.number("x", number.into());
    }

    /// The fault handler writes: the kernel, or a child of it, crashes.
    pub fn crashes(&mut self) {
        let mut events = [0; 256];
        self.alarm.next(&mut events);
        self.host.space();
        self.brim.copy_from_slice(&self.host.now[SPACE..SPACE + 6]);
    }

    /// Whether another program runs in the kernel's process.
    pub fn is_replaced(&mut self) -> bool {
        if !self.host.look(&mut self.buffer) || !self.host.kernel.is_well() {
            return false;
        }
        let stack = self.host.kernel.stack;
        // While a program is being loaded it has none yet.
        if self.stack == 0 {
            self.stack = stack;
        }
        stack != 0 && stack != self.stack
    }

    /// Records that.
    pub fn replaced(&mut self) {
        self.begin("end", now());
        self.line.flag("exec", true);
        self.line.numbers("oom", &[NONE; 3]);
        self.out.renew();
        self.write();
    }

    /// Writes the line `stop`.
    pub fn stop(&mut self, why: &str) {
        self.begin("stop", now());
        self.line.text("why", why.as_bytes());
        self.write();
    }
}
