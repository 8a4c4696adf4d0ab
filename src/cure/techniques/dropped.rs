//! Columns that existed before: removed, renamed or moved to the index by an earlier cell.

use super::dropped_otherwise::{
    by_a_cell_below, by_own_function, counts_renamed, left_out_of_format,
};
use super::removals::{method, removals, Gone, Removal};
use crate::case::Case;
use crate::closest::closest;
use crate::edit::{Change, Said};
use crate::find::{only, Spot};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, name_of, TextRange};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let Some(spot) = case.spot() else { return };
    let axis = case.class() == "KeyError" && pandas::NOT_IN_AXIS.is_in(case.message());
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
