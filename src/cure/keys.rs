//! Columns and keys, as far as the cells' sources name them.

use crate::case::Case;
use nbmedic_python::ast::{Expr, ExprContext, Stmt};
use nbmedic_python::{each_expr, each_stmt, name_of, TextRange};

/// A string that a cell used as a column's name or a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub at: TextRange,
    /// The index of its cell in the book.
    pub cell: usize,
    /// The variable whose column or key it is, if it is one.
    pub owner: Option<String>,
    /// It is made there: assigned, or named in the table's own literal.
    pub made: bool,
}

/// Keyword arguments whose strings are columns.
const COLUMN_WORDS: &[&str] = &[
    "x",
    "y",
    "hue",
    "by",
    "on",
    "left_on",
    "right_on",
    "subset",
    "values",
    "index",
    "id_vars",
    "value_vars",
    "columns",
    "names",
    "usecols",
    "style",
    "size",
    "col",
    "row",
];

/// Methods whose first argument is a column or a list of them.
const COLUMN_CALLS: &[&str] = &[
    "groupby",
    "sort_values",
    "set_index",
    "drop_duplicates",
    "explode",
    "pivot",
    "nlargest",
    "value_counts",
];

/// The strings of a literal: a string, or a list or tuple of strings.
pub fn strings_of(expr: &Expr) -> Vec<(&str, TextRange)> {
    let elements = match expr {
        Expr::List(l) => l.elts.as_slice(),
        Expr::Tuple(t) => t.elts.as_slice(),
        Expr::Set(s) => s.elts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let strings = elements.iter().filter_map(|e| e.as_string_literal_expr());
    strings.map(|s| (s.value.to_str(), s.range)).collect()
}

impl Case<'_> {
    /// The columns and keys that a cell uses and makes, in order.
    pub fn keys_in(&self, cell: usize) -> Vec<Key> {
        let mut out: Vec<Key> = Vec::new();
        let Some(python) = self.python(cell) else {
            return out;
        };
        let mut add = |name: &str, at, owner: Option<String>, made| {
            out.push(Key {
                name: name.to_owned(),
                at,
                cell,
                owner,
                made,
            });
        };
        each_stmt(python.body(), &mut |s| {
            let Stmt::Assign(a) = s else { return };
            for target in &a.targets {
                // `df.columns = [...]`, `df = pd.DataFrame({...})`, `d = {...}`.
                match target {
                    Expr::Attribute(t) if t.attr.as_str() == "columns" => {
                        for (name, at) in strings_of(&a.value) {
                            add(name, at, name_of(&t.value), true);
                        }
                    }
                    Expr::Name(n) => {
                        let table = a.value.as_call_expr().and_then(|c| {
                            let made = name_of(&c.func)?;
                            let is = made.ends_with("DataFrame") || made == "dict";
                            c.arguments.args.first().filter(|_| is)
                        });
                        let dict = table.unwrap_or(&a.value).as_dict_expr();
                        for key in dict.iter().flat_map(|d| d.iter_keys().flatten()) {
                            for (name, at) in strings_of(key) {
                                add(name, at, Some(n.id.to_string()), true);
                            }
                        }
                    }
                    _ => {}
                }
            }
        });
        each_expr(python.body(), &mut |e| match e {
            Expr::Subscript(s) => {
                let made = s.ctx == ExprContext::Store;
                let base = match &*s.value {
                    Expr::Attribute(a) if matches!(a.attr.as_str(), "loc" | "at") => &a.value,
                    other => other,
                };
                let index = match &*s.slice {
                    // `df.loc[rows, 'column']`.
                    Expr::Tuple(t) if !std::ptr::eq(base, &*s.value) => t.elts.last(),
                    other => Some(other),
                };
                for (name, at) in index.iter().flat_map(|i| strings_of(i)) {
                    add(name, at, name_of(base), made);
                }
            }
            Expr::Call(c) => {
                let receiver = c.func.as_attribute_expr();
                let owner = receiver.and_then(|a| name_of(&a.value));
                let method = receiver.map_or("", |a| a.attr.as_str());
                if COLUMN_CALLS.contains(&method) {
                    for (name, at) in c.arguments.args.first().iter().flat_map(|a| strings_of(a)) {
                        add(name, at, owner.clone(), false);
                    }
                }
                for k in &c.arguments.keywords {
                    let word = k.arg.as_ref().map_or("", |a| a.as_str());
                    if word == "columns" && method == "rename" {
                        let dict = k.value.as_dict_expr();
                        let values = dict.iter().flat_map(|d| d.iter_values());
                        for (name, at) in values.flat_map(strings_of) {
                            add(name, at, owner.clone(), true);
                        }
                    } else if COLUMN_WORDS.contains(&word) && method != "drop" {
                        for (name, at) in strings_of(&k.value) {
                            add(name, at, owner.clone(), word == "names");
                        }
                    }
                }
            }
            _ => {}
        });
        out
    }

    /// The columns and keys of the cells that ran before, the latest first.
    pub fn keys_before(&self) -> Vec<Key> {
        let cells = self.book.before(self.at);
        let all = cells.into_iter().rev().flat_map(|c| self.keys_in(c));
        all.collect()
    }

    /// Whether a cell that ran used a column or key.
    pub fn knows_key(&self, name: &str) -> bool {
        self.keys_before().iter().any(|k| k.name == name)
    }
}
