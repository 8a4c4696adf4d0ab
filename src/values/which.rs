//! Which row counts: the conditions of rows, and what all kinds give that have a method.

use crate::bind::{loosely, Arg, Bound};
use crate::eval::Model;
use crate::row::{Gives, Row, When};
use crate::value::Value;
use nbmedic_python::ast::ExprCall;
use std::rc::Rc;

impl<'c> Model<'_, 'c> {
    /// What a method gives with these arguments, or an attribute is, whatever it belongs to: if that is one kind of all that
    /// have it.
    pub(crate) fn whatever(
        &self,
        cell: usize,
        name: &str,
        call: Option<&'c ExprCall>,
        depth: usize,
    ) -> Option<Value<'c>> {
        let kinds = self.rows.kinds_with(name).iter().filter_map(|k| {
            let mut rows = self.rows.method(k, name);
            rows.retain(|r| {
                let bound = Bound::of(r, cell, call, Some(Value::of(*k)));
                bound.is_some_and(|b| self.holds(r, &b, depth) != Some(false))
            });
            let own = |r: &Rc<Row>| matches!(&r.gives, Gives::One(o) if o.kinds == ["self"]);
            match rows.is_empty() {
                true => None,
                false if rows.iter().all(own) => Some(Some(Value::of(*k))),
                false => Some(loosely(&rows)),
            }
        });
        let all: Option<Vec<Value<'c>>> = kinds.collect();
        let all = all?;
        let first = all.first()?;
        let same = all.iter().all(|v| v.kind == first.kind);
        same.then(|| first.clone())
    }

    /// Whether the conditions of a row hold; none if that is not known.
    pub(crate) fn holds(&self, row: &Row, bound: &Bound<'c>, depth: usize) -> Option<bool> {
        let mut known = Some(true);
        for when in &row.when {
            let one = match when {
                When::Given(name) => self.truth(name, bound, depth),
                When::Missing(name) => self.truth(name, bound, depth).map(|t| !t),
                When::Is(name, kinds) => {
                    let value = self.named(name, bound, depth);
                    let number = value.as_int().map(|n| n.to_string());
                    match (value.kind.is_empty(), value.as_text().or(number.as_deref())) {
                        (true, _) => None,
                        (_, Some(text)) if kinds.contains(&text) => Some(true),
                        _ => Some(kinds.iter().any(|k| self.rows.is(&value.kind, k))),
                    }
                }
                When::Ends(name, end) => {
                    let value = self.named(name, bound, depth);
                    value.as_text().map(|t| t.ends_with(end))
                }
                When::Of(name, kinds) => {
                    let value = self.named(name, bound, depth);
                    let items = self.items(&value, depth);
                    let items = items.or_else(|| Some(vec![self.element(&value, depth)?]));
                    let is = |v: &Value<'c>| {
                        let known = !v.kind.is_empty();
                        known.then(|| kinds.iter().any(|k| self.rows.is(&v.kind, k)))
                    };
                    let all: Vec<Option<bool>> = items.iter().flatten().map(is).collect();
                    match all.contains(&Some(false)) {
                        true => Some(false),
                        false if all.is_empty() => None,
                        false => all.into_iter().all(|one| one.is_some()).then_some(true),
                    }
                }
            };
            match one {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = None,
            }
        }
        known
    }

    /// Whether something is passed that is neither `None` nor `False`.
    fn truth(&self, name: &str, bound: &Bound<'c>, depth: usize) -> Option<bool> {
        match bound.get(name)? {
            Arg::Rest(all) => Some(!all.is_empty()),
            _ => self.named(name, bound, depth).truth(),
        }
    }
}
