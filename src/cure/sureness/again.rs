//! Evaluates the failing statement again, with an edit applied: whether the model of values still shows the conflict that
//! the message tells of.

use super::after;
use crate::case::{Case, OwnFrame};
use crate::find::head_exprs;
use crate::keys::{missing_keys, strings_of};
use crate::sized::{Sources, MAX_STEPS};
use crate::{Book, BookCell};
use nbmedic_facts::{Cure, Edit};
use nbmedic_python::ast::{Expr, ExprCall, Operator};
use nbmedic_python::{keyword, name_of, positional, Cell, Ranged};
use nbmedic_values::{Model, Size, Value};
use std::cell::{Cell as StdCell, OnceCell};

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

/// Wordings about shapes that an operator can't join.
const SHAPES: &[&str] = &[
    "could not be broadcast together",
    "must match the size of tensor",
    "shapes cannot be multiplied",
    "not aligned:",
    "mismatch in its core dimension",
    "incompatible shapes",
    "Incompatible shapes",
];
/// Wordings about arguments that have other numbers of rows.
const ROWS: &[&str] = &[
    "inconsistent numbers of samples",
    "Data cardinality is ambiguous",
    "must have same first dimension",
    "must be the same size",
];
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
    let quoted = |text: &str| -> Vec<String> {
        let all = text.split('\'').skip(1).step_by(2);
        all.map(str::to_owned).collect()
    };
    if let Some((kind, name)) = message.split_once(" object has no attribute ") {
        let (kind, name) = (quoted(kind).pop()?, quoted(name).into_iter().next()?);
        return Some(Conflict::Attribute(kind, name));
    }
    if let Some((_, rest)) = message.split_once("unsupported operand type(s) for ") {
        let (sign, kinds) = rest.split_once(": ")?;
        let (sign, _) = OPERATORS
            .iter()
            .find(|(s, _)| *s == sign.trim_end_matches('='))?;
        let [a, b] = &quoted(kinds)[..] else {
            return None;
        };
        return Some(Conflict::Kinds(sign, [a.clone(), b.clone()]));
    }
    if let Some((_, rest)) = message.split_once("can only concatenate str (not \"") {
        let (kind, _) = rest.split_once('"')?;
        return Some(Conflict::Kinds("+", ["str".to_owned(), kind.to_owned()]));
    }
    let says = |all: &[&str]| all.iter().any(|w| message.contains(w));
    if says(SHAPES) {
        return Some(Conflict::Shapes);
    }
    if says(ROWS) {
        return Some(Conflict::Rows);
    }
    let lacks = !missing_keys(case.class(), message).is_empty();
    lacks.then_some(Conflict::Columns)
}

/// What the model says of a failure's conflict, before the edits of a cure and after them. None if the message tells of
/// nothing that the model knows, or the notebook isn't there.
pub(super) fn evaluate(
    case: &Case<'_>,
    cure: &Cure,
    changed: &[(usize, Cell)],
) -> Option<(State, State)> {
    let conflict = conflict(case).filter(|_| !case.book.is_excerpt())?;
    let before = state(case, &conflict);
    let edited = |at: usize| changed.iter().find(|(i, _)| *i == at).map(|(_, c)| c);
    let here = case.position(case.at);
    let cells = case.book.cells().iter().enumerate();
    let cells = cells.map(|(at, cell)| match edited(at) {
        Some(new) => BookCell {
            source: new.text(),
            output: "",
            ..*cell
        },
        // What it showed may be another value now.
        None if cure.run.contains(&cell.position) && cell.position != here => BookCell {
            output: "",
            ..*cell
        },
        None => *cell,
    });
    let book = Book::new(cells.collect());
    let within = cure.edits.iter().all(|e| is_within(case, e));
    let mut after = Case {
        book: &book,
        at: case.at,
        output: case.output.clone(),
        chain: case.chain.clone(),
        frames: case.frames.iter().map(|f| moved(case, cure, f)).collect(),
        diagnosis: None,
        // What was seen holds as long as nothing above the failing statement changes.
        values: if within {
            case.values.clone()
        } else {
            Vec::new()
        },
        holders: Vec::new(),
        shown: OnceCell::new(),
        read: StdCell::new(0),
    };
    if !within {
        after.add_shown();
    }
    Some((before, state(&after, &conflict)))
}

/// A failure as it would be, had a cell run so many times in a row. What was seen after it ran is left out.
pub(crate) fn had_run<T>(
    case: &Case<'_>,
    cell: usize,
    times: usize,
    ask: &dyn Fn(&Case<'_>) -> Option<T>,
) -> Option<T> {
    let own = case.book.cells().get(cell)?;
    let text = vec![own.source; times].join("\n");
    let cells = case.book.cells().iter().enumerate();
    let cells = cells.map(|(at, old)| BookCell {
        source: if at == cell { &text } else { old.source },
        output: if old.ran < own.ran { old.output } else { "" },
        ..*old
    });
    let book = Book::new(cells.collect());
    let lines = own.source.matches('\n').count() + 1;
    let down = u32::try_from(lines * times.checked_sub(1)?).ok()?;
    let frame = |f: &OwnFrame| OwnFrame {
        line: f.line + if f.cell == cell { down } else { 0 },
        ..f.clone()
    };
    let mut then = Case {
        book: &book,
        at: case.at,
        output: case.output.clone(),
        chain: case.chain.clone(),
        frames: case.frames.iter().map(frame).collect(),
        diagnosis: None,
        values: Vec::new(),
        holders: Vec::new(),
        shown: OnceCell::new(),
        read: StdCell::new(0),
    };
    then.add_shown();
    ask(&then)
}

/// What the model says of a failure's conflict.
pub(crate) fn conflicts(case: &Case<'_>) -> Option<State> {
    Some(state(case, &conflict(case)?))
}

/// Whether an edit changes nothing but the failing statement.
fn is_within(case: &Case<'_>, edit: &Edit) -> bool {
    let Some((cell, python, stmt)) = case.here() else {
        return false;
    };
    let range = after::range(python, edit).filter(|_| case.position(cell) == edit.cell);
    range.is_some_and(|r| stmt.range().contains_range(r))
}

/// A frame, with its line where the edits of a cure move it.
fn moved(case: &Case<'_>, cure: &Cure, frame: &OwnFrame) -> OwnFrame {
    let here = case.position(frame.cell);
    let above = |e: &&Edit| {
        e.cell == here && (e.end.line < frame.line || e.end.line == frame.line && e.end.column == 1)
    };
    let mut line = i64::from(frame.line);
    for edit in cure.edits.iter().filter(above) {
        let new = edit.text.matches('\n').count();
        line += i64::try_from(new).unwrap_or(0);
        line -= i64::from(edit.end.line) - i64::from(edit.start.line);
    }
    OwnFrame {
        line: u32::try_from(line).unwrap_or(frame.line),
        ..frame.clone()
    }
}

/// What the model says of a conflict in the failing statement.
fn state(case: &Case<'_>, conflict: &Conflict) -> State {
    let Some((cell, _, stmt)) = case.here() else {
        return State::Unknown;
    };
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let exprs = head_exprs(stmt);
    let mut out = State::Fits;
    let mut found = |state: State| {
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
    out
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
