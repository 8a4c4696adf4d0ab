//! What is seen of a page, for the popup and the report.

use super::death::severity;
use super::foresight;
use super::notebook::Notebook;
use super::{KernelStatus, Session};
use crate::view::{Node, OpenCard, Seen, SeenNotebook};
use crate::vitals::{Reading, Reason, Sample};

/// What is seen of a notebook.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Its name; empty where it has none.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status in words.
    pub kernel: &'static str,
    /// What the resource widgets show.
    pub vitals: [(&'static str, Reading); 3],
    /// What will stop the present run first, and when; none in sight, or nothing runs.
    pub limit: Option<(&'static str, String)>,
}

impl Session {
    /// The notebooks of the page.
    pub fn overview(&self) -> Vec<Overview> {
        let named = self.notebooks.iter().filter(|(id, _)| !id.is_empty());
        named.map(|(_, nb)| self.overview_of(nb)).collect()
    }

    fn overview_of(&self, nb: &Notebook) -> Overview {
        let last = self.series(nb).last();
        let reading =
            |pick: fn(&Sample) -> Reading| last.map_or(Reading::Missing(Reason::NoWidget), pick);
        Overview {
            name: nb.name.clone(),
            cells: nb.cells.values().filter(|c| !c.gone).count(),
            kernel: words(nb.status),
            vitals: [
                ("Runtime RAM", reading(|s| s.ram)),
                ("Disk", reading(|s| s.disk)),
                ("GPU memory", reading(|s| s.gpu)),
            ],
            limit: foresight::bottleneck(nb, self.hosted()),
        }
    }

    /// What the popup shows.
    pub fn status(&self) -> Node {
        let cards = self.findings().into_iter().filter_map(|f| {
            let shown = self.shown.get(&f.card).filter(|_| !f.hidden)?;
            let best = &f.diagnoses[0];
            Some(OpenCard {
                title: shown.title.clone(),
                place: match f.label.is_empty() {
                    true => self.name(&f.nb).to_owned(),
                    false => f.label,
                },
                cell: f.cell,
                id: best.id.to_owned(),
                severity: severity(best),
            })
        });
        let notebook = |o: Overview| {
            let mut vitals = o.vitals.map(|(what, r)| (what, r.text())).to_vec();
            vitals.extend(
                o.limit
                    .map(|(what, when)| ("Stops this run first", format!("{what}, {when}"))),
            );
            SeenNotebook {
                name: o.name,
                cells: o.cells,
                kernel: o.kernel,
                vitals,
            }
        };
        crate::view::popup(&Seen {
            profile: self.hello.profile.clone(),
            origin: self.hello.origin.clone(),
            landmarks: self.hello.found.clone().into_iter().collect(),
            notebooks: self.overview().into_iter().map(notebook).collect(),
            cards: cards.collect(),
        })
    }
}

pub(crate) fn words(status: KernelStatus) -> &'static str {
    match status {
        KernelStatus::Idle => "idle",
        KernelStatus::Busy => "busy",
        KernelStatus::Starting => "starting",
        KernelStatus::Restarting => "restarting",
        KernelStatus::Autorestarting => "died, starting again",
        KernelStatus::Dead => "dead",
        KernelStatus::Connecting => "connecting",
        KernelStatus::Disconnected => "disconnected",
        KernelStatus::Unknown => "not shown",
    }
}
