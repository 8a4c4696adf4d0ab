//! Columns that existed before: removed, renamed or moved to the index by an earlier cell.

mod otherwise;

use crate::case::Case;
use crate::closest::closest;
use crate::edit::{Change, Said};
use crate::find::{only, Spot};
use crate::keys::{missing_keys, strings_of};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, keyword, name_of, Cell, Ranged, TextRange};
use otherwise::{by_a_cell_below, by_own_function, counts_renamed, left_out_of_format};

/// How a column disappeared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Gone {
    Dropped,
    Renamed(String),
    Index,
    /// It became one of several index levels.
    Level,
}

/// Code that removes a column.
#[derive(Clone, Debug)]
struct Removal {
    cell: usize,
    line: u32,
    how: Gone,
    /// The variable that loses it, if known.
    owner: Option<String>,
    text: String,
    /// The whole statement, if it does nothing else and removes no other column.
    stmt: Option<TextRange>,
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let Some(spot) = case.spot() else { return };
    let axis = case.class() == "KeyError" && case.message().contains("not found in axis");
    let Some(key) = keys.first() else {
        // Row labels aren't strings.
        if axis {
            out.extend(ignore(case, &spot, "a row", None));
        }
        return;
    };
    if let Some(cure) = left_out_of_format(case, key).or_else(|| by_own_function(case, key)) {
        out.push(cure);
        return;
    }
    let removals = removals(case, key);
    // A column recreated after its removal is missing for another reason.
    let made = case
        .keys_before()
        .into_iter()
        .find(|k| k.made && k.name == *key);
    let last = removals.iter().max_by_key(|r| order(case, r.cell));
    let last = last.filter(|r| made.is_none_or(|m| order(case, m.cell) <= order(case, r.cell)));
    if axis {
        out.extend(match last {
            Some(removal) => ignore(case, &spot, &format!("`{key}`"), Some(removal)),
            None => columns_axis(case, &spot, key)
                .or_else(|| ignore(case, &spot, &format!("`{key}`"), None)),
        });
        return;
    }
    let Some(removal) = last else { return };
    if !same_table(case, &spot, key, removal) {
        return;
    }
    if let Some(cure) = by_a_cell_below(case, key, removal) {
        out.push(cure);
        return;
    }
    out.extend(match &removal.how {
        Gone::Renamed(new) => renamed(case, &spot, key, new, removal),
        Gone::Index | Gone::Level => index(case, &spot, key, removal),
        Gone::Dropped => keep(case, key, removal).or_else(|| words(case, &spot, key, removal)),
    });
}

/// A cell's rank in the execution order.
fn order(case: &Case<'_>, cell: usize) -> Option<usize> {
    if cell == case.at {
        return Some(usize::MAX);
    }
    let order = case.book.before(case.at);
    order.iter().position(|c| *c == cell)
}

/// The strings that a `drop` call names as columns.
fn drops(call: &ExprCall) -> Vec<(&str, TextRange)> {
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

fn method(call: &ExprCall) -> Option<(&Expr, &str)> {
    let a = call.func.as_attribute_expr()?;
    Some((&a.value, a.attr.as_str()))
}

fn truthy(call: &ExprCall, word: &str) -> bool {
    let value = keyword(call, word).and_then(|k| k.value.as_boolean_literal_expr());
    value.is_some_and(|b| b.value)
}

/// Code in earlier cells that removes a column for good.
fn removals(case: &Case<'_>, key: &str) -> Vec<Removal> {
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
fn removed(
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
fn alone(python: &Cell, stmt: &Stmt, at: TextRange, key: &str) -> bool {
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
fn grouped(python: &Cell, stmt: &Stmt, call: &ExprCall) -> bool {
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

fn new_name(call: &ExprCall, key: &str) -> Option<String> {
    let dict = keyword(call, "columns")?.value.as_dict_expr()?;
    dict.items.iter().find_map(|item| {
        let old = item.key.as_ref()?.as_string_literal_expr()?;
        let new = item.value.as_string_literal_expr()?;
        (old.value.to_str() == key).then(|| new.value.to_str().to_owned())
    })
}

/// The source of a range, shortened to one line.
fn short(python: &Cell, at: TextRange) -> String {
    let text: Vec<&str> = python.slice(at).split_whitespace().collect();
    let text = text.join(" ");
    if text.chars().count() <= 60 {
        return text;
    }
    let cut: String = text.chars().take(57).collect();
    format!("{cut}…")
}

/// Whether the failing code reads the table that lost the column, or one derived from it. Unknown
/// counts as yes.
fn same_table(case: &Case<'_>, spot: &Spot<'_>, key: &str, removal: &Removal) -> bool {
    let Some(owner) = &removal.owner else {
        return true;
    };
    let literal = spot.strings(key).next();
    let holders: Vec<String> = spot
        .exprs
        .iter()
        .filter_map(|e| match e {
            Expr::Subscript(s) => name_of(&s.value),
            Expr::Call(c) => {
                let data = keyword(c, "data").and_then(|k| name_of(&k.value));
                data.or_else(|| method(c).and_then(|(r, _)| name_of(r)))
            }
            _ => None,
        })
        .collect();
    if literal.is_none() || holders.is_empty() {
        return true;
    }
    holders.iter().any(|h| {
        h == owner
            || case.value(h).is_some_and(|(cell, value)| {
                case.python(cell)
                    .is_some_and(|p| p.slice(value).contains(owner.as_str()))
            })
    })
}

/// The call to `drop` in the failing statement.
fn drop_call<'c>(spot: &Spot<'c>) -> Option<&'c ExprCall> {
    let drop = |c: &&ExprCall| method(c).is_some_and(|(_, m)| m == "drop");
    only(spot.calls().filter(drop))
}

fn ignore(case: &Case<'_>, spot: &Spot<'_>, what: &str, removal: Option<&Removal>) -> Option<Cure> {
    let call = drop_call(spot)?;
    if keyword(call, "errors").is_some() {
        return None;
    }
    // A column with a similar name is meant.
    let known = case.keys_before();
    let near = |key: &String| closest(key, known.iter().map(|k| k.name.as_str())).is_some();
    let missing = missing_keys(case.class(), case.message());
    if removal.is_none() && missing.iter().any(near) {
        return None;
    }
    let mut changes = vec![spot.editor().add(call, "errors=\"ignore\"")];
    changes.extend(guarded(case, spot));
    let (basis, why) = match removal {
        Some(r) => (
            Basis::Source,
            format!(
                "Cell {} (line {}) removed {what} already: `{}`. This cell has nothing to do for it any more.",
                case.position(r.cell),
                r.line,
                r.text
            ),
        ),
        None => (
            Basis::Assumed,
            format!("{} is not there: usually the cell ran before and removed it then. `errors=\"ignore\"` leaves out what is gone; a misspelt name would be left out too.", capital(what)),
        ),
    };
    let said = Said {
        id: "drop-again",
        basis,
        title: "Add `errors=\"ignore\"` to `drop(…)`".to_owned(),
        why,
    };
    case.edits(said, changes)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| {
        c.to_uppercase().collect::<String>() + chars.as_str()
    })
}

/// A second `names.remove('x')` with the same name would fail too.
fn guarded(case: &Case<'_>, spot: &Spot<'_>) -> Vec<Change> {
    let keys = missing_keys(case.class(), case.message());
    let mut out = Vec::new();
    for stmt in spot.python.body() {
        let call = stmt.as_expr_stmt().and_then(|e| e.value.as_call_expr());
        let Some((receiver, "remove")) = call.and_then(method) else {
            continue;
        };
        let name = call.and_then(|c| c.arguments.args.first()?.as_string_literal_expr());
        if name.is_some_and(|n| keys.iter().any(|k| k == n.value.to_str())) {
            if let Some(name) = name {
                let guard = format!("if {} in {}: ", spot.text(name), spot.text(receiver));
                out.push(Change::before(spot.cell, stmt, guard));
            }
        }
    }
    out
}

/// `drop('x')` without `axis` searches the rows.
fn columns_axis(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<Cure> {
    let call = drop_call(spot)?;
    let by_column = ["axis", "columns", "index", "errors"];
    if by_column.iter().any(|k| keyword(call, k).is_some()) || call.arguments.args.len() != 1 {
        return None;
    }
    let known = case.knows_key(key);
    let said = Said {
        id: "drop-columns",
        basis: if known { Basis::Source } else { Basis::Assumed },
        title: "Add `axis=1` to `drop(…)`".to_owned(),
        why: format!("Without `axis=1`, `drop` looks for `{key}` among the rows."),
    };
    let change = spot.editor().add(call, "axis=1");
    case.edits(said, vec![change])
}

fn renamed(
    case: &Case<'_>,
    spot: &Spot<'_>,
    key: &str,
    new: &str,
    removal: &Removal,
) -> Option<Cure> {
    if let Some(cure) = counts_renamed(case, key, new, removal) {
        return Some(cure);
    }
    let changes: Vec<Change> = spot
        .strings(key)
        .map(|s| {
            let quote = spot.text(s).chars().next_back().unwrap_or('\'');
            Change::replace(spot.cell, s, format!("{quote}{new}{quote}"))
        })
        .collect();
    let said = Said {
        id: "renamed-column",
        basis: Basis::Source,
        title: format!("Replace `'{key}'` by `'{new}'`"),
        why: format!(
            "Cell {} (line {}) renamed the column.",
            case.position(removal.cell),
            removal.line
        ),
    };
    case.edits(said, changes)
}

fn index(case: &Case<'_>, spot: &Spot<'_>, key: &str, removal: &Removal) -> Option<Cure> {
    let place = format!(
        "Cell {} (line {})",
        case.position(removal.cell),
        removal.line
    );
    let mut changes = Vec::new();
    for e in &spot.exprs {
        match e {
            // Reading the index as a column leaves the rows as they are.
            Expr::Subscript(s) if s.ctx.is_load() => {
                let is = s
                    .slice
                    .as_string_literal_expr()
                    .is_some_and(|n| n.value.to_str() == key);
                if is && is_rows_of(&s.value) {
                    let column = match removal.how {
                        Gone::Level => format!("get_level_values({})", spot.text(&*s.slice)),
                        _ => "to_series()".to_owned(),
                    };
                    let table = spot.text(&*s.value);
                    changes.push(Change::replace(
                        spot.cell,
                        *e,
                        format!("{table}.index.{column}"),
                    ));
                }
            }
            Expr::Call(c) => {
                let names = c.arguments.keywords.iter().any(|k| {
                    k.value
                        .as_string_literal_expr()
                        .is_some_and(|n| n.value.to_str() == key)
                });
                if let Some(data) = keyword(c, "data").filter(|_| names) {
                    changes.push(spot.editor().append(&data.value, ".reset_index()"));
                }
            }
            _ => {}
        }
    }
    let title = match changes.first().map(|c| c.text.as_str()) {
        Some(".reset_index()") => "Pass the table with `.reset_index()`".to_owned(),
        Some(text) => format!("Replace the column by `{text}`"),
        None => String::new(),
    };
    let said = Said {
        id: "column-is-index",
        basis: Basis::Source,
        title,
        why: format!(
            "{place} made `{key}` the index (`{}`), so it isn't a column any more.",
            removal.text
        ),
    };
    case.edits(said, changes)
}

/// Whether an expression is a table name or a selection of its rows: `df[df["x"] > 1]`.
fn is_rows_of(e: &Expr) -> bool {
    match e {
        Expr::Subscript(s) => {
            matches!(*s.slice, Expr::Compare(_) | Expr::BinOp(_)) && is_rows_of(&s.value)
        }
        other => name_of(other).is_some(),
    }
}

/// Deletes the line that removes the column, and recreates the table.
fn keep(case: &Case<'_>, key: &str, removal: &Removal) -> Option<Cure> {
    let python = case.python(removal.cell)?;
    let stmt = removal.stmt?;
    let line = python.line_of(stmt.start());
    // A block needs at least one line.
    if !python.indent(line).is_empty() {
        return None;
    }
    let range = python.line_range(line);
    let more = python.text()[range.end().to_usize()..].starts_with('\n');
    let end = range.end() + nbmedic_python::TextSize::new(u32::from(more));
    let place = match removal.cell == case.at {
        true => format!("Line {line}"),
        false => format!("Line {line} of cell {}", case.position(removal.cell)),
    };
    let mut cure = case.edits(
        Said {
            id: "keep-column",
            basis: Basis::Assumed,
            title: format!("Keep `{key}`: remove line {line}, `{}`", removal.text),
            why: format!("{place} removes `{key}`, which is still read. Without that line, make the table again."),
        },
        vec![Change::replace(removal.cell, TextRange::new(range.start(), end), "")],
    )?;
    // Only recreating the table restores what was removed.
    let owner = removal.owner.as_deref()?;
    let made = case.set_before(owner).into_iter().find(|s| {
        let value = s
            .binding
            .value
            .and_then(|v| Some(case.python(s.cell)?.slice(v)));
        value.is_none_or(|v| !v.contains(owner))
    })?;
    let order = case.book.before(case.at);
    let from = order.iter().position(|c| *c == made.cell);
    let cells = order.get(from.unwrap_or(order.len())..)?.iter();
    cure.run = cells.map(|c| case.position(*c)).collect();
    cure.run.push(case.position(case.at));
    cure.run.dedup();
    Some(cure)
}

fn words(case: &Case<'_>, spot: &Spot<'_>, key: &str, removal: &Removal) -> Option<Cure> {
    let place = case.position(removal.cell);
    spot.strings(key).next()?;
    Some(Cure {
        id: "column-removed".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!("Leave `{key}` out here, or keep it in cell {place}"),
        why: format!(
            "Cell {place} (line {}) removed it: `{}`.",
            removal.line, removal.text
        ),
        ..Cure::default()
    })
}
