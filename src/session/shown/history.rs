//! What happened in a notebook's session, as data. The view turns it into curves and words.

use super::solved::is_well;
use crate::death::Concluded;
use crate::known::{checksum, Asker, Cell, Known, Notebook, Quantity, RestartCause, Run, Sample};
use litemap::LiteMap;
use nbmedic_ask::{may_install, Installer};
use nbmedic_facts::CellName;

/// The verdicts on each notebook's incidents.
type All = LiteMap<String, Vec<Concluded>>;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum What {
    /// A cell ran.
    Ran {
        /// The run.
        name: CellName,
        /// When it ended, in milliseconds since 1970; none while it is in progress.
        end: Option<u64>,
        /// It ended without an error.
        well: bool,
        /// The highest use of main memory, in bytes.
        peak: Option<f64>,
        /// The diagnosis of what it printed; empty for none.
        id: String,
        /// The line that tells the diagnosis, else the last one that it printed.
        tail: String,
    },
    /// The kernel died, and what the front end said.
    Died(String),
    /// The kernel was restarted, not because of a death.
    Restarted(RestartCause),
    /// A cell installed packages.
    Installed(Installer),
    /// A cell replaced these packages although the kernel had loaded them.
    Replaced(String),
}

/// Something that happened, when and where.
#[derive(Clone, Debug)]
pub struct Happening {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The cell, if it is on the page.
    pub cell: Option<String>,
    /// What.
    pub what: What,
}

/// A problem that a later run of its cell did not have.
#[derive(Clone, Debug)]
pub struct Past {
    /// The diagnosis.
    pub id: String,
    /// The cell.
    pub cell: String,
    /// The run that had it.
    pub name: CellName,
    /// When that run began or, for a death, when it was; in milliseconds since 1970.
    pub at: u64,
    /// The line that tells it; may be empty.
    pub tail: String,
    /// The run without it.
    pub by: CellName,
    /// The cell was changed between the two.
    pub changed: bool,
}

/// A notebook's session.
#[derive(Clone, Debug)]
pub struct History {
    /// The notebook on its page.
    pub id: String,
    /// Readings, oldest first.
    pub samples: Vec<Sample>,
    /// What happened, oldest first.
    pub events: Vec<Happening>,
    /// Problems that are gone: deaths, then what else failed; the newest first.
    pub past: Vec<Past>,
}

/// The session of each notebook of the page.
pub(crate) fn histories(page: &Known, concluded: &All, asker: &Asker) -> Vec<History> {
    let history = |((id, nb), past): ((&String, &Notebook), Vec<Past>)| History {
        id: id.clone(),
        samples: nb.memory.samples.clone(),
        events: events(nb, asker),
        past,
    };
    page.named()
        .zip(pasts(page, concluded))
        .map(history)
        .collect()
}

/// What is over in each notebook of the page.
pub(crate) fn pasts<'a>(
    page: &'a Known,
    concluded: &'a All,
) -> impl Iterator<Item = Vec<Past>> + 'a {
    let of = |id| concluded.get(id).map_or(&[][..], Vec::as_slice);
    page.named().map(move |(id, nb)| past(nb, of(id)))
}

fn name(nb: &Notebook, run: &Run) -> CellName {
    CellName {
        position: nb.cells.get(&run.cell).map(|c| c.position()),
        count: run.count,
    }
}

/// What is over in a notebook: deaths, then what else failed; the newest first.
fn past(nb: &Notebook, concluded: &[Concluded]) -> Vec<Past> {
    let runs = &nb.memory.runs;
    let over = |i: usize, id: &str, at: u64, tail: String| {
        let run = &runs[i];
        let by = runs[i + 1..]
            .iter()
            .find(|r| r.cell == run.cell && is_well(r))?;
        Some(Past {
            id: id.to_owned(),
            cell: run.cell.clone(),
            name: name(nb, run),
            at,
            tail,
            // As its card says it.
            by: match by.count {
                None => name(nb, by),
                count => CellName {
                    count,
                    position: None,
                },
            },
            changed: by.source != run.source,
        })
    };
    let failed = runs.iter().enumerate().filter(|(_, r)| !r.id.is_empty());
    let mut list: Vec<Past> = failed
        .filter_map(|(i, r)| over(i, &r.id, r.start, r.tail.clone()))
        .collect();
    for c in concluded {
        let (i, verdict) = (c.incident(), c.verdict.as_ref());
        let run = |r: &Run| Some(&r.cell) == i.cell.as_ref() && r.start <= i.at;
        if let (Some(at), Some(verdict)) = (runs.iter().rposition(run), verdict) {
            let said: Vec<&str> = i.notices.iter().map(|n| n.text.as_str()).collect();
            list.extend(over(at, verdict.diagnoses[0].id, i.at, said.join(" ")));
        }
    }
    list.reverse();
    list
}

/// What a cell installs packages with.
fn installer(cell: &Cell, asker: &Asker) -> Option<Installer> {
    may_install(&cell.source)
        .then(|| asker.plain(cell))
        .and_then(|p| p.installer)
}

fn events(nb: &Notebook, asker: &Asker) -> Vec<Happening> {
    let memory = &nb.memory;
    let mut list: Vec<Happening> = Vec::new();
    let mut push = |at: u64, cell: Option<&String>, what: What| {
        let cell = cell.filter(|c| nb.cells.get(*c).is_some_and(|c| !c.gone));
        list.push(Happening {
            at,
            cell: cell.cloned(),
            what,
        });
    };
    for r in &memory.runs {
        let what = What::Ran {
            name: name(nb, r),
            end: r.end,
            well: r.well,
            peak: r.peak(Quantity::Ram),
            id: r.id.clone(),
            tail: r.tail.clone(),
        };
        push(r.start, Some(&r.cell), what);
    }
    for i in memory.incidents.iter().filter(|i| i.fatal) {
        let said: Vec<&str> = i.notices.iter().map(|n| n.text.as_str()).collect();
        push(i.at, i.cell.as_ref(), What::Died(said.join(" ")));
    }
    for r in memory
        .restarts
        .iter()
        .filter(|r| r.cause != RestartCause::Died)
    {
        let at = u64::from(r.second) * 1000;
        push(at, None, What::Restarted(r.cause));
    }
    for r in memory.runs.iter().filter(|r| r.well) {
        let cell = nb.cells.get(&r.cell);
        let same = cell.filter(|c| checksum(&c.source) == r.source);
        let tool = same.and_then(|c| installer(c, asker));
        let what = match (r.packages.is_empty(), tool) {
            (false, _) => What::Replaced(r.packages.join(", ")),
            // Where an install fails, the cell does not: its diagnosis tells it.
            (true, Some(tool)) if r.id.is_empty() => What::Installed(tool),
            (true, _) => continue,
        };
        let at = r.end.unwrap_or(r.start).max(r.start);
        push(at, Some(&r.cell), what);
    }
    list.sort_by_key(|e| e.at);
    list
}
