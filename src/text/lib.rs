//! Terminal output to clean lines.
//!
//! A notebook's output is what a terminal would have got: colours, progress bars that redraw
//! themselves, links. [`Document::from_terminal`] gives the lines a person would read at the
//! end, in bounded memory, and maps every byte of them back to the raw text.
//!
//! What is understood (ECMA-48 names): SGR and every other CSI sequence, OSC, DCS, PM, APC and SOS
//! strings, two-character escapes, carriage return (the text after it overwrites in place, what is
//! longer stays, as on a terminal), backspace, cursor up, down, forward, back and column (`CSI
//! A B C D E F G`, at most [`REACH`] rows up), erase in line and below (`CSI K`, `CSI J`). A cursor
//! position (`CSI H`), a cleared screen, a form feed or a vertical tab starts a new line and
//! nothing printed before is lost. Other control characters are dropped; tabs and the spaces
//! U+00A0 and U+202F stay as they are. Every character counts as one column.

mod cleaner;
mod document;
mod part;
mod screen;
mod sieve;

pub use cleaner::Cleaner;
pub use document::Document;
pub use sieve::Sieve;

/// How many rows above the lowest one the cursor can be moved back to.
pub const REACH: usize = 32;

/// What a [`Document`] may grow to. Where a limit is reached, the beginning and the end are kept
/// and a line (or a part of the line) says how much was left out. The rows that a progress bar can
/// still redraw ([`REACH`] of them) may come on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of clean text kept: a quarter of them from the beginning, the rest from the end.
    pub max_bytes: usize,
    /// Bytes of one line kept: half from its beginning, half from its end.
    pub max_line: usize,
    /// Lines kept: a quarter of them from the beginning, the rest from the end.
    pub max_lines: usize,
}

impl Default for Limits {
    /// 8 MiB, 16 KiB a line, 100,000 lines.
    fn default() -> Self {
        Self {
            max_bytes: 8 << 20,
            max_line: 16 << 10,
            max_lines: 100_000,
        }
    }
}

impl Limits {
    /// Makes the three fit together: a line is at most a quarter of the text, and nothing is so
    /// small that the notes about what was left out would be longer than what is kept.
    fn sane(self) -> Self {
        let max_bytes = self.max_bytes.max(1024);
        Self {
            max_bytes,
            max_line: self.max_line.clamp(64, max_bytes / 4),
            max_lines: self.max_lines.max(8),
        }
    }
}
