//! Conditions on the match of a shape.
//!
//! - `$x is number`, `$x is not list tuple`: the syntax: `number`, `int`, `text`, `name`, `attribute`, `subscript`,
//!   `call`, `list`, `tuple`, `dict`, `true`, `false`, `none`, `slice`; `called` if followed by an argument list;
//!   `alone` if it is the whole statement; `bracketed` if it has its own parentheses.
//! - `$x holds frame series unknown`: the known kind of the value: `frame`, `series`, `array`, `list`, `dict`,
//!   `unknown`.
//! - `$x named a b`, `$x not named a b`: the value of a string literal, or the last name of a function, attribute or
//!   name.
//! - `$x reads {hole}`: the same, compared with the contents of the hole.
//! - `$x lacks a b`: a call without these keyword arguments.
//! - `$x path numpy.array torch.*`: the path according to the imports.
//! - `$x like $y.copy()`: the expression has this shape; `$x from numpy.array($y, ...)`: the expression that created
//!   its value has, and is bound to `$made`. The shape's metavariables are available too; existing ones must match
//!   the same code.
//! - `nowhere $x.fillna(...)`: no expression of the cells that ran has this shape, with the same code for `$x`.
//! - `hole in a b`, `hole not in a b`: the contents of a hole in the message.
//!
//! `when:` lines are conditions on the message's holes, as in `messages/`.

use super::shape::{Bound, Found, Shape};
use crate::case::Case;
use crate::find::{int_of, text_of, Spot};
use crate::messages::Slots;
use crate::table::Kind;
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_expr, keyword, Ranged};

/// The possible syntax of an expression.
const WRITTEN: &[&str] = &[
    "number",
    "int",
    "text",
    "name",
    "attribute",
    "subscript",
    "call",
    "list",
    "tuple",
    "dict",
    "true",
    "false",
    "none",
    "slice",
    "called",
    "alone",
    "bracketed",
];
/// The possible kinds of a value.
const KINDS: &[(&str, Kind)] = &[
    ("frame", Kind::Frame),
    ("series", Kind::Series),
    ("array", Kind::Array),
    ("list", Kind::List),
    ("dict", Kind::Dict),
    ("tensor", Kind::Tensor),
    ("unknown", Kind::Unknown),
];

/// A condition.
#[derive(Debug)]
pub(super) enum Where {
    /// The syntax that a metavariable has or lacks.
    Is(&'static str, bool, Vec<&'static str>),
    Holds(&'static str, Vec<Kind>),
    Named(&'static str, bool, Vec<&'static str>),
    Reads(&'static str, &'static str),
    Lacks(&'static str, Vec<&'static str>),
    Path(&'static str, Vec<&'static str>),
    Like(&'static str, Shape),
    From(&'static str, Shape),
    In(&'static str, bool, Vec<&'static str>),
    Nowhere(Shape),
}

impl Where {
    /// Reads a condition.
    pub fn read(source: &'static str) -> Result<Where, String> {
        let wrong = || format!("no condition: {source}");
        let (subject, rest) = source.split_once(' ').ok_or_else(wrong)?;
        if subject == "nowhere" {
            return Ok(Where::Nowhere(Shape::read(rest)?));
        }
        let (verb, rest) = rest.split_once(' ').ok_or_else(wrong)?;
        let (not, verb, rest) = match (verb, rest.split_once(' ')) {
            ("is", Some(("not", rest))) => (true, "is", rest),
            ("not", Some((verb, rest))) => (true, verb, rest),
            _ => (false, verb, rest),
        };
        let words: Vec<&str> = rest.split(' ').collect();
        let Some(name) = subject.strip_prefix('$') else {
            return match verb {
                "in" => Ok(Where::In(subject, !not, words)),
                _ => Err(wrong()),
            };
        };
        match (verb, not) {
            ("is", _) if words.iter().all(|w| WRITTEN.contains(w)) => {
                Ok(Where::Is(name, !not, words))
            }
            ("holds", false) => {
                let kind = |w: &&str| KINDS.iter().find(|(n, _)| n == w).map(|(_, k)| *k);
                let kinds: Option<Vec<Kind>> = words.iter().map(kind).collect();
                Ok(Where::Holds(name, kinds.ok_or_else(wrong)?))
            }
            ("named", _) => Ok(Where::Named(name, !not, words)),
            ("reads", false) => {
                let hole = rest.strip_prefix('{').and_then(|h| h.strip_suffix('}'));
                Ok(Where::Reads(name, hole.ok_or_else(wrong)?))
            }
            ("lacks", false) => Ok(Where::Lacks(name, words)),
            ("path", false) => Ok(Where::Path(name, words)),
            ("like", false) => Ok(Where::Like(name, Shape::read(rest)?)),
            ("from", false) => Ok(Where::From(name, Shape::read(rest)?)),
            _ => Err(wrong()),
        }
    }

    /// The metavariable that it tests, and those that it binds.
    #[cfg(test)]
    pub fn names(&self) -> (Option<&'static str>, Vec<String>) {
        match self {
            Where::Is(n, ..)
            | Where::Holds(n, _)
            | Where::Named(n, ..)
            | Where::Reads(n, _)
            | Where::Lacks(n, _)
            | Where::Path(n, _) => (Some(n), Vec::new()),
            Where::From(n, shape) | Where::Like(n, shape) => (Some(n), shape.names()),
            Where::In(..) | Where::Nowhere(_) => (None, Vec::new()),
        }
    }
}

/// Whether all conditions of a rule hold for a match. The expression that created a value adds its
/// metavariables to the match.
pub(super) fn all_hold<'c>(
    wheres: &'static [Where],
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    found: &mut Found<'c>,
    slots: &Slots,
) -> bool {
    let mut all = wheres.iter();
    all.all(|w| hold(w, case, spot, found, slots).unwrap_or(false))
}

fn hold<'c>(
    condition: &'static Where,
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    found: &mut Found<'c>,
    slots: &Slots,
) -> Option<bool> {
    Some(match condition {
        Where::Is(name, wanted, kinds) => {
            let bound = found.get(name)?;
            kinds.iter().any(|k| is(spot, &bound, k)) == *wanted
        }
        Where::Holds(name, kinds) => {
            let at = found.get(name)?;
            kinds.contains(&case.kind(at.cell, at.expr?))
        }
        Where::Named(name, wanted, words) => {
            let named = last_name(&found.get(name)?);
            named.is_some_and(|n| words.contains(&n)) == *wanted
        }
        Where::Reads(name, hole) => last_name(&found.get(name)?)? == slots.get(hole)?,
        Where::Lacks(name, words) => {
            let call = found.get(name)?.expr?.as_call_expr()?;
            words.iter().all(|w| keyword(call, w).is_none())
        }
        Where::Path(name, paths) => {
            let path = case.path_of(found.get(name)?.expr?)?;
            paths.iter().any(|p| match p.strip_suffix('*') {
                Some(start) => path.starts_with(start),
                None => *p == path,
            })
        }
        Where::Like(name, shape) => {
            let at = found.get(name)?;
            let more = shape.of_expr(case, at.cell, at.python, at.expr?)?;
            found.add(more)
        }
        Where::From(name, shape) => {
            let at = found.get(name)?;
            let made = case.made(at.cell, at.expr?)?;
            let more = shape.of_expr(case, made.cell, case.python(made.cell)?, made.expr)?;
            found.bound.push(("made", more.whole));
            found.add(more)
        }
        Where::Nowhere(shape) => !case.seen().into_iter().any(|cell| {
            let mut met = false;
            if let Some(python) = case.python(cell) {
                each_expr(python.body(), &mut |e| {
                    let like = shape.of_expr(case, cell, python, e);
                    met |= like.is_some_and(|l| found.agrees(&l));
                });
            }
            met
        }),
        Where::In(hole, wanted, words) => words.contains(&slots.get(hole)?) == *wanted,
    })
}

/// The value of a string literal, or the last name of an expression.
pub(super) fn last_name<'c>(bound: &Bound<'c>) -> Option<&'c str> {
    match bound.expr {
        None => Some(bound.text()),
        Some(Expr::Name(n)) => Some(n.id.as_str()),
        Some(Expr::Attribute(a)) => Some(a.attr.as_str()),
        Some(Expr::Call(c)) => crate::find::callee(c),
        Some(e) => text_of(e).or(Some(bound.text())),
    }
}

fn is(spot: &Spot<'_>, bound: &Bound<'_>, kind: &str) -> bool {
    let Some(e) = bound.expr else { return false };
    let truth = e.as_boolean_literal_expr().map(|b| b.value);
    match kind {
        "number" => e.is_number_literal_expr(),
        "int" => int_of(e).is_some(),
        "text" => text_of(e).is_some(),
        "name" => e.is_name_expr(),
        "attribute" => e.is_attribute_expr(),
        "subscript" => e.is_subscript_expr(),
        "call" => e.is_call_expr(),
        "list" => e.is_list_expr(),
        "tuple" => e.is_tuple_expr(),
        "dict" => e.is_dict_expr(),
        "slice" => e.is_slice_expr(),
        "none" => e.is_none_literal_expr(),
        "true" => truth == Some(true),
        "false" => truth == Some(false),
        "bracketed" => {
            let source = bound.python.text();
            let (start, end) = (bound.range.start().to_usize(), bound.range.end().to_usize());
            source[..start].ends_with('(') && source[end..].starts_with(')')
        }
        "called" => {
            let behind = &bound.python.text()[bound.range.end().to_usize()..];
            behind.trim_start_matches([' ', '\t']).starts_with('(')
        }
        "alone" => is_alone(spot, e),
        _ => false,
    }
}

/// Whether an expression is its whole statement.
fn is_alone(spot: &Spot<'_>, e: &Expr) -> bool {
    let alone = spot.stmt.and_then(Stmt::as_expr_stmt);
    alone.is_some_and(|s| s.value.range() == e.range())
}
