//! Fits changes into the surrounding code: adds the necessary parentheses, and checks that names are set before they
//! are read.

use crate::case::Case;
use crate::change::{applied, Change, Said};
use crate::code::{binds_tightly, Editor};
use crate::known::{function_around, is_builtin};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange, TextSize};

/// The expression with exactly this range.
fn expression(python: &Cell, range: TextRange) -> Option<&Expr> {
    let mut found = None;
    each_expr(python.body(), &mut |e| {
        if e.range() == range {
            found = Some(e);
        }
    });
    found
}

/// The range of the expression in a string, if the string is one expression that can be
/// parenthesized.
fn whole(text: &str) -> Option<TextRange> {
    let cell = Cell::read(text).filter(|c| c.broken().is_empty())?;
    let [Stmt::Expr(e)] = cell.body() else {
        return None;
    };
    let spread = match &*e.value {
        Expr::Tuple(t) => !t.parenthesized,
        Expr::Starred(_) | Expr::Yield(_) | Expr::YieldFrom(_) => true,
        _ => false,
    };
    (!spread).then(|| e.value.range())
}

/// Whether a string continues the expression before it, as a method, subscript or argument list
/// does.
fn goes_on(text: &str) -> bool {
    let operators = ["[", "("];
    operators.iter().any(|o| text.starts_with(o))
        || text
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether the code already has a change: `x.item()` where `x` is to become `x.item()`.
fn is_there(python: &Cell, change: &Change) -> bool {
    let source = python.text();
    let (from, to) = (
        change.range.start().to_usize(),
        change.range.end().to_usize(),
    );
    if change.range.is_empty() {
        if change.text.trim().len() < 4 {
            return false;
        }
        // Whole lines end at a line end.
        let lines = change.text.starts_with('\n') || change.text.ends_with('\n');
        let below = source.get(from..).is_some_and(|s| {
            let rest = s.strip_prefix(change.text.trim_end_matches('\n'));
            rest.is_some_and(|r| !lines || r.is_empty() || r.starts_with(['\n', '\r']))
        });
        let above = source.get(..from).is_some_and(|s| {
            let rest = s.strip_suffix(change.text.as_str());
            rest.is_some_and(|r| !lines || r.is_empty() || r.ends_with('\n'))
        });
        return below || above;
    }
    let was = python.slice(change.range);
    let text = change.text.as_str();
    if text.len() <= was.len() || whole(text).is_none() {
        return false;
    }
    text.match_indices(was).any(|(at, _)| {
        let Some(start) = from.checked_sub(at) else {
            return false;
        };
        let (Ok(first), Ok(size)) = (u32::try_from(start), u32::try_from(text.len())) else {
            return false;
        };
        let range = TextRange::at(TextSize::new(first), TextSize::new(size));
        source.get(start..start + text.len()) == Some(text)
            && start + text.len() >= to
            && expression(python, range).is_some()
    })
}

/// Adds the parentheses that keep a change's meaning, and drops changes that the code already has.
/// The cure's description is adjusted to match.
pub fn fitted(python: &Cell, changes: Vec<Change>, said: &mut Said) -> Vec<Change> {
    let mut out = Vec::new();
    for c in changes {
        if is_there(python, &c) {
            continue;
        }
        let node = c
            .node
            .filter(|n| c.range.is_empty() && n.end() == c.range.end());
        let behind = node
            .filter(|_| goes_on(&c.text))
            .and_then(|n| expression(python, n))
            .map(|e| e.as_starred_expr().map_or(e, |s| &s.value));
        let Some(of) = behind else {
            out.push(c);
            continue;
        };
        let brackets = Editor::new(c.cell, python).span(of);
        let bracketed = brackets != of.range();
        if !bracketed && binds_tightly(of) {
            out.push(c);
            continue;
        }
        let text = python.slice(of);
        let (loose, close) = (format!("{text}{}", c.text), format!("({text}){}", c.text));
        for words in [&mut said.title, &mut said.why] {
            *words = words.replace(&loose, &close);
        }
        if bracketed {
            // After its existing parentheses.
            out.push(Change {
                range: TextRange::empty(brackets.end()),
                ..c
            });
            continue;
        }
        out.push(Change::before(c.cell, of, "("));
        out.push(Change {
            text: format!("){}", c.text),
            ..c
        });
    }
    out.sort_by_key(|c| (c.range.start(), c.range.end()));
    let mut out = bracketed(python, out);
    requoted(python, &mut out);
    out
}

/// Changes the quotes of strings inside an f-string, because before Python 3.12 the f-string's own
/// quotes end it.
fn requoted(python: &Cell, changes: &mut [Change]) {
    if !changes.iter().any(|c| c.text.contains(['"', '\''])) {
        return;
    }
    let mut parts: Vec<(TextRange, char)> = Vec::new();
    each_expr(python.body(), &mut |e| {
        let Expr::FString(f) = e else { return };
        for part in f.value.f_strings() {
            let marks = python.slice(part).trim_start_matches(char::is_alphabetic);
            parts.extend(marks.chars().next().map(|m| (part.range(), m)));
        }
    });
    for c in changes {
        let inside =
            |(r, _): &&(TextRange, char)| r.start() < c.range.start() && c.range.end() < r.end();
        let Some((_, mark)) = parts.iter().rfind(inside) else {
            continue;
        };
        let other = if *mark == '"' { '\'' } else { '"' };
        if !c.text.contains(other) {
            c.text = c.text.replace(*mark, &other.to_string());
        }
    }
}

/// Like [`fitted`], for replaced expressions: the new text must form one expression in the tree of
/// the changed code.
fn bracketed(python: &Cell, mut changes: Vec<Change>) -> Vec<Change> {
    let inner: Vec<Option<TextRange>> = changes
        .iter()
        .map(|c| {
            let node = c.node.filter(|n| !c.range.is_empty() && *n == c.range)?;
            expression(python, node)?;
            whole(&c.text)
        })
        .collect();
    if inner.iter().all(Option::is_none) {
        return changes;
    }
    let after = applied(python.text(), &changes).and_then(|text| Cell::read(&text));
    let Some(after) = after else {
        return changes;
    };
    let mut grown = 0_i64;
    for (c, inner) in changes.iter_mut().zip(inner) {
        let start = i64::from(c.range.start().to_u32()) + grown;
        grown += i64::try_from(c.text.len()).unwrap_or(0) - i64::from(c.range.len().to_u32());
        let (Some(inner), Ok(start)) = (inner, u32::try_from(start)) else {
            continue;
        };
        let stands = expression(&after, inner + TextSize::new(start));
        if stands.is_none() {
            c.text = format!("({})", c.text);
        }
    }
    changes
}

/// Maximum number of repetitions of one mistake to change with it.
const MAX_TWINS: usize = 8;

/// The same changes at later occurrences of the same expression in the same function, if its names
/// aren't reassigned in between: they would fail too.
pub fn twins(python: &Cell, changes: &[Change]) -> Vec<Change> {
    let mut out: Vec<Change> = Vec::new();
    let names = python.names();
    for c in changes.iter().filter(|c| !c.text.contains('\n')) {
        // The innermost call, attribute or subscript around the change.
        let mut around: Option<&Expr> = None;
        each_expr(python.body(), &mut |e| {
            let unit = match e {
                Expr::Call(_) => true,
                Expr::Attribute(_) | Expr::Subscript(_) => e.range() == c.range,
                _ => false,
            };
            if unit && e.range().contains_range(c.range) && e.start() <= c.range.start() {
                around = Some(e);
            }
        });
        let Some(around) = around else { continue };
        let inside = around.range().contains_range(c.range)
            && (!c.range.is_empty()
                || c.range.end() < around.end()
                || c.node == Some(around.range()));
        if !inside || python.slice(around).len() < 4 {
            continue;
        }
        let home = function_around(python, around).map(Ranged::range);
        let mut read: Vec<&str> = Vec::new();
        nbmedic_python::each_below(around, &mut |e| {
            read.extend(e.as_name_expr().map(|n| n.id.as_str()));
        });
        let text = python.slice(around);
        // `df["n"] = df["n"].astype(float)`: below it is what the changed statement makes.
        let mut made: Vec<TextRange> = Vec::new();
        each_stmt(python.body(), &mut |s| {
            let assign = s.as_assign_stmt().filter(|_| s.end() >= around.end());
            let targets = assign.into_iter().flat_map(|a| &a.targets);
            made.extend(
                targets
                    .filter(|t| python.slice(*t) == text)
                    .map(|_| s.range()),
            );
        });
        each_expr(python.body(), &mut |e| {
            if e.start() < around.end() || out.len() >= MAX_TWINS || python.slice(e) != text {
                return;
            }
            let between = TextRange::new(around.end(), e.start());
            let set = names
                .binds
                .iter()
                .any(|b| read.contains(&b.name) && between.contains_range(b.at));
            let set = set || made.iter().any(|s| s.end() <= e.start());
            if set || function_around(python, e).map(Ranged::range) != home {
                return;
            }
            let by = e.start() - around.start();
            let (range, node) = (c.range + by, c.node.map(|n| n + by));
            let taken = |o: &Change| {
                o.range == range
                    || !o.range.is_empty()
                        && o.range.intersect(range).is_some_and(|r| !r.is_empty())
            };
            if !changes.iter().any(taken) && !out.iter().any(taken) {
                out.push(Change {
                    range,
                    node,
                    ..c.clone()
                });
            }
        });
    }
    out
}

/// Whether a changed cell reads a name that hasn't been set before.
pub fn unset(case: &Case<'_>, changed: &[(usize, Cell)]) -> bool {
    if case.book.is_excerpt() || case.imports_star() {
        return false;
    }
    changed.iter().any(|(cell, after)| {
        let Some(before) = case.python(*cell) else {
            return false;
        };
        let had = before.names();
        let had = had.needs();
        let earlier = case.book.before(*cell);
        let names = after.names();
        // Names in code that doesn't parse are only found in the text.
        let hidden = |n: &str| {
            let word = |c: char| !(c.is_alphanumeric() || c == '_');
            !before.broken().is_empty() && before.text().split(word).any(|w| w == n)
        };
        let needs = names.needs().into_iter();
        let mut fresh = needs.filter(|n| !had.contains(n) && !hidden(n));
        fresh.any(|name| {
            let sets = |at: &usize| {
                let new = changed.iter().find(|(c, _)| c == at).map(|(_, p)| p);
                let python = new.or_else(|| case.python(*at));
                python.is_some_and(|p| {
                    let names = p.names();
                    // A name that the cell read when it ran is set.
                    let read = names.uses.iter().any(|u| u.name == name && !u.deferred);
                    read || names.sets(name).next().is_some()
                })
            };
            !is_builtin(name) && !earlier.iter().any(sets)
        })
    })
}

#[cfg(test)]
mod tests;
