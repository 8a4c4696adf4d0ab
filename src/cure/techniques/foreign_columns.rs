//! Columns of a different table: one that `merge` renamed, or one of the table whose columns a loop iterates over.

use crate::case::Case;
use crate::code::argument;
use crate::edit::Change;
use crate::find::{callee, look, loops_around, name, one_line, receiver, said, text_of, Spot};
use crate::keys::{missing_keys, strings_of};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, ExprSubscript, StmtFor};
use nbmedic_python::{each_below, keyword, positional, Cell};

/// Maximum number of steps to follow a table back.
const MAX_STEPS: usize = 8;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "KeyError" {
        return;
    }
    let keys = missing_keys(case.class(), case.message());
    let ([key], Some(spot)) = (&keys[..], case.spot()) else {
        return;
    };
    out.extend(merged(case, &spot, key).or_else(|| looped(case, &spot, key)));
}

/// `full["price"]`, where both tables that `merge` joined had a `price`.
fn merged(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let found: Vec<(&ExprSubscript, &str)> = spot
        .exprs
        .iter()
        .filter_map(|e| {
            let s = e.as_subscript_expr()?;
            let has = strings_of(&s.slice).iter().any(|(t, _)| *t == key);
            Some((s, name(&s.value)?)).filter(|_| has)
        })
        .collect();
    let table = found.first()?.1;
    let (cell, call) = merge_of(case, table)?;
    let python = case.python(cell)?;
    let (left, right) = sides(case, call)?;
    let on = ["on", "left_on", "right_on"];
    let joins = on.iter().filter_map(|k| keyword(call, k));
    let mut joins = joins.flat_map(|k| strings_of(&k.value));
    if joins.any(|(t, _)| t == key) {
        return None;
    }
    let ends = keyword(call, "suffixes").map(|k| match &k.value {
        Expr::Tuple(t) => t.elts.iter().map(text_of).collect::<Option<Vec<&str>>>(),
        Expr::List(l) => l.elts.iter().map(text_of).collect(),
        _ => None,
    });
    let ends = match ends {
        None => vec!["_x", "_y"],
        Some(given) => given?,
    };
    let [first, second] = ends[..] else {
        return None;
    };
    let names = [format!("{key}{first}"), format!("{key}{second}")];
    let seen = case.seen_value(table).map(|v| &v.columns);
    let has = |n: &str| seen.is_some_and(|c| c.iter().any(|(c, _)| c == n));
    let keys = case.keys_before();
    let of = |side: &Expr| {
        let owner = name(side);
        let used = keys
            .iter()
            .any(|k| k.name == key && k.owner.as_deref() == owner);
        owner.is_some() && used
    };
    let sure = names.iter().all(|n| has(n)) || of(left) && of(right);
    let at = case.position(cell);
    let (l, r) = (one_line(python.slice(left)), one_line(python.slice(right)));
    let why = format!("Both tables that cell {at} joins have a column `{key}`, so `merge` calls them `{}` (of `{l}`) and `{}` (of `{r}`).", names[0], names[1]);
    if !sure {
        let one = of(left) || of(right);
        return (one && seen.is_none()).then(|| {
            look(
                "merged-names",
                format!("Use `{}` or `{}` if both tables had `{key}`", names[0], names[1]),
                format!("`{table}` was joined in cell {at} from `{l}` and `{r}`: of a column that both have, `merge` makes these two."),
            )
        });
    }
    let changes = found.iter().flat_map(|(s, _)| strings_of(&s.slice));
    let changes = changes
        .filter(|(t, _)| *t == key)
        .map(|(_, range)| {
            Change::replace(spot.cell, range, requoted(spot.python, range, &names[0]))
        })
        .collect();
    case.edits(
        said(
            "merged-names",
            Basis::Assumed,
            format!("Replace `{key}` by `{}`", names[0]),
            format!("{why} Choose one of the two."),
        ),
        changes,
    )
}

/// A string with the quotes used at a place.
fn requoted(python: &Cell, range: nbmedic_python::TextRange, text: &str) -> String {
    let mark = python.slice(range).chars().next_back().unwrap_or('"');
    format!("{mark}{text}{mark}")
}

/// The `merge` call that created a table.
fn merge_of<'c>(case: &'c Case<'_>, table: &str) -> Option<(usize, &'c ExprCall)> {
    let (cell, value) = case.value(table)?;
    let mut at = value;
    for _ in 0..MAX_STEPS {
        let call = match at {
            Expr::Call(c) => c,
            Expr::Subscript(s) => {
                at = &s.value;
                continue;
            }
            _ => return None,
        };
        if callee(call) == Some("merge") {
            return Some((cell, call));
        }
        at = receiver(call)?;
    }
    None
}

/// The two tables of a `merge`.
fn sides<'c>(case: &Case<'_>, call: &'c ExprCall) -> Option<(&'c Expr, &'c Expr)> {
    let module = receiver(call)
        .and_then(name)
        .and_then(|n| case.module_of(n));
    if module.as_deref() == Some("pandas") {
        let side = |at, n| argument(call, at, n);
        return Some((side(0, "left")?, side(1, "right")?));
    }
    Some((receiver(call)?, argument(call, 0, "right")?))
}

/// `for c in a.columns: b[c]`, where `b` lacks some columns of `a`.
fn looped(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let stmt = spot.stmt?;
    let loops = loops_around(spot.python, stmt);
    let uses: Vec<(&Expr, &str, &str)> = spot
        .exprs
        .iter()
        .filter_map(|e| {
            let s = e.as_subscript_expr()?;
            Some((&*s.value, name(&s.value)?, name(&s.slice)?))
        })
        .collect();
    for around in loops.iter().rev() {
        let variable = name(&around.target).or_else(|| match &*around.target {
            // `for i, c in enumerate(a.columns)`.
            Expr::Tuple(t) => t.elts.last().and_then(name),
            _ => None,
        })?;
        let Some((columns, owner)) = columns_of(case, &around.iter) else {
            continue;
        };
        let mut used = uses.iter().filter(|(_, _, v)| *v == variable);
        let Some((table, called, _)) = used.find(|(_, t, _)| *t != owner) else {
            continue;
        };
        if let Some(cure) = from_extended(case, spot, called, owner, key) {
            return Some(cure);
        }
        return own_columns(case, spot, around, columns, table, owner, key);
    }
    None
}

/// The table whose columns an expression iterates over, and the expression for them in the loop:
/// `a.columns`, `list(a.columns)`, `enumerate(a.columns.values)`, or a name assigned from one of
/// these.
fn columns_of<'c>(case: &'c Case<'_>, iter: &'c Expr) -> Option<(&'c Expr, &'c str)> {
    let owner = |e: &'c Expr| {
        let mut at = e;
        for _ in 0..MAX_STEPS {
            at = match at {
                Expr::Attribute(a) if a.attr.as_str() == "columns" => return base(&a.value),
                Expr::Attribute(a) => &a.value,
                Expr::Call(c) => match receiver(c) {
                    Some(on) => on,
                    None => positional(c, 0)?,
                },
                _ => return None,
            };
        }
        None
    };
    if let Some(found) = owner(iter) {
        return Some((iter, found));
    }
    let (_, value) = case.value(name(iter)?)?;
    Some((iter, owner(value)?))
}

/// The table was selected from one that received the column later, in a copy: `t = df[df.x > 0]`,
/// `data = df.copy()`.
fn from_extended(
    case: &Case<'_>,
    spot: &Spot<'_>,
    table: &str,
    owner: &str,
    key: &str,
) -> Option<Cure> {
    let made = case.keys_before().into_iter();
    let mut made = made.chain(case.keys_in(case.at));
    if !made.any(|k| k.made && k.name == key && k.owner.as_deref() == Some(owner)) {
        return None;
    }
    let (_, copied) = case.value(owner)?;
    let call = copied.as_call_expr()?;
    let base = (callee(call) == Some("copy")).then(|| receiver(call))?;
    let base = base.and_then(name)?;
    // All tables in the failing cell that were selected from it.
    let names = spot.python.names();
    let cut = names.binds.iter().filter(|b| b.function.is_none());
    let mut changes = Vec::new();
    let mut of_table = false;
    for b in cut {
        let Some(value) = b.value.filter(|_| b.name != base && b.name != owner) else {
            continue;
        };
        if !matches!(value, Expr::Subscript(_)) || root(value) != Some(base) {
            continue;
        }
        of_table |= b.name == table;
        each_below(value, &mut |e| {
            if name(e) == Some(base) {
                changes.push(Change::replace(spot.cell, e, owner));
            }
        });
    }
    of_table.then_some(())?;
    case.edits(
        said(
            "extended-copy",
            Basis::Assumed,
            format!("Cut `{table}` from `{owner}` instead of `{base}`"),
            format!("`{owner}` is a copy of `{base}` that got `{key}` later; `{base}` has no such column."),
        ),
        changes,
    )
}

/// The variable at the start of a chain of methods and subscripts: `df` in
/// `df.select_dtypes("number")`.
fn base(expr: &Expr) -> Option<&str> {
    let mut at = expr;
    for _ in 0..MAX_STEPS {
        at = match at {
            Expr::Call(c) => receiver(c)?,
            other => return root(other),
        };
    }
    None
}

/// The variable at the start of a chain of subscripts and attributes.
fn root(expr: &Expr) -> Option<&str> {
    let mut at = expr;
    for _ in 0..MAX_STEPS {
        at = match at {
            Expr::Subscript(s) => &s.value,
            Expr::Attribute(a) => &a.value,
            other => return name(other),
        };
    }
    None
}

/// Iterates only over the columns that the other table has too.
fn own_columns(
    case: &Case<'_>,
    spot: &Spot<'_>,
    around: &StmtFor,
    columns: &Expr,
    table: &Expr,
    owner: &str,
    key: &str,
) -> Option<Cure> {
    let plain = matches!(&*around.target, Expr::Name(_));
    let variable = name(&around.target)?;
    (plain && case.kind(spot.cell, table) == Kind::Frame).then_some(())?;
    let table = name(table)?;
    let text = spot.python.slice(columns);
    let filtered =
        format!("[{variable} for {variable} in {text} if {variable} in {table}.columns]");
    case.edits(
        said(
            "columns-of-both",
            Basis::Assumed,
            format!("Go only through the columns that `{table}` has too"),
            format!("The loop takes each column of `{owner}`, and `{table}` has no `{key}`: it is left out."),
        ),
        vec![Change::replace(spot.cell, columns, filtered)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, key_error, repaired, with_values};

    #[test]
    fn a_column_of_both_tables_has_the_names_that_merge_gives() {
        let cells = [
            "shops = pd.read_csv('a.csv')[['id', 'city']]\nsales = sales[['id', 'city', 'n']]\nshops = shops[['id', 'city']]",
            "both = sales.merge(shops, on='id')",
            "both.groupby('n').mean()\nboth['city'].nunique()",
        ];
        let error = key_error(&cells, 2, "'city'");
        assert!(repaired(&cells, &error).ends_with("both['city_x'].nunique()"));
        let why = &cures_of(&cells, &error)[0].why;
        assert!(why.contains("`city_y` (of `shops`)"), "{why}");
        let cells = [
            "both = pd.merge(a, b, on='id', suffixes=('_old', '_new'))",
            "both['city'].nunique()",
        ];
        let error = key_error(&cells, 1, "'city'");
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "merged-names"));
        let seen = r#"[[1,"<module>",[["both",{"t":"DataFrame","s":[9,3],"c":["id","city_old","city_new"],"ct":["a","b","b"]}]]]]"#;
        let cures = cures_of(&cells, &with_values(&error, seen));
        assert!(cures.iter().any(|c| c.id == "merged-names"), "{cures:?}");
    }

    #[test]
    fn a_table_cut_from_one_whose_copy_has_the_column() {
        let cells = [
            "df = pd.read_csv('a.csv')\ndata = df.copy()\ndata['hour'] = data['t'] // 3600",
            "good = df.loc[df['y'] == 0]\nbad = df[df['y'] == 1]\nfor c in data.columns.values:\n    plot(good[c], bad[c])",
        ];
        let error = key_error(&cells, 4, "'hour'");
        assert_eq!(
            repaired(&cells, &error),
            "good = data.loc[data['y'] == 0]\nbad = data[data['y'] == 1]\nfor c in data.columns.values:\n    plot(good[c], bad[c])"
        );
    }

    #[test]
    fn a_loop_over_another_tables_columns_leaves_out_what_is_missing() {
        let cells = [
            "train = pd.read_csv('a.csv')\ntest = pd.read_csv('b.csv')\nmaps = {}",
            "for col in train.columns:\n    test[col] = test[col].fillna(0)",
        ];
        let error = key_error(&cells, 2, "'price'");
        assert_eq!(
            repaired(&cells, &error),
            "for col in [col for col in train.columns if col in test.columns]:\n    test[col] = test[col].fillna(0)"
        );
        let numbers = "nums = train.select_dtypes('number').columns\nfor col in nums:\n    test[col] = test[col] * 2";
        let cells = [cells[0], numbers];
        let error = key_error(&cells, 3, "'price'");
        assert!(repaired(&cells, &error)
            .contains("for col in [col for col in nums if col in test.columns]:"));
        let cells = [
            cells[0],
            "for col in train.columns:\n    maps[col].fit(train[col])",
        ];
        let error = key_error(&cells, 2, "'price'");
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "columns-of-both"));
    }
}
