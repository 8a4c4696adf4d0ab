//! Iterators that are read twice: `rows = (f(x) for x in data)`, counted by one line and empty for the next one.

use crate::case::Case;
use crate::code::Editor;
use crate::find::{callee, head_exprs, name, one_line, receiver, said};
use crate::known::{function_around, Set};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{
    each_below, each_expr, each_stmt, positional, BindKind, Cell, Ranged, TextSize,
};
use nbmedic_wordings::about;

/// Built-in functions that give an iterator.
const ITERATORS: &[&str] = &["map", "filter", "zip", "enumerate", "reversed", "iter"];
/// Functions of modules that give an iterator which ends, by their paths; `glob.glob` gives a list.
const OF_MODULES: &[&str] = &[
    "csv.DictReader",
    "csv.reader",
    "glob.iglob",
    "itertools.chain",
    "itertools.combinations",
    "itertools.islice",
    "itertools.permutations",
    "itertools.product",
    "os.scandir",
    "os.walk",
    "re.finditer",
];
/// Methods of compiled patterns, of paths and of tables that do.
const METHODS: &[&str] = &[
    "finditer",
    "glob",
    "rglob",
    "iterdir",
    "iterrows",
    "itertuples",
];
/// Functions that read all of what they are given.
const READ: &[&str] = &[
    "all",
    "any",
    "array",
    "Counter",
    "DataFrame",
    "deque",
    "dict",
    "extend",
    "frozenset",
    "join",
    "len",
    "list",
    "max",
    "mean",
    "median",
    "min",
    "reduce",
    "set",
    "sorted",
    "sum",
    "tuple",
    "update",
];
/// What messages say of a container without elements.
const EMPTY: &[&str] = &[
    "empty",
    "got 0",
    "zero-size",
    "size 0",
    "0 sample",
    "with 0 ",
    "shape (0,",
    "(0,)",
    "shape=(0",
];

/// Where an iterator is read to its end.
struct Reading<'c> {
    /// How many of the cells ran before this one, and where in its cell.
    at: (usize, TextSize),
    cell: usize,
    stmt: &'c Stmt,
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let empty = EMPTY.iter().any(|e| message.contains(e)) || about::EMPTY.is_in(message);
    if !empty
        && !matches!(
            case.class(),
            "StopIteration" | "KeyError" | "ZeroDivisionError"
        )
    {
        return;
    }
    let Some((cell, python, stmt)) = case.here() else {
        return;
    };
    let exprs = head_exprs(stmt);
    let behind = case.names_behind(&exprs);
    let mut order = case.book.before(case.at);
    order.push(case.at);
    let fails = (
        order.iter().position(|c| *c == cell).unwrap_or(0),
        python.slice(stmt),
    );
    let mut made: Vec<Set<'_>> = Vec::new();
    for cell in &order {
        let Some(python) = case.python(*cell) else {
            continue;
        };
        let set = python
            .names()
            .binds
            .into_iter()
            .filter(|b| b.function.is_none() && !b.looped && b.kind == BindKind::Assign);
        let iterators = set.filter(|b| b.value.is_some_and(|v| is_iterator(case, *cell, v)));
        made.extend(iterators.map(|binding| Set {
            cell: *cell,
            binding,
        }));
    }
    for set in made {
        let of = set.binding.name;
        // Another value since then is another matter.
        let last = case.last_set(of);
        if last.is_none_or(|l| l.cell != set.cell || l.binding.at != set.binding.at) {
            continue;
        }
        let from = order.iter().position(|c| *c == set.cell).unwrap_or(0);
        let mut all: Vec<Reading<'_>> = Vec::new();
        for (n, cell) in order.iter().enumerate().skip(from) {
            all.extend(readings(case, (n, *cell), of));
        }
        all.retain(|r| r.at > (from, set.binding.stmt.start()));
        all.sort_by_key(|r| r.at);
        let [first, rest @ ..] = &all[..] else {
            continue;
        };
        // The second reading is the failing line, or fills what that reads.
        let matters = |r: &Reading<'_>| {
            let here = r.at.0 == fails.0
                && case
                    .python(r.cell)
                    .is_some_and(|p| p.slice(r.stmt) == fails.1);
            here || fills(r.stmt).iter().any(|n| behind.contains(*n))
        };
        let Some(second) = rest.iter().find(|r| matters(r)) else {
            continue;
        };
        out.extend(kept(case, &set, first, second));
        return;
    }
}

/// Whether an expression gives an iterator that ends.
fn is_iterator(case: &Case<'_>, cell: usize, value: &Expr) -> bool {
    let Expr::Call(call) = value else {
        return value.is_generator_expr();
    };
    let Some(called) = callee(call) else {
        return false;
    };
    if let Some(path) = case.path_of(&call.func) {
        return OF_MODULES.contains(&path.as_str());
    }
    if let Some(on) = receiver(call) {
        let splits = || {
            let kind = case.kind_name(cell, on);
            called == "split" && (kind.ends_with("Fold") || kind.ends_with("Split"))
        };
        return METHODS.contains(&called) || splits();
    }
    match case.last_set(called) {
        None => ITERATORS.contains(&called),
        Some(set) => match set.binding.stmt {
            Stmt::FunctionDef(f) => {
                let (mut yields, mut forever) = (false, false);
                each_stmt(&f.body, &mut |s| {
                    forever |= s
                        .as_while_stmt()
                        .is_some_and(|w| w.test.is_boolean_literal_expr());
                });
                each_expr(&f.body, &mut |e| {
                    yields |= e.is_yield_expr() || e.is_yield_from_expr();
                });
                yields && !forever
            }
            _ => false,
        },
    }
}

/// Where a cell reads all of a variable, outside of functions.
fn readings<'c>(case: &'c Case<'_>, (n, cell): (usize, usize), of: &str) -> Vec<Reading<'c>> {
    let mut out = Vec::new();
    let Some(python) = case.python(cell) else {
        return out;
    };
    each_stmt(python.body(), &mut |stmt| {
        if function_around(python, stmt).is_some() || !reads(stmt, of) {
            return;
        }
        out.push(Reading {
            at: (n, stmt.start()),
            cell,
            stmt,
        });
    });
    out
}

/// Whether a statement itself, without those within it, reads all of a variable.
fn reads(stmt: &Stmt, of: &str) -> bool {
    let is = |e: &Expr| name(e) == Some(of);
    let through = |e: &Expr| {
        let call = e
            .as_call_expr()
            .filter(|c| callee(c).is_some_and(|f| ITERATORS.contains(&f)));
        is(e) || call.is_some_and(|c| c.arguments.args.iter().any(is))
    };
    if let Stmt::For(f) = stmt {
        return through(&f.iter);
    }
    let mut found = false;
    for e in head_exprs(stmt) {
        let comprehensions = match e {
            Expr::ListComp(c) => &c.generators[..],
            Expr::SetComp(c) => &c.generators,
            Expr::DictComp(c) => &c.generators,
            Expr::Generator(c) => &c.generators,
            Expr::Call(c) => {
                let reads = callee(c).is_some_and(|f| READ.contains(&f));
                found |= reads && positional(c, 0).is_some_and(through);
                &[]
            }
            _ => &[],
        };
        found |= comprehensions.iter().any(|g| through(&g.iter));
    }
    found
}

/// The names that a statement sets or fills, with all that stands in it.
fn fills(stmt: &Stmt) -> Vec<&str> {
    let mut out = Vec::new();
    each_stmt(std::slice::from_ref(stmt), &mut |s| match s {
        Stmt::Assign(a) => a
            .targets
            .iter()
            .for_each(|t| each_below(t, &mut |e| out.extend(name(e)))),
        Stmt::AugAssign(a) => each_below(&a.target, &mut |e| out.extend(name(e))),
        Stmt::Expr(e) => out.extend(e.value.as_call_expr().and_then(receiver).and_then(name)),
        _ => {}
    });
    out
}

/// A list in place of the iterator.
fn kept(case: &Case<'_>, set: &Set<'_>, first: &Reading<'_>, second: &Reading<'_>) -> Option<Cure> {
    let python = case.python(set.cell)?;
    let value = set.binding.value?;
    let editor = Editor::new(set.cell, python);
    let of = set.binding.name;
    let change = match value {
        Expr::Generator(_) => {
            let inner = python.slice(value).strip_prefix('(')?.strip_suffix(')')?;
            editor.replace(value, format!("[{inner}]"))
        }
        other => editor.wrap(other, "list", &[]),
    };
    let line = |r: &Reading<'_>| {
        let python: &Cell = case.python(r.cell)?;
        let text = python.slice(r.stmt).lines().next()?;
        let place = match r.cell == case.at {
            true => String::new(),
            false => format!(" (cell {})", case.position(r.cell)),
        };
        Some(format!("`{}`{place}", one_line(text)))
    };
    let title = format!("Keep the values: `{of} = {}`", one_line(&change.text));
    let why = format!(
        "`{of}` is an iterator, which can be read once: {} reads it to its end, and {} finds nothing.",
        line(first)?,
        line(second)?
    );
    case.edits(said("keep-values", Basis::Source, title, why), vec![change])
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    fn first(
        cells: &[&str],
        line: u32,
        class: &str,
        message: &str,
    ) -> Option<(String, Vec<usize>)> {
        let error = error_at(cells, line, class, message);
        let found = cures_of(cells, &error).into_iter().next()?;
        (found.id == "keep-values").then_some((found.code, found.run))
    }

    #[test]
    fn the_second_reading_finds_nothing() {
        let empty = "max() arg is an empty sequence";
        for (made, list) in [
            (
                "rows = (x * 2 for x in data)",
                "rows = [x * 2 for x in data]",
            ),
            ("rows = map(int, data)", "rows = list(map(int, data))"),
            (
                "import re\nrows = re.finditer(p, text)",
                "import re\nrows = list(re.finditer(p, text))",
            ),
        ] {
            let cells = [made, "print(sum(1 for _ in rows))", "best = max(rows)"];
            let found = first(&cells, 1, "ValueError", empty);
            assert_eq!(found, Some((list.to_owned(), vec![1, 2, 3])), "{made}");
        }
    }

    #[test]
    fn what_the_second_reading_fills_is_empty() {
        let read = "def read():\n    for x in lines:\n        yield x";
        let cells = [
            read,
            "rows = read()",
            "print(len(list(rows)))",
            "total = {}\nfor r in rows:\n    total[r] = 1",
            "worst = max(total, key=total.get)",
        ];
        let found = first(&cells, 1, "ValueError", "max() arg is an empty sequence");
        assert_eq!(
            found.map(|(code, _)| code).as_deref(),
            Some("rows = list(read())")
        );
        // One reading is as it should be.
        let once = [cells[0], cells[1], cells[3], cells[4]];
        assert_eq!(
            first(&once, 1, "ValueError", "max() arg is an empty sequence"),
            None
        );
        // What `glob` found is a list: it is empty from the start.
        let files = [
            "import glob\nfiles = glob.glob('*.png')",
            "print(len(list(files)))",
            "parts = []\nfor f in files:\n    parts.append(f)",
            "worst = max(parts)",
        ];
        assert_eq!(
            first(&files, 1, "ValueError", "max() arg is an empty sequence"),
            None
        );
        // A list can be read any number of times.
        let list = [read, "rows = list(read())", cells[2], cells[3], cells[4]];
        assert_eq!(
            first(&list, 1, "ValueError", "max() arg is an empty sequence"),
            None
        );
    }
}
