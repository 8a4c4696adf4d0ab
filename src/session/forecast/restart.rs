//! A restart that an install needs.

use super::warning::Warning;
use crate::clue::Clue;
use crate::known::{Asker, Cell, Notebook};
use nbmedic_catalog::Condition;
use nbmedic_protocol::CellState;

/// The warning that a cell replaced packages which the running kernel had loaded.
pub(super) fn restart_needed(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    asker: &Asker,
) -> Option<Warning> {
    let run = nb.memory.ran(id)?;
    let now = run.run == cell.run() && nb.memory.in_this_kernel(run.start);
    if run.packages.is_empty() || !now || cell.state == CellState::Running {
        return None;
    }
    let mut w = Warning::new(Condition::ReplacedPackage, "restart-needed", 0.9)?;
    let packages = run.packages.join(", ");
    w.text("name", packages.clone());
    w.known = vec![
        Clue::ReplacedInUse {
            tool: asker.plain(cell).installer,
            packages,
        },
        Clue::KernelKeepsLoaded,
    ];
    Some(w)
}
