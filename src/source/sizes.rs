//! How much memory a cell asks for, if its source states it plainly.

use super::lines::{is_name, statements, string, Line};
use litemap::LiteMap;
use nbmedic_facts::number::decimal;

/// Where an array is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// In the runtime's memory.
    Host,
    /// On the GPU.
    Gpu,
    /// On the GPU if there is one: TensorFlow and JAX.
    Default,
    /// The source chooses the device in a way that is not understood.
    Unknown,
}

/// One array that a cell makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    /// Bytes of its elements.
    pub bytes: f64,
    /// Its shape.
    pub shape: Vec<i64>,
    /// The type of its elements, as given by the source or the library's default.
    pub dtype: String,
    /// Where it is made.
    pub device: Device,
    /// The line, from 1.
    pub line: u32,
}

/// Names with the number that they hold, or several numbers for a shape.
pub type Sizes = LiteMap<String, Vec<f64>>;

/// The memory of the largest GPU, in bytes: AMD's MI355X has 288 GB. A larger array fits no GPU.
pub const LARGEST_GPU: f64 = 288.0 * (1u64 << 30) as f64;

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

/// Whether a cell may make an array whose size can be read: a quick look.
pub fn makes_arrays(source: &str) -> bool {
    FUNCTIONS
        .iter()
        .any(|(name, _, _)| source.contains(name.rsplit('.').next().unwrap_or(name)))
}

/// The arrays of a cell whose size can be read, largest first. `known` holds numbers that other
/// cells assigned.
pub fn allocations(source: &str, known: &Sizes) -> Vec<Allocation> {
    let lines = statements(source);
    let mut sizes = known.clone();
    let mut out: Vec<Allocation> = Vec::new();
    for line in &lines {
        // Code after these may not run now, or not at all.
        let maybe = |t: &&str| matches!(*t, "if" | "or" | "and" | "lambda");
        if line.plain && !line.tokens.iter().any(maybe) {
            for at in 0..line.tokens.len() {
                if let Some(a) = call(line, at, &sizes) {
                    let place = out.iter().position(|o| o.bytes < a.bytes);
                    out.insert(place.unwrap_or(out.len()), a);
                }
            }
        }
        learn(line, &mut sizes);
    }
    out.truncate(8);
    out
}

impl Allocation {
    /// The shape as Python writes it.
    pub fn shape_text(&self) -> String {
        let dims: Vec<String> = self.shape.iter().map(|n| n.to_string()).collect();
        match dims.len() {
            1 => format!("({},)", dims[0]),
            _ => format!("({})", dims.join(", ")),
        }
    }
}

/// Adds the numbers that a cell assigns plainly to the known ones. A name that is assigned in any
/// other way is no longer known.
pub fn learn_all(source: &str, sizes: &mut Sizes) {
    for line in &statements(source) {
        learn(line, sizes);
    }
}

fn learn(line: &Line<'_>, sizes: &mut Sizes) {
    let t = &line.tokens;
    // `n = 5`, `shape = (n, n)`, `a, b = 1, 2`.
    let mut end = 1;
    while t.get(end) == Some(&",") && t.get(end + 1).is_some_and(|x| is_name(x)) {
        end += 2;
    }
    if line.plain && is_name(t[0]) && t.get(end) == Some(&"=") {
        let spans = parts(t, end + 1, t.len());
        let names = end.div_ceil(2);
        // All are read before one is set: `a, b = b, a`. A value that can't be read is empty.
        let mut values: Vec<Vec<f64>> = Vec::new();
        for i in 0..names {
            let own = match names {
                1 => spans.as_slice(),
                _ => spans.get(i..=i).unwrap_or_default(),
            };
            let mut all = Vec::new();
            let plain = own.iter().all(|span| list(t, *span, sizes, &mut all));
            let fits = all.len() <= 8 && (names == 1 || spans.len() == names);
            if !(plain && fits && line.indent == 0) {
                all.clear();
            }
            values.push(all);
        }
        for (i, all) in values.into_iter().enumerate() {
            match all.is_empty() {
                false => sizes.insert(t[2 * i].to_owned(), all),
                true => sizes.remove(t[2 * i]),
            };
        }
        return;
    }
    // `n += 1`, `for n in`, `with … as n`, `a, n = …`, `def f(n)`: no longer plain.
    let head = t.iter().position(|x| *x == ":").unwrap_or(t.len());
    let last = t[..head]
        .iter()
        .rposition(|x| x.len() <= 2 && x.ends_with('='))
        .unwrap_or(head);
    let binds = last < head || matches!(t[0], "for" | "with" | "def" | "import" | "from" | "del");
    if binds {
        for name in &t[..last] {
            sizes.remove(*name);
        }
    }
}

/// The call whose dotted name begins at a token.
fn call(line: &Line<'_>, at: usize, sizes: &Sizes) -> Option<Allocation> {
    let t = &line.tokens;
    let before = at.checked_sub(1).map_or("", |i| t[i]);
    if !is_name(t[at]) || before == "def" {
        return None;
    }
    // A generator's method: `rng.normal(size=…)`, `default_rng(0).random((n, n))`.
    let method = before == "." && !(at > 1 && t[at - 2] == "random");
    if before == "." && !method {
        return None;
    }
    let mut path = t[at].to_owned();
    let mut i = at + 1;
    while t.get(i) == Some(&".") && t.get(i + 1).is_some_and(|n| is_name(n)) {
        path.push('.');
        path.push_str(t[i + 1]);
        i += 2;
    }
    if t.get(i) != Some(&"(") {
        return None;
    }
    if method {
        path.insert_str(0, "np.random.");
    }
    let (lib, name) = LIBS
        .iter()
        .filter_map(|(name, lib)| Some((*lib, path.strip_prefix(name)?.strip_prefix('.')?)))
        .next()?;
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
    let close = closing(t, i)?;
    let mut plain: Vec<Span> = Vec::new();
    let (mut size, mut kind, mut place, mut value) = (None, None, None, None);
    for (from, to) in parts(t, i + 1, close) {
        if to <= from + 2 || t[from + 1] != "=" {
            plain.push((from, to));
            continue;
        }
        let named = Some((from + 2, to));
        match t[from] {
            "shape" | "size" => size = named,
            "dtype" => kind = named,
            "device" => place = named,
            "fill_value" => value = named,
            _ => {}
        }
    }
    let first = plain.first().copied().or(size);
    let tuple = shape_of == Shape::Size(0) && first.is_some_and(|(from, _)| t[from] == "(");
    if method && !tuple && (size.is_none() || !matches!(shape_of, Shape::Size(_))) {
        return None;
    }
    let mut dims: Vec<f64> = Vec::new();
    let readable = match shape_of {
        Shape::First => list(t, first?, sizes, &mut dims),
        Shape::Count => plain.len() == 1 && list(t, first?, sizes, &mut dims),
        Shape::Square => {
            let side = plain.get(1).copied().or(first);
            list(t, first?, sizes, &mut dims) && list(t, side?, sizes, &mut dims)
        }
        Shape::All => {
            plain.extend(size.filter(|_| plain.is_empty()));
            plain.iter().all(|span| list(t, *span, sizes, &mut dims))
        }
        Shape::Size(n) => list(t, plain.get(n).copied().or(size)?, sizes, &mut dims),
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
        let (from, to) = plain.get(1).copied().or(value)?;
        let (last, minus) = (t[to - 1], usize::from(t[from] == "-"));
        if to != from + 1 + minus && !matches!(last, "nan" | "inf" | "pi") {
            return None;
        }
        let float = last.contains('.') || !last.starts_with(|c: char| c.is_ascii_digit());
        dtype = match (lib, float) {
            (Lib::Numpy | Lib::Cupy, true) => "float64",
            (Lib::Numpy | Lib::Cupy | Lib::Torch, false) => "int64",
            (_, true) => "float32",
            (_, false) => "int32",
        };
    }
    let mut dtype = dtype.to_owned();
    if lib != Lib::Torch && matches!(name, "zeros" | "ones" | "empty") {
        kind = kind.or(plain.get(1).copied());
    }
    if let Some((_, to)) = kind {
        let last = t[to - 1];
        // A short name: `np.int8` is not `i8`.
        dtype = match string(last) {
            Some(text) if text.len() <= 3 => expand(text)?,
            Some(text) => text.to_owned(),
            None => last.to_owned(),
        };
    }
    let width = width(&dtype, lib == Lib::Torch)?;
    let device = match (place, lib) {
        (Some((from, to)), _) => match t[from..to].iter().find_map(|x| string(x)) {
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
        line: line.number,
    })
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

/// Tokens from one position to another.
type Span = (usize, usize);

/// The token that closes a bracket.
fn closing(t: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in t.iter().enumerate().skip(open) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between commas.
fn parts(t: &[&str], from: usize, to: usize) -> Vec<Span> {
    let mut out = Vec::new();
    let (mut start, mut depth) = (from, 0i32);
    let inner = t.get(from..to).unwrap_or(&[]);
    for (i, token) in (from..).zip(inner.iter().chain(&[","])) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 || i == to => {
                if i > start {
                    out.push((start, i));
                }
                start = i + 1;
            }
            _ => {}
        }
    }
    out
}

/// Adds the values of a tuple, a list or a single expression; false if one can't be read.
fn list(t: &[&str], (from, to): Span, sizes: &Sizes, dims: &mut Vec<f64>) -> bool {
    let bracketed = to > from + 1
        && matches!(t[from], "(" | "[")
        && closing(t, from) == Some(to - 1)
        && (t[from] == "[" || parts(t, from + 1, to - 1).len() > 1 || t[to - 2] == ",");
    let spans = match bracketed {
        true => parts(t, from + 1, to - 1),
        false => vec![(from, to)],
    };
    for (from, to) in spans {
        let named = sizes.get(t[from]).filter(|_| to == from + 1);
        match (named, value(t, (from, to), sizes)) {
            (Some(all), _) => dims.extend(all),
            (_, Some(n)) => dims.push(n),
            _ => return false,
        }
    }
    true
}

/// The value of an expression of numbers, known names, `+ - * // **` and brackets.
fn value(t: &[&str], (from, to): Span, sizes: &Sizes) -> Option<f64> {
    let mut reader = Reader {
        t: t.get(from..to)?,
        at: 0,
        sizes,
        depth: 0,
    };
    let value = reader.sum()?;
    (reader.at == reader.t.len() && value.is_finite()).then_some(value)
}

struct Reader<'a> {
    t: &'a [&'a str],
    at: usize,
    sizes: &'a Sizes,
    depth: u32,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let hit = self.t.get(self.at) == Some(&token);
        self.at += usize::from(hit);
        hit
    }

    fn sum(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > 20 {
            return None;
        }
        let mut left = self.product()?;
        loop {
            if self.take("+") {
                left += self.product()?;
            } else if self.take("-") {
                left -= self.product()?;
            } else {
                self.depth -= 1;
                return Some(left);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut left = self.power()?;
        loop {
            if self.take("*") {
                left *= self.power()?;
            } else if self.take("//") {
                left = (left / self.power()?).floor();
            } else {
                return Some(left);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if !self.take("**") {
            return Some(base);
        }
        let exponent = self.power()?;
        if exponent < 0.0 || exponent.fract() != 0.0 {
            return None;
        }
        // Repeated multiplication: `powi` would add another function to load.
        let times = (exponent as u32).min(2000);
        Some((0..times).fold(1.0, |acc, _| acc * base))
    }

    fn atom(&mut self) -> Option<f64> {
        if self.take("(") {
            let inner = self.sum()?;
            return self.take(")").then_some(inner);
        }
        let token = *self.t.get(self.at)?;
        self.at += 1;
        if token == "int" && self.take("(") {
            let inner = self.sum()?;
            return self.take(")").then_some(inner.trunc());
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return decimal(&token.replace('_', ""));
        }
        match self.sizes.get(token)?.as_slice() {
            [n] => Some(*n),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
