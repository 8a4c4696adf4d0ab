//! Samples the machine and the kernel's process.

use crate::gpu::{MAX_OWN, SHARED};
use crate::group::Group;
use crate::sys::{self, numbers_in, read, space, ticks, File, Path};
use core::sync::atomic::Ordering::Relaxed;
use nbmedic_probe::bytes::{hundredths, number, numbers, NONE};
use nbmedic_probe::cgroup::{colab_kills, droppable, kills};
use nbmedic_probe::procfs::{self, Stat};

/// Figures at one time, in the order and units of the record; `NONE` for an unknown one.
pub type Figures = [u64; FIGURES];
/// How many there are.
pub const FIGURES: usize = 30;

/// The position of a field's figures.
pub struct Field {
    /// Its name in the record.
    pub name: &'static str,
    /// Index of the first one.
    pub at: usize,
    /// How many there are.
    pub len: usize,
}

const fn field(name: &'static str, at: usize, len: usize) -> Field {
    Field { name, at, len }
}

/// Bytes used and in total.
pub const RAM: usize = 0;
const SWAP: usize = 2;
/// The control group: bytes used, limit.
pub const GROUP: usize = 4;
/// Out-of-memory kills, by three counters.
pub const OOM: usize = 6;
const PSI: usize = 9;
/// All disks.
pub const IO: usize = 14;
/// All processors; the third figure is the kernel's.
pub const CPU: usize = 17;
/// The kernel and its descendants.
pub const RSS: usize = 21;
/// Uptime in seconds.
pub const UP: usize = 23;
/// `/`, the working folder, `/dev/shm`: bytes free and in total.
pub const SPACE: usize = 24;
/// `/dev/shm`.
pub const SHM: usize = SPACE + 4;
/// Nothing is known of the file systems.
pub const NO_SPACE: [u64; 6] = [NONE; 6];

/// The fields that are arrays of numbers.
pub const FIELDS: [Field; 8] = [
    field("r", RAM, 2),
    field("sw", SWAP, 2),
    field("cg", GROUP, 2),
    field("oom", OOM, 3),
    field("psi", PSI, 5),
    field("io", IO, 3),
    field("cpu", CPU, 4),
    field("rss", RSS, 2),
];

/// A control group with less room than this, in bytes, counts as full.
const ROOM: u64 = 16 << 20;

/// Size of the read buffer, in bytes.
pub type Buffer = [u8; 32 * 1024];

/// State that is kept between samples.
pub struct Host {
    pid: u32,
    page: u64,
    /// The kernel's control group.
    pub group: Group,
    joined: u64,
    meminfo: File,
    vmstat: File,
    stat: File,
    disks: File,
    load: File,
    uptime: File,
    /// The kernel's `/proc/PID/stat`.
    pub process: File,
    pressure: [File; 3],
    cache: u64,
    began: u64,
    /// Seconds of processor time after which the system kills the kernel, or `NONE`.
    pub allowed: u64,
    /// The previous values for rates: ms, processor time, idle, waiting, the kernel's time, bytes
    /// read, written, ms busy.
    last: [u64; 8],
    /// The kernel's state at the last sample.
    pub kernel: Stat,
    /// The figures.
    pub now: Figures,
}

/// The path of a file in `/proc/PID/`.
#[inline(never)]
pub fn proc(pid: u32, name: &[u8]) -> Path {
    let mut path = Path::of(b"/proc/", b"");
    path.push_number(pid);
    path.push(name);
    path
}

/// The kill count in a file.
#[inline(never)]
fn killed(file: File, buffer: &mut Buffer) -> u64 {
    kills(file.whole(buffer)).unwrap_or(NONE)
}

#[inline(never)]
fn rate(part: u64, all: u64) -> u64 {
    part.checked_div(all).unwrap_or(NONE)
}

impl Host {
    /// Opens the files to read.
    pub fn open(&mut self, pid: u32, buffer: &mut Buffer) {
        // The runtime is as old as its first process; in a container that differs from the machine's age.
        self.kernel.read(read(c"/proc/1/stat", buffer));
        self.began = self.kernel.born;
        self.pid = pid;
        self.page = sys::page();
        self.joined = self.joined(buffer);
        self.group.find(pid, buffer);
        self.meminfo = File::open(c"/proc/meminfo");
        self.vmstat = File::open(c"/proc/vmstat");
        self.stat = File::open(c"/proc/stat");
        self.disks = File::open(c"/proc/diskstats");
        self.load = File::open(c"/proc/loadavg");
        self.uptime = File::open(c"/proc/uptime");
        self.pressure[0] = File::open(c"/proc/pressure/memory");
        self.pressure[1] = File::open(c"/proc/pressure/io");
        self.pressure[2] = File::open(c"/proc/pressure/cpu");
        self.allowed = NONE;
        self.now.fill(NONE);
    }

    /// Reads the kernel's `/proc/PID/stat`. Returns whether the process still exists. The file was
    /// opened while the kernel lived, so it cannot be another process's.
    pub fn look(&mut self, buffer: &mut Buffer) -> bool {
        self.kernel.read(self.process.whole(buffer))
    }

    #[inline(never)]
    fn put(&mut self, at: usize, figures: &[u64]) {
        for (i, figure) in figures.iter().enumerate() {
            if let Some(place) = self.now.get_mut(at + i) {
                *place = *figure;
            }
        }
    }

    /// Samples what changes fast. Call [`Host::look`] first.
    pub fn fast(&mut self, buffer: &mut Buffer) {
        if let Some(memory) = procfs::memory(self.meminfo.whole(buffer)) {
            self.put(
                RAM,
                &[
                    memory.used,
                    memory.total,
                    memory.swap_used,
                    memory.swap_total,
                ],
            );
        }
        if let Some(usage) = number(self.group.usage.whole(buffer)) {
            self.put(GROUP, &[usage.saturating_sub(self.cache), self.group.limit]);
        }
        self.put(RSS, &[self.kernel.pages * self.page]);
    }

    /// The control group's kill count.
    pub fn killed(&self, buffer: &mut Buffer) -> u64 {
        killed(self.group.events, buffer)
    }

    /// Reads the kill counts. Call [`Host::look`] afterwards to see whether they can include the
    /// kernel.
    #[inline(never)]
    pub fn kills(&self, buffer: &mut Buffer) -> [u64; 3] {
        let vmstat = killed(self.vmstat, buffer);
        let group = killed(self.group.events, buffer);
        let colab = killed(self.group.colab, buffer);
        let (_, size) = self.group.monitor.identity();
        let tail = self.group.monitor.from(size.saturating_sub(2048), buffer);
        let mut monitor = colab_kills(tail).unwrap_or(0);
        if !self.group.monitor.is_open() {
            monitor = NONE;
        }
        // The higher one; a missing one counts as lowest.
        let colab = colab
            .wrapping_add(1)
            .max(monitor.wrapping_add(1))
            .wrapping_sub(1);
        [vmstat, group, colab]
    }

    /// The kill counts, as figures.
    pub fn counts(&mut self, buffer: &mut Buffer) {
        let kills = self.kills(buffer);
        self.put(OOM, &kills);
    }

    /// A checksum of the control groups that the kernel is in.
    fn joined(&self, buffer: &mut Buffer) -> u64 {
        let text = read(proc(self.pid, b"/cgroup").c(), buffer);
        text.iter()
            .fold(0, |sum, &byte| sum.rotate_left(5) ^ u64::from(byte))
    }

    /// Samples what changes slowly and costs more to read. Returns whether the kernel is in another control group now.
    pub fn slow(&mut self, buffer: &mut Buffer) -> bool {
        // Opening a system file takes a page of the group's memory.
        let room =
            self.now[GROUP].saturating_add(ROOM) < self.now[GROUP + 1] || self.now[GROUP] == NONE;
        // The system counts a dead process among the root's.
        let joined = self.joined(buffer);
        let moved = joined != self.joined && room && self.look(buffer) && self.kernel.is_well();
        if moved {
            self.joined = joined;
            self.group.find(self.pid, buffer);
        }
        if let Some(version) = self.group.version {
            self.cache = droppable(self.group.stat.whole(buffer), version);
        }
        for (i, key) in [b"some avg10=", b"full avg10="].into_iter().enumerate() {
            for (j, file) in self.pressure.into_iter().enumerate() {
                let place = self.now.get_mut(PSI + 2 * j + i).filter(|_| i + j < 3);
                if let Some(place) = place {
                    *place = procfs::pressure(file.whole(buffer), key).unwrap_or(NONE);
                }
            }
        }
        self.space();
        self.allowed = procfs::processor_limit(read(proc(self.pid, b"/limits").c(), buffer));
        self.rates(buffer);
        if room {
            self.family(buffer);
        }
        let up = hundredths(self.uptime.whole(buffer));
        self.put(
            UP,
            &[up.map_or(NONE, |up| up.saturating_sub(self.began) / 100)],
        );
        moved
    }

    /// Space on the file systems; each is listed once.
    #[inline(never)]
    pub fn space(&mut self) {
        let mut seen = [0; 3];
        for (i, path) in [c"/", c".", c"/dev/shm"].into_iter().enumerate() {
            let (device, free, total) = space(path)
                .filter(|(device, ..)| !seen.iter().any(|s| s == device))
                .unwrap_or((0, NONE, NONE));
            if let Some(place) = seen.get_mut(i) {
                *place = device;
            }
            self.put(SPACE + 2 * i, &[free, total]);
        }
    }

    fn rates(&mut self, buffer: &mut Buffer) {
        self.look(buffer);
        // The system counts in steps of 10 ms, so a rate over a shorter time means nothing.
        let at = ticks();
        if at - self.last[0] < 500 {
            return;
        }
        let cpu = procfs::processors(self.stat.whole(buffer)).unwrap_or_default();
        let disks = procfs::disks(self.disks.whole(buffer));
        let load = hundredths(self.load.whole(buffer)).unwrap_or(NONE);
        let there = disks.is_some();
        let disks = disks.unwrap_or_default();
        let new = [
            at,
            cpu.all,
            cpu.idle,
            cpu.waiting,
            self.kernel.ticks,
            disks.read,
            disks.written,
            disks.busy,
        ];
        let known = self.last[0] != 0;
        let mut by = [0; 8];
        for i in 0..8 {
            by[i] = new[i].saturating_sub(self.last[i]);
            self.last[i] = new[i];
        }
        let [millis, all, idle, waiting, own, read, written, busy] = by;
        // The first sample has no rate.
        let (all, millis) = if known { (all, millis) } else { (0, 0) };
        let busy_cpu = all.saturating_sub(idle + waiting);
        // A tick is 10 ms.
        self.put(
            CPU,
            &[
                rate(busy_cpu * 100, all),
                rate(waiting * 100, all),
                rate(own * 1000, millis),
                load,
            ],
        );
        if there {
            self.put(
                IO,
                &[
                    rate(read * 1000, millis),
                    rate(written * 1000, millis),
                    rate(busy * 1000, millis),
                ],
            );
        }
    }

    /// The kernel's descendants: their ids, and their total memory.
    fn family(&mut self, buffer: &mut Buffer) {
        let mut pids = [0_u64; MAX_OWN];
        pids[0] = self.pid.into();
        let mut count = 1;
        let mut known = false;
        let mut sum = 0;
        let mut i = 0;
        while let Some(pid) = pids.get(i).filter(|_| i < count).map(|&pid| pid as u32) {
            let mut ask = |thread: u32| {
                let mut path = proc(pid, b"/task/");
                path.push_number(thread);
                path.push(b"/children");
                let file = File::open(path.c());
                known |= file.is_open();
                if let Some(room) = pids.get_mut(count..) {
                    count += numbers(file.whole(buffer), room);
                }
                file.close();
            };
            // Any of the kernel's threads may have started a child.
            if i == 0 {
                numbers_in(proc(pid, b"/task").c(), &mut ask);
            } else {
                ask(pid);
                let mut pages = [0; 2];
                numbers(read(proc(pid, b"/statm").c(), buffer), &mut pages);
                sum += pages[1] * self.page;
            }
            i += 1;
        }
        for (place, &pid) in SHARED.own.iter().zip(&pids) {
            place.store(pid as u32, Relaxed);
        }
        self.put(RSS + 1, &[if known { sum } else { NONE }]);
    }
}
