//! Data passed to an estimator, and where to fix it.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, name, receiver, Spot};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{keyword, positional, Cell, Ranged};

/// Methods whose first argument is a table and whose second one belongs to its rows.
const METHODS: &[&str] = &[
    "fit",
    "fit_predict",
    "fit_resample",
    "fit_transform",
    "partial_fit",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score",
    "transform",
];

/// Functions that take an estimator before the tables.
const FUNCTIONS: &[&str] = &[
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "learning_curve",
    "permutation_importance",
    "validation_curve",
];

/// A call that passes tables to an estimator.
#[derive(Debug)]
pub struct Feed<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The statement around the call.
    pub stmt: &'c Stmt,
    /// The call.
    pub call: &'c ExprCall,
    /// The method or function.
    pub method: &'c str,
    /// The estimator.
    pub estimator: Option<&'c Expr>,
    /// The table of features.
    pub x: &'c Expr,
    /// The targets.
    pub y: Option<&'c Expr>,
    /// Whether the call is inside a function.
    pub inside: bool,
}

fn feed_of<'c>(spot: &Spot<'c>, call: &'c ExprCall, inside: bool) -> Option<Feed<'c>> {
    let method = callee(call)?;
    let on = receiver(call);
    let first = match (
        METHODS.contains(&method) && on.is_some(),
        FUNCTIONS.contains(&method),
    ) {
        (true, _) => 0,
        (_, true) => 1,
        _ => return None,
    };
    let named = |n: &str| keyword(call, n).map(|k| &k.value);
    Some(Feed {
        cell: spot.cell,
        python: spot.python,
        stmt: match spot.stmt {
            Some(s) => s,
            None => crate::find::statement_of(spot.python, call.range())?,
        },
        call,
        method,
        estimator: if first == 0 {
            on
        } else {
            positional(call, 0).or(named("estimator"))
        },
        x: positional(call, first).or(named("X")).or(named("x"))?,
        y: positional(call, first + 1).or(named("y")),
        inside,
    })
}

/// Whether a statement is inside a function.
fn in_function(python: &Cell, stmt: &Stmt) -> bool {
    let mut found = false;
    nbmedic_python::each_stmt(python.body(), &mut |s| {
        found |= s.is_function_def_stmt()
            && s.range().contains_range(stmt.range())
            && s.range() != stmt.range();
    });
    found
}

/// The best place to change a table.
#[derive(Clone, Copy, Debug)]
pub struct Place<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The statement before which the table can be changed.
    pub stmt: &'c Stmt,
    /// The table's name, or the expression to change in place.
    pub table: &'c Expr,
    /// The targets that are split or passed together with the table.
    pub y: Option<&'c Expr>,
}

impl<'c> Place<'c> {
    /// The table's source.
    pub fn text(&self) -> &'c str {
        self.python.slice(self.table)
    }

    /// Changes the table. Each step maps the table's code to new code.
    pub fn change(&self, steps: &[&dyn Fn(&str) -> String]) -> Option<Change> {
        match (name(self.table), steps) {
            (Some(n), steps) => {
                let lines: Vec<String> = steps
                    .iter()
                    .map(|make| format!("{n} = {}", make(n)))
                    .collect();
                Some(Editor::new(self.cell, self.python).above(self.stmt, &lines.join("\n")))
            }
            (None, [make]) => {
                let text = crate::find::tight(self.python, self.table);
                Some(Change::replace(self.cell, self.table, make(&text)))
            }
            _ => None,
        }
    }
}

impl<'a> Case<'a> {
    /// The innermost of the user's calls that passed a table to an estimator on the way to the
    /// error.
    pub fn feed(&self) -> Option<Feed<'_>> {
        let spots = self.spots();
        for spot in &spots {
            // Newer versions of IPython print `?` for some function names.
            let inside = spot.stmt.is_some_and(|s| in_function(spot.python, s));
            let mut all = spot.calls().filter_map(|c| feed_of(spot, c, inside));
            // If a statement has several, take the one whose method appears in a library frame.
            let called = self.called();
            let first = all.next();
            let others: Vec<Feed<'_>> = all.collect();
            let wanted = first.into_iter().chain(others);
            let mut wanted: Vec<Feed<'_>> = wanted.collect();
            if wanted.len() > 1 {
                let known = wanted.iter().any(|f| called == Some(f.method));
                let last = wanted.len() - 1;
                let inner = wanted[last].call.range();
                let chained = wanted[..last]
                    .iter()
                    .all(|f| receiver(f.call).is_some_and(|r| r.range().contains_range(inner)));
                // `Model().fit(X, y).score(X, y)`: the fit runs first.
                if chained && !known {
                    wanted.drain(..last);
                }
            }
            if wanted.len() > 1 {
                wanted.retain(|f| called == Some(f.method));
            }
            if wanted.len() == 1 {
                return wanted.pop();
            }
            if !wanted.is_empty() {
                return None;
            }
        }
        None
    }

    /// The best place to change a table that is passed to a call: before it was split into training
    /// and test data, and before it became an array.
    pub fn place<'c>(&'c self, feed: &Feed<'c>, table: &'c Expr) -> Place<'c> {
        let mut place = Place {
            cell: feed.cell,
            python: feed.python,
            stmt: feed.stmt,
            table,
            y: feed.y,
        };
        if feed.inside {
            return place;
        }
        for _ in 0..4 {
            let next = match place.table {
                Expr::Name(n) => self.earlier(n.id.as_str()),
                Expr::Attribute(a) if a.attr.as_str() == "values" => Some(Place {
                    table: &a.value,
                    ..place
                }),
                Expr::Call(c) if matches!(callee(c), Some("to_numpy" | "as_matrix")) => {
                    receiver(c).map(|table| Place { table, ..place })
                }
                _ => None,
            };
            match next {
                Some(next) => place = next,
                None => break,
            }
        }
        place
    }

    fn earlier(&self, target: &str) -> Option<Place<'_>> {
        if let Some(split) = self.split_of(target) {
            return Some(Place {
                cell: split.cell,
                python: split.python,
                stmt: split.stmt,
                table: split.source(target)?,
                y: split.beside(target).and_then(|b| split.source(b)),
            });
        }
        // If an array was made from a table, the table has the columns.
        let set = self.last_set(target)?;
        let (cell, value) = self.value(target)?;
        let array = match value {
            Expr::Attribute(a) => a.attr.as_str() == "values",
            Expr::Call(c) => matches!(callee(c), Some("to_numpy" | "as_matrix")),
            _ => false,
        };
        let python = self.python(cell)?;
        let stmt = crate::find::statement_of(python, set.binding.at)?;
        array.then_some(Place {
            cell,
            python,
            stmt,
            table: value,
            y: None,
        })
    }

    /// The alias of a module, and the import line to insert if there is none.
    pub fn alias_or_import(&self, module: &str, usual: &str) -> (String, Option<String>) {
        match self.alias_of(module) {
            Some(alias) => (alias, None),
            None => (
                usual.to_owned(),
                Some(format!("import {module} as {usual}")),
            ),
        }
    }
}
