//! Changes of a cell's source, and what is said about them.

use nbmedic_facts::Applicability;
use nbmedic_python::{Cell, Ranged, TextRange};

/// A change of one cell's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The index of the cell in the book.
    pub cell: usize,
    /// What is replaced; empty for an insertion.
    pub range: TextRange,
    /// What stands there afterwards.
    pub text: String,
    /// The node that it replaces or stands behind; where that is an expression, the text is bracketed if it has to be.
    pub node: Option<TextRange>,
}

impl Change {
    /// Replaces a node.
    pub fn replace(cell: usize, node: impl Ranged, text: impl Into<String>) -> Change {
        Change {
            cell,
            range: node.range(),
            text: text.into(),
            node: Some(node.range()),
        }
    }

    /// Puts text before a node.
    pub fn before(cell: usize, node: impl Ranged, text: impl Into<String>) -> Change {
        Change::replace(cell, TextRange::empty(node.start()), text)
    }

    /// Puts text behind a node.
    pub fn after(cell: usize, node: impl Ranged, text: impl Into<String>) -> Change {
        Change {
            node: Some(node.range()),
            ..Change::replace(cell, TextRange::empty(node.end()), text)
        }
    }

    /// Inserts whole lines, without their last line end, before a line (from 1), indented like it.
    pub fn line_before(cell: usize, source: &Cell, line: u32, text: &str) -> Change {
        let at = source.line_range(line).start();
        let indent = source.indent(line);
        let lines: String = text.lines().map(|l| format!("{indent}{l}\n")).collect();
        Change::replace(cell, TextRange::empty(at), lines)
    }
}

/// What a technique says about its edits.
#[derive(Clone, Debug)]
pub struct Said {
    /// Stable name.
    pub id: &'static str,
    /// How certain it is.
    pub applies: Applicability,
    /// Imperative, short; code stands between backticks.
    pub title: String,
    /// Why it helps, and what choice is in it; code stands between backticks.
    pub why: String,
}

/// A text with sorted changes applied.
pub fn applied(text: &str, changes: &[Change]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for c in changes {
        out.push_str(text.get(at..c.range.start().to_usize())?);
        out.push_str(&c.text);
        at = c.range.end().to_usize();
    }
    out.push_str(text.get(at..)?);
    Some(out)
}
