//! How much memory a cell asks for, if its source states it plainly.

use crate::plain;
use litemap::LiteMap;
use nbmedic_ask::{Allocation, Device};
use nbmedic_facts::number::decimal;
use nbmedic_python::ast::{Expr, ExprCall, Number, Operator, Stmt, UnaryOp};
use nbmedic_python::{each_below, keyword, name_of, Cell, Ranged, TextSize};
use std::collections::{BTreeMap, BTreeSet};

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

const LIBS: &[(&str, Lib)] = &[
    ("np", Lib::Numpy),
    ("numpy", Lib::Numpy),
    ("torch", Lib::Torch),
    ("tf", Lib::Tensorflow),
    ("tensorflow", Lib::Tensorflow),
    ("jnp", Lib::Jax),
    ("jax.numpy", Lib::Jax),
    ("jax", Lib::Jax),
    ("cp", Lib::Cupy),
    ("cupy", Lib::Cupy),
];

/// How the arguments of a function give a shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The first argument: a number or a tuple.
    First,
    /// All positional arguments; or the first, if it is a tuple.
    All,
    /// The argument at this position, or the one called `size`.
    Size(usize),
    /// A square of the first argument, or a table of the first two.
    Square,
    /// As many as the first argument: `arange(n)`.
    Count,
}

/// Function, shape, and the type of its elements if it is not the library's float.
const FUNCTIONS: &[(&str, Shape, &str)] = &[
    ("zeros", Shape::First, ""),
    ("ones", Shape::First, ""),
    ("empty", Shape::First, ""),
    ("full", Shape::First, "?"),
    ("fill", Shape::First, "?"),
    ("eye", Shape::Square, ""),
    ("identity", Shape::Square, ""),
    ("arange", Shape::Count, "int64"),
    ("random.rand", Shape::All, ""),
    ("random.randn", Shape::All, ""),
    ("rand", Shape::All, ""),
    ("randn", Shape::All, ""),
    ("random.random", Shape::Size(0), ""),
    ("random.random_sample", Shape::Size(0), ""),
    ("random.standard_normal", Shape::Size(0), ""),
    ("random.normal", Shape::Size(2), ""),
    ("random.uniform", Shape::Size(2), ""),
    ("random.truncated_normal", Shape::First, ""),
    ("random.randint", Shape::Size(2), "int64"),
    ("random.integers", Shape::Size(2), "int64"),
    ("randint", Shape::Size(2), "int64"),
];

/// Most arrays of one cell.
const MAX_ARRAYS: usize = 8;
/// Most numbers of one name.
const MAX_NUMBERS: usize = 8;

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
    let path = name_of(&call.func);
    let path = path.as_deref().unwrap_or("");
    let mut known = LIBS.iter().filter_map(|(name, lib)| {
        let name = path.strip_prefix(name)?.strip_prefix('.')?;
        Some((*lib, name.to_owned()))
    });
    let (known, method) = match (known.next(), &*call.func) {
        (Some(known), _) => (known, false),
        // A generator's method: `rng.normal(size=…)`, `default_rng(0).random((n, n))`.
        (None, Expr::Attribute(a)) if !path.contains(".random.") => {
            ((Lib::Numpy, format!("random.{}", a.attr)), true)
        }
        _ => return None,
    };
    let (lib, name) = (known.0, known.1.as_str());
    let (_, mut shape_of, mut dtype) = FUNCTIONS.iter().find(|f| f.0 == name).copied()?;
    // The same names with other meanings.
    match (name.split_once('.'), lib) {
        (None, Lib::Torch) => match name {
            "zeros" | "ones" | "empty" => shape_of = Shape::All,
            "rand" | "randn" | "randint" | "full" | "eye" | "arange" => {}
            _ => return None,
        },
        (None, Lib::Tensorflow) if matches!(name, "zeros" | "ones" | "fill" | "eye") => {}
        (Some(("random", "normal" | "uniform" | "truncated_normal")), Lib::Tensorflow) => {
            shape_of = Shape::First;
        }
        (Some(("random", "normal" | "uniform")), Lib::Jax) => shape_of = Shape::Size(1),
        (None, Lib::Jax) if !matches!(name, "rand" | "randn" | "randint" | "fill") => {}
        (None, Lib::Numpy | Lib::Cupy)
            if !matches!(name, "rand" | "randn" | "randint" | "fill") => {}
        (Some(_), Lib::Numpy | Lib::Cupy) if name != "random.truncated_normal" => {}
        _ => return None,
    }
    let plain = &call.arguments.args;
    let named = |name| keyword(call, name).map(|k| &k.value);
    let size = named("shape").or_else(|| named("size"));
    let first = plain.first().or(size);
    let tuple = shape_of == Shape::Size(0) && first.is_some_and(Expr::is_tuple_expr);
    if method && !tuple && (size.is_none() || !matches!(shape_of, Shape::Size(_))) {
        return None;
    }
    let mut dims: Vec<f64> = Vec::new();
    let readable = match shape_of {
        Shape::First => list(first?, sizes, &mut dims),
        Shape::Count => plain.len() == 1 && list(first?, sizes, &mut dims),
        Shape::Square => {
            let side = plain.get(1).or(first);
            list(first?, sizes, &mut dims) && list(side?, sizes, &mut dims)
        }
        Shape::All if plain.is_empty() => list(size?, sizes, &mut dims),
        Shape::All => plain.iter().all(|one| list(one, sizes, &mut dims)),
        Shape::Size(n) => list(plain.get(n).or(size)?, sizes, &mut dims),
    };
    let whole = |n: &f64| *n >= 0.0 && n.fract() == 0.0 && *n < 1e15;
    if !readable || dims.is_empty() || !dims.iter().all(whole) {
        return None;
    }
    if dtype.is_empty() {
        dtype = match lib {
            Lib::Numpy | Lib::Cupy => "float64",
            _ => "float32",
        };
    }
    // `full` has the type of the value that fills it.
    if dtype == "?" {
        let float = is_float(plain.get(1).or_else(|| named("fill_value"))?)?;
        dtype = match (lib, float) {
            (Lib::Numpy | Lib::Cupy, true) => "float64",
            (Lib::Numpy | Lib::Cupy | Lib::Torch, false) => "int64",
            (_, true) => "float32",
            (_, false) => "int32",
        };
    }
    let mut dtype = dtype.to_owned();
    let mut kind = named("dtype");
    if lib != Lib::Torch && matches!(name, "zeros" | "ones" | "empty") {
        kind = kind.or(plain.get(1));
    }
    if let Some(kind) = kind {
        // A short name: `np.int8` is not `i8`.
        dtype = match kind {
            Expr::StringLiteral(s) if s.value.to_str().len() <= 3 => expand(s.value.to_str())?,
            Expr::StringLiteral(s) => s.value.to_str().to_owned(),
            other => name_of(other)?.rsplit('.').next()?.to_owned(),
        };
    }
    let width = width(&dtype, lib == Lib::Torch)?;
    let device = match (named("device"), lib) {
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
    let bytes = dims.iter().product::<f64>() * width;
    (bytes < 9e18).then(|| Allocation {
        bytes,
        shape: dims.iter().map(|n| *n as i64).collect(),
        dtype,
        device,
        line: cell.line_of(call.start()),
    })
}

/// Whether a value that fills an array is a float; none if that can't be read.
fn is_float(value: &Expr) -> Option<bool> {
    match value {
        Expr::NumberLiteral(n) => Some(matches!(n.value, Number::Float(_))),
        Expr::UnaryOp(u) if u.op == UnaryOp::USub => is_float(&u.operand),
        // Most numbers that have a name are floats: `np.nan`, `mean`.
        Expr::Name(_) => Some(true),
        Expr::Attribute(a) => matches!(a.attr.as_str(), "nan" | "inf" | "pi").then_some(true),
        _ => None,
    }
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

/// `f4` is `float32`.
fn expand(short: &str) -> Option<String> {
    let short = short.trim_start_matches(['<', '>', '=', '|']);
    let bits = 8 * short.get(1..)?.parse::<u32>().ok()?;
    let kind = match short.get(..1)? {
        "f" => "float",
        "i" => "int",
        "u" => "uint",
        "c" => "complex",
        _ => return None,
    };
    Some(format!("{kind}{bits}"))
}

/// Bytes of an element.
fn width(dtype: &str, torch: bool) -> Option<f64> {
    let bits = dtype.trim_start_matches(|c: char| !c.is_ascii_digit());
    let plain = ["float", "int", "uint", "complex", "bfloat"];
    Some(match dtype {
        "bool" | "bool_" => 1.0,
        "half" => 2.0,
        "float" if torch => 4.0,
        "int" if torch => 4.0,
        "float" | "int" | "double" | "long" => 8.0,
        "complex" => 16.0,
        _ if plain.contains(&&dtype[..dtype.len() - bits.len()]) => {
            let bits = decimal(bits)?;
            (bits <= 256.0).then_some(bits / 8.0)?
        }
        _ => return None,
    })
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
fn list(expr: &Expr, sizes: &Sizes, dims: &mut Vec<f64>) -> bool {
    let all = items(expr).unwrap_or(std::slice::from_ref(expr));
    all.iter().all(|one| {
        let named = one.as_name_expr().and_then(|n| sizes.get(n.id.as_str()));
        match (named, value(one, sizes)) {
            (Some(all), _) => dims.extend(all),
            (None, Some(n)) => dims.push(n),
            (None, None) => return false,
        }
        true
    })
}

/// The value of an expression of numbers, known names, `int()` and `+ - * // **`.
fn value(expr: &Expr, sizes: &Sizes) -> Option<f64> {
    let found = match expr {
        Expr::NumberLiteral(n) => match &n.value {
            Number::Int(i) => i.as_u64()? as f64,
            Number::Float(f) => *f,
            Number::Complex { .. } => return None,
        },
        Expr::Name(n) => match sizes.get(n.id.as_str())?.as_slice() {
            [n] => *n,
            _ => return None,
        },
        Expr::Call(c) if name_of(&c.func).as_deref() == Some("int") => {
            match (&*c.arguments.args, c.arguments.keywords.is_empty()) {
                ([inner], true) => value(inner, sizes)?.trunc(),
                _ => return None,
            }
        }
        Expr::BinOp(b) => {
            let (left, right) = (value(&b.left, sizes)?, value(&b.right, sizes)?);
            match b.op {
                Operator::Add => left + right,
                Operator::Sub => left - right,
                Operator::Mult => left * right,
                Operator::FloorDiv => (left / right).floor(),
                Operator::Pow => power(left, right)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    found.is_finite().then_some(found)
}

fn power(base: f64, exponent: f64) -> Option<f64> {
    if exponent < 0.0 || exponent.fract() != 0.0 {
        return None;
    }
    // Repeated multiplication: `powi` would add another function to load.
    let times = (exponent as u32).min(2000);
    Some((0..times).fold(1.0, |acc, _| acc * base))
}

#[cfg(test)]
mod tests;
