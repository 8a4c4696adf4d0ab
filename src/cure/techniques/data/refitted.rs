//! A vectorizer, encoder or scaler that was refitted on new data: `vec.fit_transform(test_texts)`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_below, Ranged};

/// A `fit_transform` call, with the index of its cell.
struct Fitted<'c> {
    cell: usize,
    call: &'c ExprCall,
    /// The transformer.
    step: &'c str,
}

fn fitted<'c>(case: &'c Case<'_>, cell: usize, value: &'c Expr) -> Option<Fitted<'c>> {
    let mut all: Vec<&ExprCall> = Vec::new();
    each_below(value, &mut |e| {
        let call = e.as_call_expr();
        all.extend(call.filter(|c| callee(c) == Some("fit_transform")));
    });
    let call = only(all.into_iter())?;
    let step = receiver(call).and_then(name)?;
    case.python(cell).map(|_| Fitted { cell, call, step })
}

/// For two arrays that each come from a `fit_transform`, transforms the second with the transformer
/// fitted on the first. `cell` is that of `given`.
pub(super) fn cure<'c>(
    case: &'c Case<'_>,
    train: &str,
    (cell, given): (usize, &'c Expr),
) -> Option<Cure> {
    let (at, value) = case.value(train)?;
    let first = fitted(case, at, value)?;
    let (cell, value) = match name(given) {
        Some(n) => case.value(n)?,
        None => (cell, given),
    };
    let second = fitted(case, cell, value)?;
    if first.cell == second.cell && first.call.range() == second.call.range() {
        return None;
    }
    let own = second.step == first.step;
    let class = |step: &str| case.value(step)?.1.as_call_expr().and_then(callee);
    if !own && (class(first.step).is_none() || class(first.step) != class(second.step)) {
        return None;
    }
    let python = case.python(second.cell)?;
    let old = python.slice(&*second.call.func);
    let new = format!("{}.transform", first.step);
    let why = match own {
        true => format!(
            "`fit_transform` learns new columns from what it is given; the model knows those that `{}` learned for `{train}`.",
            first.step
        ),
        false => format!(
            "`{}` learns columns of its own; the model knows those that `{}` learned for `{train}`.",
            second.step, first.step
        ),
    };
    let mut cure = case.edits(
        said(
            "transform-only",
            Basis::Source,
            format!("Replace `{old}` by `{new}`"),
            why,
        ),
        vec![Change::replace(second.cell, &*second.call.func, new)],
    )?;
    // The second fit overwrote the first.
    let again = case.position(first.cell);
    if own && first.cell != second.cell {
        if cure.run.is_empty() {
            cure.run.push(case.position(case.at));
        }
        cure.run.insert(0, again);
        cure.run.dedup();
    }
    Some(cure)
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    const MESSAGE: &str = "X has 4 features, but MultinomialNB is expecting 11 features as input.";
    const TRAIN: &str = "vec = TfidfVectorizer()\nX_train = vec.fit_transform(texts)";
    const FIT: &str = "model = MultinomialNB().fit(X_train, labels)";

    #[test]
    fn new_data_are_transformed_by_the_fitted_step() {
        let cells = [
            TRAIN,
            FIT,
            "X_test = vec.fit_transform(new)",
            "model.predict(X_test)",
        ];
        let error = error_at(&cells, 1, "ValueError", MESSAGE);
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(cure.code, "X_test = vec.transform(new)");
        assert_eq!(cure.run, [1, 3, 4]);
        let cells = [
            TRAIN,
            FIT,
            "other = TfidfVectorizer()\nX_test = other.fit_transform(new).toarray()\nmodel.predict(X_test)",
        ];
        let error = error_at(&cells, 3, "ValueError", MESSAGE);
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(
            cure.code,
            "other = TfidfVectorizer()\nX_test = vec.transform(new).toarray()\nmodel.predict(X_test)"
        );
    }

    #[test]
    fn another_kind_of_step_is_left_alone() {
        let cells = [
            TRAIN,
            FIT,
            "other = CountVectorizer()\nX_test = other.fit_transform(new)",
            "model.predict(X_test)",
        ];
        let error = error_at(&cells, 1, "ValueError", MESSAGE);
        let all = cures_of(&cells, &error);
        assert!(all.iter().all(|c| c.id != "transform-only"), "{all:?}");
    }
}
