//! Incompatible operands: strings and numbers, a float where an integer is expected.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said, Spot};
use crate::texts::is_text;
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprBinOp, Operator, Stmt};
use nbmedic_python::{name_of, Ranged};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "TypeError" || case.in_library() {
        return;
    }
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    let cure = if python::CONCATENATE_TEXT.is_in(message)
        || python::MUST_BE_TEXT.is_in(message)
        || message.contains("unsupported operand type(s) for +: ") && message.contains("'str'")
    {
        joined(case, &spot)
    } else if python::COMPARED_KINDS.is_in(message) && message.contains("'str'")
        || python::OPERAND_KINDS.is_in(message) && message.contains("'str'")
    {
        typed_in(case, &spot)
    } else if python::INDEX_KIND.read(message) == Some(["str"]) {
        position(case, &spot)
    } else if python::FLOAT_FOR_INTEGER.is_in(message)
        || python::SLICE_INDEX.is_in(message)
        || python::INDEX_KIND.read(message) == Some(["float"])
        || message.contains("can't multiply sequence by non-int of type 'float'")
    {
        whole(case, &spot)
    } else if python::OPERAND_KINDS.is_in(message) && message.contains("'list'") {
        arrays(case, &spot, message)
    } else if let Some([kind]) = python::UNHASHABLE.read(message) {
        hashed(case, &spot, kind)
    } else if python::NOT_ITERABLE.read(message) == Some(["int"]) {
        ranged(case, &spot)
    } else {
        None
    };
    out.extend(cure);
}

/// The terms of a sum.
fn terms<'e>(sum: &'e ExprBinOp, out: &mut Vec<&'e Expr>) {
    for side in [&*sum.left, &*sum.right] {
        match side {
            Expr::BinOp(b) if b.op == Operator::Add => terms(b, out),
            other => out.push(other),
        }
    }
}

/// The conversion of a numeric string to a number.
fn number(case: &Case<'_>, spot: &Spot<'_>, e: &Expr) -> Option<String> {
    let text = spot.text(e);
    let read = |s: &str| {
        let s = s.trim();
        if s.parse::<i64>().is_ok() {
            Some(format!("int({text})"))
        } else if s.parse::<f64>().is_ok() {
            Some(format!("float({text})"))
        } else {
            None
        }
    };
    let name = e.as_name_expr()?.id.as_str();
    match case.seen_value(name) {
        Some(seen) if seen.kind != "str" => return None,
        Some(seen) if !seen.text.is_empty() => return read(&seen.text),
        _ => {}
    }
    let (_, value) = case.value(name)?;
    match value {
        Expr::StringLiteral(s) => read(s.value.to_str()),
        Expr::Call(c) if callee(c) == Some("input") => Some(format!("float({text})")),
        _ => None,
    }
}

/// `"Loss: " + loss`.
fn joined(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    // The outermost sums.
    let mut sums: Vec<&ExprBinOp> = Vec::new();
    for b in spot.exprs.iter().filter_map(|e| e.as_bin_op_expr()) {
        if b.op == Operator::Add && !sums.iter().any(|s| s.range.contains_range(b.range)) {
            sums.push(b);
        }
    }
    let mut changes = Vec::new();
    let mut shown = None;
    for sum in &sums {
        let mut all = Vec::new();
        terms(sum, &mut all);
        if !all
            .iter()
            .any(|t| t.is_string_literal_expr() || t.is_f_string_expr())
        {
            // Two values: a number that was read as a string.
            let texts = all
                .iter()
                .filter_map(|t| Some((*t, number(case, spot, t)?)));
            if let Some((term, by)) = only(texts) {
                let title = format!("Write `{by}` for `{}`", spot.text(term));
                return case.edits(
                    said("text-as-number", Basis::Assumed, title, format!("`{}` is text, and the other value is a number. If you mean to join them, write `str(…)` around the number instead.", spot.text(term))),
                    vec![Change::replace(spot.cell, term, by)],
                );
            }
            continue;
        }
        for term in all.into_iter().filter(|t| !is_text(case, t)) {
            let text = spot.text(term);
            shown.get_or_insert(text);
            changes.push(Change::replace(spot.cell, term, format!("str({text})")));
        }
    }
    let shown = shown?;
    case.edits(
        said(
            "number-as-text",
            Basis::Language,
            format!("Write `str({shown})`"),
            "`+` joins text only with text.",
        ),
        changes,
    )
}

/// A number that `input` returned as a string.
fn typed_in(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut sides: Vec<&Expr> = Vec::new();
    for e in &spot.exprs {
        match e {
            Expr::Compare(c) => sides.extend(std::iter::once(&*c.left).chain(c.comparators.iter())),
            Expr::BinOp(b) => sides.extend([&*b.left, &*b.right]),
            _ => {}
        }
    }
    let texts = sides
        .iter()
        .filter_map(|t| Some((*t, number(case, spot, t)?)));
    let Some((term, by)) = only(texts) else {
        return compared(case, spot);
    };
    case.edits(
        said(
            "text-as-number",
            Basis::Language,
            format!("Write `{by}` for `{}`", spot.text(term)),
            format!(
                "`{}` is text; a number has to be read off it first.",
                spot.text(term)
            ),
        ),
        vec![Change::replace(spot.cell, term, by)],
    )
}

/// `person["age"] >= 18`, where the data has the number as a string.
fn compared(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let compares = spot.exprs.iter().filter_map(|e| e.as_compare_expr());
    let compare = only(compares)?;
    let [right] = &compare.comparators[..] else {
        return None;
    };
    let term = match (&*compare.left, right) {
        (Expr::NumberLiteral(_), term) | (term, Expr::NumberLiteral(_)) => term,
        _ => return None,
    };
    if !matches!(
        term,
        Expr::Subscript(_) | Expr::Attribute(_) | Expr::Name(_)
    ) {
        return None;
    }
    let text = spot.text(term);
    case.edits(
        said(
            "text-as-number",
            Basis::Assumed,
            format!("Write `float({text})` for `{text}`"),
            "It is text; a number has to be read off it first. Of a text that isn't a number, `float` says which.",
        ),
        vec![Change::replace(spot.cell, term, format!("float({text})"))],
    )
}

/// `options[choice]`, where `choice` is a string of digits.
fn position(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let all = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let made = case
            .made(spot.cell, &s.slice)
            .filter(|_| s.slice.is_name_expr())?;
        let digits = match made.expr {
            Expr::StringLiteral(t) => t.value.to_str().trim().parse::<i64>().is_ok(),
            Expr::Call(c) => callee(c) == Some("input"),
            _ => false,
        };
        digits.then_some(&*s.slice)
    });
    let index = only(all)?;
    let text = spot.text(index);
    case.edits(
        said(
            "text-as-number",
            Basis::Language,
            format!("Write `int({text})` for `{text}`"),
            format!("`{text}` is text with a number in it; a position is a whole number."),
        ),
        vec![Change::replace(spot.cell, index, format!("int({text})"))],
    )
}

/// Whether an expression divides and thus results in a float.
fn divides(case: &Case<'_>, e: &Expr) -> bool {
    match e {
        Expr::BinOp(b) => {
            b.op == Operator::Div || divides(case, &b.left) || divides(case, &b.right)
        }
        Expr::Name(n) => case
            .value(n.id.as_str())
            .is_some_and(|(_, v)| !v.is_name_expr() && divides(case, v)),
        Expr::NumberLiteral(n) => n.value.is_float(),
        Expr::Call(c) => {
            let path = name_of(&c.func);
            matches!(
                path.as_deref(),
                Some("float" | "np.floor" | "np.ceil" | "np.round" | "np.sqrt" | "math.sqrt")
            )
        }
        _ => false,
    }
}

/// A float where an integer is expected.
fn whole(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut places: Vec<&Expr> = Vec::new();
    for e in &spot.exprs {
        match e {
            Expr::Call(c)
                if !matches!(callee(c), Some("int" | "float" | "print" | "str" | "round")) =>
            {
                for a in c
                    .arguments
                    .args
                    .iter()
                    .chain(c.arguments.keywords.iter().map(|k| &k.value))
                {
                    match a {
                        Expr::Tuple(t) => places.extend(t.elts.iter()),
                        Expr::List(l) => places.extend(l.elts.iter()),
                        other => places.push(other),
                    }
                }
            }
            Expr::Subscript(s) => match &*s.slice {
                Expr::Slice(l) => places.extend(
                    [&l.lower, &l.upper, &l.step]
                        .into_iter()
                        .filter_map(|p| p.as_deref()),
                ),
                Expr::Tuple(_) => {}
                other => places.push(other),
            },
            Expr::BinOp(b) if b.op == Operator::Mult => {
                let list = |e: &Expr| e.is_list_expr() || e.is_string_literal_expr();
                if list(&b.left) {
                    places.push(&b.right);
                } else if list(&b.right) {
                    places.push(&b.left);
                }
            }
            _ => {}
        }
    }
    let candidates = places.clone();
    places.retain(|p| divides(case, p));
    places.dedup_by_key(|p| p.range());
    if places.is_empty() {
        return made_whole(case, spot, &candidates);
    }
    let mut changes = Vec::new();
    let mut shown = None;
    for place in &places {
        let text = spot.text(*place);
        let by = match place {
            // `a / b` alone: integer division says what is meant.
            Expr::BinOp(b)
                if b.op == Operator::Div && !divides(case, &b.left) && !divides(case, &b.right) =>
            {
                format!("{} // {}", spot.text(&*b.left), spot.text(&*b.right))
            }
            _ => format!("int({text})"),
        };
        shown.get_or_insert_with(|| (by.clone(), text));
        changes.push(Change::replace(spot.cell, *place, by));
    }
    let (by, text) = shown?;
    case.edits(
        said(
            "whole-number",
            Basis::Language,
            format!("Write `{by}` for `{text}`"),
            "`/` gives a float, and here only a whole number will do.",
        ),
        changes,
    )
}

/// A float computed elsewhere: `cut = n * 0.8`, passed to a function that slices with it.
fn made_whole(case: &Case<'_>, spot: &Spot<'_>, places: &[&Expr]) -> Option<Cure> {
    let mut found: Vec<Made<'_>> = Vec::new();
    for place in places.iter().filter(|p| p.is_name_expr()) {
        let made = case.made(spot.cell, place);
        let new = |m: &Made<'_>| found.iter().all(|f| f.expr.range() != m.expr.range());
        let made = made.filter(|m| divides(case, m.expr) && new(m));
        found.extend(made);
    }
    let made = only(found.into_iter())?;
    let text = case.python(made.cell)?.slice(made.expr);
    case.edits(
        said(
            "whole-number",
            Basis::Assumed,
            format!("Write `int({text})` for `{text}`"),
            "It gives a float, and positions are whole numbers.",
        ),
        vec![Change::replace(
            made.cell,
            made.expr,
            format!("int({text})"),
        )],
    )
}

/// Lists used like arrays in arithmetic: `y_true - y_pred`, `total / 2`.
fn arrays(case: &Case<'_>, spot: &Spot<'_>, message: &str) -> Option<Cure> {
    let [sign, left, right] = python::OPERAND_KINDS.read(message)?;
    let sign = sign.trim_end_matches('=');
    let sums = ["-", "/", "*", "**", "//", "%"];
    let list = |k: &str| matches!(k, "list" | "tuple");
    let number = |k: &str| matches!(k, "int" | "float" | "list" | "tuple");
    if !sums.contains(&sign) || !number(left) || !number(right) || !(list(left) || list(right)) {
        return None;
    }
    let all = spot.exprs.iter().filter_map(|e| e.as_bin_op_expr());
    let one = only(all.filter(|b| b.op.as_str() == sign))?;
    let (numpy, import) = case.alias_or_import("numpy", "np");
    let mut changes: Vec<Change> = Vec::new();
    let mut shown: Vec<String> = Vec::new();
    for (kind, side) in [(left, &one.left), (right, &one.right)] {
        let text = spot.python.slice(&**side);
        match list(kind) {
            true => {
                shown.push(format!("{numpy}.array({text})"));
                changes.push(Change::replace(
                    spot.cell,
                    &**side,
                    format!("{numpy}.array({text})"),
                ));
            }
            false => shown.push(text.to_owned()),
        }
    }
    changes.extend(import.map(|line| spot.editor().import(&line)));
    let new = shown.join(&format!(" {sign} "));
    case.edits(
        said(
            "lists-as-arrays",
            Basis::Assumed,
            format!("Calculate with arrays: `{new}`"),
            "Lists don't do arithmetic: `+` joins them. Arrays work element by element.",
        ),
        changes,
    )
}

/// A list as a key, `df[:, 0]`.
fn hashed(case: &Case<'_>, spot: &Spot<'_>, kind: &str) -> Option<Cure> {
    if kind != "list" && kind != "numpy.ndarray" {
        return None;
    }
    // Sets and dict keys created in the statement, and variables used as keys.
    let mut keys: Vec<&Expr> = Vec::new();
    for e in &spot.exprs {
        match e {
            Expr::Subscript(s) if s.slice.is_name_expr() => keys.push(&s.slice),
            Expr::Set(s) => keys.extend(s.elts.iter().filter(|e| e.is_list_expr())),
            Expr::Dict(d) => keys.extend(d.iter_keys().flatten().filter(|k| k.is_list_expr())),
            Expr::Call(c) => match callee(c) {
                Some("get" | "setdefault" | "pop" | "add" | "discard")
                    if c.func.is_attribute_expr() =>
                {
                    keys.extend(c.arguments.args.first());
                }
                Some("set" | "Counter" | "frozenset") if c.func.is_name_expr() => {
                    let arg = c.arguments.args.first()?;
                    let text = spot.text(arg);
                    return case.edits(
                        said(
                            "hashable",
                            Basis::Language,
                            format!("Write `map(tuple, {text})`"),
                            format!("The elements of `{text}` are lists, which can change and so can't stand in a set; tuples can."),
                        ),
                        vec![Change::replace(spot.cell, arg, format!("map(tuple, {text})"))],
                    );
                }
                _ => {}
            },
            Expr::Compare(c) if c.ops.iter().any(|o| o.as_str().contains("in")) => {
                keys.push(&c.left)
            }
            _ => {}
        }
    }
    let first = *keys.first()?;
    let text = spot.text(first);
    let same = keys.iter().all(|k| spot.text(*k) == text);
    if !same {
        return None;
    }
    let changes = keys
        .iter()
        .map(|k| Change::replace(spot.cell, *k, format!("tuple({text})")))
        .collect();
    case.edits(
        said(
            "hashable",
            Basis::Language,
            format!("Write `tuple({text})` as the key"),
            format!("`{text}` is a list, which can change and so can't be a key; a tuple can."),
        ),
        changes,
    )
}

/// `for i in 10`.
fn ranged(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let Stmt::For(f) = spot.stmt? else {
        return None;
    };
    let text = spot.text(&*f.iter);
    let number = match &*f.iter {
        Expr::NumberLiteral(_) => true,
        Expr::Call(c) => callee(c) == Some("len"),
        Expr::Name(n) => {
            let value = case.value(n.id.as_str());
            value.is_some_and(|(_, v)| {
                v.is_number_literal_expr() || v.as_call_expr().and_then(callee) == Some("len")
            })
        }
        Expr::Subscript(s) => spot.text(&*s.value).ends_with(".shape"),
        _ => false,
    };
    if !number {
        return None;
    }
    case.edits(
        said(
            "count-to",
            Basis::Source,
            format!("Write `range({text})`"),
            format!("`{text}` is a number; `range` counts up to it."),
        ),
        vec![Change::replace(
            spot.cell,
            &*f.iter,
            format!("range({text})"),
        )],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{error_at, ipython, repaired, with_values};

    fn fixed(sets: &str, code: &str, message: &str) -> String {
        let first = code.lines().next().unwrap();
        let e = ipython("TypeError", &[(2, 1, first)], message);
        repaired(&[sets, code], &e)
    }

    #[test]
    fn a_text_that_the_probe_saw_is_read_as_its_number() {
        let cells = ["price = row[3]", "total = price + 2.5"];
        let message = "can only concatenate str (not \"float\") to str";
        let error = error_at(&cells, 1, "TypeError", message);
        let seen = |text: &str| {
            let frames =
                format!(r#"[[1,"<module>",[["price",{{"t":"str","v":"{text}","n":4}}]]]]"#);
            repaired(&cells, &with_values(&error, &frames))
        };
        assert_eq!(seen("19.9"), "total = float(price) + 2.5");
        assert_eq!(seen("19"), "total = int(price) + 2.5");
        assert_eq!(seen("many"), "");
    }

    #[test]
    fn operands_are_made_to_fit() {
        let concatenate = "can only concatenate str (not \"int\") to str";
        let integer = "'float' object cannot be interpreted as an integer";
        for (sets, code, message, right) in [
            (
                "n = len(x)",
                "print('n: ' + n + '!')",
                concatenate,
                "print('n: ' + str(n) + '!')",
            ),
            ("t = '3.5'", "s = t + 2", concatenate, "s = float(t) + 2"),
            (
                "n = 3",
                "s = n + ' rows'",
                "unsupported operand type(s) for +: 'int' and 'str'",
                "s = str(n) + ' rows'",
            ),
            (
                "a = input()",
                "if a > 3:\n    pass",
                "'>' not supported between instances of 'str' and 'int'",
                "if float(a) > 3:\n    pass",
            ),
            (
                "n = 9",
                "for i in range(n / 2):\n    pass",
                integer,
                "for i in range(n // 2):\n    pass",
            ),
            (
                "h = n / 2",
                "x = np.zeros((h, 3))",
                integer,
                "x = np.zeros((int(h), 3))",
            ),
            (
                "h = n / 2",
                "y = x[:h]",
                "slice indices must be integers or None or have an __index__ method",
                "y = x[:int(h)]",
            ),
            (
                "s = {}",
                "s[k] = s.get(k, 0) + 1",
                "unhashable type: 'list'",
                "s[tuple(k)] = s.get(tuple(k), 0) + 1",
            ),
            (
                "v = [[1], [2]]",
                "u = set(v)",
                "unhashable type: 'list'",
                "u = set(map(tuple, v))",
            ),
            (
                "v = [1]",
                "for i in len(v):\n    pass",
                "'int' object is not iterable",
                "for i in range(len(v)):\n    pass",
            ),
        ] {
            assert_eq!(fixed(sets, code, message), right);
        }
    }
}
