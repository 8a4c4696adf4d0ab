//! The secrets of a page's raw texts, which leave in nothing that is shown elsewhere, handed on or stored.

use crate::known::Known;

/// Learns from what changed since it was last called. Of a cell that runs on without a failure, the outputs wait.
pub(crate) fn learn(known: &mut nbmedic_secrets::Known, page: &Known) {
    for cell in page.notebooks.values().flat_map(|nb| nb.cells.values()) {
        let (mut source, mut outputs) = cell.learnt.get();
        if source != cell.code {
            source = cell.code;
            known.learn_secrets(&cell.source);
        }
        if outputs != cell.version && (!cell.is_busy() || !cell.diagnoses.is_empty()) {
            outputs = cell.version;
            cell.outputs.texts(&mut |text| known.learn_secrets(text));
        }
        cell.learnt.set((source, outputs));
    }
}
