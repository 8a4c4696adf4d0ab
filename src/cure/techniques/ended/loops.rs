//! Infinite loops that fill the memory.

use super::scene::Scene;
use crate::code::Editor;
use crate::edit::{Change, Said};
use crate::find::{callee, int_of, name, receiver};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{CmpOp, Expr, Stmt, StmtFor, StmtWhile};
use nbmedic_python::{each_expr, each_stmt, BindKind, Ranged};

/// Methods that grow a container.
const GROW: &[&str] = &[
    "append",
    "appendleft",
    "extend",
    "insert",
    "add",
    "update",
    "put",
];

pub(super) fn offer(scene: &Scene<'_>, out: &mut Vec<Cure>) {
    let mut all = Vec::new();
    match scene.exact {
        false => all.clone_from(&scene.stmts),
        true => each_stmt(scene.python.body(), &mut |s| {
            let inner = |f: &&Stmt| s.range().contains_range(f.range());
            if scene.stmts.iter().any(inner) {
                all.push(s);
            }
        }),
    }
    out.extend(all.into_iter().find_map(|stmt| match stmt {
        Stmt::For(f) => over_itself(scene, f),
        Stmt::While(w) => uncounted(scene, w).or_else(|| unbroken(scene, w)),
        _ => None,
    }));
}

/// Whether a loop body may exit the loop.
fn leaves(body: &[Stmt]) -> bool {
    let mut found = false;
    each_stmt(body, &mut |s| {
        found |= matches!(s, Stmt::Break(_) | Stmt::Return(_) | Stmt::Raise(_));
    });
    each_expr(body, &mut |e| {
        let ends = |c| matches!(callee(c), Some("exit" | "quit" | "_exit" | "next"));
        found |= e.as_call_expr().is_some_and(ends) || e.is_yield_expr() || e.is_await_expr();
    });
    found
}

/// Whether a loop body grows a container.
fn grows(body: &[Stmt]) -> bool {
    let mut found = false;
    each_expr(body, &mut |e| {
        let grows = |c| callee(c).is_some_and(|n| GROW.contains(&n)) && receiver(c).is_some();
        found |= e.as_call_expr().is_some_and(grows);
    });
    each_stmt(body, &mut |s| {
        found |= matches!(s, Stmt::AugAssign(a) if a.value.is_list_expr());
    });
    found
}

/// `for x in items: items.append(…)` → `for x in list(items):`
fn over_itself(scene: &Scene<'_>, stmt: &StmtFor) -> Option<Cure> {
    let items = name(&stmt.iter)?;
    let longer = |s: &Stmt| match s {
        Stmt::Expr(e) => e.value.as_call_expr().is_some_and(|c| {
            let of = receiver(c).and_then(name);
            of == Some(items)
                && matches!(
                    callee(c),
                    Some("append" | "extend" | "insert" | "appendleft")
                )
        }),
        Stmt::AugAssign(a) => name(&a.target) == Some(items) && a.value.is_list_expr(),
        _ => false,
    };
    // Conditional growth may end.
    if !stmt.body.iter().any(longer) || leaves(&stmt.body) {
        return None;
    }
    scene.case.edits(
        Said {
            id: "loop-over-itself",
            basis: Basis::Source,
            title: format!("Go through `list({items})`, as it was at the beginning"),
            why: format!("The loop makes `{items}` longer while it goes through it, so it never comes to the end, and fills the memory."),
        },
        vec![Change::replace(scene.cell, &*stmt.iter, format!("list({items})"))],
    )
}

/// `while i < n:` whose body never changes `i` → `i += 1` at its end.
fn uncounted(scene: &Scene<'_>, stmt: &StmtWhile) -> Option<Cure> {
    let test = stmt.test.as_compare_expr()?;
    let ([op], [limit]) = (&*test.ops, &*test.comparators) else {
        return None;
    };
    let counter = name(&test.left)?;
    let fixed = name(limit).or_else(|| int_of(limit).map(|_| ""))?;
    if !matches!(op, CmpOp::Lt | CmpOp::LtE) || leaves(&stmt.body) || !grows(&stmt.body) {
        return None;
    }
    let (first, last) = (stmt.start(), stmt.end());
    let names = scene.python.names();
    let inside = |of: &str| {
        let mut all = names.sets(of);
        all.any(|b| first <= b.at.start() && b.at.end() <= last)
    };
    let start = scene.case.last_set(counter)?;
    let counts =
        start.binding.kind == BindKind::Assign && start.binding.value.and_then(int_of).is_some();
    if !counts || inside(counter) || inside(fixed) {
        return None;
    }
    let end = stmt.body.last()?;
    scene.case.edits(
        Said {
            id: "loop-without-count",
            basis: Basis::Assumed,
            title: format!("Count: add `{counter} += 1` at the end of the loop"),
            why: format!("Nothing in the loop changes `{counter}`, so `{}` stays true, and what it collects fills the memory.", scene.python.slice(&*stmt.test)),
        },
        vec![Editor::new(scene.cell, scene.python).below(end, &format!("{counter} += 1"))],
    )
}

/// `while True:` without an exit.
fn unbroken(scene: &Scene<'_>, stmt: &StmtWhile) -> Option<Cure> {
    let always = match &*stmt.test {
        Expr::BooleanLiteral(b) => b.value,
        other => int_of(other).is_some_and(|n| n != 0),
    };
    if !always || leaves(&stmt.body) || !grows(&stmt.body) {
        return None;
    }
    let line = scene.python.line_of(stmt.start());
    Some(Cure {
        id: "loop-without-end".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!("Give the loop of line {line} a `break`: nothing in it ends it"),
        why: format!(
            "`{}` goes on until the memory is full, because each round keeps something.",
            scene.python.line(line).trim()
        ),
        ..Cure::default()
    })
}
