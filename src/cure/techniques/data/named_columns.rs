//! Columns selected by name from what has become an array: `X = df[["age", "city"]].values` for a
//! `ColumnTransformer`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, name, only, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, Ranged, TextRange};

/// Maximum length of a followed chain of names.
const MAX_STEPS: usize = 6;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let says = case
        .message()
        .starts_with("Specifying the columns using strings is only supported for");
    if says {
        out.extend(table(case).or_else(|| step_before(case)).or_else(words));
    }
}

/// The table in an expression that converts it to an array.
fn turned(value: &Expr) -> Option<&Expr> {
    match value {
        Expr::Attribute(a) if a.attr.as_str() == "values" => Some(&a.value),
        Expr::Call(c) if matches!(callee(c), Some("to_numpy" | "as_matrix")) => receiver(c),
        _ => None,
    }
}

fn table(case: &Case<'_>) -> Option<Cure> {
    let feed = case.feed()?;
    let (mut cell, mut value) = (feed.cell, feed.x);
    for _ in 0..MAX_STEPS {
        if let Some(table) = turned(value) {
            let python = case.python(cell)?;
            let tail = TextRange::new(table.end(), value.end());
            let text = python.slice(tail);
            return case.edits(
                said(
                    "keep-columns",
                    Basis::Source,
                    format!("Leave out `{text}`: `{}`", python.slice(table)),
                    "An array has no names of columns, and the transformer takes columns by name.",
                ),
                vec![Change::replace(cell, tail, "")],
            );
        }
        let n = name(value)?;
        (cell, value) = match case.split_of(n) {
            Some(split) => (split.cell, split.source(n)?),
            None => case.value(n)?,
        };
    }
    None
}

/// A step before the transformer in a pipeline that gives an array.
fn step_before(case: &Case<'_>) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let all = case
            .python(cell)
            .map(|p| calls(p.body()))
            .unwrap_or_default();
        for pipeline in all
            .into_iter()
            .filter(|c| matches!(callee(c), Some("Pipeline" | "make_pipeline")))
        {
            let steps = match pipeline.arguments.args.first() {
                Some(Expr::List(l)) => &l.elts[..],
                Some(_) => &pipeline.arguments.args[..],
                None => continue,
            };
            let step = |e: &'_ Expr| -> Option<(usize, usize, usize)> {
                let of = e.as_tuple_expr().and_then(|t| t.elts.last()).unwrap_or(e);
                let made = case.made(cell, of)?;
                let range = made.expr.as_call_expr()?.range();
                Some((made.cell, range.start().into(), range.end().into()))
            };
            let transformer = |e: &Expr| {
                let of = e.as_tuple_expr().and_then(|t| t.elts.last()).unwrap_or(e);
                let made = case.made(cell, of);
                made.and_then(|m| callee(m.expr.as_call_expr()?))
                    .is_some_and(|c| c == "ColumnTransformer" || c == "make_column_transformer")
            };
            found.extend(
                steps
                    .windows(2)
                    .filter(|w| transformer(&w[1]))
                    .filter_map(|w| step(&w[0])),
            );
        }
    }
    let (cell, start, end) = only(found.into_iter())?;
    let python = case.python(cell)?;
    let call = calls(python.body())
        .into_iter()
        .find(|c| usize::from(c.start()) == start && usize::from(c.end()) == end)?;
    let step = callee(call)?;
    case.edits(
        said(
            "keep-columns",
            Basis::Library,
            format!("Let `{step}` give a table: `.set_output(transform=\"pandas\")`"),
            "It gives an array, which has no names of columns, and the transformer behind it takes columns by name.",
        ),
        vec![Change::replace(
            cell,
            TextRange::empty(call.end()),
            ".set_output(transform=\"pandas\")",
        )],
    )
}

fn words() -> Option<Cure> {
    Some(look(
        "keep-columns",
        "Give the transformer the DataFrame, not an array",
        "An array has no names of columns: leave out `.values` and `.to_numpy()`, and a step before it that gives an array; or name the columns by their positions.",
    ))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn the_table_is_kept() {
        let cells = [
            "df = pd.read_csv('a.csv')\nX = df[['age', 'city']].values\ny = df['buys']",
            "X_train, X_test, y_train, y_test = train_test_split(X, y)",
            "model.fit(X_train, y_train)",
        ];
        let message = "Specifying the columns using strings is only supported for dataframes.";
        let cure = &cures_of(&cells, &error_at(&cells, 1, "ValueError", message))[0];
        assert_eq!(
            cure.code,
            "df = pd.read_csv('a.csv')\nX = df[['age', 'city']]\ny = df['buys']"
        );
        assert_eq!(cure.run, [1, 2, 3]);
    }
}
