//! How much memory a cell asks for, if its source states it plainly.

use crate::plain;
use litemap::LiteMap;
use nbmedic_ask::{Allocation, Device};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_below, keyword, name_of, Cell, Ranged, TextSize};
use nbmedic_values::{width, Constant, Made, Model, Place, Scope, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Names with the number that they hold, or several numbers for a shape.
pub type Sizes = LiteMap<String, Vec<f64>>;

/// A library, by the names that people import it under.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lib {
    Numpy,
    Torch,
    Tensorflow,
    Jax,
    Cupy,
}

/// The names, the libraries, and the modules whose functions they have.
const LIBS: &[(&str, Lib, &str)] = &[
    ("np", Lib::Numpy, "numpy"),
    ("numpy", Lib::Numpy, "numpy"),
    ("torch", Lib::Torch, "torch"),
    ("tf", Lib::Tensorflow, "tensorflow"),
    ("tensorflow", Lib::Tensorflow, "tensorflow"),
    ("jnp", Lib::Jax, "jax.numpy"),
    ("jax", Lib::Jax, "jax"),
    ("cp", Lib::Cupy, "numpy"),
    ("cupy", Lib::Cupy, "numpy"),
];

/// Most arrays of one cell.
const MAX_ARRAYS: usize = 8;
/// Most numbers of one name.
const MAX_NUMBERS: usize = 8;
/// Most expressions evaluated for one call.
const MAX_STEPS: usize = 200;

/// The numbers that names hold, for the model of values.
struct Known<'k>(&'k Sizes);

impl<'c> Scope<'c> for Known<'_> {
    fn made(&self, _name: Place<'c>) -> Option<Made<'c>> {
        None
    }

    fn path(&self, place: Place<'c>) -> Option<String> {
        let name = name_of(place.expr)?;
        let path = library(&name).map(|(_, path)| path);
        let own = matches!(name.as_str(), "int" | "float" | "bool" | "complex");
        path.or_else(|| (own && self.0.get(name.as_str()).is_none()).then_some(name))
    }

    fn seen(&self, place: Place<'c>) -> Option<Value<'c>> {
        let numbers = self.0.get(place.expr.as_name_expr()?.id.as_str())?;
        let number = |n: &f64| {
            let whole = n.fract() == 0.0 && n.abs() < 9e15;
            Value::constant(match whole {
                true => Constant::Int(*n as i64),
                false => Constant::Float(*n),
            })
        };
        let parts: Vec<Value<'c>> = numbers.iter().map(number).collect();
        match &parts[..] {
            [one] => Some(one.clone()),
            _ => Some(Value {
                parts: Some(Rc::new(parts)),
                ..Value::of("tuple")
            }),
        }
    }
}

/// The library of a dotted name, and its path in the library whose functions it has.
fn library(name: &str) -> Option<(Lib, String)> {
    LIBS.iter().find_map(|(first, lib, module)| {
        let rest = name.strip_prefix(first)?.strip_prefix('.')?;
        Some((*lib, format!("{module}.{rest}")))
    })
}

pub(crate) fn allocations(cell: &Cell, known: &Sizes) -> Vec<Allocation> {
    let mut out: Vec<Allocation> = Vec::new();
    walk(cell, &mut known.clone(), &mut |stmt, sizes| {
        plain::each_expr(stmt, &mut |expr| {
            let made = expr.as_call_expr().and_then(|c| call(cell, c, sizes));
            if let Some(a) = made {
                let a = Allocation {
                    line: cell.line_of(stmt.start()),
                    ..a
                };
                let place = out.iter().position(|o| o.bytes < a.bytes);
                out.insert(place.unwrap_or(out.len()), a);
                out.truncate(MAX_ARRAYS);
            }
        });
    });
    out
}

pub(crate) fn learn(cell: &Cell, sizes: &mut Sizes) {
    walk(cell, sizes, &mut |_, _| {});
}

/// Goes through the statements of a cell and keeps the numbers that its names hold. Calls `plain` with those that run
/// when the cell runs and that can be read, before their own names are set.
fn walk(cell: &Cell, sizes: &mut Sizes, plain: &mut dyn FnMut(&Stmt, &Sizes)) {
    // The names that each statement sets where other cells see them.
    let mut set: BTreeMap<TextSize, Vec<&str>> = BTreeMap::new();
    let names = cell.names();
    for b in names.binds.iter().filter(|b| b.function.is_none()) {
        set.entry(b.stmt.start()).or_default().push(b.name);
    }
    let top: BTreeSet<TextSize> = cell.body().iter().map(Ranged::start).collect();
    let broken: BTreeSet<u32> = cell
        .broken()
        .iter()
        .flat_map(|b| [b.range.start(), b.range.end()])
        .map(|at| cell.line_of(at))
        .collect();
    plain::each(cell.body(), &mut |stmt, is_plain| {
        let simple = !matches!(stmt, Stmt::For(_) | Stmt::With(_));
        let last = if simple { stmt.end() } else { stmt.start() };
        let lines = cell.line_of(stmt.start())..=cell.line_of(last);
        let sound = broken.range(lines).next().is_none();
        if is_plain && sound {
            plain(stmt, sizes);
        }
        let numbers = match sound && top.contains(&stmt.start()) {
            true => assigned(stmt, sizes),
            false => Vec::new(),
        };
        // A compound statement and the first one in it never start together.
        for name in set.remove(&stmt.start()).into_iter().flatten() {
            sizes.remove(name);
        }
        for (name, all) in numbers {
            sizes.insert(name.to_owned(), all);
        }
    });
}

/// The names that a statement sets plainly to numbers: `n = 5`, `shape = (n, n)`, `a, b = 1, 2`.
fn assigned<'a>(stmt: &'a Stmt, sizes: &Sizes) -> Vec<(&'a str, Vec<f64>)> {
    let (target, value) = match stmt {
        Stmt::Assign(a) if a.targets.len() == 1 => (&a.targets[0], &*a.value),
        Stmt::AnnAssign(a) => match &a.value {
            Some(value) => (&*a.target, &**value),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let pairs: Vec<(&Expr, &Expr)> = match (items(target), items(value)) {
        (Some(names), Some(values)) if names.len() == values.len() => {
            names.iter().zip(values).collect()
        }
        (Some(_), _) => return Vec::new(),
        (None, _) => vec![(target, value)],
    };
    let one = |(name, value): (&'a Expr, &Expr)| {
        let mut all = Vec::new();
        let plain = list(value, sizes, &mut all) && !all.is_empty() && all.len() <= MAX_NUMBERS;
        let name = name.as_name_expr()?.id.as_str();
        plain.then_some((name, all))
    };
    pairs.into_iter().filter_map(one).collect()
}

/// The array that a call makes, but for its line.
fn call(cell: &Cell, call: &ExprCall, sizes: &Sizes) -> Option<Allocation> {
    let path = name_of(&call.func).unwrap_or_default();
    let known = Known(sizes);
    let model = Model::new(&known, MAX_STEPS);
    let (lib, value) = match library(&path) {
        Some((lib, _)) => (lib, model.made_new(0, call, None)?),
        // A generator's method: `rng.normal(size=…)`, `default_rng(0).random((n, n))`.
        None if !path.contains(".random.") => {
            (Lib::Numpy, model.made_new(0, call, Some("Generator"))?)
        }
        None => return None,
    };
    let shape = value.shape()?;
    if shape.is_empty() || shape.iter().any(|n| *n < 0) {
        return None;
    }
    let dtype = value.dtype.strip_prefix("torch.").unwrap_or(&value.dtype);
    let width = width(dtype)?;
    let device = match (keyword(call, "device").map(|k| &k.value), lib) {
        (Some(place), _) => match first_text(place) {
            None => Device::Unknown,
            Some("cpu") => Device::Host,
            Some(text) if text.starts_with("cuda") => Device::Gpu,
            _ => return None,
        },
        (None, Lib::Numpy | Lib::Torch) => Device::Host,
        (None, Lib::Cupy) => Device::Gpu,
        (None, Lib::Tensorflow | Lib::Jax) => Device::Default,
    };
    let bytes = shape.iter().map(|n| *n as f64).product::<f64>() * width as f64;
    (bytes < 9e18).then(|| Allocation {
        bytes,
        dtype: dtype.to_owned(),
        shape,
        device,
        line: cell.line_of(call.start()),
    })
}

/// The first text in an expression: `torch.device("cuda")`.
fn first_text(expr: &Expr) -> Option<&str> {
    let mut found = None;
    each_below(expr, &mut |e| {
        if let Expr::StringLiteral(s) = e {
            found = found.or(Some(s.value.to_str()));
        }
    });
    found
}

/// The parts of a tuple or list.
fn items(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(t) => Some(&t.elts),
        Expr::List(l) => Some(&l.elts),
        _ => None,
    }
}

/// Adds the values of a tuple, a list or a single expression; false if one can't be read.
fn list(expr: &Expr, sizes: &Sizes, out: &mut Vec<f64>) -> bool {
    let known = Known(sizes);
    let model = Model::new(&known, MAX_STEPS);
    let all = items(expr).unwrap_or(std::slice::from_ref(expr));
    let number = |value: &Value<'_>| match value.constant {
        Some(Constant::Int(n)) => Some(n as f64),
        Some(Constant::Float(f)) => Some(f),
        _ => None,
    };
    all.iter().all(|one| {
        let value = model.of(0, one);
        let parts = value
            .parts
            .as_deref()
            .map_or(std::slice::from_ref(&value), Vec::as_slice);
        parts
            .iter()
            .all(|part| number(part).map(|n| out.push(n)).is_some())
    })
}

#[cfg(test)]
mod tests;
