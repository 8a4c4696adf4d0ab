//! The kernel's log: `/dev/kmsg` where it can be opened, else `syslog(2)`, else nothing.

use crate::host::proc;
use crate::sys::{identity, log_tail, read, File};
use core::ffi::CStr;
use nbmedic_probe::kmsg;

/// A record of `/dev/kmsg` is at most this long.
const CHUNK: usize = 8 * 1024;

/// What the log said of a process killed for want of memory.
pub struct Kill {
    text: [u8; 200],
    len: usize,
    /// Whether it was our kernel; `None` where the log's numbers are not this container's and the
    /// name is ours: one of its children has that too.
    pub ours: Option<bool>,
}

impl Kill {
    /// The line.
    pub fn text(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or(b"")
    }
}

/// The log, read from now on.
pub struct Log {
    /// `/dev/kmsg`.
    pub file: File,
    tail: bool,
    /// This is no container: the log's process ids are ours.
    host: bool,
    /// The time of the last line that was read, in microseconds since the machine started.
    last: u64,
    chunk: [u8; CHUNK],
    at: usize,
    len: usize,
    pid: u32,
    name: [u8; 16],
    name_len: usize,
    /// The last kill since the kernel was well.
    pub kill: Option<Kill>,
}

impl Log {
    /// Opens it. `pid` and `name` are the kernel's.
    pub fn open(&mut self, path: &CStr, pid: u32) {
        self.file = File::open(path);
        self.pid = pid;
        // The number of the first of all namespaces of process ids (PROC_PID_INIT_INO).
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
            // What stands there already is old.
            while self.next(&mut [0; 1]).is_some() {}
        }
        self.kill = None;
    }

    /// Whether it can be read in any way.
    pub fn is_readable(&self) -> bool {
        self.file.is_open() || self.tail
    }

    /// Asks for new lines, where the log does not bring them itself.
    pub fn refill(&mut self) {
        if self.tail {
            self.at = 0;
            self.len = log_tail(&mut self.chunk);
        }
    }

    /// The kernel is well: what was killed was not it.
    pub fn forget(&mut self) {
        self.kill = None;
    }

    /// The next message, in `into`.
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
