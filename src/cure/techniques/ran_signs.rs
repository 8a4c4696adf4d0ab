//! What shows that a cell ran more than once: the line, what it did, and how that is known.

use super::removals::removes;
use crate::case::Case;
use crate::find::{callee, head_exprs, name, one_line, receiver, root, text_of};
use crate::keys::{missing_keys, strings_of};
use crate::known::function_around;
use crate::sized::{numbers, Sources, MAX_STEPS};
use crate::sureness::{conflicts, State};
use nbmedic_facts::Basis;
use nbmedic_python::ast::{Expr, Operator, Stmt};
use nbmedic_python::{each_expr, each_stmt, keyword, Cell, Ranged};
use nbmedic_values::Model;
use nbmedic_wordings::{about, pandas};

/// The failing cell lacks a column that it takes away itself.
pub(super) fn lost(
    case: &Case<'_>,
    cell: usize,
    made: usize,
    of: &str,
) -> Option<(u32, String, Basis)> {
    let keys = missing_keys(case.class(), case.message());
    // `errors="ignore"` is enough for a column that was dropped.
    if cell != case.at || pandas::NOT_IN_AXIS.is_in(case.message()) {
        return None;
    }
    let key = keys.first()?.as_str();
    let python = case.python(cell)?;
    let failed = python.line_range(case.frames.iter().find(|f| f.cell == cell)?.line);
    let mut gone = None;
    let mut sooner = false;
    each_stmt(python.body(), &mut |s| {
        if function_around(python, s).is_none() && takes(python, s, of, key) {
            sooner |= s.end() < failed.start();
            gone.get_or_insert(s);
        }
    });
    let stmt = gone.filter(|_| !sooner && !python.text().contains("reset_index"))?;
    let again = case.keys_in(cell);
    if again
        .iter()
        .any(|k| k.made && k.name == key && k.at.start() > stmt.end())
    {
        return None;
    }
    let shown = case.shown_value(of).filter(|v| !v.columns.is_empty());
    let has = shown.map(|v| v.columns.iter().any(|(c, _)| c == key));
    // A table that was shown above did not have it either.
    if has == Some(false) && shown.is_some_and(|v| !v.more && v.shown < Some(cell)) {
        return None;
    }
    // A misspelt name would stand nowhere else.
    let stands = |cell: usize| {
        let mut found = false;
        let body = case.python(cell).map_or(&[][..], Cell::body);
        each_expr(body, &mut |e| found |= text_of(e) == Some(key));
        found
    };
    let known = has == Some(true) || stands(made);
    // Cells that ran in between read what the first run made.
    let later = |c: &usize| {
        let python = case.python(*c);
        let reads = python.is_some_and(|p| p.names().needs().contains(&of));
        reads && *c > cell && runs_between(case, made, *c).is_some()
    };
    let basis = match known {
        true => Basis::Record,
        false => Basis::Assumed,
    };
    let ran = case.book.before(case.at);
    (known || ran.iter().any(|c| stands(*c) || later(c))).then_some(())?;
    let text = one_line(python.slice(stmt));
    let line = python.line_of(stmt.start());
    Some((line, format!("`{text}` takes `{key}` away"), basis))
}

/// Whether a statement leaves a variable without a column.
fn takes(python: &Cell, s: &Stmt, of: &str, key: &str) -> bool {
    if removes(python, s, of, key) {
        return true;
    }
    let Some(a) = s.as_assign_stmt() else {
        return false;
    };
    let has = |e: &Expr| strings_of(e).iter().any(|(t, _)| *t == key);
    let from = |e: &Expr| root(e) == Some(of);
    a.targets.iter().any(|t| name(t) == Some(of))
        && match &*a.value {
            // A selection of other columns, or of this one alone.
            Expr::Subscript(s) if from(&s.value) => match &*s.slice {
                Expr::List(l) => {
                    !l.is_empty() && l.iter().all(Expr::is_string_literal_expr) && !has(&s.slice)
                }
                one => has(one),
            },
            Expr::Call(c) => {
                let own = receiver(c).is_some_and(from);
                let word = |w: &str| keyword(c, w).is_some_and(|k| has(&k.value));
                let given = nbmedic_python::positional(c, 0);
                match callee(c) {
                    Some("get_dummies") => given.is_some_and(from) && word("columns"),
                    Some("remove_columns" | "pop") => own && given.is_some_and(has),
                    Some("map") => own && word("remove_columns"),
                    _ => false,
                }
            }
            _ => false,
        }
}

/// Labels below 0, after a subtraction that makes the first one 0.
pub(super) fn shifted(
    case: &Case<'_>,
    cell: usize,
    of: &str,
    times: usize,
) -> Option<(u32, String, Basis)> {
    let message = case.message();
    let label = [
        "Target -",
        "label value of -",
        "Class label -",
        "index -",
        "got [-",
    ];
    let (_, rest) = label.iter().find_map(|l| message.split_once(l))?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    let below: i64 = digits.parse().ok()?;
    let python = case.python(cell)?;
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        let by = match s {
            Stmt::AugAssign(a) if a.op == Operator::Sub && root(&a.target) == Some(of) => &*a.value,
            Stmt::Assign(a) if a.targets.iter().any(|t| root(t) == Some(of)) => match &*a.value {
                Expr::BinOp(b) if b.op == Operator::Sub && root(&b.left) == Some(of) => &*b.right,
                _ => return,
            },
            _ => return,
        };
        let by = crate::find::int_of(by).filter(|n| *n > 0);
        found = found.or(by.map(|n| (s, n)));
    });
    let (stmt, by) = found?;
    let most = by.checked_mul(i64::try_from(times).ok()? - 1)?;
    let text = one_line(python.slice(stmt));
    (below <= most).then(|| {
        let line = python.line_of(stmt.start());
        (
            line,
            format!("`{text}` makes the labels smaller each time"),
            Basis::Assumed,
        )
    })
}

/// `t["sex"] = t["sex"].map({"male": 0})`: a second time it finds none of its own results, and all values are missing.
pub(super) fn emptied(case: &Case<'_>, cell: usize, of: &str) -> Option<(u32, String, Basis)> {
    about::MISSING_VALUES.is_in(case.message()).then_some(())?;
    let python = case.python(cell)?;
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        let Some((assign, call)) = s
            .as_assign_stmt()
            .and_then(|a| Some((a, a.value.as_call_expr()?)))
        else {
            return;
        };
        let target = assign.targets.iter().find(|t| root(t) == Some(of));
        let same = |t: &Expr| receiver(call).is_some_and(|r| python.slice(r) == python.slice(t));
        let maps = callee(call) == Some("map") && target.is_some_and(same);
        let given = call.arguments.args.first().filter(|_| maps);
        let dict = given.and_then(|d| case.made(cell, d)?.expr.as_dict_expr());
        let keys: Vec<&str> = dict
            .iter()
            .flat_map(|d| d.iter_keys())
            .flatten()
            .filter_map(text_of)
            .collect();
        let mut values = dict.iter().flat_map(|d| d.iter_values());
        if !keys.is_empty() && !values.any(|v| text_of(v).is_some_and(|t| keys.contains(&t))) {
            let text = one_line(python.slice(s));
            found = Some((
                python.line_of(s.start()),
                format!("`{text}` finds none of its own results, and leaves missing values"),
                Basis::Record,
            ));
        }
    });
    found
}

/// A list that the cell appends to has as many times the elements that it should have as the cell ran.
pub(super) fn multiplied(
    case: &Case<'_>,
    cell: usize,
    of: &str,
    times: usize,
) -> Option<(u32, String, Basis)> {
    let message = case.message();
    let several = about::UNEQUAL_LENGTHS.is_in(message) || about::DUPLICATES.is_in(message);
    several.then_some(())?;
    let told = numbers(message);
    let whole = |n: i64, k: i64| n > 0 && n.checked_mul(k).is_some_and(|all| told.contains(&all));
    let most = i64::try_from(times).ok()?;
    let basis = match told.iter().any(|n| (2..=most).any(|k| whole(*n, k))) {
        true => Basis::Record,
        // The message names no numbers.
        false if told.is_empty() => Basis::Assumed,
        false => return None,
    };
    let python = case.python(cell)?;
    let mut grows = None;
    each_stmt(python.body(), &mut |s| {
        let call = s.as_expr_stmt().and_then(|e| e.value.as_call_expr());
        let adds = call.filter(|c| matches!(callee(c), Some("append" | "extend")));
        if adds.and_then(receiver).and_then(name) == Some(of) {
            grows = Some(s);
        }
    });
    let stmt = grows?;
    let text = one_line(python.slice(stmt));
    Some((
        python.line_of(stmt.start()),
        format!("`{text}` adds to the `{of}` of the run before"),
        basis,
    ))
}

/// With the cell run once nothing conflicts, with more runs what the message tells does; or the sizes that the message
/// tells are those after one run and after more.
pub(super) fn modelled(
    case: &Case<'_>,
    cell: usize,
    of: &str,
    times: usize,
) -> Option<(u32, String, Basis)> {
    let shown = |n: usize| case.had_run(cell, n, conflicts) == Some(State::Conflicts);
    let once = case.had_run(cell, 1, conflicts);
    let fits = once == Some(State::Fits) || cell == case.at && once == Some(State::Unknown);
    let told = numbers(case.message());
    let shape = |n: usize| case.had_run(cell, n, |then| shape(then, of));
    let first = shape(1).filter(|_| told.len() > 1);
    let grows = |n: usize| {
        let sizes = first.iter().flatten().zip(shape(n).into_iter().flatten());
        let mut other = sizes.filter(|(a, b)| **a != *b);
        other.any(|(a, b)| told.contains(a) && told.contains(&b))
    };
    let shows = |n: usize| fits && shown(n) || once != Some(State::Conflicts) && grows(n);
    (2..=times.min(3)).any(shows).then_some(())?;
    let python = case.python(cell)?;
    let names = python.names();
    let last = names.sets(of).next_back()?;
    let text = one_line(python.slice(last.stmt));
    let line = python.line_of(last.stmt.start());
    Some((
        line,
        format!("`{text}` changes `{of}` each time"),
        Basis::Record,
    ))
}

/// The shape of a name on the failing line.
fn shape(case: &Case<'_>, of: &str) -> Option<Vec<i64>> {
    let (cell, _, stmt) = case.here()?;
    let read = head_exprs(stmt).into_iter().find(|e| name(e) == Some(of))?;
    let sources = Sources(case);
    Model::new(&sources, MAX_STEPS).of(cell, read).shape()
}

/// Whether an expression is an empty container or a number, which is the same wherever it stands.
pub(super) fn is_constant(case: &Case<'_>, e: &Expr) -> bool {
    match e {
        Expr::List(l) => l.elts.is_empty(),
        Expr::Dict(d) => d.items.is_empty(),
        Expr::NumberLiteral(_) => true,
        Expr::Call(c) => {
            let empty = c.arguments.args.is_empty() && c.arguments.keywords.is_empty();
            let called = name(&c.func).filter(|f| case.last_set(f).is_none());
            empty && matches!(called, Some("list" | "dict" | "set"))
        }
        _ => false,
    }
}

/// How often a cell may have run since another one, by the counts that are missing between them. None if it ran once, or
/// the counts are of several sessions.
pub(super) fn runs_between(case: &Case<'_>, from: usize, to: usize) -> Option<usize> {
    let mut counts: Vec<i64> = case.book.cells().iter().filter_map(|c| c.count).collect();
    let all = counts.len();
    counts.sort_unstable();
    counts.dedup();
    let (from, to) = (case.book.cells()[from].count?, case.book.cells()[to].count?);
    let known = counts.iter().filter(|c| (from..to).contains(*c)).count();
    let missing = usize::try_from(to.checked_sub(from)?)
        .ok()?
        .checked_sub(known)?;
    (counts.len() == all && missing > 0).then_some(missing + 1)
}
