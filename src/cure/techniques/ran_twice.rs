//! Cells that ran twice, although they change a name by itself: `df = df.set_index("date")`. What they need is gone after
//! the first run, or what they add is there twice.

use super::ran_signs::{emptied, is_constant, lost, modelled, multiplied, runs_between, shifted};
use crate::anew::{changed, updates, MAX_CELLS};
use crate::case::Case;
use crate::code::Editor;
use crate::find::{callee, head_exprs, name, one_line, receiver, root, said};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{calls, Cell, Ranged};
use std::collections::BTreeSet;

/// Maximum number of lines that a cell is begun with.
const MAX_LINES: usize = 4;
/// Maximum number of cells that are tried as the one that ran twice.
const MAX_TRIED: usize = 4;
/// Functions whose result gives other numbers each time that it is asked.
const GENERATORS: &[&str] = &["default_rng", "RandomState", "Generator", "Random", "key"];
/// Functions that begin a module's own numbers anew.
const SEEDS: &[&str] = &[
    "seed",
    "manual_seed",
    "set_seed",
    "set_random_seed",
    "seed_everything",
];

/// A cell that ran more than once.
struct Again {
    cell: usize,
    /// The cell that makes its value anew.
    made: usize,
    /// The line that shows it, from 1, and what it did.
    line: u32,
    what: String,
    /// What must run again, in order.
    run: BTreeSet<usize>,
    basis: Basis,
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let lines = case.frames.iter().filter_map(|f| case.statement(f));
    let reads = case.names_behind(&lines.flat_map(head_exprs).collect::<Vec<_>>());
    let before = case.book.before(case.at).into_iter().rev();
    let mut tried = 0;
    let found = std::iter::once(case.at).chain(before).find_map(|cell| {
        let python = case.python(cell)?;
        let names: Vec<&str> = updates(python)
            .into_iter()
            .filter(|n| reads.contains(*n))
            .collect();
        let run = (!names.is_empty()).then(|| case.fresh(cell))??;
        let made = *run.iter().next().filter(|m| **m != cell)?;
        let times = runs_between(case, made, cell).filter(|_| tried < MAX_TRIED)?;
        tried += 1;
        let (line, what, basis) = names.iter().find_map(|n| {
            lost(case, cell, made, n)
                .or_else(|| emptied(case, cell, n))
                .or_else(|| shifted(case, cell, n, times))
                .or_else(|| multiplied(case, cell, n, times))
                .or_else(|| modelled(case, cell, n, times))
        })?;
        Some(Again {
            cell,
            made,
            line,
            what,
            run,
            basis,
        })
    });
    if let Some(again) = found {
        let source = from_source(case, &again);
        // It repairs the cell for good, unless the first run changed the source as well.
        let own = case.python(again.cell).map(changed).unwrap_or_default();
        let made = case.python(again.made).map(Cell::names);
        let lasts = own.iter().all(|of| {
            let value = made.as_ref().and_then(|n| n.sets(of).next_back()?.value);
            value.is_some_and(|v| is_constant(case, v))
        });
        let (first, second) = match lasts {
            true => (source, Some(run_again(case, &again))),
            false => (Some(run_again(case, &again)), source),
        };
        out.extend(first.into_iter().chain(second));
    }
}

/// The failing statement changes a name by itself, and its cell may have run before: what it needs may be gone since then.
/// No sign of it but the missing count.
pub(crate) fn perhaps(case: &Case<'_>, out: &mut Vec<Cure>) {
    let again = || {
        let (cell, python, stmt) = case.here().filter(|(cell, ..)| *cell == case.at)?;
        let own = match stmt {
            Stmt::Assign(a) => a.targets.iter().find_map(name),
            Stmt::AugAssign(a) => root(&a.target),
            _ => None,
        };
        let own = own.filter(|n| updates(python).contains(n))?;
        let names = head_exprs(stmt).into_iter().filter_map(name);
        (names.filter(|n| *n == own).count() > 1).then_some(())?;
        let run = case.fresh(cell)?;
        let made = *run.iter().next().filter(|m| **m != cell)?;
        runs_between(case, made, cell)?;
        let text = one_line(python.slice(stmt));
        Some(Again {
            cell,
            made,
            line: python.line_of(stmt.start()),
            what: format!("`{text}` changes `{own}`"),
            run,
            basis: Basis::Guessed,
        })
    };
    out.extend(again().map(|again| run_again(case, &again)));
}

/// The cells to run, with those that begin the random numbers anew that one of them draws, and those that draw from them in
/// between: only then the numbers are the same as before.
fn with_draws(case: &Case<'_>, again: &Again) -> BTreeSet<usize> {
    let ran = case.book.before(case.at);
    let last = again.run.last().copied().unwrap_or(again.cell);
    let mut out = again.run.clone();
    let draws = |cell: usize, from: &str| {
        let of_module = [format!("{from}.rand"), "random.".to_owned()];
        let module = case.module_of(from).is_some();
        case.python(cell).is_some_and(|p| {
            let random = || of_module.iter().any(|word| p.text().contains(word));
            p.names().needs().contains(&from) && (!module || random())
        })
    };
    for cell in &again.run {
        let Some(python) = case.python(*cell) else {
            continue;
        };
        for drawn in python
            .names()
            .needs()
            .into_iter()
            .filter(|n| draws(*cell, n))
        {
            let begins = |at: &usize| case.python(*at).is_some_and(|p| begins(p, drawn));
            let Some(first) = ran.iter().copied().filter(|c| c < cell).rfind(begins) else {
                continue;
            };
            // The first cell sets the seed and imports at once, mostly.
            out.insert(first);
            let between = ran.iter().copied().filter(|c| *c > first && *c < last);
            out.extend(between.filter(|c| draws(*c, drawn)));
        }
    }
    match out.len() <= MAX_CELLS {
        true => out,
        false => again.run.clone(),
    }
}

/// Whether a cell makes a generator of this name, or seeds the module of this name.
fn begins(python: &Cell, id: &str) -> bool {
    let names = python.names();
    let mut made = names.sets(id).filter_map(|b| b.value?.as_call_expr());
    let seeded = || {
        calls(python.body()).iter().any(|c| {
            let seeds = callee(c).is_some_and(|f| SEEDS.contains(&f));
            seeds && receiver(c).and_then(root) == Some(id)
        })
    };
    made.any(|c| callee(c).is_some_and(|f| GENERATORS.contains(&f))) || seeded()
}

fn run_again(case: &Case<'_>, again: &Again) -> Cure {
    let place = case.position(again.cell);
    let here = case.position(case.at);
    let all = with_draws(case, again);
    let mut run: Vec<usize> = all.iter().map(|c| case.position(*c)).collect();
    for later in case.rerun(again.cell) {
        if !run.contains(&later) {
            run.push(later);
        }
    }
    let made = case.position(again.made);
    let first: Vec<String> = run[..run.len() - 1].iter().map(usize::to_string).collect();
    let title = match (place == here, first.len()) {
        (true, 1) => format!("Run cell {made} again, then this cell once"),
        (true, _) => format!("Run cells {} again, then this cell once", first.join(", ")),
        _ => format!(
            "Run cells {} again, each once, then this cell",
            first.join(", ")
        ),
    };
    Cure {
        id: "ran-twice".into(),
        kind: FixKind::Run,
        basis: again.basis,
        title,
        why: format!("{}Cell {made} makes the value anew.", happened(case, again)),
        run,
        ..Cure::default()
    }
}

/// What the cell did when it ran more than once.
fn happened(case: &Case<'_>, again: &Again) -> String {
    let which = match again.cell == case.at {
        true => "this cell".to_owned(),
        false => format!("cell {}", case.position(again.cell)),
    };
    let ran = match again.basis {
        Basis::Guessed => "may have run",
        _ => "has run",
    };
    format!(
        "In line {} of {which}, {}. That cell {ran} more than once since cell {}: an execution count is missing between them. ",
        again.line, again.what, case.position(again.made)
    )
}

/// Starts the cell from what its names were made from, where that can be written again: an empty list, another name. Then it
/// can run any number of times.
fn from_source(case: &Case<'_>, again: &Again) -> Option<Cure> {
    let python = case.python(again.cell)?;
    let [made, _] = again.run.iter().copied().collect::<Vec<_>>()[..] else {
        return None;
    };
    let names = updates(python);
    let lines: Option<Vec<String>> = names
        .iter()
        .map(|of| made_by(case, again, made, of))
        .collect();
    let lines = lines.filter(|l| !l.is_empty() && l.len() <= MAX_LINES)?;
    let title = format!("Begin the cell with `{}`", lines.join("; "));
    let why = format!(
        "{}Then it starts from what cell {} made, however often it runs.",
        happened(case, again),
        case.position(made)
    );
    let change = Editor::new(again.cell, python).above(python.body().first()?, &lines.join("\n"));
    case.edits(
        said("from-source", again.basis.max(Basis::Source), title, why),
        vec![change],
    )
}

/// The line that makes a name anew as a cell made it.
fn made_by(case: &Case<'_>, again: &Again, made: usize, of: &str) -> Option<String> {
    let source = case.python(made)?;
    let names = source.names();
    let value = names.sets(of).next_back()?.value?;
    if is_constant(case, value) {
        return Some(format!("{of} = {}", source.slice(value)));
    }
    let plain = match value {
        Expr::Call(c) if callee(c) == Some("copy") => receiver(c)?,
        other => other,
    };
    let other = name(plain)?;
    let copied = match &*case.kind_name(made, plain) {
        "DataFrame" | "Series" | "ndarray" => format!("{other}.copy()"),
        "Tensor" => format!("{other}.clone()"),
        _ if changed(case.python(again.cell)?).contains(&of) => return None,
        _ => other.to_owned(),
    };
    // Another cell may have changed the source.
    let ran = case.book.before(case.at);
    let mut others = ran
        .iter()
        .filter(|c| **c != made)
        .filter_map(|c| case.python(*c));
    if others.any(|p| changed(p).contains(&other) || p.names().sets(other).next().is_some()) {
        return None;
    }
    Some(format!("{of} = {copied}"))
}

#[cfg(test)]
mod tests {
    use crate::tests::ipython;
    use crate::{cures, Book, BookCell, Case};
    use nbmedic_facts::{Cure, FixKind};

    /// The cures of the cell that ran last. Each cell is its source and its count.
    fn of(cells: &[(&str, i64)], class: &str, message: &str, line: u32) -> Vec<Cure> {
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
        let at = (0..cells.len())
            .max_by_key(|i| cells[*i].1)
            .expect("a cell");
        let code = cells[at].0.lines().nth(line as usize - 1).expect("a line");
        let error = ipython(class, &[(cells[at].1, line, code)], message);
        cures(&Case::new(&book, at, &error).expect("a case"))
    }

    fn again(all: &[Cure]) -> Option<&[usize]> {
        let first = all.iter().find(|c| c.id == "ran-twice")?;
        assert_eq!(first.kind, FixKind::Run);
        Some(&first.run)
    }

    #[test]
    fn a_column_that_the_cell_takes_away_itself() {
        let table = "t = pd.DataFrame({'day': d, 'n': n})";
        for (source, line) in [
            ("t = t.set_index('day')", 1),
            (
                "t['day'] = pd.to_datetime(t['day'])\nt = t.set_index('day').sort_index()",
                1,
            ),
            ("t['k'] = t['day'] * 2\nt = t[['k', 'n']]", 1),
            ("t = t['day']", 1),
            ("day = t.pop('day')", 1),
            ("t = pd.get_dummies(t, columns=['day'])", 1),
        ] {
            let cells = [
                ("import pandas as pd", 1),
                (table, 2),
                (source, 5),
                ("t.plot()", 4),
            ];
            let found = of(&cells, "KeyError", "'day'", line);
            assert_eq!(again(&found), Some(&[2, 3][..]), "{source}");
            // No count is missing: it ran once.
            let once = [cells[0], (table, 2), (source, 3)];
            assert_eq!(
                again(&of(&once, "KeyError", "'day'", line)),
                None,
                "{source}"
            );
        }
        // No other cell knows the column: it may be misspelt.
        let cells = [(table, 1), ("t = t.set_index('Day')", 3)];
        assert_eq!(again(&of(&cells, "KeyError", "'Day'", 1)), None);
        // The cell makes its own table.
        let own = format!("{table}\nt = t.set_index('day')\nt['day']");
        let cells = [("d = n = [1]", 1), (own.as_str(), 3)];
        assert_eq!(again(&of(&cells, "KeyError", "'day'", 3)), None);
    }

    #[test]
    fn what_is_added_is_there_twice() {
        let made = "import numpy as np\nraw = np.zeros((30, 3))\nX = raw";
        let message = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 5)";
        for add in [
            "X = np.c_[np.ones(len(X)), X]",
            "X = np.column_stack([np.ones(30), X])",
            "X = np.concatenate([np.ones((30, 1)), X], axis=1)",
        ] {
            let cells = [
                (made, 1),
                (add, 4),
                ("w = np.zeros(4)", 3),
                ("e = X @ w", 5),
            ];
            let found = of(&cells, "ValueError", message, 1);
            assert_eq!(again(&found), Some(&[1, 2, 4][..]), "{add}");
            // The other operand changes in a loop.
            let loops = "for i in range(9):\n    e = X @ w\n    w = w - X.T @ e";
            let cells = [(made, 1), (add, 4), ("w = np.zeros(4)", 3), (loops, 5)];
            let found = of(&cells, "ValueError", message, 2);
            assert_eq!(again(&found), Some(&[1, 2, 4][..]), "{add}");
            // It ran once: `w` has the wrong size.
            let cells = [
                (made, 1),
                (add, 2),
                ("w = np.zeros(5)", 3),
                ("e = X @ w", 4),
            ];
            assert_eq!(again(&of(&cells, "ValueError", message, 1)), None);
            // A count is missing, but one run would fail as well.
            let cells = [
                (made, 1),
                (add, 4),
                ("w = np.zeros(7)", 3),
                ("e = X @ w", 5),
            ];
            assert_eq!(again(&of(&cells, "ValueError", message, 1)), None);
        }
    }

    #[test]
    fn columns_that_both_tables_have_after_the_first_run() {
        let made = "import pandas as pd\ns = pd.DataFrame({'id': [1], 'n': [2]})\nr = pd.DataFrame({'id': [1], 'region': [2]})";
        let copy = "t = s.copy()\nt['q'] = t['n'] * 2";
        for fails in ["t.groupby('region').sum()", "t['region']"] {
            let cells = [
                (made, 1),
                (copy, 2),
                ("t = t.merge(r, on='id')", 4),
                (fails, 5),
            ];
            let found = of(&cells, "KeyError", "'region'", 1);
            assert_eq!(again(&found), Some(&[2, 3, 4][..]), "{fails} {found:?}");
        }
    }

    #[test]
    fn a_list_grows_with_each_run() {
        let train = "for e in range(5):\n    losses.append(e * 2)";
        let message = "x and y must have same first dimension, but have shapes (5,) and (10,)";
        let cells = [
            ("import matplotlib.pyplot as plt\nlosses = []", 1),
            (train, 3),
            ("plt.plot(range(5), losses)", 4),
        ];
        let found = of(&cells, "ValueError", message, 1);
        assert_eq!(found[0].code, format!("losses = []\n{train}"), "{found:#?}");
        assert_eq!(found[0].run, [2, 3]);
        assert_eq!(again(&found), Some(&[1, 2, 3][..]));
        let other = "x and y must have same first dimension, but have shapes (5,) and (7,)";
        assert_eq!(again(&of(&cells, "ValueError", other, 1)), None);
        let once = [cells[0], (train, 2), ("plt.plot(range(5), losses)", 3)];
        assert_eq!(again(&of(&once, "ValueError", message, 1)), None);
    }

    #[test]
    fn labels_are_shifted_twice() {
        let made = "y = torch.randint(1, 6, (9,))";
        let message = "Target -1 is out of bounds.";
        for shift in ["y -= 1", "y = y - 1"] {
            let cells = [
                (made, 1),
                (shift, 4),
                ("net = make()", 3),
                ("loss = f(net(x), y)", 5),
            ];
            assert_eq!(
                again(&of(&cells, "IndexError", message, 1)),
                Some(&[1, 2, 4][..])
            );
            let far = of(&cells, "IndexError", "Target -9 is out of bounds.", 1);
            assert_eq!(again(&far), None);
            let cells = [(made, 1), (shift, 2), ("loss = f(net(x), y)", 3)];
            assert_eq!(again(&of(&cells, "IndexError", message, 1)), None);
        }
    }

    #[test]
    fn a_kind_that_the_cell_converts_itself() {
        let cells = [("import json\ns = '1,2'", 1), ("s = s.split(',')", 3)];
        let message = "'list' object has no attribute 'split'";
        assert_eq!(
            again(&of(&cells, "AttributeError", message, 1)),
            Some(&[1, 2][..])
        );
        let once = [cells[0], ("s = s.split(',')", 2)];
        assert_eq!(again(&of(&once, "AttributeError", message, 1)), None);
    }

    #[test]
    fn the_cell_begins_with_the_source() {
        let cells = [
            (
                "import pandas as pd\nraw = pd.DataFrame({'day': d})\nt = raw",
                1,
            ),
            ("t = t.set_index('day')", 3),
        ];
        let found = of(&cells, "KeyError", "'day'", 1);
        assert_eq!(found[0].code, "t = raw.copy()\nt = t.set_index('day')");
    }

    #[test]
    fn a_map_finds_none_of_its_own_results() {
        let map = "df['Sex'] = df['Sex'].map({'male': 0, 'female': 1})";
        let cells = [
            ("import pandas as pd\ndf = pd.read_csv('a.csv')", 1),
            (map, 3),
            ("logreg.fit(df[['Sex']], y)", 4),
        ];
        let message = "Input X contains NaN.";
        assert_eq!(
            again(&of(&cells, "ValueError", message, 1)),
            Some(&[1, 2, 3][..])
        );
        let once = [cells[0], (map, 2), ("logreg.fit(df[['Sex']], y)", 3)];
        assert_eq!(again(&of(&once, "ValueError", message, 1)), None);
    }
}
