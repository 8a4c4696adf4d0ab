//! Parameters of SQL statements.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{positional, Ranged, TextRange, TextSize};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let says = message
        .starts_with("Incorrect number of bindings supplied. The current statement uses 1,")
        || message.starts_with("parameters are of unsupported type");
    if says {
        out.extend(one(case));
    }
}

/// `execute("… where name = ?", (name))`: a text by itself is taken for its letters.
fn one(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let calls = spot
        .calls()
        .filter(|c| matches!(callee(c), Some("execute" | "read_sql" | "read_sql_query")));
    let given = positional(only(calls)?, 1)?;
    if matches!(given, Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_)) {
        return None;
    }
    let text = spot.text(given);
    let one = TextSize::new(1);
    let around = TextRange::new(given.start() - one, given.end() + one);
    let source = spot.python.text();
    let bracketed = source
        .get(around.start().to_usize()..around.end().to_usize())
        .is_some_and(|t| t.starts_with('(') && t.ends_with(')'));
    let new = match bracketed {
        true => format!("{text},"),
        false => format!("({text},)"),
    };
    case.edits(
        said(
            "one-parameter",
            Applicability::Sure,
            format!("Write `({text},)`: a tuple with one value"),
            "The parameters are a sequence with a value for each `?`. A text alone is a sequence of its letters; the comma makes a tuple.",
        ),
        vec![Change::replace(spot.cell, given, new)],
    )
}
