//! Time-based row selection on an index without dates: `sales.resample("MS")`; numbers added to dates.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    add_argument, callee, lines_before, look, name, only, quoted, receiver, said, text_of,
};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional};
use nbmedic_wordings::pandas;

/// Typical parts of the names of date columns.
const NAMES: &[&str] = &[
    "date",
    "day",
    "time",
    "month",
    "datum",
    "fecha",
    "timestamp",
    "when",
];

/// Typical parts of the names of durations, and their units in pandas.
const UNITS: &[(&str, &str)] = &[
    ("millisecond", "ms"),
    ("second", "s"),
    ("secs", "s"),
    ("minute", "min"),
    ("mins", "min"),
    ("hour", "h"),
    ("day", "D"),
    ("week", "W"),
];

/// `start + seconds`: numbers added to dates lack a unit.
fn lengths(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let pd = case.alias_of("pandas")?;
    let sums = spot.exprs.iter().filter_map(|e| e.as_bin_op_expr());
    let sums = sums.filter(|b| b.op.is_add() || b.op.is_sub());
    let unit = |side: &Expr| {
        let text = spot.text(side).to_lowercase();
        let mut all = UNITS.iter().filter(|(part, _)| text.contains(part));
        all.next().map(|(_, unit)| *unit)
    };
    let sides = sums.flat_map(|b| [&*b.left, &*b.right]);
    let named = sides.filter_map(|side| {
        let plain = side.is_name_expr() || side.is_subscript_expr() || side.is_attribute_expr();
        Some((side, unit(side).filter(|_| plain)?))
    });
    let (side, unit) = only(named)?;
    let text = spot.text(side);
    case.edits(
        said(
            "time-unit",
            Basis::Assumed,
            format!("Give it its unit: `{pd}.to_timedelta({text}, unit=\"{unit}\")`"),
            "pandas adds lengths of time to dates, not bare numbers. The unit is what the name says.",
        ),
        vec![Change::replace(
            spot.cell,
            side,
            format!("{pd}.to_timedelta({text}, unit=\"{unit}\")"),
        )],
    )
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case
        .message()
        .starts_with("Addition/subtraction of integers and integer-arrays with Datetime")
    {
        out.extend(lengths(case));
        return;
    }
    if case.class() != "TypeError" || !pandas::DATETIME_INDEX.begins(case.message()) {
        return;
    }
    out.extend(cure(case));
}

/// The date column of a table, and whether it already has a datetime dtype.
fn dates(case: &Case<'_>, table: &str) -> Option<(String, bool)> {
    if let Some((column, _)) = case.seen_value(table).and_then(|v| {
        let mut all = v.columns.iter();
        all.find(|(_, t)| t.starts_with("datetime"))
    }) {
        return Some((column.clone(), true));
    }
    // Columns that the notebook converts to dates itself.
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        for call in calls(python.body()) {
            let of = match callee(call) {
                Some("to_datetime") => positional(call, 0).and_then(Expr::as_subscript_expr),
                _ => None,
            };
            let own = of.filter(|s| name(&s.value) == Some(table));
            if let Some(column) = own.and_then(|s| text_of(&s.slice)) {
                return Some((column.to_owned(), true));
            }
        }
    }
    if let Some(call) = case.value(table).and_then(|(_, v)| v.as_call_expr()) {
        if let Some(k) = keyword(call, "parse_dates") {
            let named = crate::keys::strings_of(&k.value);
            if let [(column, _)] = named[..] {
                return Some((column.to_owned(), true));
            }
        }
    }
    let seen = case.seen_value(table).map(|v| v.columns.as_slice());
    let mut names: Vec<String> = match seen {
        Some(columns) => columns.iter().map(|(c, _)| c.clone()).collect(),
        None => {
            let own = case.keys_before().into_iter();
            own.filter(|k| k.owner.as_deref() == Some(table))
                .map(|k| k.name)
                .collect()
        }
    };
    names.retain(|n| {
        let low = n.to_lowercase();
        NAMES.iter().any(|w| low.contains(w))
    });
    names.dedup();
    names.into_iter().next().map(|n| (n, false))
}

/// Whether a column contains dates as strings: judged by its values if they are written in a cell,
/// otherwise by its name.
pub(super) fn holds_dates(case: &Case<'_>, column: &Expr) -> bool {
    let Some(s) = column.as_subscript_expr() else {
        return false;
    };
    let (Some(table), Some(column)) = (name(&s.value), text_of(&s.slice)) else {
        return false;
    };
    match written(case, table, column) {
        Some(value) => is_date(value),
        None => {
            let low = column.to_lowercase();
            NAMES.iter().any(|w| low.contains(w))
        }
    }
}

/// The first value of a column, where the table is written into a cell: `pd.DataFrame({"day": ["2024-01-03"]})`.
fn written<'c>(case: &'c Case<'_>, table: &str, column: &str) -> Option<&'c str> {
    let call = case.value(table)?.1.as_call_expr()?;
    let dict = positional(call, 0)?.as_dict_expr()?;
    let mut all = dict.items.iter();
    let item = all.find(|i| i.key.as_ref().and_then(text_of) == Some(column))?;
    text_of(item.value.as_list_expr()?.elts.first()?)
}

/// Whether a string looks like a date: two or three numbers joined by `-`, `/` or `.`, one of them
/// a year.
fn is_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or("");
    let parts: Vec<&str> = day.split(['-', '/', '.']).collect();
    let number = |p: &&str| !p.is_empty() && p.len() <= 4 && p.chars().all(|c| c.is_ascii_digit());
    (2..=3).contains(&parts.len()) && parts.iter().all(number) && parts.iter().any(|p| p.len() == 4)
}

/// Whether a call selects rows by time.
fn by_time(call: &ExprCall) -> bool {
    matches!(
        callee(call),
        Some("resample" | "asfreq" | "between_time" | "at_time" | "first" | "last")
    )
}

fn cure(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(spot.calls().filter(|c| by_time(c) && receiver(c).is_some()))?;
    let base = receiver(call)?;
    // A column shares the table's index.
    let table = match base {
        Expr::Subscript(s) => name(&s.value)?,
        other => name(other)?,
    };
    let on =
        name(base).is_some() && callee(call) == Some("resample") && keyword(call, "on").is_none();
    let text = spot.python.slice(call);
    let Some((column, converted)) = dates(case, table) else {
        return Some(look(
            "index-of-dates",
            format!("Make the column of dates the index: `{table} = {table}.set_index(\"…\")`"),
            format!("`{}` goes by the dates of the index, which holds only row numbers. Turn the column into dates first: `{table}[\"…\"] = pd.to_datetime({table}[\"…\"])`.", callee(call)?),
        ));
    };
    let column = quoted(&column);
    let stmt = spot.stmt?;
    let (pandas, import) = case.alias_or_import("pandas", "pd");
    let mut lines: Vec<String> = import.into_iter().collect();
    if !converted {
        lines.push(format!(
            "{table}[{column}] = {pandas}.to_datetime({table}[{column}])"
        ));
    }
    let mut changes = Vec::new();
    let title = match on {
        true => {
            changes.push(add_argument(
                spot.cell,
                spot.python,
                call,
                &format!("on={column}"),
            ));
            format!("Tell `resample` where the dates are: `on={column}`")
        }
        false => {
            lines.push(format!("{table} = {table}.set_index({column})"));
            format!("Make the dates the index: `{table}.set_index({column})`")
        }
    };
    if !lines.is_empty() {
        changes.push(lines_before(
            spot.cell,
            spot.python,
            stmt,
            &lines.join("\n"),
        ));
    }
    case.edits(
        said(
            "index-of-dates",
            Basis::Assumed,
            title,
            format!("`{text}` goes by dates, and the index holds only row numbers; the dates are in the column {column}."),
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    const MESSAGE: &str = "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of 'RangeIndex'";

    #[test]
    fn numbers_added_to_dates_get_the_unit_that_their_name_says() {
        let message = "Addition/subtraction of integers and integer-arrays with DatetimeArray is no longer supported.  Instead of adding/subtracting `n`, use `n * obj.freq`";
        for (sum, after) in [
            (
                "end = calls['start'] + calls['seconds']",
                "end = calls['start'] + pd.to_timedelta(calls['seconds'], unit=\"s\")",
            ),
            (
                "due = made - days_open",
                "due = made - pd.to_timedelta(days_open, unit=\"D\")",
            ),
        ] {
            let cells = ["import pandas as pd", sum];
            assert_eq!(repaired_first(&cells, "TypeError", message), after);
        }
    }

    #[test]
    fn the_column_of_dates_is_named() {
        let table = "import pandas as pd\nsales = pd.DataFrame({\"day\": [\"2024-01-03\"], \"amount\": [10]})";
        assert_eq!(
            repaired_first(
                &[table, "monthly = sales.resample(\"MS\")[\"amount\"].sum()"],
                "TypeError",
                MESSAGE
            ),
            "sales[\"day\"] = pd.to_datetime(sales[\"day\"])\nmonthly = sales.resample(\"MS\", on=\"day\")[\"amount\"].sum()"
        );
        let read = "import pandas as pd\ndf = pd.read_csv(\"a.csv\", parse_dates=[\"at\"])";
        assert_eq!(
            repaired_first(
                &[read, "df[\"v\"].resample(\"D\").mean()"],
                "TypeError",
                MESSAGE
            ),
            "df = df.set_index(\"at\")\ndf[\"v\"].resample(\"D\").mean()"
        );
    }
}
