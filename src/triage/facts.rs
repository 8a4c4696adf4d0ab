use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the text of a fact is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A size with or without a unit; the value is in bytes. KB, KiB, MB… are powers of 1024
    /// (PyTorch's, NumPy's and Colab's meaning of them).
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

/// The facts with fixed names. Others, of the same kinds, are for templates and predicates.
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

/// A typed value read out of the text.
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
pub type Facts = BTreeMap<String, Value>;
