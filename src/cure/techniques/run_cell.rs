//! A name that another cell sets, which did not run: run it, and before it what it needs.

use crate::case::Case;
use crate::known::is_builtin;
use nbmedic_facts::{Applicability, Cure, FixKind};

/// Most cells named.
const MAX_CELLS: usize = 12;

/// The name that a `NameError` says is missing.
pub(crate) fn missing_name(message: &str) -> Option<&str> {
    let rest = message.split_once("name '")?.1;
    let (name, rest) = rest.split_once('\'')?;
    rest.starts_with(" is not defined").then_some(name)
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let Some(name) = missing_name(case.message()) else {
        return;
    };
    let Some(mut cells) = cells_for(case, name) else {
        return;
    };
    let setter = case.position(cells[cells.len() - 1]);
    cells.sort_unstable();
    let mut run: Vec<usize> = cells.iter().map(|c| case.position(*c)).collect();
    run.push(case.position(case.at));
    let list = |cells: &[usize]| {
        let all: Vec<String> = cells.iter().map(usize::to_string).collect();
        all.join(", ")
    };
    let before = &run[..run.len() - 1];
    let title = match before {
        [one] => format!("Run cell {one}, which sets `{name}`"),
        many => format!("Run cells {}: cell {setter} sets `{name}`", list(many)),
    };
    let was_edited = case.book.cells()[cells[0]].edited;
    let why = match (was_edited, before.len()) {
        (true, 1) => format!("It was changed after it last ran. Then run this cell again: nothing else is missing for `{name}`."),
        (_, 1) => format!("It has not run in this kernel, so `{name}` does not exist yet. Then run this cell again."),
        _ => format!("None of them has run in this kernel; the others set what cell {setter} needs. Then run this cell again."),
    };
    out.push(Cure {
        id: "run-cell",
        kind: FixKind::Run,
        applies: Applicability::Sure,
        title,
        why,
        run,
        ..Cure::default()
    });
}

/// The cells that must run so that a name exists, each after those that it needs; the last one sets the name.
/// None if no cell sets it, several do in different ways, or something that is needed is nowhere.
fn cells_for(case: &Case<'_>, name: &str) -> Option<Vec<usize>> {
    let mut out = Vec::new();
    add(case, name, &mut out, &mut vec![name.to_owned()])?;
    Some(out)
}

fn add(case: &Case<'_>, name: &str, out: &mut Vec<usize>, asked: &mut Vec<String>) -> Option<()> {
    let mut setters: Vec<usize> = case.set_elsewhere(name).iter().map(|s| s.cell).collect();
    setters.dedup();
    // The nearest above the failing cell is what would have run; otherwise the first one below.
    let above = setters.iter().rev().find(|c| **c < case.at);
    let cell = *above.or(setters.first())?;
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
        // What is nowhere may be a magic's or an import's by `*`: the cell is still the right one.
        let _ = add(case, &need, out, asked);
    }
    if out.len() >= MAX_CELLS {
        return None;
    }
    out.push(cell);
    Some(())
}
