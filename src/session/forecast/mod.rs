//! What is about to happen: arrays that can't fit, leaks, memory or a disk that fills, the end of
//! the runtime, a restart that an install needs.

mod bottleneck;
mod clock;
mod fills;
mod leak;
mod load;
mod planned;
mod restart;
mod warning;

pub(crate) use bottleneck::bottleneck;
pub(crate) use fills::given;

use crate::known::{Asker, Cell, Notebook};
use nbmedic_protocol::{CellState, Limits};
use warning::Warning;

/// The warning at a cell that has no problem yet. `lent`: the runtime ends after a limited time.
pub(crate) fn at_cell(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    lent: bool,
    limits: &Limits,
    asker: &Asker,
) -> Option<Warning> {
    if limits.quiet {
        return None;
    }
    let running = cell.state == CellState::Running;
    cell.is_busy()
        .then(|| planned::planned(nb, cell, asker))
        .flatten()
        .or_else(|| restart::restart_needed(nb, id, cell, asker))
        .or_else(|| leak::leak(&nb.memory, id))
        .or_else(|| {
            running
                .then(|| fills::filling(&nb.memory, id, limits))
                .flatten()
        })
        .or_else(|| {
            (running && lent)
                .then(|| clock::time_limit(nb, id, cell, limits, asker))
                .flatten()
        })
}
