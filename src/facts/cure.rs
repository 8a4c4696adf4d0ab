//! A cure: a fix made for this failure.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How certain a fix is to help, in the sense of rustc's suggestions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// It removes the cause and changes nothing else.
    Sure,
    /// It removes the usual cause; or a choice is in it, and its words say which.
    Likely,
    /// It is worth trying.
    #[default]
    Maybe,
    /// It repairs nothing: it shows what helps to find the cause.
    Shows,
}

/// What a fix is known by, the strongest first. How certain it is follows from that and from what the edited cells show;
/// nobody says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The message names what belongs there: a name, an argument, a type, a key.
    Named,
    /// The message's numbers leave one answer.
    Solved,
    /// A value at the failure, or a saved output, shows it.
    Value,
    /// The record of what ran shows it.
    Record,
    /// The notebook's code shows it: where a value was made, what a cell sets or defines.
    Source,
    /// The library says so: its names, what it renamed, what its functions take and give.
    Library,
    /// Python says so: what is written there can't do what it stands there for.
    Language,
    /// Of the names that are there, one is spelled so nearly alike that no other can be meant.
    Spelled,
    /// It is the closest of the names that are there.
    Alike,
    /// A convention, a default or the usual cause is assumed.
    Assumed,
    /// It is one of several causes, or an example.
    #[default]
    Guessed,
    /// It repairs nothing.
    Shows,
}

impl Basis {
    /// All of them with their words, as rules write them.
    const WORDS: [(&'static str, Basis); 12] = [
        ("named", Basis::Named),
        ("solved", Basis::Solved),
        ("value", Basis::Value),
        ("record", Basis::Record),
        ("source", Basis::Source),
        ("library", Basis::Library),
        ("language", Basis::Language),
        ("spelled", Basis::Spelled),
        ("alike", Basis::Alike),
        ("assumed", Basis::Assumed),
        ("guessed", Basis::Guessed),
        ("shows", Basis::Shows),
    ];

    /// The basis of a word.
    pub fn of(word: &str) -> Option<Basis> {
        let mut all = Basis::WORDS.into_iter();
        all.find_map(|(w, basis)| (w == word).then_some(basis))
    }
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

impl Edit {
    /// A cell's source after edits of it. None if a place is not there, or two edits overlap.
    pub fn apply(source: &str, edits: &[&Edit]) -> Option<String> {
        let mut sorted = edits.to_vec();
        sorted.sort_by_key(|e| (e.start, e.end));
        let lines: Vec<usize> = std::iter::once(0)
            .chain(source.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let offset = |p: Position| {
            let start = *lines.get((p.line as usize).checked_sub(1)?)?;
            let line = source[start..].split('\n').next().unwrap_or("");
            let ends = std::iter::once(line.len());
            let at = line.char_indices().map(|(at, _)| at).chain(ends);
            Some(start + at.clone().nth((p.column as usize).checked_sub(1)?)?)
        };
        let mut out = String::with_capacity(source.len());
        let mut done = 0;
        for edit in sorted {
            let (start, end) = (offset(edit.start)?, offset(edit.end)?);
            if start < done || end < start {
                return None;
            }
            out.push_str(&source[done..start]);
            out.push_str(&edit.text);
            done = end;
        }
        out.push_str(&source[done..]);
        Some(out)
    }
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

/// A difference in the parts that stand together: of one cell, and without a gap.
pub fn parts(diff: &[DiffLine]) -> impl Iterator<Item = &[DiffLine]> {
    // A line that follows another one, or that stands in its place.
    diff.chunk_by(|a, b| {
        let next = match a.sign == b.sign {
            true => b.number == a.number.saturating_add(1),
            false => a.sign != '+',
        };
        a.cell == b.cell && next
    })
}

/// A fix made for this failure, from the person's own code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cure {
    /// Stable name of the technique.
    pub id: Cow<'static, str>,
    /// What it asks for.
    pub kind: FixKind,
    /// How certain it is.
    pub applies: Applicability,
    /// What it is known by: it gives the label, and isn't kept.
    #[serde(skip)]
    pub basis: Basis,
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
    pub language: Cow<'static, str>,
    /// The edits as a difference of lines.
    pub diff: Vec<DiffLine>,
    /// What a trial in a copy of the kernel showed, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Tried>,
}

/// The id of a cure for a package that fails in its own code while it is imported: advice about one's own code does not apply beside it.
pub const WHILE_IMPORTED: &str = "fails-while-imported";

/// What a trial of a fix in a copy of the kernel showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// Whether the failing cell ran to its end.
    pub ran: bool,
    /// Wall time of the trial, in seconds.
    pub seconds: f64,
    /// One sentence: that it ran, how it failed, or why it was not tried.
    pub result: String,
    /// What the cell's last expression and the names it assigned then are, one a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> Edit {
        let at = |(line, column)| Position { line, column };
        Edit {
            cell: 1,
            start: at(start),
            end: at(end),
            text: text.into(),
        }
    }

    #[test]
    fn a_difference_has_a_part_for_each_place() {
        let line = |(cell, sign, number)| DiffLine {
            cell,
            sign,
            number,
            text: String::new(),
            changed: None,
        };
        let diff: Vec<DiffLine> = [
            (1, '-', 2),
            (1, '-', 3),
            (1, '+', 2),
            (1, '+', 3),
            (1, '-', 9),
            (1, '+', 9),
            (2, '+', 10),
            (2, '+', 11),
            (2, '+', 20),
        ]
        .map(line)
        .to_vec();
        let lengths: Vec<usize> = parts(&diff).map(<[DiffLine]>::len).collect();
        assert_eq!(lengths, [4, 2, 2, 1]);
    }

    #[test]
    fn edits_are_applied_by_lines_and_characters() {
        let source = "é = 1\r\nb = é\n";
        let name = edit((2, 5), (2, 6), "è");
        let line = edit((2, 1), (2, 1), "c = 2\n");
        let end = edit((3, 1), (3, 1), "d");
        assert_eq!(
            Edit::apply(source, &[&end, &name, &line]).as_deref(),
            Some("é = 1\r\nc = 2\nb = è\nd")
        );
        for wrong in [
            edit((4, 1), (4, 1), ""),
            edit((2, 7), (2, 7), ""),
            edit((0, 1), (1, 1), ""),
            edit((2, 2), (2, 1), ""),
        ] {
            assert_eq!(Edit::apply(source, &[&wrong]), None, "{wrong:?}");
        }
        let over = edit((2, 1), (2, 6), "x");
        assert_eq!(Edit::apply(source, &[&over, &name]), None);
    }
}
