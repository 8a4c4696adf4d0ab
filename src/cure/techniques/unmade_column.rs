//! Columns that the table no longer has, or that no cell creates.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, name, receiver, said, statement_of, Spot};
use crate::keys::{missing_keys, strings_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, ExprSubscript};
use nbmedic_python::{each_below, keyword, Ranged};

/// Methods that aggregate each group to one value.
const AGGREGATES: &[&str] = &[
    "mean",
    "sum",
    "count",
    "max",
    "min",
    "median",
    "std",
    "var",
    "size",
    "first",
    "last",
    "nunique",
    "agg",
    "aggregate",
];

/// Maximum number of columns listed.
const MAX_LISTED: usize = 8;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "KeyError" {
        return;
    }
    let keys = missing_keys(case.class(), case.message());
    let [key] = &keys[..] else { return };
    let frames = case.error().frames.iter();
    let library = frames.clone().any(|f| f.file.contains("pandas"));
    // Without library frames, the indexed object is unknown.
    if !library {
        return;
    }
    let Some(spot) = case.spot() else { return };
    let found = spot.exprs.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        let has = strings_of(&s.slice).iter().any(|(t, _)| t == key);
        has.then_some(s)
    });
    out.extend(
        found
            .and_then(|s| grouped(case, &spot, s, key))
            .or_else(|| dummies(case, key))
            .or_else(|| unmade(case, &spot, found, key)),
    );
}

/// The calls of a chain, outermost first: `df.groupby(…)[…].mean()`.
fn chain(expr: &Expr) -> Vec<&Expr> {
    let mut out = vec![expr];
    let mut at = expr;
    while let Some(next) = match at {
        Expr::Call(c) => receiver(c),
        Expr::Subscript(s) => Some(&*s.value),
        Expr::Attribute(a) => Some(&*a.value),
        _ => None,
    } {
        out.push(next);
        at = next;
        if out.len() > 20 {
            break;
        }
    }
    out
}

/// `groupby` on a single column results in that column, not in a table.
fn grouped(case: &Case<'_>, spot: &Spot<'_>, found: &ExprSubscript, key: &str) -> Option<Cure> {
    let variable = name(&found.value)?;
    let (_, value) = case.value(variable)?;
    let links = chain(value);
    let by = links
        .iter()
        .filter_map(|e| e.as_call_expr())
        .find(|c| callee(c) == Some("groupby"))?;
    let outer = links
        .iter()
        .filter_map(|e| e.as_call_expr())
        .map(|c| callee(c).unwrap_or(""))
        .collect::<Vec<_>>();
    if outer
        .iter()
        .any(|c| matches!(*c, "reset_index" | "to_frame" | "unstack"))
        || keyword(by, "as_index").is_some()
    {
        return None;
    }
    let ends = value
        .as_call_expr()
        .and_then(callee)
        .is_some_and(|c| AGGREGATES.contains(&c));
    if !ends {
        return None;
    }
    // `df.groupby("city")["price"].mean()` is that column already.
    let selected = links.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        strings_of(&s.slice)
            .iter()
            .any(|(t, _)| *t == key)
            .then_some(s)
    })?;
    if !selected.slice.is_string_literal_expr() {
        return None;
    }
    case.edits(
        said(
            "is-the-column",
            Basis::Assumed,
            format!("Replace `{}` by `{variable}`", spot.text(found)),
            format!("`{variable}` is a single column: `{key}` for each group. Its labels are the groups."),
        ),
        vec![Change::replace(spot.cell, found, variable)],
    )
}

/// `pd.get_dummies(df, columns=["city"])` replaces it by other columns.
fn dummies(case: &Case<'_>, key: &str) -> Option<Cure> {
    for cell in case.book.before(case.at).into_iter().rev().chain([case.at]) {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let is = |c: &&ExprCall| {
            let columns = keyword(c, "columns").map(|k| &k.value);
            callee(c) == Some("get_dummies")
                && columns.is_some_and(|c| strings_of(c).iter().any(|(t, _)| *t == key))
        };
        let Some(call) = nbmedic_python::calls(python.body()).into_iter().find(is) else {
            continue;
        };
        let at = case.position(cell);
        let line = python.line_of(statement_of(python, call.arguments.range)?.range().start());
        return Some(look(
            "dummies-instead",
            format!("Use the columns `{key}_…`, or read `{key}` before cell {at}"),
            format!("Line {line} of cell {at} replaced `{key}` by one column for each of its values: `get_dummies` names them `{key}_` and the value."),
        ));
    }
    None
}

/// No cell creates it: says what is known about the table.
fn unmade(
    case: &Case<'_>,
    spot: &Spot<'_>,
    found: Option<&ExprSubscript>,
    key: &str,
) -> Option<Cure> {
    let holder = found
        .and_then(|s| name(&s.value))
        .map(str::to_owned)
        .or_else(|| {
            let on = spot.exprs.iter().filter_map(|e| e.as_call_expr());
            let mut named = None;
            for call in on {
                let has = call
                    .arguments
                    .args
                    .iter()
                    .chain(call.arguments.keywords.iter().map(|k| &k.value));
                if has.flat_map(|a| strings_of(a)).any(|(t, _)| t == key) {
                    named = receiver(call)
                        .map(chain)
                        .and_then(|c| c.last().and_then(|e| name(e)).map(str::to_owned));
                }
            }
            named
        });
    // `pd.merge(…, on=…)`: the table is another argument.
    let holder = holder.filter(|h| case.module_of(h).is_none())?;
    if case.keys_before().iter().any(|k| k.made && k.name == *key) {
        return None;
    }
    let mut known: Vec<String> = Vec::new();
    for k in case.keys_before() {
        let of = k.owner.as_deref() == Some(holder.as_str());
        if of && k.name != *key && !known.contains(&k.name) && known.len() < MAX_LISTED {
            known.push(k.name.clone());
        }
    }
    let list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
    let known = match list.len() {
        0 => String::new(),
        _ => format!(
            " Columns of `{holder}` that cells above use: {}.",
            list.join(", ")
        ),
    };
    let read = case.value(&holder).and_then(|(cell, v)| {
        let mut path = None;
        each_below(v, &mut |e| {
            if let Expr::Call(c) = e {
                if callee(c).is_some_and(|n| n.starts_with("read_")) {
                    path = Some(c);
                }
            }
        });
        let call = path?;
        let python = case.python(cell)?;
        Some(format!(
            " `{holder}` is read in cell {}: `{}`.",
            case.position(cell),
            crate::find::one_line(python.slice(call))
        ))
    });
    Some(Cure {
        code: format!("print({holder}.columns.tolist())"),
        language: "python".into(),
        ..look(
            "column-not-made",
            format!("Give the name that `{holder}` really has for `{key}`"),
            format!(
                "`{holder}` has no column `{key}`, and no cell that ran makes one.{known}{}",
                read.unwrap_or_default()
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::cures_of;

    const SETUP: &str = "import pandas as pd\nshop = pd.read_csv('a.csv')\nshop['size'].hist()";

    fn of(cells: &[&str], key: &str) -> nbmedic_facts::Cure {
        let last = cells[cells.len() - 1];
        let n = cells.len();
        let error = format!(
            "{}\nKeyError                                  Traceback (most recent call last)\nCell In[{n}], line 1\n----> 1 {last}\n\nFile /usr/lib/python3/site-packages/pandas/core/frame.py:4102, in DataFrame.__getitem__(self, key)\n-> 4102 indexer = self.columns.get_loc(key)\n\nKeyError: '{key}'\n",
            "-".repeat(75)
        );
        cures_of(cells, &error)
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    #[test]
    fn one_column_of_groups_is_that_column() {
        let by = "g = shop.groupby('city')['price'].mean()";
        let cures = of(&[SETUP, by, "print(g['price'])"], "price");
        assert_eq!(cures.code, "print(g)");
    }

    #[test]
    fn a_column_became_dummies() {
        let make = "shop = pd.get_dummies(shop, columns=['city'])";
        let cures = of(&[SETUP, make, "shop['city'].head()"], "city");
        assert_eq!(
            cures.title,
            "Use the columns `city_…`, or read `city` before cell 2"
        );
    }

    #[test]
    fn what_no_cell_makes_is_said_with_what_is_known() {
        let cures = of(&[SETUP, "shop['turnover'].head()"], "turnover");
        assert_eq!(
            cures.title,
            "Give the name that `shop` really has for `turnover`"
        );
        assert!(
            cures.why.contains("use: `size`. `shop` is read in cell 1"),
            "{}",
            cures.why
        );
    }
}
