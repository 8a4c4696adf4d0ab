//! Evaluates the failing statement again, with an edit applied: whether the model of values still shows the conflict that
//! the message tells of.

use crate::case::Case;
use crate::find::{callee, head_exprs, receiver};
use crate::keys::{missing_keys, strings_of, COLUMN_CALLS};
use crate::sized::{Sources, MAX_STEPS};
use nbmedic_facts::Cure;
use nbmedic_python::ast::{Expr, ExprCall, Operator};
use nbmedic_python::{keyword, name_of, positional, Cell};
use nbmedic_values::{Model, Size, Value};
use nbmedic_wordings::{jax, keras, matplotlib, numpy, python, sklearn, tensorflow, torch};

/// What the model says of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It can't tell.
    Unknown,
    /// Nothing conflicts.
    Fits,
    /// It shows the conflict.
    Conflicts,
}

/// What a message says does not go together.
enum Conflict {
    /// Columns that a table lacks.
    Columns,
    /// A value of this kind, and the attribute that it lacks.
    Attribute(String, String),
    /// The operands of an operator, by their kinds.
    Kinds(&'static str, [String; 2]),
    /// The shapes of an operator's operands.
    Shapes,
    /// The numbers of rows that a call is given.
    Rows,
}

/// The operators that a message names.
const OPERATORS: &[(&str, Operator)] = &[
    ("+", Operator::Add),
    ("-", Operator::Sub),
    ("*", Operator::Mult),
    ("/", Operator::Div),
    ("//", Operator::FloorDiv),
    ("%", Operator::Mod),
    ("** or pow()", Operator::Pow),
    ("@", Operator::MatMult),
    ("&", Operator::BitAnd),
    ("|", Operator::BitOr),
];

/// What the message of a failure says does not go together, if it is something that the model knows of.
fn conflict(case: &Case<'_>) -> Option<Conflict> {
    let message = case.message();
    if let Some([kind, name]) = python::ATTRIBUTE.read(message) {
        return Some(Conflict::Attribute(kind.to_owned(), name.to_owned()));
    }
    if let Some([sign, left, right]) = python::OPERAND_KINDS.read(message) {
        let (sign, _) = OPERATORS
            .iter()
            .find(|(s, _)| *s == sign.trim_end_matches('='))?;
        return Some(Conflict::Kinds(sign, [left.to_owned(), right.to_owned()]));
    }
    if let Some([kind]) = python::CONCATENATE_TEXT.read(message) {
        return Some(Conflict::Kinds("+", ["str".to_owned(), kind.to_owned()]));
    }
    if numpy::BROADCAST.is_in(message)
        || numpy::MATMUL_CORE.is_in(message)
        || numpy::NOT_ALIGNED.is_in(message)
        || torch::MATRICES.is_in(message)
        || torch::SIZES_OF_OPERANDS.is_in(message)
        || jax::BROADCAST.is_in(message)
        || tensorflow::INCOMPATIBLE_SHAPES.is_in(message)
    {
        return Some(Conflict::Shapes);
    }
    if sklearn::NUMBERS_OF_SAMPLES.is_in(message)
        || keras::CARDINALITY.is_in(message)
        || matplotlib::FIRST_DIMENSION.is_in(message)
        || matplotlib::SAME_SIZE.is_in(message)
    {
        return Some(Conflict::Rows);
    }
    let lacks = !missing_keys(case.class(), message).is_empty();
    lacks.then_some(Conflict::Columns)
}

/// What the model says of a failure's conflict, before the edits of a cure and after them.
pub(super) struct Evaluated {
    pub(super) before: State,
    pub(super) after: State,
    /// The model shows what failed, and after the edits no less of it.
    pub(super) fails_again: bool,
}

/// Evaluates the failing statement before the edits of a cure and after them. None if the message tells of nothing that the
/// model knows, or the notebook isn't there.
pub(super) fn evaluate(
    case: &Case<'_>,
    cure: &Cure,
    changed: &[(usize, Cell)],
) -> Option<Evaluated> {
    let conflict = conflict(case).filter(|_| !case.book.is_excerpt())?;
    let (before, many) = state(case, &conflict);
    let (after, left) = case.after(cure, changed, |after| state(after, &conflict));
    Some(Evaluated {
        before,
        after,
        fails_again: many > 0 && left >= many,
    })
}

/// What the model says of a failure's conflict.
pub(crate) fn conflicts(case: &Case<'_>) -> Option<State> {
    Some(state(case, &conflict(case)?).0)
}

/// What the model says of a conflict in the failing statement, and in how many places it shows it.
fn state(case: &Case<'_>, conflict: &Conflict) -> (State, usize) {
    let Some((cell, _, stmt)) = case.here() else {
        return (State::Unknown, 0);
    };
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let exprs = head_exprs(stmt);
    let (mut out, mut many) = (State::Fits, 0);
    let mut found = |state: State| {
        many += usize::from(state == State::Conflicts);
        out = match (out, state) {
            (State::Conflicts, _) | (_, State::Conflicts) => State::Conflicts,
            (State::Unknown, _) | (_, State::Unknown) => State::Unknown,
            _ => State::Fits,
        };
    };
    for expr in exprs {
        match (conflict, expr) {
            (Conflict::Columns, Expr::Subscript(s)) if s.ctx.is_load() => {
                for (key, _) in strings_of(&s.slice) {
                    found(column(case, &model.of(cell, &s.value), &s.value, key));
                }
            }
            (Conflict::Columns, Expr::Call(c))
                if callee(c).is_some_and(|f| COLUMN_CALLS.contains(&f)) =>
            {
                let given = positional(c, 0).or_else(|| keyword(c, "by").map(|k| &k.value));
                if let (Some(table), Some(given)) = (receiver(c), given) {
                    for (key, _) in strings_of(given) {
                        found(column(case, &model.of(cell, table), table, key));
                    }
                }
            }
            (Conflict::Attribute(kind, name), Expr::Attribute(a)) if a.attr.as_str() == name => {
                found(match &*model.of(cell, &a.value).kind {
                    "" => State::Unknown,
                    other if other == kind => State::Conflicts,
                    _ => State::Fits,
                });
            }
            (Conflict::Kinds(sign, kinds), Expr::BinOp(b))
                if OPERATORS.contains(&(*sign, b.op)) =>
            {
                let (left, right) = (model.of(cell, &b.left), model.of(cell, &b.right));
                found(match [&*left.kind, &*right.kind] {
                    [l, r] if [l, r] == [kinds[0].as_str(), kinds[1].as_str()] => State::Conflicts,
                    ["", r] if r != kinds[1] && !r.is_empty() => State::Fits,
                    [l, ""] if l != kinds[0] && !l.is_empty() => State::Fits,
                    ["", _] | [_, ""] => State::Unknown,
                    _ => State::Fits,
                });
            }
            (Conflict::Shapes, Expr::BinOp(b)) => {
                let (left, right) = (model.of(cell, &b.left), model.of(cell, &b.right));
                found(together(b.op, &left, &right));
            }
            (Conflict::Rows, Expr::Call(c)) => found(rows(&model, cell, c)),
            _ => {}
        }
    }
    (out, many)
}

/// Whether a table has a column.
fn column(case: &Case<'_>, value: &Value<'_>, base: &Expr, key: &str) -> State {
    let has = |known: bool| match known {
        true => State::Fits,
        false => State::Conflicts,
    };
    if let Some(columns) = &value.columns {
        return has(columns.iter().any(|c| c == key));
    }
    let seen = name_of(base).and_then(|n| case.seen_value(&n));
    let whole = seen.filter(|v| v.kind == "DataFrame" && !v.more && !v.columns.is_empty());
    whole.map_or(State::Unknown, |v| {
        has(v.columns.iter().any(|(c, _)| c == key))
    })
}

/// Whether the operands of an operator have shapes that go together.
fn together(op: Operator, left: &Value<'_>, right: &Value<'_>) -> State {
    let array = |v: &Value<'_>| matches!(&*v.kind, "ndarray" | "Tensor" | "EagerTensor" | "Array");
    let number = |v: &Value<'_>| matches!(&*v.kind, "int" | "float" | "scalar" | "bool");
    if number(left) || number(right) {
        return State::Fits;
    }
    let shapes = left.shape().zip(right.shape());
    let Some((a, b)) = shapes.filter(|_| array(left) && array(right)) else {
        return State::Unknown;
    };
    let fits = match op {
        Operator::MatMult => {
            let inner = b.len().checked_sub(2).map_or(b.first(), |i| b.get(i));
            a.last() == inner
        }
        _ => {
            let mut sides = a.iter().rev().zip(b.iter().rev());
            sides.all(|(x, y)| x == y || *x == 1 || *y == 1)
        }
    };
    match fits {
        true => State::Fits,
        false => State::Conflicts,
    }
}

/// Whether the first two arguments of a call, or its `X` and `y`, have the same number of rows. What takes none of them
/// fits.
fn rows<'c>(model: &Model<'_, 'c>, cell: usize, call: &'c ExprCall) -> State {
    let named = |names: &[&str], at: usize| {
        let given = names.iter().find_map(|n| keyword(call, n));
        given.map(|k| &k.value).or_else(|| positional(call, at))
    };
    let (Some(x), Some(y)) = (named(&["X", "x", "y_true"], 0), named(&["y", "y_pred"], 1)) else {
        return State::Fits;
    };
    let length = |e| {
        let dims = model.of(cell, e).dims;
        dims.and_then(|d| d.first().copied())
    };
    match (length(x), length(y)) {
        (Some(Size::Known(a)), Some(Size::Known(b))) if a != b => State::Conflicts,
        (Some(a), Some(b)) if a == b => State::Fits,
        _ => State::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::again::changed;
    use crate::book::{Book, BookCell};
    use crate::edit::Change;
    use crate::find::said;
    use crate::tests::error_at;
    use nbmedic_facts::Basis;
    use nbmedic_python::Ranged as _;
    use State::{Conflicts, Fits, Unknown};

    /// The states before and after an edit that writes `new` for `old` in the last of two cells.
    fn states(
        above: &str,
        line: &str,
        class: &str,
        message: &str,
        old: &str,
        new: &str,
    ) -> Option<(State, State)> {
        let sources = [above, line];
        let cells = sources.iter().enumerate().map(|(at, source)| BookCell {
            position: at + 1,
            source,
            ran: Some(at as u64 + 1),
            ..BookCell::default()
        });
        let book = Book::new(cells.collect());
        let line_of = u32::try_from(line.lines().count()).unwrap_or(1);
        let error = error_at(&sources, line_of, class, message);
        let case = Case::new(&book, 1, &error)?;
        let python = case.python(1)?;
        let mut place = None;
        nbmedic_python::each_expr(python.body(), &mut |e| {
            if python.slice(e) == old {
                place = Some(e.range());
            }
        });
        let words = said("a", Basis::Language, "", "");
        let cure = case.edits(words, vec![Change::replace(1, place?, new)])?;
        let changed = changed(&case, &cure);
        let found = evaluate(&case, &cure, &changed)?;
        assert_eq!(
            found.fails_again,
            found.before == Conflicts && found.after == Conflicts
        );
        Some((found.before, found.after))
    }

    #[test]
    fn shapes_that_still_differ_are_seen() {
        let made =
            "import numpy as np\na = np.zeros((3, 4))\nb = np.zeros((4, 5))\nc = np.zeros((3, 5))";
        let message = "matmul: Input operand 1 has a mismatch in its core dimension 0";
        let of = |new: &str| states(made, "y = a @ c", "ValueError", message, "c", new);
        assert_eq!(of("b"), Some((Conflicts, Fits)));
        assert_eq!(of("c.T"), Some((Conflicts, Conflicts)));
        assert_eq!(of("np.load('c')"), Some((Conflicts, Unknown)));
    }

    #[test]
    fn a_column_has_to_be_there() {
        let line = "y = pd.DataFrame({'a': [1], 'b': [2]})['c']";
        let of = |new: &str| states("import pandas as pd", line, "KeyError", "'c'", "'c'", new);
        assert_eq!(of("'b'"), Some((Conflicts, Fits)));
        assert_eq!(of("'d'"), Some((Conflicts, Conflicts)));
    }

    #[test]
    fn kinds_are_looked_at_again() {
        let message = "'list' object has no attribute 'shape'";
        let of = |new: &str| {
            states(
                "x = [1, 2]\nz = x",
                "n = x.shape",
                "AttributeError",
                message,
                "x",
                new,
            )
        };
        assert_eq!(of("z"), Some((Conflicts, Conflicts)));
        let message = "unsupported operand type(s) for +: 'int' and 'str'";
        let of = |new: &str| {
            states(
                "n = 1\nt = 'a'",
                "y = n + t",
                "TypeError",
                message,
                "n",
                new,
            )
        };
        assert_eq!(of("t"), Some((Conflicts, Fits)));
        assert_eq!(of("2"), Some((Conflicts, Conflicts)));
    }

    #[test]
    fn lines_above_move_the_failing_one() {
        let made = "import numpy as np\na = np.zeros((3, 4))";
        let line = "b = np.zeros((3, 5))\ny = a + b";
        let message = "operands could not be broadcast together with shapes (3,4) (3,5)";
        let of = |new: &str| states(made, line, "ValueError", message, "np.zeros((3, 5))", new);
        assert_eq!(of("(\n  np.zeros((3, 4))\n)"), Some((Conflicts, Fits)));
        assert_eq!(of("(\n  np.zeros((2, 4))\n)"), Some((Conflicts, Conflicts)));
    }
}
