//! A failure as it would be after an edit, for what can be evaluated again.

use crate::book::{Book, BookCell};
use crate::case::Case;
use crate::sureness::changed;
use nbmedic_facts::Cure;
use std::cell::{Cell as StdCell, OnceCell};

impl Case<'_> {
    /// What is so after a cure's edits. What was seen of values from the first changed cell on is left out.
    pub(crate) fn after<T>(
        &self,
        cure: &Cure,
        ask: impl FnOnce(&Case<'_>) -> Option<T>,
    ) -> Option<T> {
        let changed = changed(self, cure);
        let new = |i: usize| changed.iter().find(|(at, _)| *at == i);
        let from = changed.iter().map(|(at, _)| self.book.cells()[*at].ran);
        let from = from.min().flatten();
        let cells = self.book.cells().iter().enumerate().map(|(i, c)| BookCell {
            source: new(i).map_or(c.source, |(_, after)| after.text()),
            output: if c.ran < from { c.output } else { "" },
            ..*c
        });
        let book = Book::new(cells.collect());
        ask(&Case {
            book: &book,
            at: self.at,
            output: self.output.clone(),
            chain: self.chain.clone(),
            frames: self.frames.clone(),
            diagnosis: None,
            values: Vec::new(),
            holders: Vec::new(),
            shown: OnceCell::new(),
            read: StdCell::new(self.read.get()),
        })
    }
}
