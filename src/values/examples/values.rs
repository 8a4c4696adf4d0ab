//! What the model says of expressions: `./build.sh values` compares it with what the libraries give.
//!
//! Reads a JSON object a line from standard input, `{"source": "…"}`: a cell whose last statement is an expression. Prints a JSON
//! object for each: `kind`, `dtype`, `dims` (a number; a text stands for an unknown size, equal texts for equal ones), `columns`,
//! `parts`, and `used`, whether something is known.
// It is a program; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use nbmedic_python::ast::Stmt;
use nbmedic_python::{name_of, BindKind, Cell, Ranged};
use nbmedic_values::{Made, Model, Place, Scope, Since, Size, Value};
use serde_json::{json, Value as Json};
use std::io::{stdin, BufRead};

/// The names of one cell that sets each as a whole, once.
struct One<'c>(&'c Cell);

impl<'c> Scope<'c> for One<'c> {
    fn made(&self, name: Place<'c>) -> Option<Made<'c>> {
        let id = name.expr.as_name_expr()?.id.as_str();
        let names = self.0.names();
        let before = names
            .sets(id)
            .rev()
            .find(|b| b.stmt.end() <= name.expr.start())?;
        let expr = before.value.filter(|_| before.kind == BindKind::Assign)?;
        let place = Place { cell: 0, expr };
        Some(Made {
            place,
            each: false,
            part: Vec::new(),
            since: Since::Nothing,
        })
    }

    fn path(&self, place: Place<'c>) -> Option<String> {
        let dotted = name_of(place.expr)?;
        let (first, rest) = dotted
            .split_once('.')
            .map_or((dotted.as_str(), None), |(f, r)| (f, Some(r)));
        let names = self.0.names();
        let mut sets = names.sets(first);
        let Some(set) = sets.next_back() else {
            return rest.is_none().then(|| first.to_owned());
        };
        let path = match set.stmt {
            Stmt::Import(i) => i.names.iter().find_map(|a| match &a.asname {
                Some(name) => (name.as_str() == first).then(|| a.name.to_string()),
                None => a
                    .name
                    .split('.')
                    .next()
                    .filter(|n| *n == first)
                    .map(str::to_owned),
            })?,
            Stmt::ImportFrom(i) => {
                let module = i.module.as_ref()?;
                let alias = i
                    .names
                    .iter()
                    .find(|a| a.asname.as_ref().unwrap_or(&a.name).as_str() == first)?;
                format!("{module}.{}", alias.name)
            }
            _ => return None,
        };
        Some(rest.map_or(path.clone(), |rest| format!("{path}.{rest}")))
    }
}

fn told(value: &Value<'_>) -> Json {
    let size = |s: &Size| match s {
        Size::Known(n) => json!(n),
        Size::Unknown(n) => json!(format!("n{n}")),
    };
    json!({
        "kind": value.kind,
        "dtype": value.dtype,
        "dims": value.dims.as_ref().map(|d| d.iter().map(size).collect::<Vec<_>>()),
        "columns": value.columns.as_deref(),
        "int": value.as_int(),
        "parts": value.parts.as_ref().map(|p| p.iter().map(told).collect::<Vec<_>>()),
    })
}

fn main() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let asked: Json = serde_json::from_str(&line).unwrap_or_default();
        let cell = Cell::read(asked["source"].as_str().unwrap_or_default());
        let told = cell.as_ref().and_then(|cell| {
            let scope = One(cell);
            let last = cell.body().last()?.as_expr_stmt()?;
            Some(told(&Model::new(&scope, 5_000).of(0, &last.value)))
        });
        println!("{}", told.unwrap_or_default());
    }
}
