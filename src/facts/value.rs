//! Facts: values read from a text, by name.

use crate::expr::{self, Val};
use crate::number::decimal;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};

/// How the text of a fact is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A size with or without a unit; the value is in bytes. KB, KiB, MB… are powers of 1024, as in
    /// PyTorch, NumPy and Colab.
    Bytes,
    /// An integer.
    Int,
    /// A decimal number.
    Number,
    /// Text, as printed.
    Text,
    /// One shape; the captures of one match add up to the list `shapes`.
    Shape,
}

/// The facts with fixed names. Others have the same kinds and are for templates and predicates.
///
/// | name | kind |
/// |---|---|
/// | `…_bytes` | bytes |
/// | `shape`, `shape_…` | shapes (all go to `shapes`) |
/// | `cell_line`, `signal`, `exit_code`, `xid`, `…_count`, `…_index` | integer |
/// | any other | text |
pub fn kind_of(name: &str) -> Kind {
    if name.ends_with("_bytes") {
        Kind::Bytes
    } else if name == "shape" || name.starts_with("shape_") {
        Kind::Shape
    } else if matches!(name, "cell_line" | "signal" | "exit_code" | "xid")
        || name.ends_with("_count")
        || name.ends_with("_index")
    {
        Kind::Int
    } else if name.ends_with("_ratio") || name.ends_with("_seconds") {
        Kind::Number
    } else {
        Kind::Text
    }
}

/// A typed value read from the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Bytes, counts, codes.
    Int(i64),
    /// A decimal number.
    Number(f64),
    /// Text as printed.
    Text(String),
    /// Shapes, in the order printed.
    Shapes(Vec<Vec<i64>>),
}

/// Facts by name, in a fixed order.
pub type Facts = LiteMap<String, Value>;

/// Parses a fact's text by its kind; `None` if that fails.
pub fn read(kind: Kind, text: &str) -> Option<Value> {
    let text = text.trim();
    match kind {
        Kind::Bytes => read_bytes(text).map(Value::Int),
        Kind::Int => text.replace(',', "").parse().ok().map(Value::Int),
        Kind::Number => decimal(&text.replace(',', "")).map(Value::Number),
        Kind::Text => (!text.is_empty()).then(|| Value::Text(text.to_owned())),
        Kind::Shape => read_shape(text).map(|s| Value::Shapes(vec![s])),
    }
}

/// A size in bytes: `1.96 GiB`, `176. GiB`, `22.97GiB`, `57600000000 bytes`, `2,147,483,648`. A unit
/// is a power of 1024, as PyTorch, NumPy, XLA and Colab mean it.
fn read_bytes(text: &str) -> Option<i64> {
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .unwrap_or(text.len());
    let number = decimal(&text[..digits].replace(',', ""))?;
    let unit = text[digits..].trim();
    let factor: f64 = match unit.get(..1).unwrap_or("").to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "p" => 1024.0 * 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = number * factor;
    (bytes < i64::MAX as f64).then_some(bytes.round() as i64)
}

/// Maximum number of dimensions of a shape.
const MAX_DIMS: usize = 16;

/// A shape: `(84, 4)`, `[3, 112, 500]`, `torch.Size([32, 1])`, `64x27648`, `110`, `(None, 28)`. A
/// dimension that is not a number (`None`, `?`) is -1.
fn read_shape(text: &str) -> Option<Vec<i64>> {
    let inner = text.trim_start_matches(|c: char| !(c.is_ascii_digit() || "[(<-?N".contains(c)));
    let inner = inner.trim_matches(|c: char| "[]()<> ".contains(c));
    if inner.is_empty() {
        return (text.contains("[]") || text.contains("()")).then(Vec::new);
    }
    let dims: Vec<i64> = inner
        .split([',', 'x', 'X', '*', ' '])
        .map(|d| d.trim().trim_end_matches('L'))
        .filter(|d| !d.is_empty())
        .take(MAX_DIMS)
        .map(|d| match d {
            "None" | "?" | "-1" | "null" => Some(-1),
            d => d.parse().ok(),
        })
        .collect::<Option<_>>()?;
    (!dims.is_empty()).then_some(dims)
}

/// Whether a predicate holds; an invalid one doesn't (the compiler has checked them).
pub fn holds(predicate: &str, facts: &Facts) -> bool {
    expr::holds(predicate, |name| operand(facts, name)).unwrap_or(false)
}

/// A fact as predicates see it.
pub fn operand(facts: &Facts, name: &str) -> Val {
    match facts.get(name) {
        Some(Value::Int(n)) => Val::Num(*n as f64),
        Some(Value::Number(x)) => Val::Num(*x),
        Some(Value::Text(t)) => Val::Text(t.clone()),
        Some(Value::Shapes(s)) => Val::Num(s.len() as f64),
        None => Val::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1.96 GiB", Some(2_104_533_975)),
            ("176. GiB", Some(188_978_561_024)),
            ("22.97GiB", Some(24_663_849_697)),
            ("57600000000 bytes", Some(57_600_000_000)),
            ("2,147,483,648", Some(2_147_483_648)),
            ("647.75 MiB", Some(679_215_104)),
            ("12 apples", None),
            ("", None),
        ] {
            assert_eq!(read_bytes(text), bytes, "{text}");
        }
    }

    #[test]
    fn shapes() {
        for (text, shape) in [
            ("(84,4)", Some(vec![84, 4])),
            ("[3, 112, 500]", Some(vec![3, 112, 500])),
            ("torch.Size([32, 1])", Some(vec![32, 1])),
            ("64x27648", Some(vec![64, 27648])),
            ("110", Some(vec![110])),
            ("(None, 28)", Some(vec![-1, 28])),
            ("(10L,)", Some(vec![10])),
            ("torch.Size([])", Some(vec![])),
            ("abc", None),
        ] {
            assert_eq!(read_shape(text), shape, "{text}");
        }
    }
}
