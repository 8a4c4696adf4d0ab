//! Accumulators that are missing before a loop.

use crate::case::Case;
use crate::find::{missing_name, said};
use crate::known::function_around;
use crate::texts;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Operator, Stmt};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged};

/// Methods that extend or read a list, set or dict.
const OF_LISTS: &[&str] = &["append", "extend", "insert"];
const OF_SETS: &[&str] = &["add", "discard"];
const OF_DICTS: &[&str] = &["setdefault", "get", "items", "keys", "values"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "NameError" {
        out.extend(missing_name(case.message()).and_then(|name| before_the_loop(case, name)));
    }
}

/// The first loop of a cell, outside of functions, that reads the name.
fn loop_of<'c>(python: &'c Cell, name: &str) -> Option<&'c Stmt> {
    python.body().iter().find(|s| {
        let mut read = false;
        each_expr(std::slice::from_ref(*s), &mut |e| {
            read |= e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
        });
        read && matches!(s, Stmt::For(_) | Stmt::While(_))
    })
}

fn before_the_loop(case: &Case<'_>, name: &str) -> Option<Cure> {
    if case.last_set(name).is_some() || !case.set_elsewhere(name).is_empty() {
        return None;
    }
    let spot = case.spot().filter(|s| s.cell == case.at)?;
    let stmt = loop_of(spot.python, name)?;
    if function_around(spot.python, stmt).is_some()
        || !stmt.range().contains_range(spot.stmt?.range())
    {
        return None;
    }
    let value = start_of(case, spot.python, std::slice::from_ref(stmt), name)?;
    let what = match value {
        "[]" => "a list",
        "{}" => "a dict",
        "set()" => "a set",
        "\"\"" => "a text",
        _ => "a number",
    };
    case.edits(
        said(
            "start-value",
            Basis::Assumed,
            format!("Set `{name} = {value}` before the loop"),
            format!("The loop collects into `{name}` as into {what}, and nothing sets it before."),
        ),
        vec![spot.editor().above(stmt, &format!("{name} = {value}"))],
    )
}

/// The start value of a name before statements that add to it. None if they don't, or if they
/// disagree.
pub(super) fn start_of(
    case: &Case<'_>,
    python: &Cell,
    body: &[Stmt],
    name: &str,
) -> Option<&'static str> {
    let is = |e: &Expr| e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
    let mut found: Vec<&'static str> = Vec::new();
    each_expr(body, &mut |e| {
        let Some(call) = e.as_call_expr() else { return };
        let Some(method) = call.func.as_attribute_expr().filter(|a| is(&a.value)) else {
            return;
        };
        let method = method.attr.as_str();
        for (methods, value) in [(OF_LISTS, "[]"), (OF_SETS, "set()"), (OF_DICTS, "{}")] {
            found.extend(methods.contains(&method).then_some(value));
        }
    });
    let key = |target: &Expr| target.as_subscript_expr().is_some_and(|s| is(&s.value));
    each_stmt(body, &mut |s| match s {
        Stmt::Assign(a) => {
            found.extend(a.targets.iter().any(key).then_some("{}"));
            // `total = total + x`
            if a.targets.iter().any(is) {
                if let Expr::BinOp(b) = &*a.value {
                    found.extend(
                        is(&b.left).then(|| of_operand(case, python, body, b.op, &b.right)),
                    );
                }
            }
        }
        Stmt::AugAssign(a) if is(&a.target) => {
            found.push(of_operand(case, python, body, a.op, &a.value));
        }
        Stmt::AugAssign(a) => found.extend(key(&a.target).then_some("{}")),
        _ => {}
    });
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// The start value for `name op= operand`.
fn of_operand(
    case: &Case<'_>,
    python: &Cell,
    body: &[Stmt],
    op: Operator,
    operand: &Expr,
) -> &'static str {
    match (op, operand) {
        (Operator::Mult, _) => "1",
        (_, Expr::List(_) | Expr::ListComp(_)) => "[]",
        _ if is_text(case, python, body, operand, 0) => "\"\"",
        _ => "0",
    }
}

/// Whether an expression is a string, or is made from one that a loop takes from a literal.
fn is_text(case: &Case<'_>, python: &Cell, body: &[Stmt], expr: &Expr, depth: u8) -> bool {
    let inner = |e: &Expr| depth < 4 && is_text(case, python, body, e, depth + 1);
    texts::is_text(case, expr)
        || match expr {
            Expr::BinOp(b) => {
                let joins = matches!(b.op, Operator::Add | Operator::Mult);
                joins && (inner(&b.left) || inner(&b.right))
            }
            Expr::If(i) => inner(&i.body) || inner(&i.orelse),
            Expr::Name(n) => elements(case, python, body, &n.id).iter().any(|e| inner(e)),
            _ => false,
        }
}

/// The values that a loop variable takes from a literal.
fn elements<'c>(
    case: &'c Case<'_>,
    python: &'c Cell,
    body: &'c [Stmt],
    name: &str,
) -> Vec<&'c Expr> {
    let mut out = Vec::new();
    let mut of_loop = |s: &'c Stmt| {
        let Stmt::For(f) = s else { return };
        let literal = match &*f.iter {
            Expr::Name(n) => case.value(n.id.as_str()).map(|(_, v)| v),
            other => Some(other),
        };
        let elements: &[Expr] = match literal {
            Some(Expr::List(l)) => &l.elts,
            Some(Expr::Tuple(t)) => &t.elts,
            _ => &[],
        };
        match &*f.target {
            Expr::Name(n) if n.id.as_str() == name => out.extend(elements.first()),
            Expr::Tuple(targets) => {
                let is = |t: &Expr| t.as_name_expr().is_some_and(|n| n.id.as_str() == name);
                let at = targets.elts.iter().position(is);
                let first = elements.first().and_then(Expr::as_tuple_expr);
                out.extend(at.zip(first).and_then(|(at, t)| t.elts.get(at)));
            }
            _ => {}
        }
    };
    each_stmt(python.body(), &mut of_loop);
    each_stmt(body, &mut of_loop);
    out
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    fn fixed(cell: &str, line: u32, name: &str) -> String {
        let code = cell.lines().nth(line as usize - 1).unwrap_or("");
        let message = format!("name '{name}' is not defined");
        repaired(&[cell], &ipython("NameError", &[(1, line, code)], &message))
    }

    #[test]
    fn what_a_loop_collects_into_is_set_before_it() {
        for (cell, line, name, value) in [
            ("for x in [1, 2]:\n    found.append(x)", 2, "found", "[]"),
            ("for x in [1, 2]:\n    seen.add(x)", 2, "seen", "set()"),
            ("for x in 'ab':\n    n[x] = n.get(x, 0) + 1", 2, "n", "{}"),
            (
                "for x in [1, 2]:\n    if x:\n        total += x",
                3,
                "total",
                "0",
            ),
            (
                "for a, b in [('x', 1)]:\n    text += a * b",
                2,
                "text",
                "\"\"",
            ),
        ] {
            assert_eq!(fixed(cell, line, name), format!("{name} = {value}\n{cell}"));
        }
    }

    #[test]
    fn what_is_only_read_or_used_in_two_ways_is_not_guessed() {
        for cell in [
            "for x in rows:\n    print(x)",
            "for x in [1]:\n    rows.append(x)\n    rows.add(x)",
        ] {
            let line = if cell.contains("append") { 2 } else { 1 };
            assert!(!fixed(cell, line, "rows").starts_with("rows ="));
        }
    }
}
