//! Variables that shadow a function, class or module.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{look, name, only, said, Spot};
use crate::known::{attributes, is_builtin, Set};
use crate::techniques::libraries::has_member;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Keyword, Stmt};
use nbmedic_python::{each_expr, BindKind, Cell, Ranged, TextRange, TextSize};
use nbmedic_wordings::python;

/// Keyword arguments that take a function or type.
const TAKE_FUNCTIONS: &[&str] = &["key", "dtype", "default_factory", "func", "aggfunc", "type"];

/// Functions that take a function or type at a position.
const OF_FUNCTIONS: &[(&str, usize)] = &[
    ("isinstance", 1),
    ("issubclass", 1),
    ("map", 0),
    ("filter", 0),
    ("reduce", 0),
    ("defaultdict", 0),
    ("apply", 0),
    ("astype", 0),
];

/// The shadowing variable, and what the name was before.
struct Taken<'c> {
    name: &'c str,
    /// The cell and place where the variable is assigned.
    cell: usize,
    from: TextSize,
    /// The earlier definition. None if the name is a Python built-in.
    origin: Option<Set<'c>>,
    /// If a module is shadowed: only an access to this member means the module.
    member: Option<&'c str>,
}

/// `pd = [1]`, then `pd.DataFrame(…)`.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    match case.class() {
        "AttributeError" => out.extend(of_a_module(case)),
        "TypeError" | "ValueError" => {
            out.extend(of_an_argument(case).or_else(|| of_a_method(case)))
        }
        _ => {}
    }
}

/// `astype(str)` and `sorted(x, key=len)`, where the built-in is now a variable.
fn of_an_argument(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut given = spot.calls().flat_map(types_given);
    given.find_map(|e| {
        let name = name(e).filter(|n| is_builtin(n))?;
        let set = case
            .last_set(name)
            .filter(|s| is_variable(s.binding.kind))?;
        let taken = Taken {
            name,
            cell: set.cell,
            from: set.binding.at.start(),
            origin: None,
            member: None,
        };
        freed(case, &taken)
    })
}

/// `self.score = best` in a class with a method `score`: from then on the object has the value there.
fn of_a_method(case: &Case<'_>) -> Option<Cure> {
    python::NOT_CALLABLE.is_in(case.message()).then_some(())?;
    let spot = case.spot()?;
    let called: Vec<&str> = spot
        .calls()
        .filter_map(|c| Some(c.func.as_attribute_expr()?.attr.as_str()))
        .collect();
    let mut found = Vec::new();
    for (cell, stmt) in case.living() {
        let Some(class) = stmt.as_class_def_stmt() else {
            continue;
        };
        let methods = class.body.iter().filter_map(Stmt::as_function_def_stmt);
        let hidden = methods
            .map(|f| f.name.as_str())
            .find(|m| called.contains(m) && !attributes(class, m).is_empty());
        found.extend(hidden.map(|m| (cell, class, m)));
    }
    let (cell, class, method) = only(found.into_iter())?;
    let new = format!("{method}_value");
    let mut calls = Vec::new();
    let mut changes = Vec::new();
    each_expr(&class.body, &mut |e| match e {
        Expr::Call(c) => calls.push(c.func.range()),
        Expr::Attribute(a)
            if a.attr.as_str() == method
                && name(&a.value) == Some("self")
                && !calls.contains(&a.range) =>
        {
            changes.push(Change::replace(cell, &a.attr, new.as_str()));
        }
        _ => {}
    });
    case.edits(
        said(
            "method-hidden",
            Basis::Source,
            format!("Call the attribute `{new}`, so that `{method}` stays the method"),
            format!(
                "`{}` sets `self.{method}`, which hides its method of that name.",
                class.name
            ),
        ),
        changes,
    )
}

/// The arguments of a call that are a function or type.
fn types_given(call: &ExprCall) -> Vec<&Expr> {
    let takes = |k: &&Keyword| {
        k.arg
            .as_ref()
            .is_some_and(|a| TAKE_FUNCTIONS.contains(&a.as_str()))
    };
    let mut out: Vec<&Expr> = call
        .arguments
        .keywords
        .iter()
        .filter(takes)
        .map(|k| &k.value)
        .collect();
    let callee = crate::find::callee(call).unwrap_or("");
    for (_, at) in OF_FUNCTIONS.iter().filter(|(f, _)| *f == callee) {
        let Some(argument) = call.arguments.args.get(*at) else {
            continue;
        };
        out.push(argument);
        if let Expr::Tuple(several) = argument {
            out.extend(&several.elts);
        }
    }
    out
}

fn of_a_module(case: &Case<'_>) -> Option<Cure> {
    let [missing] = python::NO_ATTRIBUTE.read(case.message())?;
    let spot = case.spot()?;
    let mut found = None;
    for a in spot.attributes(missing) {
        found = found.or_else(|| a.value.as_name_expr().map(|n| n.id.as_str()));
    }
    let name = found?;
    let mut sets = case.set_before(name).into_iter();
    let first = sets.next().filter(|s| is_variable(s.binding.kind))?;
    let origin = sets.find(|s| s.binding.kind == BindKind::Import)?;
    let taken = Taken {
        name,
        cell: first.cell,
        from: first.binding.at.start(),
        origin: Some(origin),
        member: Some(missing),
    };
    freed(case, &taken)
}

/// Whether a binding is a value rather than a function, class or module.
fn is_variable(kind: BindKind) -> bool {
    matches!(
        kind,
        BindKind::Assign | BindKind::Loop | BindKind::As | BindKind::Augmented
    )
}

/// A call of a name that is now a variable.
pub(super) fn of_a_call(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    for call in spot.calls() {
        let Some(name) = call.func.as_name_expr().map(|n| n.id.as_str()) else {
            continue;
        };
        let sets = case.set_before(name);
        // The failing statement itself takes the name and ran before.
        let itself = spot.stmt.and_then(|s| s.as_assign_stmt()).is_some_and(|a| {
            a.targets
                .iter()
                .any(|t| t.as_name_expr().is_some_and(|n| n.id.as_str() == name))
        });
        let first = sets.first().filter(|s| is_variable(s.binding.kind));
        let (cell, from) = match first {
            Some(s) => (s.cell, s.binding.at.start()),
            None if itself => (spot.cell, spot.stmt?.start()),
            None => continue,
        };
        let origin = sets.into_iter().find(|s| !is_variable(s.binding.kind));
        if origin.is_none() && !is_builtin(name) {
            continue;
        }
        let taken = Taken {
            name,
            cell,
            from,
            origin,
            member: None,
        };
        return freed(case, &taken);
    }
    None
}

/// A built-in function shadowed by a variable that no cell shows: the only function that the
/// statement calls.
pub(super) fn hidden(spot: &Spot<'_>) -> Option<Cure> {
    let mut called = spot.calls().map(|c| {
        let name = c.func.as_name_expr().map(|n| n.id.as_str());
        name.filter(|n| is_builtin(n))
    });
    let name = called.next()??;
    if !called.all(|other| other == Some(name)) {
        return None;
    }
    Some(Cure {
        code: format!("del {name}"),
        language: "python".into(),
        ..look(
            "builtin-hidden",
            format!("Run `del {name}`: a variable of yours hides Python's `{name}`"),
            "Then give the variable another name where it is set, or it comes back.",
        )
    })
}

impl Taken<'_> {
    /// Where a cell means the function or module rather than the variable.
    fn kept(&self, case: &Case<'_>, python: &Cell) -> Vec<TextRange> {
        let mut out = Vec::new();
        let module = self.origin.as_ref().and_then(Set::module);
        each_expr(python.body(), &mut |e| match e {
            Expr::Call(c) if self.member.is_none() => {
                out.push(c.func.range());
                out.extend(types_given(c).into_iter().map(Ranged::range));
            }
            Expr::Attribute(a) => {
                let attr = a.attr.as_str();
                let known = || module.as_ref().is_some_and(|m| has_member(case, m, attr));
                if self.member.is_some_and(|m| m == attr || known()) {
                    out.push(a.value.range());
                }
            }
            _ => {}
        });
        out
    }

    /// Where a cell assigns or reads the variable.
    fn variable(&self, case: &Case<'_>, at: usize) -> Vec<TextRange> {
        let Some(python) = case.python(at) else {
            return Vec::new();
        };
        let kept = self.kept(case, python);
        let names = python.names();
        let own = names
            .binds
            .iter()
            .filter(|b| b.name == self.name && b.function.is_none());
        // From where the cell itself restores the name.
        let until = own
            .clone()
            .find(|b| !is_variable(b.kind) && (at != self.cell || b.at.start() > self.from))
            .map(|b| b.at.start());
        let within = |r: &TextRange| {
            (at != self.cell || r.start() >= self.from) && until.is_none_or(|u| r.start() < u)
        };
        let set = own.filter(|b| is_variable(b.kind)).map(|b| b.at);
        let read = names
            .uses
            .iter()
            .filter(|u| u.name == self.name)
            .map(|u| u.at);
        let read = read.filter(|r| !kept.contains(r));
        set.chain(read).filter(within).collect()
    }
}

/// Renames the variable and restores the function.
fn freed(case: &Case<'_>, taken: &Taken<'_>) -> Option<Cure> {
    let name = taken.name;
    let python = case.python(taken.cell)?;
    let line = python.line_of(taken.from);
    let place = format!("Line {line} of cell {}", case.position(taken.cell));
    let earlier = case.book.before(taken.cell);
    let mut changes = Vec::new();
    let mut reads = 0;
    let new = format!("{name}_value");
    for at in 0..case.book.cells().len() {
        if at != taken.cell && earlier.contains(&at) {
            continue;
        }
        let ranges = taken.variable(case, at);
        let sets = case.python(at).map_or(0, |p| p.names().sets(name).count());
        reads += ranges.len().saturating_sub(sets);
        changes.extend(
            ranges
                .into_iter()
                .map(|r| Change::replace(at, r, new.clone())),
        );
    }
    if reads == 0 && taken.origin.is_none() {
        return restored(case, taken, &place);
    }
    if case.exists(&new) {
        return None;
    }
    let origin = taken.origin.as_ref().map(|o| (o, o.binding.stmt));
    let import = match origin {
        None => Some(format!("from builtins import {name}")),
        Some((o, Stmt::ImportFrom(i))) => {
            let alias = case.python(o.cell)?.slice(o.binding.at);
            Some(format!("from {} import {alias}", i.module.as_ref()?))
        }
        Some((o, Stmt::Import(_))) => Some(format!(
            "import {}",
            case.python(o.cell)?.slice(o.binding.at)
        )),
        Some(_) => None,
    };
    if let Some(import) = &import {
        changes.push(Editor::new(case.at, case.python(case.at)?).import(import));
    }
    let what = match taken.member {
        Some(_) => "module",
        None => "function",
    };
    let mut cure = case.edits(
        said(
            "name-overwritten",
            Basis::Source,
            format!("Call the variable `{new}`, so that `{name}` stays the {what}"),
            format!(
                "{place} gives a variable the {what}'s name: from then on `{name}` is that value."
            ),
        ),
        changes,
    )?;
    if let (None, Some(origin)) = (import, &taken.origin) {
        // The function must be defined again.
        let def = case.position(origin.cell);
        if cure.run.is_empty() {
            cure.run = vec![def, case.position(case.at)];
        } else if !cure.run.contains(&def) {
            cure.run.insert(0, def);
        }
        cure.run.dedup();
    }
    Some(cure)
}

/// Restores Python's function if nothing reads the variable.
fn restored(case: &Case<'_>, taken: &Taken<'_>, place: &str) -> Option<Cure> {
    let name = taken.name;
    let spot = case.spot()?;
    let stmt = spot.stmt?;
    let text = format!("from builtins import {name}");
    let in_function = crate::known::function_around(spot.python, stmt).is_some();
    let change = if spot.cell == case.at && !in_function {
        spot.editor().above(stmt, &text)
    } else if taken.cell == case.at {
        // Below the line that takes the name.
        let python = case.python(taken.cell)?;
        Change::line_before(taken.cell, python, python.line_of(taken.from) + 1, &text)
    } else {
        Editor::new(case.at, case.python(case.at)?).import(&text)
    };
    case.edits(
        said(
            "builtin-overwritten",
            Basis::Source,
            format!("Get Python's `{name}` back: `{text}`"),
            format!("{place} uses `{name}` as a variable's name. Another name there, such as `{name}_`, keeps it from happening again."),
        ),
        vec![change],
    )
}

#[cfg(test)]
mod tests {
    use crate::{cure, Book};
    use nbmedic_facts::Diagnosis;

    use crate::tests::{cures_of, ipython, repaired};

    fn error(count: i64, line: u32, code: &str, what: &str) -> String {
        let message = format!("'{what}' object is not callable");
        ipython("TypeError", &[(count, line, code)], &message)
    }

    #[test]
    fn a_hidden_function_of_python_is_named() {
        let title = |code: &str| {
            let text = format!("TypeError                                 Traceback (most recent call last)\nInput In [3], in <cell line: 1>()\n----> 1 {code}\n\nTypeError: 'list' object is not callable\n");
            let mut found = vec![Diagnosis::default()];
            cure(&Book::new(Vec::new()), 0, &text, &mut found);
            found
                .remove(0)
                .cures
                .first()
                .map(|c| c.title.clone())
                .unwrap_or_default()
        };
        assert!(title("t = tuple(s)").starts_with("Run `del tuple`"));
        // Another called name may be the list.
        for code in ["print(rows(2))", "t = tuple(list(s))", "t = make(s)"] {
            assert!(!title(code).starts_with("Run `del"), "{code}");
        }
    }

    #[test]
    fn an_overwritten_name_is_freed() {
        let cells = ["list = [1, 2]", "x = list('ab')"];
        let e = error(2, 1, cells[1], "list");
        assert_eq!(
            repaired(&cells, &e),
            "from builtins import list\nx = list('ab')"
        );
        let cells = ["x = 1\nsum = 3\ndef f(x):\n    return sum(x)\nf([1])"];
        let frames = [(1, 5, "f([1])"), (1, 4, "    return sum(x)")];
        let message = "'int' object is not callable";
        assert_eq!(
            repaired(&cells, &ipython("TypeError", &frames, message)),
            "x = 1\nsum = 3\nfrom builtins import sum\ndef f(x):\n    return sum(x)\nf([1])"
        );
        let cells = [
            "from sklearn.metrics import accuracy_score",
            "accuracy_score = accuracy_score(y, p)\nprint(accuracy_score)",
        ];
        let e = error(
            2,
            1,
            "accuracy_score = accuracy_score(y, p)",
            "numpy.float64",
        );
        assert_eq!(
            repaired(&cells, &e),
            "from sklearn.metrics import accuracy_score\naccuracy_score_value = accuracy_score(y, p)\nprint(accuracy_score_value)"
        );
        let cells = [
            "def mean(x):\n    return x",
            "mean = mean([1])",
            "mean([2])",
        ];
        let e = error(3, 1, "mean([2])", "int");
        let cures = cures_of(&cells, &e);
        assert_eq!(cures[0].run, [1, 2, 3]);
        assert_eq!(cures[0].edits[0].text, "mean_value");
    }

    #[test]
    fn what_reads_the_variable_goes_on_to_read_it() {
        let below = "#!\ny = list[0] + len(list)\nisinstance(y, list)";
        let cells = ["list = [1, 2]", below, "x = list('ab')"];
        let e = error(2, 1, cells[2], "list");
        let cures = cures_of(&cells, &e);
        let of = |cell| {
            let edits = cures[0].edits.iter().filter(move |e| e.cell == cell);
            edits
                .map(|e| (e.start.line, e.start.column, e.text.as_str()))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(1), [(1, 1, "list_value")]);
        assert_eq!(cures[0].code, "from builtins import list\nx = list('ab')");
        assert_eq!(of(2), [(2, 5, "list_value"), (2, 19, "list_value")]);
        assert_eq!(cures[0].run, [1, 3]);
    }

    #[test]
    fn a_module_s_name_is_freed() {
        let cells = [
            "import pandas as pd",
            "pd = [1, 2]\npd.append(3)",
            "df = pd.DataFrame({'a': pd})",
        ];
        let message = "'list' object has no attribute 'DataFrame'";
        let cures = cures_of(
            &cells,
            &ipython("AttributeError", &[(3, 1, cells[2])], message),
        );
        assert_eq!(
            cures[0].code,
            "import pandas as pd\ndf = pd.DataFrame({'a': pd_value})"
        );
        let edits: Vec<(usize, u32)> = cures[0]
            .edits
            .iter()
            .map(|e| (e.cell, e.start.line))
            .collect();
        assert_eq!(edits, [(2, 1), (2, 2), (3, 1), (3, 1)]);
    }
}
