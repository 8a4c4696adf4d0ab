//! The kernel log: `/dev/kmsg` if it can be opened, otherwise `syslog(2)`, otherwise nothing.

use crate::host::proc;
use crate::sys::{identity, log_tail, read, File};
use core::ffi::CStr;
use nbmedic_probe::kmsg;

/// Maximum length of a record of `/dev/kmsg`.
const CHUNK: usize = 8 * 1024;

/// A log entry about a process that was killed because memory ran out.
pub struct Kill {
    text: [u8; 200],
    len: usize,
    /// Whether it was our kernel; `None` if the log's numbers are not this container's and the name
    /// matches: the kernel's children have that name too.
    pub ours: Option<bool>,
    /// When the kernel was first found healthy since, ticks; 0 if it was not yet.
    survived: u64,
}

/// A process with much memory takes seconds to die after the line. One that lives on was not meant: in a container
/// the log's numbers are another's. Milliseconds.
const DIES_SLOWLY: u64 = 10_000;

impl Kill {
    /// The line.
    pub fn text(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or(b"")
    }
}

/// The log, read from the current end on.
pub struct Log {
    /// `/dev/kmsg`.
    pub file: File,
    tail: bool,
    /// Whether the log's process ids are ours, because this is not a container.
    host: bool,
    /// Time of the last line that was read, in microseconds since the machine started.
    last: u64,
    chunk: [u8; CHUNK],
    at: usize,
    len: usize,
    pid: u32,
    name: [u8; 16],
    name_len: usize,
    /// The last kill since the kernel was last healthy.
    pub kill: Option<Kill>,
}

impl Log {
    /// Opens the log. `pid` and `name` are the kernel's.
    pub fn open(&mut self, path: &CStr, pid: u32) {
        self.file = File::open(path);
        self.pid = pid;
        // The inode of the initial PID namespace (PROC_PID_INIT_INO).
        self.host = identity(c"/proc/self/ns/pid").0 == 0xefff_fffc;
        self.name_len = read(proc(pid, b"/comm").c(), &mut self.name)
            .trim_ascii_end()
            .len();
        if self.file.is_open() {
            self.file.to_end();
        } else {
            self.tail = true;
            self.refill();
            self.tail = self.len > 0;
            // Skips what is there already.
            while self.next(&mut [0; 1]).is_some() {}
        }
        self.kill = None;
    }

    /// Whether the log can be read.
    pub fn is_readable(&self) -> bool {
        self.file.is_open() || self.tail
    }

    /// Fetches new lines, for a log that has to be polled.
    pub fn refill(&mut self) {
        if self.tail {
            self.at = 0;
            self.len = log_tail(&mut self.chunk);
        }
    }

    /// Call this while the kernel is healthy: forgets earlier kills, which were not the kernel's. `at` is now, in ticks.
    pub fn forget(&mut self, at: u64) {
        match &mut self.kill {
            Some(kill) if kill.ours == Some(true) && at < kill.survived + DIES_SLOWLY => {}
            Some(kill) if kill.ours == Some(true) && kill.survived == 0 => kill.survived = at,
            kill => *kill = None,
        }
    }

    /// Reads the next message into `into`.
    pub fn next<'a>(&mut self, into: &'a mut [u8]) -> Option<&'a [u8]> {
        loop {
            let Some(rest) = self
                .chunk
                .get(self.at..self.len)
                .filter(|rest| !rest.is_empty())
            else {
                self.at = 0;
                self.len = self.file.next(&mut self.chunk).len();
                if self.len == 0 {
                    return None;
                }
                continue;
            };
            let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or(b"");
            self.at += end + 1;
            let found = if self.tail {
                kmsg::line(line)
            } else {
                kmsg::record(line)
            };
            let Some((micros, text)) = found.filter(|&(at, _)| !self.tail || at > self.last) else {
                continue;
            };
            self.last = micros;
            let name = self.name.get(..self.name_len).unwrap_or(b"");
            if let Some((pid, killed)) = kmsg::killed(text) {
                let ours = if pid == self.pid {
                    Some(true)
                } else {
                    Some(false).filter(|_| self.host || killed != name)
                };
                if ours == Some(true) || self.kill.is_none() {
                    let mut kill = Kill {
                        text: [0; 200],
                        len: text.len().min(200),
                        ours,
                        survived: 0,
                    };
                    for (place, &byte) in kill.text.iter_mut().zip(text) {
                        *place = byte;
                    }
                    self.kill = Some(kill);
                }
            }
            let len = text.len().min(into.len());
            for (place, &byte) in into.iter_mut().zip(text) {
                *place = byte;
            }
            return into.get(..len);
        }
    }
}
