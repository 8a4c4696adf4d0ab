//! What a report lists.

use crate::fix::Change;

/// A diagnosis, as a linter tells one.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The id of the diagnosis.
    pub rule: &'static str,
    /// The id with the variant.
    pub name: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Its headline.
    pub title: String,
    /// Its summary, and the first fix.
    pub message: String,
    /// The cell's position in the notebook, from 1.
    pub cell: Option<usize>,
    /// The line of the cell or of the text, from 1.
    pub line: Option<usize>,
    /// The line of the file, from 1.
    pub file_line: Option<usize>,
    /// The first fix and what it changes in the file, if it is an edit.
    pub fix: Option<(String, Change)>,
}

/// What was found in one input.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The path, or `-`.
    pub source: String,
    /// The findings, in order.
    pub findings: Vec<Finding>,
    /// Why it could not be read, or not to its end.
    pub error: Option<String>,
}

impl Finding {
    /// `cell 3, line 4`; empty for a text.
    pub fn place(&self) -> String {
        match (self.cell, self.line) {
            (Some(cell), Some(line)) => format!("cell {cell}, line {line}"),
            (Some(cell), None) => format!("cell {cell}"),
            (None, _) => String::new(),
        }
    }
}
