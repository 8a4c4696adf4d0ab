//! Lengths, elements and parts of values.

use crate::eval::Model;
use crate::value::{Constant, Place, Size, Value};
use nbmedic_python::ast::{Expr, ExprSubscript};
use nbmedic_python::each_below;
use std::rc::Rc;

/// Most elements of a literal that are evaluated one by one.
const MAX_ITEMS: usize = 64;
/// Most expressions of a literal list whose sizes are read.
const MAX_LISTED: usize = 10_000;
/// Most axes.
pub(crate) const MAX_SIDES: usize = 8;

/// The elements of a list or tuple as it is written.
pub(crate) fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::List(l) => Some(&l.elts),
        Expr::Tuple(t) => Some(&t.elts),
        Expr::Set(s) => Some(&s.elts),
        _ => None,
    }
}

/// An axis, from 0; negative ones count from the end.
pub(crate) fn index(at: i64, n: usize) -> Option<usize> {
    let at = if at < 0 {
        at.checked_add(i64::try_from(n).ok()?)?
    } else {
        at
    };
    usize::try_from(at).ok().filter(|at| *at < n)
}

/// The sizes of a literal list of numbers, or of lists of numbers of one length.
fn listed(list: &Expr) -> Option<Vec<Size>> {
    let mut count = 0;
    each_below(list, &mut |_| count += 1);
    let mut out = Vec::new();
    let mut at = list;
    while let Some(all) = elements(at).filter(|_| count < MAX_LISTED && out.len() <= MAX_SIDES) {
        out.push(Size::Known(i64::try_from(all.len()).ok()?));
        let first = all.first();
        let n = first.and_then(elements).map(<[Expr]>::len);
        // Of another length somewhere, or with something starred.
        if all
            .iter()
            .any(|e| elements(e).map(<[Expr]>::len) != n || e.is_starred_expr())
        {
            return None;
        }
        match first {
            Some(e) => at = e,
            None => break,
        }
    }
    let plain = at.is_number_literal_expr()
        || at.is_unary_op_expr()
        || at.is_boolean_literal_expr()
        || at.is_string_literal_expr()
        || at.is_none_literal_expr()
        || elements(at).is_some_and(<[Expr]>::is_empty);
    (plain && !out.is_empty()).then_some(out)
}

impl<'c> Model<'_, 'c> {
    /// A whole number that a size is.
    pub(crate) fn number(&self, size: Size) -> Value<'c> {
        match size {
            Size::Known(n) => Value::int(n),
            Size::Unknown(_) => Value {
                fields: Some(Rc::new(vec![("size", Value::sized("shape", vec![size]))])),
                ..Value::of("int")
            },
        }
    }

    /// The size that a number says.
    pub(crate) fn size(&self, value: &Value<'c>) -> Size {
        if let Some(columns) = &value.columns {
            return Size::Known(i64::try_from(columns.len()).unwrap_or(0));
        }
        let field = value
            .fields
            .as_ref()
            .and_then(|f| f.iter().find(|(n, _)| *n == "size"));
        let size = field.and_then(|(_, v)| v.dims.as_ref()?.first().copied());
        match value.as_int() {
            Some(n) => Size::Known(n),
            None => size.unwrap_or_else(|| self.fresh()),
        }
    }

    /// The elements of a value, if they are known one by one.
    pub(crate) fn items(&self, value: &Value<'c>, depth: usize) -> Option<Vec<Value<'c>>> {
        if let Some(parts) = &value.parts {
            return Some(parts.to_vec());
        }
        let place = value.literal?;
        let all = elements(place.expr)?;
        (all.len() <= MAX_ITEMS).then_some(())?;
        let items = all
            .iter()
            .map(|expr| self.value(Place { expr, ..place }, depth));
        Some(items.collect())
    }

    /// The shape of arrays side by side, as columns: one that has a single axis is one column.
    pub(crate) fn abreast(&self, arrays: &Value<'c>, depth: usize) -> Option<Vec<Size>> {
        let (mut rows, mut columns) = (None, 0);
        for item in self.items(arrays, depth)? {
            let shape = self.shape(&item, depth)?;
            columns += match shape.get(1) {
                None => 1,
                Some(n) => n.known().filter(|_| shape.len() == 2)?,
            };
            let own = *shape.first()?;
            rows = rows.filter(|r: &Size| r.known().is_some()).or(Some(own));
        }
        Some(vec![rows?, Size::Known(columns)])
    }

    /// One element.
    pub(crate) fn item(&self, value: &Value<'c>, at: usize, depth: usize) -> Option<Value<'c>> {
        if let Some(parts) = &value.parts {
            return parts.get(at).cloned();
        }
        if let Some(place) = value.literal {
            let expr = elements(place.expr)?.get(at)?;
            return Some(self.value(Place { expr, ..place }, depth));
        }
        match &*value.kind {
            "ndarray" | "Tensor" => self.fewer(value, 1),
            // What a loader puts together is tensors.
            "batch" => Some(Value::of("Tensor")),
            _ => None,
        }
    }

    /// What one after the other comes out of a value.
    pub(crate) fn element(&self, value: &Value<'c>, depth: usize) -> Option<Value<'c>> {
        match &*value.kind {
            "ndarray" | "Tensor" => self.fewer(value, 1),
            "range" => Some(Value::of("int")),
            "str" => Some(Value::of("str")),
            "DataLoader" => Some(Value::of("batch")),
            "enumerate" => {
                let of = value.fields.as_ref()?;
                let (_, of) = of.iter().find(|(n, _)| *n == "iterable")?;
                let each = self.element(of, depth).unwrap_or_default();
                Some(Value {
                    parts: Some(Rc::new(vec![Value::of("int"), each])),
                    ..Value::sized("tuple", vec![Size::Known(2)])
                })
            }
            "list" if value.literal.is_some_and(|p| p.expr.is_list_comp_expr()) => {
                let place = value.literal?;
                let expr = &*place.expr.as_list_comp_expr()?.elt;
                let call = expr.as_call_expr()?;
                let func = Place {
                    expr: &call.func,
                    ..place
                };
                // The names of the comprehension are not followed, so only the kind that a library's function gives.
                self.path_of(func)?;
                Some(Value::of(self.value(Place { expr, ..place }, depth).kind))
            }
            _ => {
                let items = self.items(value, depth)?;
                let first = items.first()?;
                let same = items.iter().all(|i| i.kind == first.kind);
                same.then(|| match &items[..] {
                    [one] => one.clone(),
                    _ => Value::of(first.kind.clone()),
                })
            }
        }
    }

    /// An array without its first axes.
    fn fewer(&self, value: &Value<'c>, axes: usize) -> Option<Value<'c>> {
        let dims = value.dims.as_ref()?.get(axes..)?.to_vec();
        let kind = if dims.is_empty() && value.kind == "ndarray" {
            "scalar".into()
        } else {
            value.kind.clone()
        };
        Some(Value {
            kind,
            dtype: value.dtype.clone(),
            dims: Some(dims),
            ..Value::default()
        })
    }

    /// The length of a value.
    pub(crate) fn length(&self, value: &Value<'c>) -> Size {
        let first = value.dims.as_ref().and_then(|d| d.first().copied());
        match (first, value.as_text()) {
            (Some(n), _) => n,
            (None, Some(text)) => Size::Known(i64::try_from(text.chars().count()).unwrap_or(0)),
            (None, None) => self.fresh(),
        }
    }

    /// Sizes given as a number, a tuple or list of them, or by another value's `shape`.
    pub(crate) fn sizes(&self, value: &Value<'c>, depth: usize) -> Option<Vec<Size>> {
        if value.kind == "shape" {
            return value.dims.clone();
        }
        if let Some(items) = self.items(value, depth) {
            (items.len() <= MAX_SIDES).then_some(())?;
            if let [one] = &items[..] {
                if matches!(&*one.kind, "tuple" | "list" | "shape") {
                    return self.sizes(one, depth);
                }
            }
            return Some(items.iter().map(|i| self.size(i)).collect());
        }
        match &*value.kind {
            "int" => Some(vec![self.size(value)]),
            _ => None,
        }
    }

    /// The sizes of what can be made an array of.
    pub(crate) fn shape(&self, value: &Value<'c>, depth: usize) -> Option<Vec<Size>> {
        match &*value.kind {
            "" => None,
            "int" | "float" | "bool" | "str" | "scalar" => Some(Vec::new()),
            "list" | "tuple" => {
                if let Some(listed) = value.literal.and_then(|p| listed(p.expr)) {
                    return Some(listed);
                }
                let items = self.items(value, depth)?;
                let n = Size::Known(i64::try_from(items.len()).ok()?);
                let first = self.shape(items.first()?, depth)?;
                let same = items
                    .iter()
                    .all(|i| self.shape(i, depth).as_ref() == Some(&first));
                same.then(|| [&[n], &first[..]].concat())
            }
            "dict" | "set" | "generator" => None,
            _ => value.dims.clone(),
        }
    }

    /// A part of a value: rows, columns, elements.
    pub(crate) fn part_of(
        &self,
        cell: usize,
        s: &'c ExprSubscript,
        depth: usize,
    ) -> Option<Value<'c>> {
        let at = |expr| Place { cell, expr };
        if let Expr::Attribute(a) = &*s.value {
            if matches!(a.attr.as_str(), "iloc" | "loc") && self.path_of(at(&s.value)).is_none() {
                let mut of = self.value(at(&a.value), depth);
                // Two places, in rows and in columns: only a table has them.
                if of.kind.is_empty() && s.slice.is_tuple_expr() {
                    of = Value::of("DataFrame");
                }
                return self.located(&of, at(&s.slice), depth);
            }
        }
        if s.slice.is_tuple_expr() && self.path_of(at(&s.value)).as_deref() == Some("numpy.c_") {
            let arrays = self.value(at(&s.slice), depth);
            return Some(Value {
                dims: self.abreast(&arrays, depth),
                ..Value::of("ndarray")
            });
        }
        let of = self.value(at(&s.value), depth);
        match &*of.kind {
            "ndarray" | "Tensor" => self.indexed(&of, at(&s.slice), depth),
            "list" | "tuple" | "shape" => {
                let key = self.value(at(&s.slice), depth);
                if let Expr::Slice(slice) = &*s.slice {
                    let n = self.length(&of);
                    return Some(Value::sized(
                        if of.kind == "list" { "list" } else { "tuple" },
                        vec![self.sliced(cell, slice, n, depth)],
                    ));
                }
                let n = self.length(&of).known()?;
                self.item(&of, index(key.as_int()?, usize::try_from(n).ok()?)?, depth)
            }
            "str" => Some(Value::of("str")),
            // Several names between brackets: only a table has parts of that kind.
            "" => {
                let key = self.value(at(&s.slice), depth);
                let named =
                    key.kind == "list" && texts(self, &key, depth).is_some_and(|t| !t.is_empty());
                let table = Value::of("DataFrame");
                named.then(|| self.got(table, key, cell, depth))?
            }
            "dict" => {
                let key = self.value(at(&s.slice), depth);
                let place = of.literal?;
                let dict = place.expr.as_dict_expr()?;
                let item = dict.items.iter().find(|i| {
                    let text = i.key.as_ref().and_then(Expr::as_string_literal_expr);
                    text.is_some_and(|t| Some(t.value.to_str()) == key.as_text())
                })?;
                Some(self.value(
                    Place {
                        expr: &item.value,
                        ..place
                    },
                    depth,
                ))
            }
            _ => {
                let key = self.value(at(&s.slice), depth);
                self.got(of, key, cell, depth)
            }
        }
    }

    fn sliced(
        &self,
        cell: usize,
        s: &'c nbmedic_python::ast::ExprSlice,
        n: Size,
        depth: usize,
    ) -> Size {
        let known = || {
            let n = n.known()?;
            let bound = |e: &'c Option<Box<Expr>>, other: i64| match e {
                None => Some(other),
                Some(expr) => {
                    let at = self.value(Place { cell, expr }, depth).as_int()?;
                    Some(if at < 0 { n + at } else { at }.clamp(0, n))
                }
            };
            let step = match &s.step {
                None => 1,
                Some(expr) => self.value(Place { cell, expr }, depth).as_int()?,
            };
            if step < 0 && s.lower.is_none() && s.upper.is_none() {
                return Some((n + -step - 1) / -step);
            }
            (step > 0).then_some(())?;
            let (from, to) = (bound(&s.lower, 0)?, bound(&s.upper, n)?);
            Some(((to - from).max(0) + step - 1) / step)
        };
        // All of it is as long as it is.
        if s.lower.is_none() && s.upper.is_none() && s.step.is_none() {
            return n;
        }
        known().map_or_else(|| self.fresh(), Size::Known)
    }

    /// Rows, columns and single elements: `X[:, 0]`, `x[:100]`, `v[:, None]`.
    fn indexed(&self, of: &Value<'c>, key: Place<'c>, depth: usize) -> Option<Value<'c>> {
        let keys = match key.expr {
            Expr::Tuple(t) => t.elts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let loose = || {
            Some(Value {
                dtype: of.dtype.clone(),
                ..Value::of(of.kind.clone())
            })
        };
        let Some(dims) = &of.dims else {
            // An element of an array is a number; of a slice or a mask it is an array.
            let array = of.kind == "Tensor" || keys.iter().all(Expr::is_slice_expr);
            return if array { loose() } else { None };
        };
        let mut left = dims.iter().copied();
        let mut sides: Vec<Size> = Vec::new();
        let used = keys
            .iter()
            .filter(|k| !k.is_none_literal_expr() && !is_newaxis(k))
            .count();
        let mut lists = 0;
        for k in keys {
            match k {
                Expr::NoneLiteral(_) => sides.push(Size::Known(1)),
                k if is_newaxis(k) => sides.push(Size::Known(1)),
                Expr::EllipsisLiteral(_) => {
                    let skipped = (dims.len() + 1).checked_sub(used)?;
                    for _ in 0..skipped {
                        sides.push(left.next()?);
                    }
                }
                Expr::Slice(s) => {
                    let n = left.next()?;
                    sides.push(self.sliced(key.cell, s, n, depth));
                }
                expr => {
                    let value = self.value(Place { expr, ..key }, depth);
                    match &*value.kind {
                        "int" => {
                            left.next()?;
                        }
                        "scalar" if value.dtype.starts_with("int") => {
                            left.next()?;
                        }
                        "list" | "ndarray" | "Tensor" | "Series" => {
                            lists += 1;
                            let mask = &*value.dtype == "bool"
                                || &*value.dtype == "torch.bool"
                                || value.literal.is_some_and(|p| {
                                    elements(p.expr).is_some_and(|e| {
                                        e.first().is_some_and(Expr::is_boolean_literal_expr)
                                    })
                                });
                            let typed = mask || value.dtype.contains("int") || value.kind == "list";
                            let shape = self.shape(&value, depth).filter(|_| typed);
                            match shape {
                                Some(shape) if mask => {
                                    for _ in &shape {
                                        left.next()?;
                                    }
                                    sides.push(self.fresh());
                                }
                                Some(shape) if lists == 1 => {
                                    left.next()?;
                                    sides.extend(shape);
                                }
                                _ => return loose(),
                            }
                        }
                        _ => return if of.kind == "Tensor" { loose() } else { None },
                    }
                }
            }
        }
        // Several lists are taken together.
        if lists > 1 || sides.len() > MAX_SIDES {
            return loose();
        }
        sides.extend(left);
        let kind = if sides.is_empty() && of.kind == "ndarray" {
            "scalar".into()
        } else {
            of.kind.clone()
        };
        Some(Value {
            kind,
            dtype: of.dtype.clone(),
            dims: Some(sides),
            ..Value::default()
        })
    }

    /// `.loc[rows, columns]` and `.iloc[rows, columns]`.
    fn located(&self, of: &Value<'c>, key: Place<'c>, depth: usize) -> Option<Value<'c>> {
        let (rows, columns) = match key.expr {
            Expr::Tuple(t) => (t.elts.first()?, t.elts.get(1)),
            other => (other, None),
        };
        let at = |expr| Place { expr, ..key };
        // One row, or several.
        let one = |expr: &'c Expr| match expr {
            Expr::Slice(_) | Expr::List(_) | Expr::Compare(_) => Some(false),
            Expr::UnaryOp(u) if u.operand.is_number_literal_expr() => Some(true),
            Expr::UnaryOp(_) | Expr::BinOp(_) => Some(false),
            expr => match &*self.value(at(expr), depth).kind {
                "int" | "str" | "float" => Some(true),
                "Series" | "ndarray" | "list" | "Index" => Some(false),
                _ => None,
            },
        };
        let length = of.dims.as_ref().and_then(|d| d.first().copied());
        let length = match rows {
            Expr::Slice(s) if s.lower.is_none() && s.upper.is_none() && s.step.is_none() => length,
            _ => None,
        };
        let length = length.unwrap_or_else(|| self.fresh());
        let single = one(rows)?;
        match (&*of.kind, columns) {
            ("Series", _) if !single => Some(Value {
                dtype: of.dtype.clone(),
                ..Value::sized("Series", vec![length])
            }),
            ("DataFrame", None) if single => Some(Value::of("Series")),
            ("DataFrame", None) => Some(Value {
                dims: Some(vec![
                    length,
                    of.dims
                        .as_ref()
                        .and_then(|d| d.get(1).copied())
                        .unwrap_or_else(|| self.fresh()),
                ]),
                columns: of.columns.clone(),
                ..Value::of("DataFrame")
            }),
            ("DataFrame", Some(columns)) => match (single, one(columns)?) {
                (true, true) => None,
                (false, false) => {
                    let names = self.value(at(columns), depth);
                    let n = match columns {
                        Expr::List(_) => self.length(&names),
                        Expr::Slice(s)
                            if s.lower.is_none() && s.upper.is_none() && s.step.is_none() =>
                        {
                            of.dims
                                .as_ref()
                                .and_then(|d| d.get(1).copied())
                                .unwrap_or_else(|| self.fresh())
                        }
                        _ => self.fresh(),
                    };
                    Some(Value::sized("DataFrame", vec![length, n]))
                }
                _ => Some(Value::sized(
                    "Series",
                    vec![if single { self.fresh() } else { length }],
                )),
            },
            _ => None,
        }
    }
}

fn is_newaxis(expr: &Expr) -> bool {
    expr.as_attribute_expr()
        .is_some_and(|a| a.attr.as_str() == "newaxis")
}

/// The texts that a value is or holds.
pub(crate) fn texts<'c>(
    model: &Model<'_, 'c>,
    value: &Value<'c>,
    depth: usize,
) -> Option<Vec<String>> {
    if let Some(columns) = &value.columns {
        return Some(columns.to_vec());
    }
    if let Some(Constant::Text(t)) = &value.constant {
        return Some(vec![t.clone()]);
    }
    if let Some(dict) = value.literal.and_then(|p| p.expr.as_dict_expr()) {
        let keys = dict.items.iter().map(|i| {
            Some(
                i.key
                    .as_ref()?
                    .as_string_literal_expr()?
                    .value
                    .to_str()
                    .to_owned(),
            )
        });
        return keys.collect();
    }
    let items = model.items(value, depth)?;
    let mut out = Vec::new();
    for item in &items {
        match item.as_text() {
            Some(text) => out.push(text.to_owned()),
            None => out.extend(texts(model, item, depth)?),
        }
    }
    Some(out)
}
