//! An array passed as one argument to a function that takes its parts one by one.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, said, tight, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::positional;
use nbmedic_wordings::python;

/// `model(t, popt)`, where `popt` holds all that the function takes after `t`.
pub(super) fn starred(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let (function, _) = case.message().split_once("() missing ")?;
    let [lacks, _] = python::MISSING_ARGUMENTS.read(case.message())?;
    let lacks: usize = lacks.parse().ok()?;
    let function = function.rsplit('.').next()?;
    let call = only(spot.calls().filter(|c| callee(c) == Some(function)))?;
    let last = call.arguments.args.last()?;
    // The parameters that `curve_fit` found for this function, or as many as are missing.
    let fitted = || {
        let set = case.last_set(name(last)?)?;
        let assign = set.binding.stmt.as_assign_stmt()?;
        let fit = assign
            .value
            .as_call_expr()
            .filter(|c| callee(c) == Some("curve_fit"))?;
        let first = only(assign.targets.iter())?.as_tuple_expr()?.elts.first()?;
        let of = positional(fit, 0).and_then(name) == Some(function);
        (of && name(first) == name(last)).then_some(())
    };
    let listed = || {
        let made = case.made(spot.cell, last)?;
        let n = match made.expr {
            Expr::List(l) => l.elts.len(),
            Expr::Tuple(t) => t.elts.len(),
            _ => return None,
        };
        (n == lacks + 1).then_some(())
    };
    fitted().or_else(listed)?;
    let text = spot.text(last);
    case.edits(
        said(
            "star-it",
            Basis::Source,
            format!("Pass its parts one by one: `*{text}`"),
            format!(
                "`{text}` holds what `{function}` takes as {} arguments.",
                lacks + 1
            ),
        ),
        vec![Change::replace(
            spot.cell,
            last,
            format!("*{}", tight(spot.python, last)),
        )],
    )
}
