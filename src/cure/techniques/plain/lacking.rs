//! Missing parts of calls and classes: the true values of a score, the length of a dataset, the date in a string.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, name, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_below, each_expr, name_of, positional};
use nbmedic_wordings::python;

/// Methods of a fitted model that return the predictions to score.
const PREDICTS: &[&str] = &["predict", "predict_proba", "decision_function"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "TypeError" {
        return;
    }
    let message = case.message();
    out.extend(
        truth(case, message)
            .or_else(|| length(case, message))
            .or_else(|| date(case, message)),
    );
}

/// `accuracy_score(pred)`: the true values come first.
fn truth(case: &Case<'_>, message: &str) -> Option<Cure> {
    let lacks = message.contains("missing a required argument: 'y_")
        || message.contains("missing 1 required positional argument: 'y_");
    let spot = lacks.then(|| case.spot()).flatten()?;
    let is_score = |c: &&ExprCall| {
        let path = case.path_of(&c.func);
        path.is_some_and(|p| p.starts_with("sklearn.metrics")) && c.arguments.args.len() == 1
    };
    let call = only(spot.calls().filter(is_score))?;
    let given = positional(call, 0)?;
    let (_, made) = case.value(name(given)?)?;
    let made = match made {
        Expr::Subscript(s) => s.value.as_call_expr()?,
        other => other.as_call_expr()?,
    };
    if !callee(made).is_some_and(|m| PREDICTS.contains(&m)) {
        return None;
    }
    let rows = name(positional(made, 0)?)?;
    let truth = partner(case, rows)?;
    let was = spot.text(given);
    case.edits(
        said(
            "true-values-first",
            Basis::Source,
            format!("Give the true values first: `{truth}, {was}`"),
            format!(
                "A score compares two: the true values, and what the model says. `{was}` was predicted for `{rows}`, whose true values are `{truth}`."
            ),
        ),
        vec![Change::before(spot.cell, given, format!("{truth}, "))],
    )
}

/// The targets from the same split as these rows:
/// `X_train, X_test, y_train, y_test = train_test_split(X, y)`.
fn partner(case: &Case<'_>, rows: &str) -> Option<String> {
    let set = case.last_set(rows)?;
    let assign = set.binding.stmt.as_assign_stmt()?;
    let call = assign.value.as_call_expr()?;
    if callee(call) != Some("train_test_split") || call.arguments.args.len() != 2 {
        return None;
    }
    let targets = &assign.targets.first()?.as_tuple_expr()?.elts;
    if targets.len() != 4 {
        return None;
    }
    let at = targets.iter().take(2).position(|t| name(t) == Some(rows))?;
    let found = name(&targets[at + 2])?;
    // It hasn't been reassigned since.
    let same = case.last_set(found)?.binding.stmt == set.binding.stmt;
    same.then(|| found.to_owned())
}

/// A method of a class.
fn method<'c>(class: &'c StmtClassDef, wanted: &str) -> Option<&'c StmtFunctionDef> {
    let mut all = class.body.iter().filter_map(Stmt::as_function_def_stmt);
    all.find(|f| f.name.as_str() == wanted)
}

/// One of the user's classes whose length is requested but not defined: returns that of the
/// container its items come from.
fn length(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [class] = python::NO_LENGTH.read(message)?;
    let set = case.last_set(class)?;
    let def = set.binding.stmt.as_class_def_stmt()?;
    if method(def, "__len__").is_some() {
        return None;
    }
    let item = method(def, "__getitem__")?;
    let is_item = |s: &&Stmt| s.as_function_def_stmt() == Some(item);
    let item_stmt = def.body.iter().find(is_item)?;
    let index = item.parameters.args.get(1)?.parameter.name.as_str();
    let python = case.python(set.cell)?;
    // `self.x[i]`
    let mut held = Vec::new();
    each_expr(&item.body, &mut |e| {
        let Some(s) = e.as_subscript_expr() else {
            return;
        };
        let of = name_of(&s.value).filter(|of| of.starts_with("self."));
        held.extend(of.filter(|_| name(&s.slice) == Some(index)));
    });
    let held = held.into_iter().next()?;
    case.edits(
        said(
            "length-of-class",
            Basis::Assumed,
            format!("Give `{class}` a length: `return len({held})`"),
            format!("Whoever takes items of it has to know how many there are, and `__getitem__` takes them from `{held}`."),
        ),
        vec![Editor::new(set.cell, python).below(item_stmt, &format!("def __len__(self):\n    return len({held})"))],
    )
}

/// `end - start` with a date and a date string.
fn date(case: &Case<'_>, message: &str) -> Option<Cure> {
    let operands = message.strip_prefix("unsupported operand type(s) for -: ")?;
    let dates = [
        "'datetime.datetime' and 'str'",
        "'str' and 'datetime.datetime'",
    ];
    let at = dates.iter().position(|d| *d == operands)?;
    let spot = case.spot()?;
    let minus = spot.exprs.iter().filter_map(|e| e.as_bin_op_expr());
    let minus = only(minus.filter(|b| b.op.is_sub()))?;
    let (text, other) = match at {
        0 => (&*minus.right, &*minus.left),
        _ => (&*minus.left, &*minus.right),
    };
    let (_, value) = case.value(name(text)?)?;
    let written = value.as_string_literal_expr()?.value.to_str();
    let is_iso = written.len() >= 10
        && written.bytes().enumerate().all(|(i, b)| match i {
            4 | 7 => b == b'-',
            10 => matches!(b, b' ' | b'T'),
            13 | 16 => b == b':',
            _ => b.is_ascii_digit(),
        });
    is_iso.then_some(())?;
    // In the format of the other date.
    let (_, made) = case.value(name(other)?)?;
    let mut class = None;
    each_below(made, &mut |e| {
        let path = case.path_of(e);
        if class.is_none() && path.as_deref() == Some("datetime.datetime") {
            class = name_of(e);
        }
    });
    let class = class?;
    let was = spot.text(text);
    case.edits(
        said(
            "date-of-text",
            Basis::Value,
            format!("Read the date in it: `{class}.fromisoformat({was})`"),
            format!("`{was}` is a text, “{written}”; a date is subtracted from a date."),
        ),
        vec![Change::replace(
            spot.cell,
            text,
            format!("{class}.fromisoformat({was})"),
        )],
    )
}
