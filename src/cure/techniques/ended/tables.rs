//! Tables read as a whole, joins that multiply rows, and data kept by loaders.

use super::scene::Scene;
use crate::code::{argument, Editor};
use crate::edit::{Change, Said};
use crate::find::{callee, int_of, name, one_line, quoted, receiver, text_of};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall, ExprSubscript, Stmt};
use nbmedic_python::{each_below, each_expr, each_stmt, keyword, positional};

/// Maximum sensible size of a shuffle buffer.
const BUFFER: i64 = 1000;
/// Approximate number of processors in Colab and Kaggle runtimes.
const WORKERS: i64 = 2;

/// Maximum number of columns to list.
const MAX_COLUMNS: usize = 40;

/// Methods that display a table and don't require specific columns.
const SHOWS: &[&str] = &[
    "head",
    "tail",
    "info",
    "describe",
    "shape",
    "sample",
    "dtypes",
    "isnull",
    "isna",
    "nunique",
    "memory_usage",
    "duplicated",
];

pub(super) fn offer(scene: &Scene<'_>, out: &mut Vec<Cure>) {
    for stmt in &scene.stmts {
        let target = match stmt {
            Stmt::Assign(a) => a
                .targets
                .first()
                .and_then(name)
                .filter(|_| a.targets.len() == 1),
            _ => None,
        };
        let mut first = true;
        each_expr(std::slice::from_ref(*stmt), &mut |e| {
            let Expr::Call(c) = e else { return };
            // `df = pd.read_csv(…)`: the outermost call is the value of the name.
            let named = target.filter(|_| first);
            first = false;
            out.extend(read(scene, c, named));
            out.extend(joined(scene, c));
            out.extend(held(scene, c));
        });
    }
}

/// A table read as a whole: reads only the columns that the notebook uses if it names them all;
/// otherwise says how to find the large ones.
fn read(scene: &Scene<'_>, call: &ExprCall, target: Option<&str>) -> Option<Cure> {
    let argument = match callee(call)? {
        "read_csv" | "read_table" => "usecols",
        "read_parquet" => "columns",
        _ => return None,
    };
    let limits = [
        "usecols",
        "columns",
        "nrows",
        "chunksize",
        "iterator",
        "dtype",
    ];
    let mut given = call.arguments.keywords.iter();
    let said = given.any(|k| k.arg.as_ref().is_none_or(|a| limits.contains(&a.as_str())));
    let case = scene.case;
    let path = case.path_of(&call.func)?;
    let file = positional(call, 0)?;
    if said || !path.starts_with("pandas.") {
        return None;
    }
    if let Some(columns) = target.and_then(|t| used(scene, t)) {
        let all: Vec<String> = columns.iter().map(|c| quoted(c)).collect();
        let list = format!("[{}]", all.join(", "));
        return case.edits(
            Said {
                id: "columns-used",
                basis: Basis::Assumed,
                title: format!("Read only what the notebook uses: `{argument}={}`", one_line(&list)),
                why: "The other columns take memory and are never named. A text takes some 60 bytes in each row, however short it is.".into(),
            },
            vec![Editor::new(scene.cell, scene.python).add(call, &format!("{argument}={list}"))],
        );
    }
    if argument != "usecols" {
        return None;
    }
    let file = scene.python.slice(file);
    let whole = scene.python.slice(call).strip_suffix(')')?.trim_end();
    let sample = format!("sample = {}, nrows=100_000)", whole.trim_end_matches(','));
    Some(Cure {
        id: "columns-measured".into(),
        kind: FixKind::Look,
        basis: Basis::Guessed,
        title: format!("Measure which columns of `{}` are large, and read only those you need", one_line(file)),
        why: "It prints the bytes that each column takes in a row. Name the columns to keep in `usecols=[…]`; `dtype=\"category\"` makes a text of few values small, `\"float32\"` halves a number.".into(),
        code: format!("{sample}\nprint(sample.memory_usage(deep=True).sort_values(ascending=False) / len(sample))"),
        language: "python".into(),
        ..Cure::default()
    })
}

/// The columns of a table that the notebook uses, if every use names its columns. A table that is
/// passed on whole may need others.
fn used(scene: &Scene<'_>, table: &str) -> Option<Vec<String>> {
    let mut uses = Uses::default();
    for at in 0..scene.case.book.cells().len() {
        if let Some(python) = scene.case.python(at) {
            uses.add(python.body(), table);
        }
    }
    let Uses { read, made, whole } = uses;
    let columns: Vec<String> = read
        .into_iter()
        .filter(|c| !made.contains(c))
        .map(str::to_owned)
        .collect();
    (!whole && !columns.is_empty() && columns.len() <= MAX_COLUMNS).then_some(columns)
}

/// How the cells use a table.
#[derive(Default)]
struct Uses<'c> {
    /// The columns read, in order of first use.
    read: Vec<&'c str>,
    /// The columns that the cells create.
    made: Vec<&'c str>,
    /// Whether the table is used in any other way.
    whole: bool,
}

impl<'c> Uses<'c> {
    fn add(&mut self, body: &'c [Stmt], table: &str) {
        let of_table = |e: &Expr| name(e) == Some(table);
        let (mut all, mut known) = (0_usize, 0_usize);
        each_expr(body, &mut |e| match e {
            Expr::Name(n) if n.id.as_str() == table && n.ctx.is_load() => all += 1,
            Expr::Subscript(s) if of_table(&s.value) => {
                let Some(named) = columns(&s.slice) else {
                    return;
                };
                known += 1;
                if s.ctx.is_load() {
                    let fresh = named.into_iter().filter(|c| !self.read.contains(c));
                    self.read.extend(fresh.collect::<Vec<_>>());
                }
            }
            Expr::Attribute(a) if of_table(&a.value) && SHOWS.contains(&a.attr.as_str()) => {
                known += 1;
            }
            Expr::Call(c) if callee(c) == Some("len") && positional(c, 0).is_some_and(of_table) => {
                known += 1;
            }
            _ => {}
        });
        self.whole |= all > known;
        each_stmt(body, &mut |s| {
            let Stmt::Assign(a) = s else { return };
            for target in a.targets.iter().filter_map(Expr::as_subscript_expr) {
                let made = columns(&target.slice).filter(|_| of_table(&target.value));
                // `df["when"] = pd.to_datetime(df["when"])` reads the file's column.
                let read = |column: &str| {
                    let mut found = false;
                    each_below(&a.value, &mut |e| {
                        let same = |s: &&ExprSubscript| text_of(&s.slice) == Some(column);
                        found |= e.as_subscript_expr().filter(same).is_some();
                    });
                    found
                };
                self.made
                    .extend(made.into_iter().flatten().filter(|c| !read(c)));
            }
        });
    }
}

/// The columns named by a subscript: `"a"`, `["a", "b"]`.
fn columns(index: &Expr) -> Option<Vec<&str>> {
    match index {
        Expr::List(l) => l.elts.iter().map(text_of).collect(),
        one => Some(vec![text_of(one)?]),
    }
}

/// A join: counts its rows before creating them.
fn joined(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let (left, right) = match callee(call)? {
        "merge"
            if scene
                .case
                .path_of(&call.func)
                .is_some_and(|p| p == "pandas.merge") =>
        {
            (positional(call, 0)?, positional(call, 1)?)
        }
        "merge" => (receiver(call)?, positional(call, 0)?),
        _ => return None,
    };
    let (left, right) = (name(left)?, name(right)?);
    let on = &keyword(call, "on")?.value;
    text_of(on)?;
    if keyword(call, "validate").is_some() {
        return None;
    }
    let on = scene.python.slice(on);
    Some(Cure {
        id: "join-counted".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: "Count the rows that the join makes: keys that repeat in both tables multiply".into(),
        why: format!("Each row of `{left}` meets each row of `{right}` with the same {on}. If the number is far above `len({left})`, drop the duplicates, or join on further columns."),
        code: format!("rows = ({left}[{on}].value_counts() * {right}[{on}].value_counts()).sum()\nprint(f\"{{rows:,.0f}} rows from {{len({left}):,}} and {{len({right}):,}}\")"),
        language: "python".into(),
        ..Cure::default()
    })
}

/// Memory held by datasets and loaders: caches, shuffle buffers, workers.
fn held(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let (case, cell, python) = (scene.case, scene.cell, scene.python);
    let of_tensorflow = || case.imports("tensorflow");
    let said = |id, title: String, why: &str| Said {
        id,
        basis: Basis::Assumed,
        title,
        why: why.to_owned(),
    };
    match callee(call)? {
        "cache" if call.arguments.is_empty() && receiver(call).is_some() && of_tensorflow() => case
            .edits(
                said(
                    "cache-on-disk",
                    "Keep the cache on the disk: `cache(\"cache\")`".into(),
                    "Without a file's name the whole dataset, decoded, stays in main memory.",
                ),
                vec![Editor::new(cell, python).add(call, "\"cache\"")],
            ),
        "shuffle" if receiver(call).is_some() && of_tensorflow() => {
            let size = argument(call, 0, "buffer_size")?;
            let n = int_of(size).filter(|n| *n > 2 * BUFFER)?;
            case.edits(
                said(
                    "smaller-buffer",
                    format!("Shuffle {BUFFER} elements at a time instead of {n}"),
                    "The buffer holds so many decoded elements in main memory. Shuffle the files' names before they are read: they take next to nothing.",
                ),
                vec![Change::replace(cell, size, BUFFER.to_string())],
            )
        }
        "DataLoader" => {
            let workers = &keyword(call, "num_workers")?.value;
            let n = int_of(workers).filter(|n| *n > WORKERS)?;
            case.edits(
                said(
                    "fewer-workers",
                    format!("Use {WORKERS} workers instead of {n}"),
                    "Each worker is a process with batches of its own, and comes to hold a copy of a dataset that is a Python list.",
                ),
                vec![Change::replace(cell, workers, WORKERS.to_string())],
            )
        }
        _ => None,
    }
}
