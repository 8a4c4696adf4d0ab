//! Columns that a step between a table and the failing line leaves out. The step is edited where it stands, and the table's
//! columns are evaluated again.

use crate::again::changed;
use crate::case::Case;
use crate::edit::Change;
use crate::find::{look, one_line, receiver, said, Spot};
use crate::keys::{missing_keys, strings_of};
use crate::sized::{Sources, MAX_STEPS};
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{Ranged, TextRange};
use nbmedic_values::Model;
use std::rc::Rc;

/// Longest chain of steps followed back.
const MAX_CHAIN: usize = 24;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let [key] = &keys[..] else { return };
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let Some(step) = step(case, &model, key) else {
        return;
    };
    let mut cures = edits(case, &step, key).into_iter();
    let kept = cures.find(|(cure, name)| has_after(case, cure, name));
    out.extend(kept.map(|(cure, _)| cure));
}

/// The step in words, where no edit keeps the column.
pub(crate) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let [key] = &keys[..] else { return };
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    out.extend(step(case, &model, key).map(|step| words(case, &step, key)));
}

/// The table that the failing statement looks a column up in, and its columns.
fn table<'c>(
    spot: &Spot<'c>,
    model: &Model<'_, 'c>,
    key: &str,
) -> Option<(&'c Expr, Rc<Vec<String>>)> {
    let at = spot.strings(key).next()?.range;
    let holders = spot.exprs.iter().rev().filter_map(|e| match e {
        Expr::Subscript(s) if s.slice.range().contains_range(at) => Some(&*s.value),
        Expr::Call(c) if c.arguments.range.contains_range(at) => receiver(c),
        _ => None,
    });
    let mut tables = holders.filter_map(|e| {
        let value = model.of(spot.cell, e);
        let kind = value.kind.trim_start_matches("Polars");
        let is = matches!(kind, "DataFrame" | "LazyFrame" | "GroupBy" | "LazyGroupBy");
        is.then_some((e, value.columns))
    });
    let (table, columns) = tables.next()?;
    Some((table, columns?))
}

/// The step of a chain that leaves a column out, and what it is a step of, which has it.
struct Step<'c> {
    made: Made<'c>,
    of: &'c Expr,
}

fn step<'c>(case: &'c Case<'c>, model: &Model<'_, 'c>, key: &str) -> Option<Step<'c>> {
    let spot = case.spot()?;
    let has = |columns: &[String]| columns.iter().any(|c| c == key);
    let (table, columns) = table(&spot, model, key)?;
    if has(&columns) {
        return None;
    }
    let mut at = Made {
        cell: spot.cell,
        expr: table,
    };
    for _ in 0..MAX_CHAIN {
        let made = case.made(at.cell, at.expr)?;
        let of = match made.expr {
            Expr::Call(c) => receiver(c)?,
            Expr::Subscript(s) => &s.value,
            _ => return None,
        };
        if model.of(made.cell, of).columns.is_some_and(|c| has(&c)) {
            return Some(Step { made, of });
        }
        at = Made {
            cell: made.cell,
            expr: of,
        };
    }
    None
}

/// Whether the table that the failing statement reads has a column after an edit.
fn has_after(case: &Case<'_>, cure: &Cure, name: &str) -> bool {
    let has = case.after(cure, &changed(case, cure), |after| {
        let sources = Sources(after);
        let model = Model::new(&sources, MAX_STEPS);
        let (_, columns) = table(&after.spot()?, &model, name)?;
        Some(columns.iter().any(|c| c == name))
    });
    has == Some(true)
}

/// The edits that may keep the column, each with the name that it has then.
fn edits(case: &Case<'_>, step: &Step<'_>, key: &str) -> Vec<(Cure, String)> {
    let (Some(spot), Some(python)) = (case.spot(), case.python(step.made.cell)) else {
        return Vec::new();
    };
    let Some(literal) = spot.strings(key).next() else {
        return Vec::new();
    };
    let cell = step.made.cell;
    let (line, text) = (python.line_of(step.of.end()), spot.text(literal));
    let place = format!("line {line} of cell {}", case.position(cell));
    let table = one_line(python.slice(step.of));
    let mut out = Vec::new();
    let mut add = |title: String, why: String, change: Change, name: &str| {
        let said = said("lost-column", Basis::Assumed, title, why);
        let cure = case.edits(said, vec![change]);
        out.extend(cure.map(|c| (c, name.to_owned())));
    };
    let chosen = match step.made.expr {
        Expr::Subscript(s) => s.slice.as_list_expr().and_then(|l| l.elts.last()),
        Expr::Call(c) if is(c, &["select", "select_columns"]) => match c.arguments.args.first() {
            Some(Expr::List(l)) => l.elts.last(),
            _ => c.arguments.args.last(),
        },
        _ => None,
    };
    if let Some(last) = chosen {
        let change = Change::replace(cell, TextRange::empty(last.end()), format!(", {text}"));
        let why = format!("`{table}` has it, and {place} takes other columns only.");
        add(format!("Take {text} too in {place}"), why, change, key);
    }
    if let Expr::Call(c) = step.made.expr {
        if is(c, &["drop", "remove_columns"]) {
            if let Some(change) = left_in(cell, c, key) {
                let why = format!("`{table}` has it, and {place} drops it.");
                add(format!("Do not drop {text} in {place}"), why, change, key);
            }
        }
        if let Some(new) = is(c, &["rename"]).then(|| new_name(c, key)).flatten() {
            let quote = text.chars().next_back().unwrap_or('"');
            let change = Change::replace(spot.cell, literal, format!("{quote}{new}{quote}"));
            let why = format!("In {place}, `rename` gives it that name.");
            add(
                format!("Replace {text} by {quote}{new}{quote}"),
                why,
                change,
                new,
            );
        }
    }
    out
}

fn is(call: &ExprCall, names: &[&str]) -> bool {
    crate::find::callee(call).is_some_and(|n| names.contains(&n))
}

/// A call that drops columns without this one; what it is called on, if it drops no other.
fn left_in(cell: usize, call: &ExprCall, key: &str) -> Option<Change> {
    let args = &call.arguments.args;
    let elements = match &args[..] {
        [Expr::List(l)] => &l.elts[..],
        all => all,
    };
    let at = elements
        .iter()
        .position(|e| strings_of(e).iter().any(|(n, _)| *n == key))?;
    let own = elements[at].range();
    let range = match (
        at.checked_sub(1).map(|b| &elements[b]),
        elements.get(at + 1),
    ) {
        (_, Some(next)) => TextRange::new(own.start(), next.start()),
        (Some(before), None) => TextRange::new(before.end(), own.end()),
        (None, None) => TextRange::new(receiver(call)?.end(), call.end()),
    };
    Some(Change::replace(cell, range, ""))
}

/// The name that `rename({"a": "b"})` gives a column.
fn new_name<'c>(call: &'c ExprCall, key: &str) -> Option<&'c str> {
    let dict = call.arguments.args.first()?.as_dict_expr()?;
    dict.items.iter().find_map(|item| {
        let old = item.key.as_ref()?.as_string_literal_expr()?;
        let new = item.value.as_string_literal_expr()?;
        (old.value.to_str() == key).then(|| new.value.to_str())
    })
}

fn words(case: &Case<'_>, step: &Step<'_>, key: &str) -> Cure {
    let (cell, at) = (step.made.cell, step.made.expr);
    let python = case.python(cell);
    let line = python.map_or(1, |p| p.line_of(step.of.end()));
    let table = python.map_or("", |p| p.slice(step.of));
    let tail = python.map_or("", |p| p.slice(TextRange::new(step.of.end(), at.end())));
    look(
        "lost-column",
        format!(
            "Keep `{key}` in line {line} of cell {}",
            case.position(cell)
        ),
        format!(
            "`{}` has it, and `{}` leaves it out.",
            one_line(table),
            one_line(tail.trim_start())
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired};

    const TABLE: &str =
        "import polars as pl\ndf = pl.DataFrame({'city': ['a'], 'n': [1], 'price': [2]})";

    fn error(cells: &[&str], line: u32) -> String {
        error_at(cells, line, "ColumnNotFoundError", "\"price\" not found")
    }

    #[test]
    fn the_step_that_leaves_it_out_is_edited_where_it_stands() {
        for (step, after) in [
            (
                "t = df.filter(pl.col('n') > 0).select('city', 'n')",
                "t = df.filter(pl.col('n') > 0).select('city', 'n', 'price')",
            ),
            (
                "t = df.select(['city'])",
                "t = df.select(['city', 'price'])",
            ),
            ("t = df[['city', 'n']]", "t = df[['city', 'n', 'price']]"),
            ("t = df.drop('price').head(3)", "t = df.head(3)"),
            ("t = df.drop(['n', 'price'])", "t = df.drop(['n'])"),
            (
                "t = df.with_columns(price=pl.col('n') * 2).select('city')",
                "t = df.with_columns(price=pl.col('n') * 2).select('city', 'price')",
            ),
        ] {
            let cells = [TABLE, step, "print(t['price'].sum())"];
            let e = error(&cells, 1);
            let cure = &cures_of(&cells, &e)[0];
            assert_eq!((cure.cell, cure.code.as_str()), (Some(2), after), "{step}");
        }
        let cells = [
            TABLE,
            "t = df.rename({'price': 'cost'})",
            "print(t['price'].sum())",
        ];
        let e = error(&cells, 1);
        assert_eq!(repaired(&cells, &e), "print(t['cost'].sum())");
    }

    #[test]
    fn a_step_that_takes_no_list_is_named() {
        let cells = [
            TABLE,
            "t = (\n    df.group_by('city')\n    .agg(pl.col('n').sum())\n)",
            "print(t['price'].sum())",
        ];
        let e = error(&cells, 1);
        let cure = &cures_of(&cells, &e)[0];
        assert_eq!(cure.title, "Keep `price` in line 2 of cell 2");
    }

    #[test]
    fn what_no_table_has_or_may_have_is_left_alone() {
        for step in [
            "t = df.select('city')",
            "t = pl.read_csv('a.csv').select('city')",
            "t = df.pivot('n')",
        ] {
            let table = TABLE.replace("'price'", "'cost'");
            let cells = [table.as_str(), step, "print(t['price'].sum())"];
            let e = error(&cells, 1);
            assert!(
                cures_of(&cells, &e).iter().all(|c| c.id != "lost-column"),
                "{step}"
            );
        }
    }
}
