//! Layer classes: what a base class needs besides the user's code.

use crate::case::Case;
use crate::closest::near;
use crate::edit::Change;
use crate::find::{look, only, said};
use crate::known::class_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_expr, Cell, Ranged, TextRange};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let early = text.contains("before Module.__init__() call")
        || text.contains("forgot to call `super().__init__()`")
        || text.contains("forgot to call `super().__init__")
        || text.contains("has no attribute '_modules'")
        || text.contains("has no attribute '_parameters'")
        || text.contains("has no attribute '_forward_hooks'")
        || text.contains("has no attribute '_backward_hooks'");
    if early {
        out.extend(no_super(case));
    } else if case.class() == "NotImplementedError" && text.contains("\"forward\" function")
        || case.class() == "NotImplementedError"
            && text.is_empty()
            && case.called() == Some("_forward_unimplemented")
        || text.contains("does not have a `call()` method implemented")
    {
        out.extend(no_forward(case, text));
    }
}

fn methods(class: &StmtClassDef) -> impl Iterator<Item = &StmtFunctionDef> {
    class.body.iter().filter_map(Stmt::as_function_def_stmt)
}

fn calls_super(init: &StmtFunctionDef) -> bool {
    let mut found = false;
    each_expr(&init.body, &mut |e| {
        found |= e
            .as_attribute_expr()
            .is_some_and(|a| a.attr.as_str() == "__init__");
    });
    found
}

/// The class whose `__init__` is running, or that the message names, and that doesn't call its base
/// class's `__init__`.
fn no_super(case: &Case<'_>) -> Option<Cure> {
    let mut found: Vec<(usize, &Cell, &StmtClassDef, &StmtFunctionDef)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for class in python.body().iter().filter_map(Stmt::as_class_def_stmt) {
            let bare = methods(class).find(|f| f.name.as_str() == "__init__" && !calls_super(f));
            if let (Some(init), Some(_)) = (bare, &class.arguments) {
                found.push((cell, python, class, init));
            }
        }
    }
    let text = case.message();
    let around = case.frames.iter().rev().find_map(|f| {
        let python = case.python(f.cell)?;
        let class = class_around(python, case.statement(f)?)?;
        found
            .iter()
            .find(|(c, _, k, _)| *c == f.cell && k.range() == class.range())
    });
    let told = || {
        let named = |k: &&StmtClassDef| text.contains(&format!("'{}' object", k.name));
        only(found.iter().filter(|(_, _, k, _)| named(k)))
    };
    let (cell, python, class, init) = around.or_else(told).or_else(|| only(found.iter()))?;
    let first = init.body.first()?;
    case.edits(
        said(
            "call-super",
            Basis::Language,
            format!("Begin `{}.__init__` with `super().__init__()`", class.name),
            "The base class keeps the layers; it has to be set up before the first one is stored.",
        ),
        vec![Change::line_before(
            *cell,
            python,
            python.line_of(first.start()),
            "super().__init__()",
        )],
    )
}

fn no_forward(case: &Case<'_>, text: &str) -> Option<Cure> {
    let wanted = match text.contains("`call()`") {
        true => "call",
        false => "forward",
    };
    let named = ["Module [", "Model ", "layer "]
        .iter()
        .find_map(|p| text.split_once(p))
        .map(|(_, rest)| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        });
    let mut found: Vec<(usize, &Cell, &StmtClassDef)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let classes = python.body().iter().filter_map(Stmt::as_class_def_stmt);
        found.extend(classes.map(|c| (cell, python, c)));
    }
    let fits = |c: &StmtClassDef| match named {
        Some(name) => c.name.as_str() == name,
        None => c.arguments.is_some() && !methods(c).any(|m| m.name.as_str() == wanted),
    };
    let (cell, python, class) = *found.iter().find(|(_, _, c)| fits(c))?;
    if methods(class).any(|m| m.name.as_str() == wanted) {
        return None;
    }
    let base = class
        .arguments
        .as_ref()?
        .args
        .first()
        .map(|b| python.slice(b))?;
    // Defined under another name.
    let other = ["call", "__call__", "forward"];
    let alike = methods(class).filter(|m| {
        let name = m.name.as_str();
        near(name, wanted).is_some() || other.contains(&name)
    });
    if let Some(method) = only(alike) {
        return case.edits(
            said(
                "name-forward",
                Basis::Spelled,
                format!("Rename `{}` to `{wanted}`", method.name),
                format!("`{base}` calls `{wanted}`; `{}` has none.", class.name),
            ),
            vec![Change::replace(cell, &method.name, wanted)],
        );
    }
    // Indented too far: a function inside of another method.
    let inner = methods(class).find_map(|m| {
        let mut all = m.body.iter().filter_map(Stmt::as_function_def_stmt);
        all.find(|f| f.name.as_str() == wanted).map(|f| (m, f))
    });
    if let Some((outer, f)) = inner {
        return dedented(case, cell, python, class, outer, f);
    }
    // Defined outside of the class.
    let beside = python.body().iter().filter_map(Stmt::as_function_def_stmt);
    let beside = only(beside.filter(|f| f.name.as_str() == wanted && f.start() > class.end()));
    Some(match beside {
        Some(f) => look(
            "indent-forward",
            format!(
                "Indent `def {wanted}` of line {} into `class {}`",
                python.line_of(f.start()),
                class.name
            ),
            format!(
                "It stands beside the class, so `{}` has no `{wanted}`.",
                class.name
            ),
        ),
        None => look(
            "add-forward",
            format!("Give `{}` a method `{wanted}`", class.name),
            format!(
                "`{base}` calls `{wanted}` with the input; `{}` defines only {}.",
                class.name,
                list(class)
            ),
        ),
    })
}

fn list(class: &StmtClassDef) -> String {
    let all: Vec<String> = methods(class).map(|m| format!("`{}`", m.name)).collect();
    all.join(", ")
}

/// Dedents a method that is nested in another one.
fn dedented(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    class: &StmtClassDef,
    outer: &StmtFunctionDef,
    f: &StmtFunctionDef,
) -> Option<Cure> {
    let (first, last) = (python.line_of(f.start()), python.line_of(f.end()));
    let deep = python.indent(first).len();
    let level = python.indent(python.line_of(outer.start())).len();
    if deep <= level {
        return None;
    }
    let mut lines = Vec::new();
    for n in first..=last {
        let line = python.line(n);
        let cut = line.get(deep - level..).unwrap_or("");
        if !line.trim().is_empty() && python.indent(n).len() < deep - level {
            return None;
        }
        lines.push(cut.to_owned());
    }
    let range = TextRange::new(
        python.line_range(first).start(),
        python.line_range(last).end(),
    );
    let change = Change::replace(cell, range, lines.join("\n"));
    case.edits(
        said(
            "dedent-forward",
            Basis::Language,
            format!("Move `def {}` out of `{}`", f.name, outer.name),
            format!(
                "It is indented into `{}`, so `{}` has no method of that name.",
                outer.name, class.name
            ),
        ),
        vec![change],
    )
}
