//! The answers about cells' Python, in the form in which they are stored.
//!
//! The reader is as large as half of the engine, so an engine that restarts only to say again what it said before must
//! not need it. Answers that name code which isn't stored as it is are not stored: they are asked for again.

use crate::known::{Answers, Cell, Notebook};
use nbmedic_protocol::{Answered, MAX_FOUND};

/// Takes the answers that were stored for a cell.
pub(super) fn recall(cell: &mut Cell, stored: &Answered) {
    if let Some(answers) = Answers::read(&stored.text, &stored.of) {
        cell.answers = answers;
    }
}

/// The answers about a notebook's cells that are to be stored; from then on they count as stored.
pub(crate) fn take_answered(id: &str, nb: &mut Notebook) -> Vec<Answered> {
    let changed = |c: &Cell| c.answers.changed.replace(false) && !c.gone && is_plain(&c.source);
    let changed: Vec<&String> = nb
        .cells
        .iter()
        .filter(|(_, c)| changed(c))
        .map(|(name, _)| name)
        .collect();
    if changed.is_empty() {
        return Vec::new();
    }
    // A cure may quote any cell, and what the failure printed.
    let cells = || nb.cells.values().filter(|c| !c.gone);
    let cured = changed
        .iter()
        .any(|name| nb.cells.get(*name).is_some_and(|c| c.answers.hold_cures()));
    let open = !cured || cells().all(|c| is_plain(&c.source));
    let all = changed.into_iter().filter_map(|name| {
        let cell = nb.cells.get(name)?;
        if cell.answers.hold_cures() && !(open && cell.outputs.is_plain()) {
            return None;
        }
        let (text, of) = cell.answers.write();
        (text.len() <= MAX_FOUND).then(|| Answered {
            nb: id.to_owned(),
            cell: name.clone(),
            of,
            text,
        })
    });
    all.collect()
}

/// Whether a source is stored as it is.
fn is_plain(source: &str) -> bool {
    nbmedic_secrets::find(source).is_empty()
}
