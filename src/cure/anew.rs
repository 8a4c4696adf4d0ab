//! What must run after a cell was changed, in the same kernel: the cells that depend on it, and before them those that make
//! anew what a cell changes by itself. After `df = df.drop(columns="a")` a cell can't run a second time, and after
//! `x = x * 2` it gives another value.

use crate::case::Case;
use crate::find::{callee, name, receiver, root};
use crate::known::function_around;
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_below, each_stmt, keyword, BindKind, Cell, Ranged, TextSize};
use std::collections::BTreeSet;

/// Maximum number of cells to run.
pub(crate) const MAX_CELLS: usize = 12;
/// Methods that change what they are called on.
const CHANGES: &[&str] = &[
    "append", "extend", "insert", "pop", "remove", "update", "add_",
];
/// Methods and functions that change nothing when they get their own result.
const SETTLED: &[&str] = &[
    "abs",
    "array",
    "asarray",
    "astype",
    "bfill",
    "bool",
    "ceil",
    "clip",
    "contiguous",
    "copy",
    "cpu",
    "cuda",
    "detach",
    "double",
    "drop_duplicates",
    "dropna",
    "ffill",
    "fillna",
    "flatten",
    "float",
    "floor",
    "int",
    "list",
    "long",
    "lower",
    "lstrip",
    "normalize",
    "query",
    "ravel",
    "rename",
    "reset_index",
    "round",
    "rstrip",
    "set",
    "sort_index",
    "sort_values",
    "sorted",
    "str",
    "strip",
    "title",
    "to",
    "to_datetime",
    "to_numeric",
    "tuple",
    "update",
    "upper",
];

/// The names that a cell reads and then changes, where other cells see them.
pub(crate) fn updates(python: &Cell) -> Vec<&str> {
    let names = python.names();
    let changed = changed(python);
    let set = |n: &str| {
        let mut sets = names.sets(n);
        sets.any(|b| matches!(b.kind, BindKind::Assign | BindKind::Augmented))
    };
    let needs = names.needs().into_iter();
    needs.filter(|n| set(n) || changed.contains(n)).collect()
}

/// The names whose object a cell changes in place.
pub(crate) fn changed(python: &Cell) -> Vec<&str> {
    let mut out = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if function_around(python, s).is_some() {
            return;
        }
        let value = match s {
            Stmt::Assign(a) => Some(&*a.value),
            Stmt::Expr(e) => Some(&*e.value),
            _ => None,
        };
        let call = value.and_then(Expr::as_call_expr).filter(|c| in_place(c));
        out.extend(call.and_then(receiver).and_then(root));
        match s {
            Stmt::Assign(a) => out.extend(a.targets.iter().filter(|t| is_part(t)).filter_map(root)),
            Stmt::AugAssign(a) => out.extend(root(&a.target)),
            Stmt::Delete(d) => out.extend(d.targets.iter().filter(|t| is_part(t)).filter_map(root)),
            _ => {}
        }
    });
    out
}

fn is_part(target: &Expr) -> bool {
    !target.is_name_expr()
}

fn in_place(call: &ExprCall) -> bool {
    callee(call).is_some_and(|m| CHANGES.contains(&m)) || keyword(call, "inplace").is_some()
}

/// Whether a method or function gives its own result back: `x.astype(float)`, not `x.reset_index()`.
fn settles(call: &ExprCall) -> bool {
    let drops = || keyword(call, "drop").is_some();
    callee(call).is_some_and(|f| SETTLED.contains(&f) && (f != "reset_index" || drops()))
}

/// Whether a value computed from `of` is the same when it is computed from itself.
fn is_settled(python: &Cell, value: &Expr, of: &str) -> bool {
    let is = |e: &Expr| python.slice(e) == of;
    match value {
        e if is(e) => true,
        Expr::Call(c) => {
            let on = receiver(c).filter(|on| is_settled(python, on, of));
            let given = || {
                c.arguments
                    .args
                    .first()
                    .filter(|a| is_settled(python, a, of))
            };
            settles(c) && (on.is_some() || given().is_some())
        }
        // The accessor of `s.str.strip()`; `t.loc[mask]`.
        Expr::Attribute(a) => {
            matches!(a.attr.as_str(), "str" | "dt" | "loc") && is_settled(python, &a.value, of)
        }
        // A condition or a list of columns, not `x[1:]` or `x[0]`.
        Expr::Subscript(s) => {
            let takes = matches!(
                &*s.slice,
                Expr::Compare(_)
                    | Expr::BinOp(_)
                    | Expr::List(_)
                    | Expr::UnaryOp(_)
                    | Expr::Call(_)
            );
            takes && is_settled(python, &s.value, of)
        }
        _ => false,
    }
}

/// Whether an expression reads a text of code: a name or a part of it.
fn reads(python: &Cell, value: &Expr, of: &str) -> bool {
    let mut found = false;
    each_below(value, &mut |e| found |= python.slice(e) == of);
    found
}

/// The names of other cells whose values are others, or which fail, when the statements of a cell run once more. Those at `until`
/// and below have not run.
fn changed_again(python: &Cell, until: Option<TextSize>) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    each_stmt(python.body(), &mut |s| {
        let ran = until.is_none_or(|u| s.start() < u);
        if !ran || function_around(python, s).is_some() {
            return;
        }
        match s {
            Stmt::Assign(a) => {
                let again = a.targets.iter().filter(|t| {
                    let of = python.slice(*t);
                    reads(python, &a.value, of) && !is_settled(python, &a.value, of)
                });
                out.extend(again.filter_map(root));
                let popped = a.value.as_call_expr().filter(|c| in_place(c));
                out.extend(popped.and_then(receiver).and_then(root));
            }
            Stmt::AugAssign(a) => out.extend(root(&a.target)),
            Stmt::Delete(d) => out.extend(d.targets.iter().filter(|t| is_part(t)).filter_map(root)),
            Stmt::Expr(e) => {
                let call = e
                    .value
                    .as_call_expr()
                    .filter(|c| in_place(c) && !settles(c));
                out.extend(call.and_then(receiver).and_then(root));
            }
            _ => {}
        }
    });
    out
}

impl Case<'_> {
    /// The cells to run so that a cell finds the names that it changes as before its first run, with the cell; they are in the
    /// order of the notebook. None if no cell above makes one of them.
    pub(crate) fn fresh(&self, cell: usize) -> Option<BTreeSet<usize>> {
        let names = self.python(cell).map(updates)?;
        self.fresh_names(cell, &names)
    }

    /// The cells that make anew what a cell changes by itself, to be run before it. Positions in the notebook.
    pub(crate) fn made_anew(&self, cell: usize) -> Option<Vec<usize>> {
        let run = self.fresh(cell)?.into_iter().filter(|c| *c != cell);
        Some(run.map(|c| self.position(c)).collect())
    }

    /// As `fresh`, for some of the names that it changes.
    fn fresh_names(&self, cell: usize, names: &[&str]) -> Option<BTreeSet<usize>> {
        let ran = self.book.before(self.at);
        let mut out = BTreeSet::from([cell]);
        let mut open = vec![cell];
        while let Some(at) = open.pop() {
            let python = self.python(at)?;
            let mut names: Vec<&str> = if at == cell {
                names.to_vec()
            } else {
                updates(python)
            };
            // Another name of an object that is changed in place.
            let changes = out.iter().filter_map(|c| self.python(*c));
            let changed: Vec<&str> = changes.flat_map(changed).collect();
            names.extend(python.names().binds.iter().filter_map(|b| {
                let other = b.value.and_then(name)?;
                let here = python.names().sets(other).next().is_some();
                (b.function.is_none() && changed.contains(&b.name) && !here).then_some(other)
            }));
            for n in names {
                let mut made = false;
                for above in (0..at).rev().filter(|c| ran.contains(c)) {
                    let Some(python) = self.python(above) else {
                        continue;
                    };
                    let names = python.names();
                    let sets = names.sets(n).next().is_some_and(|b| !b.conditional);
                    made = sets && !names.needs().contains(&n);
                    if made || updates(python).contains(&n) {
                        if out.insert(above) {
                            open.push(above);
                        }
                        if made {
                            break;
                        }
                    }
                }
                if !made || out.len() > MAX_CELLS {
                    return None;
                }
            }
        }
        Some(out)
    }

    /// The cells to rerun after a cell was changed. Positions in the notebook, from 1.
    pub fn rerun(&self, from: usize) -> Vec<usize> {
        let all = self.depending(from).into_iter();
        all.map(|c| self.position(c)).collect()
    }

    /// The cells to rerun after a cell was changed, in order: that cell, the later ones that depend
    /// on the change, and the failing one.
    pub fn depending(&self, from: usize) -> Vec<usize> {
        let mut out = vec![from];
        if from == self.at {
            return out;
        }
        let mut dirty: Vec<String> = Vec::new();
        let sets = |at: usize, dirty: &mut Vec<String>| {
            if let Some(cell) = self.python(at) {
                let names = cell.names();
                dirty.extend(
                    names
                        .binds
                        .iter()
                        .filter(|b| b.function.is_none())
                        .map(|b| b.name.to_owned()),
                );
                // `parts.append(…)`
                dirty.extend(changed(cell).into_iter().map(str::to_owned));
            }
        };
        sets(from, &mut dirty);
        let order = self.book.before(self.at);
        for at in order.iter().copied().skip_while(|i| *i != from).skip(1) {
            let Some(cell) = self.python(at) else {
                continue;
            };
            if cell
                .names()
                .needs()
                .iter()
                .any(|n| dirty.iter().any(|d| d == n))
            {
                out.push(at);
                sets(at, &mut dirty);
            }
        }
        out.push(self.at);
        out
    }

    /// The cells to run after an edit: `run`, and those that make anew what its cells change by themselves. `edited` has the cells
    /// as they are after the edit. Indices of cells; the failing one stays the last.
    pub(crate) fn run_anew(&self, run: &[usize], edited: &[(usize, Cell)]) -> Vec<usize> {
        let mut out: BTreeSet<usize> = run.iter().copied().collect();
        for cell in run {
            let Some(python) = self.python(*cell) else {
                continue;
            };
            let until = (*cell == self.at).then(|| {
                let failed = self.frames.iter().find(|f| f.cell == *cell);
                let line = failed.map(|f| python.line_range(f.line).start());
                line.unwrap_or_default()
            });
            let after = edited.iter().find(|(c, _)| c == cell);
            let needs = after.map_or(python, |(_, c)| c).names().needs();
            let mut names = changed_again(python, until);
            names.retain(|n| needs.contains(n));
            let names: Vec<&str> = names.into_iter().collect();
            let makers = (!names.is_empty()).then(|| self.fresh_names(*cell, &names));
            out.extend(makers.flatten().into_iter().flatten());
        }
        if out.len() == run.len() || out.len() > MAX_CELLS {
            return run.to_vec();
        }
        let last = run.last().copied();
        let mut all: Vec<usize> = out.into_iter().filter(|c| Some(*c) != last).collect();
        all.extend(last);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{cures_of, error_at};

    /// The names that a cell changes once more.
    fn again(source: &str) -> Vec<String> {
        let cell = Cell::read(source).expect("a cell");
        let all = changed_again(&cell, None).into_iter();
        all.map(str::to_owned).collect()
    }

    #[test]
    fn what_settles_is_not_changed_again() {
        for source in [
            "df = df.dropna()",
            "df = df.dropna().reset_index(drop=True)",
            "df['t'] = pd.to_datetime(df['t'])",
            "df['n'] = df['n'].str.strip().str.lower()",
            "df = df[df['n'] > 0]",
            "df = df[['a', 'b']]",
            "df['sum'] = df['a'] + df['b']",
            "x = x.astype('float32')",
            "df.fillna(0, inplace=True)",
            "def f(df):\n    df = df.drop(columns='a')\n    return df",
        ] {
            assert_eq!(again(source), [""; 0], "{source}");
        }
    }

    #[test]
    fn what_changes_by_itself_is_changed_again() {
        for source in [
            "df = df.drop(columns='a')",
            "df = df.reset_index()",
            "df['x'] = df['x'] * 2",
            "df['x'] = df['x'].map({'a': 1})",
            "df.drop(columns='a', inplace=True)",
            "df.pop('a')",
            "y = df.pop('a')",
            "del df['a']",
            "df += 1",
            "df = df.iloc[1:]",
            "df = df[1:]",
            "for i in range(3):\n    df.append(i)",
        ] {
            assert_eq!(again(source), ["df"], "{source}");
        }
    }

    #[test]
    fn an_edit_runs_the_cells_that_make_anew_what_its_cell_has_changed() {
        let made = "import pandas as pd\ndf = pd.DataFrame({'a': [1], 'n': ['1']})";
        let message = "'DataFrame' object has no attribute 'heaad'";
        for (changes, run) in [
            ("df = df.drop(columns='a')", &[1, 2][..]),
            ("df = df.dropna()", &[]),
        ] {
            let cells = [made, &format!("{changes}\ndf.heaad()")];
            let error = error_at(&cells, 2, "AttributeError", message);
            let all = cures_of(&cells, &error);
            assert_eq!(all[0].code, format!("{changes}\ndf.head()"), "{all:?}");
            assert_eq!(all[0].run, run, "{changes}");
        }
    }
}
