//! seaborn plots that receive categories where they need numbers.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{add_argument, callee, look, name, only, quoted, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, Ranged};

/// seaborn: `Horizontal orientation requires numeric x variable`.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if !message.contains(" orientation requires numeric `") {
        return;
    }
    let (value, other) = match message.contains("numeric `x`") {
        true => ("x", "y"),
        false => ("y", "x"),
    };
    let Some(spot) = case.spot() else { return };
    let Some(call) = only(spot.calls().filter(|c| keyword(c, value).is_some())) else {
        return;
    };
    let Some(called) = callee(call) else { return };
    let Some(given) = keyword(call, value) else {
        return;
    };
    if let Some(orient) = keyword(call, "orient") {
        let right = if value == "x" { "\"v\"" } else { "\"h\"" };
        out.extend(case.edits(
            said(
                "orient",
                Basis::Assumed,
                format!(
                    "Replace `orient={}` by `orient={right}`",
                    spot.python.slice(&orient.value)
                ),
                format!("The values to draw are those of `{other}`; `{value}` holds categories."),
            ),
            vec![Change::replace(spot.cell, &orient.value, right)],
        ));
        return;
    }
    let text = spot.python.slice(&given.value);
    if keyword(call, other).is_some() {
        return;
    }
    let column = text_of(&given.value).unwrap_or(text);
    if let Some(cure) = case.edits(
        said(
            "count-categories",
            Basis::Guessed,
            format!("Count the values of {text} with `countplot`"),
            format!("`{called}` draws the spread of numbers, and `{column}` holds categories; `countplot` draws how often each one occurs."),
        ),
        count(spot.cell, call),
    ) {
        out.push(cure);
    }
    let mut cure = look(
        "add-values",
        format!("Add the numeric column to draw as `{other}=` to `{called}({value}={text}, …)`"),
        format!("`{column}` holds categories, and `{called}` has nothing numeric to draw. With `{other}=` it draws one for each value of `{column}`."),
    );
    if let Some((column, whence)) = numeric_column(case, call, column) {
        if let Some(edit) = case.edits(
            said(
                "add-values",
                Basis::Assumed,
                format!("Add `{other}={}` to `{called}`", quoted(&column)),
                format!("{text} holds categories, and `{called}` has nothing numeric to draw. The choice is the column: `{column}` {whence}."),
            ),
            vec![add_argument(spot.cell, spot.python, call, &format!("{other}={}", quoted(&column)))],
        ) {
            cure = edit;
        }
    }
    out.push(cure);
}

fn count(cell: usize, call: &ExprCall) -> Vec<Change> {
    match &*call.func {
        Expr::Attribute(a) => vec![Change::replace(cell, a.attr.range(), "countplot")],
        _ => Vec::new(),
    }
}

/// A column of the same table that the notebook averages or the like; otherwise the first numeric
/// one that the probe recorded. Also returns how that is known.
fn numeric_column(case: &Case<'_>, call: &ExprCall, not: &str) -> Option<(String, &'static str)> {
    let data = keyword(call, "data")
        .map(|k| &k.value)
        .or(call.arguments.args.first())?;
    let data = name(data)?;
    const NUMERIC: &[&str] = &[
        "mean", "median", "std", "max", "min", "sum", "hist", "quantile",
    ];
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for c in nbmedic_python::calls(python.body()) {
            if !callee(c).is_some_and(|f| NUMERIC.contains(&f)) {
                continue;
            }
            let column = receiver(c)
                .and_then(Expr::as_subscript_expr)
                .filter(|s| name(&s.value) == Some(data))
                .and_then(|s| text_of(&s.slice));
            if let Some(column) = column.filter(|c| *c != not) {
                return Some((
                    column.to_owned(),
                    "is used as a number elsewhere in the notebook",
                ));
            }
        }
    }
    let seen = &case.seen_value(data)?.columns;
    let numeric = |t: &str| ["int", "float", "uint"].iter().any(|n| t.starts_with(n));
    let (column, _) = seen.iter().find(|(c, t)| numeric(t) && c != not)?;
    Some((column.clone(), "is its first one with numbers"))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired, with_values};

    #[test]
    fn a_plot_of_categories_gets_numbers() {
        let error = ipython(
            "TypeError",
            &[(2, 1, "sns.boxplot(df, x='kind')")],
            "Horizontal orientation requires numeric `x` variable.",
        );
        let cells = [
            "df = load()\ndf['mass'].mean()",
            "sns.boxplot(df, x='kind')",
        ];
        assert_eq!(
            repaired(&cells, &error),
            "sns.boxplot(df, x='kind', y=\"mass\")"
        );
        let words = cures_of(&["df = load()", "sns.boxplot(df, x='kind')"], &error);
        assert_eq!(
            words[0].title,
            "Add the numeric column to draw as `y=` to `boxplot(x='kind', …)`"
        );
        let seen = with_values(
            &error,
            r#"[[1,"<module>",[["df",{"t":"DataFrame","s":[3,2],"c":["kind","mass"],"ct":["object","float64"]}]]]]"#,
        );
        assert_eq!(
            repaired(&["df = load()", "sns.boxplot(df, x='kind')"], &seen),
            "sns.boxplot(df, x='kind', y=\"mass\")"
        );
    }
}
