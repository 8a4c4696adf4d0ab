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
    // The estimator of a step: of `("name", SimpleImputer())` or alone.
    let made = |cell: usize, step: &'_ Expr| -> Option<(usize, TextRange, String)> {
        let of = step.as_tuple_expr().and_then(|t| t.elts.last());
        let made = case.made(cell, of.unwrap_or(step))?;
        let call = made.expr.as_call_expr()?;
        Some((made.cell, call.range, callee(call)?.to_owned()))
    };
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let all = calls(python.body()).into_iter();
        for pipeline in all.filter(|c| matches!(callee(c), Some("Pipeline" | "make_pipeline"))) {
            let steps = match pipeline.arguments.args.first() {
                Some(Expr::List(l)) => &l.elts[..],
                _ => &pipeline.arguments.args[..],
            };
            found.extend(steps.windows(2).filter_map(|pair| {
                let (_, _, class) = made(cell, &pair[1])?;
                let by_name = matches!(&*class, "ColumnTransformer" | "make_column_transformer");
                made(cell, &pair[0]).filter(|_| by_name)
            }));
        }
    }
    let (cell, range, step) = only(found.into_iter())?;
    let tail = ".set_output(transform=\"pandas\")";
    case.edits(
        said(
            "keep-columns",
            Basis::Library,
            format!("Let `{step}` give a table: `{tail}`"),
            "It gives an array, which has no names of columns, and the transformer behind it takes columns by name.",
        ),
        vec![case.editor(cell)?.append(range, tail)],
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

    #[test]
    fn a_step_before_gives_a_table() {
        let cells = [
            "impute = SimpleImputer()\nprep = ColumnTransformer([('num', StandardScaler(), ['age'])])",
            "pipe = Pipeline([('impute', impute), ('prep', prep)])\npipe.fit(X, y)",
        ];
        let message = "Specifying the columns using strings is only supported for dataframes.";
        let all = cures_of(&cells, &error_at(&cells, 2, "ValueError", message));
        let tail = "SimpleImputer().set_output(transform=\"pandas\")";
        assert!(all[0].code.contains(tail), "{all:?}");
    }
}
