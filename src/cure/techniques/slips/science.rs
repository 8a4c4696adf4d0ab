//! SciPy and scikit-learn: initial values, scalers for several columns.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, name, only, receiver, said};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, keyword, positional, Ranged, TextRange};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "TypeError" if python::MISSING_ARGUMENTS.is_in(message) => start(case),
        "TypeError" if python::POSITIONAL_ARGUMENTS_GIVEN.is_in(message) => start(case),
        "ValueError" if message.starts_with("non-broadcastable output operand with shape ") => {
            one_column(case)
        }
        "ValueError" if message.starts_with("Digital filter critical frequencies must be") => {
            sampled(case)
        }
        _ => None,
    });
}

/// `butter(4, 15)` with a frequency in hertz: without `fs` it is a part of half the sampling rate.
fn sampled(case: &Case<'_>) -> Option<Cure> {
    const FILTERS: &[&str] = &["butter", "cheby1", "cheby2", "ellip", "bessel", "iirfilter"];
    const RATES: &[&str] = &[
        "fs",
        "FS",
        "Fs",
        "sr",
        "SR",
        "sample_rate",
        "sampling_rate",
        "SAMPLE_RATE",
        "sfreq",
        "rate",
    ];
    let spot = case.spot()?;
    let of = |c: &&ExprCall| {
        callee(c).is_some_and(|f| FILTERS.contains(&f)) && keyword(c, "fs").is_none()
    };
    let call = only(spot.calls().filter(of))?;
    let function = spot.stmt.and_then(|s| function_around(spot.python, s));
    let known = |n: &&&str| {
        case.last_set(n).is_some() || function.is_some_and(|f| f.parameters.includes(n))
    };
    let rate = only(RATES.iter().filter(known))?;
    case.edits(
        said(
            "in-hertz",
            Basis::Library,
            format!("Say the sampling rate: `fs={rate}`"),
            "Without `fs` a filter takes its frequencies as parts of half the sampling rate, from 0 to 1; with it, in hertz.",
        ),
        vec![spot.editor().add(call, &format!("fs={rate}"))],
    )
}

/// `curve_fit(model, x, y, p0=[1, 1])` with a model that has three parameters.
fn start(case: &Case<'_>) -> Option<Cure> {
    let spot = case
        .spots()
        .into_iter()
        .find(|s| s.call("curve_fit").is_some())?;
    let call = spot.call("curve_fit")?;
    let model = positional(call, 0).and_then(name)?;
    let def = case.last_set(model)?.binding.stmt.as_function_def_stmt()?;
    let wanted = def
        .parameters
        .iter_non_variadic_params()
        .count()
        .checked_sub(1)?;
    let p0 = keyword(call, "p0")
        .map(|k| &k.value)
        .or(positional(call, 3))?;
    let made = case.made(spot.cell, p0)?;
    let given = match made.expr {
        Expr::List(l) => &l.elts,
        Expr::Tuple(t) => &t.elts,
        _ => return None,
    };
    if given.len() > wanted && wanted > 0 {
        return fewer(case, made.cell, given, wanted, model);
    }
    if given.len() >= wanted || given.is_empty() || made.cell != spot.cell {
        return None;
    }
    let more = ", 1".repeat(wanted - given.len());
    case.edits(
        said(
            "starting-values",
            Basis::Assumed,
            format!("Give `p0` {wanted} starting values, one for each parameter of `{model}`"),
            "The number of starting values says how many parameters are fitted. Choose where the new ones start.",
        ),
        vec![Change::after(spot.cell, given.last()?, more)],
    )
}

/// Takes the last starting values away, where the function has fewer parameters.
fn fewer(case: &Case<'_>, cell: usize, given: &[Expr], wanted: usize, model: &str) -> Option<Cure> {
    let range = TextRange::new(given[wanted - 1].end(), given.last()?.end());
    case.edits(
        said(
            "starting-values",
            Basis::Assumed,
            format!("Give `p0` {wanted} starting values, one for each parameter of `{model}`: it has {}", given.len()),
            "The number of starting values says how many parameters are fitted. Check that the last ones are those that are left over.",
        ),
        vec![Change::replace(cell, range, "")],
    )
}

/// The column that a subscript selects: `scaled[:, 0]`, `scaled[:, [0]]`, `scaled[:, 0:1]`.
fn column_of(e: &Expr) -> Option<i64> {
    let index = e.as_subscript_expr()?.slice.as_tuple_expr()?.elts.last()?;
    match index {
        Expr::List(l) => match &l.elts[..] {
            [one] => int_of(one),
            _ => None,
        },
        Expr::Slice(s) => int_of(s.lower.as_deref()?),
        other => int_of(other),
    }
}

/// `scaler.inverse_transform(target)` with only one of the columns that the scaler was fitted on.
fn one_column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("inverse_transform")?;
    let scaler = receiver(call).and_then(name)?;
    let given = positional(call, 0)?;
    let (_, made) = case.value(scaler)?;
    let kind = made.as_call_expr().and_then(callee)?;
    // The only column of the scaled data that the notebook selects.
    let mut columns: Vec<i64> = Vec::new();
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        each_expr(python.body(), &mut |e| {
            let of_scaled = e
                .as_subscript_expr()
                .and_then(|s| case.value(name(&s.value)?));
            let scaled = of_scaled.is_some_and(|(_, v)| {
                let by = v
                    .as_call_expr()
                    .filter(|c| receiver(c).and_then(name) == Some(scaler));
                matches!(by.and_then(callee), Some("fit_transform" | "transform"))
            });
            columns.extend(column_of(e).filter(|_| scaled));
        });
    }
    columns.sort_unstable();
    columns.dedup();
    let k = only(columns.into_iter())?;
    let x = spot.text(given);
    let x = match given {
        Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) | Expr::Call(_) => x.to_owned(),
        _ => format!("({x})"),
    };
    let new = match kind {
        "StandardScaler" => format!("{x} * {scaler}.scale_[{k}] + {scaler}.mean_[{k}]"),
        "MinMaxScaler" => format!("({x} - {scaler}.min_[{k}]) / {scaler}.scale_[{k}]"),
        _ => return None,
    };
    case.edits(
        said(
            "one-column-back",
            Basis::Assumed,
            format!("Scale column {k} back by itself: `{new}`"),
            format!("`{scaler}` was fitted with several columns, and `{}` is one of them. The choice is the column: {k}, as the notebook takes it.", spot.text(given)),
        ),
        vec![Change::replace(spot.cell, call, new)],
    )
}
