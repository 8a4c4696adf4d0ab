//! Columns that existed before: removed, renamed or moved to the index by an earlier cell.

use super::ran_twice::made_anew;
use crate::case::Case;
use crate::closest::closest;
use crate::edit::{Change, Said};
use crate::find::{only, quoted, Spot};
use crate::keys::{missing_keys, strings_of};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, keyword, name_of, Cell, Ranged, TextRange};

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

/// `ds.set_format("torch", columns=["input_ids"])`: the rows have these columns only.
fn left_out_of_format(case: &Case<'_>, key: &str) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let body = case.python(cell).map_or(&[][..], Cell::body);
        for call in calls(body)
            .into_iter()
            .filter(|c| method(c).is_some_and(|(_, m)| matches!(m, "set_format" | "with_format")))
        {
            let columns = keyword(call, "columns").and_then(|k| k.value.as_list_expr());
            let lacks = columns.filter(|l| {
                !l.elts.is_empty()
                    && l.elts
                        .iter()
                        .all(|e| strings_of(e).iter().any(|(t, _)| *t != key))
            });
            found.extend(lacks.map(|l| (cell, l)));
        }
    }
    let (cell, list) = only(found.into_iter())?;
    // A name that is written nowhere else may be misspelt.
    let known = case.seen().into_iter().filter(|c| *c != case.at).any(|c| {
        let source = case.book.cells()[c].source;
        source.contains(&format!("\"{key}\"")) || source.contains(&format!("'{key}'"))
    });
    let last = list.elts.last().filter(|_| known)?;
    case.edits(
        Said {
            id: "in-the-format",
            basis: Basis::Source,
            title: format!("Add `{key}` to the columns of the format"),
            why: format!(
                "Cell {} says which columns the rows have, and `{key}` is not among them.",
                case.position(cell)
            ),
        },
        vec![Change::after(cell, last, format!(", {}", quoted(key)))],
    )
}

/// A function of the notebook that takes a column from the table it is given, in place.
fn by_own_function(case: &Case<'_>, key: &str) -> Option<Cure> {
    let mut found = Vec::new();
    for (cell, stmt) in case.living() {
        let Some(f) = stmt.as_function_def_stmt() else {
            continue;
        };
        let python = case.python(cell)?;
        let takes = |of: &str| {
            let mut takes = None;
            each_stmt(&f.body, &mut |s| {
                // It works on a table of its own.
                let own = s
                    .as_assign_stmt()
                    .is_some_and(|a| a.targets.iter().any(|t| name_of(t).as_deref() == Some(of)));
                if own {
                    takes.get_or_insert(false);
                }
                if removes(python, s, of, key) && !own {
                    takes.get_or_insert(true);
                }
            });
            takes == Some(true)
        };
        let mut parameters = f.parameters.iter_non_variadic_params().enumerate();
        let of =
            parameters.find_map(|(i, p)| Some((i, p.name().as_str())).filter(|(_, n)| takes(n)));
        found.extend(of.map(|(i, of)| (cell, f, i, of)));
    }
    let (cell, f, index, of) = only(found.into_iter())?;
    // A table of the notebook was given to it.
    let given = case.seen().into_iter().any(|c| {
        let body = case.python(c).map_or(&[][..], Cell::body);
        calls(body).into_iter().any(|call| {
            let own = name_of(&call.func).as_deref() == Some(f.name.as_str());
            own && call
                .arguments
                .args
                .get(index)
                .is_some_and(Expr::is_name_expr)
        })
    });
    let first = f.body.iter().find(|s| {
        !s.as_expr_stmt()
            .is_some_and(|e| e.value.is_string_literal_expr())
    });
    let line = format!("{of} = {of}.copy()");
    case.edits(
        Said {
            id: "own-table",
            basis: Basis::Source,
            title: format!("Begin `{}` with `{line}`", f.name),
            why: format!(
                "`{}` takes `{key}` out of the very table that it is given, and not of its own.",
                f.name
            ),
        },
        vec![case.editor(cell)?.above(first.filter(|_| given)?, &line)],
    )
}

/// The failing cell ran again after one below it took the column away: from the top it works.
fn by_a_cell_below(case: &Case<'_>, key: &str, removal: &Removal) -> Option<Cure> {
    let owner = removal.owner.as_deref()?;
    (removal.cell > case.at).then_some(())?;
    let (at, below) = (case.position(case.at), case.position(removal.cell));
    let mut run = made_anew(case, removal.cell)?;
    let depend = (case.at + 1..=removal.cell).filter(|c| {
        let ran = case.book.cells()[*c].ran.is_some();
        ran && case
            .python(*c)
            .is_some_and(|p| p.names().needs().contains(&owner))
    });
    run.extend(depend.map(|c| case.position(c)));
    run.push(at);
    run.sort_unstable();
    run.dedup();
    let cells: Vec<String> = run.iter().map(usize::to_string).collect();
    Some(Cure {
        id: "run-from-above".into(),
        kind: FixKind::Run,
        basis: Basis::Record,
        title: format!("Run cells {} again, from top to bottom", cells.join(", ")),
        why: format!(
            "Cell {below}, below this one, ran before it and takes `{key}` away: `{}`.",
            removal.text
        ),
        run,
        ..Cure::default()
    })
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

/// `rename(columns={"index": "topic", "topic": "n"})` of counted values: since pandas 2 their columns are `topic` and `count`.
fn counts_renamed(case: &Case<'_>, key: &str, new: &str, removal: &Removal) -> Option<Cure> {
    let python = case.python(removal.cell)?;
    let mut found = Vec::new();
    for call in calls(python.body()) {
        let line = python.line_of(call.start()) <= removal.line
            && removal.line <= python.line_of(call.end());
        let dict = keyword(call, "columns")
            .and_then(|k| k.value.as_dict_expr())
            .filter(|_| line);
        let from_index = dict.is_some_and(|d| {
            d.items.iter().any(|i| {
                let text = |e: &Expr| {
                    e.as_string_literal_expr()
                        .map(|s| s.value.to_str().to_owned())
                };
                i.key.as_ref().and_then(text).as_deref() == Some("index")
                    && text(&i.value).as_deref() == Some(key)
            })
        });
        let counted = method(call).is_some_and(|(table, _)| {
            let made = case.made(removal.cell, table);
            let of = made.map_or_else(
                || python.slice(table),
                |m| case.python(m.cell).map_or("", |p| p.slice(m.expr)),
            );
            of.contains("value_counts") && of.contains("reset_index")
        });
        found.extend(dict.filter(|d| from_index && counted && d.items.len() == 2));
    }
    let dict = only(found.into_iter())?;
    let right = format!("{{\"count\": {}}}", quoted(new));
    case.edits(
        Said {
            id: "renamed-counts",
            basis: Basis::Library,
            title: format!("Rename the counts alone: `columns={right}`"),
            why: format!("Since pandas 2 `value_counts().reset_index()` has the columns `{key}` and `count`; before, they were `index` and `{key}`."),
        },
        vec![Change::replace(removal.cell, dict, right)],
    )
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
