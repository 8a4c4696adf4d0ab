//! A single row of values for an estimator: either one sample with several features or several samples with one
//! feature.

use super::scan::{head, integer};
use crate::case::Case;
use crate::code::argument;
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, positional};

/// Methods called on a fitted estimator.
const FITTED: &[&str] = &[
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "transform",
    "inverse_transform",
    "kneighbors",
];

/// The meaning of a row of values to the estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// One sample: each value is a feature.
    Sample,
    /// One feature: each value is a sample.
    Feature,
}

/// The meaning of a row of values, if the sources show it.
pub(super) fn row<'c>(
    case: &'c Case<'c>,
    cell: usize,
    call: &'c ExprCall,
    x: &'c Expr,
) -> Option<Row> {
    if !FITTED.contains(&head(call)) {
        return None;
    }
    let fitted = fitted_with(case, cell, call);
    if fitted.is_some_and(|(at, x)| is_column(case, at, x)) {
        return Some(Row::Feature);
    }
    let made = case.made(cell, x)?;
    // If the training data is unknown, a row that is written out or taken from a table is a sample.
    is_row(made.expr).then_some(Row::Sample)
}

/// The training data of the estimator in a call: `model.fit(X, y)`, also chained to its
/// constructor.
pub(crate) fn fitted_with<'c>(
    case: &'c Case<'c>,
    cell: usize,
    call: &'c ExprCall,
) -> Option<(usize, &'c Expr)> {
    let on = &*call.func.as_attribute_expr()?.value;
    let name = on.as_name_expr()?.id.as_str();
    let fit = |c: &ExprCall| matches!(head(c), "fit" | "fit_transform" | "partial_fit");
    let first = |c: &'c ExprCall| argument(c, 0, "X");
    for at in case.seen() {
        let mut found = None;
        each_expr(case.python(at)?.body(), &mut |e| {
            let call = e.as_call_expr().filter(|c| fit(c));
            let own = call.filter(|c| {
                let on = c
                    .func
                    .as_attribute_expr()
                    .and_then(|a| a.value.as_name_expr());
                on.is_some_and(|n| n.id.as_str() == name)
            });
            found = own.and_then(first).or(found);
        });
        if let Some(x) = found {
            return Some((at, x));
        }
    }
    let made = case.made(cell, on)?;
    let call = made.expr.as_call_expr().filter(|c| fit(c))?;
    Some((made.cell, first(call)?))
}

/// Whether a table visibly has one column: `x.reshape(-1, 1)`, `df[["a"]]`, `x[:, None]`.
fn is_column<'c>(case: &'c Case<'c>, cell: usize, table: &'c Expr) -> bool {
    // Its training part has as many columns as the whole.
    let split = table
        .as_name_expr()
        .and_then(|n| Some((case.split_of(n.id.as_str())?, n.id.as_str())));
    let whole = split.and_then(|(s, name)| Some((s.cell, s.source(name)?)));
    let (cell, table) = whole.unwrap_or((cell, table));
    let Some(made) = case.made(cell, table) else {
        return false;
    };
    match made.expr {
        Expr::Call(c) => match head(c) {
            "reshape" => is_column_shape(c),
            "to_frame" => true,
            // Methods and functions that keep the single column.
            "to_numpy" | "astype" | "copy" | "dropna" | "fillna" => c
                .func
                .as_attribute_expr()
                .is_some_and(|a| is_column(case, made.cell, &a.value)),
            "array" | "asarray" | "DataFrame" => {
                positional(c, 0).is_some_and(|x| is_column(case, made.cell, x))
            }
            _ => false,
        },
        Expr::Attribute(a) => a.attr.as_str() == "values" && is_column(case, made.cell, &a.value),
        Expr::Subscript(s) => match &*s.slice {
            Expr::List(l) => l.elts.len() == 1,
            Expr::Tuple(t) => t.elts.last().is_some_and(|last| {
                last.is_none_literal_expr()
                    || last
                        .as_attribute_expr()
                        .is_some_and(|a| a.attr.as_str() == "newaxis")
                    || last.as_list_expr().is_some_and(|l| l.elts.len() == 1)
            }),
            _ => false,
        },
        // `[[1], [2], [3]]`
        Expr::List(l) => l
            .elts
            .first()
            .and_then(Expr::as_list_expr)
            .is_some_and(|row| row.elts.len() == 1),
        _ => false,
    }
}

/// `reshape(-1, 1)`, `reshape((n, 1))`.
fn is_column_shape(call: &ExprCall) -> bool {
    let args = &call.arguments.args;
    let sizes = match args.first() {
        Some(Expr::Tuple(t)) => &t.elts[..],
        _ => &args[..],
    };
    sizes.len() >= 2 && sizes.last().and_then(integer) == Some(1)
}

/// Whether an expression is a single row: written-out numbers, or one row of a table.
fn is_row(made: &Expr) -> bool {
    match made {
        Expr::List(l) => l.elts.len() > 1 && l.elts.iter().all(is_one_value),
        Expr::Tuple(t) => t.elts.len() > 1 && t.elts.iter().all(is_one_value),
        Expr::Call(c) => {
            let array = matches!(head(c), "array" | "asarray" | "Series");
            array && positional(c, 0).is_some_and(is_row)
        }
        Expr::Subscript(s) => {
            let table = !s.value.is_name_expr()
                || s.value
                    .as_name_expr()
                    .is_some_and(|n| n.id.starts_with(['X', 'x']));
            table && integer(&s.slice).is_some()
        }
        _ => false,
    }
}

/// Whether a list element is a number rather than a row.
fn is_one_value(e: &Expr) -> bool {
    !matches!(
        e,
        Expr::List(_) | Expr::Tuple(_) | Expr::Starred(_) | Expr::ListComp(_)
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    const MESSAGE: &str = "Expected 2D array, got 1D array instead:\narray=[5.1 3.4 1.5 0.2].\nReshape your data either using array.reshape(-1, 1)";

    /// The failing last line after the cure.
    fn last(cells: &[&str]) -> String {
        let line = u32::try_from(cells[cells.len() - 1].lines().count()).unwrap();
        let made = at(cells, line, "ValueError", MESSAGE);
        made.lines().last().unwrap_or("").to_owned()
    }

    #[test]
    fn values_written_out_are_one_sample() {
        let cells = [
            "import numpy as np",
            "clf = Tree().fit(iris.data, iris.target)",
            "flower = np.array([5.1, 3.4, 1.5, 0.2])",
        ];
        let with = |line| [cells[0], cells[1], cells[2], line];
        assert_eq!(
            last(&with("clf.predict(flower)")),
            "clf.predict(flower.reshape(1, -1))"
        );
        let inside = "def name_of(sample):\n    return clf.predict(sample)[0]";
        let error = crate::tests::ipython(
            "ValueError",
            &[
                (5, 1, "name_of(flower)"),
                (4, 2, "return clf.predict(sample)[0]"),
            ],
            MESSAGE,
        );
        let all = [cells[0], cells[1], cells[2], inside, "name_of(flower)"];
        assert_eq!(
            crate::tests::repaired(&all, &error),
            inside.replace("(sample)[", "(sample.reshape(1, -1))[")
        );
    }

    #[test]
    fn an_estimator_of_one_column_takes_many_samples() {
        let data = "import numpy as np\nx = np.array([1.0, 2.0, 4.0])\nnew = np.array([5.0, 6.0])";
        for fit in [
            "model.fit(x.reshape(-1, 1), y)",
            "X = df[['area']]\nX_train, X_test, y_train, y_test = train_test_split(X, y)\nmodel.fit(X_train, y_train)",
        ] {
            assert_eq!(last(&[data, fit, "model.predict(new)"]), "model.predict(new.reshape(-1, 1))");
            assert_eq!(last(&[data, fit, "model.predict([5, 6])"]), "model.predict([[v] for v in [5, 6]])");
        }
        // Nothing shows what it is.
        assert_eq!(
            last(&[data, "model.fit(A, y)", "model.predict(np.arange(9))"]),
            "model.predict(np.arange(9).reshape(-1, 1))"
        );
    }
}
