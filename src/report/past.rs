//! What the history keeps of a page: each diagnosis and each death, once.

use super::entry::Entry;
use super::redactor::clean;
use crate::session::{Finding, ProseCache, Session};
use serde::Serialize;

/// Most lines of evidence, and characters of one.
const MAX_LINES: usize = 6;
const MAX_LINE: usize = 300;
/// Most characters of a title, a name and a summary.
const MAX_TITLE: usize = 200;
const MAX_SUMMARY: usize = 600;

/// Something that was found, without secrets and names: it is stored as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Past {
    /// The same for the same thing, also when its page is loaded again.
    pub key: String,
    /// When it happened or, for what stood on the page before, when it was seen; in milliseconds since 1970.
    pub at: u64,
    /// It ended the kernel or the runtime.
    pub death: bool,
    /// The diagnosis.
    pub id: &'static str,
    /// Its variant; may be empty.
    pub variant: &'static str,
    /// One line.
    pub title: String,
    /// One or two sentences; may be empty.
    pub summary: String,
    /// The lines that it rests on.
    pub lines: Vec<String>,
    /// The notebook's name.
    pub notebook: String,
    /// What people call the cell; empty for the notebook as a whole.
    pub place: String,
    /// Scheme and host of the page.
    pub origin: String,
}

/// All that is found on a page now, but for what was muted or taken away and what follows from another cell.
pub fn past(session: &Session, prose: &ProseCache, now_ms: u64) -> Vec<Past> {
    let shown = |f: &Finding| !f.hidden && f.cause.is_none();
    let findings = session.findings().into_iter().filter(shown);
    findings.map(|f| one(session, prose, now_ms, &f)).collect()
}

fn one(session: &Session, prose: &ProseCache, now_ms: u64, f: &Finding) -> Past {
    let best = &f.diagnoses[0];
    let entry = Entry::new(best, prose.get(best.id));
    let text = |text: &str, most: usize| {
        let mut text = text.to_owned();
        clean(&mut text, &mut Vec::new());
        text.chars().take(most).collect::<String>()
    };
    let line = |e: &crate::triage::Evidence| text(&e.text, MAX_LINE);
    let lines: Vec<String> = best.evidence.iter().take(MAX_LINES).map(line).collect();
    let known = f.at.map(|at| (at, at)).or(session.found_at(f));
    let notebook = text(session.name(&f.nb), MAX_TITLE);
    // What has no time of its own is known by what it says.
    let when = match known {
        Some((from, _)) => from.to_string(),
        None => format!("#{:x}", sum(&lines)),
    };
    let cell = f.cell.as_deref().unwrap_or("");
    Past {
        key: [notebook.as_str(), cell, best.id, &when].join("\n"),
        at: known.map_or(now_ms, |(_, at)| at),
        death: f.at.is_some(),
        id: best.id,
        variant: best.variant.unwrap_or(""),
        title: text(&entry.title, MAX_TITLE),
        summary: text(&entry.summary, MAX_SUMMARY),
        lines,
        notebook,
        place: f.label.clone(),
        origin: text(&session.hello().origin, MAX_TITLE),
    }
}

/// FNV-1a over some lines.
fn sum(lines: &[String]) -> u32 {
    let bytes = lines.iter().flat_map(|l| l.bytes().chain([b'\n']));
    bytes.fold(0x811c_9dc5, |hash: u32, b| {
        (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}
