//! A function that `groupby(…).apply` calls reads the column that the groups are made by: pandas 3 leaves it out.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, name, receiver, said};
use crate::keys::{missing_keys, strings_of};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, each_expr, keyword, positional, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(group_key(case));
}

fn group_key(case: &Case<'_>) -> Option<Cure> {
    let keys = missing_keys(case.class(), case.message());
    let [key] = keys.as_slice() else { return None };
    let (cell, python, stmt) = case.here()?;
    let f = function_around(python, stmt)?;
    let group = f
        .parameters
        .iter_non_variadic_params()
        .next()?
        .name()
        .as_str();
    // The function is given to `apply` of these groups.
    let applied = case.seen().into_iter().any(|at| {
        let body = case.python(at).map_or(&[][..], |p| p.body());
        calls(body).into_iter().any(|c| {
            let given = positional(c, 0).and_then(name) == Some(f.name.as_str());
            let groups = receiver(c)
                .and_then(|r| r.as_call_expr())
                .filter(|g| callee(g) == Some("groupby"));
            let by = groups
                .and_then(|g| positional(g, 0).or_else(|| keyword(g, "by").map(|k| &k.value)));
            let by = by.map(strings_of).unwrap_or_default();
            callee(c) == Some("apply") && given && by.len() == 1 && by[0].0 == key
        })
    });
    applied.then_some(())?;
    let mut changes = Vec::new();
    each_expr(&f.body, &mut |e| {
        let column = first_of(e).unwrap_or(e).as_subscript_expr();
        let is = column.is_some_and(|s| {
            name(&s.value) == Some(group)
                && strings_of(&s.slice).first().is_some_and(|(k, _)| k == key)
                && !s.slice.is_list_expr()
        });
        let within = changes
            .iter()
            .any(|c: &Change| c.range.contains_range(e.range()));
        if is && !within {
            changes.push(Change::replace(cell, e, format!("{group}.name")));
        }
    });
    case.edits(
        said(
            "group-name",
            Basis::Library,
            format!("Write `{group}.name` for the `{key}` of the group"),
            format!("pandas 3 leaves the column `{key}`, by which the groups are made, out of the tables that `{}` gets. Each of them has the value as its name.", f.name),
        ),
        changes,
    )
}

/// The column whose first element an expression takes: `g["k"].iloc[0]`, `g["k"].unique()[0]`.
fn first_of(e: &Expr) -> Option<&Expr> {
    let taken = e.as_subscript_expr()?;
    int_of(&taken.slice).filter(|n| *n == 0)?;
    match &*taken.value {
        Expr::Attribute(a) if matches!(a.attr.as_str(), "iloc" | "iat" | "values") => {
            Some(&a.value)
        }
        Expr::Call(c) if matches!(callee(c), Some("unique" | "to_numpy")) => receiver(c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython};

    #[test]
    fn the_key_of_a_group_is_its_name() {
        let function = "def f(g):\n    return [g['k'].iloc[0], g['n'].sum()]";
        let cells = ["import pandas as pd", function, "t.groupby('k').apply(f)"];
        let frames = [
            (3, 1, "t.groupby('k').apply(f)"),
            (2, 2, "    return [g['k'].iloc[0], g['n'].sum()]"),
        ];
        let error = ipython("KeyError", &frames, "'k'");
        let all = cures_of(&cells, &error);
        assert_eq!(all[0].code, "def f(g):\n    return [g.name, g['n'].sum()]");
        let other = ipython("KeyError", &frames, "'n'");
        assert!(cures_of(&cells, &other)
            .iter()
            .all(|c| c.id != "group-name"));
    }
}
