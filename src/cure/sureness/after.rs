//! What an edit leaves of the failure: its cells are read as they are afterwards, and what can be evaluated there is.

use crate::again::range;
use crate::case::Case;
use crate::known::is_builtin;
use crate::takes::takes;
use nbmedic_facts::Cure;
use nbmedic_python::ast::{Expr, ExprCall, Number};
use nbmedic_python::{calls, each_expr, Cell, Ranged, TextRange};

/// Whether a function takes the arguments of a call; `None` if unknown.
pub(super) type Accepts = fn(&Case<'_>, &ExprCall) -> Option<bool>;

/// Whether the failing cell, or one that is still to run, reads a name that nothing sets even then: where one name was not
/// set, this is the same fault again.
pub(super) fn leaves_unset(case: &Case<'_>, cure: &Cure, changed: &[(usize, Cell)]) -> bool {
    if case.class() != "NameError" || case.book.is_excerpt() || case.imports_star() {
        return false;
    }
    let python = |at: usize| {
        let new = changed.iter().find(|(i, _)| *i == at).map(|(_, c)| c);
        new.or_else(|| case.python(at))
    };
    let sets =
        |at: usize, name: &str| python(at).is_some_and(|c| c.names().sets(name).next().is_some());
    let all = 0..case.book.cells().len();
    let before = case.book.before(case.at);
    let there = |name: &str| {
        let ran = before.iter().any(|at| sets(*at, name));
        let run = |at: usize| cure.run.contains(&case.position(at)) && sets(at, name);
        ran || all.clone().any(run)
    };
    let mut later = all.clone().filter(|at| !before.contains(at));
    later.any(|at| {
        let Some(cell) = python(at) else {
            return false;
        };
        let names = cell.names();
        let unset = names.needs().into_iter().any(|name| {
            !is_builtin(name)
                && match at == case.at {
                    true => !there(name) && !sets(at, name),
                    // Cells in another order are another fault.
                    false => !all.clone().any(|other| sets(other, name)),
                }
        });
        unset
    })
}

/// Whether what an edit replaces is of another kind than the one that the message met.
pub(super) fn replaces_another_kind(case: &Case<'_>, cure: &Cure) -> bool {
    let Some(met) = met(case.message()) else {
        return false;
    };
    let mut replaced = cure.edits.iter().filter_map(|edit| {
        let mut cells = case.book.cells().iter();
        let at = cells.position(|c| c.position == edit.cell)?;
        let python = case.python(at)?;
        let range = range(python, edit)?;
        let mut kind = None;
        each_expr(python.body(), &mut |e| {
            if e.range() == range {
                kind = kind_of(e).or(kind);
            }
        });
        kind
    });
    replaced.any(|kind| kind != met)
}

/// The kind of value that a message says it met: `method` of `must be a string or a real number, not 'method'`.
fn met(message: &str) -> Option<&'static str> {
    const KINDS: &[&str] = &[
        "str",
        "int",
        "float",
        "bool",
        "list",
        "tuple",
        "dict",
        "set",
        "NoneType",
        "method",
        "function",
        "type",
        "module",
        "builtin_function_or_method",
        "DataFrame",
        "Series",
        "ndarray",
        "Tensor",
    ];
    let (_, rest) = message
        .rsplit_once(", not ")
        .or_else(|| message.rsplit_once("(got type "))?;
    let rest = rest.trim_start_matches(['\'', '"', '`', '<']);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    let word = &rest[..end.unwrap_or(rest.len())];
    let short = word.trim_end_matches('.').rsplit('.').next()?;
    KINDS.iter().copied().find(|k| *k == short)
}

/// The kind of a literal.
fn kind_of(literal: &Expr) -> Option<&'static str> {
    Some(match literal {
        Expr::StringLiteral(_) => "str",
        Expr::NumberLiteral(n) => match n.value {
            Number::Int(_) => "int",
            Number::Float(_) => "float",
            Number::Complex { .. } => return None,
        },
        Expr::BooleanLiteral(_) => "bool",
        Expr::NoneLiteral(_) => "NoneType",
        Expr::List(_) => "list",
        Expr::Tuple(_) => "tuple",
        Expr::Dict(_) => "dict",
        Expr::Set(_) => "set",
        _ => return None,
    })
}

/// Whether an edit gives an argument a literal that no parameter of its name takes, or what another argument of the call has.
pub(super) fn gives_the_wrong_kind(case: &Case<'_>, changed: &[(usize, Cell)]) -> bool {
    changed.iter().any(|(at, after)| {
        let before = case.python(*at).map(misfits).unwrap_or_default();
        misfits(after).iter().any(|m| !before.contains(m))
    })
}

/// The arguments of a cell's calls whose literal is of another kind than their name takes, and those that a call is given
/// by position as well.
fn misfits(cell: &Cell) -> Vec<&str> {
    let mut out = Vec::new();
    for call in calls(cell.body()) {
        let twice = |value: &Expr| {
            let text = cell.slice(value);
            let mut args = call.arguments.args.iter();
            !value.is_number_literal_expr() && args.any(|a| cell.slice(a) == text)
        };
        let named = call.arguments.keywords.iter().filter(|k| {
            let name = k.arg.as_ref();
            let other = name.is_some_and(|n| takes(n.as_str(), &k.value) == Some(false));
            other || twice(&k.value)
        });
        out.extend(named.map(|k| cell.slice(k)));
    }
    out
}

/// Whether an edit makes a call with arguments that its function does not take.
pub(super) fn is_not_accepted(
    case: &Case<'_>,
    changed: &[(usize, Cell)],
    accepts: Accepts,
) -> bool {
    changed.iter().any(|(at, after)| {
        let readable = |c: &&Cell| c.broken().is_empty();
        let Some(before) = case.python(*at).filter(readable) else {
            return false;
        };
        let old: Vec<&str> = calls(before.body())
            .iter()
            .map(|c| before.slice(*c))
            .collect();
        let mut new = calls(after.body()).into_iter();
        new.any(|c| !old.contains(&after.slice(c)) && accepts(case, c) == Some(false))
    })
}

/// Whether a cell that is still to run has the code that failed: the call, attribute, subscript or comparison that an edit
/// changes.
pub(super) fn has_twin_to_come(case: &Case<'_>, cure: &Cure, changed: &[(usize, Cell)]) -> bool {
    if case.book.is_excerpt() {
        return false;
    }
    let here = case.position(case.at);
    // What can't be parsed is a fault of its place.
    let readable = |c: &&Cell| c.broken().is_empty();
    let Some(python) = case.python(case.at).filter(readable) else {
        return false;
    };
    let edits = cure.edits.iter().filter(|e| e.cell == here);
    let failed: Vec<&str> = edits
        .filter_map(|e| around(python, range(python, e)?))
        .map(|e| python.slice(e))
        .filter(|text| text.len() >= SHORTEST)
        .collect();
    let before = case.book.before(case.at);
    let mut later = (0..case.book.cells().len()).filter(|at| !before.contains(at));
    later.any(|at| {
        let new = changed.iter().find(|(i, _)| *i == at).map(|(_, c)| c);
        let known = failed
            .iter()
            .any(|f| case.book.cells()[at].source.contains(f));
        let cell = case
            .python(at)
            .filter(|_| at != case.at && new.is_none() && known);
        cell.is_some_and(|cell| {
            let mut twin = false;
            each_expr(cell.body(), &mut |e| {
                twin |= failed.contains(&cell.slice(e))
            });
            twin
        })
    })
}

/// Bytes of the shortest code that fails alike wherever it stands.
const SHORTEST: usize = 6;

/// The innermost call, attribute, subscript or comparison that holds a place.
fn around(python: &Cell, place: TextRange) -> Option<&Expr> {
    let mut found: Option<&Expr> = None;
    each_expr(python.body(), &mut |e| {
        let unit = e.is_call_expr()
            || e.is_attribute_expr()
            || e.is_subscript_expr()
            || e.is_compare_expr();
        let inner = found.is_none_or(|f| f.range().contains_range(e.range()));
        // A line that is put above is no part of what stands there.
        let holds =
            e.range().contains_range(place) && (!place.is_empty() || e.start() < place.start());
        if unit && inner && holds {
            found = Some(e);
        }
    });
    found
}
