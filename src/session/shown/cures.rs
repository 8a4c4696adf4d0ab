//! Cures from the notebook's cells.

use crate::known::{Asker, Cell, Incident, Notebook};
use nbmedic_ask::{beginning, fill, Answer, AskedCell, Failure, Question};
use nbmedic_facts::Ended;
use nbmedic_protocol::CellState;
use nbmedic_triage::Diagnosis;

/// Adds the cures of a cell's failure: of an exception at once, of what a command in it printed when the cell has ended,
/// because a command that goes on may still say more. They are made once for each state of the notebook's code.
pub(super) fn add(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    diagnoses: &mut [Diagnosis],
    asker: &Asker,
) {
    let goes_on = cell.state == CellState::Running && !cell.joined.failed;
    if goes_on || diagnoses.is_empty() {
        return;
    }
    let state = state(nb, cell);
    if is_kept(state, cell, diagnoses) {
        return;
    }
    let known = diagnoses.to_vec();
    let (cells, at) = book(nb, id);
    let failure = Failure::new(Some(at), &cell.joined.text, &known);
    make(state, cell, cells, failure, diagnoses, asker);
}

/// Adds the cures of a kernel's end while a cell ran.
pub(super) fn add_end(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    diagnoses: &mut [Diagnosis],
    (incident, ended): (&Incident, Ended),
    asker: &Asker,
) {
    let state = state(nb, cell) ^ (u64::from(incident.n) << 40);
    if is_kept(state, cell, diagnoses) {
        return;
    }
    let known = diagnoses.to_vec();
    let (cells, at) = book(nb, id);
    let failure = Failure {
        ended: Some(ended),
        ..Failure::new(Some(at), "", &known)
    };
    make(state, cell, cells, failure, diagnoses, asker);
}

/// Adds the cures that were made before; false, if they were made from another state.
fn is_kept(state: u64, cell: &Cell, diagnoses: &mut [Diagnosis]) -> bool {
    let kept = cell.cures.borrow();
    let Some((_, made)) = kept.as_ref().filter(|(of, _)| *of == state) else {
        return false;
    };
    for (d, cures) in diagnoses.iter_mut().zip(made) {
        d.cures.clone_from(cures);
    }
    true
}

/// Makes the cures of a failure, and keeps them.
fn make(
    state: u64,
    cell: &Cell,
    cells: Vec<AskedCell<'_>>,
    failure: Failure<'_>,
    diagnoses: &mut [Diagnosis],
    asker: &Asker,
) {
    let question = Question::Cures {
        cells,
        failures: vec![failure],
    };
    let missed = asker.take_away();
    fill(asker.ask(cell, &question), [&mut *diagnoses]);
    let away = asker.take_away();
    if missed || away {
        asker.miss();
    }
    if !away {
        let made = diagnoses.iter().map(|d| d.cures.clone());
        *cell.cures.borrow_mut() = Some((state, made.collect()));
    }
}

/// The ids of the cells that a diagnosis's cures name, by their positions, and that of its own cell.
pub(super) fn cells(nb: &Notebook, d: &Diagnosis, own: Option<&str>) -> Vec<(usize, String)> {
    let named = |position: usize| {
        d.cures.iter().any(|c| {
            c.run.contains(&position)
                || c.cell == Some(position)
                || c.diff.iter().any(|l| l.cell == position)
        })
    };
    let cured = !d.cures.is_empty();
    let all = nb.cells.iter().filter(|(_, c)| cured && !c.gone);
    let own =
        own.and_then(|own| Some((nb.cells.keys().find(|id| *id == own)?, nb.cells.get(own)?)));
    let mut cells: Vec<(usize, String)> = all
        .filter(|(_, c)| named(c.position()))
        .chain(own)
        .map(|(id, c)| (c.position(), id.clone()))
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The cells that a cell rests on, in the order of the notebook, each with the names that it sets for it.
pub(crate) fn sources<'a>(
    nb: &'a Notebook,
    id: &'a str,
    asker: &Asker,
) -> Vec<(&'a Cell, Vec<String>)> {
    let (cells, at) = book(nb, id);
    let Some(asked) = nb.cells.get(id).filter(|c| !c.gone) else {
        return Vec::new();
    };
    let positions: Vec<usize> = cells.iter().map(|c| c.position).collect();
    let Answer::Needed(needed) = asker.ask(asked, &Question::Needed { cells, at }) else {
        return Vec::new();
    };
    let cell = |position: usize| {
        nb.cells
            .values()
            .find(|c| !c.gone && c.position() == position)
    };
    needed
        .into_iter()
        .filter_map(|(i, names)| Some((cell(*positions.get(i)?)?, names)))
        .collect()
}

/// A number that changes whenever a cure could.
fn state(nb: &Notebook, cell: &Cell) -> u64 {
    let code: u64 = nb.cells.values().map(|c| c.code).sum();
    code.wrapping_mul(1 << 24) ^ (cell.version << 4) ^ nb.memory.boot.unwrap_or(0)
}

/// The notebook's cells in their order, and the index of one of them.
fn book<'a>(nb: &'a Notebook, id: &str) -> (Vec<AskedCell<'a>>, usize) {
    let mut cells: Vec<(&String, &Cell)> = nb.cells.iter().filter(|(_, c)| !c.gone).collect();
    cells.sort_by_key(|(_, c)| c.index);
    let at = cells
        .iter()
        .position(|(other, _)| *other == id)
        .unwrap_or(0);
    let cells = cells.into_iter();
    (cells.map(|(id, c)| asked_cell(nb, id, c)).collect(), at)
}

fn asked_cell<'a>(nb: &Notebook, id: &str, cell: &'a Cell) -> AskedCell<'a> {
    let memory = &nb.memory;
    let seen = memory.ran(id).filter(|r| memory.in_this_kernel(r.start));
    // What ran before the sensor started has a count only: counts are smaller than times.
    let counted = cell
        .count
        .filter(|_| memory.boot.is_none() && cell.run() == 0);
    AskedCell {
        position: cell.position(),
        source: cell.source.as_str().into(),
        count: cell.count,
        ran: seen
            .map(|r| r.start)
            .or(counted.and_then(|n| u64::try_from(n).ok())),
        edited: nb.edited(id, cell),
        output: beginning(&cell.joined.text).into(),
    }
}
