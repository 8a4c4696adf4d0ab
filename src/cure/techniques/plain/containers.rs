//! Lists, tuples, dicts and iterators.

use crate::case::Case;
use crate::code::Code;
use crate::edit::Change;
use crate::find::{callee, int_of, loops_around, name, only, receiver, said, text_of};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Operator, Stmt};
use nbmedic_python::{each_below, each_expr, each_stmt, name_of, positional, Ranged};
use nbmedic_wordings::{about, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "IndexError" => two_lists(case, message),
        "TypeError" => fixed(case, message),
        "RuntimeError" if python::DICT_CHANGED.is_in(message) => copied(case),
        "StopIteration" => exhausted(case),
        "KeyError" => written_otherwise(case, message),
        "RecursionError" => texts_of_texts(case).or_else(|| endless(case)),
        "ValueError" if message.contains("not in list") => removed(case, message),
        _ => None,
    });
}

/// Normalizes a string to the form of a dict's keys.
type Form = fn(&str) -> String;

/// The normal forms, by string method.
const FORMS: &[(&str, Form)] = &[
    ("lower", |t| t.to_lowercase()),
    ("upper", |t| t.to_uppercase()),
    ("strip", |t| t.trim().to_owned()),
    ("title", title_case),
];

fn title_case(text: &str) -> String {
    let mut start = true;
    let mut out = String::new();
    for c in text.chars() {
        match start {
            true => out.extend(c.to_uppercase()),
            false => out.extend(c.to_lowercase()),
        }
        start = !c.is_alphabetic();
    }
    out
}

/// `codes[r]`, where the dict has `usa` and the data say `USA`.
fn written_otherwise(case: &Case<'_>, message: &str) -> Option<Cure> {
    let key = message.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    let spot = case.spot()?;
    let reads = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr().filter(|s| s.ctx.is_load())?;
        let made = case.made(spot.cell, &s.value)?;
        let dict = made.expr.as_dict_expr()?;
        (!s.slice.is_string_literal_expr()).then_some((s, dict))
    });
    let (s, dict) = only(reads)?;
    let keys: Vec<&str> = dict.iter_keys().flatten().filter_map(text_of).collect();
    let (method, right) = FORMS.iter().find_map(|(method, form)| {
        let right = form(key);
        // The conversion must leave the other keys unchanged.
        let fits = keys.contains(&right.as_str()) && keys.iter().all(|k| form(k) == *k);
        fits.then_some((method, right))
    })?;
    let index = &*s.slice;
    let new = Code::of(spot.python, index).then(&format!(".{method}()"));
    case.edits(
        said(
            "key-form",
            Basis::Assumed,
            format!("Look up `{new}`"),
            format!("The dict has `{right}`, and the data say `{key}`."),
        ),
        vec![Change::replace(spot.cell, index, new)],
    )
}

/// A function that recurses with a smaller number and never ends.
fn texts_of_texts(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let f = function_around(spot.python, spot.stmt?)?;
    let mut asked = Vec::new();
    let mut again = false;
    each_expr(&f.body, &mut |e| {
        let Some(c) = e.as_call_expr() else { return };
        again |= callee(c) == Some(f.name.as_str());
        let second = positional(c, 1);
        let iterable = match name(&c.func) {
            Some("isinstance") => second.is_some_and(|t| {
                spot.python.slice(t).ends_with("Iterable")
                    || spot.python.slice(t).ends_with("Sequence")
            }),
            Some("hasattr") => second.and_then(text_of) == Some("__iter__"),
            _ => false,
        };
        asked.extend(iterable.then_some(c));
    });
    let call = only(asked.into_iter()).filter(|_| again)?;
    let of = spot.python.slice(positional(call, 0)?);
    let test = spot.python.slice(call);
    spot.python
        .slice(f)
        .matches("str")
        .count()
        .eq(&0)
        .then_some(())?;
    let right = format!("({test} and not isinstance({of}, str))");
    case.edits(
        said(
            "text-is-a-leaf",
            Basis::Language,
            format!("Take a text as a whole: `and not isinstance({of}, str)`"),
            "A text can be gone over as well: its parts are texts of one character, whose part is that character again, without end.",
        ),
        vec![Change::replace(spot.cell, call, right)],
    )
}

/// A function that calls itself without end.
fn endless(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let f = function_around(spot.python, spot.stmt?)?;
    let [first, ..] = &f.body[..] else {
        return None;
    };
    let mut branches = false;
    each_stmt(&f.body, &mut |s| {
        branches |= matches!(
            s,
            Stmt::If(_) | Stmt::While(_) | Stmt::For(_) | Stmt::Match(_) | Stmt::Try(_)
        );
    });
    each_expr(&f.body, &mut |e| {
        branches |= e.is_if_expr() || e.is_bool_op_expr()
    });
    let mut parameters = f.parameters.iter_non_variadic_params();
    let (Some(parameter), None, false) = (parameters.next(), parameters.next(), branches) else {
        return None;
    };
    let n = parameter.name().as_str();
    let mut calls: Vec<&ExprCall> = Vec::new();
    let mut sign: Option<Operator> = None;
    let is_own = |e: &Expr| {
        e.as_call_expr()
            .is_some_and(|c| callee(c) == Some(f.name.as_str()))
    };
    each_expr(&f.body, &mut |e| {
        calls.extend(
            e.as_call_expr()
                .filter(|c| callee(c) == Some(f.name.as_str())),
        );
        let joins = e
            .as_bin_op_expr()
            .filter(|b| is_own(&b.left) || is_own(&b.right));
        sign = joins.map(|b| b.op).or(sign);
    });
    // `f(n - 1)`, and perhaps `f(n - 2)`.
    let mut step = 0;
    for call in &calls {
        let b = positional(call, 0)?.as_bin_op_expr()?;
        (b.op == Operator::Sub && name(&b.left) == Some(n)).then_some(())?;
        step = step.max(int_of(&b.right).filter(|k| *k > 0)?);
    }
    let (last, value) = match (step, sign?, calls.len()) {
        (1, Operator::Mult, 1) => ("n <= 1", "1".to_owned()),
        (1, Operator::Add, 1) => ("n <= 0", "0".to_owned()),
        (2, Operator::Add, 2) => ("n <= 1", n.to_owned()),
        _ => return None,
    };
    let condition = last.replace('n', n);
    case.edits(
        said(
            "base-case",
            Basis::Assumed,
            format!("End it: `if {condition}: return {value}`"),
            format!(
                "`{}` calls itself on every path. Choose where it ends and what it returns there.",
                f.name
            ),
        ),
        vec![spot
            .editor()
            .above(first, &format!("if {condition}:\n    return {value}"))],
    )
}

/// `for i in range(len(a))` that also reads `b[i]`: limits the loop to the shorter one.
fn two_lists(case: &Case<'_>, message: &str) -> Option<Cure> {
    if !about::OUTSIDE.is_in(message) {
        return None;
    }
    let spot = case.spot()?;
    let stmt = spot.stmt?;
    let loops = loops_around(spot.python, stmt);
    let around = loops.last()?;
    let index = name(&around.target)?;
    let range = around.iter.as_call_expr()?;
    if callee(range) != Some("range") || range.arguments.len() != 1 {
        return None;
    }
    let length = positional(range, 0)?.as_call_expr()?;
    if callee(length) != Some("len") || receiver(length).is_some() {
        return None;
    }
    let over = name_of(positional(length, 0)?)?;
    let mut others: Vec<&str> = Vec::new();
    for e in &spot.exprs {
        let Expr::Subscript(s) = e else { continue };
        if name(&s.slice) != Some(index) {
            continue;
        }
        let text = spot.text(&*s.value);
        let plain = name_of(&s.value).is_some();
        if plain && text != over && !others.contains(&text) {
            others.push(text);
        }
    }
    let [other] = others[..] else { return None };
    let new = format!("min(len({over}), len({other}))");
    case.edits(
        said(
            "both-lengths",
            Basis::Assumed,
            format!("End the loop with the shorter one: `{new}`"),
            format!("The loop goes over all of `{over}`, and `{other}` is shorter. If both should be equally long, look for what is missing in `{other}`."),
        ),
        vec![Change::replace(spot.cell, length, new)],
    )
}

/// `'tuple' object does not support item assignment`.
fn fixed(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [kind] = python::ITEM_ASSIGNMENT.read(message)?;
    let spot = case.spot()?;
    let target = match spot.stmt? {
        Stmt::Assign(s) => only(s.targets.iter())?,
        Stmt::AugAssign(s) => &*s.target,
        _ => return None,
    };
    let s = target.as_subscript_expr()?;
    let variable = name(&s.value)?;
    match kind {
        "tuple" => {
            let (cell, value) = case.value(variable)?;
            let python = case.python(cell)?;
            let text = python.slice(value);
            let change = match value {
                // With or without parentheses: `t = 1, 2`.
                Expr::Tuple(_) => {
                    let bare = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
                    Change::replace(cell, value, format!("[{}]", bare.unwrap_or(text)))
                }
                _ => Change::replace(cell, value, format!("list({text})")),
            };
            case.edits(
                said(
                    "as-list",
                    Basis::Language,
                    format!("Make `{variable}` a list"),
                    format!(
                        "A tuple cannot be changed; `{variable}` is set in cell {}.",
                        case.position(cell)
                    ),
                ),
                vec![change],
            )
        }
        "str" => {
            let Stmt::Assign(a) = spot.stmt? else {
                return None;
            };
            let at = int_of(&s.slice)
                .map(|i| i.to_string())
                .or_else(|| name(&s.slice).map(str::to_owned))?;
            let value = spot.text(&*a.value);
            let next = match at.parse::<i64>() {
                Ok(i) if i >= 0 => (i + 1).to_string(),
                Ok(_) => return None,
                Err(_) => format!("{at} + 1"),
            };
            let head = if at == "0" {
                String::new()
            } else {
                format!("{variable}[:{at}] + ")
            };
            let single = match text_of(&a.value) {
                Some(_) => value.to_owned(),
                None => crate::find::tight(spot.python, &a.value),
            };
            let new = format!("{variable} = {head}{single} + {variable}[{next}:]");
            case.edits(
                said(
                    "new-text",
                    Basis::Language,
                    format!("Build `{variable}` anew around the changed character"),
                    "A text cannot be changed in place.".to_owned(),
                ),
                vec![Change::replace(spot.cell, a, new)],
            )
        }
        _ => None,
    }
}

/// `for k in d: del d[k]`: iterates over a copy.
fn copied(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let Stmt::For(f) = spot.stmt? else {
        return None;
    };
    let text = spot.text(&*f.iter);
    case.edits(
        said(
            "iterate-copy",
            Basis::Language,
            format!("Loop over a copy: `list({text})`"),
            format!("The loop changes what it goes over. `list({text})` is made once, before the first step."),
        ),
        vec![Change::replace(spot.cell, &*f.iter, format!("list({text})"))],
    )
}

/// `next(batches)` after the last one: recreates the iterator.
fn exhausted(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| callee(c) == Some("next") && receiver(c).is_none();
    let call = only(spot.calls().filter(is))?;
    let variable = positional(call, 0).and_then(name)?;
    if call.arguments.len() != 1 {
        return None;
    }
    let (cell, value) = case.value(variable)?;
    let made = value.as_call_expr().filter(|c| callee(c) == Some("iter"))?;
    let over = case.python(cell)?.slice(positional(made, 0)?);
    let stmt = spot.stmt?;
    // If the whole statement is `x = next(it)`, it can be wrapped in a `try`.
    let assign = stmt
        .as_assign_stmt()
        .filter(|a| a.value.range() == call.range())?;
    let target = spot.text(only(assign.targets.iter())?);
    let indent = spot.python.indent(spot.python.line_of(stmt.start()));
    let new = format!(
        "{target} = next({variable}, None)\n{indent}if {target} is None:\n{indent}    {variable} = iter({over})\n{indent}    {target} = next({variable})"
    );
    case.edits(
        said(
            "begin-again",
            Basis::Assumed,
            format!("Begin `{over}` again when `{variable}` is at its end"),
            format!("`{variable}` was made once, in cell {}, and has given everything. If one round is enough, end the loop instead.", case.position(cell)),
        ),
        vec![Change::replace(spot.cell, stmt, new)],
    )
}

/// `list.remove(x): x not in list`.
fn removed(case: &Case<'_>, message: &str) -> Option<Cure> {
    if !message.contains("list.remove(x)") {
        return None;
    }
    let spot = case.spot()?;
    let stmt = spot.stmt?.as_expr_stmt()?;
    let call = stmt
        .value
        .as_call_expr()
        .filter(|c| callee(c) == Some("remove"))?;
    let (list, value) = (spot.text(receiver(call)?), positional(call, 0)?);
    let mut calls = false;
    each_below(value, &mut |e| calls |= e.is_call_expr());
    each_expr(std::slice::from_ref(spot.stmt?), &mut |e| {
        calls |= e.is_await_expr()
    });
    if calls {
        return None;
    }
    let text = spot.text(value);
    case.edits(
        said(
            "remove-if-there",
            Basis::Assumed,
            format!("Remove {text} only if it is in `{list}`"),
            format!(
                "`{list}` has no {text}: the cell ran before and removed it, or it never had it."
            ),
        ),
        vec![Change::before(
            spot.cell,
            stmt,
            format!("if {text} in {list}: "),
        )],
    )
}
