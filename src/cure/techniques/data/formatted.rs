//! A number that is formatted, but is a Series because its column was taken with double brackets: `df[["days"]].mean()`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, one_line, only, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprSubscript};
use nbmedic_wordings::python;

/// Methods that give one value for each column.
const OF_COLUMN: &[&str] = &[
    "count", "kurt", "max", "mean", "median", "min", "nunique", "prod", "sem", "skew", "std",
    "sum", "var",
];

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(python::FORMAT_OF.read(case.message()), Some(["Series"])) {
        out.extend(one_column(case));
    }
}

/// Takes the column with single brackets.
fn one_column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let of = |e: &'_ &Expr| -> Option<()> {
        let call = e.as_call_expr()?;
        callee(call).filter(|m| OF_COLUMN.contains(m)).map(|_| ())
    };
    let columns = |s: &ExprSubscript| s.slice.as_list_expr().is_some_and(|l| l.elts.len() == 1);
    let here = spot.exprs.iter().copied();
    let made = here.clone().filter_map(|e| {
        Some((
            case.made(spot.cell, e.is_name_expr().then_some(e)?)?.cell,
            case.made(spot.cell, e)?.expr,
        ))
    });
    let all = here.map(|e| (spot.cell, e)).chain(made);
    let found = all.filter_map(|(cell, e)| {
        of(&e)?;
        let part = receiver(e.as_call_expr()?)?
            .as_subscript_expr()
            .filter(|s| columns(s))?;
        Some((cell, part))
    });
    let (cell, part) = only(found)?;
    let python = case.python(cell)?;
    let column = part.slice.as_list_expr()?.elts.first()?;
    let right = format!("{}[{}]", python.slice(&*part.value), python.slice(column));
    case.edits(
        said(
            "one-bracket",
            Basis::Library,
            format!("Take the column with single brackets: `{}`", one_line(&right)),
            "Double brackets give a table, whose mean or sum is a Series with a value for each column.",
        ),
        vec![Change::replace(cell, &*part.slice, python.slice(column))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn a_column_is_taken_with_single_brackets() {
        let message = "unsupported format string passed to Series.__format__";
        for (line, right) in [
            (
                "text = f\"{stays[['days']].mean():.1f} days\"",
                "text = f\"{stays['days'].mean():.1f} days\"",
            ),
            ("text = f\"{stays['days']:.1f} days\"", ""),
        ] {
            let cells = ["stays = pd.read_csv('a.csv')", line];
            let code = repaired_first(&cells, "TypeError", message);
            assert!(
                code == right || right.is_empty() && !code.contains("stays['days'].mean"),
                "{code}"
            );
        }
    }
}
