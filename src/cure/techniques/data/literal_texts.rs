//! Texts where polars takes a string for a column's name: `when(…).then("cheap")`.

use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, only, said, text_of};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ColumnNotFoundError" {
        out.extend(literal(case));
    }
}

/// The arguments of a call that are values rather than columns to choose.
fn values(call: &ExprCall) -> Vec<&Expr> {
    match callee(call) {
        Some("then" | "otherwise" | "concat_str" | "coalesce") => call
            .arguments
            .args
            .iter()
            .flat_map(|a| {
                a.as_list_expr()
                    .map_or(std::slice::from_ref(a), |l| &l.elts)
            })
            .collect(),
        Some("with_columns" | "select") => {
            call.arguments.keywords.iter().map(|k| &k.value).collect()
        }
        _ => Vec::new(),
    }
}

fn literal(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let missing = only(missing_keys(case.class(), message).into_iter())?;
    let listed = message
        .split_once("valid columns: ")
        .or_else(|| message.split_once("DF "))?
        .1;
    let listed = listed.split(']').next()?;
    let columns: Vec<&str> = listed.split('"').skip(1).step_by(2).collect();
    let is_text = |t: &str| !columns.contains(&t) && closest(t, columns.iter().copied()).is_none();
    let pl = case.alias_of("polars")?;
    for cell in case.seen() {
        let python = case.python(cell)?;
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
                    Basis::Library,
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
