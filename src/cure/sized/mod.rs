//! The sizes of arrays and tensors as the sources make them, where no probe saw them: `np.zeros((3, 4))`, and what is
//! computed from such. What comes from a file is not known.

#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::find::name;
use crate::known::is_builtin;
use crate::trace::{self, Source};
use crate::values::{Seen, Value};
use nbmedic_python::ast::Expr;
use nbmedic_values::{Made, Model, Place, Scope};

/// Most expressions evaluated for one case.
pub(crate) const MAX_STEPS: usize = 400;
/// So many elements are no number that a message has by chance.
const MANY: i64 = 100;

/// The names of a case's cells, in the order in which they ran.
pub(crate) struct Sources<'c>(pub(crate) &'c Case<'c>);

impl<'c> Case<'c> {
    /// What the names on the innermost own line stand for by the sources, as the probe would have seen it. Only where two
    /// arrays are known whose sizes have two different numbers of the message, or one with as many elements as a number
    /// says; empty otherwise.
    pub(crate) fn values_by_source(&'c self) -> Vec<Seen> {
        let numbers = numbers(self.message());
        let (Some(frame), Some((cell, _, stmt))) = (self.innermost(), self.here()) else {
            return Vec::new();
        };
        if numbers.len() < 2 {
            return Vec::new();
        }
        let sources = Sources(self);
        let model = Model::new(&sources, MAX_STEPS);
        let mut names: Vec<(String, Value)> = Vec::new();
        let mut told: Vec<i64> = Vec::new();
        let mut whole = false;
        for expr in crate::find::head_exprs(stmt) {
            let read = expr.as_name_expr().filter(|n| n.ctx.is_load());
            let new = read.filter(|n| names.iter().all(|(known, _)| known != n.id.as_str()));
            let Some(n) = new else { continue };
            let array = model.of(cell, expr);
            let is_array = matches!(&*array.kind, "ndarray" | "Tensor");
            let Some(sides) = array.shape().filter(|_| is_array) else {
                continue;
            };
            told.extend(sides.iter().filter(|s| numbers.contains(s)));
            let all = sides.iter().try_fold(1_i64, |p, n| p.checked_mul(*n));
            whole |= all.is_some_and(|n| n >= MANY && numbers.contains(&n));
            let value = Value {
                kind: array.kind.into_owned(),
                shape: Some(sides),
                ..Value::default()
            };
            names.push((n.id.to_string(), value));
        }
        told.sort_unstable();
        told.dedup();
        if !whole && (names.len() < 2 || told.len() < 2) {
            return Vec::new();
        }
        let function = frame.function.as_deref().unwrap_or("<module>");
        vec![Seen {
            line: frame.line,
            function: function.rsplit('.').next().unwrap_or(function).to_owned(),
            names,
        }]
    }
}

/// The whole numbers in a message's beginning.
fn numbers(message: &str) -> Vec<i64> {
    let start = message.get(..600).unwrap_or(message);
    let all = start.split(|c: char| !c.is_ascii_digit());
    let mut out: Vec<i64> = all.filter_map(|n| n.parse().ok()).take(32).collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl<'c> Scope<'c> for Sources<'c> {
    fn made(&self, place: Place<'c>) -> Option<Made<'c>> {
        let at = trace::Made {
            cell: place.cell,
            expr: place.expr,
        };
        let source = self.0.source(at)?;
        let (cell, expr, part) = match (source.value(), source) {
            (Some(made), _) => (made.cell, made.expr, Vec::new()),
            (None, Source::Set(set)) => {
                let assign = set.binding.stmt.as_assign_stmt()?;
                let [target] = &assign.targets[..] else {
                    return None;
                };
                let part = part_of(target, name(place.expr)?)?;
                (set.cell, &*assign.value, part)
            }
            _ => return None,
        };
        // A list or a table may have changed since.
        Some(Made {
            place: Place { cell, expr },
            part,
            changed: true,
        })
    }

    fn path(&self, place: Place<'c>) -> Option<String> {
        let own = || {
            let id = name(place.expr)?;
            (is_builtin(id) && self.0.last_set(id).is_none()).then(|| id.to_owned())
        };
        self.0.path_of(place.expr).or_else(own)
    }
}

/// Where a name stands in a target of several: `[1, 0]` for `b` in `a, (b, c)`.
fn part_of(target: &Expr, id: &str) -> Option<Vec<usize>> {
    let elements = match target {
        Expr::Tuple(t) => &t.elts,
        Expr::List(l) => &l.elts,
        other => return (name(other) == Some(id)).then(Vec::new),
    };
    if elements.iter().any(Expr::is_starred_expr) {
        return None;
    }
    elements.iter().enumerate().find_map(|(i, e)| {
        let mut rest = part_of(e, id)?;
        rest.insert(0, i);
        Some(rest)
    })
}
