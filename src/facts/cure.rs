//! A cure: a fix made for this failure.

use serde::{Deserialize, Serialize};

/// How certain a fix is to help, in the sense of rustc's suggestions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// It removes the cause and changes nothing else.
    Sure,
    /// It removes the usual cause; or a choice is in it, and its words say which.
    Likely,
    /// It is worth trying, or helps to find the cause.
    #[default]
    Maybe,
}

/// What a fix asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FixKind {
    /// Change the source of cells.
    Edit,
    /// Run cells.
    Run,
    /// Install something.
    Install,
    /// Change a setting of the front end, the runtime or an account.
    Setting,
    /// Look at something, to decide with it.
    #[default]
    Look,
}

/// A position in a cell's source: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A change of one cell's source, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The cell's position in the notebook, from 1.
    pub cell: usize,
    /// Where the replaced text starts.
    pub start: Position,
    /// Where it ends, exclusive; equal to `start` for an insertion.
    pub end: Position,
    /// What stands there afterwards.
    pub text: String,
}

/// A line of the difference that a cure makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    /// The cell's position in the notebook, from 1.
    pub cell: usize,
    /// `-` for a line as it was, `+` for one as it becomes, a blank for one that stays.
    pub sign: char,
    /// The line's number, from 1, in the cell as it was for `-` and blank, as it becomes for `+`.
    pub number: u32,
    /// The line.
    pub text: String,
    /// The changed part of the line, in characters from 0, end exclusive.
    pub changed: Option<(u32, u32)>,
}

/// A fix made for this failure, from the person's own code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cure {
    /// Stable name of the technique.
    pub id: &'static str,
    /// What it asks for.
    pub kind: FixKind,
    /// How certain it is.
    pub applies: Applicability,
    /// Imperative, short; code in it stands between backticks.
    pub title: String,
    /// Why it helps, and what choice is in it; code stands between backticks. One or two sentences.
    pub why: String,
    /// The changes, in order, not overlapping.
    pub edits: Vec<Edit>,
    /// The positions of the cells to run, in order, from 1.
    pub run: Vec<usize>,
    /// The cell whose whole source `code` is, if it is one.
    pub cell: Option<usize>,
    /// The whole cell as repaired, or what to run; may be empty.
    pub code: String,
    /// Its language: `python`, `bash`.
    pub language: &'static str,
    /// The edits as a difference of lines.
    pub diff: Vec<DiffLine>,
}
