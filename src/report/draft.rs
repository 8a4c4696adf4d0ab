//! A report as the person looks at it before it leaves.

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
    /// What a page's markup shows; absent for what is read as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Node>,
    /// What the first problem is called; empty without one.
    pub title: String,
    /// How many problems are in it.
    pub problems: usize,
    /// How many entries the timelines have.
    pub events: usize,
    /// How many versions are named.
    pub versions: usize,
    /// Failing cells whose source is known and could be in it.
    pub sources: usize,
    /// What was taken out of it, and what the person put back.
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
