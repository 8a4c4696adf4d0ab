//! What is told of an input.

use nbmedic::facts::Occurrences;
use nbmedic::notebook::Piece;
use nbmedic::report::{Extent, Known};
use nbmedic::triage::{Considered, Diagnosis};

/// Bytes that the engine judges as one text.
pub const FITS: usize = 8 << 20;
/// Most diagnoses of one input of which each is listed; beyond, only new ones are, and the others are counted.
pub const LISTED: usize = 256;

/// A diagnosis, and the source of its cell.
pub type Found = (Diagnosis, Option<String>);

/// What is known of an input at its end.
#[derive(Default)]
pub struct Outcome {
    /// How much was read; `None` for an input that was judged as a whole.
    pub read: Option<Extent>,
    /// How often failures were found that were told once: the position of what was told, and the count.
    pub counts: Vec<(usize, Occurrences)>,
    /// Every finding that was considered, with its cell.
    pub considered: Vec<(Option<usize>, Considered)>,
    /// Why it could not be read, or not to its end.
    pub error: Option<String>,
    /// A signal ended it.
    pub interrupted: bool,
    /// The secrets that its texts show, if they were to be learnt.
    pub known: Known,
}

/// Learns the secrets of the texts that are read, where the answer must have none.
pub struct Learner(Option<Known>);

impl Learner {
    pub fn new(learns: bool) -> Learner {
        Learner(learns.then(Known::default))
    }

    /// Learns a text.
    pub fn see(&mut self, text: &str) {
        if let Some(known) = &mut self.0 {
            known.learn_secrets(text);
        }
    }

    /// Learns a cell: its source, and what it printed.
    pub fn piece(&mut self, piece: &Piece) {
        piece.texts().for_each(|text| self.see(text));
    }

    /// What was learnt.
    pub fn known(self) -> Known {
        self.0.unwrap_or_default()
    }
}

impl Outcome {
    /// An input that could not be read at all.
    pub fn failed(error: String) -> Outcome {
        Outcome {
            error: Some(error),
            ..Outcome::default()
        }
    }
}
