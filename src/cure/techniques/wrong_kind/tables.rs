//! Tables, their columns, and arrays made from them.

use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, only, receiver, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall, ExprSubscript};
use nbmedic_python::{name_of, Ranged, TextRange};

/// Members of columns that arrays lack.
pub(super) const OF_COLUMNS: &[&str] = &["value_counts", "unique", "nunique", "map", "str"];

/// Methods of a scaler, encoder or imputer that turn a table into an array.
const TRANSFORMS: &[&str] = &["fit_transform", "transform", "inverse_transform"];

/// `pd.DataFrame(x).head()`.
pub(super) fn wrapped(
    case: &Case<'_>,
    spot: &Spot<'_>,
    a: &ExprAttribute,
    class: &str,
) -> Option<Cure> {
    let pd = case.alias_of("pandas")?;
    let owner = spot.text(&*a.value);
    let text = format!("{pd}.{class}({owner})");
    case.edits(
        said(
            "as-table",
            Basis::Assumed,
            format!("Write `{text}.{}`", a.attr),
            format!("`{owner}` isn't a table; `{}` belongs to pandas.", a.attr),
        ),
        vec![Change::replace(spot.cell, &*a.value, text)],
    )
}

/// Keeps a table around the call that turned it into an array.
pub(super) fn kept_table(case: &Case<'_>, owner: &Expr) -> Option<Cure> {
    let name = owner.as_name_expr()?.id.as_str();
    let (cell, value) = case.value(name)?;
    let python = case.python(cell)?;
    let line = python.line_of(value.start());
    let place = format!("Line {line} of cell {}", case.position(cell));
    // `X = df.values`.
    let (inner, tail) = match value {
        Expr::Attribute(a) if a.attr.as_str() == "values" => {
            (&*a.value, TextRange::new(a.value.end(), value.end()))
        }
        Expr::Call(c) if callee(c) == Some("to_numpy") => {
            let table = receiver(c)?;
            (table, TextRange::new(table.end(), value.end()))
        }
        Expr::Call(c) if callee(c).is_some_and(|m| TRANSFORMS.contains(&m)) => {
            let arg = c.arguments.args.first()?;
            let table = name_of(arg)?;
            let pd = case.alias_of("pandas")?;
            if table != name && case.kind(cell, arg) == crate::table::Kind::Array {
                return None;
            }
            let changes = vec![
                Change::before(cell, value, format!("{pd}.DataFrame(")),
                Change::after(
                    cell,
                    value,
                    format!(", columns={table}.columns, index={table}.index)"),
                ),
            ];
            return case.edits(
                said(
                    "keep-table",
                    Basis::Assumed,
                    format!("Make what `{}` returns a table again: `{pd}.DataFrame(…, columns={table}.columns, index={table}.index)`", callee(c)?),
                    format!("{place} makes `{name}` an array, without the names of the columns. It holds if the number of columns stays the same."),
                ),
                changes,
            );
        }
        _ => return None,
    };
    let text = python.slice(tail);
    case.edits(
        said(
            "keep-table",
            Basis::Assumed,
            format!("Write `{name} = {}` without `{text}`", python.slice(inner)),
            format!("{place} makes `{name}` an array; the table itself has what you ask for here."),
        ),
        vec![Change::replace(cell, tail, "")],
    )
}

/// `df.name` for a column with a different spelling.
pub(super) fn column(
    case: &Case<'_>,
    spot: &Spot<'_>,
    a: &ExprAttribute,
    name: &str,
) -> Option<Cure> {
    let owner = spot.text(&*a.value);
    if OF_COLUMNS.contains(&name) {
        return None;
    }
    let mut keys = case.keys_before();
    // Keys in the cell itself, including the failing line.
    keys.extend(case.keys_in(spot.cell));
    let right = closest(name, keys.iter().map(|k| k.name.as_str()))?;
    let set = keys.iter().find(|k| k.name == right)?;
    let tail = TextRange::new(a.value.end(), a.attr.end());
    case.edits(
        said(
            "misspelt-column",
            Basis::Assumed,
            format!("Write `{owner}['{right}']`"),
            format!(
                "Cell {} writes the column `'{right}'`.",
                case.position(set.cell)
            ),
        ),
        vec![Change::replace(spot.cell, tail, format!("['{right}']"))],
    )
}

/// A string method on a missing value: NaN is a float.
pub(super) fn nan_text(case: &Case<'_>, name: &str) -> Option<Cure> {
    for spot in case.spots() {
        let applied = |c: &&ExprCall| {
            matches!(
                callee(c),
                Some("apply" | "map" | "progress_apply" | "applymap")
            )
        };
        let Some(call) = only(spot.calls().filter(applied)) else {
            continue;
        };
        let column = receiver(call)?;
        if spot.text(column).contains("fillna(") {
            return None;
        }
        let text = spot.text(column);
        // An empty string has no parts to select, so missing values stay missing where parts are
        // selected.
        let lambda = call.arguments.args.first().and_then(|a| a.as_lambda_expr());
        if let Some(lambda) = lambda.filter(|l| takes_parts(&l.body)) {
            let mut all = lambda.parameters.as_ref()?.iter_non_variadic_params();
            let value = all.next()?.name().as_str();
            let test = format!(" if isinstance({value}, str) else {value}");
            return case.edits(
                said(
                    "missing-text",
                    Basis::Source,
                    format!("Leave out what is missing: `…{test}`"),
                    format!("Missing values are the float NaN, which has no `{name}`. They stay missing."),
                ),
                vec![Change::after(spot.cell, &*lambda.body, test)],
            );
        }
        return case.edits(
            said(
                "missing-text",
                Basis::Assumed,
                format!("Write `{text}.fillna('')` before `.{}`", callee(call)?),
                format!("Missing values are the float NaN, which has no `{name}`. They become empty texts."),
            ),
            vec![Change::after(spot.cell, column, ".fillna('')")],
        );
    }
    None
}

/// Whether an expression selects an element by position.
fn takes_parts(body: &Expr) -> bool {
    let mut found = false;
    nbmedic_python::each_below(body, &mut |e| found |= e.is_subscript_expr());
    found
}

/// A string as an array index.
pub(super) fn text_index(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let subscripts = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let texts: Vec<_> = subscripts
        .filter(|s| s.slice.is_string_literal_expr())
        .collect();
    // If there are several, the one known to be an array.
    let array = |s: &&&ExprSubscript| case.kind(spot.cell, &s.value) == crate::table::Kind::Array;
    let subscript = match texts.as_slice() {
        [one] => *one,
        several => *only(several.iter().filter(array))?,
    };
    let name = subscript.value.as_name_expr()?.id.as_str();
    let (cell, value) = case.value(name)?;
    let python = case.python(cell)?;
    let place = format!(
        "Line {} of cell {}",
        python.line_of(value.start()),
        case.position(cell)
    );
    let key = spot.text(&*subscript.slice);
    let call = value.as_call_expr();
    let transformed = call.filter(|c| callee(c).is_some_and(|m| TRANSFORMS.contains(&m)));
    if let Some(call) = transformed {
        let plain: String = python.slice(call.range()).split_whitespace().collect();
        if plain.contains("reshape(-1,1)") && subscript.ctx.is_load() {
            return case.edits(
                said(
                    "array-column",
                    Basis::Assumed,
                    format!("Write `{name}[:, 0]` for `{name}[{key}]`"),
                    format!("{place} made `{name}` an array with one column, which has no name any more."),
                ),
                vec![Change::replace(spot.cell, subscript, format!("{name}[:, 0]"))],
            );
        }
    }
    if subscript.ctx.is_load() {
        return kept_table(case, &subscript.value);
    }
    let word = subscript.slice.as_string_literal_expr()?.value.to_str();
    let new = format!("{name}_{word}");
    if case.kind(spot.cell, &subscript.value) != crate::table::Kind::Array
        || !new.chars().all(|c| c.is_alphanumeric() || c == '_')
        || case.exists(&new)
    {
        return None;
    }
    case.edits(
        said(
            "array-column",
            Basis::Assumed,
            format!("Keep it in a variable of its own: `{new} = …`"),
            format!("{place} makes `{name}` an array, which has no columns with names."),
        ),
        vec![Change::replace(spot.cell, subscript, new)],
    )
}
