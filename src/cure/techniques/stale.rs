//! Values that are older than what they were made from: a cell above ran again, and those below it, which made something of its
//! result, did not.

use crate::anew::updates;
use crate::case::Case;
use crate::find::{callee, head_exprs, name, one_line};
use crate::keys::missing_keys;
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::Stmt;
use nbmedic_python::BindKind;
use nbmedic_wordings::about;

/// Maximum number of cells to run.
const MAX_CELLS: usize = 12;

/// Functions and methods that only show something.
const SHOWS: &[&str] = &[
    "bar",
    "barh",
    "boxplot",
    "describe",
    "display",
    "head",
    "hist",
    "info",
    "plot",
    "print",
    "scatter",
    "show",
    "tail",
    "value_counts",
];
/// A cell that ran again, and what it made too new.
struct Newer {
    /// The cell that ran again, and the name that it sets.
    cell: usize,
    of: String,
    /// The older value: a name, or the same one without the changes of a cell.
    older: String,
    /// The cells to run, in the order of the notebook; the failing one last.
    run: Vec<usize>,
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let keys = missing_keys(case.class(), message);
    let made = |cell: usize| {
        case.keys_in(cell)
            .into_iter()
            .any(|k| k.made && keys.contains(&k.name))
    };
    let newer = newer(case).filter(|n| {
        let lacks = n.run.iter().any(|c| *c != case.at && made(*c));
        about::UNEQUAL_LENGTHS.is_in(message) || about::OTHER_ROWS.is_in(message) || lacks
    });
    out.extend(newer.map(|n| cure(case, &n, Basis::Assumed)));
}

/// The same without a sign in the message.
pub(crate) fn perhaps(case: &Case<'_>, out: &mut Vec<Cure>) {
    let other = matches!(
        case.class(),
        "NameError"
            | "SyntaxError"
            | "ImportError"
            | "ModuleNotFoundError"
            | "FileNotFoundError"
            | "MemoryError"
            | "OutOfMemoryError"
    );
    if !other {
        out.extend(newer(case).map(|n| cure(case, &n, Basis::Guessed)));
    }
}

fn newer(case: &Case<'_>) -> Option<Newer> {
    let (cell, python, stmt) = case.here().filter(|(cell, ..)| *cell == case.at)?;
    if function_around(python, stmt).is_some() || case.book.is_excerpt() {
        return None;
    }
    let ran = |cell: usize| case.book.cells()[cell].ran;
    let exprs = head_exprs(stmt);
    for id in exprs.into_iter().filter_map(name) {
        // What the failing cell sets itself is as new as it.
        let Some(set) = case
            .last_set(id)
            .filter(|s| s.cell != cell && s.cell < cell)
        else {
            continue;
        };
        if !matches!(set.binding.kind, BindKind::Assign | BindKind::Augmented) {
            continue;
        }
        // Made from what another cell made anew since.
        let sources = case
            .python(set.cell)
            .map(|p| p.names().needs())
            .unwrap_or_default();
        let within = |n: &&str| reads(set.binding.stmt, n);
        for source in sources.into_iter().filter(within) {
            let anew = case
                .last_set(source)
                .filter(|s| s.cell < set.cell && ran(s.cell) > ran(set.cell));
            if let Some(anew) = anew {
                let run = below(case, anew.cell, source)?;
                return run.contains(&set.cell).then_some(Newer {
                    cell: anew.cell,
                    of: source.to_owned(),
                    older: id.to_owned(),
                    run,
                });
            }
        }
        // Made anew, without what a cell below does to it.
        let run = below(case, set.cell, id)?;
        let lost = run.iter().copied().find(|c| {
            let updates = case.python(*c).is_some_and(|p| updates(p).contains(&id));
            updates && *c != cell && ran(*c) < ran(set.cell)
        });
        if lost.is_some() {
            return Some(Newer {
                cell: set.cell,
                of: id.to_owned(),
                older: id.to_owned(),
                run,
            });
        }
    }
    None
}

/// Whether a statement reads a name.
fn reads(stmt: &Stmt, id: &str) -> bool {
    let mut found = false;
    nbmedic_python::each_expr(std::slice::from_ref(stmt), &mut |e| {
        found |= name(e) == Some(id)
    });
    found
}

/// The cells below one that depend on a name that it sets, down to the failing one, as far as they ran.
fn below(case: &Case<'_>, from: usize, id: &str) -> Option<Vec<usize>> {
    let mut dirty: Vec<&str> = vec![id];
    let mut out = Vec::new();
    for cell in from + 1..case.at {
        let ran = case.book.cells()[cell].ran.is_some();
        let Some(python) = case.python(cell).filter(|_| ran) else {
            continue;
        };
        let names = python.names();
        // What only shows something changes nothing.
        let sets = names.binds.iter().any(|b| b.function.is_none());
        let does = python.body().iter().any(|s| {
            let call = s.as_expr_stmt().and_then(|e| e.value.as_call_expr());
            call.and_then(callee).is_some_and(|f| !SHOWS.contains(&f))
        });
        let works = sets || does || !updates(python).is_empty();
        if works && names.needs().iter().any(|n| dirty.contains(n)) {
            out.push(cell);
            dirty.extend(
                names
                    .binds
                    .iter()
                    .filter(|b| b.function.is_none())
                    .map(|b| b.name),
            );
        }
    }
    out.push(case.at);
    (out.len() > 1 && out.len() <= MAX_CELLS).then_some(out)
}

fn cure(case: &Case<'_>, newer: &Newer, basis: Basis) -> Cure {
    let run: Vec<usize> = newer.run.iter().map(|c| case.position(*c)).collect();
    let first: Vec<String> = run[..run.len() - 1].iter().map(usize::to_string).collect();
    let from = case.position(newer.cell);
    let cells = if first.len() == 1 { "cell" } else { "cells" };
    let what = match newer.older == newer.of {
        true => format!(
            "what the cells below do to it was not done since ({})",
            first_line(case, newer)
        ),
        false => format!(
            "`{}` was made before that, from the `{}` of then",
            newer.older, newer.of
        ),
    };
    Cure {
        id: "run-below".into(),
        kind: FixKind::Run,
        basis,
        title: format!("Run {cells} {} again, then this cell", first.join(", ")),
        why: format!(
            "Cell {from} made `{}` anew after the cells below it had run: {what}.",
            newer.of
        ),
        run,
        ..Cure::default()
    }
}

/// The first line that was not run since.
fn first_line(case: &Case<'_>, newer: &Newer) -> String {
    let cell = newer.run[0];
    let source = case.book.cells()[cell].source;
    let line = source
        .lines()
        .find(|l| l.contains(newer.of.as_str()) && !l.trim_start().starts_with('#'));
    format!(
        "cell {}: `{}`",
        case.position(cell),
        one_line(line.unwrap_or(source))
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::ipython;
    use crate::{cures, Book, BookCell, Case};

    /// The cells that the first cure runs. Each cell is its source and its count; the last one fails.
    fn run(cells: &[(&str, i64)], class: &str, message: &str) -> Option<Vec<usize>> {
        let book = cells
            .iter()
            .enumerate()
            .map(|(i, (source, count))| BookCell {
                position: i + 1,
                source,
                count: Some(*count),
                ran: Some(count.unsigned_abs()),
                ..BookCell::default()
            });
        let book = Book::new(book.collect());
        let (line, count) = cells[cells.len() - 1];
        let error = ipython(class, &[(count, 1, line)], message);
        let all = cures(&Case::new(&book, cells.len() - 1, &error).expect("a case"));
        all.into_iter().find(|c| c.id == "run-below").map(|c| c.run)
    }

    #[test]
    fn a_mask_is_older_than_its_table() {
        let message = "Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed object do not match).";
        let cells = |counts: [i64; 4]| {
            [
                ("df = pd.read_csv('a.csv')", counts[0]),
                ("df = df[df['a'] > 25].reset_index(drop=True)", counts[1]),
                ("big = df['a'] > 110", counts[2]),
                ("df[big].plot()", counts[3]),
            ]
        };
        let run = |counts| run(&cells(counts), "IndexingError", message);
        assert_eq!(run([4, 2, 3, 5]), Some(vec![2, 3, 4]));
        assert_eq!(run([1, 2, 3, 4]), None);
    }

    #[test]
    fn a_column_is_lost_with_the_table_that_had_it() {
        let cells = |counts: [i64; 3]| {
            [
                ("df = pd.read_csv('a.csv')", counts[0]),
                ("df['ratio'] = df['a'] / df['b']", counts[1]),
                ("df['ratio'].plot()", counts[2]),
            ]
        };
        let run = |counts| run(&cells(counts), "KeyError", "'ratio'");
        assert_eq!(run([3, 2, 4]), Some(vec![2, 3]));
        assert_eq!(run([1, 2, 3]), None);
    }
}
