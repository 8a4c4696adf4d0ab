//! `X_train, y_train, X_test, y_test = train_test_split(X, y)`: the function returns a different order.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_stmt, Ranged, TextRange};
use nbmedic_wordings::about;

/// Exceptions raised if a value isn't what its name says.
const OF_VALUES: &[&str] = &[
    "ValueError",
    "TypeError",
    "IndexError",
    "KeyError",
    "AttributeError",
    "RuntimeError",
    "InvalidArgumentError",
    "UnimplementedError",
    "InvalidParameterError",
    "XGBoostError",
    "LightGBMError",
    "CatBoostError",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if OF_VALUES.contains(&case.class()) {
        out.extend(swapped(case));
    }
}

/// A split unpacked in the order train, train, test, test.
struct Swapped<'c> {
    cell: usize,
    /// The target meant for the training labels; it receives the test features.
    y: (TextRange, &'c str),
    /// The target meant for the test features; it receives the training labels.
    x: (TextRange, &'c str),
}

fn swapped(case: &Case<'_>) -> Option<Cure> {
    let found = case.seen().into_iter().find_map(|c| wrong_split(case, c))?;
    let about_rows = about::UNEQUAL_LENGTHS.is_in(case.message());
    // Only a line that reads one of the two fails for this reason.
    let reads = |e: &&Expr| name(e).is_some_and(|n| n == found.y.1 || n == found.x.1);
    let used = case.spots().iter().any(|s| s.exprs.iter().any(&reads));
    (about_rows || used).then_some(())?;
    let change = |range, text: &str| Change::replace(found.cell, range, text.to_owned());
    case.edits(
        said(
            "split-order",
            Basis::Source,
            format!(
                "Swap `{}` and `{}` where `train_test_split` is unpacked",
                found.y.1, found.x.1
            ),
            "It returns both parts of the first array, then both parts of the second.".to_owned(),
        ),
        vec![change(found.y.0, found.x.1), change(found.x.0, found.y.1)],
    )
}

fn wrong_split<'c>(case: &'c Case<'_>, cell: usize) -> Option<Swapped<'c>> {
    let python = case.python(cell)?;
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        let Stmt::Assign(a) = s else { return };
        let split = a
            .value
            .as_call_expr()
            .is_some_and(|c| callee(c) == Some("train_test_split") && c.arguments.args.len() == 2);
        let [Expr::Tuple(t)] = &a.targets[..] else {
            return;
        };
        let names: Vec<&str> = t.elts.iter().filter_map(name).collect();
        if !split || names.len() != 4 || t.elts.len() != 4 {
            return;
        }
        let is = |n: &str, letter: char| n.starts_with([letter, letter.to_ascii_uppercase()]);
        let part = |n: &str| n.to_ascii_lowercase().contains("train");
        let wrong =
            is(names[0], 'x') && is(names[1], 'y') && is(names[2], 'x') && is(names[3], 'y');
        if wrong && part(names[0]) && part(names[1]) && !part(names[2]) {
            found = Some(Swapped {
                cell,
                y: (t.elts[1].range(), names[1]),
                x: (t.elts[2].range(), names[2]),
            });
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn what_a_wrongly_unpacked_split_breaks_has_that_cause_alone() {
        let cells = [
            "X_train, y_train, X_valid, y_valid = train_test_split(X, y, random_state=1)",
            "clf.fit(X_train, y_train)",
        ];
        for message in [
            "y should be a 1d array, got an array of shape (20, 4) instead.",
            "Found input variables with inconsistent numbers of samples: [80, 20]",
            "Unknown label type: continuous-multioutput.",
        ] {
            let cures = cures_of(&cells, &error_at(&cells, 1, "ValueError", message));
            assert_eq!(cures.len(), 1, "{message}: {cures:?}");
            assert_eq!(cures[0].edits.len(), 2);
            assert_eq!(
                cures[0].title,
                "Swap `y_train` and `X_valid` where `train_test_split` is unpacked"
            );
        }
        // A line that reads neither fails for another reason.
        let other = [cells[0], "clf.fit(X_train, labels)"];
        let error = error_at(&other, 1, "ValueError", "Input X contains NaN.");
        assert!(cures_of(&other, &error)
            .iter()
            .all(|c| c.id != "split-order"));
    }
}
