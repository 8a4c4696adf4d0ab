//! What kind of table a value is, and where it came from, as far as the sources say.

use crate::case::Case;
use crate::find::{callee, name, receiver, text_of};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_stmt, keyword, positional, BindKind, Cell};

/// How far values are followed back.
const MAX_STEPS: usize = 12;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A DataFrame.
    Frame,
    /// A Series.
    Series,
    /// An array.
    Array,
    /// A list, tuple or generator.
    List,
    /// A dict.
    Dict,
    /// Not known.
    Unknown,
}

/// Functions of pandas and methods of its tables that give a DataFrame.
const FRAMES: &[&str] = &[
    "DataFrame",
    "get_dummies",
    "read_csv",
    "read_excel",
    "read_json",
    "read_parquet",
    "read_sql",
    "read_table",
    "read_feather",
    "read_pickle",
    "select_dtypes",
    "to_frame",
    "pivot_table",
    "melt",
    "set_index",
    "load_dataset",
    "set_axis",
    "assign",
    "merge",
    "crosstab",
];

/// Methods that give what they are called on, changed.
const SAME: &[&str] = &[
    "astype",
    "bfill",
    "clip",
    "copy",
    "drop",
    "drop_duplicates",
    "dropna",
    "ffill",
    "fillna",
    "head",
    "interpolate",
    "query",
    "reindex",
    "rename",
    "replace",
    "reset_index",
    "round",
    "sample",
    "shift",
    "sort_index",
    "sort_values",
    "tail",
    "where",
];

/// Methods and functions that give an array.
const ARRAYS: &[&str] = &[
    "as_matrix",
    "array",
    "asarray",
    "fit_predict",
    "fit_transform",
    "flatten",
    "predict",
    "predict_proba",
    "ravel",
    "reshape",
    "to_categorical",
    "to_numpy",
    "transform",
    "zeros",
    "ones",
    "rand",
    "randn",
    "random",
    "arange",
    "linspace",
    "stack",
    "vstack",
    "hstack",
    "concatenate",
    "load",
    "argmax",
    "unique",
];

/// Arrays split together: `X_train, X_test, y_train, y_test = train_test_split(X, y)`.
#[derive(Clone, Copy, Debug)]
pub struct Split<'c> {
    /// The index of the cell in the book.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The statement.
    pub stmt: &'c Stmt,
    /// The call.
    pub call: &'c ExprCall,
    /// The targets.
    pub targets: &'c [Expr],
}

impl<'c> Split<'c> {
    /// The array that a target is a part of.
    pub fn source(&self, target: &str) -> Option<&'c Expr> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        positional(self.call, at / 2)
    }

    /// The other part of the same array.
    pub fn other(&self, target: &str) -> Option<&'c str> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        self.targets.get(at ^ 1).and_then(name)
    }

    /// The part of another array with the same rows as a target.
    pub fn beside(&self, target: &str) -> Option<&'c str> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        self.targets.get(at ^ 2).and_then(name)
    }
}

impl Case<'_> {
    /// How a name was made by `train_test_split`, if it was last set so.
    pub fn split_of(&self, target: &str) -> Option<Split<'_>> {
        let set = self.last_set(target)?;
        let python = self.python(set.cell)?;
        let at = set.binding.at;
        let stmt = crate::find::statement_of(python, at)?;
        let assign = stmt.as_assign_stmt()?;
        let call = assign.value.as_call_expr()?;
        if callee(call) != Some("train_test_split") {
            return None;
        }
        let [target] = &assign.targets[..] else {
            return None;
        };
        let targets = match target {
            Expr::Tuple(t) => &t.elts,
            Expr::List(t) => &t.elts,
            _ => return None,
        };
        Some(Split {
            cell: set.cell,
            python,
            stmt,
            call,
            targets,
        })
    }

    /// What an expression is, by what its names were last set to.
    pub fn kind(&self, expr: &Expr) -> Kind {
        let seen = name(expr).and_then(|n| self.seen_value(n));
        match seen.map(|v| v.kind.as_str()) {
            Some("DataFrame") => Kind::Frame,
            Some("Series") => Kind::Series,
            Some("ndarray") => Kind::Array,
            Some("list" | "tuple") => Kind::List,
            Some("dict") => Kind::Dict,
            _ => self.kind_within(expr, MAX_STEPS),
        }
    }

    fn kind_within(&self, expr: &Expr, steps: usize) -> Kind {
        let Some(steps) = steps.checked_sub(1) else {
            return Kind::Unknown;
        };
        match expr {
            Expr::Name(n) => {
                let n = n.id.as_str();
                if let Some((_, value)) = self.value(n) {
                    // `df = df.dropna()`: what it was before is not looked for.
                    let own = self_named(value, n);
                    return match self.kind_within_named(value, steps, own.then_some(n)) {
                        Kind::Unknown if own => self.kind_earlier(n, steps),
                        kind => kind,
                    };
                }
                if let Some(source) = self.split_of(n).and_then(|s| s.source(n)) {
                    return self.kind_within(source, steps);
                }
                if let Some(value) = self.part(n).filter(|v| !self_named(v, n)) {
                    return self.kind_within(value, steps);
                }
                Kind::Unknown
            }
            other => self.kind_within_named(other, steps, None),
        }
    }

    /// What a name was set to in `a, b = x, y`.
    fn part(&self, target: &str) -> Option<&Expr> {
        let set = self.last_set(target)?;
        let assign = set.binding.stmt.as_assign_stmt()?;
        let ([Expr::Tuple(names)], Expr::Tuple(values)) = (&assign.targets[..], &*assign.value)
        else {
            return None;
        };
        let at = names.elts.iter().position(|t| name(t) == Some(target))?;
        (names.elts.len() == values.elts.len()).then(|| &values.elts[at])
    }

    /// What a name was before it was set from itself.
    fn kind_earlier(&self, target: &str, steps: usize) -> Kind {
        for set in self.set_before(target).iter().skip(1).take(MAX_STEPS) {
            let Some(value) = set.binding.value else {
                continue;
            };
            if set.binding.kind != BindKind::Assign || self_named(value, target) {
                continue;
            }
            return self.kind_within(value, steps);
        }
        Kind::Unknown
    }

    /// What a function of the notebook returns, if all its returns are of one kind.
    fn returned(&self, function: &str, steps: usize) -> Option<Kind> {
        let set = self.last_set(function)?;
        let def = set.binding.stmt.as_function_def_stmt()?;
        let python = self.python(set.cell)?;
        let mut kinds: Vec<Kind> = Vec::new();
        each_stmt(&def.body, &mut |s| {
            let Stmt::Return(r) = s else { return };
            // A local variable is what it was set to as a whole.
            let local = r.value.as_deref().and_then(|v| match name(v) {
                Some(n) => {
                    let names = python.names();
                    let mut sets = names.binds.iter().filter(|b| {
                        b.name == n && b.function == Some(function) && b.kind == BindKind::Assign
                    });
                    let first = sets.next()?.value?;
                    sets.next().is_none().then_some(first)
                }
                None => Some(v),
            });
            kinds.push(local.map_or(Kind::Unknown, |v| match name(v) {
                Some(_) => Kind::Unknown,
                None => self.kind_within(v, steps),
            }));
        });
        let first = *kinds.first()?;
        (first != Kind::Unknown && kinds.iter().all(|k| *k == first)).then_some(first)
    }

    /// `own`: a name that the value must not be followed through, as it is its own earlier value.
    fn kind_within_named(&self, expr: &Expr, steps: usize, own: Option<&str>) -> Kind {
        let of = |e: &Expr| match name(e) {
            Some(n) if Some(n) == own => Kind::Unknown,
            _ => self.kind_within(e, steps),
        };
        match expr {
            Expr::Name(_) => of(expr),
            Expr::Call(c) => {
                let Some(what) = callee(c) else {
                    return Kind::Unknown;
                };
                let on = receiver(c);
                if let (None, Some(kind)) = (on, self.returned(what, steps)) {
                    return kind;
                }
                let module = on.and_then(name).and_then(|n| self.module_of(n));
                let module = module.as_deref().unwrap_or("");
                if what == "Series" {
                    return Kind::Series;
                }
                if what == "concat" && module == "pandas" || FRAMES.contains(&what) {
                    return Kind::Frame;
                }
                if ARRAYS.contains(&what) && on.is_some() || module == "numpy" {
                    return Kind::Array;
                }
                if matches!(what, "list" | "tuple" | "sorted" | "tolist") {
                    return Kind::List;
                }
                match on {
                    Some(_) if what == "drop" && keyword(c, "columns").is_some() => Kind::Frame,
                    Some(on) if SAME.contains(&what) => of(on),
                    Some(on) if matches!(what, "map" | "apply" | "pop") => match of(on) {
                        Kind::Frame if what == "pop" => Kind::Series,
                        Kind::Series => Kind::Series,
                        _ => Kind::Unknown,
                    },
                    _ => Kind::Unknown,
                }
            }
            Expr::Subscript(s) => match (&*s.value, &*s.slice) {
                (Expr::Attribute(a), slice) if matches!(a.attr.as_str(), "iloc" | "loc") => {
                    let column = slice.as_tuple_expr().and_then(|t| t.elts.get(1));
                    match (of(&a.value), column) {
                        (Kind::Frame | Kind::Unknown, Some(Expr::Slice(_) | Expr::List(_))) => {
                            Kind::Frame
                        }
                        (Kind::Frame | Kind::Unknown, Some(_)) => Kind::Series,
                        (kind, None) if !slice.is_number_literal_expr() => kind,
                        _ => Kind::Unknown,
                    }
                }
                (_, Expr::List(_)) => match of(&s.value) {
                    Kind::Array => Kind::Array,
                    _ => Kind::Frame,
                },
                (_, slice) if text_of(slice).is_some() => match of(&s.value) {
                    Kind::Frame => Kind::Series,
                    _ => Kind::Unknown,
                },
                (_, Expr::Compare(_) | Expr::BinOp(_) | Expr::UnaryOp(_)) => of(&s.value),
                (_, Expr::Name(n)) => match self.value(n.id.as_str()) {
                    Some((_, Expr::List(_) | Expr::ListComp(_))) => match of(&s.value) {
                        Kind::Array => Kind::Array,
                        _ => Kind::Frame,
                    },
                    Some((_, Expr::Compare(_) | Expr::BinOp(_))) => of(&s.value),
                    _ => Kind::Unknown,
                },
                (_, Expr::Slice(_)) => of(&s.value),
                (_, Expr::Tuple(_)) => match of(&s.value) {
                    Kind::Array => Kind::Array,
                    _ => Kind::Unknown,
                },
                _ => Kind::Unknown,
            },
            Expr::Attribute(a) => match a.attr.as_str() {
                "values" => Kind::Array,
                "columns" | "index" => Kind::List,
                "T" => of(&a.value),
                // `df.price`: a column.
                _ => match of(&a.value) {
                    Kind::Frame => Kind::Series,
                    _ => Kind::Unknown,
                },
            },
            Expr::List(_) | Expr::ListComp(_) | Expr::Tuple(_) => Kind::List,
            Expr::Dict(_) | Expr::DictComp(_) => Kind::Dict,
            _ => Kind::Unknown,
        }
    }
}

/// Whether a value reads a name.
fn self_named(value: &Expr, target: &str) -> bool {
    let mut found = false;
    nbmedic_python::each_below(value, &mut |e| found |= name(e) == Some(target));
    found
}
