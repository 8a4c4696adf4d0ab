//! Rows looked up by number after some were dropped: `readings.loc[i, "t"] - readings.loc[i - 1, "t"]`.

use super::align::drops_rows;
use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, lines_before, loops_around, name, said, statement_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprSubscript, StmtFor};
use nbmedic_python::{each_below, Ranged};

/// The table of a subscript that selects rows by label, and the label.
fn row(s: &ExprSubscript) -> Option<(&str, &Expr)> {
    let rows = s.value.as_attribute_expr()?;
    matches!(rows.attr.as_str(), "loc" | "at").then_some(())?;
    let label = match &*s.slice {
        Expr::Tuple(t) => t.elts.first()?,
        other => other,
    };
    Some((name(&rows.value)?, label))
}

/// The enclosing loop over the row numbers of a table.
fn counted<'c>(spot: &Spot<'c>, s: &ExprSubscript, table: &str) -> Option<&'c StmtFor> {
    let (_, label) = row(s)?;
    let all = loops_around(spot.python, s);
    all.into_iter().rev().find(|f| {
        let mut length = false;
        each_below(&f.iter, &mut |e| match e {
            Expr::Call(c) if callee(c) == Some("len") => {
                length |= c.arguments.args.first().and_then(name) == Some(table);
            }
            Expr::Attribute(a) if matches!(a.attr.as_str(), "shape" | "size") => {
                length |= name(&a.value) == Some(table);
            }
            _ => {}
        });
        let range = f.iter.as_call_expr().and_then(callee) == Some("range");
        let mut used = false;
        each_below(label, &mut |e| used |= name(e) == name(&f.target));
        range && length && used && name(&f.target).is_some()
    })
}

/// Resets the index where the table was created, or above the loop.
pub(super) fn cure(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut rows = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let (around, table) = rows.find_map(|s| {
        let (table, _) = row(s)?;
        Some((counted(&spot, s, table)?, table))
    })?;
    let made = case
        .value(table)
        .filter(|(_, v)| drops_rows(v) && case.split_of(table).is_none());
    let line = format!("{table} = {table}.reset_index(drop=True)");
    let (title, change) = match made {
        Some((cell, value)) => {
            let python = case.python(cell)?;
            let text = crate::find::tight(python, value);
            (
                format!("Number the rows of `{table}` anew: add `.reset_index(drop=True)`"),
                Change::replace(cell, value, format!("{text}.reset_index(drop=True)")),
            )
        }
        None => {
            let stmt = statement_of(spot.python, around.range())?;
            (
                format!("Put `{line}` above"),
                lines_before(spot.cell, spot.python, stmt, &line),
            )
        }
    };
    let gone = case.message().trim();
    case.edits(
        said(
            "numbered-rows",
            Basis::Assumed,
            title,
            format!("Rows keep their labels when others are left out, so the label {gone} is gone, and positions and labels differ. With new numbers they are the same again."),
        ),
        vec![change],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, key_error};

    #[test]
    fn rows_that_are_counted_get_new_numbers() {
        let loop_ =
            "for i in range(1, len(df)):\n    d.append(df.loc[i, 't'] - df.loc[i - 1, 't'])";
        let cells = ["df = read()", "df = df.dropna()", loop_];
        let cure = &cures_of(&cells, &key_error(&cells, 2, "2"))[0];
        assert_eq!(cure.code, "df = df.dropna().reset_index(drop=True)");
        let cells = [
            "train, test = train_test_split(df)",
            "for i in range(len(test)):\n    print(test.loc[i, 'a'], test.loc[i, 'b'])",
        ];
        let cure = &cures_of(&cells, &key_error(&cells, 2, "0"))[0];
        assert_eq!(
            cure.code,
            "test = test.reset_index(drop=True)\nfor i in range(len(test)):\n    print(test.loc[i, 'a'], test.loc[i, 'b'])"
        );
    }
}
