//! Columns and indexes: text where numbers are expected, a column that is already the index, names in `agg`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, lines_before, name, only, quoted, receiver, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, positional, Ranged};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    out.extend(match case.class() {
        "DataError" if pandas::NO_NUMERIC_TYPES.is_in(message) => numbers(case, &spot),
        "KeyError" if pandas::NONE_OF_KEYS.is_in(message) => index_again(case, &spot),
        "TypeError"
            if message.starts_with("Must provide 'func' or tuples of '(column, aggfunc)") =>
        {
            named(case, &spot)
        }
        _ => None,
    });
}

/// The column at the start of a chain of calls: `df["close"]` in `df["close"].rolling(2).mean()`.
fn base(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Call(c) => base(&c.func),
        Expr::Attribute(a) => base(&a.value),
        Expr::Subscript(s) if text_of(&s.slice).is_some() && name(&s.value).is_some() => Some(e),
        _ => None,
    }
}

/// `df["close"].rolling(2).mean()` on a text column.
fn numbers(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let windows = spot.calls().filter(|c| {
        matches!(
            callee(c),
            Some("rolling" | "ewm" | "expanding" | "resample" | "groupby")
        )
    });
    let column = base(receiver(only(windows)?)?)?;
    let text = spot.text(column);
    let (pandas, import) = case.alias_or_import("pandas", "pd");
    let line = format!("{text} = {pandas}.to_numeric({text}.astype(str).str.replace(\",\", \"\"), errors=\"coerce\")");
    let lines: Vec<String> = import.into_iter().chain([line]).collect();
    case.edits(
        said(
            "column-of-numbers",
            Basis::Assumed,
            format!("Turn `{text}` into numbers above"),
            "It holds text. What isn't a number becomes missing; the comma is taken for a thousands separator.",
        ),
        vec![lines_before(spot.cell, spot.python, spot.stmt?, &lines.join("\n"))],
    )
}

/// `set_index("id")` on a table that already has this index.
fn index_again(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let call = spot.call("set_index")?;
    let column = text_of(positional(call, 0)?)?;
    let sets = |cell: usize| {
        let python = case.python(cell)?;
        let all = calls(python.body()).into_iter();
        let mut all = all.filter(|c| callee(c) == Some("set_index") && c.range() != call.range());
        all.find(|c| positional(c, 0).and_then(text_of) == Some(column))
    };
    let cell = case.seen().into_iter().find(|c| sets(*c).is_some())?;
    let table = receiver(call)?;
    case.edits(
        said(
            "index-again",
            Basis::Assumed,
            format!(
                "Make it a column first: `{}.reset_index()`",
                spot.text(table)
            ),
            format!(
                "Cell {} made `{column}` the index, so it isn't a column any more.",
                case.position(cell)
            ),
        ),
        vec![Change::after(spot.cell, table, ".reset_index()")],
    )
}

/// `groupby("g").agg(total="sum")`: on a table, a new name needs its source column.
fn named(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let call = spot.call("agg").or_else(|| spot.call("aggregate"))?;
    let group = receiver(call)?
        .as_call_expr()
        .filter(|c| callee(c) == Some("groupby"))?;
    let table = receiver(group).and_then(name)?;
    let by = crate::keys::strings_of(positional(group, 0)?);
    let mut columns: Vec<String> = match case.seen_value(table) {
        Some(seen) => seen.columns.iter().map(|(c, _)| c.clone()).collect(),
        None => {
            let own = case
                .keys_before()
                .into_iter()
                .filter(|k| k.owner.as_deref() == Some(table));
            own.map(|k| k.name).collect()
        }
    };
    columns.retain(|c| !by.iter().any(|(b, _)| b == c));
    columns.sort_unstable();
    columns.dedup();
    let column = quoted(&only(columns.into_iter())?);
    let changes: Vec<Change> = call
        .arguments
        .keywords
        .iter()
        .filter(|k| text_of(&k.value).is_some())
        .map(|k| {
            Change::replace(
                spot.cell,
                &k.value,
                format!("({column}, {})", spot.text(&k.value)),
            )
        })
        .collect();
    let first = call.arguments.keywords.first()?;
    case.edits(
        said(
            "named-aggregation",
            Basis::Assumed,
            format!(
                "Name the column too: `{}=({column}, {})`",
                first.arg.as_ref()?,
                spot.text(&first.value)
            ),
            "In `agg` of a table a new name stands for a column and a function.",
        ),
        changes,
    )
}
