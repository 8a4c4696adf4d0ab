//! The truth value of a column, which has many values.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, one_line, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{BoolOp, Expr, ExprBoolOp, Stmt, UnaryOp};
use nbmedic_python::Cell;
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ValueError" && pandas::TRUTH_VALUE.begins(case.message()) {
        out.extend(truth(case));
    }
}

fn is_comparison(e: &Expr) -> bool {
    match e {
        Expr::Compare(_) => true,
        Expr::Call(c) => matches!(
            callee(c),
            Some(
                "isin"
                    | "isna"
                    | "isnull"
                    | "notna"
                    | "notnull"
                    | "between"
                    | "contains"
                    | "startswith"
                    | "duplicated"
                    | "eq"
                    | "gt"
                    | "lt"
            )
        ),
        Expr::UnaryOp(u) => is_comparison(&u.operand),
        Expr::BoolOp(b) => b.values.iter().all(is_comparison),
        Expr::BinOp(b) => is_comparison(&b.left) && is_comparison(&b.right),
        Expr::Name(_) | Expr::Subscript(_) => true,
        _ => false,
    }
}

/// A part of a condition, as an operand of `&`.
fn operand_text(python: &Cell, e: &Expr) -> String {
    match e {
        Expr::BoolOp(b) => format!("({})", joined(python, b)),
        Expr::UnaryOp(u) if u.op == UnaryOp::Not => {
            format!("~{}", operand_text(python, &u.operand))
        }
        Expr::Compare(c) if c.ops.len() == 2 => {
            let parts =
                [&c.left, &c.comparators[0], &c.comparators[1]].map(|e| python.slice(e).to_owned());
            format!(
                "(({} {} {}) & ({} {} {}))",
                parts[0], c.ops[0], parts[1], parts[1], c.ops[1], parts[2]
            )
        }
        Expr::Name(_) | Expr::Call(_) | Expr::Subscript(_) | Expr::Attribute(_) => {
            python.slice(e).to_owned()
        }
        _ => format!("({})", python.slice(e)),
    }
}

fn joined(python: &Cell, b: &ExprBoolOp) -> String {
    let op = match b.op {
        BoolOp::And => " & ",
        BoolOp::Or => " | ",
    };
    let parts: Vec<String> = b.values.iter().map(|v| operand_text(python, v)).collect();
    parts.join(op)
}

/// `df[(a) and (b)]`, `df[a == 1 & b == 2]`, `if df:`.
fn truth(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let python = spot.python;
    let test = spot.stmt.and_then(|s| match s {
        Stmt::If(i) => Some(&*i.test),
        Stmt::While(w) => Some(&*w.test),
        Stmt::Assert(a) => Some(&*a.test),
        _ => None,
    });
    let [kind] = pandas::TRUTH_VALUE.read(case.message()).unwrap_or_default();
    let (of_frame, array) = (kind == "DataFrame", kind == "array");
    if let Some(test) = test {
        let (inner, not) = match test {
            Expr::UnaryOp(u) if u.op == UnaryOp::Not => (&*u.operand, true),
            other => (other, false),
        };
        let text = python.slice(inner);
        if matches!(
            inner,
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_)
        ) {
            let to = match (array, not) {
                (true, true) => format!("len({text}) == 0"),
                (true, false) => format!("len({text}) > 0"),
                (false, true) => format!("{text}.empty"),
                (false, false) => format!("not {text}.empty"),
            };
            return case.edits(
                said(
                    "truth",
                    Basis::Assumed,
                    format!("Replace `{}` by `{to}`", python.slice(test)),
                    format!("`{text}` has many values, so it is not true or false itself. The choice: this asks whether it has any rows; `is not None` would ask whether it was set."),
                ),
                vec![Change::replace(spot.cell, test, to)],
            );
        }
        if inner.is_compare_expr() && !not {
            let equal = inner.as_compare_expr().is_some_and(|c| c.ops.len() == 1);
            equal.then_some(())?;
            let reduce = if of_frame {
                ".any(axis=None)"
            } else {
                ".any()"
            };
            return case.edits(
                said(
                    "truth",
                    Basis::Assumed,
                    format!("Replace `{text}` by `({text}){reduce}`"),
                    "The comparison gives a value for each row. The choice: `any` is true if one row is, `all` only if every row is.".to_owned(),
                ),
                vec![Change::replace(spot.cell, inner, format!("({text}){reduce}"))],
            );
        }
        return None;
    }
    // The outermost `and`, `or`, `not` or chained comparison over columns.
    let found = spot.exprs.iter().copied().find(|e| match e {
        Expr::BoolOp(b) => b.values.iter().all(is_comparison),
        Expr::UnaryOp(u) => u.op == UnaryOp::Not && is_comparison(&u.operand),
        Expr::Compare(c) => c.ops.len() > 1,
        _ => false,
    })?;
    let to = match found {
        Expr::BoolOp(b) => joined(python, b),
        Expr::Compare(c) => {
            masked(python, c).or_else(|| (c.ops.len() == 2).then(|| operand_text(python, found)))?
        }
        other => operand_text(python, other),
    };
    let why = match found {
        Expr::BoolOp(_) => "`and` and `or` want one truth value; `&` and `|` compare row by row, and bind tighter than `==`, so each part needs brackets.",
        Expr::Compare(_) => "`&` and `|` bind tighter than comparisons, so each comparison needs brackets.",
        _ => "`not` wants one truth value; `~` turns around each row.",
    };
    let to = match found {
        // `&` binds tighter than anything that may surround it.
        Expr::BoolOp(_) => to,
        _ => to,
    };
    case.edits(
        said(
            "row-by-row",
            Basis::Library,
            format!("Replace `{}` by `{to}`", one_line(python.slice(found))),
            why,
        ),
        vec![Change::replace(spot.cell, found, to)],
    )
}

/// `a == 1 & b == 2`, which Python reads as `a == (1 & b) == 2`.
fn masked(python: &Cell, c: &nbmedic_python::ast::ExprCompare) -> Option<String> {
    use nbmedic_python::ast::Operator;
    let mut parts = vec![python.slice(&*c.left).to_owned()];
    let mut out = String::new();
    let last = c.comparators.len() - 1;
    for (i, (op, right)) in c.ops.iter().zip(&c.comparators).enumerate() {
        let left = parts.pop()?;
        match right {
            Expr::BinOp(b) if i < last && matches!(b.op, Operator::BitAnd | Operator::BitOr) => {
                let sign = if b.op == Operator::BitAnd { "&" } else { "|" };
                out += &format!("({left} {op} {}) {sign} ", python.slice(&*b.left));
                parts.push(python.slice(&*b.right).to_owned());
            }
            _ if i == last && !out.is_empty() => {
                out += &format!("({left} {op} {})", python.slice(right))
            }
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    const SETUP: &str = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')";

    fn one(line: &str, class: &str, message: &str) -> String {
        let first = line.lines().next().unwrap_or("");
        repaired(&[SETUP, line], &ipython(class, &[(2, 1, first)], message))
    }

    #[test]
    fn conditions_are_joined_row_by_row() {
        let message = "The truth value of a Series is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all().";
        for (line, after) in [
            (
                "df[(df.a > 1) and (df.b == 2)]",
                "df[(df.a > 1) & (df.b == 2)]",
            ),
            (
                "df[df.a > 1 or not df.b == 2]",
                "df[(df.a > 1) | ~(df.b == 2)]",
            ),
            (
                "m = df[df.a == 1 & df.b == 2]",
                "m = df[(df.a == 1) & (df.b == 2)]",
            ),
            ("m = df[1 < df.a < 5]", "m = df[((1 < df.a) & (df.a < 5))]"),
            ("m = df[not df.a.isna()]", "m = df[~df.a.isna()]"),
            ("if df:\n    pass", "if not df.empty:\n    pass"),
            ("if df.a == 3:\n    pass", "if (df.a == 3).any():\n    pass"),
        ] {
            assert_eq!(one(line, "ValueError", message), after, "{line}");
        }
    }
}
