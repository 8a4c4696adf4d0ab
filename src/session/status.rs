//! What is seen of a page, for the popup and the report.

use super::death::severity;
use super::foresight;
use super::notebook::Notebook;
use super::{KernelStatus, Session};
use crate::host::{front_ends, FrontEnd, Landmark};
use crate::view::{Check, Node, OpenCard, Part, Presence, Seen, SeenNotebook};
use crate::vitals::{Reading, Reason, Sample};

/// What is seen of a notebook.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The notebook on its page.
    pub id: String,
    /// Its name; empty where it has none.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status in words.
    pub kernel: &'static str,
    /// The accelerator's name; empty where none is seen.
    pub accelerator: String,
    /// What the resource widgets show.
    pub vitals: [(&'static str, Reading); 3],
    /// What limits the present run, and what says so; nothing in sight, or nothing runs.
    pub limit: Option<String>,
}

/// What the popup, the panel and the report call it.
pub(crate) const BOTTLENECK: &str = "Bottleneck";

impl Session {
    /// The notebooks of the page.
    pub fn overview(&self) -> Vec<Overview> {
        let named = self.notebooks.iter().filter(|(id, _)| !id.is_empty());
        named.map(|(id, nb)| self.overview_of(id, nb)).collect()
    }

    fn overview_of(&self, id: &str, nb: &Notebook) -> Overview {
        let last = self.series(nb).last();
        let reading =
            |pick: fn(&Sample) -> Reading| last.map_or(Reading::Missing(Reason::NoWidget), pick);
        Overview {
            id: id.to_owned(),
            name: nb.name.clone(),
            cells: nb.cells.values().filter(|c| !c.gone).count(),
            kernel: words(nb.status),
            accelerator: self.series(nb).accelerator().to_owned(),
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
            let code = self.code(&f);
            Some(OpenCard {
                code,
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
            vitals.extend(o.limit.map(|text| (BOTTLENECK, text)));
            SeenNotebook {
                name: o.name,
                cells: o.cells,
                kernel: o.kernel,
                accelerator: o.accelerator,
                vitals,
            }
        };
        crate::view::popup(&Seen {
            profile: self.hello.profile.clone(),
            origin: self.hello.origin.clone(),
            check: self.check(),
            notebooks: self.overview().into_iter().map(notebook).collect(),
            cards: cards.collect(),
        })
    }
}

impl Session {
    /// What works on this page and what does not.
    pub fn check(&self) -> Check {
        let Some(all) = Some(front_ends()).filter(|_| !self.hello.profile.is_empty()) else {
            return Check::default();
        };
        let own = |f: &&FrontEnd| f.id == self.hello.profile && !f.fallback;
        let home = |f: &&FrontEnd| f.home.contains(&self.hello.origin);
        let blocks = |f: &FrontEnd| {
            let mut marks = f.landmarks().iter();
            f.fallback && marks.any(|m| self.hello.found.contains_key(&m.name))
        };
        let known = all.iter().find(own);
        let found = |mark: &Landmark| match self.hello.found.get(&mark.name) {
            // A page of which nothing is known shows none of it.
            None if known.is_none() && mark.min > 0 => Presence::Missing,
            Some(n) if *n < mark.min => Presence::Missing,
            None | Some(0) => Presence::Absent,
            Some(n) if *n > mark.max => Presence::TooMany(*n),
            Some(n) => Presence::Found(*n),
        };
        let front_end = known.or_else(|| all.iter().find(home));
        let part = |mark: &Landmark| Part {
            what: mark.what.clone(),
            lost: mark.lost.clone(),
            presence: found(mark),
        };
        Check {
            front_end: front_end.map_or(String::new(), |f| f.name.clone()),
            parts: front_end.map_or(Vec::new(), |f| f.landmarks().iter().map(part).collect()),
            blocks: all.iter().any(blocks),
        }
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
