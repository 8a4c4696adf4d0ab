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

/// All current findings of a page, except those that are hidden and those that follow from another cell.
pub fn past(session: &Session, prose: &ProseCache, now_ms: u64) -> Vec<Past> {
    // The report's texts are already redacted.
    let report = session_report(session, prose, now_ms, &Options::default());
    let mut list = Vec::new();
    for (f, told) in session.findings().into_iter().zip(report.findings) {
        let best = told.diagnoses.into_iter().next();
        let Some(mut found) = best.filter(|_| !f.hidden && f.cause.is_none()) else {
            continue;
        };
        found.explanation.clear();
        found.fixes.clear();
        found.links.clear();
        found.evidence.truncate(MAX_LINES);
        let known = f.at.map(|at| (at, at)).or(session.found_at(&f));
        // A finding without a time is identified by its evidence.
        let when = match known {
            Some((from, _)) => from.to_string(),
            None => format!("#{}", sum(&found)),
        };
        let cell = f.place.cell.as_deref().unwrap_or("");
        list.push(Past {
            key: format!("{}\n{cell}\n{}\n{when}", told.notebook, found.id),
            at: known.map_or(now_ms, |(_, at)| at),
            death: f.at.is_some(),
            notebook: told.notebook,
            place: f.label.map_or(String::new(), |name| name.to_string()),
            origin: report.origin.clone(),
            found,
        });
    }
    list
}

/// The checksum of a diagnosis' evidence.
fn sum(found: &Entry) -> u32 {
    fnv1a(found.evidence.iter().flat_map(|e| e.text.bytes()))
}
