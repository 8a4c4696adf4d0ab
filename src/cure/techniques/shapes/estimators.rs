//! Array shapes that scikit-learn and Matplotlib require.

use super::one_sample::{row, Row};
use super::say::replaced;
use super::scan::{at_error, head, integer, only, slice};
use super::text::{shape, shapes, written};
use crate::case::Case;
use crate::code::argument;
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_below, keyword, positional};
use nbmedic_wordings::{matplotlib, sklearn};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if sklearn::TWO_AXES.is_in(text) || text.contains("Expected a 2-dimensional container but got")
    {
        out.extend(two_axes(case));
    } else if matplotlib::FIRST_DIMENSION.is_in(text) {
        out.extend(plotted(case));
    } else if sklearn::FLAT_TARGET.is_in(text) || text.contains("bad input shape (") {
        out.extend(one_axis(case));
    } else if text.contains("expected <= 2") && sklearn::ARRAY_AXES.is_in(text) {
        out.extend(at_most_two(case));
    }
}

const ESTIMATOR: &[&str] = &[
    "fit",
    "predict",
    "transform",
    "fit_transform",
    "inverse_transform",
    "predict_proba",
    "score",
    "fit_predict",
    "fit_resample",
    "train_test_split",
    "cross_val_score",
    "partial_fit",
    "kneighbors",
];

/// The first argument of the estimator's call on the line.
fn estimated<'c>(exprs: &[&'c Expr], index: usize) -> Option<(&'c ExprCall, &'c Expr)> {
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| ESTIMATOR.contains(&head(c)));
    // `fit(x).predict(z)`: with several calls, the failing one is unknown.
    let call = only(calls)?;
    let name = ["X", "y"][index];
    let value = argument(call, index, name)?;
    Some((call, value))
}

fn two_axes(case: &Case<'_>) -> Option<Cure> {
    if case.checks_targets() {
        return None;
    }
    let (cell, exprs) = at_error(case);
    let (call, x) = estimated(&exprs, 0)?;
    let was = slice(case, cell, x);
    let why = "The method wants a table with one row for each sample; this is one row of values."
        .to_owned();
    // A column of a table becomes a one-column table.
    if let Expr::Subscript(s) = x {
        if s.slice.is_string_literal_expr() {
            let key = slice(case, cell, &*s.slice);
            let text = format!("{}[[{key}]]", slice(case, cell, &*s.value));
            return replaced(case, cell, x, text, "two-axes", Basis::Library, why);
        }
    }
    let base = case.editor(cell)?.code(x).tight();
    let row = row(case, cell, call, x);
    if x.is_list_expr() {
        let (text, why) = match row {
            Some(Row::Feature) => (format!("[[v] for v in {was}]"), "The estimator was fitted with one column, so each value is a sample: a list of its own."),
            _ => (format!("[{was}]"), "The method wants a table: one list for each sample."),
        };
        let likely = Basis::Assumed;
        return replaced(case, cell, x, text, "two-axes", likely, why.to_owned());
    }
    let one_sample = matches!(
        head(call),
        "predict" | "predict_proba" | "transform" | "inverse_transform"
    );
    let single = match row {
        Some(row) => row == Row::Sample,
        None => one_sample && x.is_subscript_expr(),
    };
    // A column accessed as an attribute; a traceback alone doesn't show whether it is one.
    let column = case.book.is_excerpt() && x.is_attribute_expr();
    let series = case.kind(cell, x).is_table() || column || case.message().contains("Series");
    let (axes, words) = if single {
        ("(1, -1)", "These are one sample's features.")
    } else {
        ("(-1, 1)", "Each value is one sample with one feature.")
    };
    let text = match (series, case.alias_of("numpy")) {
        (true, _) => format!("{base}.to_numpy().reshape{axes}"),
        (false, Some(np)) if case.kind_with_axes(cell, x) == Kind::Unknown => {
            format!("{np}.asarray({was}).reshape{axes}")
        }
        _ => format!("{base}.reshape{axes}"),
    };
    replaced(
        case,
        cell,
        x,
        text,
        "two-axes",
        Basis::Assumed,
        format!("{why} {words}"),
    )
}

/// `x and y must have same first dimension, but have shapes (10,) and (9,)`.
fn plotted(case: &Case<'_>) -> Option<Cure> {
    let [x, y] = matplotlib::FIRST_DIMENSION.read(case.message())?;
    let (n, m) = (*shape(x)?.first()?, *shape(y)?.first()?);
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let call = only(calls.filter(|c| {
        [
            "plot",
            "step",
            "fill_between",
            "semilogy",
            "loglog",
            "errorbar",
        ]
        .contains(&head(c))
    }))?;
    let (x, y) = (positional(call, 0)?, positional(call, 1)?);
    let (x_text, y_text) = (slice(case, cell, x), slice(case, cell, y));
    let words = format!("`{x_text}` has {n} values, `{y_text}` has {m}.");
    // If `x` only counts, it should count `y`.
    let counts = |e: &Expr| {
        e.as_call_expr()
            .is_some_and(|c| head(c) == "range" || head(c) == "arange")
    };
    let (at, made) = match x.as_name_expr() {
        Some(name) => case.value(name.id.as_str())?,
        None => (cell, x),
    };
    // The plotted values were computed from `x`, so changing its length changes theirs.
    if let Some(name) = x.as_name_expr() {
        if rests_on(case, y, name.id.as_str(), STEPS) {
            return shortened(case, (cell, x), y, (n, m), words);
        }
    }
    let spaced = made.as_call_expr().filter(|c| head(c) == "linspace");
    if let Some(c) = spaced {
        let value = argument(c, 2, "num");
        if let Some(value) = value.filter(|v| integer(v) == Some(n)) {
            return replaced(
                case,
                at,
                value,
                m.to_string(),
                "same-length",
                Basis::Assumed,
                words,
            );
        }
    }
    if counts(made) {
        let c = made.as_call_expr()?;
        let start = if c.arguments.args.len() >= 2 {
            integer(positional(c, 0)?)
        } else {
            Some(0)
        };
        let text = match start {
            Some(0) => format!("range(len({y_text}))"),
            Some(k) if c.arguments.args.len() == 2 => format!("range({k}, len({y_text}) + {k})"),
            _ => return None,
        };
        return replaced(case, cell, x, text, "same-length", Basis::Assumed, words);
    }
    None
}

/// Maximum number of names followed from a value back to another.
const STEPS: usize = 6;

/// Whether an expression is computed from a name.
fn rests_on(case: &Case<'_>, expr: &Expr, name: &str, steps: usize) -> bool {
    let mut found = false;
    each_below(expr, &mut |e| {
        let Some(n) = e.as_name_expr() else { return };
        let of = n.id.as_str();
        found |= of == name
            || steps > 0
                && case
                    .value(of)
                    .is_some_and(|(_, value)| rests_on(case, value, name, steps - 1));
    });
    found
}

/// Gives `x` and the values computed from it the same length: a convolution can keep it, and for
/// differences, the first value has no predecessor.
fn shortened(
    case: &Case<'_>,
    (cell, x): (usize, &Expr),
    y: &Expr,
    (n, m): (i64, i64),
    words: String,
) -> Option<Cure> {
    let (at, made) = case.value(y.as_name_expr()?.id.as_str())?;
    let call = made.as_call_expr()?;
    let mode = keyword(call, "mode").map(|k| &k.value);
    if let Some(mode) = mode.filter(|_| head(call) == "convolve") {
        let why =
            format!("{words} With `mode=\"same\"` a convolution gives as many values as it gets.");
        let text = "\"same\"".to_owned();
        return replaced(case, at, mode, text, "same-length", Basis::Assumed, why);
    }
    let missing = n.checked_sub(m).filter(|d| *d > 0)?;
    if head(call) != "diff" {
        return None;
    }
    let text = case
        .editor(cell)?
        .code(x)
        .then(&format!("[{missing}:]"))
        .to_string();
    let why = format!(
        "{words} `diff` gives what changed since the value before, which the first has not."
    );
    replaced(case, cell, x, text, "same-length", Basis::Assumed, why)
}

/// `y should be a 1d array, got an array of shape (100, 2) instead.`
fn one_axis(case: &Case<'_>) -> Option<Cure> {
    let shape = shapes(case.message()).into_iter().find(|s| s.len() == 2)?;
    let (cell, exprs) = at_error(case);
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| ["fit", "fit_resample", "score"].contains(&head(c)));
    let call = only(calls)?;
    let y = argument(call, 1, "y")?;
    let was = slice(case, cell, y);
    let base = case.editor(cell)?.code(y).tight();
    if shape[1] == 1 {
        let table = case.kind(cell, y).is_table();
        let text = if table {
            format!("{base}.to_numpy().ravel()")
        } else {
            format!("{base}.ravel()")
        };
        return replaced(
            case,
            cell,
            y,
            text,
            "one-axis",
            Basis::Solved,
            format!(
                "The targets are a column, {}; the method wants one row of values.",
                written(&shape)
            ),
        );
    }
    let np = case.alias_of("numpy")?;
    let why = format!("The targets are {}: one column for each class. The number of the class is the column that is set.", written(&shape));
    replaced(
        case,
        cell,
        y,
        format!("{np}.asarray({was}).argmax(axis=1)"),
        "one-axis",
        Basis::Assumed,
        why,
    )
}

/// `Found array with dim 3. LogisticRegression expected <= 2.`
fn at_most_two(case: &Case<'_>) -> Option<Cure> {
    let [axes] = sklearn::ARRAY_AXES.numbers(case.message())?;
    let (cell, exprs) = at_error(case);
    let (_, x) = estimated(&exprs, 0)?;
    let was = slice(case, cell, x);
    if axes < 3 || !x.is_name_expr() {
        return None;
    }
    let why =
        format!("`{was}` has {axes} axes; the method wants one row of values for each sample.");
    replaced(
        case,
        cell,
        x,
        format!("{was}.reshape(len({was}), -1)"),
        "flatten-samples",
        Basis::Assumed,
        why,
    )
}
