//! A failure as it would be after an edit, for what can be evaluated again.

use crate::book::{Book, BookCell};
use crate::case::{Case, OwnFrame};
use nbmedic_facts::{Cure, Edit, Position};
use nbmedic_python::{Cell, Ranged, TextRange, TextSize};
use std::cell::{Cell as StdCell, OnceCell};

/// The cells that a cure changes, by their index in the book, as they are after its edits.
pub(crate) fn changed(case: &Case<'_>, cure: &Cure) -> Vec<(usize, Cell)> {
    let mut out: Vec<(usize, Cell)> = Vec::new();
    for edit in &cure.edits {
        let mut cells = case.book.cells().iter();
        let Some(at) = cells.position(|c| c.position == edit.cell) else {
            continue;
        };
        if out.iter().any(|(i, _)| *i == at) {
            continue;
        }
        let own: Vec<&Edit> = cure.edits.iter().filter(|e| e.cell == edit.cell).collect();
        let after = case.python(at).and_then(|c| Edit::apply(c.text(), &own));
        out.extend(after.and_then(|text| Some((at, Cell::read(&text)?))));
    }
    out
}

impl Case<'_> {
    /// What is so after a cure's edits; `changed` are the cells as they are then. What was seen of values and outputs from the
    /// first changed cell on is left out, unless nothing but the failing statement changes.
    pub(crate) fn after<T>(
        &self,
        cure: &Cure,
        changed: &[(usize, Cell)],
        ask: impl FnOnce(&Case<'_>) -> T,
    ) -> T {
        let new = |i: usize| changed.iter().find(|(at, _)| *at == i);
        let from = changed.iter().map(|(at, _)| self.book.cells()[*at].ran);
        let from = from.min().flatten();
        let within = cure.edits.iter().all(|e| is_within(self, e));
        let cells = self.book.cells().iter().enumerate().map(|(i, c)| BookCell {
            source: new(i).map_or(c.source, |(_, after)| after.text()),
            output: if new(i).is_none() && (within || c.ran < from) {
                c.output
            } else {
                ""
            },
            ..*c
        });
        let book = Book::new(cells.collect());
        let frames = self.frames.iter().map(|f| moved(self, cure, f)).collect();
        let mut after = would_be(self, &book, frames);
        if within {
            after.values.clone_from(&self.values);
        } else {
            after.add_shown();
        }
        ask(&after)
    }

    /// What would be so, had a cell run so many times in a row. What was seen after it ran is left out.
    pub(crate) fn had_run<T>(
        &self,
        cell: usize,
        times: usize,
        ask: impl FnOnce(&Case<'_>) -> Option<T>,
    ) -> Option<T> {
        let own = self.book.cells().get(cell)?;
        let text = vec![own.source; times].join("\n");
        let cells = self.book.cells().iter().enumerate();
        let cells = cells.map(|(at, old)| BookCell {
            source: if at == cell { &text } else { old.source },
            output: if old.ran < own.ran { old.output } else { "" },
            ..*old
        });
        let book = Book::new(cells.collect());
        let lines = own.source.matches('\n').count() + 1;
        let down = u32::try_from(lines * times.checked_sub(1)?).ok()?;
        let frame = |f: &OwnFrame| OwnFrame {
            line: f.line + if f.cell == cell { down } else { 0 },
            ..f.clone()
        };
        let mut then = would_be(self, &book, self.frames.iter().map(frame).collect());
        then.add_shown();
        ask(&then)
    }
}

/// The same failure in other cells, with nothing seen of their values.
fn would_be<'b>(case: &Case<'_>, book: &'b Book<'b>, frames: Vec<OwnFrame>) -> Case<'b> {
    Case {
        book,
        at: case.at,
        output: case.output.clone(),
        chain: case.chain.clone(),
        frames,
        diagnosis: None,
        values: Vec::new(),
        holders: Vec::new(),
        shown: OnceCell::new(),
        read: StdCell::new(case.read.get()),
    }
}

/// Whether an edit changes nothing but the failing statement.
fn is_within(case: &Case<'_>, edit: &Edit) -> bool {
    let Some((cell, python, stmt)) = case.here() else {
        return false;
    };
    let range = range(python, edit).filter(|_| case.position(cell) == edit.cell);
    range.is_some_and(|r| stmt.range().contains_range(r))
}

/// A frame, with its line where the edits of a cure move it.
fn moved(case: &Case<'_>, cure: &Cure, frame: &OwnFrame) -> OwnFrame {
    let here = case.position(frame.cell);
    let above = |e: &&Edit| {
        e.cell == here && (e.end.line < frame.line || e.end.line == frame.line && e.end.column == 1)
    };
    let mut line = i64::from(frame.line);
    for edit in cure.edits.iter().filter(above) {
        let new = edit.text.matches('\n').count();
        line += i64::try_from(new).unwrap_or(0);
        line -= i64::from(edit.end.line) - i64::from(edit.start.line);
    }
    OwnFrame {
        line: u32::try_from(line).unwrap_or(frame.line),
        ..frame.clone()
    }
}

/// What an edit replaces.
pub(crate) fn range(python: &Cell, edit: &Edit) -> Option<TextRange> {
    let place = |p: Position| {
        let line = python.line_range(p.line);
        let before = python.slice(line).chars().take(p.column as usize - 1);
        let size = u32::try_from(before.map(char::len_utf8).sum::<usize>()).ok()?;
        Some(line.start() + TextSize::new(size))
    };
    let (start, end) = (place(edit.start)?, place(edit.end)?);
    (start <= end).then(|| TextRange::new(start, end))
}
