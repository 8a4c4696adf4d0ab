//! A loop whose variable takes the name of what it goes over: `for branch, df in df.groupby("branch")`. Afterwards the name has the
//! last part only.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{head_exprs, lines_before, loops_around, name, one_line, said};
use crate::known::{function_around, Set};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtFor};
use nbmedic_python::{each_below, each_expr, each_stmt, BindKind, Ranged, TextRange};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(
        case.class(),
        "NameError" | "SyntaxError" | "ImportError" | "ModuleNotFoundError"
    ) {
        return;
    }
    let Some((cell, python, stmt)) = case.here() else {
        return;
    };
    if function_around(python, stmt).is_some() {
        return;
    }
    let behind = case.names_behind(&head_exprs(stmt));
    let found = behind.iter().find_map(|n| {
        let set = case.last_set(n)?;
        let around = set
            .binding
            .stmt
            .as_for_stmt()
            .filter(|_| set.binding.kind == BindKind::Loop)?;
        // Within the loop it is what it should be.
        let outside = set.cell != cell || !around.range().contains_range(stmt.range());
        let mut eats = false;
        each_below(&around.iter, &mut |e| eats |= name(e) == Some(n));
        (outside && eats).then(|| cure(case, &set, around, n))?
    });
    out.extend(found);
    if case.class() == "KeyError" {
        out.extend(behind.iter().find_map(|n| begun_anew(case, n)));
    }
}

/// `scores = {}` in the loop that fills it: after it there is the last one only.
fn begun_anew(case: &Case<'_>, of: &str) -> Option<Cure> {
    let set = case
        .last_set(of)
        .filter(|s| s.binding.looped && s.binding.function.is_none())?;
    let empty = set
        .binding
        .value
        .is_some_and(|v| v.as_dict_expr().is_some_and(|d| d.items.is_empty()));
    let python = case.python(set.cell).filter(|_| empty)?;
    let around = *loops_around(python, set.binding.stmt).first()?;
    let own = around
        .body
        .iter()
        .any(|s| s.range() == set.binding.stmt.range());
    let mut fills = false;
    each_stmt(&around.body, &mut |s| {
        let a = s.as_assign_stmt();
        fills |= a.is_some_and(|a| {
            a.targets
                .iter()
                .any(|t| t.as_subscript_expr().and_then(|t| name(&t.value)) == Some(of))
        });
    });
    let (line, stmt) = (
        python.line_of(set.binding.stmt.start()),
        python.slice(set.binding.stmt),
    );
    (own && fills && around.body.len() > 1 && python.line(line).trim() == stmt).then_some(())?;
    let whole = TextRange::new(
        python.line_range(line).start(),
        python.line_range(line + 1).start(),
    );
    let code = Stmt::For(around.clone());
    case.edits(
        said(
            "before-the-loop",
            Basis::Source,
            format!("Put `{stmt}` above the loop"),
            format!(
                "In the loop it makes `{of}` anew each time, so that only the last entry is left."
            ),
        ),
        vec![
            Change::replace(set.cell, whole, String::new()),
            lines_before(set.cell, python, &code, stmt),
        ],
    )
}

/// Another name for the variable of the loop.
fn cure(case: &Case<'_>, set: &Set<'_>, around: &StmtFor, of: &str) -> Option<Cure> {
    let python = case.python(set.cell)?;
    let new = [format!("{of}_part"), format!("one_{of}")]
        .into_iter()
        .find(|n| case.last_set(n).is_none())?;
    let mut changes = Vec::new();
    let mut rename = |e: &Expr| {
        if name(e) == Some(of) {
            changes.push(Change::replace(set.cell, e, new.as_str()));
        }
    };
    each_below(&around.target, &mut rename);
    each_expr(&around.body, &mut rename);
    // The loop sets it itself: what the name means below is not known.
    let within = python
        .names()
        .binds
        .iter()
        .filter(|b| b.name == of && around.range().contains_range(b.at))
        .count();
    let head = python.slice(around).lines().next()?;
    (within == 1 && changes.len() > 1).then_some(())?;
    let mut cure = case.edits(
        said(
            "loop-takes",
            Basis::Source,
            format!("Call the variable of the loop `{new}`, so that `{of}` stays whole"),
            format!(
                "After `{}` the name `{of}` has the last part only.",
                one_line(head)
            ),
        ),
        changes,
    )?;
    // The whole has to be made anew first.
    let maker = case
        .set_before(of)
        .into_iter()
        .find(|s| s.binding.kind != BindKind::Loop)?;
    let mut first = case.made_anew(maker.cell).unwrap_or_default();
    first.push(case.position(maker.cell));
    first.retain(|c| !cure.run.contains(c));
    cure.run.splice(0..0, first);
    Some(cure)
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn a_dict_is_made_before_the_loop_that_fills_it() {
        let cells = [
            "for k in ks:\n    s = {}\n    s[k] = f(k)",
            "d = s['a'] - s['b']",
        ];
        let cells = ["ks = ['a', 'b']\nf = len", cells[0], cells[1]];
        let error = error_at(&cells, 1, "KeyError", "'a'");
        let all = cures_of(&cells, &error);
        assert_eq!(
            all[0].code, "s = {}\nfor k in ks:\n    s[k] = f(k)",
            "{all:?}"
        );
    }

    #[test]
    fn the_loop_gets_a_name_of_its_own() {
        let cells = [
            "import pandas as pd\ndf = pd.read_csv('a.csv')",
            "for k, df in df.groupby('k'):\n    plt.plot(df['x'], df['y'])",
            "t = df.pivot(index='x', columns='k', values='y')\nd = t['b'] - t['a']",
        ];
        let error = error_at(&cells, 2, "KeyError", "'b'");
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(
            cure.code,
            "for k, df_part in df.groupby('k'):\n    plt.plot(df_part['x'], df_part['y'])"
        );
        assert_eq!(cure.run, [1, 2, 3]);
        // A loop over something else is as it should be.
        let other = [
            cells[0],
            "for k, g in df.groupby('k'):\n    print(g)",
            cells[2],
        ];
        assert!(cures_of(&other, &error)
            .iter()
            .all(|c| c.id != "loop-takes"));
    }
}
