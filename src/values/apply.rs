//! The functions that rows may use: sizes from sizes, types from types, columns from columns. `README.md` lists them.

use crate::bind::Bound;
use crate::dtypes::{of_numpy, of_torch};
use crate::eval::Model;
use crate::operate::{broadcast, joined, product};
use crate::parts::{elements, index, texts};
use crate::row::Term;
use crate::value::{Constant, Place, Size, Value};
use nbmedic_python::ast::Expr;
use std::borrow::Cow;
use std::rc::Rc;

/// Largest side of which a convolution is computed.
const MAX_SIDE: i64 = i32::MAX as i64;

fn n_of(sizes: &[Size]) -> Option<i64> {
    sizes
        .iter()
        .try_fold(1_i64, |p, s| p.checked_mul(s.known()?))
}

impl<'c> Model<'_, 'c> {
    /// The name of a type of elements.
    pub(crate) fn dtype(&self, value: &Value<'c>) -> Cow<'static, str> {
        let name = match (&value.constant, value.dtype.is_empty()) {
            (Some(Constant::Text(t)), _) => t.clone(),
            (Some(Constant::None), _) => String::new(),
            (_, false) => value.dtype.to_string(),
            _ => String::new(),
        };
        of_numpy(&name).into()
    }

    /// The type of the elements of an array, or of what is made one.
    fn dtype_of(&self, value: &Value<'c>, depth: usize) -> String {
        if !value.dtype.is_empty() {
            return value.dtype.to_string();
        }
        match &*value.kind {
            "int" => "int64".to_owned(),
            "float" => "float64".to_owned(),
            "bool" => "bool".to_owned(),
            "list" | "tuple" => {
                let items = self.items(value, depth).unwrap_or_default();
                let mut all = items.iter().map(|i| self.dtype_of(i, depth));
                let first = all.next().unwrap_or_default();
                all.fold(first, |a, b| joined(&a, &b))
            }
            _ => String::new(),
        }
    }

    /// What a function of a row gives.
    pub(crate) fn apply(
        &self,
        f: &str,
        args: &[Term],
        bound: &Bound<'c>,
        depth: usize,
    ) -> Option<Value<'c>> {
        let arg = |i: usize| {
            args.get(i)
                .map(|t| self.term(t, bound, depth))
                .unwrap_or_default()
        };
        let shape = |i: usize| self.shape(&arg(i), depth);
        let sizes = |i: usize| self.sizes(&arg(i), depth);
        let int = |i: usize| arg(i).as_int();
        let none = |v: &Value<'c>| matches!(v.constant, Some(Constant::None));
        let of = |dims: Vec<Size>| Some(Value::sized("shape", dims));
        let text = |t: String| {
            Some(Value {
                dtype: t.into(),
                ..Value::default()
            })
        };
        let names = |names: Vec<String>| {
            let n = Size::Known(i64::try_from(names.len()).unwrap_or(0));
            Some(Value {
                columns: Some(Rc::new(names)),
                ..Value::sized("shape", vec![n])
            })
        };
        let known = |n: Option<i64>| self.number(n.map_or_else(|| self.fresh(), Size::Known));
        // The axes that an argument names, from 0; `None` for all of them.
        let axes = |v: &Value<'c>, rank: usize| -> Option<Vec<usize>> {
            if none(v) {
                return Some((0..rank).collect());
            }
            let all = self.sizes(v, depth)?;
            all.iter().map(|s| index(s.known()?, rank)).collect()
        };
        match f {
            "shape" => of(shape(0)?),
            "sizes" => of(sizes(0)?),
            "len" => Some(self.number(self.length(&arg(0)))),
            "rank" => Some(Value::int(i64::try_from(shape(0)?.len()).ok()?)),
            "axis" => {
                let shape = shape(0)?;
                Some(self.number(shape[index(int(1)?, shape.len())?]))
            }
            "or" => {
                let first = arg(0);
                Some(if none(&first) { arg(1) } else { first })
            }
            "plus" | "minus" => {
                let both = int(0).zip(int(1));
                Some(known(both.and_then(|(a, b)| match f {
                    "plus" => a.checked_add(b),
                    _ => a.checked_sub(b),
                })))
            }
            "count" => Some(known(shape(0).and_then(|s| n_of(&s)))),
            "items" => Some(known(
                self.items(&arg(0), depth)
                    .and_then(|i| i64::try_from(i.len()).ok()),
            )),
            "first" => self.item(&arg(0), 0, depth),
            "part" => self.item(&arg(0), usize::try_from(int(1)?).ok()?, depth),
            "range" => {
                let (start, stop, step) = (arg(0), arg(1), arg(2));
                let (start, stop) = if none(&stop) {
                    (Value::int(0), start)
                } else {
                    (start, stop)
                };
                if start.as_int() == Some(0) && step.as_int() == Some(1) && stop.kind == "int" {
                    return Some(self.number(match stop.as_int() {
                        Some(n) => Size::Known(n.max(0)),
                        None => self.size(&stop),
                    }));
                }
                let n = (|| {
                    let (from, to, step) = (start.as_int()?, stop.as_int()?, step.as_int()?);
                    (step != 0).then(|| ((to - from) as f64 / step as f64).ceil().max(0.0) as i64)
                })();
                Some(known(n))
            }
            "broadcast" => {
                let mut out = Vec::new();
                for i in 0..args.len() {
                    out = broadcast(&out, &shape(i)?)?;
                }
                of(out)
            }
            "abreast" => of(self.abreast(&arg(0), depth)?),
            "product" => of(product(&shape(0)?, &shape(1)?)?),
            "join" => {
                let items = self.items(&arg(0), depth)?;
                let at = arg(1);
                let mut all = items.iter().map(|i| self.shape(i, depth));
                let mut out = all.next()??;
                if none(&at) {
                    let n = items
                        .iter()
                        .map(|i| n_of(&self.shape(i, depth)?))
                        .sum::<Option<i64>>();
                    return of(vec![n.map_or_else(|| self.fresh(), Size::Known)]);
                }
                let at = index(at.as_int()?, out.len())?;
                for other in all {
                    let other = other?;
                    let n = out[at]
                        .known()
                        .zip(other.get(at)?.known())
                        .map(|(a, b)| a + b);
                    (other.len() == out.len()).then_some(())?;
                    for (i, side) in out.iter_mut().enumerate() {
                        *side = match (i == at, *side, other[i]) {
                            (true, ..) => n.map_or_else(|| self.fresh(), Size::Known),
                            (_, a, b) if a == b => a,
                            (_, Size::Unknown(_), b) => b,
                            (_, a, Size::Unknown(_)) => a,
                            _ => return None,
                        };
                    }
                }
                of(out)
            }
            "stack" => {
                let value = arg(0);
                let items = self.items(&value, depth)?;
                let first = self.shape(items.first()?, depth)?;
                for item in &items {
                    (self.shape(item, depth)? == first).then_some(())?;
                }
                let mut out = first;
                let at = index(int(1)?, out.len() + 1)?;
                out.insert(at, self.length(&value));
                of(out)
            }
            "reduce" => {
                let out = shape(0)?;
                let axes = axes(&arg(1), out.len())?;
                let keep = arg(2).truth()?;
                let sides = out.into_iter().enumerate();
                of(sides
                    .filter_map(|(i, s)| match (axes.contains(&i), keep) {
                        (false, _) => Some(s),
                        (true, true) => Some(Size::Known(1)),
                        (true, false) => None,
                    })
                    .collect())
            }
            "reshape" => {
                let (old, mut new) = (shape(0)?, sizes(1)?);
                let rest = new.iter().position(|s| *s == Size::Known(-1));
                if let Some(at) = rest {
                    let others: Vec<Size> = new
                        .iter()
                        .copied()
                        .filter(|s| *s != Size::Known(-1))
                        .collect();
                    (others.len() + 1 == new.len()).then_some(())?;
                    let n = n_of(&old).zip(n_of(&others)).filter(|(_, o)| *o > 0);
                    new[at] = match n {
                        Some((n, others)) => {
                            (n % others == 0).then_some(Size::Known(n / others))?
                        }
                        // One size that is not known, and all the others 1.
                        None => match &old
                            .iter()
                            .filter(|s| **s != Size::Known(1))
                            .collect::<Vec<_>>()[..]
                        {
                            [one] if others.iter().all(|s| *s == Size::Known(1)) => **one,
                            _ => self.fresh(),
                        },
                    };
                } else if let (Some(a), Some(b)) = (n_of(&old), n_of(&new)) {
                    (a == b).then_some(())?;
                }
                of(new)
            }
            "flat" => {
                let old = shape(0)?;
                if old.is_empty() {
                    return of(vec![Size::Known(1)]);
                }
                let from = index(if args.len() > 1 { int(1)? } else { 0 }, old.len())?;
                let to = index(if args.len() > 2 { int(2)? } else { -1 }, old.len())?;
                let middle = old.get(from..=to)?;
                let one = match middle {
                    [one] => *one,
                    all => n_of(all).map_or_else(|| self.fresh(), Size::Known),
                };
                of([&old[..from], &[one], &old[to + 1..]].concat())
            }
            "reverse" => {
                let mut out = shape(0)?;
                let order = arg(1);
                if args.len() < 2
                    || none(&order)
                    || self.items(&order, depth).is_some_and(|i| i.is_empty())
                {
                    out.reverse();
                    return of(out);
                }
                let order = axes(&order, out.len())?;
                (order.len() == out.len()).then_some(())?;
                of(order.iter().map(|i| out[*i]).collect())
            }
            "permute" => {
                let out = shape(0)?;
                let order = axes(&arg(1), out.len())?;
                (order.len() == out.len()).then_some(())?;
                of(order.iter().map(|i| out[*i]).collect())
            }
            "swap" => {
                let mut out = shape(0)?;
                let (a, b) = (index(int(1)?, out.len())?, index(int(2)?, out.len())?);
                out.swap(a, b);
                of(out)
            }
            "move" => {
                let mut out = shape(0)?;
                let (a, b) = (index(int(1)?, out.len())?, index(int(2)?, out.len())?);
                let side = out.remove(a);
                out.insert(b, side);
                of(out)
            }
            "squeeze" => {
                let mut out = shape(0)?;
                let at = arg(1);
                if args.len() < 2 || none(&at) {
                    out.iter().all(|s| s.known().is_some()).then_some(())?;
                    out.retain(|s| *s != Size::Known(1));
                    return of(out);
                }
                let at = index(at.as_int()?, out.len())?;
                match out[at] {
                    Size::Known(1) => {
                        out.remove(at);
                    }
                    // PyTorch leaves it.
                    Size::Known(_) => {}
                    Size::Unknown(_) => return None,
                }
                of(out)
            }
            "expand" => {
                let mut out = shape(0)?;
                let at = index(int(1)?, out.len() + 1)?;
                out.insert(at, Size::Known(1));
                of(out)
            }
            "last" => {
                let mut out = shape(0)?;
                *out.last_mut()? = self.size(&arg(1));
                of(out)
            }
            // All axes but the first.
            "rest" => of(shape(0)?.get(1..)?.to_vec()),
            "taken" => {
                let (mut out, at) = (shape(0)?, arg(1));
                let at = index(at.as_int()?, out.len())?;
                out[at] = self.size(&arg(2));
                of(out)
            }
            "repeat" => {
                let (out, axis) = (shape(0)?, arg(2));
                let n = int(1);
                if none(&axis) {
                    return of(vec![n_of(&out)
                        .zip(n)
                        .map_or_else(|| self.fresh(), |(a, b)| Size::Known(a * b))]);
                }
                let mut out = out;
                let at = index(axis.as_int()?, out.len())?;
                out[at] = out[at]
                    .known()
                    .zip(n)
                    .map_or_else(|| self.fresh(), |(a, b)| Size::Known(a * b));
                of(out)
            }
            "tile" => {
                let (mut out, mut times) = (shape(0)?, sizes(1)?);
                while out.len() < times.len() {
                    out.insert(0, Size::Known(1));
                }
                while times.len() < out.len() {
                    times.insert(0, Size::Known(1));
                }
                of(out
                    .iter()
                    .zip(&times)
                    .map(|(a, b)| {
                        a.known()
                            .zip(b.known())
                            .map_or_else(|| self.fresh(), |(a, b)| Size::Known(a * b))
                    })
                    .collect())
            }
            "diagonal" => {
                let shape = shape(0)?;
                match shape[..] {
                    [n] => of(vec![n, n]),
                    [a, b] => of(vec![known(a.known().zip(b.known()).map(|(a, b)| a.min(b)))
                        .as_int()
                        .map_or_else(|| self.fresh(), Size::Known)]),
                    _ => None,
                }
            }
            "split" => {
                // Parts of so many along an axis.
                let (shape, n, at) = (shape(0)?, int(1)?, index(int(2)?, shape(0)?.len())?);
                let all = shape[at].known().filter(|_| n > 0 && n < 64)?;
                (all % n == 0).then_some(())?;
                let mut part = shape;
                part[at] = Size::Known(all / n);
                let one = Value {
                    dims: Some(part),
                    dtype: arg(0).dtype,
                    ..Value::of(arg(0).kind)
                };
                let parts = vec![one; usize::try_from(n).ok()?];
                Some(Value {
                    parts: Some(Rc::new(parts)),
                    ..Value::sized("list", vec![Size::Known(n)])
                })
            }
            "concat" => {
                // Rows of tables, one below the other.
                let items = self.items(&arg(0), depth)?;
                let n = items
                    .iter()
                    .map(|i| self.length(i).known())
                    .sum::<Option<i64>>();
                Some(known(n))
            }
            "trains" | "tests" => {
                // scikit-learn's split: the test part is rounded up.
                let (rows, test, train) = (self.length(&arg(0)).known(), arg(1), arg(2));
                let share = |v: &Value<'c>, up: bool| match v.constant {
                    Some(Constant::Float(s)) if s > 0.0 && s < 1.0 => {
                        let n = rows? as f64 * s;
                        Some((if up { n.ceil() } else { n.floor() }) as i64)
                    }
                    Some(Constant::Int(n)) => Some(n),
                    _ => None,
                };
                let (test, train) = match (none(&test), none(&train)) {
                    (true, true) => {
                        let test = rows.map(|r| (r as f64 * 0.25).ceil() as i64);
                        (test, rows.zip(test).map(|(r, t)| r - t))
                    }
                    (false, true) => {
                        let test = share(&test, true);
                        (test, rows.zip(test).map(|(r, t)| r - t))
                    }
                    (true, false) => {
                        let train = share(&train, false);
                        (rows.zip(train).map(|(r, t)| r - t), train)
                    }
                    (false, false) => (share(&test, true), share(&train, false)),
                };
                Some(known(if f == "tests" { test } else { train }))
            }
            "conv" | "deconv" | "kconv" => self.convolved(f, args, bound, depth),
            "dtype" => text(self.dtype_of(&arg(0), depth)),
            "torched" => {
                // A tensor has 32 bits of what Python has 64 of.
                let of = self.dtype_of(&arg(0), depth);
                let python = matches!(&*arg(0).kind, "list" | "tuple" | "float");
                text(match &*of {
                    "" => String::new(),
                    "float64" if python => "torch.float32".to_owned(),
                    other => of_torch(other),
                })
            }
            "halved" => {
                // TensorFlow and JAX have 32 bits of what Python has 64 of.
                let of = self.dtype_of(&arg(0), depth);
                text(match &*of {
                    "float64" => "float32".to_owned(),
                    "int64" => "int32".to_owned(),
                    _ => of,
                })
            }
            "whole" => match arg(0).constant {
                // Beyond that not every whole number is one of them.
                #[allow(clippy::cast_possible_truncation)] // checked
                Some(Constant::Float(f)) if f.abs() < 9e15 => Some(Value::int(f as i64)),
                Some(Constant::Int(n)) => Some(Value::int(n)),
                _ => None,
            },
            "floats" => {
                // Whole numbers become floats of 64 bits.
                let of = self.dtype_of(&arg(0), depth);
                text(match &*of {
                    "int64" | "int32" | "bool" => "float64".to_owned(),
                    _ => of,
                })
            }
            "sums" => {
                let of = self.dtype_of(&arg(0), depth);
                text(match &*of {
                    "bool" | "int32" => "int64".to_owned(),
                    "torch.bool" | "torch.int32" => "torch.int64".to_owned(),
                    _ => of,
                })
            }
            "joined" => {
                let mut out = self.dtype_of(&arg(0), depth);
                for i in 1..args.len() {
                    out = joined(&out, &self.dtype_of(&arg(i), depth));
                }
                text(out)
            }
            "keys" | "with" | "beside" | "merged" => match self.columns(f, args, bound, depth) {
                Some(all) => names(all),
                None => Some(known(None)),
            },
            "without" => {
                let (of, left_out) = (arg(0).columns?, texts(self, &arg(1), depth)?);
                names(
                    of.iter()
                        .filter(|c| !left_out.contains(c))
                        .cloned()
                        .collect(),
                )
            }
            "renamed" => {
                let of = arg(0).columns?;
                let place = arg(1).literal?;
                let dict = place.expr.as_dict_expr()?;
                let pair = |name: &String| {
                    let found = dict.items.iter().find(|i| {
                        let key = i.key.as_ref().and_then(Expr::as_string_literal_expr);
                        key.is_some_and(|k| k.value.to_str() == name)
                    });
                    found.map_or(Some(name.clone()), |i| {
                        self.value(
                            Place {
                                expr: &i.value,
                                ..place
                            },
                            depth,
                        )
                        .as_text()
                        .map(str::to_owned)
                    })
                };
                names(of.iter().map(pair).collect::<Option<_>>()?)
            }
            _ => None,
        }
    }

    /// The sizes after a convolution or a pooling over the last axes: `conv(x, channels, kernel, stride, padding, dilation, axes)`
    /// with the channels before them (PyTorch), `kconv(x, channels, kernel, strides, padding, axes)` with the channels behind
    /// (Keras), `deconv(x, channels, kernel, stride, padding, output_padding, axes)`. Without channels those of `x` stay.
    fn convolved(
        &self,
        f: &str,
        args: &[Term],
        bound: &Bound<'c>,
        depth: usize,
    ) -> Option<Value<'c>> {
        let arg = |i: usize| {
            args.get(i)
                .map(|t| self.term(t, bound, depth))
                .unwrap_or_default()
        };
        let n = usize::try_from(arg(if f == "kconv" { 5 } else { 6 }).as_int()?).ok()?;
        let mut out = self.shape(&arg(0), depth)?;
        let channels = arg(1);
        let keeps = matches!(channels.constant, Some(Constant::None));
        let each = |v: &Value<'c>, i: usize| -> Option<i64> {
            let n = match v.as_int() {
                Some(n) => n,
                None => {
                    let place = v.literal?;
                    let expr = elements(place.expr)?.get(i)?;
                    self.value(Place { expr, ..place }, depth).as_int()?
                }
            };
            (n.abs() <= MAX_SIDE).then_some(n)
        };
        let (kernel, stride, padding) = (arg(2), arg(3), arg(4));
        // The stride of a pooling is its kernel.
        let stride = if matches!(stride.constant, Some(Constant::None)) {
            kernel.clone()
        } else {
            stride
        };
        let first = match f {
            "kconv" => out.len().checked_sub(n + 1)?,
            _ => out.len().checked_sub(n)?,
        };
        for i in 0..n {
            let side = &mut out[first + i];
            let new = (|| {
                let (x, k, s) = (
                    side.known().filter(|x| *x <= MAX_SIDE)?,
                    each(&kernel, i)?,
                    each(&stride, i)?,
                );
                (s > 0).then_some(())?;
                Some(match f {
                    "conv" => {
                        let d = each(&arg(5), i)?;
                        match padding.as_text() {
                            Some("same") => x,
                            Some("valid") => (x - d * (k - 1) - 1).div_euclid(s) + 1,
                            _ => (x + 2 * each(&padding, i)? - d * (k - 1) - 1).div_euclid(s) + 1,
                        }
                    }
                    "deconv" => {
                        (x - 1) * s - 2 * each(&padding, i)? + k - 1 + each(&arg(5), i)? + 1
                    }
                    _ => match padding.as_text()? {
                        "same" => (x + s - 1) / s,
                        "valid" => (x - k + s) / s,
                        _ => return None,
                    },
                })
            })();
            *side = match new {
                Some(n) if n > 0 => Size::Known(n),
                Some(_) => return None,
                None => self.fresh(),
            };
        }
        if !keeps {
            let at = if f == "kconv" {
                out.len() - 1
            } else {
                first.checked_sub(1)?
            };
            out[at] = self.size(&channels);
        }
        Some(Value::sized("shape", out))
    }
}
