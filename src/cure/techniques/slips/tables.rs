//! Tables: time zones, parts of a split string, a mask from a different table, the separator of a file.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    argument_with_comma, callee, name, only, quoted, receiver, said, set_keyword, text_of, tight,
    with_parts, Spot,
};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_below, each_expr, keyword, positional, Ranged, TextRange};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    out.extend(match case.class() {
        "ValueError" if pandas::COLUMNS_OF_KEY.begins(message) => parts(case, &spot),
        "ValueError" if pandas::ITEM_LENGTH.begins(message) => mask(case, &spot),
        "TypeError" if pandas::COMPARED_TYPES.begins(message) => zone(case, &spot, message),
        "TypeError" if pandas::MIXED_ZONES.is_in(message) => naive(case, &spot),
        "KeyError" => separator(case, &spot, message).or_else(|| header(case, &spot, message)),
        _ => None,
    });
}

/// `df[["first", "last"]] = df["name"].str.split(" ", expand=True)` with strings that have more
/// parts.
fn parts(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let Stmt::Assign(a) = spot.stmt? else {
        return None;
    };
    let target = a.targets.first()?.as_subscript_expr()?;
    let names = target.slice.as_list_expr()?.elts.len();
    let call = a.value.as_call_expr()?;
    matches!(callee(call), Some("split" | "rsplit")).then_some(())?;
    let expands = keyword(call, "expand").is_some();
    if names < 2 || !expands || keyword(call, "n").is_some() || positional(call, 1).is_some() {
        return None;
    }
    let n = (names - 1).to_string();
    case.edits(
        said(
            "split-parts",
            Basis::Assumed,
            format!("Split {n} time{}: `n={n}`", if names == 2 { "" } else { "s" }),
            format!("Some texts have more than {names} parts. With `n={n}` the last column takes the rest; `rsplit` would give the rest to the first."),
        ),
        vec![set_keyword(spot.cell, spot.python, call, "n", &n)],
    )
}

/// `sub[mask]`, where the mask was computed from a different table.
fn mask(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let reads = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let table = name(&s.value)?;
        let mask = match &*s.slice {
            Expr::Attribute(a) if a.attr.as_str() == "values" => &*a.value,
            Expr::Call(c) if matches!(callee(c), Some("to_numpy" | "tolist")) => receiver(c)?,
            other => other,
        };
        let made = case.made(spot.cell, mask)?;
        name(mask).map(|_| (s, table, made))
    });
    let (s, table, made) = only(reads)?;
    let python = case.python(made.cell)?;
    let mut own: Vec<(TextRange, String)> = Vec::new();
    let mut other: Vec<&str> = Vec::new();
    each_below(made.expr, &mut |e| {
        let read = match e {
            Expr::Subscript(s) => name(&s.value).map(|n| (n, s.value.range())),
            Expr::Attribute(a) => name(&a.value).map(|n| (n, a.value.range())),
            _ => None,
        };
        if let Some((n, range)) = read.filter(|(n, _)| case.module_of(n).is_none()) {
            own.push((range, table.to_owned()));
            if !other.contains(&n) {
                other.push(n);
            }
        }
    });
    let [other] = other[..] else { return None };
    if other == table {
        return None;
    }
    let text = with_parts(python, made.expr, own);
    case.edits(
        said(
            "own-mask",
            Basis::Assumed,
            format!("Make the mask of `{table}`: `{text}`"),
            format!("It was made of `{other}`, which has other rows."),
        ),
        vec![Change::replace(spot.cell, &*s.slice, text)],
    )
}

/// A time without a zone, subtracted from times that were read with `utc=True`, or the other way round.
fn naive(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let utc = case
        .seen()
        .into_iter()
        .filter_map(|c| case.python(c))
        .any(|p| {
            calls(p.body())
                .into_iter()
                .any(|c| callee(c) == Some("to_datetime") && keyword(c, "utc").is_some())
        });
    utc.then_some(())?;
    let mut found = Vec::new();
    for b in spot.exprs.iter().filter_map(|e| e.as_bin_op_expr()) {
        for side in [&*b.left, &*b.right] {
            let made = case.made(spot.cell, side);
            let call = made.and_then(|m| Some((m.cell, m.expr.as_call_expr()?)));
            found.extend(call.filter(|(_, c)| {
                let time = case.path_of(&c.func).as_deref() == Some("pandas.Timestamp");
                time && keyword(c, "tz").is_none() && !c.arguments.args.is_empty()
            }));
        }
    }
    let (cell, call) = only(found.into_iter())?;
    let editor = case.editor(cell)?;
    case.edits(
        said(
            "same-zone",
            Basis::Source,
            "Give the time its zone: `tz=\"UTC\"`",
            format!(
                "`{}` has no zone, and the other times were read with `utc=True`.",
                editor.code(&Expr::Call(call.clone()))
            ),
        ),
        vec![editor.add(call, "tz=\"UTC\"")],
    )
}

/// A column with a time zone compared with a time without one, or vice versa.
fn zone(case: &Case<'_>, spot: &Spot<'_>, message: &str) -> Option<Cure> {
    let [dtype, _] = pandas::COMPARED_TYPES.read(message)?;
    let dtype = dtype.strip_prefix("datetime64[")?.split(']').next()?;
    let zone = dtype.split_once(", ").map(|(_, z)| z);
    let compares = spot.exprs.iter().filter_map(|e| e.as_compare_expr());
    let compare = only(compares)?;
    let [right] = &compare.comparators[..] else {
        return None;
    };
    let is_time = |e: &Expr| {
        let made = case.made(spot.cell, e);
        made.and_then(|m| m.expr.as_call_expr()).is_some_and(|c| {
            matches!(
                callee(c),
                Some("Timestamp" | "now" | "today" | "to_datetime" | "datetime" | "utcnow")
            )
        })
    };
    let side = only([&*compare.left, right].into_iter().filter(|e| is_time(e)))?;
    let text = tight(spot.python, side);
    let (pandas, _) = case.alias_or_import("pandas", "pd");
    let as_time = match case
        .made(spot.cell, side)?
        .expr
        .as_call_expr()
        .and_then(callee)
    {
        Some("Timestamp" | "to_datetime") => text,
        _ => format!("{pandas}.Timestamp({text})"),
    };
    let (by, why) = match zone {
        Some(z) => (
            format!(".tz_localize({})", quoted(z)),
            format!(
                "The column is in the zone {z}, and `{}` has none.",
                spot.text(side)
            ),
        ),
        None => (
            ".tz_localize(None)".to_owned(),
            format!(
                "The column has no zone of time, and `{}` has one.",
                spot.text(side)
            ),
        ),
    };
    let new = format!("{as_time}{by}");
    // A time that is read again below is converted once.
    let again = name(side).filter(|n| {
        let uses = spot.python.names().uses;
        uses.iter()
            .filter(|u| u.name == *n && u.at.start() > side.start())
            .count()
            > 0
    });
    let above = again.zip(spot.stmt).map(|(n, stmt)| {
        let line = format!("{n} = {new}");
        (
            format!("Put `{line}` above"),
            spot.editor().above(stmt, &line),
        )
    });
    let (title, change) = above.unwrap_or_else(|| {
        (
            format!("Compare with `{new}`"),
            Change::replace(spot.cell, side, new.as_str()),
        )
    });
    case.edits(said("same-zone", Basis::Assumed, title, why), vec![change])
}

/// The separator next to a column name in a header line.
fn between(line: &str, key: &str) -> Option<char> {
    let signs = [';', '\t', '|', ','];
    let sign = signs.into_iter().find(|s| line.contains(*s))?;
    let mut fields = line.split(sign).map(|f| f.trim().trim_matches('"'));
    fields.any(|f| f == key).then_some(sign)
}

/// The only table in the failing statement from which such a column is selected, and the `read_csv`
/// call that created it, with its cell.
fn read_from_file<'c>(
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    is: &dyn Fn(&str) -> bool,
) -> Option<(&'c str, usize, &'c ExprCall)> {
    let tables = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let mut named = false;
        each_below(&s.slice, &mut |b| named |= text_of(b).is_some_and(is));
        name(&s.value).filter(|_| named)
    });
    let mut tables: Vec<&str> = tables.collect();
    tables.dedup();
    let table = only(tables.into_iter())?;
    let (cell, value) = case.value(table)?;
    let call = value.as_call_expr();
    let call = call.filter(|c| callee(c) == Some("read_csv"))?;
    Some((table, cell, call))
}

/// A file read with the wrong separator: all columns end up in one.
fn separator(case: &Case<'_>, spot: &Spot<'_>, message: &str) -> Option<Cure> {
    let key = message.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    let (table, cell, call) = read_from_file(case, spot, &|text| text == key)?;
    let given = keyword(call, "sep").or_else(|| keyword(call, "delimiter"));
    if keyword(call, "delim_whitespace").is_some() {
        return None;
    }
    let seen = case.seen_value(table).map(|v| v.columns.as_slice());
    let sign = match seen {
        Some([(one, _)]) => between(one, key),
        Some(_) => None,
        None => written(case, key).or_else(|| saved(case, text_of(positional(call, 0)?)?)),
    }?;
    let python = case.python(cell)?;
    let read = match given {
        Some(given) => text_of(&given.value)?.chars().next()?,
        None => ',',
    };
    if read == sign {
        return None;
    }
    if let Some(given) = given.filter(|_| sign == ',') {
        let text = python.slice(given);
        let range = argument_with_comma(python, call, given.range());
        return case.edits(
            said(
                "separator",
                Basis::Value,
                format!("Remove `{text}` from `read_csv`"),
                "The fields of the file stand between commas, so all of them were read as one column.",
            ),
            vec![Change::replace(cell, range, "")],
        );
    }
    let shown = match sign {
        '\t' => "\\t".to_owned(),
        s => s.to_string(),
    };
    let mut changes = vec![set_keyword(
        cell,
        python,
        call,
        "sep",
        &format!("\"{shown}\""),
    )];
    if seen.is_none() && keyword(call, "decimal").is_none() && comma_in_numbers(case, key) {
        changes.push(set_keyword(cell, python, call, "decimal", "\",\""));
    }
    case.edits(
        said(
            "separator",
            Basis::Value,
            format!("Add `sep=\"{shown}\"` to `read_csv`"),
            format!("The fields of the file stand between `{shown}`, so all of them were read as one column. Numbers with a comma also need `decimal=\",\"`."),
        ),
        changes,
    )
}

/// A column that is missing because of how the file was read: without its header, from a later line, as the index.
fn header(case: &Case<'_>, spot: &Spot<'_>, message: &str) -> Option<Cure> {
    let quoted_in = |text: &str| message.contains(&format!("'{text}'"));
    let (_, cell, call) = read_from_file(case, spot, &quoted_in)?;
    let is = |name: &str, value: &dyn Fn(&Expr) -> bool| {
        keyword(call, name).filter(|k| value(&k.value) && keyword(call, "names").is_none())
    };
    let number = |e: &Expr| e.is_number_literal_expr();
    let (given, why) = is("header", &|e| e.is_none_literal_expr())
        .map(|k| (k, "it numbers the columns instead of reading their names"))
        .or_else(|| {
            Some((
                is("skiprows", &number)?,
                "it may skip the line with the columns' names",
            ))
        })
        .or_else(|| {
            Some((
                is("index_col", &number)?,
                "it makes a column the index, which isn't a column any more",
            ))
        })?;
    let python = case.python(cell)?;
    let text = python.slice(given);
    let range = argument_with_comma(python, call, given.range());
    let file = positional(call, 0).and_then(text_of);
    let shown = given.value.is_none_literal_expr() || has_column(case, file, &quoted_in);
    case.edits(
        said(
            "read-header",
            match shown {
                true => Basis::Assumed,
                false => Basis::Guessed,
            },
            format!("Remove `{text}` from `read_csv`"),
            format!("The table has no such column: with `{text}`, {why}."),
        ),
        vec![Change::replace(cell, range, "")],
    )
}

/// Whether the notebook itself writes a file with such a column.
fn has_column(case: &Case<'_>, file: Option<&str>, is: &dyn Fn(&str) -> bool) -> bool {
    let mut found = false;
    each_text(case, &mut |text| {
        let head = text.lines().next().unwrap_or("");
        let fields = head.split([';', '\t', '|', ',']);
        found |= fields.into_iter().any(|f| is(f.trim().trim_matches('"')));
    });
    let Some(file) = file.filter(|_| !found) else {
        return found;
    };
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        let (mut writes, mut names) = (false, false);
        each_expr(python.body(), &mut |e| {
            let call = e.as_call_expr().filter(|c| callee(c) == Some("to_csv"));
            writes |= call.and_then(|c| positional(c, 0)).and_then(text_of) == Some(file);
            names |= text_of(e).is_some_and(is);
        });
        found |= writes && names;
    }
    found
}

/// The separator with which the notebook itself writes a file.
fn saved(case: &Case<'_>, file: &str) -> Option<char> {
    let mut found = Vec::new();
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        let all = calls(python.body()).into_iter();
        for call in all.filter(|c| callee(c) == Some("to_csv")) {
            if positional(call, 0).and_then(text_of) == Some(file) {
                let sep = keyword(call, "sep").map(|k| text_of(&k.value));
                found.push(sep.map_or(Some(','), |s| s?.chars().next()));
            }
        }
    }
    only(found.into_iter())?
}

/// Whether the string in the cells that begins with the file's header contains numbers such as
/// `1,70`.
fn comma_in_numbers(case: &Case<'_>, key: &str) -> bool {
    let mut found = false;
    each_text(case, &mut |text| {
        let head = text.lines().next().unwrap_or("");
        let sign = between(head, key).unwrap_or(',');
        let fields = text.lines().skip(1).flat_map(|l| l.split(sign));
        found |= sign != ','
            && fields.into_iter().any(|f| {
                let parts = f.trim().split_once(',');
                let digits = |t: &str| !t.is_empty() && t.chars().all(|c| c.is_ascii_digit());
                parts.is_some_and(|(a, b)| digits(a) && digits(b))
            });
    });
    found
}

/// Calls `f` with each multi-line string in the cells that ran.
fn each_text<'c>(case: &'c Case<'_>, f: &mut dyn FnMut(&'c str)) {
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        each_expr(python.body(), &mut |e| {
            if let Some(text) = text_of(e).filter(|t| t.contains('\n')) {
                f(text);
            }
        });
    }
}

/// The separator according to a string in the cells that begins with the file's header.
fn written(case: &Case<'_>, key: &str) -> Option<char> {
    let mut found = None;
    each_text(case, &mut |text| {
        let head = text.lines().next().unwrap_or("");
        found = found.or_else(|| between(head, key));
    });
    found
}
