//! What cells printed: judged when it changes, and held within bounds.

use super::kept;
use crate::known::Triage;
use crate::known::{fnv1a, severity, Cell, Joined, Known, PROBE};
use nbmedic_triage::{Diagnosis, Input, Surface};

/// Maximum amount of output text held for one page, in bytes. Above that, the cells that have not
/// changed for the longest time keep only their last lines.
const MAX_WEIGHT: usize = 24 << 20;
/// What such a cell keeps of an output, in bytes.
const SHRUNK: usize = 2 << 10;

/// Judges a cell's outputs, if they or its source changed.
pub(crate) fn judge_printed(cell: &mut Cell, triage: Triage) {
    let joined = cell.outputs.join(cell.run());
    let source = Some(cell.source.as_str()).filter(|s| !s.is_empty());
    let judged_source = source.map(|s| fnv1a(s.bytes()));
    if joined == cell.joined && judged_source == cell.judged_source {
        return;
    }
    let known = kept::recall(cell, &joined.text);
    // An empty text needs no look.
    cell.unkept = known.is_none() && !joined.text.is_empty();
    cell.diagnoses = match known {
        Some(found) => found,
        None if joined.text.is_empty() => Vec::new(),
        None => judge(&joined, source, cell.run() > 0, triage),
    };
    cell.joined = joined;
    cell.judged_source = judged_source;
}

/// What is found in a cell's output.
fn judge(joined: &Joined, source: Option<&str>, ran: bool, triage: Triage) -> Vec<Diagnosis> {
    // What the probe's own cell prints about a death quotes the system's log. It belongs to the death, unless the page was
    // opened later.
    if joined.text.contains(PROBE) && !joined.failed && ran {
        return Vec::new();
    }
    let mut diagnoses = triage(&Input {
        text: &joined.text,
        surface: Surface::Output,
        source,
    });
    // What users did themselves or see anyway (a stopped run, a long output that was cut) has a name in
    // a triage, but opens no card.
    diagnoses.retain(|d| severity(d) != "info");
    for d in &mut diagnoses {
        d.evidence.retain(|e| !joined.in_gap(&e.range));
        for e in &mut d.evidence {
            e.line = joined.number(e.line);
        }
    }
    diagnoses
}

/// Keeps the text of a page within bounds.
pub(crate) fn shrink(page: &mut Known) {
    let cells = || page.notebooks.values().flat_map(|nb| nb.cells.values());
    let mut weight: usize = cells().map(|c| c.outputs.weight()).sum();
    if weight <= MAX_WEIGHT {
        return;
    }
    let notebooks = page.notebooks.iter_mut();
    let mut cells: Vec<&mut Cell> = notebooks
        .flat_map(|(_, nb)| nb.cells.iter_mut().map(|(_, c)| c))
        .collect();
    cells.sort_by_key(|c| c.touched);
    for cell in cells {
        let held = cell.outputs.weight();
        cell.outputs.shrink(SHRUNK);
        weight -= held - cell.outputs.weight();
        if weight <= MAX_WEIGHT / 2 {
            break;
        }
    }
}
