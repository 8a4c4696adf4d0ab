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

/// The expressions that a statement itself evaluates, outermost ones: of a loop or an `if` those of its head, not
/// of its body.
pub fn own_exprs(stmt: &Stmt) -> Vec<&Expr> {
    match stmt {
        Stmt::For(s) => vec![&s.target, &s.iter],
        Stmt::While(s) => vec![&s.test],
        Stmt::If(s) => std::iter::once(&*s.test)
            .chain(s.elif_else_clauses.iter().filter_map(|c| c.test.as_ref()))
            .collect(),
        Stmt::With(s) => s.items.iter().map(|i| &i.context_expr).collect(),
        Stmt::Match(s) => vec![&s.subject],
        Stmt::Try(_) => Vec::new(),
        Stmt::ClassDef(s) => {
            let decorators = s.decorator_list.iter().map(|d| &d.expression);
            let bases = s.arguments.iter().flat_map(|a| {
                let keywords = a.keywords.iter().map(|k| &k.value);
                a.args.iter().chain(keywords)
            });
            decorators.chain(bases).collect()
        }
        Stmt::FunctionDef(s) => {
            let mut out: Vec<&Expr> = s.decorator_list.iter().map(|d| &d.expression).collect();
            let all = s.parameters.iter_non_variadic_params();
            out.extend(all.filter_map(|p| p.default.as_deref()));
            out
        }
        simple => {
            let mut out = Vec::new();
            visitor::walk_stmt(&mut Outer { out: &mut out }, simple);
            out
        }
    }
}

/// Collects the outermost expressions of a simple statement.
struct Outer<'o, 'a> {
    out: &'o mut Vec<&'a Expr>,
}

impl<'a> Visitor<'a> for Outer<'_, 'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.out.push(expr);
    }
}

/// Calls `f` with an expression and every one in it, outer ones first.
pub fn each_in<'a>(expr: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    let mut each = Each {
        expr: f,
        stmt: &mut |_| {},
    };
    each.visit_expr(expr);
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
    fn a_statement_s_own_expressions_are_those_of_its_head() {
        let own = |source: &str| -> Vec<String> {
            let cell = Cell::read(source).unwrap();
            let stmt = cell.body().first().unwrap();
            own_exprs(stmt)
                .iter()
                .map(|e| cell.slice(*e).to_owned())
                .collect()
        };
        assert_eq!(own("for i in f(x):\n    g(i)"), ["i", "f(x)"]);
        assert_eq!(own("if a:\n    b\nelif c:\n    d"), ["a", "c"]);
        assert_eq!(own("with open(p) as f:\n    f.read()"), ["open(p)"]);
        assert_eq!(own("def f(a, b=c):\n    d"), ["c"]);
        assert_eq!(own("y = f(x) + 1"), ["f(x) + 1", "y"]);
        let mut all = Vec::new();
        let cell = Cell::read("f(a[0])").unwrap();
        for e in own_exprs(&cell.body()[0]) {
            each_in(e, &mut |e| all.push(cell.slice(e).to_owned()));
        }
        assert_eq!(all, ["f(a[0])", "f", "a[0]", "a", "0"]);
    }

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
