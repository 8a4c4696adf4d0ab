//! Undefined names whose assignment is written differently: under another name, or with `==`.

use crate::case::Case;
use crate::closest::near;
use crate::edit::Change;
use crate::find::{missing_name, said, Spot};
use crate::known::is_builtin;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{CmpOp, Expr, ExprName, Stmt};
use nbmedic_python::{
    each_below, each_expr, each_stmt, BindKind, Binding, Cell, Ranged, TextRange,
};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let Some(missing) = missing_name(case.message()) else {
        return;
    };
    // Another cell may define a name that a comprehension was meant to define for itself.
    if let Some(cure) = comprehension(case, missing) {
        out.push(cure);
        return;
    }
    if case.last_set(missing).is_some() || !case.set_elsewhere(missing).is_empty() {
        return;
    }
    out.extend(
        compared(case, missing)
            .or_else(|| builtin(case, missing))
            .or_else(|| renamed(case, missing)),
    );
}

/// `total == sum(x)` as a statement.
fn compared(case: &Case<'_>, missing: &str) -> Option<Cure> {
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found: Option<(TextRange, u32)> = None;
        each_stmt(python.body(), &mut |s| {
            let Stmt::Expr(e) = s else { return };
            let Expr::Compare(c) = &*e.value else { return };
            let left = c
                .left
                .as_name_expr()
                .is_some_and(|n| n.id.as_str() == missing);
            // `mask == x <= 1` compares twice.
            if let ([CmpOp::Eq, ..], [right, ..], true) = (&c.ops[..], &c.comparators[..], left) {
                let between = TextRange::new(c.left.end(), right.start());
                let at = python.slice(between).find("==");
                found = at.map(|at| {
                    let start = between.start()
                        + nbmedic_python::TextSize::new(u32::try_from(at).unwrap_or(0));
                    let two = TextRange::at(start, nbmedic_python::TextSize::new(2));
                    (two, python.line_of(start))
                });
            }
        });
        let Some((range, line)) = found else { continue };
        return case.edits(
            said(
                "assign",
                Basis::Language,
                format!("Write `=` for `==` in line {line}"),
                format!("`{missing} == …` compares, and sets nothing."),
            ),
            vec![Change::replace(cell, range, "=")],
        );
    }
    None
}

/// `Print`, `Len`.
fn builtin(case: &Case<'_>, missing: &str) -> Option<Cure> {
    let right = missing.to_lowercase();
    if !is_builtin(&right) || right == missing {
        return None;
    }
    let spot = case.spot()?;
    let mut changes = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        if e.as_name_expr().is_some_and(|n| n.id.as_str() == missing) {
            changes.push(Change::replace(spot.cell, e, right.clone()));
        }
    });
    case.edits(
        said(
            "builtin-case",
            Basis::Spelled,
            format!("Replace `{missing}` by `{right}`"),
            format!("`{missing}` is not set; Python's own function is `{right}`."),
        ),
        changes,
    )
}

/// `[f(s) for s_ in texts]`: a similar target that the comprehension never reads.
fn unread_target<'c>(spot: &Spot<'c>, missing: &str) -> Option<&'c ExprName> {
    let mut found = None;
    for e in &spot.exprs {
        let generators = match e {
            Expr::ListComp(c) => &c.generators,
            Expr::SetComp(c) => &c.generators,
            Expr::DictComp(c) => &c.generators,
            Expr::Generator(c) => &c.generators,
            _ => continue,
        };
        // The first iterable is evaluated outside of it.
        let outside = generators.first()?.iter.range();
        let mut reads: Vec<&str> = Vec::new();
        each_below(e, &mut |inner| {
            let name = inner.as_name_expr().filter(|n| n.ctx.is_load());
            let name = name.filter(|_| !outside.contains_range(inner.range()));
            reads.extend(name.map(|n| n.id.as_str()));
        });
        let mut targets: Vec<&ExprName> = Vec::new();
        for target in generators.iter().map(|g| &g.target) {
            each_below(target, &mut |part| targets.extend(part.as_name_expr()));
        }
        let alike = |n: &str| near(n, missing).is_some() || extends(n, missing);
        targets.retain(|t| !reads.contains(&t.id.as_str()) && alike(&t.id));
        if let ([one], true) = (&targets[..], reads.contains(&missing)) {
            found = Some(*one);
        }
    }
    found
}

/// Whether a comprehension in the failing statement lacks a name because its target is spelled
/// differently.
pub(super) fn is_of_a_comprehension(case: &Case<'_>, missing: &str) -> bool {
    case.spot()
        .is_some_and(|spot| unread_target(&spot, missing).is_some())
}

fn comprehension(case: &Case<'_>, missing: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let target = unread_target(&spot, missing)?;
    case.edits(
        said(
            "misspelt-where-set",
            Basis::Spelled,
            format!("Replace `{}` by `{missing}` behind `for`", target.id),
            format!(
                "`for {}` sets a name that nothing reads, and `{missing}` is read instead.",
                target.id
            ),
        ),
        vec![Change::replace(spot.cell, target, missing)],
    )
}

/// How often each cell reads a name.
fn reads(case: &Case<'_>, name: &str) -> Vec<usize> {
    let count = |cell: usize| {
        let mut count = 0;
        let body = case.python(cell).map_or(&[][..], Cell::body);
        each_expr(body, &mut |e| {
            let read = e.as_name_expr().filter(|n| n.ctx.is_load());
            count += usize::from(read.is_some_and(|n| n.id.as_str() == name));
        });
        count
    };
    (0..case.book.cells().len()).map(count).collect()
}

/// Whether one name is the other with a prefix or suffix: `load` and `load_v2`, `va` and `va_`.
fn extends(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let rest = long
        .strip_prefix(short)
        .or_else(|| long.strip_suffix(short));
    // `X_train` isn't a variant of `X`.
    rest.is_some_and(|r| {
        let word = r.trim_matches('_').trim_start_matches('v');
        word.chars().all(|c| c.is_ascii_digit())
            || ["my", "new", "old", "tmp", "copy", "final", "orig"].contains(&word)
    })
}

/// Whether a binding is the target of a loop whose body reads the name.
fn loops_over(python: &Cell, binding: &Binding<'_>, missing: &str) -> bool {
    let body = match binding.stmt {
        Stmt::For(f) if binding.kind == BindKind::Loop => &f.body,
        _ => return false,
    };
    let mut read = false;
    each_expr(body, &mut |e| {
        read |= e.as_name_expr().is_some_and(|n| n.id.as_str() == missing);
    });
    read && python
        .names()
        .binds
        .iter()
        .filter(|b| b.stmt.range() == binding.stmt.range())
        .all(|b| {
            // If there are several targets, the others are read.
            b.name == binding.name || {
                let mut other = false;
                each_expr(body, &mut |e| {
                    other |= e.as_name_expr().is_some_and(|n| n.id.as_str() == b.name)
                });
                other
            }
        })
}

/// The only name that is assigned, never read, and similar to the undefined one.
fn renamed(case: &Case<'_>, missing: &str) -> Option<Cure> {
    let read = reads(case, missing);
    // If only one cell reads it and another one sets it, correcting the reader is quicker. A cell
    // that ran and read it is an earlier attempt at the failing one.
    let waits = |i: usize| i == case.at || case.book.cells()[i].ran.is_none();
    let cells = (0..read.len())
        .filter(|i| read[*i] > 0 && waits(*i))
        .count();
    // A name close to an existing one is probably misspelled itself.
    let spot = case.spot()?;
    let exist = case.names_at(&spot);
    let slips = exist.iter().any(|n| near(n, missing).is_some());
    let mut found: Vec<(usize, String, bool)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for b in &python.names().binds {
            if b.name == missing || b.name.starts_with("__") || b.name == "_" {
                continue;
            }
            // A single use is probably the misspelled one if the names are close.
            let often = cells > 1 || cell == case.at && read[cell] > 1;
            let alike = often && near(b.name, missing).is_some() || extends(b.name, missing);
            let looped = !alike && !slips && loops_over(python, b, missing);
            if (alike || looped)
                && reads(case, b.name).iter().all(|n| *n == 0)
                && !found.iter().any(|f| f.1 == b.name)
            {
                found.push((cell, b.name.to_owned(), alike));
            }
        }
    }
    let [(cell, name, alike)] = &found[..] else {
        return None;
    };
    let python = case.python(*cell)?;
    let binds = python.names().binds;
    let changes: Vec<Change> = binds
        .iter()
        .filter(|b| b.name == name)
        .map(|b| Change::replace(*cell, b.at, missing))
        .collect();
    let line = python.line_of(binds.iter().find(|b| b.name == name)?.at.start());
    let place = match *cell == case.at {
        true => format!("Line {line}"),
        false => format!("Line {line} of cell {}", case.position(*cell)),
    };
    // Nothing shows which of two close names is misspelled.
    let basis = match *alike && extends(name, missing) {
        true => Basis::Spelled,
        false => Basis::Alike,
    };
    case.edits(
        said(
            "misspelt-where-set",
            basis,
            format!("Replace `{name}` by `{missing}` where it is set"),
            format!("{place} sets `{name}`, which nothing reads; `{missing}` is read, and nothing sets it."),
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired, repaired_first};

    fn named(cells: &[&str], frames: &[(i64, u32, &str)], name: &str) -> Vec<nbmedic_facts::Cure> {
        let message = format!("name '{name}' is not defined");
        cures_of(cells, &ipython("NameError", frames, &message))
    }

    #[test]
    fn a_comparison_that_was_to_set_a_name_sets_it() {
        let cell = "hits == (x >= 10)\nprint(hits)";
        let e = ipython(
            "NameError",
            &[(2, 1, "hits == (x >= 10)")],
            "name 'hits' is not defined",
        );
        assert_eq!(
            repaired(&["x = 1", cell], &e),
            "hits = (x >= 10)\nprint(hits)"
        );
    }

    #[test]
    fn pythons_own_functions_have_no_capital() {
        let e = ipython(
            "NameError",
            &[(1, 1, "Print(1)")],
            "name 'Print' is not defined",
        );
        assert_eq!(repaired(&["Print(1)"], &e), "print(1)");
    }

    #[test]
    fn a_name_is_corrected_where_it_is_set_if_nothing_reads_what_is_set() {
        let cells = ["COIINS = [1, 2]", "#!\nb = COINS[1]", "a = COINS[0]"];
        let cures = named(&cells, &[(2, 1, cells[2])], "COINS");
        assert_eq!(
            (cures[0].edits[0].cell, cures[0].edits[0].text.as_str()),
            (1, "COINS")
        );
        let cells = ["def to_letter_v2(x):\n    return x\nto_letter(1)"];
        let cures = named(&cells, &[(1, 3, "to_letter(1)")], "to_letter");
        assert!(cures[0].code.starts_with("def to_letter(x):"));
        let cells = ["n = [len(s) for s_ in ['a']]"];
        let cures = named(&cells, &[(1, 1, cells[0])], "s");
        assert_eq!(cures[0].code, "n = [len(s) for s in ['a']]");
        let cells = ["for idx in range(3):\n    print(i)"];
        let cures = named(&cells, &[(1, 2, "    print(i)")], "i");
        assert_eq!(cures[0].code, "for i in range(3):\n    print(i)");
    }

    #[test]
    fn a_comprehensions_own_target_counts_whatever_other_cells_set() {
        let cells = [
            "for r in [1]:\n    pass",
            "v = np.array([r['loss'] for r_ in log])",
        ];
        assert_eq!(
            repaired_first(&cells, "NameError", "name 'r' is not defined"),
            "v = np.array([r['loss'] for r in log])"
        );
        let cells = ["gets = sorted(((b, p) for p, b_ in balance.items() if b > 0))"];
        assert_eq!(
            repaired_first(&cells, "NameError", "name 'b' is not defined"),
            "gets = sorted(((b, p) for p, b in balance.items() if b > 0))"
        );
    }

    #[test]
    fn a_name_that_is_read_is_meant() {
        let cells = ["for idx in range(3):\n    print(i, idx)"];
        let cures = named(&cells, &[(1, 2, "    print(i, idx)")], "i");
        assert!(cures.iter().all(|c| c.id != "misspelt-where-set"));
        // The first attempt at the same cell has failed.
        let cells = ["total = 1", "a = totl + 1", "a = totl + 2"];
        let cures = named(&cells, &[(3, 1, cells[2])], "totl");
        assert_eq!(cures[0].code, "a = total + 2");
        let cells = ["load_v2 = 1\nload_v3 = 2", "load + load"];
        let cures = named(&cells, &[(2, 1, cells[1])], "load");
        assert!(cures.iter().all(|c| c.id != "misspelt-where-set"));
    }
}
