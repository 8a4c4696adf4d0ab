//! What the layers ask about lines.

use nbmedic_text::Document;
use std::ops::Range;

/// How many lines at each end of a text are looked at, and how many bytes.
const LOOKED_AT: usize = 250;
const MAX_LOOK: usize = 32 << 10;

/// The lines that decide what a text wears: those at both ends that are not blank.
pub(super) struct Sample<'a> {
    pub lines: Vec<&'a str>,
    /// How many begin with each byte, blanks aside.
    first: [u32; 256],
    /// How many begin with a blank.
    pub indented: usize,
    /// Whether one has a backslash.
    pub escapes: bool,
}

impl<'a> Sample<'a> {
    pub fn of(doc: &'a Document) -> Self {
        let mut out = Sample {
            lines: Vec::new(),
            first: [0; 256],
            indented: 0,
            escapes: false,
        };
        let n = doc.len();
        let mut room = MAX_LOOK;
        let head = (0..n.min(LOOKED_AT)).take_while(|&i| out.add(doc.line(i), &mut room));
        let head = head.count();
        let mut room = MAX_LOOK;
        for i in head.max(n.saturating_sub(LOOKED_AT))..n {
            out.add(doc.line(i), &mut room);
        }
        out
    }

    /// Adds a line; false if there is no room for it.
    fn add(&mut self, line: &'a str, room: &mut usize) -> bool {
        let bare = line.trim_start_matches([' ', '\t']);
        let Some(&first) = bare.as_bytes().first() else {
            return true;
        };
        let mut end = line.len().min(*room);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let line = &line[..end];
        *room -= end;
        self.lines.push(line);
        self.first[usize::from(first)] += 1;
        self.indented += usize::from(bare.len() < line.len());
        self.escapes |= line.contains('\\');
        *room > 0
    }

    /// How many lines begin with one of these bytes.
    pub fn begin(&self, with: &[u8]) -> usize {
        with.iter()
            .map(|b| self.first[usize::from(*b)] as usize)
            .sum()
    }

    /// Whether nearly all begin alike; digits are alike.
    pub fn alike(&self) -> bool {
        let digits: u32 = self.first[usize::from(b'0')..=usize::from(b'9')]
            .iter()
            .sum();
        let most = self.first.iter().copied().max().unwrap_or(0).max(digits);
        most as usize * 10 >= self.lines.len() * 9
    }
}

/// The part of a document's text that a slice of it is.
pub(super) fn place(doc: &Document, part: &str) -> Range<usize> {
    let from = (part.as_ptr() as usize).saturating_sub(doc.text().as_ptr() as usize);
    from..from + part.len()
}

/// Length of a dotted class at the start that is an exception by its name.
pub(super) fn class(text: &str) -> Option<usize> {
    const ENDS: &[&str] = &[
        "Error",
        "Exception",
        "Interrupt",
        "Exit",
        "Warning",
        "Timeout",
        "Failure",
        "Failed",
        "Group",
        "Fault",
    ];
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let name = &text[..end];
    let last = name.rsplit('.').next().unwrap_or(name);
    (end > 4
        && ENDS.iter().any(|e| last.ends_with(e))
        && !name.starts_with(|c: char| c.is_ascii_digit()))
    .then_some(end)
}

/// Whether the text begins with an exception's class and a colon, or is one.
pub(super) fn exception(text: &str) -> bool {
    class(text).is_some_and(|n| text[n..].is_empty() || text[n..].starts_with(": "))
}

/// A line with which a traceback goes on, so that it is not the rest of the line before.
pub(super) fn begins(line: &str) -> bool {
    let t = line.trim_start();
    t.starts_with("File ")
        || t.starts_with("Traceback (")
        || t.starts_with("Cell In")
        || t.starts_with("Input In")
        || t.starts_with("<ipython-input")
        || t.starts_with("During handling of")
        || t.starts_with("The above exception")
        || t.starts_with("->")
        || t.starts_with("--")
        || t.ends_with("Traceback (most recent call last)")
        || exception(t)
}
