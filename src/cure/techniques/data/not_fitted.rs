//! Estimators used before they are fitted.

use crate::case::Case;
use crate::code::argument;
use crate::find::{callee, lines_before, look, name, only, receiver, said, Spot};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, positional, Ranged};
use nbmedic_wordings::{sklearn, xgboost};

/// Estimators that need no targets and can predict.
const UNSUPERVISED: &[&str] = &[
    "KMeans",
    "MiniBatchKMeans",
    "GaussianMixture",
    "BayesianGaussianMixture",
    "IsolationForest",
    "OneClassSVM",
    "Birch",
    "MeanShift",
    "AffinityPropagation",
    "NearestNeighbors",
];

/// Methods that need a fitted object.
const USES: &[&str] = &[
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score",
    "transform",
    "inverse_transform",
    "kneighbors",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let says = case.class() == "NotFittedError"
        || sklearn::NOT_FITTED.is_in(message)
        || xgboost::CALL_FIT.is_in(message)
        || sklearn::ESTIMATOR_NOT_FITTED.is_in(message);
    if says {
        out.extend(unfitted(case));
    }
}

/// The calls in a cell that fit a variable.
fn fits<'c>(case: &'c Case<'_>, cell: usize, variable: &str) -> Vec<&'c ExprCall> {
    let Some(python) = case.python(cell) else {
        return Vec::new();
    };
    let is = |c: &&ExprCall| {
        matches!(callee(c), Some("fit" | "fit_transform" | "fit_predict"))
            && receiver(c).and_then(name) == Some(variable)
    };
    calls(python.body()).into_iter().filter(is).collect()
}

fn unfitted(case: &Case<'_>) -> Option<Cure> {
    let spots = case.spots();
    let is = |c: &&ExprCall| {
        callee(c).is_some_and(|m| USES.contains(&m)) && receiver(c).is_some_and(Expr::is_name_expr)
    };
    let (spot, call) = spots
        .iter()
        .find_map(|s| Some((s, only(s.calls().filter(is))?)))?;
    let variable = receiver(call).and_then(name)?;
    // A cell that fits it but hasn't run.
    let before = case.book.before(case.at);
    let waiting = (0..case.book.cells().len())
        .filter(|i| *i != case.at && !before.contains(i))
        .find(|i| !fits(case, *i, variable).is_empty());
    if let Some(cell) = waiting {
        let at = case.position(cell);
        return Some(Cure {
            id: "fit-first".into(),
            kind: FixKind::Run,
            basis: Basis::Record,
            title: format!("Run cell {at}, which fits `{variable}`"),
            why: "It has not run in this kernel. Then run this cell again.".to_owned(),
            run: vec![at, case.position(case.at)],
            ..Cure::default()
        });
    }
    let stmt = spot.stmt?;
    let method = callee(call)?;
    // It was fitted and then recreated: fit it with the same arguments.
    let again = case.seen().into_iter().find_map(|cell| {
        let call = fits(case, cell, variable).pop()?;
        // Below the failing line it comes too late; the same line is needed above.
        let arguments = case.python(cell)?.slice(&call.arguments).to_owned();
        let plain = call
            .arguments
            .args
            .iter()
            .all(|a| a.is_name_expr() && name(a).is_some_and(|n| case.exists(n)));
        plain.then_some((cell, arguments))
    });
    let (arguments, why) = match again {
        Some((cell, arguments)) => {
            let place = match cell == case.at {
                true => "It is fitted only below this line, or was made anew since.".to_owned(),
                false => format!(
                    "Cell {} fitted another object: `{variable}` was made anew since.",
                    case.position(cell)
                ),
            };
            (arguments, place)
        }
        None => {
            let given = positional(call, 0)?;
            let found = checked(case, variable).or_else(|| training(case, variable, given, method));
            let Some((x, y)) = found else {
                return on_itself(case, spot, call, variable);
            };
            let arguments = match &y {
                Some(y) => format!("({x}, {y})"),
                None => format!("({x})"),
            };
            (
                arguments,
                format!(
                    "No cell fits `{variable}`, and it must learn from the training data first."
                ),
            )
        }
    };
    let line = format!("{variable}.fit{arguments}");
    case.edits(
        said(
            "fit-first",
            Basis::Assumed,
            format!("Put `{line}` above it"),
            why,
        ),
        vec![lines_before(spot.cell, spot.python, stmt, &line)],
    )
}

/// The data that cross-validation was given: it fits copies, and the estimator itself learns nothing.
fn checked(case: &Case<'_>, variable: &str) -> Option<(String, Option<String>)> {
    const CHECKS: &[&str] = &[
        "cross_val_score",
        "cross_validate",
        "cross_val_predict",
        "learning_curve",
        "validation_curve",
    ];
    case.seen().into_iter().find_map(|cell| {
        let python = case.python(cell)?;
        let of = |c: &&ExprCall| {
            callee(c).is_some_and(|f| CHECKS.contains(&f))
                && positional(c, 0).and_then(name) == Some(variable)
        };
        let call = calls(python.body()).into_iter().rfind(of)?;
        let (x, y) = (argument(call, 1, "X")?, argument(call, 2, "y"));
        Some((
            python.slice(x).to_owned(),
            y.map(|y| python.slice(y).to_owned()),
        ))
    })
}

/// The class of a variable, if known.
fn class_of<'m>(case: &'m Case<'_>, variable: &str) -> Option<&'m str> {
    let in_message = case
        .message()
        .strip_prefix("This ")
        .and_then(|r| r.split(' ').next());
    let made = case
        .value(variable)
        .and_then(|(_, v)| v.as_call_expr())
        .and_then(callee);
    in_message.or(made)
}

/// The user's names for the training data, inferred from the current argument.
fn training(
    case: &Case<'_>,
    variable: &str,
    given: &Expr,
    method: &str,
) -> Option<(String, Option<String>)> {
    let n = name(given)?;
    let class = class_of(case, variable).unwrap_or("");
    let alone = matches!(method, "transform" | "inverse_transform" | "kneighbors")
        || UNSUPERVISED.contains(&class);
    if let Some(split) = case.split_of(n) {
        let at = split.targets.iter().position(|t| name(t) == Some(n))?;
        let x = split.targets.get(at & !1).and_then(name)?;
        let y = match alone {
            true => None,
            false => {
                let last = split
                    .targets
                    .len()
                    .checked_sub(2)
                    .filter(|l| *l != at & !1)?;
                Some(split.targets.get(last).and_then(name)?.to_owned())
            }
        };
        return Some((x.to_owned(), y));
    }
    let words = ["test", "valid", "val", "dev", "Test"];
    let train = words
        .iter()
        .filter(|w| n.contains(**w))
        .map(|w| n.replace(w, if *w == "Test" { "Train" } else { "train" }))
        .find(|t| case.exists(t));
    let x = train
        .or_else(|| (!words.iter().any(|w| n.contains(*w)) && !alone).then(|| n.to_owned()))?;
    if alone {
        return Some((x, None));
    }
    let turned = [
        x.replacen('X', "y", 1),
        x.replacen('x', "y", 1),
        x.replacen("features", "labels", 1),
        x.replacen("features", "target", 1),
    ];
    let y = turned.into_iter().find(|t| *t != x && case.exists(t))?;
    Some((x, Some(y)))
}

/// `scaler.transform(X)` with no other data to fit on.
fn on_itself(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall, variable: &str) -> Option<Cure> {
    let given = positional(call, 0)?;
    let attribute = call.func.as_attribute_expr()?;
    let text = spot.text(given);
    if callee(call) != Some("transform") || text.to_lowercase().contains("test") {
        return Some(look(
            "fit-first",
            format!("Call `{variable}.fit(…)` with the training data before this line"),
            format!(
                "No cell fits `{variable}`, so it has learnt nothing that `{}` could use.",
                callee(call)?
            ),
        ));
    }
    case.edits(
        said(
            "fit-first",
            Basis::Assumed,
            format!("Replace `{variable}.transform` by `{variable}.fit_transform`"),
            format!("No cell fits `{variable}`; it learns from `{text}` then. For test data fit it on the training data instead."),
        ),
        vec![crate::edit::Change::replace(spot.cell, attribute.attr.range(), "fit_transform")],
    )
}
