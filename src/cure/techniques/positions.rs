//! Rows by position: `df.iloc`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprSubscript};
use nbmedic_python::{each_expr, BindKind, Ranged, TextRange};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    let library = case
        .error()
        .frames
        .iter()
        .any(|f| f.file.contains("pandas"));
    let cure = match case.class() {
        // `X[:, 0]` on a table.
        "TypeError" | "InvalidIndexError"
            if message.contains("(slice(") || message.contains("unhashable type: 'slice'") =>
        {
            sliced(case, &spot)
        }
        "KeyError" => {
            let number = message.trim().trim_matches('\'').parse::<i64>().is_ok();
            let many = message.contains("None of [")
                && message.contains("Index([")
                && message.contains("int64")
                && pandas::NONE_OF_COLUMNS.is_in(message);
            if many || number && library {
                columns(case, &spot)
                    .filter(|_| many)
                    .or_else(|| rows(case, &spot, many))
            } else {
                None
            }
        }
        _ => None,
    };
    out.extend(cure);
}

fn sliced(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let is = |s: &ExprSubscript| {
        let tuple = s.slice.as_tuple_expr();
        tuple.is_some_and(|t| t.elts.iter().any(Expr::is_slice_expr))
            && (s.value.is_name_expr() || s.value.is_attribute_expr())
    };
    let first = spot
        .exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .find(|s| is(s))?;
    let table = spot.text(&*first.value);
    let mut changes = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        if let Some(s) = e
            .as_subscript_expr()
            .filter(|s| is(s) && spot.text(&*s.value) == table)
        {
            changes.push(spot.editor().append(&*s.value, ".iloc"));
        }
    });
    let text = spot.text(&*first.slice);
    case.edits(
        said(
            "rows-by-position",
            Basis::Library,
            format!("Write `{table}.iloc[{text}]`"),
            format!(
                "`{table}` is a table: rows and columns by their position are taken with `iloc`."
            ),
        ),
        changes,
    )
}

/// `df.loc[rows, [0, 2]]`: columns by position.
fn columns(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let numbers = |e: &Expr| {
        e.as_list_expr()
            .is_some_and(|l| !l.elts.is_empty() && l.elts.iter().all(Expr::is_number_literal_expr))
    };
    let (loc, slice) = spot.exprs.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        let loc = s.value.as_attribute_expr()?;
        let [_, columns] = &s.slice.as_tuple_expr()?.elts[..] else {
            return None;
        };
        (loc.attr.as_str() == "loc" && numbers(columns)).then_some((loc, &*s.slice))
    })?;
    let table = spot.text(&*loc.value);
    case.edits(
        said(
            "columns-by-position",
            Basis::Assumed,
            format!("Write `{table}.iloc[{}]`", spot.text(slice)),
            "The columns have other names: `loc` looks for names, `iloc` counts from 0.",
        ),
        vec![Change::replace(spot.cell, &loc.attr, "iloc")],
    )
}

/// Whether an expression can be a row's position.
fn position(e: &Expr) -> bool {
    matches!(e, Expr::Name(_) | Expr::NumberLiteral(_) | Expr::BinOp(_))
}

fn rows(case: &Case<'_>, spot: &Spot<'_>, many: bool) -> Option<Cure> {
    let is = |s: &ExprSubscript| {
        let name = s.value.as_name_expr();
        let dict = name
            .and_then(|n| case.value(n.id.as_str()))
            .is_some_and(|(_, v)| v.is_dict_expr());
        // A list of labels can't come from a single number.
        position(&s.slice)
            && !(many && s.slice.is_number_literal_expr())
            && !dict
            && (name.is_some() || s.value.is_attribute_expr() || s.value.is_subscript_expr())
    };
    let subscripts: Vec<&ExprSubscript> = spot
        .exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .filter(|s| is(s) && s.ctx.is_load())
        .collect();
    let first = subscripts.first()?;
    // If the message has a single number, only one place can be meant.
    if !many
        && subscripts.len() > 1
        && !subscripts
            .iter()
            .all(|s| spot.text(&*s.slice) == spot.text(&*first.slice))
    {
        return None;
    }
    let indexes: Vec<&str> = subscripts.iter().map(|s| spot.text(&*s.slice)).collect();
    let mut changes = Vec::new();
    let mut done: Vec<TextRange> = Vec::new();
    // A fold selects rows from several tables on several lines.
    let each = |s: &ExprSubscript, changes: &mut Vec<Change>, done: &mut Vec<TextRange>| {
        if done.contains(&s.range()) {
            return;
        }
        done.push(s.range());
        match &*s.value {
            Expr::Attribute(a) if a.attr.as_str() == "loc" => {
                changes.push(Change::replace(spot.cell, &a.attr, "iloc"));
            }
            other => changes.push(spot.editor().append(other, ".iloc")),
        }
    };
    for s in &subscripts {
        each(s, &mut changes, &mut done);
    }
    if many {
        let folds: Vec<&str> = indexes.clone();
        let loops = |name: &str| {
            let names = spot.python.names();
            let found = names
                .binds
                .iter()
                .any(|b| b.kind == BindKind::Loop && b.name == name);
            found
        };
        // The other half of a split is indexed in the same way.
        let fold = folds.iter().any(|n| loops(n));
        each_expr(spot.python.body(), &mut |e| {
            let Some(s) = e
                .as_subscript_expr()
                .filter(|s| s.ctx.is_load() && fold && s.value.is_name_expr())
            else {
                return;
            };
            let index = s.slice.as_name_expr().map(|n| n.id.as_str());
            let Some(index) = index else { return };
            let same_loop = loops(index)
                && (index.contains("id")
                    || index.contains("train")
                    || index.contains("val")
                    || index.contains("test"));
            if folds.contains(&index) || same_loop {
                each(s, &mut changes, &mut done);
            }
        });
    }
    let (table, index) = (spot.text(&*first.value), spot.text(&*first.slice));
    let table = table.strip_suffix(".loc").unwrap_or(table);
    let why = if many {
        format!("`{index}` holds positions of rows; `{table}[…]` looks for columns of these names.")
    } else {
        format!("`{table}[{index}]` looks for the label, and rows keep the labels that they had before they were split or filtered. `iloc` counts from 0.")
    };
    case.edits(
        said(
            "rows-by-position",
            if many { Basis::Library } else { Basis::Assumed },
            format!("Write `{table}.iloc[{index}]`"),
            why,
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    #[test]
    fn columns_by_position_are_taken_with_iloc() {
        let message = "\"None of [Index([0, 2], dtype='int64')] are in the [columns]\"";
        let code = "part = tables[1].loc[3:, [0, 2]]";
        let e = ipython("KeyError", &[(2, 1, code)], message);
        assert_eq!(
            repaired(&["tables = pages()", code], &e),
            "part = tables[1].iloc[3:, [0, 2]]"
        );
    }

    #[test]
    fn positions_are_taken_with_iloc() {
        let e = ipython(
            "InvalidIndexError",
            &[(2, 1, "a = X[:, 0]")],
            "(slice(None, None, None), 0)",
        );
        assert_eq!(
            repaired(&["X = load()", "a = X[:, 0]\nb = X[:, 1]"], &e),
            "a = X.iloc[:, 0]\nb = X.iloc[:, 1]"
        );
        let pandas = "Cell In[2], line 1\n----> 1 y = t[0]\n\nFile /lib/python3.11/site-packages/pandas/core/series.py:1121, in Series.__getitem__(self, key)\n   1120 \n-> 1121 return self._get_value(key)\n\n";
        let e = format!(
            "{}\nKeyError   Traceback (most recent call last)\n{pandas}KeyError: 0\n",
            "-".repeat(75)
        );
        assert_eq!(repaired(&["t = load()", "y = t[0]"], &e), "y = t.iloc[0]");
        assert_eq!(
            repaired(
                &["t = load()", "y = t.loc[0]"],
                &e.replace("t[0]", "t.loc[0]")
            ),
            "y = t.iloc[0]"
        );
        let cell = "for train_idx, val_idx in kf.split(X):\n    a, b = X[train_idx], y[train_idx]\n    c = X[val_idx]";
        let e = ipython(
            "KeyError",
            &[(2, 2, "    a, b = X[train_idx], y[train_idx]")],
            "\"None of [Index([0, 1,\\n 2],\\n dtype='int64', length=9)] are in the [columns]\"",
        );
        assert_eq!(
            repaired(&["X = load()", cell], &e),
            "for train_idx, val_idx in kf.split(X):\n    a, b = X.iloc[train_idx], y.iloc[train_idx]\n    c = X.iloc[val_idx]"
        );
    }
}
