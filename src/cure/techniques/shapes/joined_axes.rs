//! Concatenation of arrays with different numbers of axes.

use super::say::replaced;
use super::scan::{at_error, head, integer, only};
use crate::case::Case;
use crate::code::argument;
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::positional;
use nbmedic_wordings::numpy;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if numpy::JOINED_AXES.is_in(case.message()) {
        out.extend(joined(case));
    }
}

/// `…, but the array at index 0 has 1 dimension(s) and the array at index 1 has 2 dimension(s)`.
fn joined(case: &Case<'_>) -> Option<Cure> {
    let [first, first_axes, second, second_axes] = numpy::JOINED_AXES.numbers(case.message())?;
    let short = match (first_axes, second_axes) {
        (1, 2) => first,
        (2, 1) => second,
        _ => return None,
    };
    let short = usize::try_from(short).ok()?;
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let (call, columns) = only(calls.filter_map(|c| Some((c, joins_columns(case, c)?))))?;
    let array = parts(call)?.into_iter().nth(short)?;
    if array.is_starred_expr() || starts_empty(case, cell, array) {
        return None;
    }
    let base = case.editor(cell)?.code(array).tight();
    let values = match case.kind(cell, array) {
        Kind::Frame | Kind::Series => ".to_numpy()",
        Kind::List => return None,
        _ => "",
    };
    let (axes, as_what) = match columns {
        true => ("[:, None]", "a column: one value for each row"),
        false => ("[None, :]", "a row: one value for each column"),
    };
    replaced(
        case,
        cell,
        array,
        format!("{base}{values}{axes}"),
        "joined-axes",
        Basis::Assumed,
        format!("It has one axis, what it is joined with has two. This makes it {as_what}."),
    )
}

/// Whether a NumPy call concatenates arrays horizontally rather than vertically.
fn joins_columns(case: &Case<'_>, call: &ExprCall) -> Option<bool> {
    let path = case.path_of(&call.func)?;
    let function = path.strip_prefix("numpy.")?;
    let place = match function {
        "hstack" => return Some(true),
        "concatenate" => 1,
        "append" => 2,
        _ => return None,
    };
    match argument(call, place, "axis") {
        None => (function == "concatenate").then_some(false),
        Some(Expr::UnaryOp(_)) => Some(true),
        Some(axis) => match integer(axis)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
    }
}

/// The arrays that a call concatenates.
fn parts(call: &ExprCall) -> Option<Vec<&Expr>> {
    if head(call) == "append" {
        return Some(vec![positional(call, 0)?, positional(call, 1)?]);
    }
    match positional(call, 0)? {
        Expr::Tuple(t) => Some(t.elts.iter().collect()),
        Expr::List(l) => Some(l.elts.iter().collect()),
        _ => None,
    }
}

/// Whether an array is the empty start value of a loop, with no rows or columns to reshape.
fn starts_empty(case: &Case<'_>, cell: usize, array: &Expr) -> bool {
    let Some(n) = array.as_name_expr() else {
        return false;
    };
    let empty = |e: &Expr| match e {
        Expr::List(l) => l.elts.is_empty(),
        Expr::Call(c) if !matches!(head(c), "array" | "empty" | "zeros" | "ones") => false,
        Expr::Call(c) => match positional(c, 0) {
            Some(Expr::List(l)) => l.elts.is_empty(),
            Some(size) => integer(size) == Some(0),
            None => false,
        },
        _ => false,
    };
    let sets = case.set_before(n.id.as_str());
    let local = case.python(cell).is_some_and(|python| {
        let all = python.names().binds;
        all.iter()
            .any(|b| b.name == n.id.as_str() && b.value.is_some_and(empty))
    });
    local || sets.iter().any(|s| s.binding.value.is_some_and(empty))
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    fn fixed(line: &str, axes: (i64, i64)) -> String {
        let cells = [
            "import numpy as np\nstart = np.array([])\nlabels = np.random.randint(0, 2, 9)",
            line,
        ];
        let message = format!("all the input arrays must have same number of dimensions, but the array at index 0 has {} dimension(s) and the array at index 1 has {} dimension(s)", axes.0, axes.1);
        at(&cells, 1, "ValueError", &message)
    }

    #[test]
    fn one_axis_becomes_a_column_or_a_row() {
        for (line, axes, made) in [
            (
                "np.hstack((ones, M))",
                (1, 2),
                "np.hstack((ones[:, None], M))",
            ),
            (
                "np.concatenate([M, y], axis=1)",
                (2, 1),
                "np.concatenate([M, y[:, None]], axis=1)",
            ),
            (
                "np.hstack([M, labels])",
                (2, 1),
                "np.hstack([M, labels[:, None]])",
            ),
            (
                "np.concatenate((M, new))",
                (2, 1),
                "np.concatenate((M, new[None, :]))",
            ),
            (
                "np.append(M, a + b, axis=0)",
                (2, 1),
                "np.append(M, (a + b)[None, :], axis=0)",
            ),
        ] {
            assert_eq!(fixed(line, axes), made);
        }
    }

    #[test]
    fn an_empty_start_other_axes_and_lists_stay() {
        assert_eq!(fixed("np.concatenate((start, M))", (1, 2)), "");
        assert_eq!(fixed("np.concatenate((a, M))", (2, 3)), "");
        assert_eq!(fixed("np.concatenate(arrays)", (1, 2)), "");
        assert_eq!(fixed("np.concatenate(([1, 2], M))", (1, 2)), "");
    }
}
