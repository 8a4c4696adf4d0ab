//! What is seen of a page, for the popup and the report.

use super::death::severity;
use super::foresight;
use super::notebook::Notebook;
use super::{KernelStatus, Session};
use crate::host::{front_ends, FrontEnd, Landmark};
use crate::view::{reading, Check, Node, OpenCard, Part, Presence, Seen, SeenNotebook};
use crate::vitals::{Reading, Reason, Sample};
use crate::words::{self, Say, Text};

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
    pub kernel: Say,
    /// The accelerator's name; empty where none is seen.
    pub accelerator: String,
    /// What the resource widgets show.
    pub vitals: [(Say, Reading); 3],
    /// What limits the present run, and what says so; nothing in sight, or nothing runs.
    pub limit: Option<String>,
}

impl Session {
    /// The notebooks of the page.
    pub fn overview(&self) -> Vec<Overview> {
        let named = self.notebooks.iter().filter(|(id, _)| !id.is_empty());
        named.map(|(id, nb)| self.overview_of(id, nb)).collect()
    }

    fn overview_of(&self, id: &str, nb: &Notebook) -> Overview {
        let last = self.series(nb).last();
        let shown =
            |pick: fn(&Sample) -> Reading| last.map_or(Reading::Missing(Reason::NoWidget), pick);
        Overview {
            id: id.to_owned(),
            name: nb.name.clone(),
            cells: nb.cells.values().filter(|c| !c.gone).count(),
            kernel: kernel(nb.status),
            accelerator: self.series(nb).accelerator().to_owned(),
            vitals: [
                (words::ram(), shown(|s| s.ram)),
                (words::disk(), shown(|s| s.disk)),
                (words::gpu(), shown(|s| s.gpu)),
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
                    true => words::foreign(self.name(&f.nb)),
                    false => words::foreign(f.label),
                },
                cell: f.cell,
                id: best.id.to_owned(),
                severity: severity(best),
            })
        });
        let notebook = |o: Overview| {
            let known = o.vitals.map(|(what, r)| (what.into(), reading(r)));
            let mut vitals: Vec<(Text, Text)> = known.to_vec();
            let limit = o.limit.map(words::foreign);
            vitals.extend(limit.map(|text| (words::bottleneck().into(), text)));
            SeenNotebook {
                name: o.name,
                cells: o.cells,
                kernel: o.kernel.into(),
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
            what: said(&mark.what),
            lost: said(&mark.lost),
            presence: found(mark),
        };
        Check {
            front_end: front_end.map_or(String::new(), |f| f.name.clone()),
            parts: front_end.map_or(Vec::new(), |f| f.landmarks().iter().map(part).collect()),
            blocks: all.iter().any(blocks),
        }
    }
}

/// A message that a profile names; a test holds that each of them is one.
fn said(key: &str) -> Text {
    words::named(key).map(Text::from).unwrap_or_default()
}

/// A kernel's status for people.
pub(crate) fn kernel(status: KernelStatus) -> Say {
    match status {
        KernelStatus::Idle => words::idle(),
        KernelStatus::Busy => words::busy(),
        KernelStatus::Starting => words::starting(),
        KernelStatus::Restarting => words::restarting(),
        KernelStatus::Autorestarting => words::autorestarting(),
        KernelStatus::Dead => words::dead(),
        KernelStatus::Connecting => words::connecting(),
        KernelStatus::Disconnected => words::disconnected(),
        KernelStatus::Unknown => words::not_shown(),
    }
}
