//! `df.rename({"Temp (C)": "temp"})` without `columns=`: it renames rows, so that the columns keep their names.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, receiver, said, text_of};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional};

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let Some(key) = keys.first() else { return };
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let all = calls(python.body()).into_iter();
        found.extend(all.filter_map(|c| Some((cell, c, new_names(case, cell, c, key)?))));
    }
    out.extend(
        only(found.into_iter()).and_then(|(cell, call, names)| of_columns(case, cell, call, names)),
    );
}

/// The argument of a `rename` that gives rows a name.
fn new_names<'c>(
    case: &'c Case<'_>,
    cell: usize,
    call: &'c ExprCall,
    key: &str,
) -> Option<&'c Expr> {
    let rows = callee(call) == Some("rename")
        && ["columns", "axis", "index"]
            .iter()
            .all(|k| keyword(call, k).is_none());
    let names = positional(call, 0).filter(|_| rows && call.arguments.args.len() == 1)?;
    let made = case.made(cell, names)?;
    let mut values = made.expr.as_dict_expr()?.iter_values();
    values.any(|v| text_of(v) == Some(key)).then_some(())?;
    // Polars renames columns, and a Series has none.
    let kind = case.kind_name(cell, receiver(call)?);
    matches!(&*kind, "" | "DataFrame").then_some(names)
}

fn of_columns(case: &Case<'_>, cell: usize, call: &ExprCall, names: &Expr) -> Option<Cure> {
    let python = case.python(cell)?;
    let table = python.slice(receiver(call)?);
    case.edits(
        said(
            "rename-columns",
            Basis::Library,
            format!("Rename columns: `{table}.rename(columns=…)`"),
            "Without `columns=`, `rename` looks for these names among the labels of the rows, and passes over those that it does not find.",
        ),
        vec![Change::before(cell, names, "columns=")],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn columns_are_renamed() {
        let cells = [
            "gh = pd.read_csv('a.csv')",
            "gh = gh.rename({'Temp (C)': 'temp'})",
            "es = gh['temp'] + 1",
        ];
        let error = error_at(&cells, 1, "KeyError", "'temp'");
        let all = cures_of(&cells, &error);
        assert_eq!(
            all[0].code, "gh = gh.rename(columns={'Temp (C)': 'temp'})",
            "{all:?}"
        );
        let cells = [
            cells[0],
            "gh = gh.rename(columns={'Temp (C)': 'temp'})",
            cells[2],
        ];
        let error = error_at(&cells, 1, "KeyError", "'temp'");
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "rename-columns"));
    }
}
