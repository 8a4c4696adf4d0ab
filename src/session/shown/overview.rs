//! What is seen of each notebook now.

use crate::clue::Bottleneck;
use crate::forecast::bottleneck;
use crate::known::{Known, Notebook, Quantity};
use nbmedic_protocol::KernelStatus;
use nbmedic_vitals::{Reading, Reason, Sample};

/// What is seen of a notebook.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The notebook on its page.
    pub id: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status.
    pub kernel: KernelStatus,
    /// The accelerator's name; empty if none is seen.
    pub accelerator: String,
    /// What the resource widgets show.
    pub vitals: [(Quantity, Reading); 3],
    /// What limits the current run; none if nothing is in sight, or nothing runs.
    pub limit: Option<Bottleneck>,
}

/// What is seen of each notebook of the page.
pub(crate) fn overview(page: &Known) -> Vec<Overview> {
    let named = page.named();
    named.map(|(id, nb)| overview_of(page, id, nb)).collect()
}

fn overview_of(page: &Known, id: &str, nb: &Notebook) -> Overview {
    let series = page.series(nb);
    let missing = Reading::Missing(Reason::NoWidget);
    let reading = |pick: fn(&Sample) -> Reading| series.last().map_or(missing, pick);
    Overview {
        id: id.to_owned(),
        name: nb.name.clone(),
        cells: nb.cells.values().filter(|c| !c.gone).count(),
        kernel: nb.status,
        accelerator: series.accelerator().to_owned(),
        vitals: [
            (Quantity::Ram, reading(|s| s.ram)),
            (Quantity::Disk, reading(|s| s.disk)),
            (Quantity::Gpu, reading(|s| s.gpu)),
        ],
        limit: bottleneck(nb, page.lent),
    }
}
