//! What operators give.

use crate::eval::Model;
use crate::value::{Constant, Size, Value};
use nbmedic_python::ast::{CmpOp, Operator};

/// Two shapes together, as NumPy and PyTorch join them; none if they do not go together.
pub(crate) fn broadcast(a: &[Size], b: &[Size]) -> Option<Vec<Size>> {
    let mut sides = Vec::new();
    for i in 0..a.len().max(b.len()) {
        let side = |of: &[Size]| {
            of.len()
                .checked_sub(i + 1)
                .map_or(Size::Known(1), |at| of[at])
        };
        sides.push(match (side(a), side(b)) {
            (x, y) if x == y => x,
            (Size::Known(1), y) => y,
            (x, Size::Known(1)) => x,
            // The unknown one is 1 or the same.
            (Size::Known(n), Size::Unknown(_)) | (Size::Unknown(_), Size::Known(n)) => {
                Size::Known(n)
            }
            (Size::Unknown(_), Size::Unknown(_)) => return None,
            _ => return None,
        });
    }
    sides.reverse();
    Some(sides)
}

/// A product of two matrices, or of a matrix and a vector.
pub(crate) fn product(a: &[Size], b: &[Size]) -> Option<Vec<Size>> {
    let fits = |n: &Size, m: &Size| n == m || n.known().is_none() || m.known().is_none();
    match (a, b) {
        ([n], [m]) if fits(n, m) => Some(Vec::new()),
        ([rest @ .., n], [m]) if fits(n, m) => Some(rest.to_vec()),
        ([n], [rest @ .., m, k]) if fits(n, m) => Some([rest, &[*k]].concat()),
        ([one @ .., row, n], [other @ .., m, k]) if fits(n, m) => {
            Some([&broadcast(one, other)?[..], &[*row, *k]].concat())
        }
        _ => None,
    }
}

/// The type of elements that two give together; empty if that is not known.
pub(crate) fn joined(a: &str, b: &str) -> String {
    let rank = |d: &str| {
        ["bool", "int64", "float32", "float64"]
            .iter()
            .position(|k| *k == d)
    };
    match (rank(a), rank(b)) {
        _ if a == b => a.to_owned(),
        // 32 bits do not hold what 64 do.
        (Some(1), Some(2)) | (Some(2), Some(1)) => "float64".to_owned(),
        (Some(x), Some(y)) => (if x > y { a } else { b }).to_owned(),
        _ => String::new(),
    }
}

/// An expression of polars: it has the name of its left side, which a number has not.
fn expression<'c>(left: &Value<'c>, right: &Value<'c>) -> Option<Value<'c>> {
    let is = |v: &Value<'_>| v.kind == "PolarsExpr";
    match (is(left), is(right)) {
        (true, _) => Some(left.clone()),
        (false, true) => Some(Value::of("PolarsExpr")),
        _ => None,
    }
}

fn is_number(v: &Value<'_>) -> bool {
    matches!(&*v.kind, "int" | "float" | "bool" | "scalar")
}

impl<'c> Model<'_, 'c> {
    /// What `left op right` gives.
    pub(crate) fn operated(
        &self,
        op: Operator,
        left: &Value<'c>,
        right: &Value<'c>,
    ) -> Option<Value<'c>> {
        if let (Some(a), Some(b)) = (&left.constant, &right.constant) {
            return folded(op, a, b);
        }
        if let Some(expression) = expression(left, right) {
            return Some(expression);
        }
        let array = |v: &Value<'_>| matches!(&*v.kind, "ndarray" | "Tensor" | "EagerTensor");
        let (l, r) = (&*left.kind, &*right.kind);
        if op == Operator::MatMult {
            let kind = if array(left) {
                left.kind.clone()
            } else if array(right) {
                right.kind.clone()
            } else {
                return None;
            };
            let dims = left
                .dims
                .as_ref()
                .zip(right.dims.as_ref())
                .and_then(|(a, b)| product(a, b));
            let scalar = kind == "ndarray" && dims.as_ref().is_none_or(Vec::is_empty);
            if scalar && dims.is_none() {
                return None;
            }
            let kind = if scalar { "scalar".into() } else { kind };
            return Some(Value {
                kind,
                dims,
                ..Value::default()
            });
        }
        let kind = match (l, r) {
            ("", _) | (_, "") => {
                // An array together with what is not known is one, but for a table.
                return None;
            }
            ("int", "int") if op == Operator::Div => "float",
            ("int", "int") => "int",
            ("int" | "float" | "bool", "int" | "float" | "bool") => "float",
            ("scalar", "int" | "float" | "bool" | "scalar")
            | ("int" | "float" | "bool", "scalar") => "scalar",
            ("str", _) if op == Operator::Mod => "str",
            ("str", "str") => "str",
            ("list", "list") if op == Operator::Add => {
                let both = left
                    .dims
                    .as_ref()?
                    .first()?
                    .known()
                    .zip(right.dims.as_ref()?.first()?.known());
                let n = both.map_or_else(|| self.fresh(), |(a, b)| Size::Known(a + b));
                return Some(Value::sized("list", vec![n]));
            }
            ("list", "int") | ("int", "list") if op == Operator::Mult => {
                let (list, n) = if l == "list" {
                    (left, right)
                } else {
                    (right, left)
                };
                let both = list.dims.as_ref()?.first()?.known().zip(n.as_int());
                let n = both.map_or_else(|| self.fresh(), |(a, b)| Size::Known(a * b.max(0)));
                return Some(Value::sized("list", vec![n]));
            }
            ("tuple", "tuple") => "tuple",
            ("DataFrame", _) if is_number(right) => {
                return Some(Value {
                    dtype: "".into(),
                    ..left.clone()
                })
            }
            (_, "DataFrame") if is_number(left) => {
                return Some(Value {
                    dtype: "".into(),
                    ..right.clone()
                })
            }
            ("DataFrame", _) | (_, "DataFrame") => return Some(Value::of("DataFrame")),
            ("Series", other) | (other, "Series") => {
                let series = if l == "Series" { left } else { right };
                let keeps =
                    is_number(if l == "Series" { right } else { left }) || other == "ndarray";
                return Some(match keeps {
                    true => Value {
                        dtype: "".into(),
                        constant: None,
                        ..series.clone()
                    },
                    false => Value::of("Series"),
                });
            }
            ("Tensor", _) | (_, "Tensor") => "Tensor",
            ("EagerTensor", _) | (_, "EagerTensor") => "EagerTensor",
            ("ndarray", _) | (_, "ndarray") => "ndarray",
            _ => return None,
        };
        if !matches!(kind, "ndarray" | "Tensor" | "EagerTensor") {
            return Some(Value::of(kind));
        }
        let shape = |v: &Value<'c>| {
            if is_number(v) {
                Some(Vec::new())
            } else {
                v.dims.clone().filter(|_| array(v))
            }
        };
        let dims = shape(left)
            .zip(shape(right))
            .and_then(|(a, b)| broadcast(&a, &b));
        let dtype = match (op, &*left.dtype, &*right.dtype) {
            // A number of Python does not widen floats.
            (_, d, _)
                if matches!(d, "float64" | "float32" | "torch.float32")
                    && matches!(r, "int" | "float") =>
            {
                d.to_owned()
            }
            (_, _, d)
                if matches!(d, "float64" | "float32" | "torch.float32")
                    && matches!(l, "int" | "float") =>
            {
                d.to_owned()
            }
            (Operator::Add | Operator::Sub | Operator::Mult, "int64", _) if r == "int" => {
                "int64".to_owned()
            }
            (Operator::Add | Operator::Sub | Operator::Mult, a, b)
                if array(left) && array(right) && a == b =>
            {
                a.to_owned()
            }
            (Operator::Div, a, b) if a == b && a.contains("float") => a.to_owned(),
            _ => String::new(),
        };
        Some(Value {
            dims,
            dtype: dtype.into(),
            ..Value::of(kind)
        })
    }

    /// What a comparison gives.
    pub(crate) fn compared(
        &self,
        op: CmpOp,
        left: &Value<'c>,
        right: &Value<'c>,
    ) -> Option<Value<'c>> {
        if matches!(op, CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn) {
            return Some(Value::of("bool"));
        }
        let mut value = self.operated(Operator::Sub, left, right).or_else(|| {
            let tables = |v: &&Value<'c>| matches!(&*v.kind, "Series" | "DataFrame" | "ndarray");
            [left, right].into_iter().find(tables).cloned()
        });
        if let Some(v) = &mut value {
            v.constant = None;
            v.dtype = match &*v.kind {
                "ndarray" | "Series" => "bool".into(),
                "Tensor" => "torch.bool".into(),
                _ => "".into(),
            };
            if matches!(&*v.kind, "int" | "float" | "str") {
                v.kind = "bool".into();
            }
        }
        value
    }
}

/// Numbers are calculated; texts are joined.
fn folded<'c>(op: Operator, a: &Constant, b: &Constant) -> Option<Value<'c>> {
    let float = |c: &Constant| match c {
        #[allow(clippy::cast_precision_loss)] // as Python does
        Constant::Int(n) => Some(*n as f64),
        Constant::Float(f) => Some(*f),
        _ => None,
    };
    Some(match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => {
            let (a, b) = (*a, *b);
            #[allow(clippy::cast_precision_loss)] // as Python does
            Value::int(match op {
                Operator::Add => a.checked_add(b)?,
                Operator::Sub => a.checked_sub(b)?,
                Operator::Mult => a.checked_mul(b)?,
                Operator::FloorDiv if b > 0 => a.div_euclid(b),
                Operator::Mod if b > 0 => a.rem_euclid(b),
                Operator::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
                Operator::Div if b != 0 => {
                    return Some(Value::constant(Constant::Float(a as f64 / b as f64)))
                }
                _ => return None,
            })
        }
        (Constant::Text(a), Constant::Text(b)) if op == Operator::Add => {
            Value::constant(Constant::Text(format!("{a}{b}")))
        }
        (Constant::Text(_), _) => Value::of("str"),
        _ => {
            let (a, b) = (float(a)?, float(b)?);
            Value::constant(Constant::Float(match op {
                Operator::Add => a + b,
                Operator::Sub => a - b,
                Operator::Mult => a * b,
                Operator::Div if b != 0.0 => a / b,
                Operator::FloorDiv if b != 0.0 => (a / b).floor(),
                _ => return None,
            }))
        }
    })
}
