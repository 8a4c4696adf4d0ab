//! What the history keeps of a page: each diagnosis and each death, once.

use super::entry::Entry;
use super::redactor::clean;
use crate::session::{clip_end, Finding, ProseCache, Session};
use serde::Serialize;

/// Most lines of evidence, and bytes of one text.
const MAX_LINES: usize = 6;
const MAX_TEXT: usize = 500;

/// Something that was found, without secrets and names: it is stored as it is.
#[derive(Clone, Debug, Serialize)]
pub struct Past {
    /// The same for the same thing, also when its page is loaded again.
    pub key: String,
    /// When it happened or, for what stood on the page before, when it was seen; in milliseconds since 1970.
    pub at: u64,
    /// It ended the kernel or the runtime.
    pub death: bool,
    /// The notebook's name.
    pub notebook: String,
    /// What people call the cell; empty for the notebook as a whole.
    pub place: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// What was found, as reports have it but for the explanation and the fixes.
    pub found: Entry,
}

/// All that is found on a page now, but for what was muted or taken away and what follows from another cell.
pub fn past(session: &Session, prose: &ProseCache, now_ms: u64) -> Vec<Past> {
    let shown = |f: &Finding| !f.hidden && f.cause.is_none();
    let findings = session.findings().into_iter().filter(shown);
    findings.map(|f| one(session, prose, now_ms, f)).collect()
}

fn one(session: &Session, prose: &ProseCache, now_ms: u64, f: Finding) -> Past {
    let each = |text: &mut String| {
        clean(text, &mut Vec::new());
        clip_end(text, MAX_TEXT);
    };
    let best = &f.diagnoses[0];
    let mut found = Entry::new(best, prose.get(best.id));
    found.explanation.clear();
    found.fixes.clear();
    found.links.clear();
    found.evidence.truncate(MAX_LINES);
    found.texts(&mut |_, text| each(text));
    let mut notebook = session.name(&f.nb).to_owned();
    let mut origin = session.hello().origin.clone();
    each(&mut notebook);
    each(&mut origin);
    let known = f.at.map(|at| (at, at)).or(session.found_at(&f));
    // What has no time of its own is known by what it says.
    let when = match known {
        Some((from, _)) => from.to_string(),
        None => format!("#{}", sum(&found)),
    };
    let cell = f.cell.as_deref().unwrap_or("");
    Past {
        key: [notebook.as_str(), cell, best.id, &when].join("\n"),
        at: known.map_or(now_ms, |(_, at)| at),
        death: f.at.is_some(),
        notebook,
        place: f.label,
        origin,
        found,
    }
}

/// FNV-1a over the lines that something rests on.
fn sum(found: &Entry) -> u32 {
    let bytes = found.evidence.iter().flat_map(|e| e.text.bytes());
    bytes.fold(0x811c_9dc5, |hash: u32, b| {
        (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}
