//! Positions used as labels: `X[train_index]` on a table, `y[0]` after rows were dropped.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, name, only, said, text_of, Spot};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprContext, ExprSubscript, Stmt, StmtFor};
use nbmedic_python::{each_below, each_expr, each_stmt, Cell, Ranged, TextRange};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if case.class() == "KeyError" {
        let of_labels = (pandas::NONE_OF_COLUMNS.is_in(message)
            || pandas::NONE_OF_ROWS.is_in(message))
            && (message.contains("Index([") || message.contains("Int64Index"))
            || pandas::NOT_IN_INDEX.is_in(message)
            || pandas::MISSING_LABELS.is_in(message);
        // Quoted labels are column names.
        let numbers = message.split_once('[').is_some_and(|(_, rest)| {
            let rest = rest.trim_start_matches(|c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '(' | '[' | ' ')
            });
            !rest.starts_with(['\'', '"'])
        });
        if of_labels && (numbers || message.contains("dtype='int64'")) {
            out.extend(folds(case));
        } else if message.trim().parse::<i64>().is_ok() {
            out.extend(super::numbered::cure(case).or_else(|| label(case)));
        }
    }
}

/// Whether a loop iterates over cross-validation splits.
fn splits(f: &StmtFor) -> bool {
    let mut found = false;
    each_below(&f.iter, &mut |e| {
        found |= e.as_call_expr().is_some_and(|c| callee(c) == Some("split"));
    });
    found
}

fn target_names<'c>(e: &'c Expr, out: &mut Vec<&'c str>) {
    match e {
        Expr::Name(n) => out.push(n.id.as_str()),
        Expr::Tuple(t) => t.elts.iter().for_each(|e| target_names(e, out)),
        _ => {}
    }
}

fn is_table(case: &Case<'_>, cell: usize, base: &Expr) -> bool {
    matches!(
        base,
        Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_)
    ) && !matches!(case.kind(cell, base), Kind::Array | Kind::List | Kind::Dict)
        && !base
            .as_attribute_expr()
            .is_some_and(|a| matches!(a.attr.as_str(), "iloc" | "loc" | "values"))
}

/// `X[train_index]` in a loop over `kfold.split(X)`: `X.iloc[train_index]`.
fn folds(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let python = spot.python;
    let at = spot.exprs.first()?.range();
    let mut around: Option<&StmtFor> = None;
    each_stmt(python.body(), &mut |s| {
        if let Stmt::For(f) = s {
            let holds = match spot.stmt {
                Some(_) => f.body.iter().any(|b| b.range().contains_range(at)),
                None => true,
            };
            if holds && splits(f) {
                around = Some(f);
            }
        }
    });
    let Some(f) = around else {
        return one_place(case, &spot);
    };
    let mut indexes = Vec::new();
    target_names(&f.target, &mut indexes);
    let mut places: Vec<&ExprSubscript> = Vec::new();
    each_expr(&f.body, &mut |e| {
        if let Expr::Subscript(s) = e {
            if name(&s.slice).is_some_and(|n| indexes.contains(&n))
                && is_table(case, spot.cell, &s.value)
            {
                places.push(s);
            }
        }
    });
    if places.is_empty() {
        return None;
    }
    let mut changes: Vec<Change> = places
        .iter()
        .map(|s| Change::after(spot.cell, &*s.value, ".iloc"))
        .collect();
    let bases: Vec<&str> = places.iter().filter_map(|s| name(&s.value)).collect();
    let renamed = overwritten(f, &bases);
    let free = |n: &str| case.last_set(n).is_none();
    let mut why = "The indexes of a fold are positions, and `[…]` on a DataFrame looks for columns of that name.".to_owned();
    if !renamed.is_empty() && renamed.iter().all(|n| free(&format!("{n}_fold"))) {
        changes.extend(renames(spot.cell, f, &renamed, &places));
        why += " The loop also overwrites the tables that the next fold is cut from: the parts get names of their own.";
    }
    let list: Vec<String> = {
        let mut list: Vec<&str> = Vec::new();
        for b in &bases {
            if !list.contains(b) {
                list.push(b);
            }
        }
        list.iter().map(|b| format!("`{b}`")).collect()
    };
    case.edits(
        said(
            "positions",
            Basis::Source,
            format!("Take rows by position: `.iloc[…]` on {}", list.join(", ")),
            why,
        ),
        changes,
    )
}

/// Tables that the loop both indexes and assigns.
fn overwritten<'c>(f: &'c StmtFor, bases: &[&'c str]) -> Vec<&'c str> {
    let mut out: Vec<&str> = Vec::new();
    each_expr(&f.body, &mut |e| {
        if let Expr::Name(n) = e {
            let name = n.id.as_str();
            if matches!(n.ctx, ExprContext::Store) && bases.contains(&name) && !out.contains(&name)
            {
                out.push(name);
            }
        }
    });
    out
}

/// Renames a fold's parts in the loop body, except where the tables are indexed.
fn renames(cell: usize, f: &StmtFor, names: &[&str], cuts: &[&ExprSubscript]) -> Vec<Change> {
    let mut out = Vec::new();
    let cut: Vec<TextRange> = cuts.iter().map(|s| s.value.range()).collect();
    each_expr(&f.body, &mut |e| {
        if let Expr::Name(n) = e {
            if names.contains(&n.id.as_str()) && !cut.contains(&n.range) {
                out.push(Change::after(cell, n, "_fold"));
            }
        }
    });
    out
}

/// Outside of such a loop: a table indexed by a name that contains positions.
fn one_place(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let positions = |n: &str| {
        let value = case.value(n).map(|(_, v)| v);
        value.and_then(Expr::as_call_expr).is_some_and(|c| {
            matches!(
                callee(c),
                Some(
                    "arange"
                        | "permutation"
                        | "choice"
                        | "randint"
                        | "argsort"
                        | "range"
                        | "sample"
                        | "flatnonzero"
                )
            )
        }) || ["idx", "index", "indices", "indexes", "ind"]
            .iter()
            .any(|w| {
                n == *w || n.ends_with(&format!("_{w}")) || n.ends_with(w) && n.len() > w.len() + 2
            })
    };
    let s = only(spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        (positions(name(&s.slice)?) && is_table(case, spot.cell, &s.value)).then_some(s)
    }))?;
    let (base, index) = (spot.python.slice(&*s.value), spot.python.slice(&*s.slice));
    case.edits(
        said(
            "positions",
            Basis::Assumed,
            format!("Replace `{base}[{index}]` by `{base}.iloc[{index}]`"),
            format!("`{index}` holds positions of rows, and `[…]` on a table looks for labels."),
        ),
        vec![Change::after(spot.cell, &*s.value, ".iloc")],
    )
}

/// A row label that no longer exists: `y[0]`, `df.loc[0]`, `df["a"][i]` in a loop over
/// `range(len(df))`.
fn label(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let wanted: i64 = case.message().trim().parse().ok()?;
    let fits = |slice: &Expr| {
        int_of(slice) == Some(wanted) || name(slice).is_some_and(|n| counts(spot.python, n))
    };
    let s = only(spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        fits(&s.slice).then_some(s)
    }))?;
    if !matches!(s.ctx, ExprContext::Load) {
        return None;
    }
    let index = spot.python.slice(&*s.slice);
    let whole = spot.python.slice(s);
    let why = "After rows were left out, or another index was set, labels are no longer the positions 0, 1, 2, ….";
    if let Expr::Attribute(a) = &*s.value {
        if a.attr.as_str() == "loc" {
            let base = spot.python.slice(&*a.value);
            return case.edits(
                said(
                    "positions",
                    Basis::Assumed,
                    format!("Replace `{whole}` by `{base}.iloc[{index}]`"),
                    format!("{why} The choice: the row at that place, not the row of that label."),
                ),
                vec![Change::replace(spot.cell, &a.attr, "iloc")],
            );
        }
    }
    // A column, or a name that is a Series: of a DataFrame `[0]` would be a column.
    let series = match &*s.value {
        Expr::Subscript(inner) => text_of(&inner.slice).is_some(),
        other => case.kind(spot.cell, other) == Kind::Series,
    };
    series.then_some(())?;
    let base = spot.python.slice(&*s.value);
    case.edits(
        said(
            "positions",
            Basis::Assumed,
            format!("Replace `{whole}` by `{base}.iloc[{index}]`"),
            why.to_owned(),
        ),
        vec![Change::after(spot.cell, &*s.value, ".iloc")],
    )
}

/// Whether a name is a loop's counter.
fn counts(python: &Cell, n: &str) -> bool {
    let mut found = false;
    each_stmt(python.body(), &mut |s| {
        if let Stmt::For(f) = s {
            found |= name(&f.target) == Some(n)
                && f.iter
                    .as_call_expr()
                    .is_some_and(|c| callee(c) == Some("range"));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    fn at(cells: &[&str], line: u32, message: &str) -> String {
        let last = cells[cells.len() - 1];
        let text = last.lines().nth(line as usize - 1).unwrap_or("").trim();
        let count = i64::try_from(cells.len()).unwrap_or(0);
        repaired(cells, &ipython("KeyError", &[(count, line, text)], message))
    }

    const NONE: &str = "\"None of [Index([0, 2], dtype='int64')] are in the [columns]\"";

    #[test]
    fn folds_are_cut_by_position() {
        let setup =
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df[['a']]\ny = df['b'].values";
        let cell =
            "for a, b in kf.split(X):\n    Xa, ya = X[a], y[a]\n    Xb = X[b]\n    m.fit(Xa, ya)";
        for message in [
            NONE,
            "\"None of [Int64Index([0, 2], dtype='int64')] are in the [columns]\"",
            "'[7, 9] not in index'",
        ] {
            assert_eq!(
                at(&[setup, cell], 2, message),
                "for a, b in kf.split(X):\n    Xa, ya = X.iloc[a], y[a]\n    Xb = X.iloc[b]\n    m.fit(Xa, ya)"
            );
        }
        let cell = "for a, b in kf.split(X):\n    X = X[a]\n    V = X[b]\n    m.fit(X)";
        assert_eq!(
            at(&[setup, cell], 2, NONE),
            "for a, b in kf.split(X):\n    X_fold = X.iloc[a]\n    V = X.iloc[b]\n    m.fit(X_fold)"
        );
        let cell = "idx = np.random.permutation(len(X))\nX = X[idx]";
        assert_eq!(
            at(&[setup, cell], 2, NONE),
            "idx = np.random.permutation(len(X))\nX = X.iloc[idx]"
        );
        assert_eq!(
            at(&[setup, "X[['a', 'q']]"], 1, "\"['q'] not in index\""),
            ""
        );
    }

    #[test]
    fn a_row_that_is_gone_is_taken_by_its_place() {
        let setup = "import pandas as pd\ndf = pd.read_csv('a.csv').dropna()\ny = df['b']";
        assert_eq!(at(&[setup, "print(y[0])"], 1, "0"), "print(y.iloc[0])");
        assert_eq!(at(&[setup, "r = df.loc[0]"], 1, "0"), "r = df.iloc[0]");
        assert_eq!(
            at(
                &[setup, "for i in range(len(df)):\n    show(df['b'][i])"],
                2,
                "3"
            ),
            "for i in range(len(df)):\n    show(df['b'].iloc[i])"
        );
        assert_eq!(at(&[setup, "df['b'][0] = 4"], 1, "0"), "");
        assert_eq!(at(&[setup, "print(df[0])"], 1, "0"), "");
    }
}
