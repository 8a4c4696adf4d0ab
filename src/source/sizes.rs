//! How much memory a cell asks for, where its source says so plainly.

use super::lines::{is_name, statements, string, Line};
use litemap::LiteMap;
use nbmedic_catalogc::number::decimal;

/// Where an array is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// In the runtime's memory.
    Host,
    /// On the GPU.
    Gpu,
    /// On the GPU if there is one: TensorFlow and JAX.
    Default,
}

/// One array that a cell makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    /// Bytes of its elements.
    pub bytes: f64,
    /// Its shape.
    pub shape: Vec<i64>,
    /// The type of its elements, as the source or the library's default has it.
    pub dtype: String,
    /// Where it is made.
    pub device: Device,
    /// The line, from 1.
    pub line: u32,
}

/// Names that hold plain numbers.
pub type Sizes = LiteMap<String, f64>;

/// The most that one GPU has, in bytes: AMD's MI355X has 288 GB. What is larger fits none.
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
    ("cp", Lib::Cupy),
    ("cupy", Lib::Cupy),
];

/// How the arguments of a function give a shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The first argument: a number or a tuple.
    First,
    /// All arguments that have no name; or the first, if it is a tuple.
    All,
    /// The argument at this position, or the one called `size`.
    Size(usize),
    /// A square of the first argument, or a table of the first two.
    Square,
    /// As many as the first argument: `arange(n)`.
    Count,
}

/// Function, shape, and the type of its elements where it is not the library's float.
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
        // What may not run now, or not at all.
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

/// The numbers that a cell assigns plainly, added to what is known. A name that is assigned in any
/// other way is no longer known.
pub fn learn_all(source: &str, sizes: &mut Sizes) {
    for line in &statements(source) {
        learn(line, sizes);
    }
}

fn learn(line: &Line<'_>, sizes: &mut Sizes) {
    let t = &line.tokens;
    let assigns = |i: usize| t.get(i).is_some_and(|x| *x == "=");
    if line.plain && is_name(t[0]) && assigns(1) {
        let (mut values, _) = list(t, 2, t.len(), sizes);
        match (values.len(), values.pop()) {
            (1, Some(Some(value))) if line.indent == 0 => {
                sizes.insert(t[0].to_owned(), value);
            }
            _ => {
                sizes.remove(t[0]);
            }
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
    if !is_name(t[at]) || at > 0 && matches!(t[at - 1], "." | "def") {
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
    let (lib, name) = LIBS
        .iter()
        .filter_map(|(name, lib)| Some((*lib, path.strip_prefix(name)?.strip_prefix('.')?)))
        .next()?;
    let (_, mut shape_of, mut dtype) = FUNCTIONS.iter().find(|f| f.0 == name).copied()?;
    let torch = lib == Lib::Torch;
    // The same names with another meaning.
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
        (None, Lib::Jax) if !matches!(name, "rand" | "randn" | "randint" | "fill") => {}
        (None, Lib::Numpy | Lib::Cupy)
            if !matches!(name, "rand" | "randn" | "randint" | "fill") => {}
        (Some(_), Lib::Numpy | Lib::Cupy) if name != "random.truncated_normal" => {}
        _ => return None,
    }
    let close = closing(t, i)?;
    let args = arguments(t, i + 1, close);
    let (plain, named): (Vec<Arg>, Vec<Arg>) = args.into_iter().partition(|a| a.name.is_empty());
    let by_name = |name: &str| named.iter().find(|a| a.name == name);
    let read = |a: &Arg| list(t, a.from, a.to, sizes).0;
    let dims: Vec<Option<f64>> = match shape_of {
        Shape::First | Shape::Square | Shape::Count => {
            let first = plain.first();
            let by = first.or_else(|| by_name("shape").or_else(|| by_name("size")));
            let mut dims = read(by?);
            if shape_of == Shape::Square {
                let second = plain.get(1).map(&read).unwrap_or_default();
                dims.push(match second.first() {
                    Some(n) => *n,
                    None => *dims.first()?,
                });
            } else if shape_of == Shape::Count && plain.len() != 1 {
                return None;
            }
            dims
        }
        Shape::All => match plain.len() {
            0 => read(by_name("size")?),
            _ => plain.iter().flat_map(&read).collect(),
        },
        Shape::Size(n) => read(plain.get(n).or_else(|| by_name("size"))?),
    };
    let dims: Vec<f64> = dims.into_iter().collect::<Option<_>>()?;
    let whole = |n: &f64| *n >= 0.0 && n.fract() == 0.0 && *n < 1e15;
    if dims.is_empty() || !dims.iter().all(whole) {
        return None;
    }
    if dtype.is_empty() {
        dtype = match lib {
            Lib::Numpy | Lib::Cupy => "float64",
            _ => "float32",
        };
    }
    // `full` takes the type of the value that fills it.
    if dtype == "?" {
        let value = plain.get(1).or_else(|| by_name("fill_value"));
        let token = value.map_or("", |a| t[a.from]);
        let float = token.contains('.') || !token.starts_with(|c: char| c.is_ascii_digit());
        dtype = match (lib, float) {
            (Lib::Numpy | Lib::Cupy, true) => "float64",
            (Lib::Numpy | Lib::Cupy, false) => "int64",
            (Lib::Torch, false) => "int64",
            (_, true) => "float32",
            (_, false) => "int32",
        };
        if value.is_none_or(|a| a.to != a.from + 1) {
            return None;
        }
    }
    let mut dtype = dtype.to_owned();
    let second = match (name, lib) {
        ("zeros" | "ones" | "empty", Lib::Numpy | Lib::Cupy | Lib::Tensorflow | Lib::Jax) => {
            plain.get(1)
        }
        _ => None,
    };
    if let Some(a) = by_name("dtype").or(second) {
        let last = t[a.to - 1];
        let text = string(last).unwrap_or(last);
        // A short name: `np.int8` is no `i8`.
        let short = string(last).is_some() && text.len() <= 3;
        dtype = if short {
            expand(text)?
        } else {
            text.to_owned()
        };
    }
    let width = width(&dtype, torch)?;
    let device = match by_name("device") {
        Some(a) => match string(t[a.from]) {
            Some(text) if text.starts_with("cuda") => Device::Gpu,
            Some("cpu") => Device::Host,
            _ => return None,
        },
        None => match lib {
            Lib::Numpy | Lib::Torch => Device::Host,
            Lib::Cupy => Device::Gpu,
            Lib::Tensorflow | Lib::Jax => Device::Default,
        },
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

/// An argument: its name, if it has one, and its tokens.
struct Arg<'a> {
    name: &'a str,
    from: usize,
    to: usize,
}

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

fn arguments<'a>(t: &[&'a str], from: usize, to: usize) -> Vec<Arg<'a>> {
    let mut out = Vec::new();
    for (from, to) in parts(t, from, to) {
        let named = to > from + 2 && t[from + 1] == "=";
        out.push(Arg {
            name: if named { t[from] } else { "" },
            from: from + if named { 2 } else { 0 },
            to,
        });
    }
    out
}

/// What stands between commas.
fn parts(t: &[&str], from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut start, mut depth) = (from, 0i32);
    for i in from..=to {
        let token = if i == to { "," } else { t[i] };
        match token {
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

/// The values of a tuple, a list or a single expression, `None` for each that can't be read; and
/// whether it was a tuple or a list.
fn list(t: &[&str], from: usize, to: usize, sizes: &Sizes) -> (Vec<Option<f64>>, bool) {
    let bracketed = to > from + 1
        && matches!(t[from], "(" | "[")
        && closing(t, from) == Some(to - 1)
        && (t[from] == "[" || parts(t, from + 1, to - 1).len() > 1 || t[to - 2] == ",");
    if !bracketed {
        return (vec![value(t, from, to, sizes)], false);
    }
    let dims = parts(t, from + 1, to - 1);
    let read = |(from, to): (usize, usize)| value(t, from, to, sizes);
    (dims.into_iter().map(read).collect(), true)
}

/// The value of an expression of numbers, known names, `+ - * // **` and brackets.
fn value(t: &[&str], from: usize, to: usize, sizes: &Sizes) -> Option<f64> {
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
        // Repeated multiplication: `powi` would be another function to load.
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
        self.sizes.get(token).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: f64 = (1u64 << 30) as f64;

    fn largest(source: &str) -> Option<(f64, Device, String)> {
        let a = allocations(source, &Sizes::new()).into_iter().next()?;
        Some((a.bytes / GIB, a.device, a.dtype))
    }

    #[test]
    fn reads_the_sizes_that_stand_in_the_source() {
        for (source, gib, device, dtype) in [
            // The three that people paste.
            ("x = np.random.rand(100000, 1000, 1000)", 745.06, Device::Host, "float64"),
            ("tf.random.normal((10000, 10000, 10000))", 3725.29, Device::Default, "float32"),
            ("y = torch.rand((10000, 10000, 1000), device='cuda')", 372.53, Device::Gpu, "float32"),
            // Numbers in names, in arithmetic, on several lines.
            ("n = 100_000\nk = n // 2\nx = np.zeros(\n    (n, k),  # rows\n    dtype=np.float32,\n)", 18.626, Device::Host, "float32"),
            ("b = np.full((2**15, 2**15), 0, dtype='u1')", 1.0, Device::Host, "uint8"),
            ("np.full((1000, 1000, 1000), 7)", 7.4506, Device::Host, "int64"),
            ("torch.full((1000, 1000, 1000), 0.5)", 3.7253, Device::Host, "float32"),
            ("torch.zeros(1000, 1000, 1000, dtype=torch.float16)", 1.8626, Device::Host, "float16"),
            ("with torch.no_grad():\n    h = torch.randn(50000, 50000).cuda()", 9.3132, Device::Host, "float32"),
            ("jnp.zeros((60000, 60000), jnp.bfloat16)", 6.7055, Device::Default, "bfloat16"),
            ("np.random.randint(0, 255, size=(int(1e5), 10000))", 7.4506, Device::Host, "int64"),
            ("np.random.normal(0, 1, (100000, 10000))", 7.4506, Device::Host, "float64"),
            ("np.eye(100000)", 74.506, Device::Host, "float64"),
            ("cp.arange(10**10)", 74.506, Device::Gpu, "int64"),
            ("%%time\nfor i in range(2):\n  z = numpy.empty((10**5, 10**5), 'f4')", 37.253, Device::Host, "float32"),
        ] {
            let (found, at, kind) = largest(source).unwrap_or_else(|| panic!("{source}"));
            assert!((found - gib).abs() < gib / 1000.0, "{source}: {found}");
            assert_eq!((at, kind.as_str()), (device, dtype), "{source}");
        }
    }

    #[test]
    fn says_nothing_of_what_cannot_be_read() {
        for source in [
            "x = np.random.rand(n, 1000, 1000)",
            "n = load()\nx = np.zeros((n, 10**9))",
            "n = 10**6\nn = shrink(n)\nx = np.zeros((n, 10**6))",
            "n = 10**6\nfor n in range(3):\n    x = np.zeros((n, 10**6))",
            "n = 10**6\nn //= 1000\nnp.zeros((n, n))",
            "n, m = 10**6, 10**6\nn, m = f()\nnp.zeros((n, m))",
            "def f():\n    return np.zeros((10**6, 10**6))",
            "if big:\n    x = np.zeros((10**6, 10**6))",
            "# np.zeros((10**6, 10**6))\ns = 'np.zeros((10**6, 10**6))'",
            "'''\nnp.zeros((10**6, 10**6))\n'''",
            "!python -c 'np.zeros((10**6, 10**6))'",
            "%%bash\nnp.zeros((10**6, 10**6))",
            "foo.np.zeros((10**6, 10**6))",
            "np.zeros((10**6, 10**6), dtype=kind)",
            "np.zeros((10**6, 10**6)",
            "torch.rand((10**5, 10**5), device=dev)",
            "np.zeros_like(x)",
            "np.zeros((10**6, -1))",
            "np.zeros(10**6 / 2)",
            "np.arange(1, 10**12)",
            "np.zeros((((((((((((((((((((((((((1)))))))))))))))))))))))))), 10**15)",
            "lambda n=10**6: np.zeros((n, n))",
            "f = lambda: np.zeros((10**6, 10**6))",
            "a = np.ones((10**6, 10**6)) if big else 0",
            "np.zeros",
            "np.zeros(",
            "np.zeros(*dims)",
            "é = '\u{e9}",
        ] {
            assert_eq!(largest(source), None, "{source}");
        }
    }

    #[test]
    fn numbers_of_other_cells_are_used_while_they_are_plain() {
        let mut known = Sizes::new();
        learn_all("N = 100000\nM = N * 2\nK = get()", &mut known);
        let a = allocations("np.zeros((N, M))", &known);
        assert!((a[0].bytes / GIB - 149.01).abs() < 0.1);
        assert_eq!(a[0].shape_text(), "(100000, 200000)");
        assert!(allocations("np.zeros((N, K))", &known).is_empty());
        learn_all("N = int(input())", &mut known);
        assert!(allocations("np.zeros((N, M))", &known).is_empty());
    }

    #[test]
    fn any_text_is_read_in_linear_time() {
        for text in [
            "(",
            "np.zeros((",
            "'",
            "a=",
            "\\\n",
            "é",
            "if x:\n ",
            "1e+",
            "**",
        ] {
            let source = text.repeat(60_000 / text.len());
            let _ = allocations(&source, &Sizes::new());
        }
    }
}
