//! A stretch of clean lines and where each of their bytes came from.

/// A line of a [`Mapped`]: where it starts in the text, and its line number in the raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineStart {
    pub start: usize,
    pub raw_line: usize,
}

/// A run of clean bytes that is contiguous in the raw text. Bytes after `len`, up to the next run,
/// are not in the raw text (padding, notes about omitted text).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub clean: usize,
    pub raw: usize,
    pub len: usize,
}

/// Clean lines. The last one is open: it has no newline yet.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    pub text: String,
    pub lines: Vec<LineStart>,
    pub runs: Vec<Run>,
    /// Bytes already removed from the middle of the open line.
    elided: usize,
    /// If there are any: where, in bytes from its start. What follows is its end, not its beginning.
    gap: usize,
}

/// One character of a row on the screen; `None` if nothing was printed there (padding).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub ch: char,
    pub raw: Option<usize>,
}

impl Mapped {
    pub fn new(raw_line: usize) -> Self {
        Self {
            text: String::new(),
            lines: vec![LineStart { start: 0, raw_line }],
            runs: Vec::new(),
            elided: 0,
            gap: 0,
        }
    }

    /// Where the beginning ends that is kept of the open line.
    fn head_end(&self, max: usize) -> usize {
        let start = self.open_start();
        match self.elided {
            0 => floor(&self.text, start + max / 2),
            _ => start + self.gap,
        }
    }

    fn open_start(&self) -> usize {
        self.lines.last().map_or(0, |l| l.start)
    }

    pub fn open_is_empty(&self) -> bool {
        self.text.len() == self.open_start()
    }

    /// Appends text that is at `raw` in the raw text to the open line.
    pub fn append(&mut self, s: &str, raw: usize) {
        self.map(s.len(), raw);
        self.text.push_str(s);
    }

    /// Records where the next bytes of the text are in the raw text.
    fn map(&mut self, len: usize, raw: usize) {
        let (clean, runs) = (self.text.len(), self.runs.len());
        match self.runs.last_mut() {
            Some(g) if g.clean + g.len == clean && g.raw + g.len == raw => g.len += len,
            // A hostile text can start a run at every other byte: the map then becomes coarse, not
            // large.
            _ if runs > clean / 2 + 1024 => {}
            _ => self.runs.push(Run { clean, raw, len }),
        }
    }

    /// Appends generated text, which maps to an empty range at `raw`.
    pub fn append_note(&mut self, s: &str, raw: usize) {
        if self.runs.len() <= self.text.len() / 2 + 1024 {
            self.runs.push(Run {
                clean: self.text.len(),
                raw,
                len: 0,
            });
        }
        self.text.push_str(s);
    }

    /// Ends the open line. `raw` is the newline's position, if it has one.
    pub fn newline(&mut self, raw: Option<usize>, next_raw_line: usize) {
        match raw {
            Some(raw) => {
                self.map(1, raw);
                self.text.push('\n');
            }
            None => {
                let at = self.raw_end();
                self.append_note("\n", at);
            }
        }
        self.elided = 0;
        self.lines.push(LineStart {
            start: self.text.len(),
            raw_line: next_raw_line,
        });
    }

    /// The raw offset just after the last byte.
    fn raw_end(&self) -> usize {
        self.runs.last().map_or(0, |g| g.raw + g.len)
    }

    /// While a line of more than `max` bytes grows, removes the part of its middle that will not be
    /// kept. Leaves enough for [`Mapped::elide`] to give the same line whenever it is called.
    pub fn squeeze(&mut self, max: usize) {
        let (start, end) = (self.open_start(), self.text.len());
        if end - start <= 2 * max + 8 {
            return;
        }
        let from = self.head_end(max);
        let to = floor(&self.text, end - max / 2 - 4);
        if to > from {
            self.cut(from, to);
            self.elided += to - from;
            self.gap = from - start;
        }
    }

    /// Shortens the open line, if it is longer than `max` bytes, to its beginning and end with a
    /// note between them.
    pub fn elide(&mut self, max: usize) {
        let (start, end) = (self.open_start(), self.text.len());
        if end - start + self.elided <= max {
            return;
        }
        let from = self.head_end(max);
        let to = ceil(&self.text, end - max / 2).max(from);
        let gone = to - from + self.elided;
        let tail = self.text[to..].to_string();
        let runs: Vec<Run> = self.runs_between(to, end);
        self.truncate(from);
        let note_raw = self.raw_end();
        self.append_note(&format!("[… {gone} bytes left out …]"), note_raw);
        let base = self.text.len();
        self.text.push_str(&tail);
        self.runs.extend(runs.iter().map(|g| Run {
            clean: g.clean - to + base,
            ..*g
        }));
        self.elided = 0;
    }

    /// The runs of `from..to`, cut at its ends.
    fn runs_between(&self, from: usize, to: usize) -> Vec<Run> {
        let first = self
            .runs
            .partition_point(|g| g.clean <= from)
            .saturating_sub(1);
        let mut out = Vec::new();
        for (i, g) in self.runs.iter().enumerate().skip(first) {
            if g.clean >= to {
                break;
            }
            // A run that ends before `from` still locates padding at `from`.
            let next = self.runs.get(i + 1).map_or(usize::MAX, |n| n.clean);
            if next <= from {
                continue;
            }
            let skip = from.saturating_sub(g.clean);
            let gone = skip.min(g.len);
            let clean = g.clean + skip;
            out.push(Run {
                clean,
                raw: g.raw + gone,
                len: (g.len - gone).min(to - clean),
            });
        }
        out
    }

    /// Removes `from..to`, which must be in the open line.
    fn cut(&mut self, from: usize, to: usize) {
        let tail = self.runs_between(to, self.text.len());
        self.truncate_segs(from);
        self.runs.extend(tail.iter().map(|g| Run {
            clean: g.clean - (to - from),
            ..*g
        }));
        self.text.drain(from..to);
    }

    fn truncate_segs(&mut self, at: usize) {
        while self.runs.last().is_some_and(|g| g.clean >= at) {
            self.runs.pop();
        }
        if let Some(g) = self.runs.last_mut() {
            g.len = g.len.min(at - g.clean);
        }
    }

    fn truncate(&mut self, at: usize) {
        self.truncate_segs(at);
        self.text.truncate(at);
    }

    /// Removes and returns the open line's characters, with the origin of each.
    pub fn take_open(&mut self) -> Vec<Cell> {
        let start = self.open_start();
        let mut cells = Vec::with_capacity(self.text.len() - start);
        let mut seg = self
            .runs
            .partition_point(|g| g.clean <= start)
            .saturating_sub(1);
        for (i, ch) in self.text[start..].char_indices() {
            let at = start + i;
            while self.runs.get(seg + 1).is_some_and(|g| g.clean <= at) {
                seg += 1;
            }
            let raw = self
                .runs
                .get(seg)
                .filter(|g| g.clean <= at && at < g.clean + g.len)
                .map(|g| g.raw + (at - g.clean));
            cells.push(Cell { ch, raw });
        }
        self.truncate(start);
        self.elided = 0;
        cells
    }

    /// Reopens the last finished line. False if there is none.
    pub fn reopen(&mut self) -> bool {
        if self.lines.len() < 2 || !self.open_is_empty() {
            return false;
        }
        self.lines.pop();
        self.truncate(self.text.len() - 1);
        true
    }

    pub fn set_open_raw_line(&mut self, raw_line: usize) {
        if let Some(line) = self.lines.last_mut() {
            line.raw_line = raw_line;
        }
    }

    pub fn open_raw_line(&self) -> usize {
        self.lines.last().map_or(1, |l| l.raw_line)
    }

    /// Writes characters to the open line.
    pub fn append_cells(&mut self, cells: &[Cell]) {
        let mut buf = [0u8; 4];
        for c in cells {
            let s: &str = c.ch.encode_utf8(&mut buf);
            match c.raw {
                Some(raw) => self.append(s, raw),
                None => {
                    let at = self.raw_end();
                    match self.runs.last() {
                        Some(g) if g.clean + g.len < self.text.len() || g.len == 0 => {
                            self.text.push_str(s);
                        }
                        _ => self.append_note(s, at),
                    }
                }
            }
        }
    }

    /// Drops the first `n` lines.
    pub fn drop_front(&mut self, n: usize) {
        let Some(line) = self.lines.get(n).copied() else {
            return;
        };
        let at = line.start;
        let runs = self.runs_between(at, self.text.len());
        self.runs = runs
            .iter()
            .map(|g| Run {
                clean: g.clean - at,
                ..*g
            })
            .collect();
        self.text.drain(..at);
        self.lines.drain(..n);
        for l in &mut self.lines {
            l.start -= at;
        }
    }

    /// Appends another part; the open line of this one must be empty.
    pub fn join(&mut self, other: Mapped) {
        let base = self.text.len();
        if self.open_is_empty() {
            self.lines.pop();
        }
        self.text.push_str(&other.text);
        self.lines.extend(other.lines.iter().map(|l| LineStart {
            start: l.start + base,
            ..*l
        }));
        self.runs.extend(other.runs.iter().map(|g| Run {
            clean: g.clean + base,
            ..*g
        }));
    }

    /// Adds a generated line after the finished ones.
    pub fn note_line(&mut self, s: &str, raw_line: usize) {
        let at = self.raw_end();
        self.set_open_raw_line(raw_line);
        self.append_note(s, at);
        self.append_note("\n", at);
        self.lines.push(LineStart {
            start: self.text.len(),
            raw_line,
        });
    }
}

fn floor(s: &str, mut i: usize) -> usize {
    while !s.is_char_boundary(i) {
        i -= 1;
    }
    i
}

fn ceil(s: &str, mut i: usize) -> usize {
    while !s.is_char_boundary(i) {
        i += 1;
    }
    i
}
