//! Inserts whole lines before and after a statement, and imports.

use super::editor::Editor;
use crate::change::Change;
use nbmedic_python::ast::token::TokenKind;
use nbmedic_python::ast::Stmt;
use nbmedic_python::{Cell, Ranged, TextRange};

/// The lines of a string, each indented. The inside of multi-line strings stays as it is.
pub fn indented(text: &str, indent: &str) -> Vec<String> {
    let cell = Cell::read(text);
    let mut at = 0;
    let mut out = Vec::new();
    for line in text.split('\n') {
        let start = at;
        at += line.len() + 1;
        let inside = cell.as_ref().is_some_and(|c| {
            let mut all = c.tokens().iter();
            all.any(|t| {
                matches!(t.kind(), TokenKind::String | TokenKind::FStringMiddle)
                    && t.start().to_usize() < start
                    && start < t.end().to_usize()
            })
        });
        let line = line.trim_end_matches('\r');
        out.push(match inside || line.is_empty() {
            true => line.to_owned(),
            false => format!("{indent}{line}"),
        });
    }
    if out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

/// Whether a string consists of simple statements, which can share a line with others.
fn is_simple(text: &str) -> bool {
    let cell = Cell::read(text);
    let compound = |s: &Stmt| {
        matches!(
            s,
            Stmt::For(_)
                | Stmt::While(_)
                | Stmt::If(_)
                | Stmt::With(_)
                | Stmt::Try(_)
                | Stmt::Match(_)
                | Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::IpyEscapeCommand(_)
        )
    };
    !text.trim_end().contains('\n')
        && !text.contains('#')
        && cell.is_some_and(|c| !c.body().iter().any(compound))
}

impl Editor<'_> {
    /// Inserts lines before a statement, with its indentation. If something precedes the statement
    /// on its line, simple statements are inserted between the two.
    pub fn above(&self, stmt: &Stmt, text: &str) -> Change {
        let python = self.python;
        let line = python.line_range(python.line_of(stmt.start()));
        let ahead = python.slice(TextRange::new(line.start(), stmt.start()));
        if !ahead.trim().is_empty() && is_simple(text) {
            let text = text.trim_end();
            return self.replace(TextRange::empty(stmt.start()), format!("{text}; "));
        }
        let indent = python.indent(python.line_of(stmt.start()));
        let lines = indented(text, indent).join("\n");
        self.replace(TextRange::empty(line.start()), format!("{lines}\n"))
    }

    /// Inserts lines after a statement, with its indentation. If the statement shares its line with
    /// something, simple statements are inserted directly after it.
    pub fn below(&self, stmt: &Stmt, text: &str) -> Change {
        let python = self.python;
        let first = python.line_range(python.line_of(stmt.start()));
        let last = python.line_range(python.line_of(stmt.end()));
        let ahead = python.slice(TextRange::new(first.start(), stmt.start()));
        let rest = python.slice(TextRange::new(stmt.end(), last.end())).trim();
        let shared = rest.strip_prefix(';').map_or("", str::trim_start);
        let alone = ahead.trim().is_empty() && (shared.is_empty() || shared.starts_with('#'));
        if !alone && is_simple(text) {
            let text = text.trim_end();
            return self.replace(TextRange::empty(stmt.end()), format!("; {text}"));
        }
        let indent = python.indent(python.line_of(stmt.start()));
        let lines = indented(text, indent).join("\n");
        self.replace(TextRange::empty(last.end()), format!("\n{lines}"))
    }

    /// Inserts imports, or lines that set names, among the cell's imports.
    pub fn import(&self, lines: &str) -> Change {
        crate::top::at_top(self.cell, self.python, lines)
    }
}
