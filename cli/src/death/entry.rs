//! What a log says of a kernel.

/// What a line means for the account of a death.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// A kernel was started.
    Started,
    /// The server found its kernel gone.
    Gone,
    /// The server was asked to end or restart its kernel, or ended it itself.
    Asked,
    /// The system killed a process because memory ran out: its number and its name.
    Oom(u32, String),
    /// The system logged a fault in native code of a process: its number and its name.
    Fault(u32, String),
    /// NVIDIA's driver reported this Xid; whether an address was out of range.
    Xid(u32, bool),
    /// A container ended with this exit code; whether it is said to be for memory.
    Exit(Option<u32>, bool),
    /// Something that the account shows and does not judge.
    Shown,
    /// A line of a program, which only the catalogue judges.
    Printed,
}

/// A line of a log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Milliseconds since 1970, or since the log's beginning if its clock is [`Clock::Relative`].
    pub at: Option<i64>,
    /// The line without its time.
    pub text: String,
    /// What it means.
    pub says: Says,
}

/// What the times of a log count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// 1970.
    Unix,
    /// The start of the run or of the machine, which is not known.
    Relative,
}

/// A log.
#[derive(Clone, Debug)]
pub struct Log {
    /// What wrote it, for people.
    pub source: &'static str,
    /// What its times count from.
    pub clock: Clock,
    /// Its lines, in order of time.
    pub entries: Vec<Entry>,
}

impl Log {
    /// A log with times of day. Some show the newest line first.
    pub fn new(source: &'static str, mut entries: Vec<Entry>) -> Log {
        let times = || entries.iter().filter_map(|e| e.at);
        if times().next() > times().next_back() {
            entries.reverse();
        }
        Log {
            source,
            clock: Clock::Unix,
            entries,
        }
    }
}

/// What a line of a server, or of a program that runs notebooks, says of its kernel.
pub fn said(text: &str) -> Says {
    let low = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| low.contains(w));
    if !low.contains("kernel") {
        return Says::Printed;
    }
    if has(&["restarter: restarting kernel", "restarter: restart failed"])
        || low.contains("kernel ") && has(&[" restarted failed", "died, removing from map"])
        || has(&["kernel died", "deadkernelerror", "kernel has died", "appears to have died"])
        // The callback of Colab's server after its restarter.
        || low.contains("root:kernel ") && low.trim_end().ends_with(" restarted")
    {
        return Says::Gone;
    }
    if has(&[
        "kernel restarted:",
        "kernel shutdown:",
        "shutting down kernel",
        "culling '",
    ]) {
        return Says::Asked;
    }
    if has(&["kernel started:", "kernel started with name"]) {
        return Says::Started;
    }
    match has(&["kernel interrupted:", "restarting kernel failed"]) {
        true => Says::Shown,
        false => Says::Printed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say_of_their_kernels() {
        let cases = [
            (
                "AsyncIOLoopKernelRestarter: restarting kernel (1/5), new random ports",
                Says::Gone,
            ),
            (
                "KernelRestarter: restarting kernel (2/5), keep random ports",
                Says::Gone,
            ),
            (
                "WARNING:root:kernel b0290a05-61b1-4ae8-ae6c-909df0ec9728 restarted",
                Says::Gone,
            ),
            (
                "Kernel b7317caa died, removing from map.",
                Says::Gone,
            ),
            (
                "Kernel died while waiting for execute reply.",
                Says::Gone,
            ),
            ("Kernel restarted: b7317caa", Says::Asked),
            ("Kernel shutdown: b7317caa", Says::Asked),
            ("Culling 'python3' kernel 'x' (a) with 1 connections due to 60 seconds of inactivity.", Says::Asked),
            ("Kernel started: b7317caa", Says::Started),
            ("Kernel interrupted: b7317caa", Says::Shown),
            ("[IPKernelApp] WARNING | Kernel is running over TCP", Says::Printed),
            ("loss: 0.3", Says::Printed),
        ];
        for (text, says) in cases {
            assert_eq!(said(text), says, "{text}");
        }
    }
}
