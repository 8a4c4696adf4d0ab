//! `df.apply(f)` where `f` reads the columns of a row: without `axis=1` it receives columns.

use crate::case::Case;
use crate::find::{add_argument, callee, name, only, receiver, said, text_of, Spot};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{each_below, each_expr, each_stmt, keyword};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "KeyError" {
        out.extend(by_rows(case));
    }
}

fn by_rows(case: &Case<'_>) -> Option<Cure> {
    let key = case
        .message()
        .trim()
        .strip_prefix('\'')?
        .strip_suffix('\'')?;
    let spots = case.spots();
    let (spot, call) = only(spots.iter().flat_map(|s| {
        let all = s.calls().filter(|c| callee(c) == Some("apply"));
        all.map(move |c| (s, c))
    }))?;
    let (table, function) = (receiver(call)?, call.arguments.args.first()?);
    let given = keyword(call, "axis").is_some() || call.arguments.args.len() > 1;
    if given || !is_table(case, spot.cell, table) || !reads(case, spot, function, key) {
        return None;
    }
    let text = spot.text(table);
    case.edits(
        said(
            "apply-rows",
            Basis::Assumed,
            format!("Add `axis=1` to `{text}.apply(…)`"),
            format!("Without it the function gets one column of `{text}` after the other, and no row with `{key}` in it."),
        ),
        vec![add_argument(spot.cell, spot.python, call, "axis=1")],
    )
}

/// Whether it can be a whole table rather than a column or groups.
fn is_table(case: &Case<'_>, cell: usize, on: &Expr) -> bool {
    let several = |s: &Expr| !s.is_string_literal_expr();
    match on {
        Expr::Name(_) => !matches!(case.kind(cell, on), Kind::Series | Kind::Array | Kind::List),
        Expr::Subscript(s) => several(&s.slice),
        _ => false,
    }
}

/// Whether a function subscripts its first parameter with a key, as in `row["km"]`; `row.get("km")`
/// doesn't count.
fn reads(case: &Case<'_>, spot: &Spot<'_>, function: &Expr, key: &str) -> bool {
    let of = |parameter: &str, e: &Expr| {
        let s = e.as_subscript_expr();
        s.is_some_and(|s| name(&s.value) == Some(parameter) && text_of(&s.slice) == Some(key))
    };
    let mut found = false;
    if let Expr::Lambda(l) = function {
        let parameter = l.parameters.as_ref().and_then(|p| p.iter().next());
        let Some(parameter) = parameter.map(|p| p.name().to_string()) else {
            return false;
        };
        each_below(&l.body, &mut |e| found |= of(&parameter, e));
        return found;
    }
    let Some(wanted) = name(function) else {
        return false;
    };
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        each_stmt(python.body(), &mut |s| {
            let f = s.as_function_def_stmt();
            let Some(f) = f.filter(|f| f.name.as_str() == wanted) else {
                return;
            };
            if let Some(p) = f.parameters.iter().next() {
                each_expr(&f.body, &mut |e| found |= of(p.name().as_str(), e));
            }
        });
    }
    found && spot.stmt.is_some()
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, key_error, repaired};

    #[test]
    fn a_function_of_rows_gets_rows() {
        let cells = [
            "def speed(row):\n    return row['km'] / row['hours']",
            "t['v'] = t.apply(speed)",
        ];
        let error = ipython(
            "KeyError",
            &[
                (2, 1, "t['v'] = t.apply(speed)"),
                (1, 2, "return row['km'] / row['hours']"),
            ],
            "'km'",
        );
        assert_eq!(repaired(&cells, &error), "t['v'] = t.apply(speed, axis=1)");
        let cells = ["t.apply(lambda r: r['km'] * 2)"];
        assert_eq!(
            repaired(&cells, &key_error(&cells, 1, "'km'")),
            "t.apply(lambda r: r['km'] * 2, axis=1)"
        );
    }

    #[test]
    fn columns_groups_and_other_keys_stay() {
        for line in [
            "t['records'].apply(lambda r: r['km'])",
            "t.groupby('a').apply(lambda g: g['km'].sum())",
            "t.apply(lambda r: r['km'], axis=1)",
            "t.apply(lambda r: r['miles'])",
        ] {
            assert_eq!(
                repaired(&[line], &key_error(&[line], 1, "'km'")),
                "",
                "{line}"
            );
        }
    }
}
