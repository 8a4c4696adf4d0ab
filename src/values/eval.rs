//! What an expression is.

use crate::bind::{loosely, Arg, Bound};
use crate::row::{Dim, Gives, One, Row, Term};
use crate::rows::Rows;
use crate::since::Since;
use crate::value::{Constant, Place, Size, Value};
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall, Number, UnaryOp};
use nbmedic_python::{name_of, Ranged, TextRange};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Deepest chain of names, calls and operators followed.
const MAX_DEPTH: usize = 40;

/// How a name was set.
#[derive(Clone, Debug)]
pub struct Made<'c> {
    /// The value of the statement.
    pub place: Place<'c>,
    /// It goes over the value: it is one element after the other.
    pub each: bool,
    /// Which part of it, and of that: `[1, 0]` for `b` of `a, (b, c) = …`.
    pub part: Vec<usize>,
    /// What was done to it since.
    pub since: Since,
}

/// What the model asks of a notebook.
pub trait Scope<'c> {
    /// How a name (the expression) was set where it stands.
    fn made(&self, name: Place<'c>) -> Option<Made<'c>>;
    /// The whole path of a dotted name that begins with an import: `np.zeros` is `numpy.zeros`. Names that only Python sets are
    /// paths too: `len`.
    fn path(&self, name: Place<'c>) -> Option<String>;
    /// What is known of a name from elsewhere: values that were seen. What it leaves open the sources tell.
    fn seen(&self, _name: Place<'c>) -> Option<Value<'c>> {
        None
    }
    /// What a function of the notebook returns.
    fn returned(&self, _cell: usize, _call: &'c ExprCall) -> Vec<Place<'c>> {
        Vec::new()
    }
}

/// The evaluation for one notebook at one moment.
pub struct Model<'s, 'c> {
    scope: &'s dyn Scope<'c>,
    pub(crate) rows: Rc<Rows>,
    left: Cell<usize>,
    unknown: Cell<u32>,
    kept: RefCell<BTreeMap<(usize, u32, u32), Value<'c>>>,
}

thread_local! {
    static ROWS: Rc<Rows> = Rc::new(Rows::all());
}

impl<'s, 'c> Model<'s, 'c> {
    /// A model of the values that a scope tells of. `steps`: most expressions that it evaluates.
    pub fn new(scope: &'s dyn Scope<'c>, steps: usize) -> Model<'s, 'c> {
        Model {
            scope,
            rows: ROWS.with(Rc::clone),
            left: Cell::new(steps),
            unknown: Cell::new(0),
            kept: RefCell::new(BTreeMap::new()),
        }
    }

    /// What is known of an expression.
    pub fn of(&self, cell: usize, expr: &'c Expr) -> Value<'c> {
        self.value(Place { cell, expr }, MAX_DEPTH)
    }

    /// What is known of what a call gives.
    pub fn of_call(&self, cell: usize, call: &'c ExprCall) -> Value<'c> {
        self.call(cell, call, MAX_DEPTH).unwrap_or_default()
    }

    /// The array that a call makes new: of no other one. `kind`: what it is called on, where the sources don't say that.
    pub fn made_new(
        &self,
        cell: usize,
        call: &'c ExprCall,
        kind: Option<&'static str>,
    ) -> Option<Value<'c>> {
        let array =
            |v: &Value<'c>| matches!(&*v.kind, "ndarray" | "Tensor" | "EagerTensor" | "Array");
        let mut given = call.arguments.args.iter();
        if given.any(|e| array(&self.of(cell, e))) {
            return None;
        }
        let value = match (kind, &*call.func) {
            (Some(kind), Expr::Attribute(a)) => {
                let rows = self.rows.method(kind, a.attr.as_str());
                self.first(&rows, cell, Some(call), Some(Value::of(kind)), MAX_DEPTH)?
            }
            _ => self.of_call(cell, call),
        };
        Some(value).filter(array)
    }

    /// Whether a kind is another one, or has all its methods.
    pub fn is(&self, kind: &str, other: &str) -> bool {
        self.rows.is(kind, other)
    }

    /// A size that equals no other one.
    pub(crate) fn fresh(&self) -> Size {
        let n = self.unknown.get();
        self.unknown.set(n + 1);
        Size::Unknown(n)
    }

    pub(crate) fn value(&self, place: Place<'c>, depth: usize) -> Value<'c> {
        let range: TextRange = place.expr.range();
        let key = (place.cell, range.start().to_u32(), range.end().to_u32());
        if let Some(kept) = self.kept.borrow().get(&key) {
            return kept.clone();
        }
        let (Some(left), Some(depth)) = (self.left.get().checked_sub(1), depth.checked_sub(1))
        else {
            return Value::default();
        };
        self.left.set(left);
        let value = self.evaluate(place, depth).unwrap_or_default();
        // What was cut off for its depth may be known from elsewhere.
        if !value.kind.is_empty() || depth > MAX_DEPTH / 2 {
            self.kept.borrow_mut().insert(key, value.clone());
        }
        value
    }

    fn evaluate(&self, place: Place<'c>, depth: usize) -> Option<Value<'c>> {
        let cell = place.cell;
        let at = |expr| Place { cell, expr };
        let container = |kind: &'static str, n: Option<usize>| {
            let mut value = Value::of(kind);
            value.dims = n
                .and_then(|n| i64::try_from(n).ok())
                .map(|n| vec![Size::Known(n)]);
            value.literal = value.dims.is_some().then_some(place);
            value
        };
        let all = |elts: &[Expr]| (!elts.iter().any(Expr::is_starred_expr)).then_some(elts.len());
        Some(match place.expr {
            Expr::NumberLiteral(n) => match &n.value {
                Number::Int(i) => match i.as_i64() {
                    Some(i) => Value::int(i),
                    None => Value::of("int"),
                },
                Number::Float(f) => Value::constant(Constant::Float(*f)),
                Number::Complex { .. } => Value::of("complex"),
            },
            Expr::StringLiteral(s) => Value::constant(Constant::Text(s.value.to_str().to_owned())),
            Expr::FString(_) => Value::of("str"),
            Expr::BytesLiteral(_) => Value::of("bytes"),
            Expr::BooleanLiteral(b) => Value::constant(Constant::Bool(b.value)),
            Expr::NoneLiteral(_) => Value::constant(Constant::None),
            Expr::List(l) => container("list", all(&l.elts)),
            Expr::Tuple(t) => container("tuple", all(&t.elts)),
            // The same element may stand in it twice.
            Expr::Set(_) => Value::of("set"),
            Expr::Dict(d) => {
                let whole = d
                    .items
                    .iter()
                    .all(|i| i.key.as_ref().is_some_and(Expr::is_string_literal_expr));
                container("dict", whole.then_some(d.items.len()))
            }
            Expr::ListComp(c) => {
                let mut value = Value::of("list");
                value.literal = Some(place);
                let [g] = &c.generators[..] else {
                    return Some(value);
                };
                if g.ifs.is_empty() {
                    value.dims = Some(vec![self.length(&self.value(at(&g.iter), depth))]);
                }
                value
            }
            Expr::SetComp(_) => Value::of("set"),
            Expr::DictComp(_) => Value::of("dict"),
            Expr::Generator(_) => Value::of("generator"),
            Expr::Slice(_) => Value::of("slice"),
            Expr::Lambda(_) => Value::of("function"),
            Expr::Named(n) => self.value(at(&n.value), depth),
            Expr::Name(_) => self.name(place, depth)?,
            Expr::Attribute(a) => self.attribute(place, a, depth)?,
            Expr::Call(c) => self.call(cell, c, depth)?,
            Expr::Subscript(s) => self.part_of(cell, s, depth)?,
            Expr::UnaryOp(u) if u.op == UnaryOp::Not => Value::of("bool"),
            Expr::UnaryOp(u) => {
                let mut of = self.value(at(&u.operand), depth);
                of.literal = None;
                of.constant = match (u.op, of.constant) {
                    (UnaryOp::USub, Some(Constant::Int(n))) => {
                        Some(Constant::Int(n.checked_neg()?))
                    }
                    (UnaryOp::USub, Some(Constant::Float(n))) => Some(Constant::Float(-n)),
                    (UnaryOp::UAdd, constant) => constant,
                    _ => None,
                };
                of
            }
            Expr::BinOp(b) => {
                let (left, right) = (
                    self.value(at(&b.left), depth),
                    self.value(at(&b.right), depth),
                );
                self.operated(b.op, &left, &right)?
            }
            Expr::Compare(c) => {
                let [right] = &*c.comparators else {
                    return None;
                };
                let (left, right) = (self.value(at(&c.left), depth), self.value(at(right), depth));
                self.compared(c.ops[0], &left, &right)?
            }
            Expr::If(i) => {
                let (one, other) = (
                    self.value(at(&i.body), depth),
                    self.value(at(&i.orelse), depth),
                );
                (one.kind == other.kind).then(|| Value::of(one.kind))?
            }
            _ => return None,
        })
    }

    fn name(&self, place: Place<'c>, depth: usize) -> Option<Value<'c>> {
        let seen = self.scope.seen(place);
        if seen
            .as_ref()
            .is_some_and(|v| v.constant.is_some() || v.parts.is_some())
        {
            return seen;
        }
        let told = self.told(place, depth);
        match seen {
            Some(seen) => Some(seen.or(told.unwrap_or_default())),
            None => told,
        }
    }

    /// What the sources tell of a name.
    fn told(&self, place: Place<'c>, depth: usize) -> Option<Value<'c>> {
        let Some(made) = self.scope.made(place) else {
            let path = self.scope.path(place)?;
            return self.constant_of(&path, place.cell, depth);
        };
        let mut value = self.value(made.place, depth);
        if made.each {
            value = self.element(&value, depth)?;
        }
        for at in made.part {
            value = self.item(&value, at, depth)?;
        }
        Some(match made.since {
            Since::Nothing => value,
            Since::Stored(names) if value.kind == "DataFrame" => self.with_columns(value, &names),
            Since::Stored(_) | Since::Anything => self.changed(value),
        })
    }

    /// A table with columns that are stored into it. What is not known of its own columns stays so.
    fn with_columns(&self, mut value: Value<'c>, names: &[String]) -> Value<'c> {
        let all = value.columns.as_ref().map(|old| {
            let mut all = old.to_vec();
            for name in names {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            all
        });
        if let Some([_, wide]) = value.dims.as_deref_mut() {
            *wide = match &all {
                Some(all) => Size::Known(i64::try_from(all.len()).unwrap_or(0)),
                None if names.is_empty() => *wide,
                None => self.fresh(),
            };
        }
        value.columns = all.map(Rc::new);
        value
    }

    /// A value that may have been changed in place: an array keeps its sizes, and nothing else does.
    fn changed(&self, value: Value<'c>) -> Value<'c> {
        let fixed = matches!(
            &*value.kind,
            "ndarray" | "Tensor" | "tuple" | "str" | "int" | "float" | "bool"
        );
        // polars makes a new table of each change.
        if fixed || value.kind.starts_with("Polars") {
            return value;
        }
        let two = value.kind == "DataFrame";
        Value {
            dims: value.dims.map(|d| {
                let mut d: Vec<Size> = d.iter().map(|_| self.fresh()).collect();
                d.truncate(if two { 2 } else { 1 });
                d
            }),
            columns: None,
            // Of a comprehension only the kind of its elements is read.
            literal: value.literal.filter(|p| p.expr.is_list_comp_expr()),
            parts: None,
            ..value
        }
    }

    /// A constant or attribute of a module.
    fn constant_of(&self, path: &str, cell: usize, depth: usize) -> Option<Value<'c>> {
        let rows = self.rows.named(&self.rows.path(path));
        let row = rows.into_iter().find(|r| r.params.is_none())?;
        let bound = Bound::of(&row, cell, None, None)?;
        Some(self.gives(&row.gives, &bound, depth))
    }

    fn attribute(&self, place: Place<'c>, a: &'c ExprAttribute, depth: usize) -> Option<Value<'c>> {
        if let Some(path) = self.scope.path(place) {
            return self.constant_of(&path, place.cell, depth);
        }
        let of = self.value(
            Place {
                cell: place.cell,
                expr: &a.value,
            },
            depth,
        );
        let name = a.attr.as_str();
        if of.kind.is_empty() {
            return self.whatever(place.cell, name, None, depth);
        }
        let mut rows = self.rows.method(&of.kind, name);
        let field = of
            .fields
            .as_ref()
            .and_then(|f| f.iter().find(|(n, _)| *n == name));
        if let Some((_, field)) = field.filter(|_| rows.is_empty()) {
            return Some(field.clone());
        }
        if rows.is_empty() {
            rows = self.rows.method(&of.kind, "__getattr__");
        }
        rows.retain(|r| r.params.is_none());
        self.first(&rows, place.cell, None, Some(of), depth)
    }

    fn call(&self, cell: usize, call: &'c ExprCall, depth: usize) -> Option<Value<'c>> {
        let func = Place {
            cell,
            expr: &call.func,
        };
        if let Some(path) = self.scope.path(func) {
            let mut rows = self.rows.named(&self.rows.path(&path));
            rows.retain(|r| r.params.is_some());
            return self.first(&rows, cell, Some(call), None, depth);
        }
        if let Expr::Attribute(a) = &*call.func {
            let name = a.attr.as_str();
            let on = self.value(
                Place {
                    cell,
                    expr: &a.value,
                },
                depth,
            );
            if !on.kind.is_empty() {
                let mut rows = self.rows.method(&on.kind, name);
                if rows.is_empty() {
                    rows = self.rows.method(&on.kind, "__getattr__");
                    rows.retain(|r| r.params.is_some());
                }
                return self.first(&rows, cell, Some(call), Some(on), depth);
            }
            return self.whatever(cell, name, Some(call), depth);
        }
        let returned = self.scope.returned(cell, call);
        if !returned.is_empty() {
            let mut all = returned.into_iter().map(|p| self.value(p, depth));
            let first = all.next()?;
            let rest: Vec<Value<'c>> = all.collect();
            let same = rest.iter().all(|v| v.kind == first.kind);
            return same.then(|| match rest.is_empty() {
                true => first,
                false => Value::of(first.kind),
            });
        }
        let on = self.value(func, depth);
        let rows = self.rows.method(&on.kind, "__call__");
        self.first(&rows, cell, Some(call), Some(on), depth)
    }

    /// What the first row gives that holds. Where none is known to hold, what they have in common.
    pub(crate) fn first(
        &self,
        rows: &[Rc<Row>],
        cell: usize,
        call: Option<&'c ExprCall>,
        on: Option<Value<'c>>,
        depth: usize,
    ) -> Option<Value<'c>> {
        for row in rows {
            let Some(bound) = Bound::of(row, cell, call, on.clone()) else {
                continue;
            };
            match self.holds(row, &bound, depth) {
                Some(true) => {
                    let mut value = self.gives(&row.gives, &bound, depth);
                    // What an instance was made with.
                    let keeps = |c: char| c.is_ascii_uppercase();
                    if (value.kind.starts_with(keeps) || value.kind == "enumerate")
                        && value.fields.is_none()
                        && call.is_some()
                        && on.is_none()
                    {
                        let fields = bound.names().map(|n| (n, self.named(n, &bound, depth)));
                        let fields: Vec<_> = fields.filter(|(_, v)| !v.kind.is_empty()).collect();
                        value.fields = (!fields.is_empty()).then(|| Rc::new(fields));
                    }
                    return Some(value);
                }
                Some(false) => {}
                None => break,
            }
        }
        // A kind that it has from what it is called on.
        let own = rows
            .iter()
            .all(|r| matches!(&r.gives, Gives::One(o) if o.kinds == ["self"]));
        match on.filter(|_| own && !rows.is_empty()) {
            Some(on) => Some(Value::of(on.kind)),
            None => loosely(rows),
        }
    }

    /// A key between brackets, by the rows of a kind.
    pub(crate) fn got(
        &self,
        of: Value<'c>,
        key: Value<'c>,
        cell: usize,
        depth: usize,
    ) -> Option<Value<'c>> {
        for row in self.rows.method(&of.kind.clone(), "__getitem__") {
            let plain = Row {
                params: None,
                ..(*row).clone()
            };
            let bound = Bound::of(&plain, cell, None, Some(of.clone()))?.with("key", key.clone());
            match self.holds(&row, &bound, depth) {
                Some(true) => return Some(self.gives(&row.gives, &bound, depth)),
                Some(false) => {}
                None => return None,
            }
        }
        None
    }

    /// What a parameter stands for.
    pub(crate) fn named(&self, name: &str, bound: &Bound<'c>, depth: usize) -> Value<'c> {
        match bound.get(name) {
            Some(Arg::Passed(place)) => self.value(*place, depth),
            Some(Arg::Default(term)) => self.term(term, &Bound::default(), depth),
            Some(Arg::Value(value)) => (**value).clone(),
            Some(Arg::Rest(all)) => {
                let parts: Vec<Value<'c>> = all.iter().map(|p| self.value(*p, depth)).collect();
                let n = i64::try_from(parts.len()).unwrap_or(0);
                Value {
                    parts: Some(Rc::new(parts)),
                    ..Value::sized("tuple", vec![Size::Known(n)])
                }
            }
            None => match name {
                "None" => Value::constant(Constant::None),
                "True" => Value::constant(Constant::Bool(true)),
                "False" => Value::constant(Constant::Bool(false)),
                // A word: the type of elements, or a text.
                word => Value {
                    dtype: word.to_owned().into(),
                    ..Value::constant(Constant::Text(word.to_owned()))
                },
            },
        }
    }

    pub(crate) fn term(&self, term: &Term, bound: &Bound<'c>, depth: usize) -> Value<'c> {
        match term {
            Term::Int(n) => Value::int(*n),
            Term::Name(name) => self.named(name, bound, depth),
            Term::Field(of, name) => {
                let of = self.named(of, bound, depth);
                let field = of
                    .fields
                    .as_ref()
                    .and_then(|f| f.iter().find(|(n, _)| n == name));
                field.map(|(_, v)| v.clone()).unwrap_or_default()
            }
            Term::Call(f, args) => self.apply(f, args, bound, depth).unwrap_or_default(),
            Term::Unknown => Value::default(),
        }
    }

    pub(crate) fn gives(&self, gives: &Gives, bound: &Bound<'c>, depth: usize) -> Value<'c> {
        match gives {
            Gives::One(one) => self.one(one, bound, depth).unwrap_or_default(),
            Gives::Several(kind, all) => {
                let parts: Vec<Value<'c>> =
                    all.iter().map(|g| self.gives(g, bound, depth)).collect();
                let n = i64::try_from(parts.len()).unwrap_or(0);
                Value {
                    parts: Some(Rc::new(parts)),
                    ..Value::sized(kind, vec![Size::Known(n)])
                }
            }
        }
    }

    fn one(&self, one: &One, bound: &Bound<'c>, depth: usize) -> Option<Value<'c>> {
        let kind = *one.kinds.first()?;
        let mut value = match kind {
            "?" => Value::default(),
            name if bound.get(name).is_some() => self.named(name, bound, depth),
            "None" => Value::constant(Constant::None),
            kind => Value::of(kind),
        };
        if let Some(dims) = &one.dims {
            let (mut sizes, mut columns) = (Some(Vec::new()), None);
            for dim in dims {
                match dim {
                    Dim::One(term) => {
                        let v = self.term(term, bound, depth);
                        columns = v.columns.clone().or(columns);
                        sizes.iter_mut().for_each(|s| s.push(self.size(&v)));
                    }
                    Dim::Many(term) => match (
                        self.sizes(&self.term(term, bound, depth), depth),
                        &mut sizes,
                    ) {
                        (Some(more), Some(all)) => all.extend(more),
                        _ => sizes = None,
                    },
                }
            }
            value.dims = sizes;
            value.columns = columns;
            value.constant = None;
            value.literal = None;
            value.parts = None;
        }
        if let Some(dtype) = &one.dtype {
            value.dtype = self.dtype(&self.term(dtype, bound, depth));
        }
        if let Some(constant) = &one.constant {
            let of = self.term(constant, bound, depth);
            value.constant = of.constant;
            value.fields = of.fields;
        }
        // A number, if no axis is left.
        if let Some(other) = one.kinds.get(1) {
            value.kind = match &value.dims {
                Some(d) if d.is_empty() => Cow::Borrowed(other),
                Some(_) => value.kind,
                None => Cow::Borrowed(""),
            };
        }
        Some(value)
    }

    /// The dotted name of an expression through the imports.
    pub(crate) fn path_of(&self, place: Place<'c>) -> Option<String> {
        name_of(place.expr)?;
        self.scope.path(place)
    }
}
