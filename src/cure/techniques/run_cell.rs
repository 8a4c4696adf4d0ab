//! Names set by a cell that didn't run: runs it after the cells that it needs.

use super::set_otherwise;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Said;
use crate::find::missing_name;
use crate::imports::import_of;
use crate::keys::missing_keys;
use crate::known::is_builtin;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::BindKind;
use nbmedic_wordings::pandas;

/// Maximum number of cells named.
const MAX_CELLS: usize = 12;
/// Maximum number of cells above that are all run.
const MAX_ABOVE: usize = 40;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let class = case.class();
    if class == "NameError" {
        if let Some(name) = missing_name(case.message()) {
            // A comprehension has its own names.
            if set_otherwise::is_of_a_comprehension(case, name) {
                return;
            }
            if let Some(mut cells) = cells_for(case, name) {
                let setter = cells.last().copied();
                let (more, imports) = others(case, name);
                let named = [&cells[..], &more].concat();
                if let Some(all) = first_of_session(case, setter, &named, name) {
                    out.push(with_imports(case, all, &imports));
                    return;
                }
                cells.splice(0..0, more.into_iter().filter(|c| Some(*c) != setter));
                let mut kept = Vec::new();
                cells.retain(|c| {
                    !kept.contains(c) && {
                        kept.push(*c);
                        true
                    }
                });
                out.push(with_imports(
                    case,
                    not_run(case, cells, &format!("`{name}`")),
                    &imports,
                ));
            } else {
                out.extend(again(case, name));
            }
        }
        return;
    }
    let keys = match class {
        "AttributeError" => missing_column(case.message()).map(str::to_owned),
        _ => missing_keys(class, case.message()).into_iter().next(),
    };
    let Some(key) = keys else { return };
    if let Some(cells) = cells_for_key(case, &key) {
        out.push(not_run(case, cells, &format!("`{key}`")));
    }
}

/// All cells above, if none of them has run in this kernel: the cell that sets a name may need side
/// effects of others.
fn first_of_session(
    case: &Case<'_>,
    setter: Option<usize>,
    named: &[usize],
    name: &str,
) -> Option<Cure> {
    let setter = setter?;
    let before = case.book.before(case.at);
    if before.iter().any(|c| *c < case.at) || setter > case.at {
        return None;
    }
    let above: Vec<usize> = (0..case.at)
        .filter(|c| !case.book.cells()[*c].source.trim().is_empty())
        .collect();
    let whole = above.iter().all(|c| named.contains(c));
    if whole || above.len() > MAX_ABOVE {
        return None;
    }
    let mut run: Vec<usize> = above.iter().map(|c| case.position(*c)).collect();
    let first = run[0];
    run.push(case.position(case.at));
    Some(Cure {
        id: "run-above".into(),
        kind: FixKind::Run,
        basis: Basis::Record,
        title: format!("Run the cells above, from cell {first} on"),
        why: format!(
            "`{name}` is set in cell {}, and no cell above has run in this kernel: it was restarted, or is new.",
            case.position(setter)
        ),
        run,
        ..Cure::default()
    })
}

/// The cells that set other undefined names in the failing cell, and the imports for those that no
/// cell sets.
pub(crate) fn others(case: &Case<'_>, name: &str) -> (Vec<usize>, Vec<String>) {
    let (mut cells, mut imports) = (Vec::new(), Vec::new());
    let Some(python) = case.python(case.at).filter(|_| !case.imports_star()) else {
        return (cells, imports);
    };
    for u in python.names().uses.iter().filter(|u| !u.deferred && !u.own) {
        if u.name == name || is_builtin(u.name) || case.exists(u.name) {
            continue;
        }
        if let Some(found) = cells_for(case, u.name) {
            for cell in found {
                if !cells.contains(&cell) && cells.len() < MAX_CELLS {
                    cells.push(cell);
                }
            }
        } else if let Some(import) = import_of(case, u.name) {
            if !imports.contains(&import) && imports.len() < MAX_CELLS {
                imports.push(import);
            }
        }
    }
    (cells, imports)
}

/// A cure that runs cells, plus the imports that the failing cell needs.
fn with_imports(case: &Case<'_>, run: Cure, imports: &[String]) -> Cure {
    let Some(python) = case.python(case.at).filter(|_| !imports.is_empty()) else {
        return run;
    };
    let lines = imports.join("\n");
    let said = Said {
        id: "run-cell",
        basis: run.basis,
        title: format!("{}; add `{}`", run.title, imports.join("`, `")),
        why: run.why.clone(),
    };
    let edit = case.edits(said, vec![Editor::new(case.at, python).import(&lines)]);
    edit.map(|edit| Cure {
        run: run.run.clone(),
        ..edit
    })
    .unwrap_or(run)
}

/// The column that a DataFrame attribute refers to.
fn missing_column(message: &str) -> Option<&str> {
    let [name] = pandas::TABLE_ATTRIBUTE.read(message)?;
    Some(name)
}

/// A list of cells in words.
fn list(cells: &[usize]) -> String {
    let all: Vec<String> = cells.iter().map(usize::to_string).collect();
    all.join(", ")
}

fn not_run(case: &Case<'_>, mut cells: Vec<usize>, what: &str) -> Cure {
    let setter = case.position(cells[cells.len() - 1]);
    cells.sort_unstable();
    let mut run: Vec<usize> = cells.iter().map(|c| case.position(*c)).collect();
    run.push(case.position(case.at));
    let before = &run[..run.len() - 1];
    let title = match before {
        [one] => format!("Run cell {one}, which sets {what}"),
        many => format!("Run cells {}: cell {setter} sets {what}", list(many)),
    };
    let was_edited = case.book.cells()[cells[0]].edited;
    // It has run since, so its names exist by now.
    let (setting, failing) = (case.book.cells()[cells[0]].ran, case.failing().ran);
    let since = setting.zip(failing).is_some_and(|(s, f)| s > f);
    if since && !was_edited && before.len() == 1 {
        return Cure {
            id: "run-cell".into(),
            kind: FixKind::Run,
            basis: Basis::Record,
            title: format!("Run this cell again: cell {setter} has set {what} since"),
            why: format!("Cell {setter} ran only after this cell."),
            run: vec![case.position(case.at)],
            ..Cure::default()
        };
    }
    let why = match (was_edited, before.len()) {
        (true, 1) => format!("It was changed after it last ran. Then run this cell again: nothing else is missing for {what}."),
        (_, 1) => format!("It has not run in this kernel, so {what} does not exist yet. Then run this cell again."),
        _ => format!("None of them has run in this kernel; the others set what cell {setter} or this cell needs. Then run this cell again."),
    };
    Cure {
        id: "run-cell".into(),
        kind: FixKind::Run,
        // The more cells, the more prerequisites may be missing.
        basis: match before.len() {
            1 => Basis::Record,
            _ => Basis::Assumed,
        },
        title,
        why,
        run,
        ..Cure::default()
    }
}

/// A cell that ran sets the name, yet it doesn't exist: it was deleted since, added by a later
/// edit, or the cell failed before reaching it.
fn again(case: &Case<'_>, name: &str) -> Option<Cure> {
    let sets = case.set_before(name);
    let set = sets
        .iter()
        .find(|s| s.cell != case.at && (!s.binding.conditional || edited(case, s.cell)))?;
    let at = case.position(set.cell);
    let line = case.python(set.cell)?.line_of(set.binding.at.start());
    let order = case.book.before(case.at);
    let deletes = |cell: &usize| {
        let python = case.python(*cell)?;
        let names = python.names();
        let mut all = names.binds.iter();
        all.find(|b| b.kind == BindKind::Delete && b.name == name && b.function.is_none())?;
        Some(*cell)
    };
    let after = order.iter().skip_while(|c| **c != set.cell);
    let deleted = after.chain([&case.at]).filter_map(deletes).next();
    let (basis, why) = match (edited(case, set.cell), deleted) {
        (true, _) => (
            Basis::Record,
            "It was changed after it last ran, and sets the name only since then.".to_owned(),
        ),
        (_, Some(cell)) if cell == case.at => (
            Basis::Assumed,
            format!("This cell deletes `{name}`, so it runs only once for each run of cell {at}."),
        ),
        (_, Some(cell)) => (
            Basis::Assumed,
            format!("Cell {} deletes `{name}` (`del`). Run cell {at} after it, then this cell.", case.position(cell)),
        ),
        _ => (
            Basis::Assumed,
            format!("It sets `{name}` in line {line}, but the kernel does not have it: the kernel was restarted since, or the cell stopped above that line."),
        ),
    };
    Some(Cure {
        id: "run-cell-again".into(),
        kind: FixKind::Run,
        basis,
        title: format!("Run cell {at} again, which sets `{name}`"),
        why,
        run: vec![at, case.position(case.at)],
        ..Cure::default()
    })
}

fn edited(case: &Case<'_>, cell: usize) -> bool {
    case.book.cells()[cell].edited
}

/// The cells to run to create a column, the last of which creates it. None if an earlier cell
/// creates it too, or no cell does.
fn cells_for_key(case: &Case<'_>, key: &str) -> Option<Vec<usize>> {
    let before = case.book.before(case.at);
    let makes = |cell: usize| case.keys_in(cell).iter().any(|k| k.made && k.name == key);
    let stale = |cell: usize| edited(case, cell);
    if before.iter().any(|c| makes(*c) && !stale(*c)) {
        return None;
    }
    let all = 0..case.book.cells().len();
    let makers: Vec<usize> = all
        .filter(|c| *c != case.at && (!before.contains(c) || stale(*c)) && makes(*c))
        .collect();
    let above = makers.iter().rev().find(|c| **c < case.at);
    let cell = *above.or(makers.first())?;
    let mut out = Vec::new();
    needed(case, cell, &mut out, &mut Vec::new())?;
    Some(out)
}

/// The cells to run to define a name, each after those that it needs; the last one sets the name.
/// None if no cell sets it, several set it differently, or a prerequisite can't be found.
fn cells_for(case: &Case<'_>, name: &str) -> Option<Vec<usize>> {
    let mut out = Vec::new();
    add(case, name, &mut out, &mut vec![name.to_owned()])?;
    Some(out)
}

fn add(case: &Case<'_>, name: &str, out: &mut Vec<usize>, asked: &mut Vec<String>) -> Option<()> {
    let mut setters: Vec<usize> = case.set_elsewhere(name).iter().map(|s| s.cell).collect();
    setters.dedup();
    // Prefer the closest cell above the failing one, which would normally have run; otherwise the
    // first one below.
    let above = setters.iter().rev().find(|c| **c < case.at);
    let mut cell = *above.or(setters.first())?;
    // `df = df.dropna()` needs the cell that sets `df` first.
    let mut chain = vec![cell];
    while chain.len() < MAX_CELLS {
        let again = case.python(cell)?.names().needs().contains(&name);
        let earlier = setters.iter().rev().find(|c| **c < cell);
        let Some(earlier) = earlier.filter(|_| again) else {
            break;
        };
        cell = *earlier;
        chain.push(cell);
    }
    for cell in chain.into_iter().rev() {
        needed(case, cell, out, asked)?;
    }
    Some(())
}

/// Adds a cell, preceded by the cells that set what it needs.
fn needed(
    case: &Case<'_>,
    cell: usize,
    out: &mut Vec<usize>,
    asked: &mut Vec<String>,
) -> Option<()> {
    if out.contains(&cell) {
        return Some(());
    }
    let needs: Vec<String> = case
        .python(cell)?
        .names()
        .needs()
        .into_iter()
        .map(str::to_owned)
        .collect();
    for need in needs {
        if is_builtin(&need) || case.exists(&need) || asked.contains(&need) {
            continue;
        }
        asked.push(need.clone());
        // A name found nowhere may come from a magic or a star import: the cell is still the right
        // one.
        let _ = add(case, &need, out, asked);
    }
    if out.len() >= MAX_CELLS {
        return None;
    }
    out.push(cell);
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython};
    use crate::{cures, Book, BookCell, Case};

    #[test]
    fn a_cell_that_changes_a_name_needs_the_one_that_sets_it() {
        let cells = ["#!\ndf = load()", "#!\ndf = df.dropna()", "df.head()"];
        let error = ipython(
            "NameError",
            &[(1, 1, "df.head()")],
            "name 'df' is not defined",
        );
        assert_eq!(cures_of(&cells, &error)[0].run, [1, 2, 3]);
    }

    #[test]
    fn all_that_the_cell_lacks_comes_in_one_fix() {
        let cells = ["#!\nx = 3", "#!\nk = 2", "y = x + k\nz = np.ones(y)"];
        let error = ipython(
            "NameError",
            &[(1, 1, "y = x + k")],
            "name 'x' is not defined",
        );
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(cure.run, [1, 2, 3]);
        assert_eq!(
            cure.title,
            "Run cells 1, 2: cell 1 sets `x`; add `import numpy as np`"
        );
        assert_eq!(cure.code, "import numpy as np\ny = x + k\nz = np.ones(y)");
        let cells = ["#!\nx = 3", "y = np.ones(x)"];
        let error = ipython("NameError", &[(1, 1, cells[1])], "name 'np' is not defined");
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(cure.run, [1, 2]);
        assert_eq!(cure.title, "Add `import numpy as np`, and run cell 1");
    }

    #[test]
    fn a_cell_that_makes_the_missing_column_is_run() {
        let cells = [
            "df = load()",
            "#!\ntotal = df['a'].sum()",
            "#!\ndf['share'] = df['a'] / total",
            "df.sort_values(by='share')",
        ];
        let error = ipython("KeyError", &[(2, 1, cells[3])], "'share'");
        let cures = cures_of(&cells, &error);
        assert_eq!(cures[0].run, [2, 3, 4]);
        assert_eq!(cures[0].title, "Run cells 2, 3: cell 3 sets `share`");
        let error = ipython(
            "AttributeError",
            &[(2, 1, "df.share")],
            "'DataFrame' object has no attribute 'share'",
        );
        let cells = [cells[0], cells[1], cells[2], "df.share"];
        assert_eq!(cures_of(&cells, &error)[0].run, [2, 3, 4]);
        // A cell that ran creates it, so it is missing for another reason.
        let ran = [
            "df = load()\ndf['share'] = 1",
            "#!\ndf['share'] = 2",
            "other['share']",
        ];
        let error = ipython("KeyError", &[(2, 1, ran[2])], "'share'");
        assert!(!cures_of(&ran, &error).iter().any(|c| c.id == "run-cell"));
    }

    #[test]
    fn a_cell_whose_name_is_gone_is_run_again() {
        let cells = ["data = load()", "del data", "print(data)"];
        let error = ipython(
            "NameError",
            &[(3, 1, "print(data)")],
            "name 'data' is not defined",
        );
        let cures = cures_of(&cells, &error);
        assert_eq!(
            (&*cures[0].id, cures[0].run.as_slice()),
            ("run-cell-again", &[1, 3][..])
        );
        assert!(cures[0].why.contains("Cell 2 deletes"), "{}", cures[0].why);
    }

    #[test]
    fn a_cell_that_ran_since_is_not_run_again() {
        let cell = |position, source, ran| BookCell {
            position,
            source,
            count: Some(ran as i64),
            ran: Some(ran),
            ..BookCell::default()
        };
        let book = Book::new(vec![cell(1, "print(limit)", 1), cell(2, "limit = 3", 2)]);
        let error = ipython(
            "NameError",
            &[(1, 1, "print(limit)")],
            "name 'limit' is not defined",
        );
        let found = cures(&Case::new(&book, 0, &error).expect("a case"));
        assert_eq!(found[0].run, [1]);
        assert_eq!(
            found[0].title,
            "Run this cell again: cell 2 has set `limit` since"
        );
    }

    #[test]
    fn a_cell_that_was_changed_since_is_run_again() {
        let cell = |position, source, ran, edited| BookCell {
            position,
            source,
            count: Some(position as i64),
            ran: Some(ran),
            edited,
            ..BookCell::default()
        };
        let book = Book::new(vec![
            cell(1, "if True:\n    limit = 3", 1, true),
            cell(2, "print(limit)", 2, false),
        ]);
        let error = ipython(
            "NameError",
            &[(2, 1, "print(limit)")],
            "name 'limit' is not defined",
        );
        let case = Case::new(&book, 1, &error).unwrap();
        assert_eq!(cures(&case)[0].run, [1, 2]);
    }
}
