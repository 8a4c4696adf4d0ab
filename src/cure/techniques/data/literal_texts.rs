//! Texts where polars takes a string for a column's name: `when(…).then("cheap")`.

use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, only, said, text_of};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, Ranged};
use nbmedic_wordings::polars;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ColumnNotFoundError" {
        out.extend(literal(case));
    }
}

/// The arguments of a call that are values rather than columns to choose.
fn values(call: &ExprCall) -> Vec<&Expr> {
    match callee(call) {
        Some("then" | "otherwise") => call.arguments.args.iter().collect(),
        Some("with_columns") => call.arguments.keywords.iter().map(|k| &k.value).collect(),
        _ => Vec::new(),
    }
}

fn literal(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let missing = only(missing_keys(case.class(), message).into_iter())?;
    let listed = match polars::VALID_COLUMNS.behind(message) {
        Some(list) => list,
        None => message.split_once("DF ")?.1,
    };
    let listed = listed.split(']').next()?;
    let columns: Vec<&str> = listed.split('"').skip(1).step_by(2).collect();
    // What the notebook uses as a column elsewhere may be one that is missing here.
    let is_text = |t: &str| {
        let all = columns.iter().copied();
        !columns.contains(&t) && closest(t, all).is_none() && !case.knows_key(t)
    };
    let pl = case.alias_of("polars")?;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for stmt in python.body() {
            let mut found: Vec<&Expr> = Vec::new();
            each_expr(std::slice::from_ref(stmt), &mut |e| {
                let all = e.as_call_expr().into_iter().flat_map(values);
                found.extend(all.filter(|v| text_of(v).is_some_and(is_text)));
            });
            if !found.iter().any(|v| text_of(v) == Some(missing.as_str())) {
                continue;
            }
            let wrapped = |v: &&Expr| format!("{pl}.lit({})", python.slice(v.range()));
            return case.edits(
                said(
                    "literal-text",
                    Basis::Assumed,
                    format!("Write `{pl}.lit(\"{missing}\")`"),
                    format!("polars takes a string there for a column's name, and no column is called `{missing}`; `lit` makes it a text."),
                ),
                found
                    .iter()
                    .map(|v| Change::replace(cell, *v, wrapped(v)))
                    .collect(),
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first as at;

    #[test]
    fn texts_are_no_columns() {
        let band = "b = pl.when(pl.col('p') < 3).then('low').otherwise('high')";
        let of = |made: &str, missing: &str| {
            let message =
                format!("unable to find column \"{missing}\"; valid columns: [\"p\", \"price\"]");
            let cells = ["import polars as pl", made, "out = df.with_columns(b)"];
            at(&cells, "ColumnNotFoundError", &message)
        };
        assert_eq!(
            of(band, "low"),
            "b = pl.when(pl.col('p') < 3).then(pl.lit('low')).otherwise(pl.lit('high'))"
        );
        // A column's name with a slip, and one that is a column.
        let slip = "b = pl.when(pl.col('p') < 3).then('prise').otherwise('low')";
        assert!(!of(slip, "prise").contains("lit('prise')"));
        let mixed = "b = pl.when(pl.col('p') < 3).then('price').otherwise('low')";
        assert_eq!(of(mixed, "low"), mixed.replace("'low'", "pl.lit('low')"));
    }
}
