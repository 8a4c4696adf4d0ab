//! The operands on the failing line, and their values recorded by the probe.

use crate::case::Case;
use crate::find::{one_line, only, Spot};
use crate::known::Set;
use crate::sized::{Sources, MAX_STEPS};
use crate::trace::{Made, Source};
use crate::values::{Seen, Value};
use nbmedic_python::ast::Expr;
use nbmedic_python::{each_below, name_of};
use nbmedic_values::Model;

/// Whether the values belong to this frame. IPython has several names for the top level of a cell.
pub(super) fn is_of(seen: &Seen, line: u32, function: Option<&str>) -> bool {
    let own = seen.function.starts_with('<') && !seen.function.starts_with("<lambda");
    seen.line == line
        && match function {
            Some(f) => f.rsplit('.').next() == Some(seen.function.as_str()),
            None => own,
        }
}

/// The failing line of a cell and the values of its frame.
pub(super) struct Line<'c> {
    case: &'c Case<'c>,
    pub(super) spot: Spot<'c>,
    pub(super) seen: &'c Seen,
}

impl<'c> Line<'c> {
    /// None if the innermost recorded frame is a different one, such as a file's.
    pub(super) fn of(case: &'c Case<'_>) -> Option<Line<'c>> {
        let (frame, seen) = (case.innermost()?, case.values.last()?);
        let same = is_of(seen, frame.line, frame.function.as_deref());
        Some(Line {
            case,
            spot: case.spot().filter(|_| same)?,
            seen,
        })
    }

    /// What the model says of an expression.
    fn told<'e>(&'e self, expr: &'e Expr) -> nbmedic_values::Value<'e> {
        let sources = Sources(self.case);
        Model::new(&sources, MAX_STEPS).of(self.spot.cell, expr)
    }

    /// The value of an expression, if it is a recorded name.
    pub(super) fn value(&self, expr: &Expr) -> Option<&'c Value> {
        let name = name_of(expr)?;
        let mut names = self.seen.names.iter();
        names.find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// The sizes of an array that an expression is.
    pub(super) fn shape(&self, expr: &Expr) -> Option<Vec<i64>> {
        let value = self.told(expr);
        let array = |k: &str| {
            matches!(
                k,
                "" | "ndarray" | "Tensor" | "Parameter" | "EagerTensor" | "Array"
            )
        };
        value.shape().filter(|_| array(&value.kind))
    }

    /// The whole number that an expression is.
    pub(super) fn number(&self, expr: &Expr) -> Option<i64> {
        self.told(expr).as_int()
    }
}

/// The names that may have failed if no source shows the line: those in the failing part, otherwise
/// all recorded ones.
pub(super) fn suspects<'c>(case: &'c Case<'_>) -> Vec<(&'c str, &'c Value)> {
    let all = case.values.last().map_or(&[][..], |s| &s.names);
    let some = all.iter().any(|(_, v)| v.failing);
    let all = all.iter().filter(|(_, v)| v.failing || !some);
    all.map(|(n, v)| (n.as_str(), v)).collect()
}

/// A sentence with the line that assigned a name, to append to another. Empty if no cell shows it,
/// or if the name may be local to a function.
pub(super) fn origin(case: &Case<'_>, name: &str) -> String {
    let inside = case
        .values
        .last()
        .is_some_and(|s| !s.function.starts_with('<'));
    let set = case.last_set(name).filter(|_| !inside);
    let place = set.and_then(|s| Some((s.cell, case.python(s.cell)?, s.binding.at)));
    let Some((cell, python, at)) = place else {
        return String::new();
    };
    let line = python.line_of(at.start());
    let text = one_line(python.line(line));
    let rows = set.and_then(|s| rows_of(case, s)).unwrap_or_default();
    format!(
        " Line {line} of cell {} sets it: `{text}`.{rows}",
        case.position(cell)
    )
}

/// Whose rows or elements a value is made of, without one more or less, and the line that set that: the one furthest back.
fn rows_of<'c>(case: &'c Case<'_>, set: Set<'c>) -> Option<String> {
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let long = |at: Made<'c>| model.of(at.cell, at.expr).dims?.first().copied();
    let (mut source, mut from) = (Some(Source::Set(set)), None);
    while let Some(made) = source.and_then(Source::value) {
        let rows = long(made)?;
        let mut names: Vec<Made<'c>> = Vec::new();
        each_below(made.expr, &mut |expr| {
            let at = Made { expr, ..made };
            let same = expr.is_name_expr() && long(at) == Some(rows);
            if same && names.iter().all(|n| name_of(n.expr) != name_of(expr)) {
                names.push(at);
            }
        });
        let Some(one) = only(names.into_iter()) else {
            break;
        };
        source = case.source(one);
        match source {
            Some(Source::Set(set)) => from = Some(set),
            _ => break,
        }
    }
    let set = from?;
    let python = case.python(set.cell)?;
    let line = python.line_of(set.binding.at.start());
    Some(format!(
        " Its rows are those of `{}`, which line {line} of cell {} sets: `{}`.",
        set.binding.name,
        case.position(set.cell),
        one_line(python.line(line))
    ))
}
