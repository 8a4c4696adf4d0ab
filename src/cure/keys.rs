//! Columns and keys named in the cells' sources.

use crate::case::Case;
use nbmedic_python::ast::{Expr, ExprContext, Stmt};
use nbmedic_python::{each_expr, each_stmt, name_of, TextRange};
use nbmedic_wordings::{about, datasets, pandas, polars, seaborn};

/// A string that a cell uses as a column name or key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// Its range.
    pub at: TextRange,
    /// Index of its cell in the notebook.
    pub cell: usize,
    /// The variable that it indexes, if any.
    pub owner: Option<String>,
    /// Whether it is created there: assigned, or listed in the table's literal.
    pub made: bool,
}

/// Keyword arguments whose string values are columns.
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
    "schema",
    "usecols",
    "style",
    "size",
    "col",
    "row",
];

/// Methods whose first argument is a column or a list of them.
pub(crate) const COLUMN_CALLS: &[&str] = &[
    "groupby",
    "sort_values",
    "set_index",
    "drop_duplicates",
    "explode",
    "pivot",
    "nlargest",
    "value_counts",
    "remove_columns",
    "rename_column",
    "cast_column",
];

/// The same in polars, where each argument is one.
const COLUMNS_CALLS: &[&str] = &[
    "col",
    "group_by",
    "select",
    "sort",
    "over",
    "drop_nulls",
    "unique",
    "get_column",
    "partition_by",
];

/// Methods whose keyword arguments make columns of their names.
const MAKES_WORDS: &[&str] = &["assign", "with_columns", "select", "agg", "aggregate"];

/// Keyword arguments of these methods that are none.
const NO_COLUMNS: &[&str] = &["func", "axis", "engine", "engine_kwargs"];

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

/// The quoted parts of `['a', "b's"]`, in order.
fn inside(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['\'', '"']) {
        let quote = if rest[start..].starts_with('"') {
            '"'
        } else {
            '\''
        };
        let after = &rest[start + 1..];
        let Some(end) = after.find(quote) else { break };
        out.push(after[..end].to_owned());
        rest = &after[end + 1..];
        // The text after the list describes the index itself.
        if rest.trim_start().starts_with(']') || out.len() > 50 {
            break;
        }
    }
    out
}

/// A text from a part of it on: a field holds only the beginning of a long list.
fn from<'m>(text: &'m str, part: &str) -> &'m str {
    text.find(part).map_or("", |at| &text[at..])
}

/// The columns that the table has, if a message lists them: polars and Hugging Face's datasets do.
pub fn listed_columns(message: &str) -> Vec<String> {
    let list = polars::VALID_COLUMNS.read(message);
    let list = list.or_else(|| datasets::COLUMNS.read(message));
    list.map_or_else(Vec::new, |[list]| inside(from(message, list)))
}

/// The columns or keys that a message reports missing.
pub fn missing_keys(class: &str, message: &str) -> Vec<String> {
    let message = message.trim().trim_matches('"').trim();
    if class == "KeyError" || class == "ValueError" {
        if let Some([name]) = pandas::PARSE_DATES.read(message) {
            return vec![name.to_owned()];
        }
        let lists = [
            pandas::COLUMNS_NOT_FOUND,
            pandas::COLUMNS_EXPECTED,
            pandas::COLUMNS_NOT_PRESENT,
        ];
        if let Some([list]) = lists.iter().find_map(|l| l.read(message)) {
            return inside(from(message, list));
        }
        if about::MISSING_COLUMNS.is_in(message) {
            return inside(message);
        }
    }
    // polars.
    if class == "ColumnNotFoundError" {
        if polars::NO_COLUMN.is_in(message) {
            let name = polars::NO_COLUMN.read(message);
            return name.iter().map(|[n]| (*n).to_owned()).collect();
        }
        // `"price" not found`, of which the first quote is gone; the name alone in older releases.
        let first = message.lines().next().unwrap_or(message);
        let name = first.strip_suffix(" not found").unwrap_or(first);
        let plain = name.len() < 120 && !name.contains(": ");
        return plain
            .then(|| name.trim_matches('"').to_owned())
            .into_iter()
            .collect();
    }
    // datasets: "Column price not in the dataset. Current columns in the dataset: ['a']"
    if let Some((before, _)) = message.split_once(" not in the dataset. Current columns") {
        let named = inside(before);
        let word = || before.rsplit(' ').next().map(str::to_owned);
        return match named.is_empty() {
            true => word().into_iter().collect(),
            false => named,
        };
    }
    if let Some([name, _]) = seaborn::NO_VARIABLE.read(message) {
        return vec![name.to_owned()];
    }
    if class != "KeyError" {
        return Vec::new();
    }
    if let Some([name]) = pandas::COLUMN_NOT_FOUND.read(message) {
        return vec![name.trim_matches(['\'', '"']).to_owned()];
    }
    let key = message.trim_matches('\'');
    // A sentence, tuple or number isn't a name.
    let plain = !key.is_empty() && !key.contains('\n') && key.len() < 120;
    let name = plain && !key.starts_with(['(', '[']) && key.parse::<f64>().is_err();
    if name {
        vec![key.to_owned()]
    } else {
        Vec::new()
    }
}

impl Case<'_> {
    /// The columns and keys that a cell uses or creates, in order.
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
                            let is = made.ends_with("DataFrame")
                                || made.ends_with("Dataset.from_dict")
                                || made == "dict";
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
                // A table as a string in the cell: `read_csv(StringIO("a,b\n1,2"))`.
                let text = c
                    .arguments
                    .args
                    .first()
                    .and_then(|a| a.as_string_literal_expr());
                let text = text.filter(|_| {
                    name_of(&c.func).is_some_and(|n| n.rsplit('.').next() == Some("StringIO"))
                });
                if let Some(text) = text {
                    let head = text.value.to_str().trim_start().lines().next();
                    for name in head.into_iter().flat_map(|h| h.split(',')) {
                        add(name, text.range, None, true);
                    }
                }
                let receiver = c.func.as_attribute_expr();
                let owner = receiver.and_then(|a| name_of(&a.value));
                let method = receiver.map_or("", |a| a.attr.as_str());
                if COLUMN_CALLS.contains(&method) {
                    for (name, at) in c.arguments.args.first().iter().flat_map(|a| strings_of(a)) {
                        add(name, at, owner.clone(), false);
                    }
                }
                if COLUMNS_CALLS.contains(&method) {
                    for (name, at) in c.arguments.args.iter().flat_map(strings_of) {
                        add(name, at, owner.clone(), false);
                    }
                }
                // `pl.col("price").sum().alias("total")`, `ds.rename_column("price", "total")`
                let new = match method {
                    "alias" => c.arguments.args.first(),
                    "rename_column" => c.arguments.args.get(1),
                    _ => None,
                };
                for (name, at) in new.iter().flat_map(|e| strings_of(e)) {
                    add(name, at, None, true);
                }
                for k in &c.arguments.keywords {
                    let word = k.arg.as_ref().map_or("", |a| a.as_str());
                    if let Some(name) = k
                        .arg
                        .as_ref()
                        .filter(|_| MAKES_WORDS.contains(&method) && !NO_COLUMNS.contains(&word))
                    {
                        add(word, name.range, None, true);
                    } else if word == "columns" && method == "rename" {
                        let dict = k.value.as_dict_expr();
                        let values = dict.iter().flat_map(|d| d.iter_values());
                        for (name, at) in values.flat_map(strings_of) {
                            add(name, at, owner.clone(), true);
                        }
                    } else if COLUMN_WORDS.contains(&word) && method != "drop" {
                        for (name, at) in strings_of(&k.value) {
                            add(name, at, owner.clone(), matches!(word, "names" | "schema"));
                        }
                    }
                }
            }
            _ => {}
        });
        out
    }

    /// The columns and keys of earlier cells, latest first.
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

#[cfg(test)]
mod tests {
    use super::{listed_columns, missing_keys};

    #[test]
    fn missing_keys_are_read_in_all_their_forms() {
        let key = |m: &str| missing_keys("KeyError", m);
        assert_eq!(key("'Age'"), ["Age"]);
        assert_eq!(key("Age'"), ["Age"]);
        assert_eq!(key("\"['a', 'b'] not found in axis\""), ["a", "b"]);
        assert_eq!(key("\"['a b'] not in index\""), ["a b"]);
        assert_eq!(
            key("\"None of [Index(['a', 'b'], dtype='object')] are in the [columns]\""),
            ["a", "b"]
        );
        assert_eq!(key("'Column not found: price'"), ["price"]);
        assert_eq!(key("\"Label(s) ['a'] do not exist\""), ["a"]);
        assert_eq!(
            missing_keys(
                "ValueError",
                "Missing column provided to 'parse_dates': 'date'"
            ),
            ["date"]
        );
        assert_eq!(
            missing_keys(
                "ColumnNotFoundError",
                "unable to find column \"total\"; valid columns: [\"day\"]"
            ),
            ["total"]
        );
        let polars = |m: &str| missing_keys("ColumnNotFoundError", m);
        assert_eq!(polars("\"total\" not found"), ["total"]);
        assert_eq!(polars("total\n\nResolved plan until failure:"), ["total"]);
        let dataset =
            "Column totl not in the dataset. Current columns in the dataset: ['total', 'b']";
        assert_eq!(missing_keys("KeyError", dataset), ["totl"]);
        assert_eq!(listed_columns(dataset), ["total", "b"]);
        let dataset = "Column to remove ['totl'] not in the dataset. Current columns in the dataset: ['total']";
        assert_eq!(missing_keys("ValueError", dataset), ["totl"]);
        let listed = "unable to find column \"totl\"; valid columns: [\"day\", \"total\"]\n\nDid you mean \"total\"?";
        assert_eq!(listed_columns(listed), ["day", "total"]);
        assert!(listed_columns("'total'").is_empty());
        // Longer than what a field holds.
        let many: Vec<String> = (0..40).map(|n| format!("\"column_{n}\"")).collect();
        let long = format!(
            "unable to find column \"x\"; valid columns: [{}]",
            many.join(", ")
        );
        assert_eq!(listed_columns(&long).len(), 40);
        assert_eq!(
            missing_keys("ColumnNotFoundError", "\"a;b\" not found"),
            ["a;b"]
        );
        assert_eq!(key("\"Columns not found: 'a', 'b'\""), ["a", "b"]);
        assert_eq!(
            missing_keys(
                "ValueError",
                "Usecols do not match columns, columns expected but not found: ['x']"
            ),
            ["x"]
        );
        assert!(key("3").is_empty() && key("(1, 'a')").is_empty());
    }
}
