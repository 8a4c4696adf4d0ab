//! Messages of several lines: where they end, and how much of them is kept.

use super::classify;

/// Bytes of a message kept from its beginning, and from its end.
const HALF: usize = 8 << 10;

/// A message that grows line by line.
#[derive(Debug, Default)]
pub(super) struct Message {
    head: String,
    tail: String,
    gone: usize,
    blanks: usize,
    started: bool,
    /// How much of the head was read for the names of errors, and whether it has one.
    read: usize,
    names_error: bool,
}

impl Message {
    pub fn new(first: &str) -> Self {
        let mut m = Self::default();
        m.line(first);
        m
    }

    /// Adds a line. Blank ones count only when another line follows.
    pub fn line(&mut self, s: &str) {
        if self.started && s.trim().is_empty() {
            self.blanks += 1;
            return;
        }
        if self.started {
            for _ in 0..=std::mem::take(&mut self.blanks) {
                self.add("\n");
            }
        }
        self.started = true;
        self.add(s.trim_end());
    }

    fn add(&mut self, s: &str) {
        if self.tail.is_empty() {
            let room = HALF - self.head.len().min(HALF);
            let mut n = s.len().min(room);
            while !s.is_char_boundary(n) {
                n -= 1;
            }
            self.head.push_str(&s[..n]);
            self.tail.push_str(&s[n..]);
        } else {
            self.tail.push_str(s);
        }
        if self.tail.len() > 4 * HALF {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        let mut cut = self.tail.len().saturating_sub(HALF);
        while !self.tail.is_char_boundary(cut) {
            cut += 1;
        }
        self.gone += cut;
        self.tail.drain(..cut);
    }

    pub fn finish(mut self) -> String {
        self.shrink();
        if self.gone > 0 {
            self.head
                .push_str(&format!("\n[… {} bytes left out …]\n", self.gone));
        }
        self.head.push_str(&self.tail);
        self.head
    }

    /// Whether a word of its beginning names an error: `KeyError:`. Each line is read once.
    pub fn names_error(&mut self) -> bool {
        let fresh = &self.head[self.read..];
        let mut words = fresh.split_whitespace();
        self.names_error |= words.any(|w| {
            w.strip_suffix(':')
                .is_some_and(|w| w.len() > 5 && w.ends_with("Error"))
        });
        self.read = self.head.len();
        self.names_error
    }
}

/// A line that certainly belongs to a message even after a blank line: what PyTorch, TensorFlow,
/// JAX, MXNet, NCCL and Hugging Face's Hub add to their messages.
pub(super) fn continues(s: &str) -> bool {
    const STARTS: &[&str] = &[
        "frame #",
        "Exception raised from",
        "Compile with `TORCH",
        "CUDA kernel errors",
        "HIP kernel errors",
        "For debugging consider",
        "Hint:",
        "Original stack trace",
        "Stack trace:",
        "Stack trace returned",
        "[bt] (",
        "[[",
        "Call arguments received",
        "Arguments received by",
        "Last error:",
        "nccl",
        "Detected at node",
        "Function call stack",
        "Errors may have originated",
        "Input Source operations",
        "Additional GRPC error",
        "Device kernel image",
        "C++ Traceback",
        "Caused by",
        "The Conv2D op",
        "(0) ",
        "(1) ",
        "root error",
        "*** Begin stack trace",
        "*** End stack trace",
        "Original Traceback",
        "Current thread",
        "from user code:",
        "Set TORCH",
        "You can suppress this exception",
        "Command:",
        "Output:",
        "The stack trace below",
        "JAX has removed its internal frames",
    ];
    let t = s.trim_start();
    STARTS.iter().any(|p| t.starts_with(p)) || t.contains(" for url: http")
}

/// A line that announces a paragraph after a blank line: one that ends in a colon, or Keras's.
pub(super) fn announces(s: &str) -> bool {
    s.trim_end().ends_with(':') || s.contains("Exception encountered when calling ")
}

/// A line that certainly starts something else: a log line, a thread's report, a prompt.
pub(super) fn unrelated(s: &str) -> bool {
    const STARTS: &[&str] = &[
        "Exception in thread",
        "Exception in callback",
        "Task exception was never",
        "Process ",
        "INFO",
        "WARNING",
        "DEBUG",
        "ERROR:",
        "ERROR ",
        "CRITICAL",
        "During task with name",
        "In [",
        ">>> ",
        "UsageError: ",
    ];
    let t = s.trim_start();
    if classify::ignored(t) {
        return true;
    }
    let prefix = STARTS.iter().any(|p| t.starts_with(p));
    if t.starts_with("Process ") {
        // `Process SpawnProcess-1:`
        return t.trim_end().ends_with(':') && t.len() < 60;
    }
    prefix || log_line(t) || warning(t)
}

/// `/x/y.py:12: UserWarning: …`
fn warning(t: &str) -> bool {
    t.split_once("Warning:").is_some_and(|(before, _)| {
        before.rsplit_once(": ").is_some_and(|(place, _)| {
            place.bytes().last().is_some_and(|b| b.is_ascii_digit()) && place.contains(".py:")
        })
    })
}

/// Starts with a time, as loggers write it: `2020-07-15 15:00:36`, `[I 06:39:50.436 …`,
/// `[2025-03-13T08:00:58Z]`, `I1010 05:43:00.04`, `03-24 14:29:42`.
fn log_line(t: &str) -> bool {
    let b = t.as_bytes();
    let b = match b {
        [b'[', level, b' ', rest @ ..] if level.is_ascii_uppercase() => rest,
        [b'[', rest @ ..] => rest,
        [level, rest @ ..] if b"IWEFD".contains(level) && rest.len() > 4 && rest[4] == b' ' => {
            &rest[5..]
        }
        _ => b,
    };
    let two = |i: usize| {
        b.get(i).is_some_and(u8::is_ascii_digit) && b.get(i + 1).is_some_and(u8::is_ascii_digit)
    };
    let time = |i: usize| two(i) && b.get(i + 2) == Some(&b':') && two(i + 3);
    let date = two(0) && two(2) && b.get(4) == Some(&b'-') && two(5);
    let short = two(0) && matches!(b.get(2), Some(b'-' | b'/')) && two(3) && time(6);
    (date && time(11)) || short || (time(0) && b.get(5) == Some(&b':'))
}
