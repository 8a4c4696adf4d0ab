//! What is known of a cell by asking.

use super::checksum::fnv1a_64;
use nbmedic_ask::Answer;
use std::cell::{Cell, RefCell};

/// Most answers kept of one cell, the oldest go first.
const MAX_ANSWERS: usize = 8;
/// A checksum of everything that decides an answer (`build.rs`).
const BUILD: &str = env!("NBMEDIC_BUILD");

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
        // A cell is cured as the notebook is now.
        if matches!(answer, Answer::Cures(_)) {
            list.retain(|(_, old)| !matches!(old, Answer::Cures(_)));
        }
        if list.len() >= MAX_ANSWERS {
            list.remove(0);
        }
        list.push((key, answer.clone()));
        self.changed.set(true);
    }

    /// Whether one of them proposes changes of the notebook's code.
    pub fn hold_cures(&self) -> bool {
        let made = |a: &Answer| matches!(a, Answer::Cures(all) if all.iter().any(Option::is_some));
        self.list.borrow().iter().any(|(_, answer)| made(answer))
    }

    /// The answers as they are stored, and the checksum that they are read with.
    pub fn write(&self) -> (String, String) {
        let list = self.list.borrow();
        // JSON's numbers are too small for a checksum.
        let named = list
            .iter()
            .map(|(key, answer)| (format!("{key:x}"), answer));
        let text = nbmedic_json::to_string(&named.collect::<Vec<_>>());
        let of = checksum(&text);
        (text, of)
    }

    /// Answers that were stored; none if they are another build's, or not as they were written.
    pub fn read(text: &str, of: &str) -> Option<Answers> {
        if of != checksum(text) {
            return None;
        }
        let list: Vec<(String, Answer)> = nbmedic_json::parse(text).ok()?;
        let list = list.into_iter().take(MAX_ANSWERS);
        let list = list.map(|(key, answer)| Some((u64::from_str_radix(&key, 16).ok()?, answer)));
        Some(Answers {
            list: RefCell::new(list.collect::<Option<_>>()?),
            changed: Cell::new(false),
        })
    }
}

fn checksum(text: &str) -> String {
    let bytes = [BUILD, text].into_iter().flat_map(str::bytes);
    format!("{:016x}", fnv1a_64(bytes))
}
