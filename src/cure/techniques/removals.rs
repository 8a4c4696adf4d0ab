//! Statements that take a column from a table: it is removed, renamed or moved to the index.

use crate::case::Case;
use crate::keys::strings_of;
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, keyword, name_of, Cell, Ranged, TextRange};

/// How a column disappeared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    Dropped,
    Renamed(String),
    Index,
    /// It became one of several index levels.
    Level,
}

/// Code that removes a column.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    pub(super) cell: usize,
    pub(super) line: u32,
    pub(super) how: Gone,
    /// The variable that loses it, if known.
    pub(super) owner: Option<String>,
    pub(super) text: String,
    /// The whole statement, if it does nothing else and removes no other column.
    pub(super) stmt: Option<TextRange>,
}
/// The strings that a `drop` call names as columns.
pub(super) fn drops(call: &ExprCall) -> Vec<(&str, TextRange)> {
    let mut out = Vec::new();
    for k in ["columns", "labels"] {
        out.extend(keyword(call, k).iter().flat_map(|k| strings_of(&k.value)));
    }
    out.extend(
        call.arguments
            .args
            .first()
            .iter()
            .flat_map(|a| strings_of(a)),
    );
    out
}

pub(super) fn method(call: &ExprCall) -> Option<(&Expr, &str)> {
    let a = call.func.as_attribute_expr()?;
    Some((&a.value, a.attr.as_str()))
}

pub(super) fn truthy(call: &ExprCall, word: &str) -> bool {
    let value = keyword(call, word).and_then(|k| k.value.as_boolean_literal_expr());
    value.is_some_and(|b| b.value)
}

/// Code in earlier cells that removes a column for good.
pub(super) fn removals(case: &Case<'_>, key: &str) -> Vec<Removal> {
    let mut out = Vec::new();
    let before = case.book.before(case.at).into_iter();
    for cell in before.chain([case.at]) {
        let Some(python) = case.python(cell) else {
            continue;
        };
        // In the failing cell, only code before the failing line.
        let own = case
            .innermost()
            .filter(|f| f.cell == case.at && f.function.is_none());
        let end = own.map(|f| python.line_range(f.line).start());
        each_stmt(python.body(), &mut |s| {
            if cell == case.at && end.is_none_or(|end| s.end() > end) {
                return;
            }
            removed(python, s, key, &mut |how, owner, at| {
                out.push(Removal {
                    cell,
                    line: python.line_of(at.start()),
                    how,
                    owner,
                    text: short(python, at),
                    stmt: alone(python, s, at, key).then(|| s.range()),
                });
            });
        });
    }
    out
}

/// What a statement removes of a table for good: how, the variable that loses it, and the place.
pub(super) fn removed(
    python: &Cell,
    s: &Stmt,
    key: &str,
    add: &mut dyn FnMut(Gone, Option<String>, TextRange),
) {
    match s {
        Stmt::Delete(d) => {
            for t in d.targets.iter().filter_map(|t| t.as_subscript_expr()) {
                if strings_of(&t.slice).iter().any(|(n, _)| *n == key) {
                    add(Gone::Dropped, name_of(&t.value), t.range);
                }
            }
        }
        Stmt::Assign(_) | Stmt::Expr(_) => {
            let target = s.as_assign_stmt().and_then(|a| name_of(a.targets.first()?));
            let kept = target.is_some();
            for call in calls(std::slice::from_ref(s)) {
                let Some((receiver, name)) = method(call) else {
                    continue;
                };
                let inplace = truthy(call, "inplace");
                if !(kept || inplace || name == "pop") {
                    continue;
                }
                let owner = if inplace || name == "pop" {
                    name_of(receiver)
                } else {
                    target.clone()
                };
                let first = || call.arguments.args.first();
                let is_key = |e: &Expr| strings_of(e).iter().any(|(n, _)| *n == key);
                let index = |e: Option<&Expr>| match e {
                    Some(Expr::List(l)) if l.elts.len() > 1 => Gone::Level,
                    _ => Gone::Index,
                };
                let how = match name {
                    "drop" if drops(call).iter().any(|(n, _)| *n == key) => Gone::Dropped,
                    "pop" if first().is_some_and(is_key) => Gone::Dropped,
                    "set_index"
                        if first()
                            .or(keyword(call, "keys").map(|k| &k.value))
                            .is_some_and(is_key) =>
                    {
                        index(first().or(keyword(call, "keys").map(|k| &k.value)))
                    }
                    "read_csv" | "read_excel"
                        if keyword(call, "index_col").is_some_and(|k| is_key(&k.value)) =>
                    {
                        index(keyword(call, "index_col").map(|k| &k.value))
                    }
                    "groupby" if first().is_some_and(is_key) && grouped(python, s, call) => {
                        index(first())
                    }
                    "rename" => match new_name(call, key) {
                        Some(new) => Gone::Renamed(new),
                        None => continue,
                    },
                    _ => continue,
                };
                add(how, owner, call.range);
            }
        }
        _ => {}
    }
}

/// Whether a statement removes a column of a variable for good, or makes it the index.
pub(super) fn removes(python: &Cell, s: &Stmt, owner: &str, key: &str) -> bool {
    let mut found = false;
    removed(python, s, key, &mut |_, of, _| {
        found |= of.as_deref() == Some(owner)
    });
    found
}

/// Whether a one-line statement does nothing but remove one column.
pub(super) fn alone(python: &Cell, stmt: &Stmt, at: TextRange, key: &str) -> bool {
    let one = |call: &ExprCall| {
        let mut names = drops(call);
        names.dedup_by_key(|(n, _)| *n);
        call.range == at && names.len() == 1 && names[0].0 == key
    };
    let whole = match stmt {
        Stmt::Delete(d) => d.targets.len() == 1,
        Stmt::Expr(e) => e.value.as_call_expr().is_some_and(one),
        Stmt::Assign(a) => a.value.as_call_expr().is_some_and(|c| {
            let table = method(c).and_then(|(r, _)| name_of(r));
            table.is_some() && table == a.targets.first().and_then(name_of) && one(c)
        }),
        _ => false,
    };
    let line = python.line_of(stmt.start());
    whole
        && line == python.line_of(stmt.end())
        && python.line(line).trim() == python.slice(stmt).trim()
}

/// Whether the grouped result has the key as its index.
pub(super) fn grouped(python: &Cell, stmt: &Stmt, call: &ExprCall) -> bool {
    let whole = python.slice(stmt);
    let kept = keyword(call, "as_index").is_none() && !whole.contains("reset_index");
    let ends = [
        "sum(",
        "mean(",
        "count(",
        "size(",
        "agg(",
        "max(",
        "min(",
        "median(",
        "nunique(",
        "aggregate(",
    ];
    kept && ends.iter().any(|e| whole.contains(e))
}

pub(super) fn new_name(call: &ExprCall, key: &str) -> Option<String> {
    let dict = keyword(call, "columns")?.value.as_dict_expr()?;
    dict.items.iter().find_map(|item| {
        let old = item.key.as_ref()?.as_string_literal_expr()?;
        let new = item.value.as_string_literal_expr()?;
        (old.value.to_str() == key).then(|| new.value.to_str().to_owned())
    })
}

/// The source of a range, shortened to one line.
pub(super) fn short(python: &Cell, at: TextRange) -> String {
    let text: Vec<&str> = python.slice(at).split_whitespace().collect();
    let text = text.join(" ");
    if text.chars().count() <= 60 {
        return text;
    }
    let cut: String = text.chars().take(57).collect();
    format!("{cut}…")
}
