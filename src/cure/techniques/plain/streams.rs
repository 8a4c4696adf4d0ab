//! Modules with functions for both streams and strings: `load` and `loads`, `dump` and `dumps`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_stmt, Ranged, TextRange};
use nbmedic_wordings::python;

/// Modules with such a pair.
const PAIRED: &[&str] = &["json", "pickle", "marshal", "dill", "cloudpickle", "toml"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let wanted = match case.class() {
        // The string function also received a stream.
        "TypeError" if over(message) => "dumps",
        "TypeError" if lacks_stream(message) => "dump",
        // The stream function received a string, or vice versa.
        "TypeError" if message == "file must have 'read' and 'readline' attributes" => "load",
        "TypeError" if of_a_stream(message) => "loads",
        "AttributeError" if lacks(message, "read") => "load",
        "AttributeError" if lacks(message, "write") => "dump",
        _ => return,
    };
    let spots = case.spots();
    let found = spots
        .iter()
        .find_map(|s| Some((s, only(called(case, s, wanted))?)));
    out.extend(found.and_then(|(spot, call)| otherwise(case, spot, call, wanted)));
}

/// `dumps() takes 1 positional argument but 2 were given`.
fn over(message: &str) -> bool {
    message.starts_with("dumps() takes 1 positional argument but 2 ")
}

/// `dump() missing 1 required positional argument: 'fp'`, `… missing required argument 'file' (pos 2)`.
fn lacks_stream(message: &str) -> bool {
    message.starts_with("dump() missing ")
        && ["'fp'", "'file'", "'f'"]
            .iter()
            .any(|n| message.contains(n))
}

/// Whether a value lacks a member.
fn lacks(message: &str, member: &str) -> bool {
    python::ATTRIBUTE
        .read(message)
        .is_some_and(|[_, name]| name == member)
}

/// `the JSON object must be str, bytes or bytearray, not TextIOWrapper`.
fn of_a_stream(message: &str) -> bool {
    let given = python::JSON_TEXT.read(message);
    let given = given.or_else(|| python::BYTES_REQUIRED.read(message));
    given.is_some_and(|[kind]| {
        let kind = kind.trim_start_matches("_io.");
        ["TextIOWrapper", "BufferedReader", "BytesIO", "StringIO"].contains(&kind)
    })
}

/// The calls to a function of a paired module.
fn called<'c>(
    case: &'c Case<'_>,
    spot: &'c Spot<'c>,
    name: &'c str,
) -> impl Iterator<Item = &'c ExprCall> + 'c {
    spot.calls().filter(move |c| {
        let path = case.path_of(&c.func).unwrap_or_default();
        path.rsplit_once('.')
            .is_some_and(|(m, f)| PAIRED.contains(&m) && f == name)
    })
}

fn otherwise(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall, wanted: &str) -> Option<Cure> {
    let member = call.func.as_attribute_expr()?;
    let value = call.arguments.args.first()?;
    let module = spot.text(&*member.value);
    let new = match wanted.strip_suffix('s') {
        Some(stream) => stream.to_owned(),
        None => format!("{wanted}s"),
    };
    // A string that is a path is opened.
    if wanted == "load" && is_path(case, value) {
        let mode = if module == "json" || module == "toml" {
            ""
        } else {
            ", \"rb\""
        };
        let text = spot.text(value);
        return case.edits(
            said(
                "open-first",
                Basis::Assumed,
                format!("Open the file: `{module}.load(open({text}{mode}))`"),
                format!("`{module}.load` reads from an open file, not from a path."),
            ),
            vec![
                Change::before(spot.cell, value, "open("),
                spot.editor().append(value, format!("{mode})")),
            ],
        );
    }
    let why = match new.as_str() {
        "load" => format!("`{module}.loads` reads a text; `{module}.load` reads from a file."),
        "loads" => format!("`{module}.load` reads from a file; `{module}.loads` reads a text."),
        "dump" => format!("`{module}.dumps` gives a text; `{module}.dump` writes to a file."),
        _ => format!("`{module}.dump` writes to a file; `{module}.dumps` gives a text."),
    };
    // `with open(…, "w") as f: json.dump(d)`: a stream is available.
    if wanted == "dump" && call.arguments.args.len() == 1 {
        if let Some(stream) = opened_around(spot, call) {
            // The stream is passed, but the value to write is missing.
            if name(value) == Some(stream) {
                return None;
            }
            return case.edits(
                said(
                    "stream-left-out",
                    Basis::Source,
                    format!("Write `{module}.dump({}, {stream})`", spot.text(value)),
                    format!("`{module}.dump` writes to a file, and `{stream}` is open here."),
                ),
                vec![Change::replace(
                    spot.cell,
                    TextRange::empty(value.end()),
                    format!(", {stream}"),
                )],
            );
        }
        // A discarded result would be lost.
        if spot
            .stmt
            .is_some_and(|s| s.is_expr_stmt() && s.range().contains_range(call.range))
        {
            return None;
        }
    }
    let mut changes = vec![Change::replace(spot.cell, &member.attr, new.clone())];
    // The value to write isn't a path.
    if wanted == "dump" && call.arguments.args.len() > 1 {
        let target = &call.arguments.args[1];
        let binary = if module == "json" || module == "toml" {
            "w"
        } else {
            "wb"
        };
        changes = vec![
            Change::before(spot.cell, target, "open("),
            spot.editor().append(target, format!(", \"{binary}\")")),
        ];
        return case.edits(
            said(
                "open-first",
                Basis::Assumed,
                format!("Open the file: `open({}, \"{binary}\")`", spot.text(target)),
                format!("`{module}.dump` writes to an open file, not to a path."),
            ),
            changes,
        );
    }
    case.edits(
        said(
            "text-or-stream",
            Basis::Library,
            format!("Write `{module}.{new}` for `{module}.{wanted}`"),
            why,
        ),
        changes,
    )
}

/// The file name bound by the `with` around a call.
fn opened_around<'c>(spot: &Spot<'c>, call: &ExprCall) -> Option<&'c str> {
    let mut found = None;
    each_stmt(spot.python.body(), &mut |s| {
        let Stmt::With(w) = s else { return };
        if !w.body.iter().any(|b| b.range().contains_range(call.range)) {
            return;
        }
        for item in &w.items {
            let opens = item.context_expr.as_call_expr().and_then(callee) == Some("open");
            let name = item.optional_vars.as_deref().and_then(name);
            found = name.filter(|_| opens).or(found);
        }
    });
    found
}

/// Whether an expression is a path: a string without spaces and brackets that ends in a file
/// extension, or a name that says so.
fn is_path(case: &Case<'_>, value: &Expr) -> bool {
    let name = value.as_name_expr().map(|n| n.id.as_str());
    let of_name = name.and_then(|n| case.value(n)).map(|(_, v)| v);
    let text = text_of(value).or_else(|| of_name.and_then(text_of));
    match (text, name) {
        (Some(text), _) => {
            let ending = text.rsplit_once('.').map_or("", |(_, e)| e);
            (1..=5).contains(&ending.len())
                && !text.contains(|c: char| c.is_whitespace() || "[{\"".contains(c))
        }
        (None, Some(name)) if of_name.is_none() => {
            let name = name.to_lowercase();
            ["path", "file", "fname", "fn"]
                .iter()
                .any(|w| name.ends_with(w))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    #[test]
    fn a_text_and_a_stream_have_functions_of_their_own() {
        for (class, cells, message, right) in [
            (
                "TypeError",
                ["import json", "json.dumps(d, f)"],
                "dumps() takes 1 positional argument but 2 were given",
                "json.dump(d, f)",
            ),
            (
                "TypeError",
                ["import json", "text = json.dump(d)"],
                "dump() missing 1 required positional argument: 'fp'",
                "text = json.dumps(d)",
            ),
            (
                "TypeError",
                ["import json", "with open('a', 'w') as f: json.dump(d)"],
                "dump() missing 1 required positional argument: 'fp'",
                "with open('a', 'w') as f: json.dump(d, f)",
            ),
            (
                "TypeError",
                ["import pickle as p", "x = p.load(data)"],
                "file must have 'read' and 'readline' attributes",
                "x = p.loads(data)",
            ),
            (
                "AttributeError",
                ["import json\ntext = '{\"a\": 1.5}'", "x = json.load(text)"],
                "'str' object has no attribute 'read'",
                "x = json.loads(text)",
            ),
            (
                "AttributeError",
                ["import json", "x = json.load('a/b.json')"],
                "'str' object has no attribute 'read'",
                "x = json.load(open('a/b.json'))",
            ),
            (
                "AttributeError",
                ["import json", "json.dump(d, 'b.json')"],
                "'str' object has no attribute 'write'",
                "json.dump(d, open('b.json', \"w\"))",
            ),
            (
                "TypeError",
                ["import json", "x = json.loads(f)"],
                "the JSON object must be str, bytes or bytearray, not TextIOWrapper",
                "x = json.load(f)",
            ),
        ] {
            let e = ipython(class, &[(2, 1, cells[1])], message);
            assert_eq!(repaired(&cells, &e), right);
        }
    }

    #[test]
    fn what_has_no_such_pair_is_left_alone() {
        let cells = ["import yaml", "x = yaml.load(text)"];
        let e = ipython(
            "AttributeError",
            &[(2, 1, cells[1])],
            "'dict' object has no attribute 'read'",
        );
        assert!(cures_of(&cells, &e)
            .iter()
            .all(|c| c.id != "text-or-stream"));
        let cells = ["import json", "x = json.dumps(d, f, g)"];
        let message = "dumps() takes 1 positional argument but 3 were given";
        let e = ipython("TypeError", &[(2, 1, cells[1])], message);
        assert!(cures_of(&cells, &e)
            .iter()
            .all(|c| c.id != "text-or-stream"));
    }
}
