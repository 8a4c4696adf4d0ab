//! Text to ranked diagnoses.

mod detectors;
mod facts;
mod find;
pub(crate) mod flight;
mod index;
mod last_words;
mod rank;
mod rows;

pub use facts::{kind_of, Facts, Kind, Value};
pub use last_words::last_words;
pub use rank::Considered;
use serde::Serialize;
use std::ops::Range;

/// Where the text comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// A cell's output, or a file that holds one.
    #[default]
    Output,
    /// A toast, dialog or banner of the front end.
    Notice,
    /// A log of a program or server.
    Log,
}

/// What is to be judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// The text as printed, control codes included.
    pub text: &'a str,
    /// Where it comes from.
    pub surface: Surface,
    /// The source of the cell that printed it, where known.
    pub source: Option<&'a str>,
}

/// A line that speaks for a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Line number in the text as given, from 1.
    pub line: usize,
    /// The line, cleaned and bounded.
    pub text: String,
    /// Its bytes in the text as given.
    #[serde(skip)]
    pub range: Range<usize>,
}

/// Where it happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The cell's position in the notebook, from 1; absent for plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// The deepest line of the user's cell, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A ranked conclusion.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Stable id of the taxonomy.
    pub id: &'static str,
    /// Variant of the id.
    pub variant: Option<&'static str>,
    /// 0 to 1.
    pub confidence: f32,
    /// What was read off the text.
    pub facts: Facts,
    /// Where it happened.
    pub location: Location,
    /// The lines it rests on.
    pub evidence: Vec<Evidence>,
    /// Other ids that the same text could mean, likeliest first.
    pub also: Vec<&'static str>,
}

/// What went wrong, best first; empty when nothing did.
pub fn triage(input: &Input<'_>) -> Vec<Diagnosis> {
    triage_why(input).0
}

/// As [`triage`], with every finding that was considered and what became of it.
pub fn triage_why(input: &Input<'_>) -> (Vec<Diagnosis>, Vec<Considered>) {
    if let Some(found) = flight::record(input.text) {
        return (found, Vec::new());
    }
    rank::rank(&find::Context::new(input, index::index()))
}

/// Whether a rule may name this detector.
pub fn is_detector(name: &str) -> bool {
    detectors::NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{rules, Rule};
    use index::Index;
    use std::path::Path;

    /// A fixed sequence, so that a failure can be seen again.
    fn shuffled(seed: u64) -> Vec<&'static Rule> {
        let mut state = seed;
        let mut list: Vec<&'static Rule> = rules().iter().collect();
        for i in (1..list.len()).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            list.swap(i, (state >> 33) as usize % (i + 1));
        }
        list
    }

    #[test]
    fn the_order_of_the_rules_changes_no_verdict() {
        let files = nbmedic_catalogc::load(Path::new("src/catalog")).unwrap();
        let orders: Vec<Index> = (1..=3).map(|seed| Index::of(&shuffled(seed))).collect();
        let judge = |text: &str, index: &Index| {
            let input = Input {
                text,
                ..Input::default()
            };
            format!("{:?}", rank::rank(&find::Context::new(&input, index)).0)
        };
        let mut texts = 0;
        for example in files.iter().flat_map(|f| &f.examples) {
            let usual = judge(&example.text, index::index());
            for order in &orders {
                assert_eq!(judge(&example.text, order), usual, "{}", example.text);
            }
            texts += 1;
        }
        assert!(texts > 400, "only {texts} examples");
    }
}
