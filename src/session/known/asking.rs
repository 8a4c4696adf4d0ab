//! Questions about the cells' Python, and the answers that are known.

use super::cell::Cell;
use super::checksum::Fnv;
use nbmedic_ask::{Allocation, Answer, Plain, Question, Reader, Reply};
use std::cell::Cell as Flag;
use std::hash::{Hash, Hasher};

/// Asks the reader what is not known yet.
#[derive(Clone)]
pub(crate) struct Asker {
    reader: Reader,
    /// An answer was missing because the reader is not loaded.
    away: Flag<bool>,
}

impl Asker {
    pub fn new(reader: Reader) -> Asker {
        Asker {
            reader,
            away: Flag::new(false),
        }
    }

    /// Whether an answer was missing since this was last asked.
    pub fn take_away(&self) -> bool {
        self.away.take()
    }

    /// Records that something rests on a missing answer.
    pub fn miss(&self) {
        self.away.set(true);
    }

    /// The answer to a question about a cell. If it isn't known yet, one that knows nothing, and [`Asker::take_away`]
    /// says so.
    pub fn ask(&self, cell: &Cell, question: &Question<'_>) -> Answer {
        let mut key = Fnv::default();
        question.hash(&mut key);
        let key = key.finish();
        if let Some(known) = cell.answers.find(key).filter(|a| a.fits(question)) {
            return known;
        }
        match (self.reader)(question) {
            Reply::Known(answer) => {
                cell.answers.add(key, &answer);
                return answer;
            }
            Reply::Away => self.miss(),
            Reply::Gone => {}
        }
        Answer::nothing(question)
    }

    /// What is plain in a cell's source.
    pub fn plain(&self, cell: &Cell) -> Plain {
        let source = cell.source.as_str().into();
        match self.ask(cell, &Question::Plain { source }) {
            Answer::Plain(plain) => plain,
            _ => Plain::default(),
        }
    }

    /// The names that a line of a cell uses.
    pub fn words(&self, cell: &Cell, line: u32) -> Vec<String> {
        let source = cell.source.as_str().into();
        match self.ask(cell, &Question::Words { source, line }) {
            Answer::Words(words) => words,
            _ => Vec::new(),
        }
    }

    /// The arrays of a cell whose size can be read, largest first. `before`: the cells that ran before it.
    pub fn arrays(&self, cell: &Cell, before: &[&Cell]) -> Vec<Allocation> {
        let source = cell.source.as_str().into();
        let before = before.iter().map(|c| c.source.as_str().into()).collect();
        match self.ask(cell, &Question::Arrays { source, before }) {
            Answer::Arrays(arrays) => arrays,
            _ => Vec::new(),
        }
    }
}
