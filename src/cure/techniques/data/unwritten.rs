//! Columns that kept their missing values: `df["age"].fillna(0, inplace=True)` changes a copy of the column under
//! Copy-on-Write (pandas 3), and the table stays as it was.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, one_line, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_below, each_stmt, keyword, Cell, Ranged, TextRange};
use nbmedic_wordings::about;
use std::collections::BTreeSet;

/// Methods that leave fewer missing values.
const FILLS: &[&str] = &["fillna", "ffill", "bfill", "interpolate", "replace"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if about::MISSING_VALUES.is_in(case.message()) {
        out.extend(assigned(case));
    }
}

/// The table and the column of `table["column"].fillna(…, inplace=True)`.
fn filled(call: &ExprCall) -> Option<(&str, &str, &Expr, TextRange)> {
    let flag = keyword(call, "inplace")?;
    let set = flag
        .value
        .as_boolean_literal_expr()
        .is_some_and(|b| b.value);
    let target =
        receiver(call).filter(|_| set && callee(call).is_some_and(|m| FILLS.contains(&m)))?;
    let (table, column) = match target {
        Expr::Subscript(s) => (name(&s.value)?, text_of(&s.slice)?),
        Expr::Attribute(a) => (name(&a.value)?, a.attr.as_str()),
        _ => return None,
    };
    Some((table, column, target, flag.range()))
}

/// Assigns the filled columns.
fn assigned(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let tables = case.names_behind(&spot.exprs);
    let columns: BTreeSet<&str> = spot.exprs.iter().filter_map(|e| text_of(e)).collect();
    let version = case.setting().and_then(|s| s.version("pandas"));
    let major = version.and_then(|v| v.split('.').next()?.parse::<u32>().ok());
    let mut changes: Vec<Change> = Vec::new();
    let mut told = None;
    let failed = spot.stmt.map(Ranged::start);
    for cell in case.seen().into_iter().rev() {
        let copies = case.book.cells()[cell]
            .output
            .contains("ChainedAssignmentError");
        let Some(python) = case.python(cell).filter(|_| copies || major >= Some(3)) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let below = cell == spot.cell && failed.is_some_and(|f| s.start() >= f);
            let call = s.as_expr_stmt().and_then(|e| e.value.as_call_expr());
            let Some((call, (table, column, target, flag))) =
                call.and_then(|c| Some((c, filled(c)?))).filter(|_| !below)
            else {
                return;
            };
            // Where the failing line names columns, it is one of them.
            let meant = columns.is_empty() || columns.contains(column);
            if !tables.contains(table) || !meant || changes.first().is_some_and(|c| c.cell != cell)
            {
                return;
            }
            let editor = crate::code::Editor::new(cell, python);
            let target = python.slice(target);
            changes.push(Change::before(cell, s, format!("{target} = ")));
            changes.push(editor.remove(call, flag));
            let line = python.line_of(s.start());
            told.get_or_insert((
                target.to_owned(),
                cell,
                line,
                one_line(python.slice(s)),
                callee(call),
            ));
        });
    }
    let (target, cell, line, text, method) = told?;
    let mut cure = case.edits(
        said(
            "assign-the-column",
            Basis::Library,
            format!("Assign the filled column: `{target} = …{}(…)`", method?),
            format!("Line {line} of cell {}, `{text}`, fills a copy of the column: since pandas 3, `{target}` is one, and the table keeps its missing values.", case.position(cell)),
        ),
        changes,
    )?;
    // What was made from the table since has the gaps, too.
    let since = case.book.before(case.at);
    let made = since.into_iter().skip_while(|c| *c != cell).skip(1);
    let reads = |c: &usize| {
        let python = case.python(*c).map(Cell::names);
        python.is_some_and(|n| !n.binds.is_empty() && n.needs().iter().any(|n| tables.contains(*n)))
    };
    let made: Vec<usize> = made.filter(reads).map(|c| case.position(c)).collect();
    let at = cure.run.len().min(1);
    cure.run.retain(|c| !made.contains(c));
    cure.run.splice(at..at, made);
    Some(cure)
}

impl Case<'_> {
    /// The names that expressions read, and those that these were made from.
    pub(crate) fn names_behind(&self, exprs: &[&Expr]) -> BTreeSet<String> {
        let mut open: Vec<String> = exprs
            .iter()
            .filter_map(|e| name(e))
            .map(str::to_owned)
            .collect();
        let mut out: BTreeSet<String> = open.iter().cloned().collect();
        while let Some(n) = open.pop().filter(|_| out.len() < 40) {
            let mut add = |value: &Expr| {
                each_below(value, &mut |e| {
                    let new = name(e).filter(|n| !out.contains(*n) && self.module_of(n).is_none());
                    if let Some(n) = new {
                        out.insert(n.to_owned());
                        open.push(n.to_owned());
                    }
                });
            };
            let Some(set) = self.last_set(&n) else {
                continue;
            };
            match (set.binding.value, set.binding.stmt.as_assign_stmt()) {
                (Some(value), _) => add(value),
                // Several names at once.
                (None, Some(a)) => add(&a.value),
                _ => {}
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_below, ipython};

    #[test]
    fn a_filled_copy_is_assigned() {
        let warning = "ChainedAssignmentError: A value is being set on a copy of a DataFrame or Series through chained assignment using an inplace method.";
        let fill = "df['Age'].fillna(3, inplace=True)\ndf['Fare'].fillna(0, inplace=True)";
        let cast = "df['Age'] = df['Age'].astype(int)";
        let error = ipython(
            "IntCastingNaNError",
            &[(3, 1, cast)],
            "Cannot convert non-finite values (NA or inf) to integer",
        );
        let made = ("import pandas as pd\ndf = pd.read_csv('a.csv')", "");
        let cures = cures_below(&[made, (fill, warning), (cast, "")], &error);
        assert_eq!(
            cures[0].code,
            "df['Age'] = df['Age'].fillna(3)\ndf['Fare'].fillna(0, inplace=True)"
        );
        assert_eq!(cures[0].run, [2, 3]);
        // In pandas 2 it does change the table.
        let cures = cures_below(&[made, (fill, ""), (cast, "")], &error);
        assert!(cures.iter().all(|c| c.id != "assign-the-column"));
        // It fills another table.
        let other = "other['Age'].fillna(3, inplace=True)";
        let cures = cures_below(&[made, (other, warning), (cast, "")], &error);
        assert!(cures.iter().all(|c| c.id != "assign-the-column"));
        let fit = "model.fit(X, y)";
        let error = ipython("ValueError", &[(4, 1, fit)], "Input X contains NaN.");
        let part = ("X = df[['Age', 'Fare']]", "");
        let cures = cures_below(&[made, (fill, warning), part, (fit, "")], &error);
        assert_eq!(cures[0].run, [2, 3, 4]);
        assert_eq!(
            cures[0].code,
            "df['Age'] = df['Age'].fillna(3)\ndf['Fare'] = df['Fare'].fillna(0)"
        );
    }
}
