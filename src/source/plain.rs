//! The statements of a cell in the order in which they stand, and whether they run whenever the cell does.

use nbmedic_python::ast::visitor::{self, Visitor};
use nbmedic_python::ast::{Expr, Stmt};

/// Calls `f` with every statement, outer ones first, and whether it runs when the cell runs: it is not in a function,
/// class, condition or `try`.
pub(crate) fn each<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt, bool)) {
    Statements { f, plain: true }.visit_body(body);
}

struct Statements<'f, 'a> {
    f: &'f mut dyn FnMut(&'a Stmt, bool),
    plain: bool,
}

impl<'a> Visitor<'a> for Statements<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let before = self.plain;
        // The head of what may not run is not plain either: `while big():`.
        self.plain &= !matches!(
            stmt,
            Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::If(_)
                | Stmt::While(_)
                | Stmt::Try(_)
                | Stmt::Match(_)
        );
        (self.f)(stmt, self.plain);
        visitor::walk_stmt(self, stmt);
        self.plain = before;
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Calls `f` with the expressions of a statement that are evaluated when it runs, outer ones first, without those of the
/// statements in it, and without what only a condition or a call of a `lambda` reaches.
pub(crate) fn each_expr<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    let mut head = Head { f };
    visitor::walk_stmt(&mut head, stmt);
}

struct Head<'f, 'a> {
    f: &'f mut dyn FnMut(&'a Expr),
}

impl<'a> Visitor<'a> for Head<'_, 'a> {
    fn visit_stmt(&mut self, _: &'a Stmt) {}

    fn visit_expr(&mut self, expr: &'a Expr) {
        let filtered = match expr {
            Expr::If(_) | Expr::BoolOp(_) | Expr::Lambda(_) => true,
            Expr::ListComp(c) => c.generators.iter().any(|g| !g.ifs.is_empty()),
            Expr::SetComp(c) => c.generators.iter().any(|g| !g.ifs.is_empty()),
            Expr::DictComp(c) => c.generators.iter().any(|g| !g.ifs.is_empty()),
            Expr::Generator(c) => c.generators.iter().any(|g| !g.ifs.is_empty()),
            _ => false,
        };
        if !filtered {
            (self.f)(expr);
            visitor::walk_expr(self, expr);
        }
    }
}
