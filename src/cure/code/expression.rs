//! Expressions that do not stand in the cell yet.

use nbmedic_python::ast::{Expr, OperatorPrecedence, Stmt};
use nbmedic_python::{Cell, Ranged};
use std::fmt;
use std::ops::Deref;

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
