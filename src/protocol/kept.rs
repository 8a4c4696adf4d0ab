//! What the engine found out, in the form in which it is stored: a replay then does not find it out again.

use super::strings::{Id, See, Text, MAX_NAME};
use serde::{Deserialize, Serialize};

/// Longest list of what was found in a cell's output, and of the answers about a cell, in bytes.
pub const MAX_FOUND: usize = 64 << 10;
/// Most diagnoses whose prose one card needs.
pub(super) const MAX_PROSE: usize = 64;

/// What the engine found in a cell's output: a replay of the stored events then needs no second look.
/// The background hands these to the engine before the other events of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Judged {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// A checksum of the engine's build, the text, the cell's source and what was found: it holds for
    /// nothing else.
    pub of: String,
    /// What was found, as the engine writes it; empty: nothing.
    pub found: String,
    /// The diagnoses whose prose a card needs.
    pub prose: Vec<String>,
}

impl Judged {
    pub(super) fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
        see(Id(MAX_NAME, &mut self.of));
        see(Text(MAX_FOUND, &mut self.found));
        self.prose.iter_mut().for_each(|id| see(Id(MAX_NAME, id)));
    }
}

/// What the reader of the cells' Python answered about a cell, stored so that a replay needs no reader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Answered {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// A checksum of the engine's build and the answers: it holds for nothing else.
    pub of: String,
    /// The answers with their questions' checksums, as the engine writes them.
    pub text: String,
}

impl Answered {
    pub(super) fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
        see(Id(MAX_NAME, &mut self.of));
        see(Text(MAX_FOUND, &mut self.text));
    }
}
