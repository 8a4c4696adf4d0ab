//! Called properties, an uninitialized base class, missing arguments.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, lines_before, look, name, only, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_expr, each_stmt, name_of, Ranged, TextRange};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "AttributeError" => set_up(case, message).or_else(|| kept_otherwise(case, message)),
        "TypeError" if python::NOT_CALLABLE.is_in(message) => property(case),
        _ => None,
    });
}

/// An own estimator that keeps an argument of `__init__` under another name: scikit-learn's `get_params` reads each by its own.
fn kept_otherwise(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [kind, argument] = python::ATTRIBUTE.read(message)?;
    let asked = case.error().frames.iter().any(|f| {
        f.function
            .as_deref()
            .is_some_and(|n| n.ends_with("get_params"))
    });
    asked.then_some(())?;
    let all = classes(case);
    let (cell, class) = all.iter().find(|(_, c)| c.name.as_str() == kind)?;
    let python = case.python(*cell)?;
    let init = methods(class).find(|m| m.name.as_str() == "__init__")?;
    init.parameters.includes(argument).then_some(())?;
    let own = |e: &'_ Expr| -> Option<String> {
        let a = e.as_attribute_expr()?;
        (name(&a.value) == Some("self")).then(|| a.attr.to_string())
    };
    let kept = init.body.iter().find_map(|s| {
        let assign = s
            .as_assign_stmt()
            .filter(|a| name(&a.value) == Some(argument))?;
        own(only(assign.targets.iter())?)
    });
    let line = format!("self.{argument} = {argument}");
    let (title, changes) = match kept {
        Some(other) => {
            let mut changes = Vec::new();
            each_expr(&class.body, &mut |e| {
                if own(e).as_deref() == Some(other.as_str()) {
                    changes.push(Change::replace(*cell, e, format!("self.{argument}")));
                }
            });
            (
                format!("Keep `{argument}` as `self.{argument}`, not as `self.{other}`"),
                changes,
            )
        }
        None => (
            format!("Begin `__init__` of `{kind}` with `{line}`"),
            vec![crate::code::Editor::new(*cell, python).above(init.body.first()?, &line)],
        ),
    };
    case.edits(
        said(
            "kept-by-name",
            Basis::Library,
            title,
            "scikit-learn copies an estimator by its arguments, and reads each from the attribute of the same name.",
        ),
        changes,
    )
}

/// Names a missing argument if nothing else is known.
pub(super) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "TypeError" {
        out.extend(missing(case, case.message()));
    }
}

/// A required argument of a library function or class. The user's own functions have their own
/// technique.
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

/// The classes in the cells that ran, with their cells, latest first.
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
            Basis::Source,
            format!("Write `{text}` without brackets"),
            format!(
                "`{}` is a property: reading it calls the function already.",
                callee(call)?
            ),
        ),
        vec![Change::replace(spot.cell, brackets, "")],
    )
}

/// `self.name` is set by the base class's `__init__`, which the class's own `__init__` doesn't
/// call.
fn set_up(case: &Case<'_>, message: &str) -> Option<Cure> {
    message.ends_with('\'').then_some(())?;
    let [kind, attribute] = python::ATTRIBUTE.read(message)?;
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
    // Its own `__init__` must have the arguments that the base class needs.
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
            Basis::Source,
            format!("Begin `__init__` of `{kind}` with `{line}`"),
            format!("`{attribute}` is set by `__init__` of `{}`, which nothing calls: `{kind}` has an `__init__` of its own.", base.name),
        ),
        vec![lines_before(*cell, python, first, &line)],
    )
}
