//! Limits on how much of a text is kept.

/// How many rows above the lowest one the cursor can be moved back to.
pub const REACH: usize = 32;

/// Size limits of a [`Document`]. Beyond a limit, the beginning and the end are kept, and a line
/// (or a part of the line) says how much was omitted. The rows that a progress bar can still redraw
/// ([`REACH`] of them) are not counted.
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
    /// Makes the three limits consistent: a line is at most a quarter of the text, and no limit is
    /// so small that the notes about omitted text would be longer than what is kept.
    pub(super) fn sane(self) -> Self {
        let max_bytes = self.max_bytes.max(1024);
        Self {
            max_bytes,
            max_line: self.max_line.clamp(64, max_bytes / 4),
            max_lines: self.max_lines.max(8),
        }
    }
}
