//! Failures that are over: a later run did not have them.

use crate::clue::Clue;
use crate::known::{checksum, Cell, Notebook, Run};
use nbmedic_facts::{CellName, Cure};
use nbmedic_triage::Diagnosis;

/// A failure that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Its diagnosis.
    pub id: String,
    /// The run without it.
    pub by: CellName,
}

/// Whether a run is over and has shown nothing wrong.
pub(super) fn is_well(run: &Run) -> bool {
    run.well && run.end.is_some() && run.id.is_empty()
}

/// The failure that the run before the last of a cell had, if the last one is over and ran well.
pub(super) fn since(nb: &Notebook, id: &str, cell: &Cell) -> Option<Solved> {
    let run = cell.run();
    if run == 0 || cell.is_busy() {
        return None;
    }
    let mut runs = nb.memory.runs.iter().rev().filter(|r| r.cell == id);
    runs.next().filter(|r| is_well(r) && r.run == run)?;
    let failed = runs.next().filter(|r| !r.well && !r.id.is_empty())?;
    Some(Solved {
        id: failed.id.clone(),
        by: cell.label(),
    })
}

/// That the run before the last of a cell failed in the same way, if both are over.
pub(super) fn again(nb: &Notebook, id: &str, cell: &Cell) -> Option<Clue> {
    let mut runs = nb.memory.runs.iter().rev().filter(|r| r.cell == id);
    let last = runs
        .next()
        .filter(|r| r.end.is_some() && r.run == cell.run())?;
    let before = runs.next()?;
    let same = !last.id.is_empty() && last.id == before.id && last.tail == before.tail;
    let failed = !last.well && !before.well && same;
    failed.then_some(Clue::Again {
        changed: last.source != before.source,
    })
}

/// The cell into which the cure of a failing cell was put, if it has run well since.
pub(super) fn elsewhere(nb: &Notebook, id: &str, cell: &Cell, d: &Diagnosis) -> Option<CellName> {
    let at = cell.position();
    let whole = |c: &&Cure| {
        let single = c.edits.iter().all(|e| e.cell == at);
        single && c.cell == Some(at) && !c.code.is_empty()
    };
    let cured: Vec<u32> = d
        .cures
        .iter()
        .filter(whole)
        .map(|c| checksum(&c.code))
        .collect();
    let runs = &nb.memory.runs;
    let failed = runs
        .iter()
        .rposition(|r| r.cell == id && r.run == cell.run())?;
    let by = runs[failed + 1..].iter().rfind(|r| {
        let other = nb.cells.get(&r.cell).is_some_and(|c| !c.gone);
        other && r.cell != id && is_well(r) && cured.contains(&r.source)
    })?;
    nb.cells.get(&by.cell).map(Cell::label)
}
