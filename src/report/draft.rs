//! A report as the user previews it before it leaves.

use super::redactor::Taken;
use super::session::{session_report, Options};
use nbmedic_session::{Finding, Session};
use nbmedic_view::{Node, ProseCache, Tag};
use serde::Serialize;

/// What is about to leave.
#[derive(Clone, Debug, Serialize)]
pub struct Draft {
    /// The report, exactly as it would leave.
    pub text: String,
    /// The tree of a page; absent for formats that are read as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Node>,
    /// The title of the first problem; empty if there is none.
    pub title: String,
    /// Number of problems in it.
    pub problems: usize,
    /// Number of entries in the timelines.
    pub events: usize,
    /// Number of versions named.
    pub versions: usize,
    /// Number of failing cells whose source is known and could be included.
    pub sources: usize,
    /// What was redacted, and what the user put back.
    pub taken: Vec<Taken>,
}

/// Makes the draft of a page's report: `markdown`, `json` or `html`.
pub fn draft(
    session: &Session,
    prose: &ProseCache,
    now_ms: u64,
    format: &str,
    options: &Options,
) -> Draft {
    let report = session_report(session, prose, now_ms, options);
    let known = |f: &&Finding| session.source(&f.place).is_some();
    let body = || Node::new(Tag::Div).kids(report.body()).english();
    let first = report.findings.first().and_then(|f| f.diagnoses.first());
    let nbs = || report.notebooks.iter();
    Draft {
        text: match format {
            "json" => report.json(),
            "html" => report.html(),
            _ => report.markdown(),
        },
        tree: (format == "html").then(body),
        title: first.map_or(String::new(), |d| d.title.clone()),
        problems: report.findings.len(),
        events: nbs().map(|nb| nb.events.len()).sum(),
        versions: nbs().map(|nb| nb.versions.len()).sum(),
        sources: session.findings().iter().filter(known).count(),
        taken: report.taken,
    }
}
