//! Loops over pairs: `for i, a, b in enumerate(zip(x, y))`, `for row in df.iterrows()`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, loops_around, name, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtFor};
use nbmedic_python::{each_below, positional, Ranged, TextRange};
use nbmedic_wordings::{about, python};

/// Whether a message says what a tuple lacks.
fn is_of_tuple(message: &str) -> bool {
    matches!(python::ATTRIBUTE.read(message), Some(["tuple", _]))
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "ValueError" if about::UNPACKING.is_in(message) => nested(case).or_else(|| contours(case)),
        "AttributeError" if is_of_tuple(message) => apart(case),
        "TypeError" if message.starts_with("tuple indices must be integers or slices") => {
            apart(case)
        }
        _ => None,
    });
}

/// `im, contours, hierarchy = cv2.findContours(…)`: since OpenCV 4 it gives two values.
fn contours(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let assign = spot.stmt?.as_assign_stmt()?;
    let call = assign.value.as_call_expr()?;
    (case.path_of(&call.func).as_deref() == Some("cv2.findContours")).then_some(())?;
    let names = assign.targets.first()?.as_tuple_expr()?;
    let [first, second, _] = &names.elts[..] else {
        return None;
    };
    let rest = spot
        .python
        .slice(TextRange::new(second.start(), names.end()));
    case.edits(
        said(
            "two-values",
            Basis::Library,
            format!("Take two values: `{rest} = cv2.findContours(…)`"),
            "OpenCV 3 gave the picture as well, since OpenCV 4 there are the contours and their hierarchy.",
        ),
        vec![Change::replace(spot.cell, TextRange::new(first.start(), second.start()), "")],
    )
}

/// The method or function that yields pairs, and the number of values in the second item of each,
/// if known.
fn pairs<'c>(case: &'c Case<'_>, f: &'c StmtFor) -> Option<(&'c str, Option<usize>)> {
    let call = f.iter.as_call_expr()?;
    let by = callee(call)?;
    let inner = match by {
        "enumerate" => match positional(call, 0)? {
            Expr::Call(c) => match callee(c)? {
                "zip" => Some(c.arguments.args.len()),
                "items" | "iterrows" => Some(2),
                _ => None,
            },
            _ => None,
        },
        "items" => {
            let table = receiver(call).and_then(name)?;
            let dict = case.value(table).and_then(|(_, v)| v.as_dict_expr());
            let first = dict.and_then(|d| d.iter_values().next());
            match first {
                Some(Expr::Tuple(t)) => Some(t.elts.len()),
                Some(Expr::List(l)) => Some(l.elts.len()),
                _ => None,
            }
        }
        "iterrows" | "groupby" => None,
        _ => return None,
    };
    Some((by, inner))
}

/// `for name, a, b in d.items()`: the values are pairs themselves.
fn nested(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let Stmt::For(f) = spot.stmt? else {
        return None;
    };
    let target = f.target.as_tuple_expr()?;
    let names = target.elts.len();
    let (by, inner) = pairs(case, f)?;
    let known = inner == Some(names.checked_sub(1)?);
    // Since Python 3.13, the message says how many values there were.
    let two = case.message().contains("got 2)") || by == "enumerate";
    if names < 3 || !(known || inner.is_none() && two && by == "items") {
        return None;
    }
    let rest = TextRange::new(target.elts[1].start(), target.elts.last()?.end());
    let text = spot.text(rest);
    case.edits(
        said(
            "nested-pair",
            if known {
                Basis::Language
            } else {
                Basis::Assumed
            },
            format!("Put `{text}` into brackets: `({text})`"),
            format!(
                "`{by}` gives pairs; the second of each is taken apart in brackets of its own."
            ),
        ),
        vec![Change::replace(spot.cell, rest, format!("({text})"))],
    )
}

/// `for row in df.iterrows(): row["a"]`: the loop's variable is the pair.
fn apart(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let stmt = spot.stmt?;
    let uses = |f: &&StmtFor| {
        let own = name(&f.target);
        let mut used = false;
        for e in &spot.exprs {
            each_below(e, &mut |e| used |= own.is_some() && name(e) == own);
        }
        used && pairs(case, f).is_some()
    };
    let around = loops_around(spot.python, stmt);
    let f = around.into_iter().rev().find(uses)?;
    let (by, _) = pairs(case, f)?;
    let value = name(&f.target)?;
    let first = match by {
        "items" | "groupby" => ["key", "name", "k"],
        _ => ["i", "index", "n"],
    };
    let free =
        |n: &&&str| case.last_set(n).is_none() && !spot.python.slice(f).contains(&format!(" {n} "));
    let first = first.iter().find(free)?;
    let gives = match by {
        "enumerate" => "its number and each element",
        "items" => "each key with its value",
        "groupby" => "each group's key with its rows",
        _ => "each row's label with the row",
    };
    case.edits(
        said(
            "pair-apart",
            Basis::Language,
            format!("Write `for {first}, {value} in {}`", spot.text(&*f.iter)),
            format!("`{by}` gives pairs: {gives}. `{value}` was the whole pair."),
        ),
        vec![Change::before(spot.cell, &*f.target, format!("{first}, "))],
    )
}
