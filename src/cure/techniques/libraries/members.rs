//! `'DataFrame' object has no attribute 'appned'`: members of a class.

use super::library::{called, close, libraries, library, newer};
use crate::case::Case;
use crate::closest::{closest, near};
use crate::edit::Change;
use crate::find::{look, one_line, only, said};
use crate::sized::{Sources, MAX_STEPS};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::ExprAttribute;
use nbmedic_python::{Cell, Ranged};
use nbmedic_values::Model;
use nbmedic_wordings::python;

/// Built-in types and their members.
#[rustfmt::skip] // a type's in one line
const BUILTIN: &[(&str, &[&str])] = &[
    ("list", &["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"]),
    ("dict", &["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"]),
    ("deque", &["append", "appendleft", "clear", "copy", "count", "extend", "extendleft", "index", "insert", "pop", "popleft", "remove", "reverse", "rotate"]),
    ("set", &["add", "clear", "copy", "difference", "discard", "intersection", "isdisjoint", "issubset", "issuperset", "pop", "remove", "union", "update"]),
    ("tuple", &["count", "index"]),
    ("str", &["capitalize", "casefold", "center", "count", "encode", "endswith", "find", "format", "index", "isalnum", "isalpha", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "ljust", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "translate", "upper", "zfill"]),
    ("bytes", &["decode", "hex", "split", "strip", "replace", "startswith", "endswith", "find", "join"]),
];

/// The only member of a class with the meaning that this name has in other libraries.
fn same<'m>(wrong: &str, members: impl Iterator<Item = &'m str>) -> Option<&'m str> {
    let others = crate::same::members(wrong);
    only(members.filter(|m| others.contains(m)))
}

pub(super) fn offer(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    if case.in_library() && !is_getattr(case) {
        return None;
    }
    let found = python::ATTRIBUTE.read(message);
    let [class, name] = found.filter(|_| message.starts_with('\''))?;
    let (cell, python, found) = attribute(case, name)?;
    let short = class.rsplit('.').next().unwrap_or(class);
    if let Some((_, members)) = BUILTIN.iter().find(|(c, _)| *c == short) {
        let members = || members.iter().copied();
        let new = same(name, members()).or_else(|| closest(name, members()))?;
        return rename(
            case,
            cell,
            python,
            found,
            new,
            format!("A {short} has no `{name}`; `{new}` is the closest of what it has."),
        );
    }
    // A class of that name in the notebook is a different one.
    if case
        .last_set(short)
        .is_some_and(|s| s.binding.stmt.is_class_def_stmt())
    {
        return None;
    }
    // JAX's arrays have NumPy's members.
    let (short, jax) = match short {
        "ArrayImpl" => ("ndarray", library(case, "numpy")),
        other => (other, None),
    };
    // pandas and polars have tables and columns of the same names.
    let sources = Sources(case);
    let value = Model::new(&sources, MAX_STEPS).of(cell, &found.value);
    let polars = value.kind.starts_with("Polars");
    let all = jax.into_iter().chain(libraries(case));
    for library in all.filter(|l| !polars || l.table.library() == "polars") {
        let (table, release) = (&library.table, library.release);
        let classes = table.classes(short);
        let Some(path) = only(classes.iter()).or(classes.first()) else {
            continue;
        };
        let whole = format!("{path}.{name}");
        let known = table.find(&whole);
        if let Some(n) = &known {
            if n.is_in(release) && library.certain {
                return None;
            }
            if n.is_in(release) || n.gone_in(release).is_none() {
                return newer(case, &library, &format!("{short}.{name}"), n.since()?);
            }
        }
        let gone = known.and_then(|n| n.gone_in(release));
        let new = close(&library, path, name).filter(|_| !case.knows_key(name));
        if let Some(new) = new {
            if gone.is_none() || near(name, new) == Some(0) {
                let why = match gone {
                    Some(g) => format!(
                        "{} {} removed `{name}`; `{new}` is there.",
                        called(table.library()),
                        g.first_without
                    ),
                    None => {
                        format!("A {short} has no `{name}`; `{new}` is the closest of what it has.")
                    }
                };
                return rename(case, cell, python, found, new, why);
            }
        }
        let all = table.members(path, release);
        if let Some(new) = same(name, all.iter().map(|(n, _)| *n)).filter(|_| gone.is_none()) {
            let why = format!("A {short} has no `{name}`; what others call so is `{new}` here.");
            return rename(case, cell, python, found, new, why);
        }
        let gone = gone?;
        return Some(look(
            "library-name-gone",
            format!(
                "Replace `{}`: {} removed it",
                one_line(python.slice(found)),
                called(table.library())
            ),
            format!(
                "`{short}.{name}` went in {} {}; {} was the last release with it.",
                called(table.library()),
                gone.first_without,
                gone.last
            ),
        ));
    }
    None
}

/// Tables and models look up attributes in Python code; such a frame isn't a call.
fn is_getattr(case: &Case<'_>) -> bool {
    let last = case.error().frames.last();
    last.and_then(|f| f.function.as_deref())
        .is_some_and(|f| f.rsplit('.').next().is_some_and(|f| f.contains("getattr")))
}

/// The only attribute access with that name on the user's failing line.
fn attribute<'c>(case: &'c Case<'_>, name: &str) -> Option<(usize, &'c Cell, &'c ExprAttribute)> {
    let spot = case.spot()?;
    let found = only(spot.attributes(name))?;
    Some((spot.cell, spot.python, found))
}

fn rename(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    found: &ExprAttribute,
    new: &str,
    why: String,
) -> Option<Cure> {
    let old = found.attr.as_str();
    // One extra letter in a longer name leaves no doubt.
    let basis = match near(old, new) {
        Some(0 | 1) if old.len() > 4 => Basis::Spelled,
        _ => Basis::Alike,
    };
    let value = one_line(python.slice(found.value.range()));
    case.edits(
        said(
            "library-member",
            basis,
            format!("Replace `{value}.{old}` by `{value}.{new}`"),
            why,
        ),
        vec![Change::replace(cell, &found.attr, new)],
    )
}
