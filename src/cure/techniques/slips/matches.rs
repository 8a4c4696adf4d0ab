//! Regular expressions that find nothing: `re.search(pattern, line).group(1)`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_expr, positional, Ranged};
use nbmedic_wordings::python;

/// Members of a match object.
const MEMBERS: &[&str] = &["group", "groups", "groupdict", "start", "end", "span"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let missing = python::NONE_ATTRIBUTE.read(message);
    let of_match = missing.is_some_and(|[member]| MEMBERS.contains(&member));
    let indexed = python::NOT_SUBSCRIPTABLE.read(message) == Some(["NoneType"]);
    if of_match || indexed {
        out.extend(within(case).or_else(|| without_match(case)));
    }
}

/// `re.match(r"took (\d+) ms", line)`: it looks at the beginning of the text only, and a text of the notebook has it further on.
fn within(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut found: Vec<(usize, &ExprCall)> = Vec::new();
    for e in &spot.exprs {
        let of = match e {
            Expr::Attribute(a) if MEMBERS.contains(&a.attr.as_str()) => &*a.value,
            Expr::Subscript(s) => &*s.value,
            _ => continue,
        };
        let made = case.made(spot.cell, of);
        let call = made.and_then(|m| Some((m.cell, m.expr.as_call_expr()?)));
        found.extend(call.filter(|(_, c)| callee(c) == Some("match") && receiver(c).is_some()));
    }
    found.dedup_by_key(|(_, c)| c.range());
    let (cell, call) = only(found.into_iter())?;
    let on = receiver(call)?;
    // The pattern is the first argument, or that of `re.compile`.
    let pattern = match case.module_of(name(on)?) {
        Some(m) if m == "re" || m == "regex" => case.made(cell, positional(call, 0)?)?.expr,
        _ => {
            let made = case.made(cell, on)?;
            positional(
                made.expr
                    .as_call_expr()
                    .filter(|c| callee(c) == Some("compile"))?,
                0,
            )?
        }
    };
    // The letters with which it begins.
    let head: String = text_of(pattern)?
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '=' | ':' | '/' | '-'))
        .collect();
    (head.trim().len() >= 3).then_some(())?;
    let (mut inside, mut first) = (false, false);
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let text = text_of(e).filter(|_| e.range() != pattern.range());
            for line in text.unwrap_or_default().lines() {
                first |= line.starts_with(&head);
                inside |= line.find(&head).is_some_and(|at| at > 0);
            }
        });
    }
    (inside && !first).then_some(())?;
    let method = call.func.as_attribute_expr()?;
    case.edits(
        said(
            "search-not-match",
            Basis::Source,
            "Look anywhere in the text: `search` for `match`",
            format!("`match` looks at the beginning of the text only, and `{}` stands further on in the texts.", head.trim()),
        ),
        vec![Change::replace(cell, &method.attr, "search")],
    )
}

/// Whether an expression is a regex search.
fn searches(e: &Expr) -> bool {
    let call = e.as_call_expr().filter(|c| receiver(c).is_some());
    matches!(
        call.and_then(callee),
        Some("search" | "match" | "fullmatch")
    )
}

/// The receiver of a match member anywhere in an expression: the search itself, or a name assigned
/// from one.
fn matched<'c>(case: &'c Case<'_>, cell: usize, value: &'c Expr) -> Vec<&'c Expr> {
    let mut out: Vec<&Expr> = Vec::new();
    nbmedic_python::each_below(value, &mut |e| {
        let of = match e {
            Expr::Attribute(a) if MEMBERS.contains(&a.attr.as_str()) => &*a.value,
            Expr::Subscript(s) => &*s.value,
            _ => return,
        };
        let made = case.made(cell, of).is_some_and(|m| searches(m.expr));
        out.extend((searches(of) || name(of).is_some() && made).then_some(of));
    });
    out
}

/// `return int(m.group(1))` → `return int(m.group(1)) if m else None`, introducing `m` where the
/// match has no name.
fn without_match(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let value: &Expr = match spot.stmt? {
        Stmt::Return(r) => r.value.as_deref()?,
        Stmt::Assign(a) => &a.value,
        _ => return None,
    };
    // In a comprehension, the condition would apply to the whole comprehension.
    if matches!(
        value,
        Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_)
    ) {
        return None;
    }
    let found = matched(case, spot.cell, value);
    let of = only(found.into_iter())?;
    let text = spot.text(value);
    let (new, shown) = match name(of) {
        Some(m) => (format!("{text} if {m} else None"), m.to_owned()),
        None => {
            let m = ["m", "found", "hit"].into_iter().find(|n| {
                let taken = case.last_set(n).is_some();
                !taken && !spot.python.names().binds.iter().any(|b| b.name == *n)
            })?;
            let search = spot.text(of);
            let from = (of.start() - value.start()).to_usize();
            let mut inner = text.to_owned();
            inner.replace_range(from..from + search.len(), m);
            (
                format!("{inner} if ({m} := {search}) else None"),
                m.to_owned(),
            )
        }
    };
    if new.contains('\n') {
        return None;
    }
    case.edits(
        said(
            "no-match",
            Basis::Assumed,
            format!("Give `None` where the pattern isn't found: `… if {shown} else None`"),
            "A search without a match gives `None`, which has no groups. Choose the value for a text without a match; if every text should match, check that text and the pattern.",
        ),
        vec![Change::replace(spot.cell, value, new)],
    )
}
