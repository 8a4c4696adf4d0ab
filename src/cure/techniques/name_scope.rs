//! Names set where the failing line can't see them: below, in a function, in a branch that didn't run.

use crate::case::Case;
use crate::edit::{Change, Said};
use crate::find::{missing_name, Spot};
use crate::known::{class_around, function_around, Set};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_expr, each_stmt, name_of, Cell, Ranged, TextRange, TextSize};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let (Some(name), Some(spot)) = (missing_name(case.message()), case.spot()) else {
        return;
    };
    let cure = member(case, &spot, name)
        .or_else(|| below(case, &spot, name))
        .or_else(|| not_taken(case, name))
        .or_else(|| in_function(case, name))
        .or_else(|| training(case, name));
    out.extend(cure);
}

fn look(id: &'static str, title: String, why: String) -> Cure {
    Cure {
        id: id.into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title,
        why,
        ..Cure::default()
    }
}

/// A member of the enclosing class, read without `self`; or `self` itself, which the method doesn't
/// take.
fn member(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let stmt = spot.stmt?;
    let method = function_around(spot.python, stmt)?;
    let class = class_around(spot.python, method)?;
    let first = method.parameters.iter().next().map(|p| p.name().as_str());
    if name == "self" {
        return without_self(case, spot.cell, spot.python, method);
    }
    if first != Some("self") || case.exists(name) || !members(class).contains(&name) {
        return None;
    }
    let mut changes = Vec::new();
    each_expr(&method.body, &mut |e| {
        if e.as_name_expr().is_some_and(|n| n.id.as_str() == name) {
            changes.push(Change::before(spot.cell, e, "self."));
        }
    });
    let said = Said {
        id: "self-member",
        basis: Basis::Assumed,
        title: format!("Replace `{name}` by `self.{name}` in `{}`", method.name),
        why: format!(
            "`{name}` is a member of `{}`; a method reaches it only through `self`.",
            class.name
        ),
    };
    case.edits(said, changes)
}

/// The methods of a class, and the attributes that they set on `self`.
pub(crate) fn members(class: &StmtClassDef) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for stmt in &class.body {
        out.extend(stmt.as_function_def_stmt().map(|f| f.name.as_str()));
        if let Stmt::Assign(a) = stmt {
            out.extend(
                a.targets
                    .iter()
                    .filter_map(|t| t.as_name_expr())
                    .map(|n| n.id.as_str()),
            );
        }
    }
    each_expr(&class.body, &mut |e| {
        let Some(a) = e.as_attribute_expr().filter(|a| a.ctx.is_store()) else {
            return;
        };
        if a.value
            .as_name_expr()
            .is_some_and(|n| n.id.as_str() == "self")
        {
            out.push(a.attr.as_str());
        }
    });
    out
}

/// Adds the parameter `self` to a method.
pub(crate) fn without_self(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    method: &StmtFunctionDef,
) -> Option<Cure> {
    let open = python.slice(method.parameters.range());
    if !open.starts_with('(') {
        return None;
    }
    let at = method.parameters.start() + TextSize::of('(');
    let text = if method.parameters.iter().next().is_some() {
        "self, "
    } else {
        "self"
    };
    let said = Said {
        id: "self-parameter",
        basis: Basis::Language,
        title: format!("Give `{}` the parameter `self`", method.name),
        why: "Python passes the object itself as a method's first argument.".to_owned(),
    };
    case.edits(
        said,
        vec![Change::replace(cell, TextRange::empty(at), text)],
    )
}

/// The same cell sets it further down.
fn below(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    if case.last_set(name).is_some() {
        return None;
    }
    let python = case.python(case.at)?;
    let line = case.frames.iter().find(|f| f.cell == case.at)?.line;
    let names = python.names();
    let set = names
        .sets(name)
        .find(|b| python.line_of(b.at.start()) > line)?;
    let at = python.line_of(set.stmt.start());
    let top = python.body().iter().any(|s| s.range() == set.stmt.range());
    let title = format!("Move line {at}, which sets `{name}`, above line {line}");
    let why = format!("Line {line} runs first, and `{name}` does not exist there yet.");
    // Only a self-contained statement that needs nothing from the lines in between may move.
    let from = python.line_of(set.stmt.start());
    let until = python.line_of(set.stmt.end());
    let needs_between = names.uses.iter().any(|u| {
        set.stmt.range().contains_range(u.at)
            && !u.deferred
            && names.sets(u.name).any(|b| {
                let l = python.line_of(b.at.start());
                (line..at).contains(&l)
            })
    });
    let alone = python.body().iter().all(|s| {
        s.range() == set.stmt.range()
            || python.line_of(s.end()) < from
            || python.line_of(s.start()) > until
    });
    let target = python
        .body()
        .iter()
        .find(|s| python.line_of(s.start()) <= line && line <= python.line_of(s.end()))?;
    if !top || needs_between || !alone || spot.cell != case.at {
        return Some(look("set-below", title, why));
    }
    let lines: String = (from..=until)
        .map(|l| format!("{}\n", python.line(l)))
        .collect();
    let start = python.line_range(python.line_of(target.start())).start();
    let first = python.line_range(from).start();
    let last = python.line_range(until + 1).start();
    // The last line of a cell may lack a final newline.
    let (gone, text) = if until as usize >= python.line_count() {
        let before = python.line_range(from - 1).end();
        (
            TextRange::new(before, python.line_range(until).end()),
            lines,
        )
    } else {
        (TextRange::new(first, last), lines)
    };
    let said = Said {
        id: "set-below",
        basis: Basis::Assumed,
        title: title.clone(),
        why: why.clone(),
    };
    let changes = vec![
        Change::replace(case.at, TextRange::empty(start), text),
        Change::replace(case.at, gone, ""),
    ];
    case.edits(said, changes)
        .or(Some(look("set-below", title, why)))
}

/// The statement around a binding that decides whether it runs.
fn decider(python: &Cell, at: TextRange) -> Option<&Stmt> {
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        let decides = matches!(
            s,
            Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::Try(_) | Stmt::Match(_)
        );
        if decides && s.range().contains_range(at) {
            found = Some(s);
        }
    });
    found
}

/// It is only set in a branch, loop or `try` that didn't reach the assignment.
fn not_taken(case: &Case<'_>, name: &str) -> Option<Cure> {
    let sets: Vec<Set<'_>> = case.set_before(name);
    let set = sets.first()?;
    if sets.iter().any(|s| !s.binding.conditional) {
        return None;
    }
    let python = case.python(set.cell)?;
    let stmt = decider(python, set.binding.at)?;
    let line = python.line_of(stmt.start());
    let place = if set.cell == case.at {
        format!("line {line}")
    } else {
        format!("cell {}, line {line}", case.position(set.cell))
    };
    let head = python.line(line).trim().to_owned();
    let why = match stmt {
        Stmt::For(f) => format!(
            "`{name}` is set only inside the loop over `{}` ({place}), which had no elements.",
            python.slice(&*f.iter)
        ),
        Stmt::While(_) => {
            format!("`{name}` is set only inside `{head}` ({place}), which did not run once.")
        }
        Stmt::Try(_) => {
            format!("`{name}` is set only inside the `try` ({place}), which stopped before it.")
        }
        _ => format!("`{name}` is set only under `{head}` ({place}), and that branch did not run."),
    };
    Some(look(
        "branch-not-run",
        format!("Set `{name}` before {place}, for the case that its value is not set there"),
        why,
    ))
}

/// It is only set in a function.
fn in_function(case: &Case<'_>, name: &str) -> Option<Cure> {
    if case.exists(name) || !case.set_elsewhere(name).is_empty() {
        return None;
    }
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    let mut found: Option<(usize, &str, u32)> = None;
    for cell in cells.into_iter().rev() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let names = python.names();
        let local = names
            .binds
            .iter()
            .rev()
            .find(|b| b.name == name && b.function.is_some());
        if let Some((local, function)) = local.and_then(|b| Some((b, b.function?))) {
            found = Some((cell, function, python.line_of(local.at.start())));
            break;
        }
    }
    let (cell, function, line) = found?;
    let python = case.python(cell)?;
    let mut def: Option<&StmtFunctionDef> = None;
    each_stmt(python.body(), &mut |s| {
        let this = s.as_function_def_stmt();
        def = def.or(this.filter(|f| f.name.as_str() == function));
    });
    let def = def?;
    let returned = returns(def);
    let place = case.position(cell);
    if let Some(returned) = returned {
        let gives = python.slice(returned);
        let same = returned
            .as_name_expr()
            .is_some_and(|n| n.id.as_str() == name);
        if same {
            return Some(returned_but_dropped(case, function, name).unwrap_or_else(|| {
                look(
                    "local-name",
                    format!("Assign what `{function}` returns: `{name} = {function}(…)`"),
                    format!("`{name}` exists only inside `{function}` (cell {place}, line {line}), which returns it."),
                )
            }));
        }
        return Some(look(
            "local-name",
            format!("Return `{name}` from `{function}` too, and assign it where you call it"),
            format!("`{name}` exists only inside `{function}` (cell {place}, line {line}), which returns `{gives}`."),
        ));
    }
    Some(look(
        "local-name",
        format!("Add `return {name}` at the end of `{function}`, and call it as `{name} = {function}(…)`"),
        format!("`{name}` exists only inside `{function}` (cell {place}, line {line})."),
    ))
}

/// The value that a function returns, if it has exactly one `return` with a value.
pub(crate) fn returns(def: &StmtFunctionDef) -> Option<&Expr> {
    let mut all = Vec::new();
    each_stmt(&def.body, &mut |s| {
        if let Stmt::Return(r) = s {
            all.extend(r.value.as_deref());
        }
    });
    all.into_iter().next_back()
}

/// A call, as a statement of an earlier cell, whose result was discarded.
fn dropped<'c>(case: &'c Case<'_>, is: &dyn Fn(&str) -> bool) -> Option<(usize, &'c Stmt)> {
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    for cell in cells.into_iter().rev() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found = None;
        each_stmt(python.body(), &mut |s| {
            let call = s.as_expr_stmt().and_then(|e| e.value.as_call_expr());
            let path = call.and_then(|c| name_of(&c.func));
            if path.is_some_and(|p| is(&p)) && function_around(python, s).is_none() {
                found = Some(s);
            }
        });
        if let Some(stmt) = found {
            return Some((cell, stmt));
        }
    }
    None
}

fn returned_but_dropped(case: &Case<'_>, function: &str, name: &str) -> Option<Cure> {
    let (cell, stmt) = dropped(case, &|path| path == function)?;
    let said = Said {
        id: "local-name",
        basis: Basis::Assumed,
        title: format!("Assign what `{function}` returns: `{name} = {function}(…)`"),
        why: format!(
            "`{name}` exists only inside `{function}`; cell {} calls it and drops the value.",
            case.position(cell)
        ),
    };
    case.edits(said, vec![Change::before(cell, stmt, format!("{name} = "))])
}

/// `history`, although the result of `model.fit(…)` was discarded.
fn training(case: &Case<'_>, name: &str) -> Option<Cure> {
    let plain = name.to_ascii_lowercase();
    if !plain.contains("hist") || case.exists(name) || !case.set_elsewhere(name).is_empty() {
        return None;
    }
    let (cell, stmt) = dropped(case, &|path| {
        path.ends_with(".fit") || path.ends_with(".fit_generator")
    })?;
    let python = case.python(cell)?;
    let call = stmt.as_expr_stmt()?.value.as_call_expr()?;
    let path = name_of(&call.func)?;
    let line = python.line_of(stmt.start());
    let said = Said {
        id: "keep-history",
        basis: Basis::Assumed,
        title: format!("Keep what `{path}(…)` returns: `{name} = {path}(…)`"),
        why: format!(
            "Line {line} of cell {} trains, but drops the history. The training runs again.",
            case.position(cell)
        ),
    };
    case.edits(said, vec![Change::before(cell, stmt, format!("{name} = "))])
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    fn undefined(frames: &[(i64, u32, &str)], name: &str) -> String {
        ipython(
            "NameError",
            frames,
            &format!("name '{name}' is not defined"),
        )
    }

    #[test]
    fn a_statement_below_moves_up() {
        let cells = ["print(limit)\nx = 1\nlimit = 3"];
        let e = undefined(&[(1, 1, "print(limit)")], "limit");
        assert_eq!(repaired(&cells, &e), "limit = 3\nprint(limit)\nx = 1");
        let cells = ["show(3)\n\ndef show(n):\n    print(n)\n"];
        let e = undefined(&[(1, 1, "show(3)")], "show");
        assert_eq!(
            repaired(&cells, &e),
            "def show(n):\n    print(n)\nshow(3)\n\n"
        );
        // It needs the lines in between, so there is no edit.
        let cells = ["print(limit)\nx = 1\nlimit = x + 3"];
        let e = undefined(&[(1, 1, "print(limit)")], "limit");
        let cures = cures_of(&cells, &e);
        assert!(cures[0].edits.is_empty());
        assert_eq!(
            cures[0].title,
            "Move line 3, which sets `limit`, above line 1"
        );
    }

    #[test]
    fn members_are_read_through_self() {
        let cells = [
            "class Net:\n    def __init__(self):\n        self.size = 3\n    def area(self):\n        return size * size",
            "Net().area()",
        ];
        let e = undefined(
            &[(2, 1, "Net().area()"), (1, 5, "        return size * size")],
            "size",
        );
        assert!(repaired(&cells, &e).ends_with("return self.size * self.size"));
        let cells = [
            "class Net:\n    def area():\n        return self.size",
            "Net.area()",
        ];
        let e = undefined(
            &[(2, 1, "Net.area()"), (1, 3, "        return self.size")],
            "self",
        );
        assert!(repaired(&cells, &e).contains("def area(self):"));
    }

    #[test]
    fn a_branch_that_did_not_run_is_named() {
        let cells = ["for row in rows:\n    last = row", "print(last)"];
        let e = undefined(&[(2, 1, "print(last)")], "last");
        let cures = cures_of(&cells, &e);
        assert_eq!(
            cures[0].why,
            "`last` is set only inside the loop over `rows` (cell 1, line 1), which had no elements."
        );
    }

    #[test]
    fn what_a_function_keeps_to_itself_is_returned() {
        let cells = [
            "def train(n):\n    model = n\n    return model",
            "train(3)",
            "print(model)",
        ];
        let e = undefined(&[(3, 1, "print(model)")], "model");
        let cures = cures_of(&cells, &e);
        assert_eq!(cures[0].code, "model = train(3)");
        assert_eq!(cures[0].run, [2, 3]);
        let cells = ["def train(n):\n    model = n", "train(3)", "print(model)"];
        assert!(cures_of(&cells, &e)[0]
            .title
            .starts_with("Add `return model`"));
    }

    #[test]
    fn a_training_whose_history_was_dropped_keeps_it() {
        let cells = ["model.fit(x, y, epochs=3)", "print(history.history)"];
        let e = undefined(&[(2, 1, "print(history.history)")], "history");
        assert_eq!(repaired(&cells, &e), "history = model.fit(x, y, epochs=3)");
    }
}
