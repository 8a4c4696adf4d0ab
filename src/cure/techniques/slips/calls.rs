//! Calls that take something else: a two-argument function for pairs, a factory in place of a value.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said, text_of, with_parts, Spot};
use crate::top::at_top;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, ExprLambda, Stmt, StmtAnnAssign};
use nbmedic_python::{each_below, each_stmt, keyword, positional, Ranged, TextRange};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    out.extend(match case.class() {
        "TypeError" if message == "\"delimiter\" must be a 1-character string" => {
            delimiter(case, &spot)
        }
        "TypeError" if message.starts_with("<lambda>() missing 1 required positional argument") => {
            pairs(case, &spot)
        }
        "KeyError" => without_factory(case, &spot),
        "ValueError" if message.starts_with("mutable default <class '") => {
            default_factory(case, &spot, message)
        }
        _ => None,
    });
}

/// `csv.writer(f, delimiter="; ")`
fn delimiter(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let all = spot.calls().filter_map(|c| keyword(c, "delimiter"));
    let value = &only(all)?.value;
    let sign = text_of(value)?.trim();
    (sign.chars().count() == 1).then_some(())?;
    let old = spot.text(value);
    let new = crate::find::quoted(sign);
    case.edits(
        said(
            "one-character",
            Basis::Source,
            format!("Replace `{old}` by `{new}`"),
            "The separator is one character. When reading, `skipinitialspace=True` drops blanks behind it.",
        ),
        vec![Change::replace(spot.cell, value, new)],
    )
}

/// A function of one pair in place of one with two arguments.
fn of_pair(spot: &Spot<'_>, lambda: &ExprLambda) -> Option<String> {
    let names: Vec<&str> = lambda
        .parameters
        .as_ref()?
        .iter_non_variadic_params()
        .map(|p| p.name().as_str())
        .collect();
    let pair = ["pair", "item", "row"]
        .into_iter()
        .find(|n| !names.contains(n))?;
    let mut uses: Vec<(TextRange, String)> = Vec::new();
    each_below(&lambda.body, &mut |e| {
        let at = name(e).and_then(|n| names.iter().position(|p| *p == n));
        uses.extend(at.map(|at| (e.range(), format!("{pair}[{at}]"))));
    });
    let text = with_parts(spot.python, &*lambda.body, uses);
    (names.len() > 1).then(|| format!("lambda {pair}: {text}"))
}

/// `pairs.sort(key=lambda a, b: b)`, `map(lambda k, v: …, d.items())`
fn pairs(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let given = spot.calls().filter_map(|c| match callee(c)? {
        "sort" | "sorted" | "min" | "max" => {
            let lambda = keyword(c, "key")?.value.as_lambda_expr()?;
            Some((lambda, Basis::Assumed))
        }
        "map" | "filter" => {
            let of = positional(c, 1)?.as_call_expr().and_then(callee);
            let pairs = matches!(of, Some("items" | "zip" | "enumerate"));
            let lambda = positional(c, 0)?.as_lambda_expr()?;
            pairs.then_some((lambda, Basis::Language))
        }
        _ => None,
    });
    let (lambda, basis) = only(given)?;
    let new = of_pair(spot, lambda)?;
    case.edits(
        said(
            "lambda-of-pair",
            basis,
            format!("Write `{new}`"),
            "The function gets one element at a time; where that is a pair, its parts are taken by their positions.",
        ),
        vec![Change::replace(spot.cell, lambda, new)],
    )
}

/// `defaultdict()` without a default for missing keys.
fn without_factory(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let made = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let made = case.made(spot.cell, &s.value)?;
        let call = made
            .expr
            .as_call_expr()
            .filter(|c| callee(c) == Some("defaultdict"))?;
        call.arguments.is_empty().then_some((made.cell, call))
    });
    let mut made: Vec<_> = made.collect();
    made.dedup_by_key(|(_, c)| c.range());
    let (cell, call) = only(made.into_iter())?;
    let (factory, basis) = match spot.stmt? {
        Stmt::AugAssign(a) => match &*a.value {
            Expr::StringLiteral(_) | Expr::FString(_) => ("str", Basis::Language),
            Expr::List(_) | Expr::ListComp(_) => ("list", Basis::Language),
            Expr::NumberLiteral(_) => ("int", Basis::Language),
            _ => ("int", Basis::Assumed),
        },
        _ => {
            let on = |c: &&ExprCall| receiver(c).is_some_and(Expr::is_subscript_expr);
            match only(spot.calls().filter(on)).and_then(callee)? {
                "append" | "extend" | "insert" => ("list", Basis::Language),
                "add" | "update" => ("set", Basis::Language),
                _ => return None,
            }
        }
    };
    let new = format!("{}({factory})", case.python(cell)?.slice(&*call.func));
    case.edits(
        said(
            "default-factory",
            basis,
            format!("Say what a missing key gets: `{new}`"),
            "Without a factory a `defaultdict` is a plain dict.",
        ),
        vec![Change::replace(cell, call, new)],
    )
}

/// `tags: list = []` in a dataclass.
fn default_factory(case: &Case<'_>, spot: &Spot<'_>, message: &str) -> Option<Cure> {
    let field = message
        .split_once(" for field ")?
        .1
        .split_whitespace()
        .next()?;
    let mut found: Vec<&StmtAnnAssign> = Vec::new();
    each_stmt(spot.python.body(), &mut |s| {
        let a = s
            .as_ann_assign_stmt()
            .filter(|a| name(&a.target) == Some(field));
        found.extend(a.filter(|a| a.value.is_some()));
    });
    let value = only(found.into_iter())?.value.as_deref()?;
    let text = spot.text(value);
    let factory = match value {
        Expr::List(l) if l.elts.is_empty() => "list".to_owned(),
        Expr::Dict(d) if d.items.is_empty() => "dict".to_owned(),
        Expr::Call(c) if c.arguments.is_empty() => spot.text(&*c.func).to_owned(),
        _ => format!("lambda: {text}"),
    };
    let module = case.alias_of("dataclasses");
    let own = case.alias_of("dataclasses.field");
    let called = match (&own, &module) {
        (Some(own), _) => own.clone(),
        (None, Some(module)) => format!("{module}.field"),
        (None, None) => "field".to_owned(),
    };
    let new = format!("{called}(default_factory={factory})");
    let mut changes = vec![Change::replace(spot.cell, value, new.clone())];
    if own.is_none() && module.is_none() {
        changes.push(at_top(
            spot.cell,
            spot.python,
            "from dataclasses import field",
        ));
    }
    case.edits(
        said(
            "field-factory",
            Basis::Language,
            format!("Replace `{text}` by `{new}`"),
            "One object would be shared by all instances; the factory makes a new one for each.",
        ),
        changes,
    )
}
