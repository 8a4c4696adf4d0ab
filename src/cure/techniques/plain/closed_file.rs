//! Files read after the `with` that closed them.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{body, callee, name, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtWith};
use nbmedic_python::{each_below, each_expr, each_stmt, Cell, Ranged, TextRange};
use nbmedic_wordings::python;

/// Maximum number of statements moved into the `with`.
const MAX_MOVED: usize = 8;
/// Functions that read their input lazily.
const LAZY: &[&str] = &[
    "reader",
    "DictReader",
    "map",
    "filter",
    "enumerate",
    "zip",
    "iter",
    "islice",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ValueError" && python::CLOSED_FILE.is_in(case.message()) {
        out.extend(moved_in(case).or_else(|| read_within(case)));
    }
}

/// `with open(…) as f: reader = csv.reader(f)`, read in a cell below: all rows are read while the file is open.
fn read_within(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut found = Vec::new();
    for n in spot.exprs.iter().filter_map(|e| name(e)) {
        let Some(set) = case.last_set(n).filter(|s| s.cell != spot.cell) else {
            continue;
        };
        let call = set.binding.value.and_then(Expr::as_call_expr);
        let lazy = call.and_then(callee).is_some_and(|f| LAZY.contains(&f));
        let Some(python) = case.python(set.cell).filter(|_| lazy) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let with = s
                .as_with_stmt()
                .filter(|w| w.range().contains_range(set.binding.at));
            found.extend(with.and_then(|w| Some((n, set.cell, w.body.last()?))));
        });
    }
    let (n, cell, last) = only(found.into_iter())?;
    let line = format!("{n} = list({n})");
    case.edits(
        said(
            "inside-with",
            Basis::Library,
            format!("Read all of it while the file is open: `{line}`"),
            format!("`{n}` reads a line when it is asked for one, and `with` has closed the file by then."),
        ),
        vec![case.editor(cell)?.below(last, &line)],
    )
}

fn moved_in(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, failing) = case.here()?;
    let mut found = behind_with(python.body(), failing);
    each_stmt(python.body(), &mut |s| {
        found = found.or_else(|| behind_with(body(s), failing));
    });
    let (with, moved) = found?;
    let (first, last) = (moved.first()?, moved.last()?);
    if moved.len() > MAX_MOVED || has_long_text(moved) {
        return None;
    }
    let changes = deeper(cell, python, with, first, last)?;
    let head = python.line(python.line_of(with.start())).trim();
    case.edits(
        said(
            "inside-with",
            Basis::Assumed,
            format!("Move what reads the file into `{head}`"),
            "The file is closed where the indented block of `with` ends; what is read line by line has to be read before.",
        ),
        changes,
    )
}

/// Indents statements to the level of a `with` body.
fn deeper(
    cell: usize,
    python: &Cell,
    with: &StmtWith,
    first: &Stmt,
    last: &Stmt,
) -> Option<Vec<Change>> {
    let inner = python.indent(python.line_of(with.body.first()?.start()));
    let outer = python.indent(python.line_of(with.start()));
    let more = inner.strip_prefix(outer).filter(|d| !d.is_empty())?;
    let lines = python.line_of(first.start())..=python.line_of(last.end());
    let lines = lines.filter(|l| !python.line(*l).trim().is_empty());
    let at = |l| TextRange::empty(python.line_range(l).start());
    Some(lines.map(|l| Change::replace(cell, at(l), more)).collect())
}

/// The last `with` of a block before a failing statement that reads its file, and the statements to move into it.
fn behind_with<'c>(block: &'c [Stmt], failing: &Stmt) -> Option<(&'c StmtWith, &'c [Stmt])> {
    let end = block
        .iter()
        .position(|s| s.range().contains_range(failing.range()))?;
    let start = block[..end].iter().rposition(Stmt::is_with_stmt)?;
    let with = block[start].as_with_stmt()?;
    let files = files(with);
    let mut reads = false;
    each_expr(&block[end..=end], &mut |e| {
        reads |= name(e).is_some_and(|n| files.contains(&n));
    });
    reads.then_some((with, &block[start + 1..=end]))
}

/// The names of a `with`'s files, and of lazy readers created from them in its body.
fn files(with: &StmtWith) -> Vec<&str> {
    let vars = with.items.iter().filter_map(|i| i.optional_vars.as_deref());
    let mut out: Vec<&str> = vars.filter_map(name).collect();
    for assign in with.body.iter().filter_map(Stmt::as_assign_stmt) {
        let mut of_file = false;
        each_below(&assign.value, &mut |e| {
            of_file |= name(e).is_some_and(|n| out.contains(&n));
        });
        let lazy = match &*assign.value {
            Expr::Call(c) => callee(c).is_some_and(|f| LAZY.contains(&f)),
            other => other.is_generator_expr(),
        };
        if of_file && lazy {
            out.extend(assign.targets.iter().filter_map(name));
        }
    }
    out
}

/// Whether statements contain a multi-line string, which would be indented too.
fn has_long_text(stmts: &[Stmt]) -> bool {
    let mut long = false;
    each_expr(stmts, &mut |e| {
        long |= match e {
            Expr::StringLiteral(s) => s.value.to_str().contains('\n'),
            Expr::BytesLiteral(_) => true,
            _ => false,
        };
    });
    long
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    const MESSAGE: &str = "I/O operation on closed file.";

    #[test]
    fn what_reads_the_file_moves_into_its_block() {
        let cell = "with open('log.csv') as f:\n    reader = csv.reader(f)\ntotal = 0\nfor name, n in reader:\n    total += int(n)\nprint(total)";
        assert_eq!(
            at(&[cell], 4, "ValueError", MESSAGE),
            "with open('log.csv') as f:\n    reader = csv.reader(f)\n    total = 0\n    for name, n in reader:\n        total += int(n)\nprint(total)"
        );
        let inside = "def read(path):\n    with open(path) as f:\n        head = f.readline()\n    return f.read()";
        let made = inside.replace("    return", "        return");
        assert_eq!(at(&[inside], 4, "ValueError", MESSAGE), made);
    }

    #[test]
    fn another_file_and_a_text_that_would_move_stay() {
        let other = "with open('a') as f:\n    x = f.read()\ng.read()";
        assert_eq!(at(&[other], 3, "ValueError", MESSAGE), "");
        let read = "with open('a') as f:\n    x = f.read()\nx.read()";
        assert_eq!(at(&[read], 3, "ValueError", MESSAGE), "");
        let text = "with open('a') as f:\n    x = 1\nt = '''a\nb'''\nf.read()";
        assert_eq!(at(&[text], 5, "ValueError", MESSAGE), "");
    }

    #[test]
    fn a_cell_below_reads_what_was_read_in_the_block() {
        let cells = [
            "import csv\nwith open('log.csv') as f:\n    reader = csv.reader(f)\n    head = next(reader)",
            "for row in reader:\n    print(row)",
        ];
        let error =
            crate::tests::error_at(&cells, 1, "ValueError", "I/O operation on closed file.");
        let all = crate::tests::cures_of(&cells, &error);
        assert!(
            all[0]
                .code
                .ends_with("    head = next(reader)\n    reader = list(reader)"),
            "{all:?}"
        );
        assert_eq!(all[0].run, [1, 2]);
    }
}
