//! pandas and NumPy idioms: truth value of a column, accessors, merging, concatenating tables, dates.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    callee, int_of, lines_before, look, name, one_line, only, quoted, receiver, said, text_of,
    tight, Spot,
};
use crate::table::Kind;
use crate::top::at_top;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtAssign};
use nbmedic_python::{each_expr, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{pandas, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let first = message.lines().next().unwrap_or("");
    match case.class() {
        "ValueError" if pandas::MERGE_KINDS.begins(first) => out.extend(merge(case, first)),
        "ValueError" if first.starts_with("Expected 1D or 2D array, got") => {
            out.extend(save_array(case, first))
        }
        "ValueError" if pandas::LENGTH_OF_INDEX.begins(first) => out.extend(lengths(case, first)),
        "ValueError" | "InvalidIndexError" if pandas::DUPLICATE_LABELS.is_in(first) => {
            out.extend(duplicates(case));
        }
        "AttributeError" if pandas::DT_ACCESSOR.is_in(first) => out.extend(dates(case)),
        "AttributeError" => match python::ATTRIBUTE.read(first) {
            Some([kind @ ("DataFrame" | "Series"), "append"]) => {
                out.extend(append(case, kind == "Series"));
            }
            Some([_, "ix"]) => out.extend(ix(case)),
            _ => {}
        },
        "TypeError" if python::OPERAND_KINDS.begins(first) => out.extend(operand(case, first)),
        _ => {}
    }
}

/// `.dt` on a text column that is used again in this cell or another one: converts it once, above.
fn dates(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let a = spot.attributes("dt").last()?;
    let text = spot.text(&*a.value);
    let pd = case.alias_of("pandas")?;
    let cells = case.book.cells().iter();
    let uses = cells.map(|c| c.source.matches(&format!("{text}.dt")).count());
    (a.value.is_subscript_expr() && uses.sum::<usize>() > 1).then_some(())?;
    let line = format!("{text} = {pd}.to_datetime({text})");
    case.edits(
        said(
            "as-dates",
            Basis::Assumed,
            format!("Convert it once: `{line}`"),
            format!("`{text}` holds text, not dates."),
        ),
        vec![lines_before(spot.cell, spot.python, spot.stmt?, &line)],
    )
}

/// `You are trying to merge on object and int64 columns for key 'id'`.
fn merge(case: &Case<'_>, first: &str) -> Option<Cure> {
    let [left, right] = pandas::MERGE_KINDS.read(first)?;
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("merge" | "join"))),
    )?;
    let on = receiver(call)?;
    let module = name(on).and_then(|n| case.module_of(n)).is_some();
    let (a, b) = match module {
        true => (positional(call, 0)?, positional(call, 1)?),
        false => (on, positional(call, 0)?),
    };
    let key = |side: &str| {
        let k = keyword(call, "on").or_else(|| keyword(call, side))?;
        text_of(&k.value).map(str::to_owned)
    };
    let key_of_message = crate::find::quoted_after(first, "for key ");
    let text = |t: &str| matches!(t, "object" | "str" | "string" | "category");
    let (table, column, is, other) = match (text(left), text(right)) {
        (true, false) => (b, key("right_on"), right, left),
        (false, true) => (a, key("left_on"), left, right),
        _ => return None,
    };
    let column = column.or_else(|| key_of_message.map(str::to_owned))?;
    let shown = spot.python.slice(table);
    if is.starts_with("datetime") {
        return None;
    }
    // Text as it stands in the file keeps zeros in front.
    if let Some((cell, call)) = read_from(case, spot.cell, table).filter(|_| is.starts_with("int"))
    {
        let dtype = format!("dtype={{{}: str}}", quoted(&column));
        return case.edits(
            said(
                "merge-types",
                Basis::Assumed,
                format!("Read `{column}` of `{shown}` as text: `{dtype}`"),
                format!("It is `{is}` there and `{other}` on the other side. As text it stays as it stands in the file, with zeros in front."),
            ),
            vec![case.editor(cell)?.add(call, &dtype)],
        );
    }
    // Texts that are no numbers would fail then, while numbers as text may silently find no partner.
    if is.starts_with("int") {
        let (texts, named) = if text(left) {
            (a, "left_on")
        } else {
            (b, "right_on")
        };
        let column = key(named).unwrap_or(column);
        let shown = spot.python.slice(texts);
        return case.edits(
            said(
                "merge-types",
                Basis::Assumed,
                format!("Make `{column}` of `{shown}` numbers, as on the other side"),
                format!("It is `{other}` there and `{is}` on the other side. If its texts are not plain numbers, make the other side text."),
            ),
            vec![Change::replace(
                spot.cell,
                texts,
                format!("{}.astype({{{}: int}})", tight(spot.python, texts), quoted(&column)),
            )],
        );
    }
    case.edits(
        said(
            "merge-types",
            Basis::Assumed,
            format!("Make `{column}` of `{shown}` text, as on the other side"),
            format!("It is `{is}` there and `{other}` on the other side. If the other side's texts are plain numbers, converting those to `{is}` is the other choice."),
        ),
        vec![Change::replace(
            spot.cell,
            table,
            format!("{}.astype({{{}: str}})", tight(spot.python, table), quoted(&column)),
        )],
    )
}

/// `df.append(row)`: `pd.concat`.
fn append(case: &Case<'_>, series: bool) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("append")?;
    let on = receiver(call)?;
    let row = positional(call, 0)?;
    let pd = case.alias_of("pandas")?;
    let python = spot.python;
    let (table, text) = (python.slice(on), python.slice(row));
    let what = match row {
        Expr::Dict(_) => Kind::Dict,
        other => row_kind(case, &spot, other),
    };
    let other = match what {
        Kind::Dict => format!("{pd}.DataFrame([{text}])"),
        Kind::Series if !series => format!("{text}.to_frame().T"),
        Kind::List if row.is_list_expr() && !series => format!("{pd}.DataFrame({text})"),
        // `concat` takes a list of tables.
        Kind::List => return None,
        _ => text.to_owned(),
    };
    let keep: Vec<String> = call
        .arguments
        .keywords
        .iter()
        .filter(|k| {
            k.arg
                .as_ref()
                .is_some_and(|a| matches!(a.as_str(), "ignore_index" | "sort" | "verify_integrity"))
        })
        .map(|k| format!(", {}", python.slice(k)))
        .collect();
    let to = format!("{pd}.concat([{table}, {other}]{})", keep.concat());
    // `append` returned a new table; as a statement by itself it had no effect.
    let alone = spot.stmt.is_some_and(|s| {
        s.as_expr_stmt()
            .is_some_and(|e| e.value.range() == call.range())
    });
    let known = what != Kind::Unknown;
    let (to, also) = match alone && name(on).is_some() {
        true => (
            format!("{table} = {to}"),
            " It returns a new table, so the result is set.",
        ),
        false => (to, ""),
    };
    case.edits(
        said(
            "concat",
            if known && !alone {
                Basis::Library
            } else {
                Basis::Assumed
            },
            format!(
                "Replace `{}` by `{pd}.concat`",
                one_line(python.slice(call))
            ),
            format!("pandas 2.0 removed `append`.{also}"),
        ),
        vec![Change::replace(spot.cell, call, to)],
    )
}

/// The kind of the appended value, judged by its assignment or by what the loop iterates over.
fn row_kind(case: &Case<'_>, spot: &Spot<'_>, row: &Expr) -> Kind {
    let kind = case.kind(spot.cell, row);
    let Some(n) = name(row).filter(|_| kind == Kind::Unknown) else {
        return kind;
    };
    let mut found = Kind::Unknown;
    nbmedic_python::each_stmt(spot.python.body(), &mut |s| {
        if let Stmt::For(f) = s {
            let items = match &*f.iter {
                Expr::Name(list) => case.value(list.id.as_str()).map(|(_, v)| v),
                other => Some(other),
            };
            let first = items
                .and_then(Expr::as_list_expr)
                .and_then(|l| l.elts.first());
            if name(&f.target) == Some(n) {
                if let Some(first) = first {
                    found = case.kind(spot.cell, first);
                }
            }
        }
        if let Stmt::Assign(a) = s {
            if a.targets.len() == 1 && name(&a.targets[0]) == Some(n) {
                found = case.kind(spot.cell, &a.value);
            }
        }
    });
    found
}

/// `df.ix[…]`.
fn ix(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let s = only(spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let a = s.value.as_attribute_expr()?;
        (a.attr.as_str() == "ix").then_some((s, a))
    }))?;
    let numbers = |e: &Expr| match e {
        Expr::Slice(s) => [&s.lower, &s.upper]
            .into_iter()
            .flatten()
            .all(|e| int_of(e).is_some()),
        other => int_of(other).is_some(),
    };
    let all = match &*s.0.slice {
        Expr::Tuple(t) => t.elts.iter().all(numbers),
        other => numbers(other),
    };
    let new = if all { "iloc" } else { "loc" };
    case.edits(
        said(
            "ix",
            Basis::Assumed,
            format!("Replace `.ix` by `.{new}`"),
            "pandas 1.0 removed `.ix`: `.loc` takes labels, `.iloc` positions.".to_owned(),
        ),
        vec![Change::replace(spot.cell, &s.1.attr, new)],
    )
}

/// Arithmetic on a text column.
fn operand(case: &Case<'_>, first: &str) -> Option<Cure> {
    let (left, right) = first.rsplit_once(": ")?.1.split_once(" and ")?;
    let (left, right) = (left.trim_matches('\''), right.trim_matches('\''));
    let sign = first.split_once("for ")?.1.split(':').next()?.trim();
    case.in_library().then_some(())?;
    let spot = case.spot()?;
    let b = only(spot.exprs.iter().filter_map(|e| {
        let b = e.as_bin_op_expr()?;
        (b.op.as_str() == sign).then_some(b)
    }))?;
    let column = |e: &Expr| matches!(e, Expr::Subscript(_) | Expr::Attribute(_) | Expr::Name(_));
    let mut changes = Vec::new();
    let mut shown = Vec::new();
    let of_text = |kind: &str, e: &Expr| kind == "str" && column(e);
    let dates = sign == "-"
        && of_text(left, &b.left)
        && of_text(right, &b.right)
        && (super::datetimes::holds_dates(case, &b.left)
            || super::datetimes::holds_dates(case, &b.right));
    let (pandas, import) = case.alias_or_import("pandas", "pd");
    for (kind, e) in [(left, &*b.left), (right, &*b.right)] {
        if !of_text(kind, e) {
            continue;
        }
        let text = spot.python.slice(e);
        shown.push(format!("`{text}`"));
        changes.push(match dates {
            true => Change::replace(spot.cell, e, format!("{pandas}.to_datetime({text})")),
            false => Change::after(spot.cell, e, ".astype(float)"),
        });
    }
    if dates {
        changes.extend(import.map(|line| at_top(spot.cell, spot.python, &line)));
        return case.edits(
            said(
                "text-operand",
                Basis::Assumed,
                format!("Convert {} to dates: `{pandas}.to_datetime`", shown.join(" and ")),
                "They hold dates as text. Between two dates lies a time: `.dt.days` gives its days.",
            ),
            changes,
        );
    }
    case.edits(
        said(
            "text-operand",
            Basis::Assumed,
            format!(
                "Convert {} to numbers: `.astype(float)`",
                shown.join(" and ")
            ),
            "It holds text. If a value isn't numeric, the error names it.".to_owned(),
        ),
        changes,
    )
}

/// `np.savetxt` with an array of more than two dimensions.
fn save_array(case: &Case<'_>, first: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("savetxt")?;
    let python = spot.python;
    let (path, array) = (positional(call, 0)?, positional(call, 1)?);
    let dimensions = first.split_once("got ")?.1.split(' ').next()?;
    let Expr::Attribute(f) = &*call.func else {
        return None;
    };
    let file = match text_of(path) {
        Some(p) => {
            let stem = p.rsplit_once('.').map_or(p, |(stem, _)| stem);
            quoted(&format!("{stem}.npy"))
        }
        None => python.slice(path).to_owned(),
    };
    let module = python.slice(&*f.value);
    let to = format!("{module}.save({file}, {})", python.slice(array));
    case.edits(
        said(
            "save-array",
            Basis::Assumed,
            format!("Replace `savetxt` by `{to}`"),
            format!("A text file takes one or two dimensions, and `{}` has {dimensions}. `{module}.load({file})` reads it back.", python.slice(array)),
        ),
        vec![Change::replace(spot.cell, call, to)],
    )
}

/// A column assigned from a list of a different length: finds where the list came from.
fn lengths(case: &Case<'_>, first: &str) -> Option<Cure> {
    let number = |after: &str| {
        first
            .split_once(after)?
            .1
            .split(')')
            .next()
            .map(str::to_owned)
    };
    let (values, index) = (number("values (")?, number("of index (")?);
    let spot = case.spot()?;
    let Stmt::Assign(a) = spot.stmt? else {
        return None;
    };
    let target = spot.python.slice(a.targets.first()?);
    let value = spot.python.slice(&*a.value);
    let set = name(&a.value).and_then(|n| case.last_set(n));
    if let Some(cure) = predicted(case, &spot, a, set.and_then(|s| s.binding.value)) {
        return Some(cure);
    }
    let line = set.and_then(|s| {
        let text = case
            .python(s.cell)?
            .slice(s.binding.stmt)
            .lines()
            .next()?
            .trim()
            .to_owned();
        Some(format!(
            " It was set by `{text}` (cell {}).",
            case.position(s.cell)
        ))
    });
    Some(look(
        "lengths",
        format!(
            "Give `{}` as many values as rows: {index}, not {values}",
            one_line(value)
        ),
        format!(
            "`{target}` needs one value for each of the {index} rows.{}",
            line.unwrap_or_default()
        ),
    ))
}

/// `df["p"] = model.predict(test)`: the column belongs to the table that was predicted.
fn predicted(
    case: &Case<'_>,
    spot: &Spot<'_>,
    assign: &StmtAssign,
    set: Option<&Expr>,
) -> Option<Cure> {
    let mut call = set.unwrap_or(&assign.value).as_call_expr()?;
    // A value computed from the result has as many rows.
    while let Some(inner) = receiver(call).and_then(Expr::as_call_expr) {
        call = inner;
    }
    let predicts = callee(call).is_some_and(|c| c.starts_with("predict") || c == "transform");
    let given = positional(call, 0).filter(|_| predicts)?;
    let table = match given {
        Expr::Subscript(s) => &s.value,
        other => other,
    };
    let right = name(table).filter(|_| case.kind(spot.cell, table) == Kind::Frame)?;
    let target = assign.targets.first()?.as_subscript_expr()?;
    let wrong = name(&target.value).filter(|w| *w != right && case.exists(right))?;
    let column = text_of(&target.slice)?;
    // Later code would look for the column in the other table.
    let read = spot.python.slice(target).to_owned();
    let text = spot.python.text();
    (text.matches(&read).count() == 1).then_some(())?;
    case.edits(
        said(
            "predicted-table",
            Basis::Assumed,
            format!("Put `{column}` into `{right}`, which was predicted, instead of `{wrong}`"),
            format!("There is one prediction for each row of `{right}`; `{wrong}` has another number of rows."),
        ),
        vec![Change::replace(spot.cell, &*target.value, right)],
    )
}

/// Two rows with the same label.
fn duplicates(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    if let Some(call) = spot.call("concat") {
        let axis = keyword(call, "axis")
            .is_some_and(|k| int_of(&k.value) == Some(1) || text_of(&k.value) == Some("columns"));
        let list = positional(call, 0)?.as_list_expr()?;
        axis.then_some(())?;
        let changes = list
            .elts
            .iter()
            .map(|e| {
                Change::replace(
                    spot.cell,
                    e,
                    format!("{}.reset_index(drop=True)", tight(spot.python, e)),
                )
            })
            .collect();
        return case.edits(
            said(
                "unique-labels",
                Basis::Assumed,
                "Number the rows of each table anew before joining them side by side".to_owned(),
                "Some label stands at two rows, so it isn't clear which belong together; this joins row by row, in their order.".to_owned(),
            ),
            changes,
        );
    }
    stacked(case, &spot)
}

/// `table = pd.concat([may, april])`: each part brings its own row numbers, so labels stand at several rows.
fn stacked(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let behind = case.names_behind(&spot.exprs);
    let mut found = Vec::new();
    for set in behind.iter().filter_map(|n| case.last_set(n)) {
        let call = set.binding.value.and_then(Expr::as_call_expr);
        let call = call.filter(|c| case.path_of(&c.func).as_deref() == Some("pandas.concat"));
        let plain = call.filter(|c| {
            ["ignore_index", "axis", "keys"]
                .iter()
                .all(|w| keyword(c, w).is_none())
        });
        found.extend(plain.map(|c| (set.cell, set.binding.name, c)));
    }
    let (cell, of, call) = only(found.into_iter())?;
    let editor = case.editor(cell)?;
    case.edits(
        said(
            "unique-labels",
            Basis::Source,
            format!("Number the rows of `{of}` anew: `ignore_index=True`"),
            format!("`concat` keeps the row numbers of each part, so a label stands at several rows of `{of}`, and it isn't clear which belong together."),
        ),
        vec![editor.add(call, "ignore_index=True")],
    )
}

/// `shops["zip"].str`, where the file's codes became numbers: read as text they keep zeros in front.
pub(super) fn codes(case: &Case<'_>) -> Option<Cure> {
    pandas::STR_ACCESSOR.begins(case.message()).then_some(())?;
    const CODES: &[&str] = &[
        "zip", "plz", "post", "code", "phone", "fips", "sku", "ean", "isbn", "ssn", "iban",
        "account",
    ];
    let spot = case.spot()?;
    let a = spot.attributes("str").last()?;
    let column = a.value.as_subscript_expr()?;
    let key = text_of(&column.slice)?;
    let (cell, call) = read_from(case, spot.cell, &column.value)?;
    let named = CODES.iter().any(|c| key.to_lowercase().contains(c));
    // A field of a written table that begins with a zero.
    let mut zeros = false;
    for at in case.seen() {
        let body = case.python(at).map_or(&[][..], Cell::body);
        each_expr(body, &mut |e| {
            let text = text_of(e).filter(|t| t.contains(key));
            let fields = text.iter().flat_map(|t| t.split([',', ';', '\t', '\n']));
            zeros |= fields.map(str::trim).any(|f| {
                f.len() > 1 && f.starts_with('0') && f.bytes().all(|b| b.is_ascii_digit())
            });
        });
    }
    (named || zeros).then_some(())?;
    let dtype = format!("dtype={{{}: str}}", quoted(key));
    case.edits(
        said(
            "codes-as-text",
            Basis::Assumed,
            format!("Read `{key}` as text: `{dtype}`"),
            format!(
                "The file's `{key}` became numbers, which have no zeros in front and no `.str`."
            ),
        ),
        vec![case.editor(cell)?.add(call, &dtype)],
    )
}

/// The call that read a table from a file, if nothing else made it.
fn read_from<'c>(
    case: &'c Case<'_>,
    cell: usize,
    table: &'c Expr,
) -> Option<(usize, &'c ExprCall)> {
    let made = case.made(cell, table)?;
    let call = made.expr.as_call_expr()?;
    let reads = matches!(callee(call), Some("read_csv" | "read_excel" | "read_table"));
    (reads && keyword(call, "dtype").is_none()).then_some((made.cell, call))
}

#[cfg(test)]
mod tests;
