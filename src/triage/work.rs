//! What the patterns may cost on one text, and what they found in all of it.
//!
//! Each pattern runs over a bounded part, but a text may hold thousands of exceptions, and a line any number of literals.
//! What a pattern finds outside a finding's own words is the same for every finding, so it is looked for once. What is left
//! is counted in bytes that patterns look at; when they are spent, no further pattern runs.

use litemap::LiteMap;
use nbmedic_catalog::FactPattern;
use nbmedic_facts::Facts;
use nbmedic_text::steps::took;
use std::cell::{Cell, RefCell};

/// Bytes that patterns may look at in any text, and for each byte of it.
const BASE: usize = 6 << 20;
const A_BYTE: usize = 8;

/// The work on one text.
pub(super) struct Work {
    left: Cell<usize>,
    ended: Cell<bool>,
    /// What patterns found in the text and in its source, by their addresses.
    elsewhere: RefCell<LiteMap<usize, Facts>>,
}

impl Work {
    /// For a text of so many bytes.
    pub fn new(bytes: usize) -> Work {
        Work {
            left: Cell::new(BASE.saturating_add(bytes.saturating_mul(A_BYTE))),
            ended: Cell::new(false),
            elsewhere: RefCell::default(),
        }
    }

    /// Whether a pattern may look at so many more bytes; they are spent.
    pub fn may(&self, bytes: usize) -> bool {
        took(bytes);
        let left = self.left.get().checked_sub(bytes);
        match left {
            Some(left) => self.left.set(left),
            None => self.ended.set(true),
        }
        left.is_some()
    }

    /// Whether a pattern was not run because the work was spent.
    pub fn ended(&self) -> bool {
        self.ended.get()
    }

    /// What a pattern finds outside a finding's own words; `read` looks for it if that was not done.
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
