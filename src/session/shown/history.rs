//! What happened in a notebook's session, as data. The view turns it into curves and words.

use crate::known::{
    checksum, Asker, Cell, Known, Memory, Notebook, Quantity, RestartCause, Run, Sample,
};
use nbmedic_ask::{may_install, Installer};
use nbmedic_facts::CellName;

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
        /// The last line that it printed.
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
    /// Problems that are gone, newest first.
    pub past: Vec<Past>,
}

/// The session of each notebook of the page.
pub(crate) fn histories(page: &Known, asker: &Asker) -> Vec<History> {
    let history = |(id, nb): (&String, &Notebook)| History {
        id: id.clone(),
        samples: nb.memory.samples.clone(),
        events: events(nb, asker),
        past: past(nb),
    };
    page.named().map(history).collect()
}

/// Whether the run before the last of a cell had the same diagnosis.
pub(crate) fn had_before(page: &Known, nb: &str, cell: &str, id: &str) -> bool {
    let memory = page.notebooks.get(nb).map(|nb| &nb.memory);
    memory.and_then(|m| last_but_one(m, cell)) == Some(id)
}

/// What was found in the run before the last of a cell.
fn last_but_one<'a>(memory: &'a Memory, cell: &str) -> Option<&'a str> {
    let mut runs = memory.runs.iter().rev().filter(|r| r.cell == cell);
    runs.next()?;
    runs.next().map(|r| r.id.as_str())
}

fn name(nb: &Notebook, run: &Run) -> CellName {
    CellName {
        position: nb.cells.get(&run.cell).map(|c| c.position()),
        count: run.count,
    }
}

fn past(nb: &Notebook) -> Vec<Past> {
    let runs = &nb.memory.runs;
    let gone = |(i, run): &(usize, &Run)| {
        let later = runs[i + 1..].iter().rfind(|r| r.cell == run.cell);
        !run.id.is_empty() && later.is_some_and(|r| r.well && r.id.is_empty())
    };
    let past = |(_, run): (usize, &Run)| Past {
        id: run.id.clone(),
        cell: run.cell.clone(),
        name: name(nb, run),
    };
    runs.iter()
        .enumerate()
        .rev()
        .filter(gone)
        .map(past)
        .collect()
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
            (true, Some(tool)) => What::Installed(tool),
            (true, None) => continue,
        };
        let at = r.end.unwrap_or(r.start).max(r.start);
        push(at, Some(&r.cell), what);
    }
    list.sort_by_key(|e| e.at);
    list
}
