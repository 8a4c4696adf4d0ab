//! The budget of patterns on one text, and their results for the whole text.
//!
//! Each pattern runs over a limited part, but a text may contain thousands of exceptions, and a line any number of literals.
//! A pattern's result outside a finding's own words is the same for every finding, so it is computed once. Everything else
//! is counted in bytes that patterns read; when they are spent, no further pattern runs.

use litemap::LiteMap;
use nbmedic_catalog::FactPattern;
use nbmedic_facts::Facts;
use nbmedic_text::steps::took;
use std::cell::{Cell, RefCell};

/// Bytes that patterns may read for any text, and for each of its bytes.
const BASE: usize = 6 << 20;
const A_BYTE: usize = 8;

/// The work on one text.
pub(super) struct Work {
    left: Cell<usize>,
    ended: Cell<bool>,
    /// The results of patterns for the text and for its source, by the patterns' addresses.
    elsewhere: RefCell<LiteMap<usize, Facts>>,
}

impl Work {
    /// The budget of a text of this many bytes.
    pub fn new(bytes: usize) -> Work {
        Work {
            left: Cell::new(BASE.saturating_add(bytes.saturating_mul(A_BYTE))),
            ended: Cell::new(false),
            elsewhere: RefCell::default(),
        }
    }

    /// Whether a pattern may read this many more bytes; they are then spent.
    pub fn may(&self, bytes: usize) -> bool {
        took(bytes);
        let left = self.left.get().checked_sub(bytes);
        match left {
            Some(left) => self.left.set(left),
            None => self.ended.set(true),
        }
        left.is_some()
    }

    /// Whether a pattern was not run because the budget was spent.
    pub fn ended(&self) -> bool {
        self.ended.get()
    }

    /// A pattern's result outside a finding's own words; `read` computes it the first time.
    pub fn elsewhere(&self, p: &'static FactPattern, read: impl FnOnce() -> Facts) -> Facts {
        let key = std::ptr::from_ref(p) as usize;
        if let Some(known) = self.elsewhere.borrow().get(&key) {
            return known.clone();
        }
        let found = read();
        self.elsewhere.borrow_mut().insert(key, found.clone());
        found
    }
}
