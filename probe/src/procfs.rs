//! Parsers for files in `/proc`. Source: proc(5) and the kernel's
//! `Documentation/filesystems/proc.rst`.

use crate::bytes::{after, find, hundredths, lines, number, numbers, value, words, NONE};

/// The fields of `/proc/PID/stat` that are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// State: `R`, `S`, `D`, `Z` (ended, not yet waited for), `X` and others.
    pub state: u8,
    /// The parent's process id.
    pub parent: u32,
    /// Flags of the task (field 9).
    pub flags: u64,
    /// Processor time in user and system mode, in clock ticks.
    pub ticks: u64,
    /// When it started, in clock ticks since the machine started (field 22).
    pub born: u64,
    /// Resident pages (field 24).
    pub pages: u64,
    /// Address of its code (field 26). 0 or 1 if this reader may not see it.
    pub code: u64,
    /// Where its stack began (field 28). 0 if this reader may not see it.
    pub stack: u64,
    /// Signals pending for the main thread (field 31).
    pub pending: u64,
    /// The wait status (field 52), meaningful in state `Z`; 0 if this reader may not see it.
    pub status: Option<u32>,
}

/// Flag: the task is exiting.
const PF_EXITING: u64 = 4;
/// SIGKILL's bit in a set of signals.
const KILL_PENDING: u64 = 1 << 8;

impl Stat {
    /// Parses the file. The process name may contain anything, so fields count from the last `)`.
    pub fn parse(text: &[u8]) -> Option<Stat> {
        let mut stat = Stat::default();
        stat.read(text).then_some(stat)
    }

    /// Parses the file into this value. Returns whether it was valid.
    pub fn read(&mut self, text: &[u8]) -> bool {
        let end = text.iter().rposition(|&b| b == b')').unwrap_or(text.len());
        // Numbers begin with the fourth field. Some are negative, but none of those that are kept.
        let mut fields = [0; 49];
        let count = numbers(text.get(end + 4..).unwrap_or(b""), &mut fields);
        if count <= 24 - 4 {
            return false;
        }
        self.state = text.get(end + 2).copied().unwrap_or(0);
        self.parent = fields[0] as u32;
        self.flags = fields[9 - 4];
        self.ticks = fields[14 - 4].wrapping_add(fields[15 - 4]);
        self.born = fields[22 - 4];
        self.pages = fields[24 - 4];
        self.code = fields[26 - 4];
        self.stack = fields[28 - 4];
        self.pending = fields[31 - 4];
        self.status = None;
        if count > 52 - 4 {
            self.status = u32::try_from(fields[52 - 4]).ok();
        }
        true
    }

    /// Whether it has ended and its parent has not waited for it.
    pub fn is_zombie(&self) -> bool {
        self.state == b'Z'
    }

    /// Whether it has neither ended nor is being ended by SIGKILL.
    pub fn is_well(&self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x')
            && self.flags & PF_EXITING == 0
            && self.pending & KILL_PENDING == 0
    }

    /// Whether this reader may see the wait status. Only meaningful while the process lives.
    pub fn is_open(&self) -> bool {
        self.code > 1
    }
}

/// The hard limit of processor time in `/proc/PID/limits`, in seconds: the system kills a process that reaches it. [`NONE`] if there
/// is no limit.
pub fn processor_limit(text: &[u8]) -> u64 {
    let limits = after(text, b"Max cpu time").and_then(|rest| lines(rest).next());
    limits
        .and_then(|limits| words(limits).nth(1))
        .and_then(number)
        .unwrap_or(NONE)
}

/// The machine's memory, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// MemTotal.
    pub total: u64,
    /// MemTotal − MemAvailable, as in Colab's own panel.
    pub used: u64,
    /// SwapTotal.
    pub swap_total: u64,
    /// SwapTotal − SwapFree.
    pub swap_used: u64,
}

/// Parses `/proc/meminfo`. `None` without MemTotal and MemAvailable (Linux before 3.14).
pub fn memory(text: &[u8]) -> Option<Memory> {
    let kib = |key: &[u8]| value(text, key)?.checked_mul(1024);
    let total = kib(b"MemTotal:")?;
    let swap_total = kib(b"SwapTotal:").unwrap_or(0);
    Some(Memory {
        total,
        used: total.saturating_sub(kib(b"MemAvailable:")?),
        swap_total,
        swap_used: swap_total.saturating_sub(kib(b"SwapFree:").unwrap_or(swap_total)),
    })
}

/// `avg10` from a pressure file, in hundredths of a percent; `line` is `some avg10=` or
/// `full avg10=`.
pub fn pressure(text: &[u8], line: &[u8]) -> Option<u64> {
    hundredths(after(text, line)?)
}

/// Time of all processors since the machine started, in clock ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processors {
    /// Total. Guest time is not added, because the others include it.
    pub all: u64,
    /// Idle.
    pub idle: u64,
    /// Idle while a process waits for a disk.
    pub waiting: u64,
}

/// Parses the first line of `/proc/stat`.
pub fn processors(text: &[u8]) -> Option<Processors> {
    let mut fields = [0; 8];
    let count = numbers(text.strip_prefix(b"cpu ")?, &mut fields);
    let all = fields.iter().fold(0_u64, |sum, &n| sum.wrapping_add(n));
    (count >= 8).then_some(Processors {
        all,
        idle: fields[3],
        waiting: fields[4],
    })
}

/// Disk activity since the machine started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disks {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Milliseconds in which the busiest disk was busy.
    pub busy: u64,
}

/// Parses `/proc/diskstats`: whole disks only. Partitions, loop and RAM disks, and devices on top of
/// other disks (`dm`, `md`) would count twice.
pub fn disks(text: &[u8]) -> Option<Disks> {
    let mut sum: Option<Disks> = None;
    for line in lines(text) {
        if !words(line).nth(2).is_some_and(is_whole_disk) {
            continue;
        }
        let mut fields = [0; 13];
        numbers(line, &mut fields);
        let sum = sum.get_or_insert_default();
        sum.read = sum.read.wrapping_add(fields[5].wrapping_mul(512));
        sum.written = sum.written.wrapping_add(fields[9].wrapping_mul(512));
        sum.busy = sum.busy.max(fields[12]);
    }
    sum
}

fn is_whole_disk(name: &[u8]) -> bool {
    // nvme0n1, mmcblk0; their partitions have a `p` after the last number.
    if name.starts_with(b"nvme") || name.starts_with(b"mmcblk") {
        return find(name, b"p").is_none();
    }
    // sda, vdb, xvdc; their partitions end with a number.
    let letter = name.last().is_some_and(u8::is_ascii_lowercase);
    letter && (name.starts_with(b"sd") || name.starts_with(b"vd") || name.starts_with(b"xvd"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &[u8] = b"4242 (a) Z (b) Z 4240 4242 4242 0 -1 4228108 150 0 0 0 12 3 0 0 20 0 9 0 8812345 0 77 18446744073709551615 94000000000000 1 1 0 0 256 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 139\n";

    #[test]
    fn a_name_cannot_shift_the_fields() {
        let stat = Stat::parse(STAT).unwrap();
        assert!(stat.is_zombie() && stat.is_open());
        assert_eq!(
            (stat.parent, stat.ticks, stat.born, stat.pages),
            (4240, 15, 8812345, 77)
        );
        assert_eq!(stat.status, Some(139));
        assert_eq!(stat.pending, 256);
        assert!(
            !Stat {
                state: b'S',
                ..stat
            }
            .is_well(),
            "SIGKILL is pending"
        );
        assert!(Stat {
            state: b'S',
            pending: 0,
            flags: 0,
            ..stat
        }
        .is_well());
        assert!(!Stat {
            state: b'S',
            pending: 0,
            flags: 4,
            ..stat
        }
        .is_well());
    }

    #[test]
    fn a_short_stat_is_none_and_an_old_one_has_no_status() {
        assert_eq!(Stat::parse(b"1 (x) S 0"), None);
        assert_eq!(Stat::parse(b""), None);
        let old = STAT
            .split(|&b| b == b' ')
            .take(47)
            .collect::<std::vec::Vec<_>>()
            .join(&b' ');
        assert_eq!(Stat::parse(&old).unwrap().status, None);
    }

    #[test]
    fn this_process_reads_itself() {
        let text = std::fs::read("/proc/self/stat").unwrap();
        let stat = Stat::parse(&text).unwrap();
        assert!(stat.is_well() && stat.is_open());
        assert!(stat.pages > 0 && stat.born > 0);
    }

    #[test]
    fn memory_is_what_is_not_available() {
        let text = b"MemTotal:       13302912 kB\nMemFree: 5 kB\nMemAvailable:   13302900 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n";
        let memory = memory(text).unwrap();
        assert_eq!((memory.used, memory.total), (12 * 1024, 13302912 * 1024));
        assert_eq!((memory.swap_used, memory.swap_total), (6 * 1024, 10 * 1024));
        assert_eq!(super::memory(b"MemTotal: 5 kB\n"), None);
    }

    #[test]
    fn pressure_is_that_of_its_line() {
        let text = b"some avg10=1.53 avg60=0.87 avg300=0.20 total=1\nfull avg10=0.04 avg60=0.00 avg300=0.00 total=2\n";
        assert_eq!(pressure(text, b"some avg10="), Some(153));
        assert_eq!(pressure(text, b"full avg10="), Some(4));
        assert_eq!(pressure(b"", b"some avg10="), None);
    }

    #[test]
    fn processors_leave_the_guests_out() {
        let found = processors(b"cpu  10 1 5 100 7 0 1 2 50 9\ncpu0 1 2\n").unwrap();
        assert_eq!((found.all, found.idle, found.waiting), (126, 100, 7));
        assert_eq!(processors(b"cpu0 1 2"), None);
    }

    #[test]
    fn only_whole_disks_count() {
        let text = b"   8 0 sda 100 0 20 0 50 0 40 0 0 300 0\n 8 1 sda1 100 0 20 0 50 0 40 0 0 300 0\n 259 0 nvme0n1 1 0 2 0 3 0 4 0 0 500 0\n 259 1 nvme0n1p1 1 0 2 0 3 0 4 0 0 500 0\n 7 0 loop0 1 0 2 0 3 0 4 0 0 900 0\n 253 0 dm-0 1 0 2 0 3 0 4 0 0 900 0\n 252 0 vda 0 0 1 0 0 0 0 0 0 1 0\n";
        let found = disks(text).unwrap();
        assert_eq!(
            found,
            Disks {
                read: 23 * 512,
                written: 44 * 512,
                busy: 500
            }
        );
        assert_eq!(disks(b"7 0 loop0 1 2 3 4 5 6 7 8 9 10"), None);
    }
}
