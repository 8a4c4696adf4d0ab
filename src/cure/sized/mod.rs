//! What the model of values asks of a case: where names were set, what functions return, and what is known of names from
//! elsewhere, first by the probe, then by outputs. And the sizes of arrays as the sources make them, where no probe saw them.

mod since;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::excerpt::conventional;
use crate::find::{name, only};
use crate::known::{function_around, is_builtin};
use crate::trace::{self, Source};
use crate::values::{Seen, Value};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_expr, each_stmt, name_of, Ranged};
use nbmedic_values::{Made, Model, Place, Scope, Since};

/// Maximum number of expressions evaluated for one failure.
pub(crate) const MAX_STEPS: usize = 400;
/// A message with a number this large doesn't match an element count by chance.
const MANY: i64 = 100;

/// The names in the cells of a failure, in execution order.
pub(crate) struct Sources<'c>(pub(crate) &'c Case<'c>);

impl<'c> Case<'c> {
    /// The values of the names on the user's innermost line according to the sources, in the form
    /// of the probe's values. Only if two arrays are known whose shapes contain two different
    /// numbers of the message, or one whose element count the message gives; empty otherwise.
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
        let (mut whole, mut arrays) = (false, 0);
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
            // What an output shows is added with the cell that shows it.
            if self
                .shown_value(n.id.as_str())
                .is_none_or(|v| v.shape.is_none())
            {
                names.push((n.id.to_string(), value));
            }
            arrays += 1;
        }
        told.sort_unstable();
        told.dedup();
        if names.is_empty() || !whole && (arrays < 2 || told.len() < 2) {
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

/// The integers at the beginning of a message.
pub(crate) fn numbers(message: &str) -> Vec<i64> {
    let start = message.get(..600).unwrap_or(message);
    let all = start.split(|c: char| !c.is_ascii_digit());
    let mut out: Vec<i64> = all.filter_map(|n| n.parse().ok()).take(32).collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl<'c> Scope<'c> for Sources<'c> {
    fn made(&self, place: Place<'c>) -> Option<Made<'c>> {
        let source = self.0.source(trace::Made {
            cell: place.cell,
            expr: place.expr,
        })?;
        let since = match &source {
            Source::Set(set) => since::since(self.0, set, place),
            Source::Given(_) => Since::Anything,
        };
        let made = |cell, expr, each, part| Made {
            place: Place { cell, expr },
            each,
            part,
            since,
        };
        if let Some(whole) = source.value() {
            return Some(made(whole.cell, whole.expr, false, Vec::new()));
        }
        let Source::Set(set) = source else {
            return None;
        };
        let (target, value, each) = match set.binding.stmt {
            Stmt::Assign(a) => (only(a.targets.iter())?, &*a.value, false),
            Stmt::For(f) => (&*f.target, &*f.iter, true),
            _ => return None,
        };
        let part = part_of(target, name(place.expr)?)?;
        Some(made(set.cell, value, each, part))
    }

    fn returned(&self, _cell: usize, call: &'c ExprCall) -> Vec<Place<'c>> {
        let set = name(&call.func).and_then(|n| self.0.last_set(n));
        let def = set.and_then(|s| Some((s.cell, s.binding.stmt.as_function_def_stmt()?)));
        let Some((cell, def)) = def else {
            return Vec::new();
        };
        let Some(python) = self.0.python(cell) else {
            return Vec::new();
        };
        let mut yields = def.is_async;
        each_expr(&def.body, &mut |e| {
            yields |= e.is_yield_expr() || e.is_yield_from_expr()
        });
        let mut all: Option<Vec<Place<'c>>> = (!yields).then(Vec::new);
        each_stmt(&def.body, &mut |s| {
            let own = || function_around(python, s).is_some_and(|f| f.range() == def.range());
            let Some(r) = s.as_return_stmt().filter(|_| own()) else {
                return;
            };
            match (r.value.as_deref(), &mut all) {
                (Some(expr), Some(all)) => all.push(Place { cell, expr }),
                _ => all = None,
            }
        });
        all.unwrap_or_default()
    }

    fn seen(&self, place: Place<'c>) -> Option<nbmedic_values::Value<'c>> {
        let case = self.0;
        let id = name(place.expr)?;
        let value = case.seen_value(id)?;
        let (cell, _, stmt) = case.here()?;
        let at = trace::Made {
            cell: place.cell,
            expr: place.expr,
        };
        let own = case.own_source(at).is_some();
        if cell == place.cell && stmt.range().contains_range(place.expr.range()) {
            // Outputs show nothing of a function's own names.
            let value = if own { case.probed(id)? } else { value };
            return Some(value.told(true));
        }
        // Elsewhere it is the same one, if nothing set it in between.
        let source = case.source(at).filter(|_| !own)?;
        let now = case.last_set(id)?;
        let same = matches!(source, Source::Set(s) if s.cell == now.cell && s.binding.at == now.binding.at);
        same.then(|| value.told(false))
    }

    fn path(&self, place: Place<'c>) -> Option<String> {
        let own = || {
            let id = name(place.expr)?;
            (is_builtin(id) && self.0.last_set(id).is_none()).then(|| id.to_owned())
        };
        // The cell that imports it may not be there.
        let usual = || {
            let dotted = name_of(place.expr)?;
            let (first, rest) = dotted.split_once('.')?;
            let module = conventional(first).filter(|_| self.0.last_set(first).is_none())?;
            Some(format!("{module}.{rest}"))
        };
        self.0.path_of(place.expr).or_else(own).or_else(usual)
    }
}

/// The index path of a name in a nested assignment target: `[1, 0]` for `b` in `a, (b, c)`.
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
