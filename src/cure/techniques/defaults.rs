//! A list or dict that is a parameter's default: one object for all calls of the function, which grows from call to call.

use crate::case::Case;
use crate::code::Editor;
use crate::find::{callee, head_exprs, name, one_line, only, receiver, root, said};
use crate::known::CHANGE_METHODS;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use nbmedic_python::{calls, each_stmt};
use nbmedic_wordings::sklearn;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let unequal = ["length", "size", "shape", "duplicate"];
    let lower = message.to_lowercase();
    if !unequal.iter().any(|u| lower.contains(u)) && !sklearn::SAMPLES.is_in(&lower) {
        return;
    }
    out.extend(shared(case));
}

fn shared(case: &Case<'_>) -> Option<Cure> {
    let (.., stmt) = case.here()?;
    let behind = case.names_behind(&head_exprs(stmt));
    let mut found = Vec::new();
    for set in behind.iter().filter_map(|n| case.last_set(n)) {
        let Some(f) = set.binding.stmt.as_function_def_stmt() else {
            continue;
        };
        for p in f.parameters.iter_non_variadic_params() {
            let empty = p.default().filter(|d| match d {
                Expr::List(l) => l.elts.is_empty(),
                Expr::Dict(d) => d.items.is_empty(),
                _ => false,
            });
            let of = p.name().as_str();
            found.extend(empty.filter(|_| grows(f, of)).map(|d| (set.cell, f, of, d)));
        }
    }
    let (cell, f, of, default) = only(found.into_iter())?;
    let python = case.python(cell)?;
    let editor = Editor::new(cell, python);
    let made = python.slice(default);
    let first = f.body.iter().find(|s| !is_docstring(s))?;
    let lines = format!("if {of} is None:\n    {of} = {made}");
    case.edits(
        said(
            "own-default",
            Basis::Language,
            format!("Make `{of}` in each call: `{of}=None`, then `{}`", one_line(&lines)),
            format!("The default `{of}={made}` of `{}` is one object for all calls: each adds to what the one before left in it.", f.name),
        ),
        vec![editor.replace(default, "None"), editor.above(first, &lines)],
    )
}

/// Whether a function adds to one of its parameters.
fn grows(f: &StmtFunctionDef, of: &str) -> bool {
    let mut stores = false;
    each_stmt(&f.body, &mut |s| {
        let a = s.as_assign_stmt();
        stores |= a.is_some_and(|a| {
            a.targets
                .iter()
                .any(|t| t.is_subscript_expr() && root(t) == Some(of))
        });
    });
    let adds = |c: &&ExprCall| {
        let method = callee(c).is_some_and(|m| CHANGE_METHODS.contains(&m));
        method && receiver(c).and_then(name) == Some(of)
    };
    stores || calls(&f.body).iter().any(adds)
}

fn is_docstring(s: &Stmt) -> bool {
    s.as_expr_stmt()
        .is_some_and(|e| e.value.is_string_literal_expr())
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn each_call_has_a_list_of_its_own() {
        let f = "def smooth(v, out=[]):\n    for x in v:\n        out.append(x)\n    return out";
        let cells = [
            "import pandas as pd\nt = pd.read_csv('a.csv')",
            f,
            "t['a'] = smooth(t['x'])",
            "t['b'] = smooth(t['y'])",
        ];
        let message = "Length of values (20) does not match length of index (10)";
        let all = cures_of(&cells, &error_at(&cells, 1, "ValueError", message));
        let cure = all.iter().find(|c| c.id == "own-default").expect("a cure");
        assert_eq!(
            cure.code,
            "def smooth(v, out=None):\n    if out is None:\n        out = []\n    for x in v:\n        out.append(x)\n    return out"
        );
    }
}
