//! Sizes by themselves: of literal lists, after a new order, of products.

use crate::find::int_of;
use nbmedic_python::ast::{Expr, UnaryOp};
use nbmedic_python::each_below;

/// Most dimensions of an array.
pub(super) const MAX_SIDES: usize = 8;
/// Most elements of a literal list.
const MAX_LISTED: usize = 10_000;

/// An array or tensor of known sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Array {
    /// The name of its type: `ndarray` or `Tensor`.
    pub(super) kind: &'static str,
    /// Its sizes, by axis.
    pub(super) sides: Vec<i64>,
}

/// A whole number, perhaps with a minus.
pub(super) fn int_signed(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::UnaryOp(u) if u.op == UnaryOp::USub => Some(-int_of(&u.operand)?),
        other => int_of(other),
    }
}

/// An axis, from 0; negative ones count from the end.
pub(super) fn index(at: i64, n: usize) -> Option<usize> {
    let at = if at < 0 {
        at + i64::try_from(n).ok()?
    } else {
        at
    };
    usize::try_from(at).ok().filter(|at| *at < n)
}

/// The sizes of a literal list of numbers, or of lists of numbers of one length.
pub(super) fn listed(list: &Expr) -> Option<Vec<i64>> {
    let elements = |e: &Expr| match e {
        Expr::List(l) => Some(l.elts.len()),
        Expr::Tuple(t) => Some(t.elts.len()),
        _ => None,
    };
    let mut count = 0;
    each_below(list, &mut |_| count += 1);
    let mut out = Vec::new();
    let mut at = list;
    while let Some(n) = elements(at).filter(|_| count < MAX_LISTED) {
        out.push(i64::try_from(n).ok()?);
        let first = match at {
            Expr::List(l) => l.elts.as_slice(),
            Expr::Tuple(t) => t.elts.as_slice(),
            _ => &[],
        };
        // Of another length somewhere, or with something starred.
        if first
            .iter()
            .any(|e| elements(e) != first.first().and_then(elements) || e.is_starred_expr())
        {
            return None;
        }
        match first.first() {
            Some(e) => at = e,
            None => break,
        }
    }
    let plain =
        at.is_number_literal_expr() || at.is_unary_op_expr() || at.is_boolean_literal_expr();
    (plain && !out.is_empty() && out.len() <= MAX_SIDES).then_some(out)
}

/// New sizes for the same number of elements; one of them may be -1.
pub(super) fn reshaped(old: &[i64], new: Vec<i64>) -> Option<Vec<i64>> {
    let product = |all: &[i64]| all.iter().try_fold(1_i64, |p, n| p.checked_mul(*n));
    let all = product(old)?;
    let known: Vec<i64> = new.iter().copied().filter(|n| *n != -1).collect();
    let rest = product(&known)?;
    match new.len() - known.len() {
        0 => (rest == all).then_some(new),
        1 if rest > 0 && all % rest == 0 => Some(
            new.into_iter()
                .map(|n| if n == -1 { all / rest } else { n })
                .collect(),
        ),
        _ => None,
    }
}

/// A product of two matrices, or of a matrix and a vector.
pub(super) fn product(left: Array, right: &Array) -> Option<Array> {
    let (a, b) = (&left.sides, &right.sides);
    let sides = match (&a[..], &b[..]) {
        ([n], [m]) if n == m => Vec::new(),
        ([rest @ .., n], [m]) if n == m => rest.to_vec(),
        ([n], [m, k]) if n == m => vec![*k],
        ([rest @ .., n], [m, k]) if n == m => [rest, &[*k]].concat(),
        _ => return None,
    };
    Some(Array {
        kind: left.kind,
        sides,
    })
}
