//! Columns and keys spelled differently from where they are created.

use super::misspelt_name::differs_by_design;
use crate::case::Case;
use crate::closest::{closest, near};
use crate::edit::{Change, Said};
use crate::find::Spot;
use crate::keys::{listed_columns, missing_keys, Key};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprStringLiteral, Keyword, Stmt};
use nbmedic_python::{each_below, each_expr, name_of, BindKind, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let Some(spot) = case.spot() else { return };
    if case.class() == "KeyError" {
        if let Some(cure) = counted(case, &spot) {
            out.push(cure);
            return;
        }
    }
    for key in missing_keys(case.class(), case.message()) {
        if let Some(cure) = misspelt(case, &spot, &key) {
            out.push(cure);
            return;
        }
    }
    let keys = missing_keys(case.class(), case.message());
    if let [key] = keys.as_slice() {
        out.extend(other_table(case, &spot, key).or_else(|| optional(case, &spot, key)));
    }
}

/// Where the failing code contains a string: in its statement or, if it comes from a variable, in
/// its cell.
pub(super) fn literals<'c>(spot: &Spot<'c>, key: &'c str) -> Vec<&'c ExprStringLiteral> {
    let here: Vec<_> = spot.strings(key).collect();
    if !here.is_empty() {
        return here;
    }
    let mut out = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        let string = e.as_string_literal_expr();
        out.extend(string.filter(|s| s.value.to_str() == key));
    });
    out
}

fn misspelt(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let mut known = case.keys_before();
    // The failing statement may also read it before it exists.
    let first = literals(spot, key).first().map(|s| s.start());
    let reads = spot.stmt.zip(first).filter(|_| spot.cell == case.at);
    if let Some((stmt, first)) = reads {
        let here = case.keys_in(spot.cell).into_iter();
        // What it is assigned to is made last.
        let value = stmt
            .as_assign_stmt()
            .map_or(stmt.range(), |a| a.value.range());
        known.extend(here.filter(|k| {
            let inside = value.contains_range(k.at) && k.at.end() <= first;
            let made = k.made && (k.at.end() <= stmt.start() || inside);
            let read = !k.made && stmt.range().contains_range(k.at) && k.at.end() <= first;
            k.name != key && (made || read)
        }));
    }
    // It exists somewhere, so it is missing here for another reason.
    if known.iter().any(|k| k.name == key) {
        return None;
    }
    let found = literals(spot, key);
    let holder = found.first().and_then(|s| holder(spot, s));
    let own: Vec<&Key> = known
        .iter()
        .filter(|k| k.owner.is_some() && k.owner == holder)
        .collect();
    let pick = |keys: &[&Key]| -> Option<String> {
        let names = keys.iter().map(|k| k.name.as_str());
        let names = names.filter(|n| !differs_by_design(key, n));
        closest(key, names).map(str::to_owned)
    };
    // The table itself says what it has.
    let listed = listed_columns(case.message());
    let there = |k: &&Key| listed.is_empty() || listed.contains(&k.name);
    let all: Vec<&Key> = known.iter().filter(there).collect();
    // Cells that didn't run and the rest of this cell are weaker evidence: they may be wrong too.
    let others: Vec<Key> = (0..case.book.cells().len())
        .flat_map(|cell| case.keys_in(cell))
        .filter(|k| k.name != key)
        .collect();
    let elsewhere: Vec<&Key> = others
        .iter()
        .filter(|k| k.owner.is_some() && k.owner == holder)
        .collect();
    let told = closest(key, listed.iter().map(String::as_str));
    let told = told
        .filter(|n| !differs_by_design(key, n))
        .map(str::to_owned);
    let said = told
        .clone()
        .or_else(|| pick(&own).filter(|_| listed.is_empty()))
        .or_else(|| pick(&all));
    let guessed = said.is_none();
    let all: Vec<&Key> = others.iter().filter(there).collect();
    let right = said.or_else(|| pick(&elsewhere)).or_else(|| pick(&all))?;
    let set = known.iter().chain(&others).find(|k| k.name == right);
    if let Some(set) = set.filter(|s| s.made) {
        if occurrences(case, &right) == 1 && occurrences(case, key) > 1 {
            return made_otherwise(case, set, key);
        }
    }
    let found = later(spot, key, holder.as_deref(), found);
    let changes = found
        .iter()
        .map(|s| {
            let quote = spot.text(*s).chars().next_back().unwrap_or('\'');
            Change::replace(spot.cell, *s, format!("{quote}{right}{quote}"))
        })
        .collect();
    let same = !guessed && near(key, &right) == Some(0)
        || own.iter().any(|k| k.name == right)
        || told.is_some();
    let said = Said {
        id: "misspelt-key",
        basis: if same { Basis::Spelled } else { Basis::Alike },
        title: format!("Replace `'{key}'` by `'{right}'`"),
        why: match set {
            None => format!("The table has a column `'{right}'`."),
            Some(set) if set.cell != case.at => {
                format!("Cell {} writes it `'{right}'`.", case.position(set.cell))
            }
            Some(set) if set.made => format!(
                "Line {} makes it `'{right}'`.",
                spot.python.line_of(set.at.start())
            ),
            Some(_) => format!("The same line reads `'{right}'`."),
        },
    };
    case.edits(said, changes)
}

/// How often the notebook contains a string or a keyword.
fn occurrences(case: &Case<'_>, text: &str) -> usize {
    let mut count = 0;
    for cell in 0..case.book.cells().len() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| match e {
            Expr::StringLiteral(s) => count += usize::from(s.value.to_str() == text),
            Expr::Call(c) => {
                let named = |k: &&Keyword| k.arg.as_ref().is_some_and(|a| a.as_str() == text);
                count += c.arguments.keywords.iter().filter(named).count();
            }
            _ => {}
        });
    }
    count
}

/// The key where it is created, if nothing reads that spelling while the missing key is read more
/// than once and created nowhere.
fn made_otherwise(case: &Case<'_>, set: &Key, key: &str) -> Option<Cure> {
    let python = case.python(set.cell)?;
    let old = python.slice(set.at);
    let new = match old.chars().next_back()? {
        quote @ ('"' | '\'') => format!("{quote}{key}{quote}"),
        _ => key.to_owned(),
    };
    let said = Said {
        id: "misspelt-key",
        basis: Basis::Assumed,
        title: format!("Replace `'{}'` by `'{key}'` where it is made", set.name),
        why: format!(
            "Line {} of cell {} makes `'{}'`, which nothing reads; `'{key}'` is read more than once.",
            python.line_of(set.at.start()),
            case.position(set.cell),
            set.name
        ),
    };
    case.edits(said, vec![Change::replace(set.cell, set.at, new)])
}

/// Also the later uses of the key for the same table in the cell, which would fail next.
fn later<'c>(
    spot: &Spot<'c>,
    key: &'c str,
    holder: Option<&str>,
    mut found: Vec<&'c ExprStringLiteral>,
) -> Vec<&'c ExprStringLiteral> {
    let (Some(stmt), Some(table)) = (spot.stmt, holder) else {
        return found;
    };
    let strings = |e: &'c Expr| -> Vec<&'c ExprStringLiteral> {
        let fits = |s: &&ExprStringLiteral| s.value.to_str() == key && s.start() > stmt.end();
        let mut out = Vec::new();
        each_below(e, &mut |e| {
            out.extend(e.as_string_literal_expr().filter(fits))
        });
        out
    };
    each_expr(spot.python.body(), &mut |e| match e {
        Expr::Subscript(s) if name_of(&s.value).as_deref() == Some(table) && s.ctx.is_load() => {
            found.extend(strings(&s.slice));
        }
        Expr::Call(c) => {
            let method = c.func.as_attribute_expr();
            let drops = method.filter(|a| a.attr.as_str() == "drop");
            if drops.and_then(|a| name_of(&a.value)).as_deref() == Some(table) {
                let named = c.arguments.keywords.iter().map(|k| &k.value);
                found.extend(c.arguments.args.iter().chain(named).flat_map(strings));
            }
        }
        _ => {}
    });
    found
}

/// The variable that a string indexes: `df` in `plt.hist(df['a'])`.
pub(super) fn holder(spot: &Spot<'_>, string: &ExprStringLiteral) -> Option<String> {
    spot.exprs.iter().rev().find_map(|e| match e {
        Expr::Subscript(s) if s.slice.range().contains_range(string.range) => name_of(&s.value),
        Expr::Call(c) if c.arguments.range.contains_range(string.range) => {
            name_of(&c.func.as_attribute_expr()?.value)
        }
        _ => None,
    })
}

/// `counts[word] += 1` for a word that is not there yet.
fn counted(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let Stmt::AugAssign(a) = spot.stmt? else {
        return None;
    };
    let target = a.target.as_subscript_expr()?;
    let table = target.value.as_name_expr()?;
    let (_, value) = case.value(table.id.as_str())?;
    let empty = match value {
        Expr::Dict(d) => d.items.is_empty(),
        Expr::Call(c) => name_of(&c.func).as_deref() == Some("dict") && c.arguments.is_empty(),
        _ => false,
    };
    let start = match &*a.value {
        Expr::List(_) | Expr::ListComp(_) => "[]",
        Expr::StringLiteral(_) | Expr::FString(_) => "\"\"",
        Expr::NumberLiteral(_) => "0",
        _ => return None,
    };
    if !empty {
        return None;
    }
    let (table, index) = (spot.text(&*target.value), spot.text(&*target.slice));
    let get = format!("{table}.get({index}, {start})");
    let operator = a.op.as_str();
    let text = format!(
        "{table}[{index}] = {get} {operator} {}",
        spot.text(&*a.value)
    );
    let said = Said {
        id: "first-count",
        basis: Basis::Source,
        title: format!("Start with `{get}`"),
        why: format!("`{table}` starts empty, so the first `{index}` is not in it yet."),
    };
    case.edits(said, vec![Change::replace(spot.cell, spot.stmt?, text)])
}

/// Whether an expression reads a name.
fn reads(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    each_below(expr, &mut |e| {
        found |= e.as_name_expr().is_some_and(|n| n.id.as_str() == name)
    });
    found
}

/// A column that was added to a copy of the table rather than to the table itself.
fn other_table(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let made = case
        .keys_before()
        .into_iter()
        .find(|k| k.made && k.name == key)?;
    let other = made.owner?;
    let (_, copied) = case.value(&other)?;
    let mut tables: Vec<(&str, &str)> = Vec::new();
    for s in spot.exprs.iter().filter_map(|e| e.as_subscript_expr()) {
        let string = s.slice.as_string_literal_expr();
        let fits = string.map_or(s.slice.is_name_expr(), |t| t.value.to_str() == key);
        if let Some(n) = s.value.as_name_expr().filter(|_| fits && s.ctx.is_load()) {
            tables.push((n.id.as_str(), spot.text(&*s.slice)));
        }
    }
    let [(table, index)] = tables.as_slice() else {
        return None;
    };
    if *table == other {
        return None;
    }
    let why = |base: &str| {
        format!("Cell {} adds `{key}` to `{other}`, which it made of `{base}`; `{base}` itself has no such column.", case.position(made.cell))
    };
    let mut changes = Vec::new();
    let base = if reads(copied, table) {
        for e in spot.exprs.iter().filter_map(|e| e.as_subscript_expr()) {
            if name_of(&e.value).as_deref() == Some(table) && spot.text(&*e.slice) == *index {
                changes.push(Change::replace(spot.cell, &*e.value, other.clone()));
            }
        }
        (*table).to_owned()
    } else {
        // `part = df[…]`: a part of the table lacks it, as do others that are read in the same way.
        let (cell, value) = case.value(table)?;
        let python = case.python(cell)?;
        let mut bases: Vec<String> = Vec::new();
        each_below(value, &mut |e| {
            let name = e.as_name_expr().map(|n| n.id.as_str());
            bases.extend(
                name.filter(|n| reads(copied, n) && case.module_of(n).is_none())
                    .map(str::to_owned),
            );
        });
        bases.dedup();
        let [base] = bases.as_slice() else {
            return None;
        };
        for s in python.body() {
            let Stmt::Assign(a) = s else { continue };
            let target = a.targets.first().and_then(name_of).unwrap_or_default();
            let read = spot.python.text().contains(&format!("{target}[{index}]"));
            if target.is_empty() || !read {
                continue;
            }
            each_below(&a.value, &mut |e| {
                if e.as_name_expr().is_some_and(|n| n.id.as_str() == base) {
                    changes.push(Change::replace(cell, e, other.clone()));
                }
            });
        }
        base.clone()
    };
    let said = Said {
        id: "other-table",
        basis: Basis::Assumed,
        title: format!("Take it from `{other}` instead of `{base}`"),
        why: why(&base),
    };
    case.edits(said, changes)
}

/// A key that some records in a list lack.
fn optional(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let mut all = spot
        .exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .filter(|s| {
            s.ctx.is_load()
                && s.slice
                    .as_string_literal_expr()
                    .is_some_and(|n| n.value.to_str() == key)
        });
    let subscript = all.next().filter(|_| all.next().is_none())?;
    let name = subscript.value.as_name_expr()?;
    let python = spot.python;
    let names = python.names();
    // A record is a loop variable.
    let set = names.binds.iter().rfind(|b| b.name == name.id.as_str())?;
    let records = match set.stmt {
        Stmt::For(f) if set.kind == BindKind::Loop => name_of(&f.iter)?,
        _ => return None,
    };
    let is_records = |value: &Expr| match value {
        Expr::List(l) => l.elts.iter().any(Expr::is_dict_expr),
        Expr::Call(c) => name_of(&c.func).is_some_and(|n| {
            matches!(n.as_str(), "json.load" | "json.loads") || n.ends_with(".json")
        }),
        _ => false,
    };
    // A tuple on the left: the name is one of several values.
    let known = case.value(&records).is_some_and(|(_, v)| is_records(v))
        || case.last_set(&records).is_some_and(|s| {
            let assign = s.binding.stmt.as_assign_stmt();
            let values = assign.and_then(|a| a.value.as_tuple_expr());
            values.is_some_and(|t| t.elts.iter().any(is_records))
        });
    if !known {
        return None;
    }
    let (table, index) = (spot.text(&*subscript.value), spot.text(&*subscript.slice));
    let said = Said {
        id: "optional-key",
        basis: Basis::Assumed,
        title: format!("Read it as `{table}.get({index})`"),
        why: format!(
            "Not every record of `{records}` has `{key}`; `get` gives `None` for those without it."
        ),
    };
    let text = format!("{table}.get({index})");
    case.edits(said, vec![Change::replace(spot.cell, subscript, text)])
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, key_error as missing, repaired};

    #[test]
    fn a_column_is_written_as_where_it_is_used() {
        let cells = [
            "df['SalePrice'].hist()",
            "y = df['Saleprice']\nx = df['Area']",
        ];
        let e = missing(&cells, 1, "'Saleprice'");
        assert_eq!(repaired(&cells, &e), "y = df['SalePrice']\nx = df['Area']");
        // Later uses in the cell would fail next; a column of another table is a different one.
        let below = "X = df.drop('Saleprice', axis=1)\nz = other['Saleprice']";
        let last = format!("y = df['Saleprice']\n{below}");
        let cells = [cells[0], last.as_str()];
        assert_eq!(
            repaired(&cells, &e),
            "y = df['SalePrice']\nX = df.drop('SalePrice', axis=1)\nz = other['Saleprice']"
        );
        let cells = [
            "df = pd.DataFrame({'age': [1], ' city': ['x']})",
            "for c in ['age', 'city']:\n    print(df[c])",
        ];
        let e = missing(&cells, 2, "'city'");
        assert_eq!(
            repaired(&cells, &e),
            "for c in ['age', ' city']:\n    print(df[c])"
        );
        let cells = ["d = {'learning_rate': 1}", "lr = d[\"learning_rte\"]"];
        let e = missing(&cells, 1, "'learning_rte'");
        assert_eq!(repaired(&cells, &e), "lr = d[\"learning_rate\"]");
    }

    #[test]
    fn names_that_number_columns_stay() {
        let cells = ["df['V1'].hist()", "df['V2'].hist()"];
        let e = missing(&cells, 1, "'V2'");
        assert!(cures_of(&cells, &e).is_empty());
    }

    #[test]
    fn counting_starts_at_nothing() {
        let cells = ["counts = {}", "for w in words:\n    counts[w] += 1"];
        let e = missing(&cells, 2, "'the'");
        assert_eq!(
            repaired(&cells, &e),
            "for w in words:\n    counts[w] = counts.get(w, 0) + 1"
        );
    }

    #[test]
    fn a_column_of_a_copy_is_read_from_the_copy() {
        let copy = "more = df.copy()\nmore['hour'] = 1";
        let cells = ["df = load()", copy, "df['hour'].hist()"];
        let e = missing(&cells, 1, "'hour'");
        assert_eq!(repaired(&cells, &e), "more['hour'].hist()");
        let cell = "a = df[df['x'] == 0]\nb = df[df['x'] == 1]\nfor c in more.columns:\n    f(a[c])\n    f(b[c])";
        let cells = ["df = load()", copy, cell];
        let e = missing(&cells, 4, "'hour'");
        assert_eq!(repaired(&cells, &e), cell.replace("df", "more"));
    }

    #[test]
    fn a_key_that_some_records_lack_is_asked_for() {
        let cells = [
            "rows = [{'id': 1, 'note': 'a'}, {'id': 2}]",
            "for row in rows:\n    print(row['note'])",
        ];
        let e = missing(&cells, 2, "'note'");
        assert_eq!(
            repaired(&cells, &e),
            "for row in rows:\n    print(row.get('note'))"
        );
    }
}
