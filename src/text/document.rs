//! Clean lines with a map back to the raw text.

use super::mapped::{LineStart, Mapped, Run};
use std::ops::Range;

/// Clean lines, and where each of their bytes came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    text: String,
    lines: Vec<LineStart>,
    runs: Vec<Run>,
    omitted: Option<(usize, usize)>,
}

impl Document {
    /// `omitted`: the line of the note, and the number of lines that it replaces.
    pub(super) fn from_part(mut part: Mapped, omitted: Option<(usize, usize)>) -> Self {
        if part.open_is_empty() {
            part.lines.pop();
            part.text.pop();
        }
        Self {
            text: part.text,
            lines: part.lines,
            runs: part.runs,
            omitted,
        }
    }

    /// Where the text's bytes came from.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The clean lines, joined with `'\n'`, without one at the end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line, from 0, without its newline; empty beyond the end.
    pub fn line(&self, i: usize) -> &str {
        &self.text[self.span(i)]
    }

    /// All lines.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let ends = self.lines.iter().skip(1).map(|next| next.start - 1);
        let ends = ends.chain([self.text.len()]);
        (self.lines.iter().zip(ends)).map(|(line, end)| &self.text[line.start..end])
    }

    /// A line's bytes in [`Document::text`], without its newline; an empty range at the end of the
    /// text beyond the last line.
    pub fn span(&self, i: usize) -> Range<usize> {
        let end = self.text.len();
        let Some(line) = self.lines.get(i) else {
            return end..end;
        };
        match self.lines.get(i + 1) {
            Some(next) => line.start..next.start - 1,
            None => line.start..end,
        }
    }

    /// The line, from 0, that holds a byte of [`Document::text`] (its newline belongs to it); the
    /// last one for an offset beyond the end.
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines
            .partition_point(|l| l.start <= offset)
            .saturating_sub(1)
    }

    /// A line's number in the raw text, from 1, counted by `'\n'`. For a line that was redrawn:
    /// where it was last written.
    pub fn raw_line(&self, i: usize) -> usize {
        self.lines.get(i).map_or(1, |l| l.raw_line)
    }

    /// The bytes of the raw text that bytes of [`Document::text`] came from: the smallest range
    /// that covers them, including escapes between them. Empty for text that is not in the raw text
    /// (padding, a note about omitted text).
    pub fn raw_range(&self, r: Range<usize>) -> Range<usize> {
        let first = self
            .runs
            .partition_point(|g| g.clean <= r.start)
            .saturating_sub(1);
        let mut out: Option<Range<usize>> = None;
        for g in self
            .runs
            .iter()
            .skip(first)
            .take_while(|g| g.clean < r.end.max(r.start + 1))
        {
            let from = g.raw + r.start.saturating_sub(g.clean).min(g.len);
            let to = g.raw + (r.end.max(r.start) - g.clean.min(r.end)).min(g.len);
            if from < to {
                out = Some(match out {
                    Some(o) => o.start.min(from)..o.end.max(to),
                    None => from..to,
                });
            } else if out.is_none() && g.clean <= r.start {
                out = Some(from..from).filter(|_| r.end <= g.clean + g.len || r.is_empty());
            }
        }
        out.unwrap_or_else(|| {
            let at = self
                .runs
                .get(first)
                .map_or(0, |g| g.raw + r.start.saturating_sub(g.clean).min(g.len));
            at..at
        })
    }

    /// Where lines were omitted: the line of the note, from 0, and the number of lines that it
    /// replaces.
    pub fn omitted(&self) -> Option<(usize, usize)> {
        self.omitted
    }
}
