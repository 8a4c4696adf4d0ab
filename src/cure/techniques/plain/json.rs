//! JSON: unsupported values, and text that isn't a single JSON value.

use crate::case::Case;
use crate::code::{Code, Editor};
use crate::edit::Change;
use crate::find::{callee, name, only, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, positional};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "TypeError" => unknown(case, message).or_else(|| keys(case, message)),
        "JSONDecodeError" => decoded(case, message),
        "KeyError" if message.trim().parse::<i64>().is_ok() => text_keys(case),
        _ => None,
    });
}

fn call_of<'c>(spots: &[Spot<'c>], names: &[&str]) -> Option<(usize, &'c ExprCall)> {
    spots.iter().find_map(|spot| {
        let all = spot.calls();
        let call = only(all.filter(|c| callee(c).is_some_and(|n| names.contains(&n))))?;
        Some((spot.cell, call))
    })
}

/// `results[2]` of what `json.load` gave: the keys of its objects are texts, whatever they were before they were written.
fn text_keys(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut changes = Vec::new();
    let mut first = None;
    for e in &spot.exprs {
        let Some(s) = e.as_subscript_expr().filter(|s| s.ctx.is_load()) else {
            continue;
        };
        let number = matches!(
            &*s.slice,
            Expr::Name(_) | Expr::BinOp(_) | Expr::NumberLiteral(_)
        );
        let Some(of) = Some(&**e).filter(|_| number).and_then(loaded_name) else {
            continue;
        };
        let made = case
            .last_set(of)
            .and_then(|s| s.binding.value?.as_call_expr());
        let loads = made.is_some_and(|c| {
            matches!(
                case.path_of(&c.func).as_deref(),
                Some("json.load" | "json.loads")
            )
        });
        if loads {
            let right = format!("str({})", spot.text(&*s.slice));
            first.get_or_insert((of, spot.text(*e)));
            changes.push(Change::replace(spot.cell, &*s.slice, right));
        }
    }
    let (of, shown) = first?;
    case.edits(
        said(
            "text-keys",
            Basis::Library,
            format!("Ask for a text: `str(…)` in `{shown}`"),
            format!("JSON has texts as keys only, so the numbers are texts in `{of}` since it was written. To have numbers again: `{{int(k): v for k, v in ….items()}}`."),
        ),
        changes,
    )
}

/// The variable from which a chain of subscripts reads.
fn loaded_name(e: &Expr) -> Option<&str> {
    match e {
        Expr::Subscript(s) => loaded_name(&s.value),
        other => name(other),
    }
}

/// `Object of type float32 is not JSON serializable`.
fn unknown(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [kind] = python::JSON_OBJECT.read(message)?;
    let (cell, call) = call_of(&case.spots(), &["dumps", "dump"])?;
    if keyword(call, "default").is_some() || keyword(call, "cls").is_some() {
        return None;
    }
    let number = ["int", "uint", "float", "bool"].iter().any(|p| {
        kind.strip_prefix(p)
            .is_some_and(|r| r.chars().all(|c| c.is_ascii_digit() || c == '_'))
    });
    let (value, basis, why) = match kind {
        _ if number => (
            "lambda v: v.tolist()",
            Basis::Library,
            "`tolist()` makes a Python number of a NumPy one, and a list of an array.",
        ),
        "ndarray" | "Series" | "Index" | "Int64Index" | "RangeIndex" | "Tensor" | "bool" => (
            "lambda v: v.tolist()",
            Basis::Library,
            "`tolist()` makes a list of it, and a Python number of a single one.",
        ),
        "DataFrame" => (
            "lambda v: v.to_dict(\"records\")",
            Basis::Assumed,
            "A table becomes a list with one dict for each row; `to_dict()` has other forms.",
        ),
        "set" | "frozenset" | "dict_keys" | "dict_values" | "range" | "map" | "filter" | "zip"
        | "deque" => (
            "list",
            Basis::Library,
            "JSON has lists only, so it is written as one.",
        ),
        "datetime" | "date" | "time" | "Timestamp" | "Timedelta" | "timedelta" | "Decimal"
        | "UUID" | "PosixPath" | "WindowsPath" | "Period" => (
            "str",
            Basis::Assumed,
            "It is written as text; who reads it has to convert it back.",
        ),
        _ => return None,
    };
    let python = case.python(cell)?;
    case.edits(
        said(
            "json-default",
            basis,
            format!(
                "Add `default={value}` to `{}(…)`",
                python.slice(&*call.func)
            ),
            format!("JSON does not know {kind}. {why}"),
        ),
        vec![Editor::new(cell, python).add(call, &format!("default={value}"))],
    )
}

/// `keys must be str, int, float, bool or None, not int64`.
fn keys(case: &Case<'_>, message: &str) -> Option<Cure> {
    let kind = message.strip_prefix("keys must be str, int, float, bool or None, not ")?;
    let (cell, call) = call_of(&case.spots(), &["dumps", "dump"])?;
    let value = positional(call, 0).filter(|v| v.is_name_expr())?;
    let python = case.python(cell)?;
    let text = python.slice(value);
    let new = format!("{{str(k): v for k, v in {text}.items()}}");
    case.edits(
        said(
            "json-keys",
            Basis::Assumed,
            format!("Write the keys of `{text}` as text"),
            format!("JSON takes no key of type {kind}. Keys of dicts inside of it need the same."),
        ),
        vec![Change::replace(cell, value, new)],
    )
}

fn decoded(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (cell, call) = call_of(&case.spots(), &["loads", "load"])?;
    let python = case.python(cell)?;
    let function = python.slice(&*call.func);
    let loads = case
        .path_of(&call.func)
        .filter(|p| p.starts_with("json."))?;
    let module = function.rsplit_once('.').map(|(m, _)| m)?;
    let value = positional(call, 0).filter(|_| call.arguments.len() == 1)?;
    let text = python.slice(value);
    // One value per line.
    if matches!(python::JSON_SECOND_VALUE.numbers(message), Some([_, 1])) {
        let lines = match loads.as_str() {
            "json.load" => text.to_owned(),
            _ => Code::of(python, value).then(".splitlines()").to_string(),
        };
        let new = format!("[{module}.loads(line) for line in {lines} if line.strip()]");
        return case.edits(
            said(
                "json-lines",
                Basis::Assumed,
                "Read one JSON value from each line".to_owned(),
                "A second value begins on a line of its own: it is JSON Lines, and becomes a list."
                    .to_owned(),
            ),
            vec![Change::replace(cell, call, new)],
        );
    }
    // The repr of a dict.
    let single = python::JSON_PROPERTY.begins(message)
        && !matches!(value, Expr::StringLiteral(s) if !s.value.to_str().contains('\''));
    if single && loads == "json.loads" {
        let mut changes = vec![Change::replace(
            cell,
            call,
            format!("ast.literal_eval({text})"),
        )];
        if !case.exists("ast") {
            changes.push(Editor::new(cell, python).import("import ast"));
        }
        return case.edits(
            said(
                "python-literal",
                Basis::Assumed,
                format!("Read it with `ast.literal_eval({text})`"),
                "JSON wants double quotes. With single ones it is a dict as Python prints it, which `ast.literal_eval` reads."
                    .to_owned(),
            ),
            changes,
        );
    }
    None
}
