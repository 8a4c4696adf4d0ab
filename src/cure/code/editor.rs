//! The editor of a cell.

use super::expression::Code;
use crate::change::Change;
use nbmedic_python::ast::token::parenthesized_range;
use nbmedic_python::ast::{AnyNodeRef, Arguments, Expr};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange};

/// Creates changes to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Editor<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
}

impl<'c> Editor<'c> {
    /// Creates an editor for a cell.
    pub fn new(cell: usize, python: &'c Cell) -> Editor<'c> {
        Editor { cell, python }
    }

    /// An expression of the cell as a building block.
    pub fn code(&self, expr: &Expr) -> Code {
        Code::of(self.python, expr)
    }

    /// Appends a method, attribute, subscript or argument list to an expression. Parenthesizes it
    /// if necessary, or appends after its existing parentheses. A starred expression keeps its
    /// star.
    pub fn append(&self, node: impl Ranged, tail: impl Into<String>) -> Change {
        Change::after(self.cell, node, tail)
    }

    /// Replaces an expression, or any other part of the cell.
    pub fn replace(&self, node: impl Ranged, by: impl Into<String>) -> Change {
        Change::replace(self.cell, node, by)
    }

    /// Wraps an expression in a function call: `x` becomes `function(x, more)`.
    pub fn wrap(&self, expr: &Expr, function: &str, more: &[&str]) -> Change {
        self.replace(expr, self.code(expr).in_call(function, more))
    }

    /// Replaces an expression by one of its parts: `list(x)` becomes `x`. Everything around the
    /// part is removed, comments included.
    pub fn unwrap(&self, outer: &Expr, inner: &Expr) -> Change {
        self.replace(outer, self.code(inner))
    }

    /// The range of an expression, including its own parentheses.
    pub fn span(&self, expr: &Expr) -> TextRange {
        let around = arguments_around(self.python, expr.range());
        let parent = around.map(AnyNodeRef::from).or_else(|| {
            let mut all = self.python.body().iter();
            let stmt = all.find(|s| s.range().contains_range(expr.range()));
            stmt.map(AnyNodeRef::from)
        });
        let brackets =
            parent.and_then(|p| parenthesized_range(expr.into(), p, self.python.tokens()));
        brackets.unwrap_or(expr.range())
    }
}

/// The innermost argument list around a range: its parentheses belong to the call.
fn arguments_around(python: &Cell, at: TextRange) -> Option<&Arguments> {
    let mut lists: Vec<&Arguments> = Vec::new();
    each_stmt(python.body(), &mut |s| {
        lists.extend(s.as_class_def_stmt().and_then(|c| c.arguments.as_deref()));
    });
    each_expr(python.body(), &mut |e| {
        lists.extend(e.as_call_expr().map(|c| &c.arguments));
    });
    let around = lists.into_iter().filter(|l| {
        let list = l.range();
        list.contains_range(at) && list != at
    });
    around.min_by_key(|l| l.range().len())
}
