//! Division by zero, logarithms of zero, overflowing exponentials, numbers that don't fit a dtype.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said, tight, Spot};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprBinOp, ExprCall, Number, Operator, Stmt, UnaryOp};
use nbmedic_python::{each_below, each_stmt, keyword, positional, Ranged, TextRange, TextSize};
use nbmedic_wordings::{numpy, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if numpy::UFUNC_OUTPUT.is_in(message) {
        out.extend(in_place(case));
    }
    out.extend(match case.class() {
        "ZeroDivisionError" => divided(case),
        "ValueError" => domain(case, message),
        "TypeError"
            if numpy::NUMBER_FROM_ARRAY.is_in(message)
                || numpy::NUMBER_FROM_ARRAY_BEFORE.is_in(message) =>
        {
            of_array(case)
        }
        "TypeError" => power(case, message),
        "OverflowError" => overflow(case).or_else(|| too_large(case, message)),
        _ => None,
    });
}

/// `x ^ 2`: a power in other languages, bitwise XOR in Python.
fn power(case: &Case<'_>, message: &str) -> Option<Cure> {
    let bits = message.contains("bitwise_xor") || message.contains("operand type(s) for ^");
    let spot = case.spot().filter(|_| bits)?;
    let mut changes = Vec::new();
    for b in spot.exprs.iter().filter_map(|e| e.as_bin_op_expr()) {
        if b.op == Operator::BitXor {
            let between = TextRange::new(b.left.end(), b.right.start());
            let at = u32::try_from(spot.text(between).find('^')?).ok()?;
            let sign = TextRange::at(between.start() + TextSize::new(at), TextSize::new(1));
            changes.push(Change::replace(spot.cell, sign, "**"));
        }
    }
    case.edits(
        said(
            "power",
            Basis::Language,
            "Write `**` for `^`",
            "In Python `^` combines bits; a power is `**`.",
        ),
        changes,
    )
}

/// `image /= 255`: an array of whole numbers can't hold the result, a new one can.
fn in_place(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let stmt = spot.stmt?.as_aug_assign_stmt()?;
    // A part of the array would be rounded instead.
    let target = name(&stmt.target)?;
    // Who passed the array would not see a new one.
    if let Some(f) = function_around(spot.python, stmt) {
        let mut given = false;
        each_stmt(&f.body, &mut |s| {
            let value = s.as_return_stmt().and_then(|r| r.value.as_deref());
            value
                .into_iter()
                .for_each(|v| each_below(v, &mut |e| given |= name(e) == Some(target)));
        });
        (given || !f.parameters.includes(target)).then_some(())?;
    }
    let sign = match stmt.op {
        Operator::Add => "+",
        Operator::Sub => "-",
        Operator::Mult => "*",
        Operator::Div => "/",
        _ => return None,
    };
    let line = format!(
        "{target} = {target} {sign} {}",
        tight(spot.python, &stmt.value)
    );
    case.edits(
        said(
            "not-in-place",
            Basis::Language,
            format!("Write `{line}`"),
            format!("`{sign}=` writes the result into the array `{target}`, whose elements are whole numbers; without it the result is a new array."),
        ),
        vec![Change::replace(spot.cell, stmt, line)],
    )
}

/// Whether an expression can be written twice: it has no side effects and the same value again.
fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::NumberLiteral(_) | Expr::StringLiteral(_) => true,
        Expr::Attribute(a) => is_plain(&a.value),
        Expr::Subscript(s) => is_plain(&s.value) && is_plain(&s.slice),
        Expr::BinOp(b) => is_plain(&b.left) && is_plain(&b.right),
        Expr::Call(c) => {
            let pure = matches!(
                callee(c),
                Some("len" | "sum" | "abs" | "max" | "min" | "float" | "int")
            );
            let on = receiver(c).is_none_or(is_plain);
            pure && on && c.arguments.keywords.is_empty() && c.arguments.args.iter().all(is_plain)
        }
        _ => false,
    }
}

/// Whether an expression is a complete value in its statement, so that a condition around it needs
/// no parentheses.
fn is_whole(stmt: Option<&Stmt>, e: &Expr) -> bool {
    let value = match stmt {
        Some(Stmt::Assign(s)) => Some(&s.value),
        Some(Stmt::Return(s)) => s.value.as_ref(),
        Some(Stmt::Expr(s)) => Some(&s.value),
        _ => None,
    };
    value.is_some_and(|v| v.range() == e.range())
}

/// `total / count` → `total / count if count else float("nan")`.
fn divided(case: &Case<'_>) -> Option<Cure> {
    if case.in_library() && !case.message().contains("division") {
        return None;
    }
    let spot = case.spot()?;
    spot.stmt?;
    let is = |e: &&&Expr| {
        e.as_bin_op_expr().is_some_and(|b: &ExprBinOp| {
            let division = matches!(b.op, Operator::Div | Operator::FloorDiv | Operator::Mod);
            let text = b.left.is_string_literal_expr() || b.left.is_f_string_expr();
            division && !text && !b.right.is_number_literal_expr()
        })
    };
    let e = *only(spot.exprs.iter().filter(is))?;
    let b = e.as_bin_op_expr()?;
    if !is_plain(&b.right) {
        return None;
    }
    let (whole, divisor) = (spot.text(e), spot.text(&*b.right));
    let (other, says) = match b.op {
        Operator::Div => ("float(\"nan\")", "no number (`nan`)"),
        _ => ("0", "0"),
    };
    let new = format!("{whole} if {divisor} else {other}");
    let new = match is_whole(spot.stmt, e) {
        true => new,
        false => format!("({new})"),
    };
    // The divisor is the length of something empty.
    let empty = b.right.as_call_expr().filter(|c| callee(c) == Some("len"));
    let empty = empty.and_then(|c| positional(c, 0)).map(|a| spot.text(a));
    if let Some(cure) = empty.and_then(|what| dropped_batch(case, what)) {
        return Some(cure);
    }
    let cause = match empty {
        Some(what) => format!("`{what}` is empty here, so `{divisor}` is 0."),
        None => format!("`{divisor}` is 0 here."),
    };
    case.edits(
        said(
            "guard-division",
            Basis::Assumed,
            format!("Divide only if `{divisor}` is not 0"),
            format!("{cause} The result is {says} then; write another value if you want one."),
        ),
        vec![Change::replace(spot.cell, e, new)],
    )
}

/// A loader without batches because it drops the incomplete last one.
fn dropped_batch(case: &Case<'_>, loader: &str) -> Option<Cure> {
    let (cell, value) = case.value(loader)?;
    let call = value
        .as_call_expr()
        .filter(|c| callee(c) == Some("DataLoader"))?;
    let k = keyword(call, "drop_last")?;
    let on = k.value.as_boolean_literal_expr().is_some_and(|b| b.value);
    on.then(|| {
        case.edits(
            said(
                "keep-last-batch",
                Basis::Assumed,
                format!("Keep the last batch of `{loader}`: `drop_last=False`"),
                format!("`len({loader})` is 0: the data has fewer samples than one batch, and a batch that is not full is dropped."),
            ),
            vec![Change::replace(cell, &k.value, "False")],
        )
    })?
}

fn math_call<'c>(case: &Case<'_>, spot: &Spot<'c>, names: &[&str]) -> Option<&'c ExprCall> {
    let is = |c: &&ExprCall| {
        let path = case.path_of(&c.func).unwrap_or_default();
        path.strip_prefix("math.")
            .is_some_and(|n| names.contains(&n))
    };
    only(spot.calls().filter(is))
}

/// Functions of `math` whose name differs in NumPy; the others have the same.
const OTHERWISE: &[(&str, &str)] = &[
    ("acos", "arccos"),
    ("asin", "arcsin"),
    ("atan", "arctan"),
    ("atan2", "arctan2"),
    ("fabs", "abs"),
    ("pow", "power"),
];
/// Functions of `math` that NumPy has under the same name.
const ALIKE: &[&str] = &[
    "ceil", "cos", "cosh", "degrees", "exp", "expm1", "floor", "hypot", "log", "log10", "log1p",
    "log2", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
];

/// `math.exp(x)` of an array: NumPy's function takes one.
fn of_array(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let calls = spot.calls().filter_map(|c| {
        let path = case.path_of(&c.func)?;
        let function = path.strip_prefix("math.")?;
        let other = OTHERWISE.iter().find(|(n, _)| *n == function);
        let same = ALIKE.iter().find(|n| **n == function);
        Some((c, other.map(|(_, n)| *n).or(same.copied())?))
    });
    let calls: Vec<_> = calls.collect();
    let (first, name) = calls.first()?;
    let (np, import) = case.alias_or_import("numpy", "np");
    let new = format!("{np}.{name}");
    let was = spot.text(&*first.func);
    let title = format!("Use NumPy's function for arrays: `{new}` instead of `{was}`");
    let why = format!("`{was}` takes one number; `{new}` takes an array, and one number as well.");
    let changes = calls
        .iter()
        .map(|(c, n)| Change::replace(spot.cell, &*c.func, format!("{np}.{n}")));
    let mut changes: Vec<Change> = changes.collect();
    changes.extend(import.map(|line| spot.editor().import(&line)));
    case.edits(said("numpy-function", Basis::Library, title, why), changes)
}

/// `math.log(0)`, or `math.sqrt(x)` of a negative number.
fn domain(case: &Case<'_>, message: &str) -> Option<Cure> {
    if !python::MATH_DOMAIN.begins(message) && !python::POSITIVE_INPUT.begins(message) {
        return None;
    }
    let spot = case.spot()?;
    let call = math_call(case, &spot, &["log", "log2", "log10", "sqrt"])?;
    let value = positional(call, 0).filter(|v| is_plain(v))?;
    let text = spot.text(value);
    let root = callee(call) == Some("sqrt");
    let (least, why) = match root {
        true => (
            "0",
            format!("`{text}` is below 0, perhaps by rounding only: it counts as 0 then."),
        ),
        false => (
            "1e-12",
            format!(
                "`{text}` is 0 or less, which has no logarithm: the smallest value is 1e-12 then."
            ),
        ),
    };
    case.edits(
        said(
            "in-domain",
            Basis::Assumed,
            format!("Replace `{text}` by `max({text}, {least})`"),
            why,
        ),
        vec![Change::replace(
            spot.cell,
            value,
            format!("max({text}, {least})"),
        )],
    )
}

fn is_one(e: &Expr) -> bool {
    let number = e.as_number_literal_expr().map(|n| &n.value);
    match number {
        Some(Number::Int(i)) => i.as_i64() == Some(1),
        Some(Number::Float(f)) => (*f - 1.0).abs() < f64::EPSILON,
        _ => false,
    }
}

/// `math.log(1 + math.exp(z))` and `1 / (1 + math.exp(-z))`, rewritten so that they can't overflow.
fn overflow(case: &Case<'_>) -> Option<Cure> {
    if !python::MATH_RANGE.is_in(case.message()) {
        return None;
    }
    let spot = case.spot()?;
    let exp = math_call(case, &spot, &["exp"])?;
    let value = positional(exp, 0).filter(|v| is_plain(v) || v.is_unary_op_expr())?;
    // The sum `1 + exp(…)`.
    let is_sum = |e: &Expr| {
        e.as_bin_op_expr().is_some_and(|b| {
            let (l, r) = (&*b.left, &*b.right);
            let has = |a: &Expr, o: &Expr| is_one(a) && o.range() == exp.range();
            b.op == Operator::Add && (has(l, r) || has(r, l))
        })
    };
    let name = spot.text(&*exp.func);
    let math = name.strip_suffix("exp").unwrap_or("math.");
    for e in &spot.exprs {
        let (new, what) = match e {
            Expr::Call(c) => {
                let log = case.path_of(&c.func).as_deref() == Some("math.log");
                if !log || c.arguments.len() != 1 || !positional(c, 0).is_some_and(is_sum) {
                    continue;
                }
                let z = spot.text(value);
                (
                    format!("max({z}, 0) + {math}log1p({math}exp(-abs({z})))"),
                    "The logarithm of a sum of exponentials",
                )
            }
            Expr::BinOp(b) if b.op == Operator::Div && is_one(&b.left) && is_sum(&b.right) => {
                // exp(-z): tanh of z / 2.
                let z = match value {
                    Expr::UnaryOp(u) if u.op == UnaryOp::USub => spot.text(&*u.operand).to_owned(),
                    v => format!("-({})", spot.text(v)),
                };
                (
                    format!("0.5 * (1 + {math}tanh(0.5 * ({z})))"),
                    "The logistic function",
                )
            }
            _ => continue,
        };
        let new = match is_whole(spot.stmt, e) {
            true => new,
            false => format!("({new})"),
        };
        return case.edits(
            said(
                "stable-formula",
                Basis::Language,
                format!("Replace `{}` by a form that cannot overflow", spot.text(*e)),
                format!("{what} has the same value in this form, but `{}` alone is larger than any float.", spot.text(exp)),
            ),
            vec![Change::replace(spot.cell, *e, new)],
        );
    }
    None
}

/// `Python integer 300 out of bounds for int8`: changes the array's dtype where it is created.
fn too_large(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [number, kind] = numpy::INTEGER_OUT_OF_BOUNDS.read(message)?;
    let number: i128 = number.parse().ok()?;
    let new = match number {
        _ if i64::try_from(number).is_err() => return None,
        n if i16::try_from(n).is_ok() && kind.ends_with("int8") => "int16",
        n if i32::try_from(n).is_ok() && !kind.ends_with("int32") => "int32",
        _ => "int64",
    };
    // The dtype with that name, in the failing statement or where the assigned array was created.
    let spot = case.spot()?;
    let target = match spot.stmt {
        Some(Stmt::Assign(s)) => s.targets.first().and_then(|t| t.as_subscript_expr()),
        _ => None,
    };
    let array = target.and_then(|t| name(&t.value));
    let made = array
        .and_then(|a| case.value(a))
        .and_then(|(cell, v)| Some((cell, v.as_call_expr()?)));
    let here = spot.calls().map(|c| (spot.cell, c));
    for (cell, call) in made.into_iter().chain(here) {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let given = keyword(call, "dtype").map(|k| &k.value);
        let by_place = match callee(call) {
            Some("astype") => positional(call, 0),
            Some("zeros" | "ones" | "empty" | "array") => positional(call, 1),
            _ => None,
        };
        let Some(dtype) = given.or(by_place) else {
            continue;
        };
        let text = python.slice(dtype);
        if !text.trim_matches(['"', '\'']).ends_with(&kind) {
            continue;
        }
        let what = array.unwrap_or("the array");
        return case.edits(
            said(
                "wider-type",
                Basis::Assumed,
                format!("Give `{what}` the type {new} instead of {kind}"),
                format!("{number} does not fit into {kind}; it fits into {new}."),
            ),
            vec![Change::replace(cell, dtype, text.replace(kind, new))],
        );
    }
    None
}
