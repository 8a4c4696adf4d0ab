//! Follows a value to the expression that made it: through names, and through what a function was called with.

use crate::case::Case;
use crate::find::{callee, only};
use crate::known::function_around;
use nbmedic_python::ast::{Expr, ExprCall, StmtFunctionDef};
use nbmedic_python::{each_expr, keyword, positional, Cell, Ranged};

/// Longest chain of names followed.
const MAX_STEPS: usize = 8;

/// An expression and the cell in which it stands.
#[derive(Clone, Copy, Debug)]
pub struct Made<'c> {
    /// The index of the cell in the book.
    pub cell: usize,
    /// The expression.
    pub expr: &'c Expr,
}

impl<'a> Case<'a> {
    /// The expression that made the value of another: that itself, if it is no name. None if the name may have been
    /// set in several ways.
    pub fn made<'c>(&'c self, cell: usize, expr: &'c Expr) -> Option<Made<'c>> {
        let mut at = Made { cell, expr };
        for _ in 0..MAX_STEPS {
            let Some(name) = at.expr.as_name_expr() else {
                return Some(at);
            };
            at = self.made_name(at, name.id.as_str())?;
        }
        None
    }

    fn made_name<'c>(&'c self, at: Made<'c>, name: &str) -> Option<Made<'c>> {
        let python = self.python(at.cell)?;
        if let Some(f) = function_around(python, at.expr) {
            let locals = python.names();
            let mut sets = locals.binds.iter().filter(|b| {
                b.name == name
                    && b.function == Some(f.name.as_str())
                    && f.range().contains_range(b.at)
            });
            if let Some(first) = sets.next() {
                let plain = sets.next().is_none() && !first.conditional;
                let expr = first.value.filter(|_| plain)?;
                return Some(Made {
                    cell: at.cell,
                    expr,
                });
            }
            if f.parameters.includes(name) {
                return self.passed(at.cell, f, name);
            }
        }
        let (cell, expr) = self.value(name)?;
        Some(Made { cell, expr })
    }

    /// What the only call of a function passes for a parameter.
    fn passed<'c>(&'c self, cell: usize, f: &'c StmtFunctionDef, name: &str) -> Option<Made<'c>> {
        let mut all = f.parameters.iter_non_variadic_params().enumerate();
        let (index, parameter) = all.find(|(_, p)| p.name().as_str() == name)?;
        let mut calls: Vec<(usize, &'c ExprCall)> = Vec::new();
        for at in self.seen() {
            let python: &'c Cell = match self.python(at) {
                Some(python) => python,
                None => continue,
            };
            each_expr(python.body(), &mut |e| {
                let call = e.as_call_expr();
                let call =
                    call.filter(|c| c.func.is_name_expr() && callee(c) == Some(f.name.as_str()));
                calls.extend(call.map(|c| (at, c)));
            });
        }
        let (at, call) = only(calls.into_iter())?;
        let value = keyword(call, name).map(|k| &k.value);
        if let Some(expr) = value.or_else(|| positional(call, index)) {
            return Some(Made { cell: at, expr });
        }
        let expr = parameter.default()?;
        Some(Made { cell, expr })
    }
}
