//! A ranked conclusion and its evidence.

use crate::{Cure, Facts, Setting};
use serde::Serialize;
use std::ops::Range;

/// A ranked conclusion.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// Stable id of the taxonomy.
    pub id: &'static str,
    /// Variant of the id.
    pub variant: Option<&'static str>,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// Facts read from the text.
    pub facts: Facts,
    /// Where it happened.
    pub location: Location,
    /// The lines that support it.
    pub evidence: Vec<Evidence>,
    /// Other ids that the same text could mean, likeliest first.
    pub also: Vec<&'static str>,
    /// Fixes made for this failure, best first; filled in after triage, from the notebook's cells.
    pub cures: Vec<Cure>,
    /// Where and with what it happened.
    pub setting: Setting,
    /// How often it is in a long input; `None` where each is listed.
    pub occurrences: Option<Occurrences>,
}

/// How often a failure is in a long input, and where first and last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Occurrences {
    /// How often.
    pub count: u64,
    /// The first.
    pub first: Spot,
    /// The last.
    pub last: Spot,
}

/// A place in a long input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The cell's position in the notebook, from 1; absent for plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<u64>,
    /// The line of the text, from 1; absent in a notebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.cell, self.line) {
            (Some(n), _) => write!(f, "cell {n}"),
            (None, n) => write!(f, "line {}", n.unwrap_or_default()),
        }
    }
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

/// A line that supports a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Line number in the original text, from 1.
    pub line: usize,
    /// The line, cleaned and bounded.
    pub text: String,
    /// Its byte range in the original text.
    #[serde(skip)]
    pub range: Range<usize>,
}
