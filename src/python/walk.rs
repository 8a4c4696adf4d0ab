//! Walks over a tree.

use crate::cell::Cell;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Keyword, Stmt};
use ruff_text_size::Ranged;

struct Each<'f, 'a> {
    expr: &'f mut dyn FnMut(&'a Expr),
    stmt: &'f mut dyn FnMut(&'a Stmt),
}

impl<'a> Visitor<'a> for Each<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        (self.stmt)(stmt);
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        (self.expr)(expr);
        visitor::walk_expr(self, expr);
    }
}

/// Calls `f` with every expression below some statements, outer ones first.
pub fn each_expr<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Expr)) {
    let mut each = Each {
        expr: f,
        stmt: &mut |_| {},
    };
    each.visit_body(body);
}

/// Calls `f` with an expression and every one below it, outer ones first.
pub fn each_below<'a>(expr: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    let mut each = Each {
        expr: f,
        stmt: &mut |_| {},
    };
    each.visit_expr(expr);
}

/// Calls `f` with every statement, outer ones first.
pub fn each_stmt<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    let mut each = Each {
        expr: &mut |_| {},
        stmt: f,
    };
    each.visit_body(body);
}

/// The calls in some statements, outer ones first.
pub fn calls(body: &[Stmt]) -> Vec<&ExprCall> {
    let mut out = Vec::new();
    each_expr(body, &mut |e| out.extend(e.as_call_expr()));
    out
}

/// The innermost statement whose text covers a line (from 1). Of a compound statement whose head covers it,
/// the statement itself.
pub fn statement_at(cell: &Cell, line: u32) -> Option<&Stmt> {
    let mut best: Option<&Stmt> = None;
    each_stmt(cell.body(), &mut |s| {
        let (first, last) = (cell.line_of(s.start()), cell.line_of(s.end()));
        if first <= line && line <= last && best.is_none_or(|b| b.range().contains_range(s.range()))
        {
            best = Some(s);
        }
    });
    best
}

/// A dotted name: `np.linalg.norm`; none for anything else.
pub fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(n) => Some(n.id.to_string()),
        Expr::Attribute(a) => Some(format!("{}.{}", name_of(&a.value)?, a.attr)),
        _ => None,
    }
}

/// A call's keyword argument.
pub fn keyword<'a>(call: &'a ExprCall, name: &str) -> Option<&'a Keyword> {
    let mut all = call.arguments.keywords.iter();
    all.find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == name))
}

/// A call's positional argument, unless a starred one stands before it.
pub fn positional(call: &ExprCall, index: usize) -> Option<&Expr> {
    let args = &call.arguments.args;
    if args.iter().take(index + 1).any(Expr::is_starred_expr) {
        return None;
    }
    args.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_calls_are_found() {
        let cell =
            Cell::read("def f(x):\n    y = g(x,\n          k=1)\n    return y\nz = a.b.c(f(2))[0]")
                .unwrap();
        assert_eq!(
            cell.slice(statement_at(&cell, 3).unwrap()),
            "y = g(x,\n          k=1)"
        );
        assert_eq!(
            cell.slice(statement_at(&cell, 5).unwrap()),
            "z = a.b.c(f(2))[0]"
        );
        let names: Vec<String> = calls(cell.body())
            .iter()
            .filter_map(|c| name_of(&c.func))
            .collect();
        assert_eq!(names, ["g", "a.b.c", "f"]);
        let all = calls(cell.body());
        assert!(keyword(all[0], "k").is_some() && positional(all[0], 0).is_some());
    }
}
