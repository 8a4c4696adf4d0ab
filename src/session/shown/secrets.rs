//! The secrets of a page's raw texts, which leave in nothing that is shown elsewhere, handed on or stored.

use crate::known::Known;
use std::collections::BTreeMap;

/// What is known of a page's secrets, and of which state of each cell.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    known: nbmedic_secrets::Known,
    /// By notebook and cell: the state of the source and of the outputs.
    learnt: BTreeMap<(String, String), (u64, u64)>,
}

impl Secrets {
    /// Learns what changed since it was last called. Of a cell that runs on without a failure, the outputs wait.
    pub fn learn(&mut self, page: &Known) -> &mut nbmedic_secrets::Known {
        for (id, nb) in page.notebooks.iter() {
            for (name, cell) in nb.cells.iter() {
                let waits = cell.is_busy() && cell.diagnoses.is_empty();
                let learnt = self.learnt.entry((id.clone(), name.clone())).or_default();
                if learnt.0 != cell.code {
                    learnt.0 = cell.code;
                    self.known.learn_secrets(&cell.source);
                }
                if learnt.1 != cell.version && !waits {
                    learnt.1 = cell.version;
                    cell.outputs
                        .texts(&mut |text| self.known.learn_secrets(text));
                }
            }
        }
        &mut self.known
    }
}
