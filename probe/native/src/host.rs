//! The machine and the kernel's process, sampled.

use crate::gpu::{MAX_OWN, SHARED};
use crate::group::Group;
use crate::sys::{self, numbers_in, read, space, ticks, File, Path};
use core::sync::atomic::Ordering::Relaxed;
use nbmedic_probe::bytes::{number, value, words};
use nbmedic_probe::cgroup::{colab_kills, droppable, kills};
use nbmedic_probe::procfs::{self, Stat};

/// Figures at one time, in the order and units of the record.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Now {
    pub ram: [Option<u64>; 2],
    pub swap: [Option<u64>; 2],
    pub group: [Option<u64>; 2],
    pub oom: [Option<u64>; 3],
    pub pressure: [Option<u64>; 5],
    /// Of `/`, the working folder, `/dev/shm`: bytes free, bytes there are.
    pub space: [[Option<u64>; 2]; 3],
    pub io: [Option<u64>; 3],
    pub cpu: [Option<u64>; 4],
    pub rss: [Option<u64>; 2],
    pub up: Option<u64>,
}

/// What is kept from sample to sample.
pub struct Host {
    pid: u32,
    page: u64,
    group: Group,
    meminfo: Option<File>,
    vmstat: Option<File>,
    stat: Option<File>,
    disks: Option<File>,
    load: Option<File>,
    process: Option<File>,
    pressure: [Option<File>; 3],
    cache: u64,
    began: u64,
    last: Last,
    /// The kernel's state at the last sample.
    pub kernel: Stat,
    /// The figures.
    pub now: Now,
}

/// What rates are counted from.
#[derive(Default)]
struct Last {
    at: u64,
    cpu: procfs::Processors,
    ticks: u64,
    disks: procfs::Disks,
}

/// What is read at a time.
pub type Buffer = [u8; 32 * 1024];

/// `/proc/PID/` and a name.
pub fn proc(pid: u32, name: &[u8]) -> Path {
    let mut path = Path::of(&[b"/proc/"]);
    path.push_number(pid);
    path.push(name);
    path
}

impl Host {
    /// Opens what will be read.
    pub fn of(pid: u32, group: Group, buffer: &mut Buffer) -> Host {
        // The runtime is as old as its first process, which in a container is not the machine's.
        let first = read(c"/proc/1/stat", buffer)
            .and_then(Stat::parse)
            .map_or(0, |s| s.born);
        Host {
            pid,
            page: sys::page(),
            group,
            meminfo: File::open(c"/proc/meminfo"),
            vmstat: File::open(c"/proc/vmstat"),
            stat: File::open(c"/proc/stat"),
            disks: File::open(c"/proc/diskstats"),
            load: File::open(c"/proc/loadavg"),
            process: File::open(proc(pid, b"/stat").c()),
            pressure: [
                c"/proc/pressure/memory",
                c"/proc/pressure/io",
                c"/proc/pressure/cpu",
            ]
            .map(File::open),
            cache: 0,
            began: first,
            last: Last::default(),
            kernel: Stat::default(),
            now: Now::default(),
        }
    }

    /// The kernel's `/proc/PID/stat`. The file was opened while it lived, so that no other
    /// process's can be meant.
    pub fn look(&mut self, buffer: &mut Buffer) -> Option<Stat> {
        let stat = self.process?.whole(buffer).and_then(Stat::parse)?;
        self.kernel = stat;
        Some(stat)
    }

    /// What changes fast.
    pub fn fast(&mut self, buffer: &mut Buffer) {
        let now = &mut self.now;
        if let Some(memory) = self
            .meminfo
            .and_then(|f| f.whole(buffer))
            .and_then(procfs::memory)
        {
            now.ram = [Some(memory.used), Some(memory.total)];
            now.swap = [Some(memory.swap_used), Some(memory.swap_total)];
        }
        if let Some(usage) = self
            .group
            .usage
            .and_then(|f| f.whole(buffer))
            .and_then(number)
        {
            now.group = [Some(usage.saturating_sub(self.cache)), self.group.limit];
        }
        if let Some(stat) = self.look(buffer) {
            self.now.rss[0] = Some(stat.pages * self.page);
        }
    }

    /// The counts of kills. What [`Host::look`] says afterwards tells whether they can be the kernel's.
    pub fn kills(&self, buffer: &mut Buffer) -> [Option<u64>; 3] {
        let vmstat = self
            .vmstat
            .and_then(|f| f.whole(buffer))
            .and_then(|t| value(t, b"oom_kill "));
        let group = self
            .group
            .events
            .and_then(|f| f.whole(buffer))
            .and_then(kills);
        let colab = self
            .group
            .colab
            .and_then(|f| f.whole(buffer))
            .and_then(kills);
        let size = self
            .group
            .monitor
            .and_then(|f| f.identity())
            .map_or(0, |(_, size)| size);
        let tail = size.saturating_sub(2048);
        let monitor = self.group.monitor.and_then(|f| f.from(tail, buffer));
        let monitor = monitor.map(|text| colab_kills(text).unwrap_or(0));
        [vmstat, group, colab.max(monitor)]
    }

    /// What changes slowly, and costs more to ask for.
    pub fn slow(&mut self, buffer: &mut Buffer) {
        self.now.oom = self.kills(buffer);
        if let (Some(version), Some(file)) = (self.group.version, self.group.stat) {
            self.cache = file
                .whole(buffer)
                .map_or(0, |text| droppable(text, version));
        }
        let [memory, io, cpu] = self.pressure;
        let mut ask = |file: Option<File>, line: &[u8]| {
            procfs::pressure(file.and_then(|f| f.whole(buffer))?, line)
        };
        self.now.pressure = [
            ask(memory, b"some"),
            ask(memory, b"full"),
            ask(io, b"some"),
            ask(io, b"full"),
            ask(cpu, b"some"),
        ];
        self.space();
        self.rates(buffer);
        self.family(buffer);
        let up = read(c"/proc/uptime", buffer).and_then(procfs::uptime);
        self.now.up = up.map(|up| up.saturating_sub(self.began) / 100);
    }

    /// Room on the file systems; one that was named already is not named again.
    pub fn space(&mut self) {
        let mut seen = [0; 3];
        for (i, path) in [c"/", c".", c"/dev/shm"].into_iter().enumerate() {
            let found = space(path).filter(|(device, ..)| !seen.contains(device));
            if let (Some(place), Some(device)) = (self.now.space.get_mut(i), seen.get_mut(i)) {
                *device = found.map_or(0, |(device, ..)| device);
                *place = [
                    found.map(|(_, free, _)| free),
                    found.map(|(.., total)| total),
                ];
            }
        }
    }

    fn rates(&mut self, buffer: &mut Buffer) {
        self.look(buffer);
        let at = ticks();
        let millis = at - self.last.at;
        let load = self
            .load
            .and_then(|f| f.whole(buffer))
            .and_then(procfs::load);
        let cpu = self
            .stat
            .and_then(|f| f.whole(buffer))
            .and_then(procfs::processors);
        let disks = self
            .disks
            .and_then(|f| f.whole(buffer))
            .and_then(procfs::disks);
        let since = self.last.at != 0;
        self.last.at = at;
        let share = |part: u64, all: u64| part.checked_mul(100)?.checked_div(all);
        if let Some(cpu) = cpu {
            let last = &self.last.cpu;
            let all = cpu.all.saturating_sub(last.all);
            let idle = cpu.idle.saturating_sub(last.idle);
            let waiting = cpu.waiting.saturating_sub(last.waiting);
            if since {
                self.now.cpu[0] = share(all.saturating_sub(idle + waiting), all);
                self.now.cpu[1] = share(waiting, all);
            }
            self.last.cpu = cpu;
        }
        let own = self.kernel.ticks.saturating_sub(self.last.ticks);
        self.last.ticks = self.kernel.ticks;
        if since {
            // A tick is 10 ms.
            self.now.cpu[2] = share(own * 10, millis);
        }
        self.now.cpu[3] = load;
        if let Some(disks) = disks {
            let last = &self.last.disks;
            let rate = |now: u64, last: u64| {
                now.saturating_sub(last)
                    .checked_mul(1000)?
                    .checked_div(millis)
            };
            if since {
                self.now.io = [
                    rate(disks.read, last.read),
                    rate(disks.written, last.written),
                    rate(disks.busy, last.busy),
                ];
            }
            self.last.disks = disks;
        }
    }

    /// The kernel's descendants: who they are, and their memory together.
    fn family(&mut self, buffer: &mut Buffer) {
        let mut pids = [0_u32; MAX_OWN];
        pids[0] = self.pid;
        let mut count = 1;
        let mut known = false;
        let mut sum = 0;
        let mut i = 0;
        while let Some(&pid) = pids.get(i).filter(|_| i < count) {
            let mut ask = |thread: u32| {
                let mut path = proc(pid, b"/task/");
                path.push_number(thread);
                path.push(b"/children");
                let Some(text) = read(path.c(), buffer) else {
                    return;
                };
                known = true;
                for child in words(text).filter_map(number) {
                    if let Some(place) = pids.get_mut(count) {
                        *place = child as u32;
                        count += 1;
                    }
                }
            };
            // Any of the kernel's threads may have started one.
            if i == 0 {
                numbers_in(proc(pid, b"/task").c(), ask);
            } else {
                ask(pid);
                let pages = read(proc(pid, b"/statm").c(), buffer)
                    .and_then(|t| words(t).nth(1))
                    .and_then(number);
                sum += pages.unwrap_or(0) * self.page;
            }
            i += 1;
        }
        for (place, &pid) in SHARED.own.iter().zip(&pids) {
            place.store(pid, Relaxed);
        }
        self.now.rss[1] = Some(sum).filter(|_| known);
    }
}
