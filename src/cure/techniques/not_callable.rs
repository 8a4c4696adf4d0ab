//! Calls of something that isn't a function: a module, an overwritten name, a value in place of square brackets.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{look, one_line, only, said, Spot};
use crate::known::is_builtin;
use crate::techniques::name_taken;
use crate::techniques::uncalled::{indexes_the_result, VALUES};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, name_of, BindKind, Cell, Ranged};
use nbmedic_wordings::python;

/// Modules that contain a function or class of the same name.
const SAME_NAME: &[&str] = &[
    "tqdm",
    "glob",
    "datetime",
    "time",
    "copy",
    "pprint",
    "random",
    "prettytable",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "TypeError" {
        return;
    }
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    if let Some([what]) = python::NOT_CALLABLE.read(message) {
        let cure = if what == "module" {
            module_called(case, &spot).or_else(|| module_passed(case))
        } else {
            operator(case, &spot)
                .or_else(|| member_overwritten(case, &spot))
                .or_else(|| name_taken::of_a_call(case, &spot))
                .or_else(|| value_called(case, &spot, what, true))
                .or_else(|| indexed(case, &spot, what))
                .or_else(|| value_called(case, &spot, what, false))
                .or_else(|| name_taken::hidden(&spot))
        };
        out.extend(cure);
    } else if let Some([what]) = python::NOT_SUBSCRIPTABLE.read(message) {
        out.extend(function_indexed(case, &spot, what));
    }
}

/// `tqdm(…)` after `import tqdm`.
fn module_called(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut changes = Vec::new();
    let mut shown = None;
    for call in spot.calls() {
        let Some(name) = call.func.as_name_expr().map(|n| n.id.as_str()) else {
            continue;
        };
        let Some(module) = case.module_of(name) else {
            continue;
        };
        let last = module.rsplit('.').next().unwrap_or("");
        if SAME_NAME.contains(&last) {
            changes.push(spot.editor().append(&*call.func, format!(".{last}")));
            shown = Some((name.to_owned(), last.to_owned(), module));
        }
    }
    let (name, member, module) = shown?;
    let said = said(
        "module-called",
        Basis::Library,
        format!("Call `{name}.{member}(…)`"),
        format!("`{name}` is the module `{module}`; the function is in it, under the same name."),
    );
    case.edits(said, changes)
}

/// A module passed where a function is expected: `transform=transforms`.
fn module_passed(case: &Case<'_>) -> Option<Cure> {
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found: Option<(String, &Expr)> = None;
        for call in calls(python.body()) {
            for k in &call.arguments.keywords {
                let word = k.arg.as_ref().map_or("", |a| a.as_str());
                let module = k
                    .value
                    .as_name_expr()
                    .and_then(|n| case.module_of(n.id.as_str()));
                if word.contains("transform") && module.is_some_and(|m| m.ends_with("transforms")) {
                    found = Some((word.to_owned(), &k.value));
                }
            }
        }
        let Some((word, value)) = found else { continue };
        return passed(case, cell, python, &word, value);
    }
    None
}

fn passed(case: &Case<'_>, cell: usize, python: &Cell, word: &str, value: &Expr) -> Option<Cure> {
    let module = python.slice(value).to_owned();
    // The transform that a cell composed was meant.
    let mut composed: Vec<String> = Vec::new();
    for at in case.seen() {
        let names = case.python(at).map(Cell::names);
        for b in names.iter().flat_map(|n| &n.binds) {
            let call = b.value.and_then(|v| v.as_call_expr());
            let path = call.and_then(|c| case.path_of(&c.func));
            let is =
                path.is_some_and(|p| p.ends_with("transforms.Compose")) && b.function.is_none();
            if is && case.exists(b.name) && !composed.iter().any(|c| c == b.name) {
                composed.push(b.name.to_owned());
            }
        }
    }
    let named = composed.iter().find(|c| *c == word).cloned();
    if let Some(right) = named.or_else(|| only(composed.into_iter())) {
        return case.edits(
            said(
                "module-passed",
                Basis::Source,
                format!("Pass `{right}` for `{module}` in `{word}={module}`"),
                format!("`{module}` is the module; `{right}` is the transformation that a cell composed."),
            ),
            vec![Change::replace(cell, value, right)],
        );
    }
    let text = format!("{module}.Compose([{module}.Resize((224, 224)), {module}.ToTensor()])");
    case.edits(
        said(
            "module-passed",
            Basis::Assumed,
            format!("Pass `{text}` in `{word}={module}`"),
            format!("`{module}` is the module, not a transformation. 224 is the size that most image models take: write the one that yours expects."),
        ),
        vec![Change::replace(cell, value, text)],
    )
}

/// `2(x + 1)`.
fn operator(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let call = only(spot.calls().filter(|c| c.func.is_number_literal_expr()))?;
    let said = said(
        "missing-operator",
        Basis::Assumed,
        format!(
            "Write `{} * {}`",
            spot.text(&*call.func),
            spot.text(call.arguments.range)
        ),
        "A number before a bracket reads as a call; Python needs the `*`.",
    );
    case.edits(said, vec![spot.editor().append(&*call.func, " * ")])
}

/// `df.shape()`, `model.coef_()`, `s.str().lower()`: members known to be values, or any members.
fn value_called(case: &Case<'_>, spot: &Spot<'_>, what: &str, named: bool) -> Option<Cure> {
    // If the value is `None`, the parentheses aren't the fault.
    if what == "NoneType" {
        return None;
    }
    let member = |c: &ExprCall| c.func.as_attribute_expr().map(|a| a.attr.to_string());
    let calls = spot.calls();
    let empty: Vec<&ExprCall> = calls
        .filter(|c| c.arguments.is_empty() && member(c).is_some())
        .collect();
    // Accessors and fitted attributes are recognizable as values by name.
    let by_name = |c: &&&ExprCall| {
        let name = member(c).unwrap_or_default();
        VALUES.contains(&name.as_str()) || name.ends_with('_') && !name.ends_with("__")
    };
    let (call, basis) = match named {
        true => (*only(empty.iter().filter(by_name))?, Basis::Source),
        false => (only(empty.iter().copied())?, Basis::Assumed),
    };
    let text = one_line(spot.text(&*call.func));
    let said = said(
        "value-called",
        basis,
        format!("Write `{text}` without `()`"),
        format!("`{text}` is a value, not a method."),
    );
    case.edits(
        said,
        vec![Change::replace(spot.cell, call.arguments.range, "")],
    )
}

/// `plt.title = 'x'` in an earlier cell: the function is gone until its module is reloaded.
fn member_overwritten(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    for call in spot.calls() {
        let Some(member) = call.func.as_attribute_expr() else {
            continue;
        };
        let module = name_of(&member.value)?;
        if case.path_of(&member.value).is_none() {
            continue;
        }
        let path = format!("{module}.{}", member.attr);
        for cell in case.seen() {
            let Some(python) = case.python(cell) else {
                continue;
            };
            let mut set = None;
            each_stmt(python.body(), &mut |s| {
                if let Stmt::Assign(a) = s {
                    if a.targets.len() == 1 && name_of(&a.targets[0]).as_deref() == Some(&path) {
                        set = Some((s, &*a.value));
                    }
                }
            });
            let Some((stmt, value)) = set else { continue };
            let text = format!("{path}({})", python.slice(value));
            let mut changes = vec![Change::replace(cell, stmt, text.clone())];
            // The same slip in the lines around it: `plt.xlabel = 'x'`, `plt.ylabel = 'y'`.
            each_stmt(python.body(), &mut |s| {
                let other = s
                    .as_assign_stmt()
                    .filter(|a| a.value.is_string_literal_expr() && s.range() != stmt.range());
                let target = other
                    .and_then(|a| only(a.targets.iter()))
                    .and_then(Expr::as_attribute_expr);
                if let Some((a, t)) = other.zip(target) {
                    if name_of(&t.value).as_deref() == Some(&module) {
                        changes.push(Change::replace(
                            cell,
                            s,
                            format!("{}({})", python.slice(t), python.slice(&*a.value)),
                        ));
                    }
                }
            });
            let failing = case.python(case.at)?;
            let reload = format!("import importlib\nimportlib.reload({module})");
            changes.push(Editor::new(case.at, failing).import(&reload));
            let said = said(
                "member-overwritten",
                Basis::Source,
                format!("Write `{text}`, and load `{module}` again"),
                format!(
                    "Line {} of cell {} assigns to `{path}` instead of calling it, and so replaces the function.",
                    python.line_of(stmt.start()),
                    case.position(cell)
                ),
            );
            return case.edits(said, changes);
        }
    }
    None
}

/// `values(0)`: parentheses in place of square brackets.
fn indexed(case: &Case<'_>, spot: &Spot<'_>, what: &str) -> Option<Cure> {
    let container = [
        "list",
        "dict",
        "DataFrame",
        "Series",
        "tuple",
        "numpy.ndarray",
        "Tensor",
        "Index",
    ];
    if !container.contains(&what) {
        return None;
    }
    let is = |c: &&ExprCall| {
        let value = match &*c.func {
            Expr::Name(n) => case.last_set(n.id.as_str()).is_some_and(|s| {
                matches!(
                    s.binding.kind,
                    BindKind::Assign | BindKind::Loop | BindKind::As
                )
            }),
            Expr::Attribute(a) => matches!(
                a.attr.as_str(),
                "iloc" | "loc" | "values" | "columns" | "shape"
            ),
            Expr::Subscript(_) | Expr::Call(_) => true,
            _ => false,
        };
        value && c.arguments.args.len() == 1 && c.arguments.keywords.is_empty()
    };
    let call = only(spot.calls().filter(is))?;
    let text = spot.text(call.arguments.range);
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let said = said(
        "round-brackets",
        Basis::Language,
        format!("Write `{}[{inner}]`", spot.text(&*call.func)),
        format!(
            "`{}` is a {what}: square brackets take something out of it, round ones call it.",
            spot.text(&*call.func)
        ),
    );
    case.edits(
        said,
        vec![Change::replace(
            spot.cell,
            call.arguments.range,
            format!("[{inner}]"),
        )],
    )
}

/// `range[3]`: square brackets in place of parentheses.
fn function_indexed(case: &Case<'_>, spot: &Spot<'_>, what: &str) -> Option<Cure> {
    let of = |e: &Expr| match (what, e) {
        ("method" | "numpy._ArrayFunctionDispatcher" | "numpy.ufunc", Expr::Attribute(_)) => true,
        ("builtin_function_or_method", Expr::Name(n)) => is_builtin(n.id.as_str()),
        ("builtin_function_or_method" | "function", Expr::Attribute(_)) => true,
        ("function", Expr::Name(n)) => case
            .last_set(n.id.as_str())
            .is_some_and(|s| matches!(s.binding.kind, BindKind::Function | BindKind::Import)),
        _ => false,
    };
    let subscripts = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let subscript = only(subscripts.filter(|s| of(&s.value)))?;
    let function = spot.text(&*subscript.value);
    let index = spot.text(&*subscript.slice);
    // `np.array[1, 2]`: the brackets belong to a list.
    let array = subscript.slice.is_tuple_expr()
        && !index.starts_with('(')
        && subscript.value.is_attribute_expr()
        && what != "method";
    let method = subscript.value.as_attribute_expr();
    if method.is_some_and(|m| indexes_the_result(&m.attr, &subscript.slice)) {
        let said = said(
            "call-first",
            Basis::Assumed,
            format!("Write `{function}()[{index}]`"),
            format!("`{function}` is a method; only what it returns can be indexed."),
        );
        return case.edits(said, vec![spot.editor().append(&*subscript.value, "()")]);
    }
    let text = if array {
        format!("{function}([{index}])")
    } else {
        format!("{function}({index})")
    };
    if matches!(&*subscript.slice, Expr::Slice(_)) {
        return Some(look(
            "function-indexed",
            format!("Call `{function}` first: `{function}(…)[{index}]`"),
            format!("`{function}` is a function; only what it returns can be indexed."),
        ));
    }
    let said = said(
        "square-brackets",
        Basis::Language,
        format!("Write `{text}`"),
        format!("`{function}` is a function: round brackets call it."),
    );
    case.edits(said, vec![Change::replace(spot.cell, subscript, text)])
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    fn error(count: i64, line: u32, code: &str, what: &str) -> String {
        let message = format!("'{what}' object is not callable");
        ipython("TypeError", &[(count, line, code)], &message)
    }

    #[test]
    fn a_module_s_own_function_is_called() {
        let cells = ["import tqdm", "for i in tqdm(x):\n    pass"];
        let e = error(2, 1, "for i in tqdm(x):", "module");
        assert_eq!(repaired(&cells, &e), "for i in tqdm.tqdm(x):\n    pass");
    }

    #[test]
    fn an_index_of_what_a_method_gives_calls_it_first() {
        for (code, right) in [
            ("x = s.split[0]", "x = s.split()[0]"),
            (
                "n = df.isna().sum[lambda s: s > 0]",
                "n = df.isna().sum()[lambda s: s > 0]",
            ),
            ("v = df.mean['a']", "v = df.mean()['a']"),
            ("df.head[5]", "df.head(5)"),
            ("df.groupby['a']", "df.groupby('a')"),
        ] {
            let e = ipython(
                "TypeError",
                &[(1, 1, code)],
                "'method' object is not subscriptable",
            );
            assert_eq!(repaired(&[code], &e), right);
        }
    }

    #[test]
    fn a_module_is_no_transformation() {
        let import = "from torchvision import transforms";
        let made = "t = transforms.Compose([transforms.ToTensor()])";
        let data = "data = ImageFolder(p, transform=transforms)";
        let e = error(4, 1, "for x in data:", "module");
        let cells = [import, made, data, "for x in data:\n    pass"];
        let cures = cures_of(&cells, &e);
        assert_eq!(cures[0].code, "data = ImageFolder(p, transform=t)");
        assert_eq!(cures[0].run, [3, 4]);
        let cells = [import, data, "for x in data:\n    pass"];
        let e = error(3, 1, "for x in data:", "module");
        assert!(repaired(&cells, &e).contains("transform=transforms.Compose([transforms.Resize"));
    }

    #[test]
    fn a_member_that_was_overwritten_is_called() {
        let cells = [
            "import matplotlib.pyplot as plt",
            "plt.title = 'a'",
            "plt.title('b')",
        ];
        let e = error(3, 1, "plt.title('b')", "str");
        let cures = cures_of(&cells, &e);
        assert_eq!(
            cures[0].code,
            "import importlib\nimportlib.reload(plt)\nplt.title('b')"
        );
        assert_eq!(cures[0].edits[0].text, "plt.title('a')");
        let both = [cells[0], "plt.title = 'a'\nplt.xlabel = 'x'", cells[2]];
        let texts: Vec<String> = cures_of(&both, &e)[0]
            .edits
            .iter()
            .map(|e| e.text.clone())
            .collect();
        assert!(texts.iter().any(|t| t == "plt.xlabel('x')"), "{texts:?}");
    }

    #[test]
    fn brackets_are_swapped() {
        for (sets, code, what, right) in [
            ("df = pd.DataFrame(x)", "df('a')", "DataFrame", "df['a']"),
            ("df = pd.DataFrame(x)", "df.shape()", "tuple", "df.shape"),
            ("x = 1", "y = 2(x + 1)", "int", "y = 2 * (x + 1)"),
            (
                "max = 3",
                "y = max(x.values())",
                "int",
                "from builtins import max\ny = max(x.values())",
            ),
            ("m = f()", "len(m.coef_())", "numpy.ndarray", "len(m.coef_)"),
            (
                "d = f()",
                "d.query('a')('b').mean()",
                "DataFrame",
                "d.query('a')['b'].mean()",
            ),
            (
                "s = f()",
                "s.str().strip()",
                "StringMethods",
                "s.str.strip()",
            ),
        ] {
            let e = error(2, 1, code, what);
            assert_eq!(repaired(&[sets, code], &e), right);
        }
        let e = ipython(
            "TypeError",
            &[(2, 1, "a = np.array[1, 2]")],
            "'builtin_function_or_method' object is not subscriptable",
        );
        assert_eq!(
            repaired(&["import numpy as np", "a = np.array[1, 2]"], &e),
            "a = np.array([1, 2])"
        );
    }
}
