//! What the cells do with a value between the statement that sets its name and a place that reads it.

use crate::case::Case;
use crate::find::{callee, name, receiver, root, statement_of, text_of};
use crate::known::{function_around, Set, CHANGE_METHODS};
use nbmedic_python::ast::{Expr, ExprContext, Stmt};
use nbmedic_python::{each_expr, each_stmt, keyword, Cell, Ranged, TextSize};
use nbmedic_values::{Place, Since};

/// What is done to a variable after it is set, up to a place that reads it in the order of execution.
pub(super) fn since(case: &Case<'_>, set: &Set<'_>, place: Place<'_>) -> Since {
    let Some(python) = case.python(place.cell) else {
        return Since::Anything;
    };
    // When a function runs is not known.
    if function_around(python, place.expr).is_some() || set.binding.function.is_some() {
        return Since::Anything;
    }
    let of = set.binding.name;
    let reads = statement_of(python, place.expr.range()).map_or(place.expr.start(), Ranged::start);
    let from = set.binding.stmt.end();
    let mut order = case.book.before_with(case.at, of);
    order.push(case.at);
    let at = |cell: usize| order.iter().position(|c| *c == cell);
    let (Some(first), Some(last)) = (at(set.cell), at(place.cell)) else {
        return Since::Anything;
    };
    if first > last || set.binding.looped {
        return Since::Anything;
    }
    let mut out = Since::default();
    for cell in &order[first..=last] {
        let Some(python) = case.python(*cell) else {
            return Since::Anything;
        };
        let (mut begin, mut end) = (
            TextSize::new(0),
            python.body().last().map_or(TextSize::new(0), Ranged::end),
        );
        if *cell == set.cell {
            begin = from;
        }
        if *cell == place.cell {
            end = reads;
        }
        out = out.and(within(case, python, of, (begin, end)));
        if out == Since::Anything {
            break;
        }
    }
    out
}

/// What a part of a cell does to a variable.
fn within(case: &Case<'_>, python: &Cell, of: &str, (begin, end): (TextSize, TextSize)) -> Since {
    let is = |e: &Expr| name(e) == Some(of);
    let mut out = Since::default();
    let mut did = |what: Since| {
        let old = std::mem::take(&mut out);
        out = old.and(what);
    };
    let inside = |node: &dyn Ranged| node.start() >= begin && node.start() < end;
    each_stmt(python.body(), &mut |s| {
        if !inside(s) {
            return;
        }
        let targets = match s {
            Stmt::Assign(a) => &a.targets[..],
            Stmt::AugAssign(a) => std::slice::from_ref(&*a.target),
            Stmt::Delete(d) => &d.targets,
            _ => &[],
        };
        for target in targets {
            did(stored(target, of));
        }
        // The same object by another name, or each of several in turn.
        let alias = match s {
            Stmt::Assign(a) => Some(&*a.value),
            Stmt::For(f) => Some(&*f.iter),
            _ => None,
        };
        let shared = |e: &Expr| match e {
            Expr::Tuple(t) => t.elts.iter().any(is),
            Expr::List(l) => l.elts.iter().any(is),
            other => is(other) && !s.is_for_stmt(),
        };
        if alias.is_some_and(shared) {
            did(Since::Anything);
        }
    });
    each_expr(python.body(), &mut |e| {
        let Some(call) = e.as_call_expr().filter(|_| inside(e)) else {
            return;
        };
        let changes = callee(call).is_some_and(|f| CHANGE_METHODS.contains(&f))
            || keyword(call, "inplace").is_some();
        if changes && receiver(call).and_then(root) == Some(of) {
            did(Since::Anything);
        }
        // A function of the notebook may change what it is given.
        let own = name(&call.func).and_then(|f| case.last_set(f));
        let own = own.and_then(|s| s.binding.stmt.as_function_def_stmt());
        let given = call
            .arguments
            .args
            .iter()
            .chain(call.arguments.keywords.iter().map(|k| &k.value));
        if let Some(f) = own.filter(|_| given.clone().any(is)) {
            let parameters: Vec<&str> = f
                .parameters
                .iter_non_variadic_params()
                .map(|p| p.name().as_str())
                .collect();
            let mut changed = false;
            each_stmt(&f.body, &mut |s| changed |= stores(s, &parameters));
            each_expr(&f.body, &mut |e| {
                let call = e.as_call_expr();
                let changes = call.is_some_and(|c| {
                    callee(c).is_some_and(|f| CHANGE_METHODS.contains(&f))
                        || keyword(c, "inplace").is_some()
                });
                let on = call.and_then(receiver).and_then(root);
                changed |= changes && on.is_some_and(|n| parameters.contains(&n));
            });
            if changed {
                did(Since::Anything);
            }
        }
    });
    out
}

/// Whether a statement stores into one of these variables.
fn stores(s: &Stmt, names: &[&str]) -> bool {
    let targets = match s {
        Stmt::Assign(a) => &a.targets[..],
        Stmt::AugAssign(a) => std::slice::from_ref(&*a.target),
        Stmt::Delete(d) => &d.targets,
        _ => &[],
    };
    targets
        .iter()
        .any(|t| !t.is_name_expr() && root(t).is_some_and(|n| names.contains(&n)))
}

/// What storing into a target does to a variable.
fn stored(target: &Expr, of: &str) -> Since {
    if let Expr::Tuple(t) = target {
        return t
            .elts
            .iter()
            .fold(Since::default(), |all, e| all.and(stored(e, of)));
    }
    if target.is_name_expr() || root(target) != Some(of) {
        return Since::default();
    }
    let column = |slice: &Expr| match slice {
        Expr::List(l) if !l.elts.is_empty() => l
            .elts
            .iter()
            .map(|e| text_of(e).map(str::to_owned))
            .collect(),
        other => text_of(other).map(|t| vec![t.to_owned()]),
    };
    match target {
        Expr::Subscript(s) if name(&s.value) == Some(of) && s.ctx == ExprContext::Store => {
            match column(&s.slice) {
                Some(names) => Since::Stored(names),
                None => Since::Stored(Vec::new()),
            }
        }
        Expr::Subscript(s) if s.ctx == ExprContext::Store => {
            let by_label = s
                .value
                .as_attribute_expr()
                .filter(|a| name(&a.value) == Some(of));
            match (by_label.map(|a| a.attr.as_str()), &*s.slice) {
                (Some("loc" | "at"), Expr::Tuple(t)) => match t.elts.get(1).and_then(column) {
                    Some(names) => Since::Stored(names),
                    None => Since::Anything,
                },
                (Some("iloc" | "iat"), _) => Since::Stored(Vec::new()),
                _ => Since::Anything,
            }
        }
        Expr::Attribute(a) if a.ctx == ExprContext::Store && a.attr.as_str() == "index" => {
            Since::default()
        }
        _ => Since::Anything,
    }
}
