//! Expressions that aren't in the cell yet.

use nbmedic_python::ast::{Expr, OperatorPrecedence, Stmt};
use nbmedic_python::{Cell, Ranged};
use std::fmt;
use std::ops::Deref;

/// An expression as text, with its precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    text: String,
    binds: OperatorPrecedence,
}

impl Code {
    /// An expression of a cell, without its parentheses.
    pub fn of(python: &Cell, expr: &Expr) -> Code {
        Code {
            text: python.slice(expr).to_owned(),
            binds: binding(expr),
        }
    }

    /// Parses text as an expression. Anything else has the lowest precedence.
    pub fn read(text: &str) -> Code {
        let cell = Cell::read(text).filter(|c| c.broken().is_empty());
        let whole = cell.as_ref().and_then(|c| match c.body() {
            [Stmt::Expr(e)] => Some(
                match e.value.range().len().to_usize() == text.trim().len() {
                    true => binding(&e.value),
                    // It is parenthesized.
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

    /// The text, parenthesized if its precedence is lower than `at`.
    fn operand(&self, at: OperatorPrecedence) -> String {
        match self.binds < at {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// Appends a method, attribute, subscript or argument list.
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

    /// A call with the expression as its first argument.
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

    /// The expression as the left operand of an operator with this precedence.
    #[must_use]
    pub fn left_of(&self, operator: &str, at: OperatorPrecedence, right: &str) -> Code {
        let left = self.operand(at);
        Code {
            text: format!("{left} {operator} {right}"),
            binds: at,
        }
    }

    /// The expression as the receiver of a method call, parenthesized if necessary.
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

/// The precedence of an expression as written.
fn binding(expr: &Expr) -> OperatorPrecedence {
    match expr {
        Expr::Tuple(t) if !t.parenthesized => OperatorPrecedence::None,
        Expr::Generator(g) if !g.parenthesized => OperatorPrecedence::None,
        Expr::Slice(_) => OperatorPrecedence::None,
        // `1.real` isn't an attribute access.
        Expr::NumberLiteral(_) => OperatorPrecedence::Await,
        _ => OperatorPrecedence::from_expr(expr),
    }
}

/// Whether a method can be called on an expression without adding parentheses.
pub fn binds_tightly(expr: &Expr) -> bool {
    binding(expr) >= OperatorPrecedence::CallAttribute
}
