//! What is known of a cell by asking.

use nbmedic_ask::Answer;
use std::cell::{Cell, RefCell};

/// Most answers kept of one cell, the oldest go first.
const MAX_ANSWERS: usize = 8;

/// The answers to questions about one cell, by the questions' checksums, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    list: RefCell<Vec<(u64, Answer)>>,
    /// They differ from what is stored.
    pub changed: Cell<bool>,
}

impl Answers {
    pub fn find(&self, key: u64) -> Option<Answer> {
        let list = self.list.borrow();
        let found = list.iter().find(|(of, _)| *of == key);
        found.map(|(_, answer)| answer.clone())
    }

    pub fn add(&self, key: u64, answer: &Answer) {
        let mut list = self.list.borrow_mut();
        if list.len() >= MAX_ANSWERS {
            list.remove(0);
        }
        list.push((key, answer.clone()));
        self.changed.set(true);
    }
}
