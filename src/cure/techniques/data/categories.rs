//! A value that is none of a column's categories.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, lines_before, only, receiver, said, Spot};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::positional;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let says = message.contains("on a Categorical with a new category")
        || message.contains("fill value must be in categories");
    if !says || !out.is_empty() {
        return;
    }
    let Some(spot) = case.spot() else { return };
    out.extend(filled(case, &spot).or_else(|| assigned(case, &spot)));
}

fn why(value: &str) -> String {
    format!("The column's categories are fixed, and {value} is none of them yet. `.astype(object)` would make it text again.")
}

/// `df["grade"].fillna("unknown")`
fn filled(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let call = only(spot.calls().filter(|c| callee(c) == Some("fillna")))?;
    let column = receiver(call)?;
    // Of a whole table only the one column has categories.
    column.as_subscript_expr()?;
    let value = spot.python.slice(positional(call, 0)?);
    let (text, add) = (
        spot.python.slice(column),
        format!(".cat.add_categories({value})"),
    );
    case.edits(
        said(
            "add-category",
            Applicability::Sure,
            format!("Add the category first: `{text}{add}`"),
            why(value),
        ),
        vec![Change::after(spot.cell, column, add)],
    )
}

/// `df.loc[rows, "grade"] = "unknown"`
fn assigned(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let stmt = spot.stmt?;
    let Stmt::Assign(a) = stmt else { return None };
    let target = a.targets.first()?.as_subscript_expr()?;
    let rows = target.value.as_attribute_expr()?;
    matches!(rows.attr.as_str(), "loc" | "at").then_some(())?;
    let column = target.slice.as_tuple_expr()?.elts.get(1)?;
    column.as_string_literal_expr()?;
    a.value.as_string_literal_expr()?;
    let of = |e: &Expr| spot.python.slice(e).to_owned();
    let (table, column, value) = (of(&rows.value), of(column), of(&a.value));
    let line = format!("{table}[{column}] = {table}[{column}].cat.add_categories({value})");
    case.edits(
        said(
            "add-category",
            Applicability::Sure,
            format!("Put `{line}` above"),
            why(&value),
        ),
        vec![lines_before(spot.cell, spot.python, stmt, &line)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn a_category_is_added_before_it_is_used() {
        let message =
            "Cannot setitem on a Categorical with a new category (unknown), set the categories first";
        let first = "df[\"grade\"] = df[\"grade\"].astype(\"category\")";
        assert_eq!(
            repaired_first(
                &[first, "df[\"grade\"] = df[\"grade\"].fillna(\"unknown\")"],
                "TypeError",
                message
            ),
            "df[\"grade\"] = df[\"grade\"].cat.add_categories(\"unknown\").fillna(\"unknown\")"
        );
        assert_eq!(
            repaired_first(
                &[first, "df.loc[df[\"n\"] < 3, \"grade\"] = \"few\""],
                "TypeError",
                message
            ),
            "df[\"grade\"] = df[\"grade\"].cat.add_categories(\"few\")\ndf.loc[df[\"n\"] < 3, \"grade\"] = \"few\""
        );
    }
}
