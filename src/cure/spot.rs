//! The code in which a failure happened, as expressions.

use crate::case::Case;
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall, ExprName, ExprStringLiteral, Stmt};
use nbmedic_python::{each_expr, each_in, own_exprs, Cell};

/// The code from which the error came: one statement if a frame shows it, otherwise the whole failing cell.
#[derive(Debug)]
pub struct Spot<'c> {
    /// The index of its cell in the book.
    pub cell: usize,
    /// Its cell.
    pub python: &'c Cell,
    /// The statement; none if no frame shows it.
    pub stmt: Option<&'c Stmt>,
    /// The line, from 1; none if no frame shows it.
    pub line: Option<u32>,
    /// The function around it.
    pub function: Option<&'c str>,
    /// Its expressions, outer ones first; of a loop or an `if` only those of the head.
    pub exprs: Vec<&'c Expr>,
}

impl<'c> Spot<'c> {
    /// The calls.
    pub fn calls(&self) -> impl Iterator<Item = &'c ExprCall> + '_ {
        self.exprs.iter().filter_map(|e| e.as_call_expr())
    }

    /// The attributes with a name.
    pub fn attributes<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'c ExprAttribute> + 's {
        let all = self.exprs.iter().filter_map(|e| e.as_attribute_expr());
        all.filter(move |a| a.attr.as_str() == name)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &'c ExprName> + '_ {
        self.exprs.iter().filter_map(|e| e.as_name_expr())
    }

    /// The string literals with a value.
    pub fn strings<'s>(
        &'s self,
        value: &'s str,
    ) -> impl Iterator<Item = &'c ExprStringLiteral> + 's {
        let all = self.exprs.iter().filter_map(|e| e.as_string_literal_expr());
        all.filter(move |s| s.value.to_str() == value)
    }

    /// The text of a node.
    pub fn text(&self, node: impl nbmedic_python::Ranged) -> &'c str {
        self.python.slice(node)
    }
}

impl Case<'_> {
    /// The code from which the error came.
    pub fn spot(&self) -> Option<Spot<'_>> {
        let mut exprs = Vec::new();
        let Some((cell, python, stmt)) = self.here() else {
            let python = self.python(self.at)?;
            each_expr(python.body(), &mut |e| exprs.push(e));
            return Some(Spot {
                cell: self.at,
                python,
                stmt: None,
                line: None,
                function: None,
                exprs,
            });
        };
        for own in own_exprs(stmt) {
            each_in(own, &mut |e| exprs.push(e));
        }
        let frame = self.innermost()?;
        Some(Spot {
            cell,
            python,
            stmt: Some(stmt),
            line: Some(frame.line),
            function: frame.function.as_deref(),
            exprs,
        })
    }
}

/// The only element of an iterator.
pub fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
