//! Edits of code, by the tree and the tokens.
//!
//! [`Editor`] makes the changes of one cell: arguments of a call (`arguments`), whole lines and imports (`lines`), and
//! expressions. [`Code`] is an expression that does not stand in the cell yet: it knows how tightly it binds, so it gets
//! brackets where it becomes a part of another one. Techniques say what is to change; commas, brackets, comments and
//! indentation are found here.

mod arguments;
mod lines;
#[cfg(test)]
mod tests;

pub use arguments::argument;

use crate::change::Change;
use nbmedic_python::ast::token::parenthesized_range;
use nbmedic_python::ast::{AnyNodeRef, Arguments, Expr, OperatorPrecedence, Stmt};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange};
use std::fmt;
use std::ops::Deref;

/// Makes the changes of one cell.
#[derive(Clone, Copy, Debug)]
pub struct Editor<'c> {
    /// The index of the cell in the book.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
}

impl<'c> Editor<'c> {
    /// The editor of a cell.
    pub fn new(cell: usize, python: &'c Cell) -> Editor<'c> {
        Editor { cell, python }
    }

    /// An expression of the cell, to build others from.
    pub fn code(&self, expr: &Expr) -> Code {
        Code::of(self.python, expr)
    }

    /// Appends a method, an attribute, a subscript or arguments to an expression: in brackets where it has to be, and
    /// behind the brackets that it has. What is starred keeps its star.
    pub fn append(&self, node: impl Ranged, tail: impl Into<String>) -> Change {
        Change::after(self.cell, node, tail)
    }

    /// Replaces an expression, or any other part of the cell.
    pub fn replace(&self, node: impl Ranged, by: impl Into<String>) -> Change {
        Change::replace(self.cell, node, by)
    }

    /// Passes an expression to a function, in its place: `x` becomes `function(x, more)`.
    pub fn wrap(&self, expr: &Expr, function: &str, more: &[&str]) -> Change {
        self.replace(expr, self.code(expr).in_call(function, more))
    }

    /// Puts a part of an expression in its place: `list(x)` becomes `x`. What stands around the part goes, with the
    /// comments there.
    pub fn unwrap(&self, outer: &Expr, inner: &Expr) -> Change {
        self.replace(outer, self.code(inner))
    }

    /// Where an expression stands, with the brackets around it that are its own.
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

/// The innermost list of arguments around a place: its brackets are nobody else's.
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

/// An expression as text, with how tightly it binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    text: String,
    binds: OperatorPrecedence,
}

impl Code {
    /// An expression of a cell, without the brackets around it.
    pub fn of(python: &Cell, expr: &Expr) -> Code {
        Code {
            text: python.slice(expr).to_owned(),
            binds: binding(expr),
        }
    }

    /// A text that is an expression; one that is none binds nothing.
    pub fn read(text: &str) -> Code {
        let cell = Cell::read(text).filter(|c| c.broken().is_empty());
        let whole = cell.as_ref().and_then(|c| match c.body() {
            [Stmt::Expr(e)] => Some(
                match e.value.range().len().to_usize() == text.trim().len() {
                    true => binding(&e.value),
                    // Brackets stand around it.
                    false => OperatorPrecedence::Atomic,
                },
            ),
            _ => None,
        });
        Code {
            text: text.to_owned(),
            binds: whole.unwrap_or(OperatorPrecedence::None),
        }
    }

    /// The text, in brackets if it binds less tightly than asked.
    fn operand(&self, at: OperatorPrecedence) -> String {
        match self.binds < at {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// The same with a method, an attribute, a subscript or arguments behind it.
    #[must_use]
    pub fn then(&self, tail: &str) -> Code {
        if let Some(rest) = self.text.strip_prefix('*').filter(|_| self.is_starred()) {
            let rest = Code::read(rest.trim_start()).then(tail);
            return Code {
                text: format!("*{rest}"),
                binds: self.binds,
            };
        }
        let of = self.operand(OperatorPrecedence::CallAttribute);
        Code {
            text: format!("{of}{tail}"),
            binds: OperatorPrecedence::CallAttribute,
        }
    }

    /// A call with it as the first argument.
    #[must_use]
    pub fn in_call(&self, function: &str, more: &[&str]) -> Code {
        let bare = self.binds == OperatorPrecedence::None && !more.is_empty();
        let argument = match bare || self.binds == OperatorPrecedence::Yield {
            true => format!("({})", self.text),
            false => self.text.clone(),
        };
        let more: String = more.iter().map(|m| format!(", {m}")).collect();
        Code {
            text: format!("{function}({argument}{more})"),
            binds: OperatorPrecedence::CallAttribute,
        }
    }

    /// It as the left side of an operator that binds as tightly as given.
    #[must_use]
    pub fn left_of(&self, operator: &str, at: OperatorPrecedence, right: &str) -> Code {
        let left = self.operand(at);
        Code {
            text: format!("{left} {operator} {right}"),
            binds: at,
        }
    }

    /// As what a method can be called on: in brackets unless it binds as tightly as that.
    pub fn tight(&self) -> String {
        self.operand(OperatorPrecedence::CallAttribute)
    }

    fn is_starred(&self) -> bool {
        self.binds == OperatorPrecedence::Starred
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Deref for Code {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<Code> for String {
    fn from(code: Code) -> String {
        code.text
    }
}

/// How tightly an expression binds as it stands.
fn binding(expr: &Expr) -> OperatorPrecedence {
    match expr {
        Expr::Tuple(t) if !t.parenthesized => OperatorPrecedence::None,
        Expr::Generator(g) if !g.parenthesized => OperatorPrecedence::None,
        Expr::Slice(_) => OperatorPrecedence::None,
        // `1.real` is no attribute.
        Expr::NumberLiteral(_) => OperatorPrecedence::Await,
        _ => OperatorPrecedence::from_expr(expr),
    }
}

/// Whether a method can be called on an expression as it stands, without brackets around it.
pub fn binds_tightly(expr: &Expr) -> bool {
    binding(expr) >= OperatorPrecedence::CallAttribute
}
