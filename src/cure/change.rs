//! Changes to a cell's source, and their descriptions.

use nbmedic_facts::Basis;
use nbmedic_python::{Cell, Ranged, TextRange};

/// A change of one cell's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The replaced range. Empty for an insertion.
    pub range: TextRange,
    /// The new text.
    pub text: String,
    /// The node that it replaces or follows. If that is an expression, the new text is
    /// parenthesized where necessary.
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

    /// Inserts text before a node.
    pub fn before(cell: usize, node: impl Ranged, text: impl Into<String>) -> Change {
        Change::replace(cell, TextRange::empty(node.start()), text)
    }

    /// Inserts text after a node.
    pub fn after(cell: usize, node: impl Ranged, text: impl Into<String>) -> Change {
        Change {
            node: Some(node.range()),
            ..Change::replace(cell, TextRange::empty(node.end()), text)
        }
    }

    /// Inserts whole lines before a line (from 1), with its indentation. `text` has no final
    /// newline.
    pub fn line_before(cell: usize, source: &Cell, line: u32, text: &str) -> Change {
        let at = source.line_range(line).start();
        let indent = source.indent(line);
        let lines: String = text.lines().map(|l| format!("{indent}{l}\n")).collect();
        Change::replace(cell, TextRange::empty(at), lines)
    }
}

/// A technique's description of its edits.
#[derive(Clone, Debug)]
pub struct Said {
    /// Stable name.
    pub id: &'static str,
    /// What the technique knows it by.
    pub basis: Basis,
    /// Short and imperative, with code in backticks.
    pub title: String,
    /// Why the edit helps and what the user must choose, with code in backticks.
    pub why: String,
}

/// Applies sorted changes to a source.
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
