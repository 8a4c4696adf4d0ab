//! Columns computed only for the training table: `train["age_sq"] = train["age"] ** 2`.

use crate::case::Case;
use crate::feed::Feed;
use crate::find::{callee, lines_before, name, said, statement_of, text_of, with_parts};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtAssign};
use nbmedic_python::{each_below, each_stmt, Cell, Ranged, TextRange};

/// Maximum number of columns to compute again.
const MAX_COLUMNS: usize = 12;
/// Maximum length of a followed chain of tables.
const MAX_STEPS: usize = 6;

/// Functions of a whole column. New data must use their result for the training data.
const LEARNT: &[&str] = &[
    "fit_transform",
    "fit",
    "mean",
    "median",
    "mode",
    "std",
    "var",
    "min",
    "max",
    "quantile",
    "rank",
    "qcut",
    "cut",
    "factorize",
    "groupby",
    "value_counts",
    "codes",
    "get_dummies",
];

/// A statement that sets a column of a table.
struct Made<'c> {
    python: &'c Cell,
    table: &'c str,
    column: &'c str,
    assign: &'c StmtAssign,
}

/// A table and those that it was made from: `X = df.drop(columns="y")` gives `X`, `df`.
fn ancestors<'c>(case: &'c Case<'_>, table: &'c str) -> Vec<&'c str> {
    let mut out = vec![table];
    let mut at = table;
    for _ in 0..MAX_STEPS {
        let source = match case.split_of(at).and_then(|s| s.source(at)) {
            Some(source) => Some(source),
            None => case.value(at).map(|(_, v)| v),
        };
        let mut base = source;
        let next = loop {
            base = match base {
                Some(Expr::Name(n)) => break Some(n.id.as_str()),
                Some(Expr::Subscript(s)) => Some(&s.value),
                Some(Expr::Attribute(a)) => Some(&a.value),
                Some(Expr::Call(c)) => Some(&c.func),
                _ => break None,
            };
        };
        match next.filter(|n| !out.contains(n) && case.module_of(n).is_none()) {
            Some(n) => {
                out.push(n);
                at = n;
            }
            None => break,
        }
    }
    out
}

/// The columns that cells set in a table or its ancestors, in cell order.
fn made<'c>(case: &'c Case<'_>, tables: &[&'c str]) -> Vec<Made<'c>> {
    let mut out = Vec::new();
    let mut cells = case.seen();
    cells.reverse();
    for python in cells.into_iter().filter_map(|c| case.python(c)) {
        each_stmt(python.body(), &mut |s| {
            let Stmt::Assign(assign) = s else { return };
            let [Expr::Subscript(target)] = &assign.targets[..] else {
                return;
            };
            let table = name(&target.value).filter(|t| tables.contains(t));
            if let (Some(table), Some(column)) = (table, text_of(&target.slice)) {
                out.push(Made {
                    python,
                    table,
                    column,
                    assign,
                });
            }
        });
    }
    out
}

/// The statement rewritten for another table. None if its value is learned from the whole column or
/// reads another table.
fn for_table(m: &Made<'_>, table: &str) -> Option<String> {
    let mut own: Vec<(TextRange, String)> = Vec::new();
    let mut plain = true;
    each_below(&m.assign.value, &mut |e| match e {
        Expr::Name(n) if n.id.as_str() == m.table => own.push((n.range(), table.to_owned())),
        Expr::Call(c) => plain &= callee(c).is_none_or(|f| !LEARNT.contains(&f)),
        Expr::Attribute(a) => plain &= !LEARNT.contains(&a.attr.as_str()),
        _ => {}
    });
    if !plain || own.is_empty() {
        return None;
    }
    let text = with_parts(m.python, &*m.assign.value, own);
    let target = m.python.slice(m.assign.targets.first()?);
    let target = target.strip_prefix(m.table)?;
    let line = format!("{table}{target} = {text}");
    (!line.contains('\n')).then_some(line)
}

/// Computes the missing columns of a table as they were computed for the table of the fit.
/// `missing`: those that the message names, if any.
pub(super) fn cure(
    case: &Case<'_>,
    feed: &Feed<'_>,
    (train, given): (&str, &Expr),
    missing: &[&str],
) -> Option<Cure> {
    let table = name(given)?;
    let tables = ancestors(case, train);
    let own = ancestors(case, table);
    let tables: Vec<&str> = tables.into_iter().filter(|t| !own.contains(t)).collect();
    let there = made(case, &own);
    let mut lines: Vec<String> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    for m in made(case, &tables) {
        let wanted = missing.is_empty() || missing.contains(&m.column);
        if wanted && !there.iter().any(|t| t.column == m.column) {
            lines.push(for_table(&m, table)?);
            columns.push(m.column);
        }
    }
    let all = missing.iter().all(|c| columns.contains(c));
    if lines.is_empty() || lines.len() > MAX_COLUMNS || !all {
        return None;
    }
    columns.dedup();
    let stmt = statement_of(feed.python, feed.x.range())?;
    let list: Vec<String> = columns.iter().map(|c| format!("`{c}`")).collect();
    case.edits(
        said(
            "same-steps",
            Basis::Assumed,
            format!("Compute {} for `{table}` too", list.join(", ")),
            format!("Only `{}` got what the model was fitted with. If the columns of `{table}` stand in another order then, pass `{table}[{train}.columns]`.", tables.last()?),
        ),
        vec![lines_before(feed.cell, feed.python, stmt, &lines.join("\n"))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    const READ: &str =
        "import pandas as pd\ntrain = pd.read_csv('train.csv')\ntest = pd.read_csv('test.csv')";
    const MESSAGE: &str = "The feature names should match those that were passed during fit.\nFeature names seen at fit time, yet now missing:\n- area\n- big\n";

    #[test]
    fn columns_of_the_training_table_are_computed_for_the_test_table() {
        let cells = [
            READ,
            "train['area'] = train['w'] * train['h']\ntrain['big'] = (train['area'] > 20).astype(int)",
            "X = train.drop(columns=['price'])\nmodel = Ridge().fit(X, train['price'])",
            "p = model.predict(test)",
        ];
        let error = error_at(&cells, 1, "ValueError", MESSAGE);
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(
            cure.code,
            "test['area'] = test['w'] * test['h']\ntest['big'] = (test['area'] > 20).astype(int)\np = model.predict(test)"
        );
    }

    #[test]
    fn what_was_learnt_from_the_training_table_is_not_learnt_again() {
        let cells = [
            READ,
            "train['area'] = train['w'] - train['w'].mean()\ntrain['big'] = train['h'] > 2",
            "X = train.drop(columns=['price'])\nmodel = Ridge().fit(X, train['price'])",
            "p = model.predict(test)",
        ];
        let error = error_at(&cells, 1, "ValueError", MESSAGE);
        let all = cures_of(&cells, &error);
        assert!(all.iter().all(|c| c.id != "same-steps"), "{all:?}");
    }
}
