//! Methods that an object doesn't have, properties that are called, a base class that was not set up.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, lines_before, look, name, only, receiver, said};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_stmt, name_of, Ranged, TextRange};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "AttributeError" => sorted(case, message).or_else(|| set_up(case, message)),
        "TypeError" if message.ends_with("object is not callable") => property(case),
        _ => None,
    });
}

/// Names an argument that is missing, where nothing else is known.
pub(super) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    if out.is_empty() && case.class() == "TypeError" {
        out.extend(missing(case, case.message()));
    }
}

/// An argument that a library's function or class cannot do without. An own one has a technique of its own.
fn missing(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (function, argument) = message.split_once("() missing 1 required ")?;
    let argument = argument.split_once('\'')?.1.strip_suffix('\'')?;
    let mut path = function.rsplit('.');
    let called = match path.next()? {
        "__init__" => path.next()?,
        method => method,
    };
    if case.last_set(called).is_some_and(|s| {
        s.binding.stmt.is_function_def_stmt() || s.binding.stmt.is_class_def_stmt()
    }) {
        return None;
    }
    let spot = case.spot()?;
    let call = spot.call(called)?;
    let text = spot.text(call);
    let head = text.strip_suffix(')').filter(|t| !t.contains('\n'))?;
    let comma = if call.arguments.is_empty() { "" } else { ", " };
    Some(look(
        "missing-argument",
        format!("Give `{called}` its `{argument}`: `{head}{comma}{argument}=…)`"),
        format!("`{called}` has no value of its own for `{argument}`. `help({called})` says what it means."),
    ))
}

/// Kinds that have an order of their own, or none, and no method to sort.
const UNSORTABLE: &[&str] = &[
    "dict",
    "dict_items",
    "dict_keys",
    "dict_values",
    "frozenset",
    "generator",
    "map",
    "set",
    "str",
    "tuple",
    "zip",
];

/// `c.sort(reverse=True)` of a Counter, `d.keys().sort()`.
fn sorted(case: &Case<'_>, message: &str) -> Option<Cure> {
    let kind = message
        .strip_prefix('\'')?
        .strip_suffix("' object has no attribute 'sort'")?;
    let spot = case.spot()?;
    let call = spot.call("sort")?;
    let on = receiver(call)?;
    let text = spot.text(on);
    // `most_common` begins with the most frequent, which `sort` alone would not.
    let applies = match kind {
        "Counter" => Applicability::Likely,
        _ => Applicability::Sure,
    };
    let (new, why) = match kind {
        "Counter" => (
            format!("{text}.most_common()"),
            "A Counter has no order to change; `most_common` gives its elements with their counts, the most frequent first.",
        ),
        kind if UNSORTABLE.contains(&kind) => {
            let inner = call.arguments.range();
            let inner = spot.text(inner).strip_prefix('(');
            let arguments = inner.and_then(|t| t.strip_suffix(')'))?;
            let comma = if arguments.trim().is_empty() { "" } else { ", " };
            (
                format!("sorted({text}{comma}{arguments})"),
                "Only a list can be sorted in place; `sorted` gives a new, sorted list of anything.",
            )
        }
        _ => return None,
    };
    // `keys.sort()` alone: the name becomes the list.
    let alone = spot.stmt.and_then(Stmt::as_expr_stmt);
    let alone = alone
        .filter(|s| s.value.range() == call.range())
        .and(name(on));
    let written = alone.map_or(new.clone(), |n| format!("{n} = {new}"));
    case.edits(
        said(
            "sorted-copy",
            applies,
            format!("Replace `{}` by `{written}`", spot.text(call)),
            why,
        ),
        vec![Change::replace(spot.cell, call, written)],
    )
}

/// The classes of the cells that ran, each with its cell, the latest first.
fn classes<'c>(case: &'c Case<'_>) -> Vec<(usize, &'c StmtClassDef)> {
    let mut out = Vec::new();
    for cell in case.seen() {
        if let Some(python) = case.python(cell) {
            each_stmt(python.body(), &mut |s| {
                out.extend(s.as_class_def_stmt().map(|c| (cell, c)));
            });
        }
    }
    out
}

fn methods(class: &StmtClassDef) -> impl Iterator<Item = &StmtFunctionDef> {
    class.body.iter().filter_map(|s| s.as_function_def_stmt())
}

/// `square.area()`, where `area` is a property.
fn property(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |method: &str| {
        classes(case).iter().any(|(_, c)| {
            methods(c).any(|m| {
                let by = |d: &str| d == "property" || d.ends_with("cached_property");
                let decorators = m.decorator_list.iter();
                m.name.as_str() == method
                    && decorators
                        .filter_map(|d| name_of(&d.expression))
                        .any(|d| by(&d))
            })
        })
    };
    let calls = spot
        .calls()
        .filter(|c| c.arguments.is_empty() && receiver(c).is_some());
    let call = only(calls.filter(|c| callee(c).is_some_and(is)))?;
    let text = spot.text(&*call.func);
    let brackets = TextRange::new(call.func.end(), call.end());
    case.edits(
        said(
            "property-called",
            Applicability::Sure,
            format!("Write `{text}` without brackets"),
            format!(
                "`{}` is a property: reading it calls the function already.",
                callee(call)?
            ),
        ),
        vec![Change::replace(spot.cell, brackets, "")],
    )
}

/// `self.name` is set by the base class's `__init__`, which the class's own one doesn't call.
fn set_up(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (kind, attribute) = message
        .strip_prefix('\'')?
        .strip_suffix('\'')?
        .split_once("' object has no attribute '")?;
    let all = classes(case);
    let find = |n: &str| all.iter().find(|(_, c)| c.name.as_str() == n);
    let (cell, class) = find(kind)?;
    let python = case.python(*cell)?;
    let base = class
        .arguments
        .as_ref()?
        .args
        .iter()
        .find_map(|b| find(name(b)?))?
        .1;
    let init = |c: &'_ StmtClassDef| methods(c).position(|m| m.name.as_str() == "__init__");
    let of = |c, at| methods(c).nth(at);
    let (own, theirs) = (of(class, init(class)?)?, of(base, init(base)?)?);
    let mut sets = false;
    each_stmt(&theirs.body, &mut |s| {
        let targets = match s {
            Stmt::Assign(a) => &a.targets[..],
            Stmt::AnnAssign(a) => std::slice::from_ref(&*a.target),
            _ => &[],
        };
        sets |= targets.iter().any(|t| {
            let t = t.as_attribute_expr();
            t.is_some_and(|t| t.attr.as_str() == attribute && name(&t.value) == Some("self"))
        });
    });
    let calls = nbmedic_python::calls(&own.body);
    let called = calls.iter().any(|c| callee(c) == Some("__init__"));
    // Its own `__init__` must have what the base's needs.
    let mut arguments: Vec<&str> = Vec::new();
    for p in theirs.parameters.iter_non_variadic_params().skip(1) {
        match (own.parameters.includes(p.name()), p.default()) {
            (true, _) => arguments.push(p.name().as_str()),
            (false, Some(_)) => {}
            (false, None) => return None,
        }
    }
    if !sets || called {
        return None;
    }
    let first = own.body.first()?;
    let line = format!("super().__init__({})", arguments.join(", "));
    case.edits(
        said(
            "base-set-up",
            Applicability::Sure,
            format!("Begin `__init__` of `{kind}` with `{line}`"),
            format!("`{attribute}` is set by `__init__` of `{}`, which nothing calls: `{kind}` has an `__init__` of its own.", base.name),
        ),
        vec![lines_before(*cell, python, first, &line)],
    )
}
