//! What the history keeps about a page: each diagnosis and each death, once.

use super::entry::Entry;
use super::session::{session_report, Options};
use nbmedic_session::{fnv1a, Session};
use nbmedic_view::ProseCache;
use serde::Serialize;

/// Maximum number of evidence lines.
const MAX_LINES: usize = 6;

/// A finding without secrets and names, which is stored as is.
#[derive(Clone, Debug, Serialize)]
pub struct Past {
    /// Identifies the finding; stays the same when the page is reloaded.
    pub key: String,
    /// When it happened, or when it was seen if it was on the page before; in milliseconds since 1970.
    pub at: u64,
    /// It ended the kernel or the runtime.
    pub death: bool,
    /// The notebook's name.
    pub notebook: String,
    /// The cell's name for people; empty for the notebook as a whole.
    pub place: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// The diagnosis as in reports, without explanation and fixes.
    pub found: Entry,
}

/// What solved a finding.
#[derive(Clone, Debug, Serialize)]
pub struct Over {
    /// [`Past::key`].
    pub key: String,
    /// What people call the cell that ran.
    pub by: String,
    /// `fix`: a repaired cell elsewhere; `changed` or `same`: the cell itself, with or without a change.
    pub how: &'static str,
}

/// What the history keeps about a page.
#[derive(Clone, Debug, Serialize)]
pub struct Remembered {
    /// The findings.
    pub found: Vec<Past>,
    /// What solved some of them, or earlier ones.
    pub over: Vec<Over>,
}

fn key(notebook: &str, cell: &str, id: &str, when: &str) -> String {
    format!("{notebook}\n{cell}\n{id}\n{when}")
}

/// All current findings of a page, except those that are hidden and those that follow from another cell; and what is over.
pub fn past(session: &Session, prose: &ProseCache, now_ms: u64) -> Remembered {
    // The report's texts are already redacted.
    let report = session_report(session, prose, now_ms, &Options::default());
    let mut over = Vec::new();
    for (nb, past) in report.notebooks.iter().zip(session.past()) {
        over.extend(past.into_iter().map(|p| Over {
            key: key(&nb.name, &p.cell, &p.id, &p.at.to_string()),
            by: p.by.to_string(),
            how: if p.changed { "changed" } else { "same" },
        }));
    }
    let mut found = Vec::new();
    for (f, told) in session.findings().into_iter().zip(report.findings) {
        let best = told.diagnoses.into_iter().next();
        let Some(mut entry) = best.filter(|_| !f.hidden && f.cause.is_none()) else {
            continue;
        };
        entry.explanation.clear();
        entry.fixes.clear();
        entry.links.clear();
        entry.evidence.truncate(MAX_LINES);
        let known = f.at.map(|at| (at, at)).or(session.found_at(&f));
        // A finding without a time is identified by its evidence.
        let when = match known {
            Some((from, _)) => from.to_string(),
            None => format!("#{}", sum(&entry)),
        };
        let cell = f.place.cell.as_deref().unwrap_or("");
        let key = key(&told.notebook, cell, entry.id, &when);
        over.extend(f.solved.map(|by| Over {
            key: key.clone(),
            by: by.to_string(),
            how: "fix",
        }));
        found.push(Past {
            key,
            at: known.map_or(now_ms, |(_, at)| at),
            death: f.at.is_some(),
            notebook: told.notebook,
            place: f.label.map_or(String::new(), |name| name.to_string()),
            origin: report.origin.clone(),
            found: entry,
        });
    }
    Remembered { found, over }
}

/// The checksum of a diagnosis' evidence.
fn sum(found: &Entry) -> u32 {
    fnv1a(found.evidence.iter().flat_map(|e| e.text.bytes()))
}
