//! Loops that run past the end of what they index.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{body, callee, int_of, look, loops_around, name, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Operator};
use nbmedic_python::{each_below, Ranged};
use nbmedic_wordings::{about, numpy};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "IndexError" && about::PAST_END.is_in(case.message()) {
        out.extend(loop_bound(case));
    }
}

/// `for i in range(10): x[i]` or `x[i + 1]` in `range(len(x))`.
fn loop_bound(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut all: Vec<(&Expr, i64, &Expr, &str)> = Vec::new();
    for e in &spot.exprs {
        let Some(s) = e.as_subscript_expr() else {
            continue;
        };
        let base = match &*s.value {
            Expr::Attribute(a) if a.attr.as_str() == "iloc" => &*a.value,
            other => other,
        };
        let (counter, plus) = match &*s.slice {
            Expr::Name(n) => (n.id.as_str(), 0),
            Expr::BinOp(b) if b.op == Operator::Add => match (name(&b.left), int_of(&b.right)) {
                (Some(n), Some(k)) if k > 0 => (n, k),
                _ => continue,
            },
            _ => continue,
        };
        let loops = loops_around(spot.python, s);
        let f = loops
            .iter()
            .rev()
            .find(|f| name(&f.target) == Some(counter));
        let Some(f) = f else { continue };
        let Some(c) = f.iter.as_call_expr().filter(|c| callee(c) == Some("range")) else {
            continue;
        };
        let args = &c.arguments.args;
        let end = match args.len() {
            1 => &args[0],
            2 => &args[1],
            _ => continue,
        };
        if nbmedic_python::name_of(base).is_none() && !base.is_subscript_expr() {
            continue;
        }
        all.push((base, plus, end, counter));
    }
    // For one array in one loop, the subscript that reaches furthest fails first.
    let (base, plus, end, counter) = all.iter().copied().max_by_key(|(_, plus, ..)| *plus)?;
    let same = |b: &Expr| spot.python.slice(b) == spot.python.slice(base);
    if all
        .iter()
        .any(|(b, _, e, _)| !same(b) || e.range() != end.range())
    {
        // Which subscript ended the loop is unknown.
        return words(case, &spot);
    }
    let (text, bound) = (spot.python.slice(base), spot.python.slice(end));
    // The iterated object must not be recreated inside the loop body.
    let length = format!("len({text})");
    let rest = match plus {
        0 => length.clone(),
        n => format!("{length} - {n}"),
    };
    let to = match bound == length {
        true if plus == 0 => return None,
        true => rest.clone(),
        false if is_past(&spot, end, text) => rest.clone(),
        false => format!("min({bound}, {rest})"),
    };
    let uses_counter = {
        let mut uses = false;
        each_below(base, &mut |e| uses |= name(e) == Some(counter));
        uses
    };
    if uses_counter {
        return None;
    }
    let why = match plus {
        0 if to == rest => format!("The loop goes past the last of `{text}`."),
        0 => format!("`{text}` has fewer than `{bound}` items; where it has enough nothing changes."),
        n => format!("`{text}[{counter} + {n}]` reaches {n} past `{counter}`, so the loop must end {n} earlier."),
    };
    case.edits(
        said(
            "loop-bound",
            Basis::Assumed,
            format!("Let the loop end at `{to}`"),
            why,
        ),
        vec![Change::replace(spot.cell, end, to)],
    )
}

/// Whether a range ends beyond the length of `of`, as in `range(len(x) + 1)`.
fn is_past(spot: &Spot<'_>, end: &Expr, of: &str) -> bool {
    let Some(sum) = end.as_bin_op_expr().filter(|b| b.op == Operator::Add) else {
        return false;
    };
    let length = [format!("len({of})"), format!("{of}.shape[0]")];
    length.iter().any(|l| spot.python.slice(&*sum.left) == l)
        && int_of(&sum.right).is_some_and(|n| n > 0)
}

fn words(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let [index, _, size] = numpy::INDEX_OUT_OF_AXIS.read(case.message())?;
    let stmt = spot.stmt.filter(|s| body(s).is_empty())?;
    let line = spot.python.slice(stmt).lines().next()?.trim();
    Some(look(
        "loop-bound",
        format!("Let the loop around `{line}` end at {size}"),
        format!("One of what it indexes has {size} items, and the loop reached index {index}."),
    ))
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    #[test]
    fn a_loop_ends_with_what_it_reads() {
        let cells = ["for i in range(9):\n    show(files[i])"];
        assert_eq!(
            at(&cells, 2, "IndexError", "list index out of range"),
            "for i in range(min(9, len(files))):\n    show(files[i])"
        );
        let cells = ["for i in range(len(files) + 1):\n    show(files[i])"];
        assert_eq!(
            at(&cells, 2, "IndexError", "list index out of range"),
            "for i in range(len(files)):\n    show(files[i])"
        );
        let cells = ["for i in range(len(x)):\n    d.append(x[i + 1] - 3)"];
        assert_eq!(
            at(&cells, 2, "IndexError", "list index out of range"),
            "for i in range(len(x) - 1):\n    d.append(x[i + 1] - 3)"
        );
        assert_eq!(
            at(
                &["for i in range(len(x)):\n    x[i]"],
                2,
                "IndexError",
                "list index out of range"
            ),
            ""
        );
    }
}
