//! The arguments of a call, by the parameters of a row.

use crate::row::{Gives, Row, Term};
use crate::value::{Place, Value};
use nbmedic_python::ast::ExprCall;
use std::rc::Rc;

/// What a parameter stands for.
#[derive(Clone, Debug)]
pub(crate) enum Arg<'c> {
    /// What is passed.
    Passed(Place<'c>),
    /// Its default.
    Default(Term),
    /// All that is passed by position.
    Rest(Vec<Place<'c>>),
    /// A value.
    Value(Box<Value<'c>>),
}

/// The parameters of a row in one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound<'c>(Vec<(&'static str, Arg<'c>)>);

impl<'c> Bound<'c> {
    /// The arguments of a call; none if the row does not tell what they mean.
    pub(crate) fn of(
        row: &Row,
        cell: usize,
        call: Option<&'c ExprCall>,
        on: Option<Value<'c>>,
    ) -> Option<Bound<'c>> {
        let mut out = Vec::new();
        out.extend(on.map(|v| ("self", Arg::Value(Box::new(v)))));
        let (Some(params), Some(call)) = (&row.params, call) else {
            return (row.params.is_none() && call.is_none()).then_some(Bound(out));
        };
        let mut args = call.arguments.args.iter();
        let keywords = &call.arguments.keywords;
        if keywords.iter().any(|k| k.arg.is_none()) {
            return None;
        }
        let known = |name: &str| params.iter().any(|p| p.name == name && !p.words);
        if !row.open
            && !params.iter().any(|p| p.words)
            && !keywords
                .iter()
                .all(|k| k.arg.as_ref().is_some_and(|a| known(a.as_str())))
        {
            return None;
        }
        let place = |expr| Place { cell, expr };
        let mut after = false;
        for p in params {
            if p.words {
                let all = keywords.iter().filter_map(|k| k.arg.as_ref());
                let names = all.map(|a| a.as_str()).filter(|a| !known(a));
                let names: Vec<String> = names.map(str::to_owned).collect();
                let value = Value {
                    columns: Some(Rc::new(names)),
                    ..Value::of("dict")
                };
                out.push((p.name, Arg::Value(Box::new(value))));
                continue;
            }
            let named = keywords
                .iter()
                .find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == p.name));
            if p.rest {
                after = true;
                let rest: Vec<Place<'c>> = args.by_ref().map(place).collect();
                if !rest.is_empty() || named.is_none() {
                    if rest.iter().any(|p| p.expr.is_starred_expr()) {
                        return None;
                    }
                    out.push((p.name, Arg::Rest(rest)));
                    continue;
                }
            }
            let passed = match named {
                Some(k) => Some(&k.value),
                None if after || p.named => None,
                None => args.next(),
            };
            let arg = match (passed, &p.default) {
                (Some(e), _) if e.is_starred_expr() => return None,
                (Some(e), _) => Arg::Passed(place(e)),
                (None, Some(default)) => Arg::Default(default.clone()),
                (None, None) => return None,
            };
            out.push((p.name, arg));
        }
        (row.open || args.next().is_none()).then_some(Bound(out))
    }

    /// An argument that stands between brackets.
    pub(crate) fn with(mut self, name: &'static str, value: Value<'c>) -> Bound<'c> {
        self.0.push((name, Arg::Value(Box::new(value))));
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arg<'c>> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, arg)| arg)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|(n, _)| *n)
    }
}

/// What rows have in common: the kind.
pub(crate) fn loosely<'c>(rows: &[Rc<Row>]) -> Option<Value<'c>> {
    let kind = |row: &Rc<Row>| match &row.gives {
        Gives::Several(kind, _) => Some(*kind),
        Gives::One(one) => match &one.kinds[..] {
            [kind]
                if !row.params.iter().flatten().any(|p| p.name == *kind)
                    && *kind != "self"
                    && *kind != "?" =>
            {
                Some(*kind)
            }
            _ => None,
        },
    };
    let first = kind(rows.first()?)?;
    rows.iter()
        .all(|r| kind(r) == Some(first))
        .then(|| Value::of(first))
}
