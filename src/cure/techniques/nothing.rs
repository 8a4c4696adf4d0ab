//! Values that are `None`: returned by in-place methods, or by functions without `return`.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::{Change, Said};
use crate::find::{self, callee, look, loops_around, only, receiver, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use nbmedic_python::{each_stmt, keyword, name_of, positional, Cell, Ranged};

/// Methods of lists, sets and dicts that modify their object and return None.
const IN_PLACE: &[&str] = &[
    "sort", "reverse", "append", "extend", "insert", "remove", "clear", "update", "add", "discard",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let class = case.class();
    // OpenCV functions call `None` empty.
    let empty = case.message().contains(".empty()") && case.message().contains("OpenCV");
    if class == "error" && empty {
        if let Some(spot) = case.spot() {
            let names = spot.exprs.iter().filter_map(|e| e.as_name_expr());
            let mut found = names.filter_map(|n| {
                let (cell, value) = case.value(n.id.as_str())?;
                let call = value.as_call_expr()?;
                let read = case.path_of(&call.func).as_deref() == Some("cv2.imread");
                no_match(case, case.python(cell)?, read.then_some(call)?)
            });
            out.extend(found.next());
        }
        return;
    }
    if !matches!(class, "AttributeError" | "TypeError") || !case.message().contains("NoneType") {
        return;
    }
    let Some(spot) = case.spot() else { return };
    // A chain: `df.drop(…, inplace=True).head()`.
    for e in &spot.exprs {
        let inner = match e {
            Expr::Attribute(a) => &a.value,
            Expr::Subscript(s) => &s.value,
            _ => continue,
        };
        if let Some(call) = inner.as_call_expr() {
            if let Some(cure) = chained(case, &spot, call) {
                out.push(cure);
                return;
            }
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for e in &spot.exprs {
        if let Some(n) = e.as_name_expr().filter(|n| n.ctx.is_load()) {
            if !names.contains(&n.id.as_str()) {
                names.push(n.id.as_str());
            }
        }
    }
    let found = names.iter().filter_map(|n| from_value(case, &spot, n));
    if let Some(cure) = only(found) {
        out.push(cure);
        return;
    }
    // `a, b = f()`, `f()[0]`: calls in the statement itself.
    let calls = spot.calls().filter_map(|c| no_return(case, c));
    out.extend(only(calls));
}

fn truthy(call: &ExprCall, word: &str) -> bool {
    let value = keyword(call, word).and_then(|k| k.value.as_boolean_literal_expr());
    value.is_some_and(|b| b.value)
}

/// A method called on the `None` that a call returned.
fn chained(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    if truthy(call, "inplace") {
        let k = keyword(call, "inplace")?;
        let change = spot.editor().remove(call, k.range());
        let name = callee(call)?;
        return case.edits(
            said(
                "inplace-gives-none",
                Basis::Assumed,
                format!("Remove `inplace=True` from `{name}(…)`"),
                format!("With `inplace=True`, `{name}` changes the table itself and returns `None`. Without it the chain goes on, and the table stays as it is unless you assign the result."),
            ),
            vec![change],
        );
    }
    no_match(case, spot.python, call)
}

/// A search or file that returned `None`: only words, since the user must choose what should happen
/// then.
fn no_match(case: &Case<'_>, python: &Cell, call: &ExprCall) -> Option<Cure> {
    let path = case.path_of(&call.func).or_else(|| name_of(&call.func))?;
    let text = short(python.slice(call.range()));
    match path.as_str() {
        "re.search" | "re.match" | "re.fullmatch" => Some(look(
            "nothing-matched",
            format!("Test what `{text}` gives before you use it"),
            "It found no match and returned `None`: the text has not the form that the pattern asks for.",
        )),
        "cv2.imread" => Some(look(
            "image-not-read",
            format!("Check the path in `{text}`"),
            "OpenCV returns `None`, without an error, for a file that is not there or that it can't read.",
        )),
        _ => None,
    }
}

fn short(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    if text.chars().count() <= 60 {
        return text;
    }
    let cut: String = text.chars().take(57).collect();
    format!("{cut}…")
}

/// A name whose last value was `None`.
fn from_value(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let (cell, python, stmt, value) = assigned(case, spot, name)?;
    // Another name for it.
    if let Some(other) = find::name(value).filter(|o| *o != name) {
        return from_value(case, spot, other);
    }
    gave(case, (cell, python, stmt), value.as_call_expr()?, name)
}

/// A call whose result, `None`, a statement gives a name.
fn gave(
    case: &Case<'_>,
    (cell, python, stmt): (usize, &Cell, &Stmt),
    call: &ExprCall,
    name: &str,
) -> Option<Cure> {
    let place = format!(
        "Line {} of cell {}",
        python.line_of(stmt.start()),
        case.position(cell)
    );
    let method = callee(call)?;
    let single = stmt.as_assign_stmt().is_some_and(|a| a.targets.len() == 1);
    let owner = receiver(call);
    let own = owner.and_then(name_of).as_deref() == Some(name);
    if let Some(k) = keyword(call, "inplace").filter(|_| truthy(call, "inplace")) {
        let change = Editor::new(cell, python).remove(call, k.range());
        return case.edits(
            said(
                "inplace-gives-none",
                Basis::Source,
                format!("Remove `inplace=True` from `{name} = …{method}(…)`"),
                format!("{place} assigns what `{method}` returns, and with `inplace=True` that is `None`."),
            ),
            vec![change],
        );
    }
    if IN_PLACE.contains(&method) && single {
        let owner = owner?;
        let whole = python.slice(call.range());
        let target = python.slice(owner);
        let args = python.slice(call.arguments.range);
        let args = args.strip_prefix('(')?.strip_suffix(')')?.trim();
        let (title, text) = if own {
            (format!("Write only `{}`", short(whole)), whole.to_owned())
        } else if method == "sort" {
            let comma = if args.is_empty() { "" } else { ", " };
            let text = format!("{name} = sorted({target}{comma}{args})");
            (format!("Write `{}`", short(&text)), text)
        } else {
            // The name was meant to be the object itself.
            let indent = python.indent(python.line_of(stmt.start()));
            let text = format!("{whole}\n{indent}{name} = {target}");
            (format!("Write `{}` on its own line", short(whole)), text)
        };
        return case.edits(
            said(
                "method-gives-none",
                Basis::Library,
                title,
                format!("{place} assigns what `{method}` returns. It changes `{}` in place and returns `None`.", short(target)),
            ),
            vec![Change::replace(cell, stmt, text)],
        );
    }
    let path = case.path_of(&call.func).or_else(|| name_of(&call.func));
    if matches!(
        path.as_deref(),
        Some("random.shuffle" | "numpy.random.shuffle")
    ) && single
    {
        let first = python.slice(call.arguments.args.first()?);
        let indent = python.indent(python.line_of(stmt.start()));
        let text = format!("{}\n{indent}{name} = {first}", python.slice(call.range()));
        return case.edits(
            said(
                "method-gives-none",
                Basis::Library,
                format!("Write `{}` on its own line", short(python.slice(call.range()))),
                format!("{place} assigns what `shuffle` returns. It shuffles `{first}` in place and returns `None`."),
            ),
            vec![Change::replace(cell, stmt, text)],
        );
    }
    let there = Spot {
        cell,
        python,
        stmt: Some(stmt),
        exprs: Vec::new(),
    };
    no_match(case, there.python, call).or_else(|| no_return(case, call))
}

/// The last assignment of a name: in the enclosing function, otherwise where the failing line could
/// see it.
fn assigned<'c>(
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    name: &str,
) -> Option<(usize, &'c Cell, &'c Stmt, &'c Expr)> {
    if let Some(stmt) = spot.stmt {
        // In a loop the statement itself has run before: `found = found.append(x)`.
        let in_loop = !loops_around(spot.python, stmt).is_empty();
        if let Some(a) = stmt.as_assign_stmt().filter(|_| in_loop) {
            let to_itself = a.targets.iter().any(|t| find::name(t) == Some(name));
            let call = a.value.as_call_expr().filter(|_| to_itself);
            let own = call.and_then(receiver).and_then(find::name) == Some(name);
            if own && call.and_then(callee).is_some_and(|m| IN_PLACE.contains(&m)) {
                return Some((spot.cell, spot.python, stmt, &a.value));
            }
        }
        if let Some(f) = crate::known::function_around(spot.python, stmt) {
            let mut found = None;
            each_stmt(&f.body, &mut |s| {
                if let Stmt::Assign(a) = s {
                    let is = |t: &Expr| t.as_name_expr().is_some_and(|n| n.id.as_str() == name);
                    if s.start() < stmt.start() && a.targets.iter().any(is) {
                        found = Some((s, &*a.value));
                    }
                }
            });
            if let Some((s, value)) = found {
                return Some((spot.cell, spot.python, s, value));
            }
        }
    }
    let (cell, _) = case.value(name)?;
    let python = case.python(cell)?;
    let set = case.last_set(name)?;
    // The binding of the parsed cell, which lives as long as the notebook.
    let at = set.binding.stmt.range();
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        if s.range() == at {
            found = found.or(s.as_assign_stmt().map(|a| (s, &*a.value)));
        }
    });
    let (stmt, value) = found?;
    Some((cell, python, stmt, value))
}

/// A call of a function or model in the notebook that returns None.
fn no_return(case: &Case<'_>, call: &ExprCall) -> Option<Cure> {
    // `model = Net()`: calling it calls `forward`.
    let forward = |made: &ExprCall| {
        let class = case.last_set(find::name(&made.func)?)?;
        let body = &class.binding.stmt.as_class_def_stmt()?.body;
        let mut methods = body.iter().filter_map(|s| s.as_function_def_stmt());
        let f = methods.find(|f| matches!(f.name.as_str(), "forward" | "call"))?;
        Some((class.cell, f))
    };
    let (cell, def) = match &*call.func {
        Expr::Call(made) => forward(made)?,
        func => {
            // `table.pipe(clean)` gives what `clean` gives.
            let piped = positional(call, 0).filter(|_| callee(call) == Some("pipe"));
            let set = case.last_set(find::name(piped.unwrap_or(func))?)?;
            match set.binding.stmt {
                Stmt::FunctionDef(f) => (set.cell, f),
                Stmt::Assign(a) => forward(a.value.as_call_expr()?)?,
                _ => return None,
            }
        }
    };
    let python = case.python(cell)?;
    if gives(def) {
        return returned(case, cell, python, def);
    }
    let place = case.position(cell);
    let why = format!(
        "`{}` (cell {place}, line {}) has no `return` with a value, so it gives `None`.",
        def.name,
        python.line_of(def.name.start())
    );
    let last = def.body.last()?;
    // The result was computed but discarded.
    let dropped = last.as_expr_stmt().map(|s| &*s.value);
    let dropped = dropped.filter(|e| !e.is_call_expr() && !e.is_string_literal_expr());
    if let Some(value) = dropped.filter(|e| !e.is_await_expr() && !e.is_ellipsis_literal_expr()) {
        let said = Said {
            id: "no-return",
            basis: Basis::Source,
            title: format!(
                "Return what `{}` computes: `return {}`",
                def.name,
                python.slice(value)
            ),
            why,
        };
        return case.edits(said, vec![Change::before(cell, value, "return ")]);
    }
    let local = def.body.iter().rev().find_map(|s| match s {
        Stmt::Assign(a) => a.targets.first()?.as_name_expr(),
        Stmt::AugAssign(a) => a.target.as_name_expr(),
        _ => None,
    });
    let Some(local) = local else {
        return Some(look(
            "no-return",
            format!("End `{}` with `return` and its result", def.name),
            why,
        ));
    };
    let said = Said {
        id: "no-return",
        basis: Basis::Assumed,
        title: format!("End `{}` with `return {}`", def.name, local.id),
        why,
    };
    let indent = python.indent(python.line_of(def.body.first()?.start()));
    let end = python.line_range(python.line_of(last.end())).end();
    let at = nbmedic_python::TextRange::empty(end);
    let text = format!("\n{indent}return {}", local.id);
    case.edits(said, vec![Change::replace(cell, at, text)])
}

/// A function whose only `return` gives what a method that changes in place returns.
fn returned(case: &Case<'_>, cell: usize, python: &Cell, def: &StmtFunctionDef) -> Option<Cure> {
    let (mut returns, mut sets) = (Vec::new(), Vec::new());
    each_stmt(&def.body, &mut |s| match s {
        Stmt::Return(r) => returns.push((s, r.value.as_deref())),
        Stmt::Assign(a) => sets.push((s, a)),
        _ => {}
    });
    let (stmt, value) = only(returns.into_iter())?;
    let place = format!("`{}` (cell {})", def.name, case.position(cell));
    match value? {
        Expr::Name(n) => {
            let of = |t: &Expr| find::name(t) == Some(n.id.as_str());
            let (set, a) = sets.into_iter().rfind(|(_, a)| a.targets.iter().any(of))?;
            gave(
                case,
                (cell, python, set),
                a.value.as_call_expr()?,
                n.id.as_str(),
            )
        }
        Expr::Call(call) if truthy(call, "inplace") => {
            let change = Editor::new(cell, python).remove(call, keyword(call, "inplace")?.range());
            let method = callee(call)?;
            let title = format!("Remove `inplace=True` from `return …{method}(…)`");
            let why = format!(
                "{place} returns what `{method}` gives, and with `inplace=True` that is `None`."
            );
            case.edits(
                said("inplace-gives-none", Basis::Source, title, why),
                vec![change],
            )
        }
        Expr::Call(call) if callee(call).is_some_and(|m| IN_PLACE.contains(&m)) => {
            let (owner, method) = (find::name(receiver(call)?)?, callee(call)?);
            let change = Editor::new(cell, python).below(stmt, &format!("return {owner}"));
            let done = Change::replace(cell, stmt, python.slice(call));
            let title = format!(
                "Write `return {owner}` below `{}`",
                short(python.slice(call))
            );
            let why = format!("{place} returns what `{method}` gives. It changes `{owner}` in place and returns `None`.");
            case.edits(
                said("method-gives-none", Basis::Library, title, why),
                vec![done, change],
            )
        }
        _ => None,
    }
}

/// Whether a function returns a value, or is a generator.
fn gives(def: &StmtFunctionDef) -> bool {
    let mut any = false;
    each_stmt(&def.body, &mut |s| {
        any |= s.as_return_stmt().is_some_and(|r| r.value.is_some());
        any |= s.is_function_def_stmt()
            && s.as_function_def_stmt().is_some_and(|f| f.name == def.name);
    });
    nbmedic_python::each_expr(&def.body, &mut |e| {
        any |= e.is_yield_expr() || e.is_yield_from_expr();
    });
    any
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    const HEAD: &str = "'NoneType' object has no attribute 'head'";

    #[test]
    fn what_changes_in_place_is_not_assigned() {
        let cells = ["df = df.drop('a', axis=1, inplace=True)", "df.head()"];
        let e = ipython("AttributeError", &[(2, 1, "df.head()")], HEAD);
        let cures = cures_of(&cells, &e);
        assert_eq!(cures[0].code, "df = df.drop('a', axis=1)");
        assert_eq!(cures[0].run, [1, 2]);
        for (line, right) in [
            ("b = a.sort()", "b = sorted(a)"),
            ("b = a.sort(reverse=True)", "b = sorted(a, reverse=True)"),
            ("b = b.append(3)", "b.append(3)"),
            ("b = a.reverse()", "a.reverse()\nb = a"),
        ] {
            let e = ipython(
                "TypeError",
                &[(2, 1, "b[0]")],
                "'NoneType' object is not subscriptable",
            );
            assert_eq!(repaired(&[line, "b[0]"], &e), right);
        }
        let cells = ["df.fillna(0, inplace=True).head()"];
        let e = ipython("AttributeError", &[(1, 1, cells[0])], HEAD);
        assert_eq!(repaired(&cells, &e), "df.fillna(0).head()");
    }

    #[test]
    fn a_function_returns_its_object() {
        let message = "'NoneType' object is not subscriptable";
        for (def, right) in [
            (
                "    t = t.copy()\n    return t.dropna(inplace=True)",
                "    t = t.copy()\n    return t.dropna()",
            ),
            (
                "    t = t.sort_values('a', inplace=True)\n    return t",
                "    t = t.sort_values('a')\n    return t",
            ),
            ("    return t.sort()", "    t.sort()\n    return t"),
        ] {
            let f = format!("def tidy(t):\n{def}");
            let cells = [&f, "a = tidy(b)", "c = a", "c['x']"];
            let e = ipython("TypeError", &[(4, 1, cells[3])], message);
            let cures = cures_of(&cells, &e);
            assert_eq!(cures[0].code, format!("def tidy(t):\n{right}"));
            assert_eq!(cures[0].run[0], 1);
        }
        // A `return` that may give something else.
        let f = "def tidy(t):\n    if t:\n        return t\n    return t.sort()";
        let cells = [f, "a = tidy(b)", "a['x']"];
        let e = ipython("TypeError", &[(3, 1, cells[2])], message);
        assert!(cures_of(&cells, &e).is_empty());
    }

    #[test]
    fn a_function_without_return_gets_one() {
        let cells = [
            "def load(p):\n    t = read(p)\n    t = t.dropna()\n",
            "df = load('a')",
            "df.head()",
        ];
        let e = ipython("AttributeError", &[(3, 1, "df.head()")], HEAD);
        let cures = cures_of(&cells, &e);
        assert_eq!(
            cures[0].code,
            "def load(p):\n    t = read(p)\n    t = t.dropna()\n    return t\n"
        );
        assert_eq!(cures[0].run, [1, 2, 3]);
        let cells = [
            "class Net(nn.Module):\n    def forward(self, x):\n        x = self.a(x)",
            "net = Net()",
            "y = net(x)\nloss = y.sum()",
        ];
        let e = ipython(
            "AttributeError",
            &[(3, 2, "loss = y.sum()")],
            "'NoneType' object has no attribute 'sum'",
        );
        assert!(repaired(&cells, &e).ends_with("x = self.a(x)\n        return x"));
    }

    #[test]
    fn a_search_that_found_nothing_is_said() {
        let cells = ["import re", "print(re.search('a+', text).group())"];
        let e = ipython(
            "AttributeError",
            &[(2, 1, cells[1])],
            "'NoneType' object has no attribute 'group'",
        );
        let cures = cures_of(&cells, &e);
        assert_eq!(
            cures[0].title,
            "Test what `re.search('a+', text)` gives before you use it"
        );
    }

    #[test]
    fn a_function_that_a_table_is_piped_into_returns_its_result() {
        let clean = "def clean(df):\n    df = df[df.n > 0]";
        let cells = [clean, "t = raw.pipe(clean).head()"];
        let e = ipython("AttributeError", &[(2, 1, cells[1])], HEAD);
        assert_eq!(repaired(&cells, &e), format!("{clean}\n    return df"));
    }
}
