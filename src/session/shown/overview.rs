//! What is seen of each notebook now.

use crate::clue::Bottleneck;
use crate::forecast::bottleneck;
use crate::known::{Notebook, Quantity};
use crate::Session;
use nbmedic_protocol::KernelStatus;
use nbmedic_vitals::{Reading, Reason, Sample};

/// What is seen of a notebook.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The notebook on its page.
    pub id: String,
    /// Its name; empty where it has none.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status.
    pub kernel: KernelStatus,
    /// The accelerator's name; empty where none is seen.
    pub accelerator: String,
    /// What the resource widgets show.
    pub vitals: [(Quantity, Reading); 3],
    /// What limits the present run; none if nothing is in sight, or nothing runs.
    pub limit: Option<Bottleneck>,
}

impl Session {
    /// The notebooks of the page, in the order of their ids.
    pub fn overview(&self) -> Vec<Overview> {
        self.named()
            .map(|(id, nb)| self.overview_of(id, nb))
            .collect()
    }

    /// The notebooks that are on the page: a notice can come before any.
    pub(super) fn named(&self) -> impl Iterator<Item = (&String, &Notebook)> {
        self.page.notebooks.iter().filter(|(id, _)| !id.is_empty())
    }

    fn overview_of(&self, id: &str, nb: &Notebook) -> Overview {
        let series = self.page.series(nb);
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
            limit: bottleneck(nb, self.page.lent),
        }
    }
}
