//! The operands of the failing line: both sides of its only operator, what it assigns, what it calls.

use crate::case::Case;
use nbmedic_python::ast::{Expr, Operator, Stmt};
use nbmedic_python::each_expr;
use nbmedic_traceback::{Exception, Origin};

/// Maximum length of a quoted expression, in characters.
const MAX_EXPR: usize = 60;

/// `line`, the failing line; `left` and `right` of its only operator between arrays; `target` and
/// `value` of an assignment; `function`, the enclosing function of the user.
pub(super) fn of(case: &Case<'_>, error: &Exception) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let own = |o: Origin| matches!(o, Origin::User | Origin::Cell { .. });
    let frame = error.frames.iter().rev().find(|f| own(f.origin));
    let Some(frame) = frame else { return out };
    let name = frame
        .function
        .as_deref()
        .filter(|f| !f.starts_with(['<', '?']));
    if let Some(name) = name {
        out.push((
            "function",
            name.rsplit('.').next().unwrap_or(name).to_owned(),
        ));
    }
    let line = frame.code.as_deref().unwrap_or("").trim();
    if line.is_empty() || line.contains(['\n', '`']) {
        return out;
    }
    if line.chars().count() <= MAX_EXPR {
        out.push(("line", line.to_owned()));
    }
    let Some((_, python, stmt)) = case.here() else {
        return out;
    };
    let text = |e: &Expr| {
        let text = python.slice(e);
        (text.chars().count() <= MAX_EXPR && !text.contains(['\n', '`'])).then(|| text.to_owned())
    };
    if let Stmt::Assign(a) = stmt {
        if let (Some(target), Some(value)) = (a.targets.first().and_then(text), text(&a.value)) {
            out.push(("target", target));
            out.push(("value", value));
        }
    }
    if case.in_library() {
        return out;
    }
    let mut sums = Vec::new();
    each_expr(std::slice::from_ref(stmt), &mut |e| {
        if let Expr::BinOp(b) = e {
            sums.push((b.op, text(&b.left), text(&b.right)));
        }
    });
    let elementwise = |op: &Operator| !matches!(op, Operator::Mod | Operator::FloorDiv);
    if let [(op, Some(left), Some(right))] = &sums[..] {
        if elementwise(op) {
            out.push(("left", left.clone()));
            out.push(("right", right.clone()));
        }
    }
    out
}
