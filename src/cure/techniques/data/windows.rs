//! Loops whose index looks ahead by a size that isn't a literal: `x[i + window]`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, loops_around, name, only, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprSubscript, Operator, StmtFor};
use nbmedic_python::positional;
use nbmedic_wordings::{numpy, python};
use std::collections::BTreeMap;

/// Maximum depth of an examined sum.
const MAX_DEPTH: usize = 8;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let past = match case.class() {
        "IndexError" => {
            python::OUT_OF_RANGE.is_in(message)
                || matches!(numpy::INDEX_OUT_OF_AXIS.read(message), Some([_, "0", _]))
        }
        // A table column, by its labels.
        "KeyError" => message.trim().parse::<i64>().is_ok(),
        _ => false,
    };
    if past {
        out.extend(window(case));
    }
}

/// The indexed object, and how far the index looks ahead of the loop counter.
struct Reach<'c> {
    at: &'c ExprSubscript,
    base: &'c Expr,
    end: &'c Expr,
    counter: &'c str,
    ahead: Sum,
}

fn window(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let subscripts = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let reach = only(subscripts.filter_map(|s| reach(case, &spot, s)))?;
    let base = spot.python.slice(reach.base);
    let size = Sum::atom(format!("len({base})"));
    let last = size.clone().plus(&reach.ahead, -1);
    let end = sum(case, &spot, reach.end, 0)?.measured(base);
    if !end.plus(&last, -1).may_be_positive() {
        return None;
    }
    let to = format!("len({base}){}", reach.ahead.subtracted());
    let index = spot.python.slice(reach.at);
    case.edits(
        said(
            "loop-window",
            Basis::Assumed,
            format!("Let the loop end at `{to}`"),
            format!("`{index}` reaches ahead of `{}`: in the last rounds it is past the end of `{base}`.", reach.counter),
        ),
        vec![Change::replace(spot.cell, reach.end, to)],
    )
}

fn reach<'c>(case: &Case<'_>, spot: &Spot<'c>, s: &'c ExprSubscript) -> Option<Reach<'c>> {
    let base = match &*s.value {
        Expr::Attribute(a) if a.attr.as_str() == "iloc" => &*a.value,
        other => other,
    };
    let index = match &*s.slice {
        Expr::Tuple(t) => t.elts.first()?,
        other => other,
    };
    if !index.is_bin_op_expr() {
        return None;
    }
    let loops = loops_around(spot.python, s);
    let (counter, end) = loops.into_iter().rev().find_map(|f| counted(f, index))?;
    let mut ahead = sum(case, spot, index, 0)?;
    if ahead.0.remove(counter) != Some(1) {
        return None;
    }
    let constant = ahead.0.keys().all(String::is_empty);
    let ahead_of = ahead.may_be_positive();
    // `x[i + 1]` on a list has its own technique.
    let other = case.class() == "KeyError" || !constant;
    (ahead_of && other).then_some(Reach {
        at: s,
        base,
        end,
        counter,
        ahead,
    })
}

/// The counter of `for i in range(…)` that an index uses, and the end of the range.
fn counted<'c>(f: &'c StmtFor, index: &Expr) -> Option<(&'c str, &'c Expr)> {
    let counter = name(&f.target)?;
    let mut used = false;
    nbmedic_python::each_below(index, &mut |e| used |= name(e) == Some(counter));
    let range = f
        .iter
        .as_call_expr()
        .filter(|c| callee(c) == Some("range"))?;
    let end = match range.arguments.args.len() {
        1 => positional(range, 0)?,
        2 | 3 => positional(range, 1)?,
        _ => return None,
    };
    used.then_some((counter, end))
}

/// A sum of terms with integer factors. The empty term is the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum(BTreeMap<String, i64>);

impl Sum {
    fn atom(text: String) -> Sum {
        Sum(BTreeMap::from([(text, 1)]))
    }

    fn plus(mut self, other: &Sum, times: i64) -> Sum {
        for (term, k) in &other.0 {
            let at = self.0.entry(term.clone()).or_default();
            *at = at.saturating_add(k.saturating_mul(times));
        }
        self.0.retain(|_, k| *k != 0);
        self
    }

    /// Whether it can be positive and is never negative, if each term is at least 1.
    fn may_be_positive(&self) -> bool {
        let mut terms = self.0.iter().filter(|(t, _)| !t.is_empty());
        let total = self.0.values().fold(0_i64, |a, k| a.saturating_add(*k));
        !self.0.is_empty() && terms.all(|(_, k)| *k > 0) && total >= 0
    }

    /// Unifies the forms of the length of `base`: `base.shape[0]`, or the length of the table whose
    /// column it is.
    fn measured(self, base: &str) -> Sum {
        let table = base.split(['[', '.']).next().unwrap_or(base);
        let same = |term: &str| {
            [base, table]
                .iter()
                .any(|b| term == format!("len({b})") || term == format!("{b}.shape[0]"))
        };
        let mut out = Sum::default();
        for (term, k) in self.0 {
            let term = match same(&term) {
                true => format!("len({base})"),
                false => term,
            };
            out = out.plus(&Sum(BTreeMap::from([(term, k)])), 1);
        }
        out
    }

    /// The code that subtracts it: ` - window - 1`.
    fn subtracted(&self) -> String {
        let terms = self.0.iter().filter(|(t, _)| !t.is_empty());
        let number = self.0.get("").map(|k| (String::new(), *k));
        terms
            .map(|(t, k)| (t.clone(), *k))
            .chain(number)
            .map(|(t, k)| {
                let sign = if k > 0 { '-' } else { '+' };
                match (t.is_empty(), k.unsigned_abs()) {
                    (true, n) => format!(" {sign} {n}"),
                    (false, 1) => format!(" {sign} {t}"),
                    (false, n) => format!(" {sign} {n} * {t}"),
                }
            })
            .collect()
    }
}

/// An expression as a sum. Names assigned from a length are expanded.
fn sum(case: &Case<'_>, spot: &Spot<'_>, e: &Expr, depth: usize) -> Option<Sum> {
    if depth > MAX_DEPTH {
        return None;
    }
    let again = |e: &Expr| sum(case, spot, e, depth + 1);
    Some(match e {
        Expr::NumberLiteral(_) => Sum::default().plus(&Sum::atom(String::new()), int_of(e)?),
        Expr::BinOp(b) => match (b.op, int_of(&b.left), int_of(&b.right)) {
            (Operator::Add, ..) => again(&b.left)?.plus(&again(&b.right)?, 1),
            (Operator::Sub, ..) => again(&b.left)?.plus(&again(&b.right)?, -1),
            (Operator::Mult, Some(k), _) => Sum::default().plus(&again(&b.right)?, k),
            (Operator::Mult, _, Some(k)) => Sum::default().plus(&again(&b.left)?, k),
            _ => return None,
        },
        Expr::Name(_) => {
            let made = case.made(spot.cell, e).filter(|m| m.cell == spot.cell);
            let made = made.filter(|m| is_length(m.expr));
            Sum::atom(spot.text(made.map_or(e, |m| m.expr)).to_owned())
        }
        Expr::Attribute(_) => Sum::atom(spot.text(e).to_owned()),
        Expr::Call(_) | Expr::Subscript(_) if is_length(e) => Sum::atom(spot.text(e).to_owned()),
        _ => return None,
    })
}

/// `len(x)`, `x.shape[0]`.
fn is_length(e: &Expr) -> bool {
    match e {
        Expr::Call(c) => callee(c) == Some("len") && c.arguments.len() == 1,
        Expr::Subscript(s) => {
            let shape = s.value.as_attribute_expr();
            shape.is_some_and(|a| a.attr.as_str() == "shape") && int_of(&s.slice) == Some(0)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    const RANGE: &str = "list index out of range";

    fn ends(head: &str, index: &str) -> String {
        let cell = format!("{head}\n    ys.append({index})");
        let made = at(&[&cell], 2, "IndexError", RANGE);
        made.lines().next().unwrap_or("").to_owned()
    }

    #[test]
    fn a_loop_ends_a_window_before_the_end() {
        let to = "for i in range(len(values) - window):";
        for from in [
            "for i in range(len(values) - window + 1):",
            "for i in range(len(values)):",
            "for i in range(values.shape[0]):",
        ] {
            assert_eq!(ends(from, "values[i + window]"), to);
        }
        assert_eq!(
            ends("for i in range(len(v) - n):", "v[i + n + h - 1]"),
            "for i in range(len(v) - h - n + 1):"
        );
        assert_eq!(
            ends("for i in range(0, len(df)):", "df['x'].iloc[i + 2 * n]"),
            "for i in range(0, len(df['x']) - 2 * n):"
        );
    }

    #[test]
    fn a_length_is_read_through_its_name() {
        let cell = "def f(values, w):\n    n = len(values)\n    for t in range(n - w + 1):\n        g(values[t + w])\nf(v, 3)";
        assert_eq!(
            at(&[cell], 4, "IndexError", RANGE),
            cell.replace("range(n - w + 1)", "range(len(values) - w)")
        );
    }

    #[test]
    fn a_label_past_the_last_row() {
        let cell = "for i in range(len(df)):\n    d.append(df['close'][i + 1])";
        assert_eq!(
            at(&[cell], 2, "KeyError", "250"),
            cell.replace("range(len(df))", "range(len(df['close']) - 1)")
        );
        // Every iteration is in bounds: a row was dropped.
        let cell = "for i in range(len(df) - 1):\n    d.append(df['close'][i + 1])";
        assert_eq!(at(&[cell], 2, "KeyError", "7"), "");
    }

    #[test]
    fn a_loop_that_ends_in_time_or_over_something_else_stays() {
        assert_eq!(ends("for i in range(len(v) - w):", "v[i + w]"), "");
        assert_eq!(ends("for i in range(len(other)):", "v[i + w]"), "");
        assert_eq!(ends("for i in range(len(v)):", "v[i * w]"), "");
        assert_eq!(ends("for i in range(len(v)):", "v[i - w]"), "");
    }
}
