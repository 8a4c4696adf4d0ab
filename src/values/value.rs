//! What is known of a value.

use nbmedic_python::ast::Expr;
use std::borrow::Cow;
use std::rc::Rc;

/// The size of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// So many.
    Known(i64),
    /// Not known; two with the same number are equal.
    Unknown(u32),
}

impl Size {
    /// The size, if it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Size::Known(n) => Some(n),
            Size::Unknown(_) => None,
        }
    }
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `None`.
    None,
    /// `True`, `False`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(String),
}

/// An expression and the cell in which it stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'c> {
    /// The index of the cell.
    pub cell: usize,
    /// The expression.
    pub expr: &'c Expr,
}

/// What is known of a value; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Value<'c> {
    /// The name of its type, empty if unknown: `ndarray`, `DataFrame`; `scalar` is a number of NumPy.
    pub kind: Cow<'static, str>,
    /// The type of its elements, by its library's own name; empty if unknown.
    pub dtype: Cow<'static, str>,
    /// Its sizes by axis; of a container its length, of a table rows and columns.
    pub dims: Option<Vec<Size>>,
    /// The names of a table's columns.
    pub columns: Option<Rc<Vec<String>>>,
    /// The constant that it is.
    pub constant: Option<Constant>,
    /// Its parts, if they are known one by one.
    pub parts: Option<Rc<Vec<Value<'c>>>>,
    /// The list, tuple, dict or set that is written for it.
    pub literal: Option<Place<'c>>,
    /// What it was made with, by the name of the parameter.
    pub fields: Option<Rc<Vec<(&'static str, Value<'c>)>>>,
}

impl<'c> Value<'c> {
    /// A value of a kind of which nothing else is known.
    pub fn of(kind: impl Into<Cow<'static, str>>) -> Value<'c> {
        Value {
            kind: kind.into(),
            ..Value::default()
        }
    }

    /// The value that a constant is.
    pub fn constant(constant: Constant) -> Value<'c> {
        let kind = match constant {
            Constant::None => "NoneType",
            Constant::Bool(_) => "bool",
            Constant::Int(_) => "int",
            Constant::Float(_) => "float",
            Constant::Text(_) => "str",
        };
        Value {
            constant: Some(constant),
            ..Value::of(kind)
        }
    }

    /// What is known of it, and what else is told of the same value; none of that if it is of another kind.
    pub(crate) fn or(self, told: Value<'c>) -> Value<'c> {
        if !self.kind.is_empty() && self.kind != told.kind || told.kind.is_empty() {
            return self;
        }
        let dtype = if self.dtype.is_empty() {
            told.dtype
        } else {
            self.dtype
        };
        // The text of a container of another length is that of an earlier one.
        let same = self.dims.is_none() || self.dims == told.dims;
        Value {
            kind: told.kind,
            dtype,
            dims: self.dims.or(told.dims),
            columns: self.columns.or(told.columns),
            constant: self.constant.or(told.constant),
            parts: self.parts.or(told.parts.filter(|_| same)),
            literal: self.literal.or(told.literal.filter(|_| same)),
            fields: self.fields.or(told.fields),
        }
    }

    pub(crate) fn int(n: i64) -> Value<'c> {
        Value::constant(Constant::Int(n))
    }

    pub(crate) fn sized(kind: &'static str, dims: Vec<Size>) -> Value<'c> {
        Value {
            dims: Some(dims),
            ..Value::of(kind)
        }
    }

    /// The whole number that it is.
    pub fn as_int(&self) -> Option<i64> {
        match self.constant {
            Some(Constant::Int(n)) => Some(n),
            Some(Constant::Bool(b)) => Some(i64::from(b)),
            _ => None,
        }
    }

    /// The text that it is.
    pub fn as_text(&self) -> Option<&str> {
        match &self.constant {
            Some(Constant::Text(t)) => Some(t),
            _ => None,
        }
    }

    /// Whether it is true: none if that is not known.
    pub fn truth(&self) -> Option<bool> {
        match &self.constant {
            Some(Constant::None) => Some(false),
            Some(Constant::Bool(b)) => Some(*b),
            Some(Constant::Int(_) | Constant::Float(_) | Constant::Text(_)) => Some(true),
            None if self.kind.is_empty() => None,
            None => Some(true),
        }
    }

    /// The sizes, if all are known.
    pub fn shape(&self) -> Option<Vec<i64>> {
        self.dims.as_ref()?.iter().map(|s| s.known()).collect()
    }
}

/// The bytes of an element; none for what is no plain type.
pub fn width(dtype: &str) -> Option<i64> {
    let name = dtype.strip_prefix("torch.").unwrap_or(dtype);
    if name == "bool" {
        return Some(1);
    }
    let bits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let kind = &name[..name.len() - bits.len()];
    let plain = matches!(kind, "float" | "int" | "uint" | "complex" | "bfloat");
    let bits: i64 = bits.parse().ok().filter(|_| plain)?;
    (bits % 8 == 0 && bits <= 256).then_some(bits / 8)
}
