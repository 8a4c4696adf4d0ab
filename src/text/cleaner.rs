//! Reads a terminal's byte stream, in pieces of any size.

use super::document::Document;
use super::limits::{Limits, REACH};
use super::mapped::Mapped;
use super::screen::Screen;

/// Longest text recognised as a string sequence (OSC, DCS …). A longer one, or one that a newline
/// ends, was never closed: its text is kept.
const MAX_STRING: usize = 64 << 10;
/// Longest text recognised as a control sequence (CSI).
const MAX_CSI: usize = 128;

#[derive(Debug)]
enum State {
    Ground,
    /// After `\r`: a newline makes it a line end, anything else a carriage return.
    Return,
    Escape,
    /// `ESC` and an intermediate character: one more follows.
    Charset,
    Csi(String),
    /// A string sequence: its text so far, and its position in the raw text.
    Str {
        text: String,
        raw: usize,
    },
    /// `ESC` within a string sequence.
    StrEscape {
        text: String,
        raw: usize,
    },
}

/// Turns terminal output that comes in pieces into a [`Document`], which does not depend on how the
/// text was cut into pieces.
#[derive(Debug)]
pub struct Cleaner {
    limits: Limits,
    state: State,
    /// The beginning, once it is full.
    head: Option<Mapped>,
    part: Mapped,
    screen: Option<Screen>,
    raw: usize,
    raw_line: usize,
    dropped: usize,
    dropped_raw_line: usize,
}

impl Cleaner {
    /// An empty cleaner.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits: limits.sane(),
            state: State::Ground,
            head: None,
            part: Mapped::new(1),
            screen: None,
            raw: 0,
            raw_line: 1,
            dropped: 0,
            dropped_raw_line: 0,
        }
    }

    /// Reads the next piece.
    pub fn push(&mut self, chunk: &str) {
        let bytes = chunk.as_bytes();
        let base = self.raw;
        let mut i = 0;
        while i < bytes.len() {
            if matches!(self.state, State::Ground) {
                let n = plain(&bytes[i..]);
                if n > 0 {
                    self.write(&chunk[i..i + n], base + i);
                    i += n;
                }
                let Some(&b) = bytes.get(i) else { break };
                self.control(b, base + i);
                i += 1;
            } else {
                i += self.sequence(&chunk[i..], base + i);
            }
        }
        self.raw = base + bytes.len();
    }

    /// Ends the text.
    pub fn finish(mut self) -> Document {
        let state = std::mem::replace(&mut self.state, State::Ground);
        if let State::Str { text, raw } | State::StrEscape { text, raw } = state {
            self.write_plain(&text, raw);
        }
        match self.screen.take() {
            Some(screen) => screen.close(&mut self.part),
            None => self.part.elide(self.limits.max_line),
        }
        let Some(mut head) = self.head.take() else {
            return Document::from_part(self.part, None);
        };
        let (bytes, lines) = tail_limits(self.limits);
        let starts = &self.part.lines;
        let open = usize::from(self.part.open_is_empty());
        let by_count = (starts.len() - open).saturating_sub(lines);
        let least = self.part.text.len().saturating_sub(bytes);
        let by_bytes = starts.partition_point(|l| l.start < least);
        let last = starts.len() - 1;
        self.drop_lines(by_count.max(by_bytes).min(last));
        let mut omitted = None;
        if self.dropped > 0 {
            omitted = Some((head.lines.len() - 1, self.dropped));
            let note = format!("[… {} lines left out …]", self.dropped);
            head.note_line(&note, self.dropped_raw_line);
        }
        head.join(self.part);
        Document::from_part(head, omitted)
    }

    fn write(&mut self, s: &str, raw: usize) {
        if let Some(screen) = &mut self.screen {
            return screen.write(s, raw, self.raw_line);
        }
        let max = self.limits.max_line;
        let mut from = 0;
        while from < s.len() {
            let mut to = (from + max).min(s.len());
            while !s.is_char_boundary(to) {
                to += 1;
            }
            self.part.append(&s[from..to], raw + from);
            self.part.squeeze(max);
            from = to;
        }
    }

    /// Writes what turned out to be no sequence: its control characters are none of a line.
    fn write_plain(&mut self, text: &str, raw: usize) {
        let control = |c: char| c != '\t' && c.is_ascii_control();
        let mut from = 0;
        for part in text.split_inclusive(control) {
            self.write(part.trim_end_matches(control), raw + from);
            from += part.len();
        }
    }

    fn control(&mut self, b: u8, raw: usize) {
        match b {
            b'\n' => {
                self.raw_line += 1;
                self.newline(Some(raw));
            }
            b'\r' => self.state = State::Return,
            0x1b => self.state = State::Escape,
            0x08 if self.screen.is_some() || !self.part.open_is_empty() => self.screen().left(1),
            0x0b | 0x0c => self.break_line(),
            _ => {}
        }
    }

    fn screen(&mut self) -> &mut Screen {
        let max = self.limits.max_line;
        self.screen
            .get_or_insert_with(|| Screen::open(&mut self.part, max))
    }

    fn newline(&mut self, raw: Option<usize>) {
        match &mut self.screen {
            Some(screen) => {
                if screen.newline(raw, self.raw_line, &mut self.part) {
                    self.screen = None;
                }
            }
            None => {
                self.part.elide(self.limits.max_line);
                self.part.newline(raw, self.raw_line);
            }
        }
        self.bound();
    }

    /// Starts a new line unless the open one is empty.
    fn break_line(&mut self) {
        let empty = match &mut self.screen {
            Some(screen) => {
                screen.bottom();
                screen.row_is_empty()
            }
            None => self.part.open_is_empty(),
        };
        if !empty {
            self.newline(None);
        }
    }

    /// Keeps the text within its limits: closes the beginning when it is full, and drops lines of
    /// the end that can no longer be among the last ones.
    fn bound(&mut self) {
        if self.head.is_none() {
            let (bytes, lines) = (self.limits.max_bytes / 4, self.limits.max_lines / 4);
            if self.part.text.len() >= bytes || self.part.lines.len() > lines {
                let raw_line = self.part.open_raw_line();
                self.head = Some(std::mem::replace(&mut self.part, Mapped::new(raw_line)));
            }
            return;
        }
        let (bytes, lines) = tail_limits(self.limits);
        let n = self.part.lines.len();
        if (self.part.text.len() < 2 * bytes && n < 2 * lines) || n <= 2 * REACH {
            return;
        }
        // The last rows can still be redrawn, so they do not count.
        let fixed = n - 2 * REACH;
        let least = self.part.lines[fixed].start.saturating_sub(bytes);
        let by_bytes = self
            .part
            .lines
            .partition_point(|l| l.start <= least)
            .saturating_sub(1);
        let cut = fixed.saturating_sub(lines).max(by_bytes);
        if cut > n / 4 || self.part.lines[cut].start > self.part.text.len() / 4 {
            self.drop_lines(cut);
        }
    }

    fn drop_lines(&mut self, n: usize) {
        if n > 0 {
            if self.dropped == 0 {
                self.dropped_raw_line = self.part.lines.first().map_or(1, |l| l.raw_line);
            }
            self.dropped += n;
            self.part.drop_front(n);
        }
    }

    /// Continues an escape sequence. Returns the number of bytes it consumed.
    fn sequence(&mut self, s: &str, raw: usize) -> usize {
        let Some(ch) = s.chars().next() else { return 0 };
        // As on a terminal; UTF-16 read as bytes has one between any two.
        if ch == '\0' && !matches!(self.state, State::Str { .. }) {
            return 1;
        }
        let state = std::mem::replace(&mut self.state, State::Ground);
        match state {
            State::Ground => return 0,
            State::Return => match ch {
                '\n' => self.control(b'\n', raw),
                '\r' => self.state = State::Return,
                _ => {
                    if self.screen.is_some() || !self.part.open_is_empty() {
                        self.screen().carriage_return();
                    }
                    return 0;
                }
            },
            State::Escape => match ch {
                '[' => self.state = State::Csi(String::new()),
                ']' | 'P' | 'X' | '^' | '_' => {
                    self.state = State::Str {
                        text: String::new(),
                        raw: raw + 1,
                    };
                }
                ' '..='/' => self.state = State::Charset,
                // Reverse index.
                'M' => self.up(1),
                '0'..='~' => {}
                _ => return 0,
            },
            State::Charset => match ch {
                ' '..='/' => self.state = State::Charset,
                '0'..='~' => {}
                _ => return 0,
            },
            State::Csi(mut p) => match ch {
                ' '..='?' if p.len() < MAX_CSI => {
                    p.push(ch);
                    self.state = State::Csi(p);
                }
                '@'..='~' => self.csi(&p, ch),
                _ => return 0,
            },
            State::Str { text, raw: at } => return self.string(text, at, s),
            State::StrEscape { text, raw: at } => {
                if ch != '\\' {
                    // Not closed: what was read is text, and this begins another sequence.
                    self.write_plain(&text, at);
                    self.state = State::Escape;
                    return 0;
                }
            }
        }
        ch.len_utf8()
    }

    /// Continues a string sequence.
    fn string(&mut self, mut text: String, at: usize, s: &str) -> usize {
        let end = s
            .bytes()
            .position(|b| matches!(b, 0x07 | 0x1b | b'\n' | b'\r'));
        let mut n = end.unwrap_or(s.len());
        let room = MAX_STRING - text.len();
        let over = n > room;
        if over {
            n = room;
            while !s.is_char_boundary(n) {
                n -= 1;
            }
        }
        text.push_str(&s[..n]);
        if over {
            self.write_plain(&text, at);
            return n;
        }
        match end.and_then(|e| s.as_bytes().get(e)) {
            None => self.state = State::Str { text, raw: at },
            Some(0x07) => n += 1,
            Some(0x1b) => {
                n += 1;
                self.state = State::StrEscape { text, raw: at };
            }
            Some(_) => self.write_plain(&text, at),
        }
        n
    }

    fn up(&mut self, n: usize) {
        self.screen();
        if let Some(screen) = &mut self.screen {
            screen.up(n, &mut self.part);
        }
    }

    /// Handles a complete control sequence: parameters and its final character.
    fn csi(&mut self, params: &str, end: char) {
        let first = params.split(';').next().unwrap_or("");
        let n = first.parse::<usize>().unwrap_or(0);
        // Ignores colours and other sequences that do not affect the text. An empty line has
        // nothing to move.
        if !matches!(end, 'A'..='H' | 'J' | 'K' | 'f') || params.starts_with(['?', '>', '=']) {
            return;
        }
        let idle = self.screen.is_none() && self.part.open_is_empty();
        match end {
            'A' => self.up(n),
            'F' => {
                self.up(n);
                self.screen().carriage_return();
            }
            'H' | 'f' => self.break_line(),
            'J' if n > 0 => self.break_line(),
            // At the end of a line that is not being redrawn there is nothing to erase.
            'K' if self.screen.is_none() && n == 0 => {}
            _ if idle && !matches!(end, 'C' | 'G') => {}
            'B' => self.screen().down(n),
            'E' => {
                self.screen().down(n);
                self.screen().carriage_return();
            }
            'C' => self.screen().right(n),
            'D' => self.screen().left(n),
            'G' => self.screen().column(n.saturating_sub(1)),
            'K' => self.screen().erase_line(n),
            _ => self.screen().erase_below(),
        }
    }
}

/// Limits of the end: bytes and lines.
fn tail_limits(limits: Limits) -> (usize, usize) {
    (
        limits.max_bytes - limits.max_bytes / 4,
        limits.max_lines - limits.max_lines / 4,
    )
}

/// Number of leading bytes that are not control characters (a tab does not count as one here).
fn plain(bytes: &[u8]) -> usize {
    let special = |b: u8| (b < 0x20 && b != b'\t') || b == 0x7f;
    let mut i = 0;
    // Whole blocks first: this loop has no early exit, so it becomes vector code.
    for block in bytes.chunks_exact(16) {
        if block.iter().fold(false, |any, &b| any | special(b)) {
            break;
        }
        i += 16;
    }
    i + bytes[i..]
        .iter()
        .position(|&b| special(b))
        .unwrap_or(bytes.len() - i)
}

impl Document {
    /// Cleans a whole text. Takes time linear in its length.
    pub fn from_terminal(raw: &str, limits: Limits) -> Document {
        let mut cleaner = Cleaner::new(limits);
        cleaner.push(raw);
        cleaner.finish()
    }
}
