//! The wait status of a process: how it ended.

/// A decoded status, from `waitpid(2)` or field 52 of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ended itself with this code.
    Exit(u8),
    /// A signal ended it.
    Signal(u8),
}

/// Decodes a wait status. `None` if it is not the status of an ended process (stopped, continued,
/// more than 16 bits).
pub fn decode(status: u32) -> Option<Ended> {
    if status > 0xffff {
        return None;
    }
    let code = (status >> 8) as u8;
    match (status & 0x7f) as u8 {
        0 if status & 0x80 == 0 => Some(Ended::Exit(code)),
        // 0x7f is a stopped process. Bit 7 means that a core was dumped.
        0 | 0x7f => None,
        signal if code == 0 => Some(Ended::Signal(signal)),
        _ => None,
    }
}

/// Signals whose numbers are the same on x86-64 and aarch64.
pub mod signal {
    /// Asked to end.
    pub const HUP: u8 = 1;
    /// Interrupted.
    pub const INT: u8 = 2;
    /// An instruction that the processor does not support.
    pub const ILL: u8 = 4;
    /// A trap.
    pub const TRAP: u8 = 5;
    /// It aborted.
    pub const ABRT: u8 = 6;
    /// Access to memory that is mapped but unavailable.
    pub const BUS: u8 = 7;
    /// An arithmetic error.
    pub const FPE: u8 = 8;
    /// Killed; cannot be caught.
    pub const KILL: u8 = 9;
    /// Access to an address that is not mapped.
    pub const SEGV: u8 = 11;
    /// It wrote into a pipe that nobody reads.
    pub const PIPE: u8 = 13;
    /// Its alarm went off.
    pub const ALRM: u8 = 14;
    /// Asked to end.
    pub const TERM: u8 = 15;
    /// It used up its processor time.
    pub const XCPU: u8 = 24;
    /// Its file became larger than allowed.
    pub const XFSZ: u8 = 25;
    /// Its alarm for its own processor time went off.
    pub const VTALRM: u8 = 26;
    /// Its alarm for processor time went off.
    pub const PROF: u8 = 27;
    /// A system call that a filter rejects.
    pub const SYS: u8 = 31;

    /// Whether the system sends it to a process for what that process did or asked for: a limit, an alarm, a pipe, a
    /// call that a filter rejects.
    pub fn is_own(number: u8) -> bool {
        matches!(number, PIPE | ALRM | XCPU | XFSZ | VTALRM | PROF | SYS)
    }

    /// The signal's name, for the common ones.
    pub fn name(number: u8) -> Option<&'static str> {
        Some(match number {
            HUP => "SIGHUP",
            INT => "SIGINT",
            ILL => "SIGILL",
            TRAP => "SIGTRAP",
            ABRT => "SIGABRT",
            BUS => "SIGBUS",
            FPE => "SIGFPE",
            KILL => "SIGKILL",
            PIPE => "SIGPIPE",
            ALRM => "SIGALRM",
            XCPU => "SIGXCPU",
            XFSZ => "SIGXFSZ",
            VTALRM => "SIGVTALRM",
            PROF => "SIGPROF",
            SEGV => "SIGSEGV",
            TERM => "SIGTERM",
            SYS => "SIGSYS",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_that_were_measured() {
        assert_eq!(decode(0), Some(Ended::Exit(0)));
        assert_eq!(decode(256), Some(Ended::Exit(1)));
        assert_eq!(decode(35072), Some(Ended::Exit(137)));
        assert_eq!(decode(9), Some(Ended::Signal(9)));
        assert_eq!(decode(11), Some(Ended::Signal(11)));
        assert_eq!(decode(139), Some(Ended::Signal(11)), "with a core dump");
    }

    #[test]
    fn what_is_no_end_is_not_decoded() {
        for status in [0x137f, 0xffff, 0x10000, 0x80, 0x0109, u32::MAX] {
            assert_eq!(decode(status), None, "{status:#x}");
        }
    }

    #[test]
    fn it_agrees_with_the_system() {
        use std::os::unix::process::ExitStatusExt;
        for status in 0..=0xffff_u32 {
            let system = std::process::ExitStatus::from_raw(i32::try_from(status).unwrap());
            match decode(status) {
                Some(Ended::Exit(code)) => assert_eq!(system.code(), Some(i32::from(code))),
                Some(Ended::Signal(s)) => assert_eq!(system.signal(), Some(i32::from(s))),
                None => {}
            }
        }
    }
}
