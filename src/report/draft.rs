//! A report as the person looks at it before it leaves.

use super::redactor::Taken;
use super::session::{session_report, Options, Report};
use crate::session::{ProseCache, Session};
use crate::view::{Node, Tag};
use serde::Serialize;

/// Most characters of a title.
const MAX_TITLE: usize = 120;

/// What is about to leave.
#[derive(Clone, Debug, Serialize)]
pub struct Draft {
    /// The report, exactly as it would leave.
    pub text: String,
    /// What a page's markup shows; absent for what is read as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Node>,
    /// One line that names it.
    pub title: String,
    /// What is in it, in words.
    pub holds: Vec<String>,
    /// What was taken out of it, and what the person put back.
    pub taken: Vec<Taken>,
    /// Failing cells whose source is known and could be in it.
    pub sources: usize,
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
    let known = |f: &&crate::session::Finding| session.source(&f.nb, f.cell.as_deref()).is_some();
    let sources = session.findings().iter().filter(known).count();
    let (text, tree) = match format {
        "json" => (report.json(), None),
        "html" => {
            let body = Node::new(Tag::Div).class("page").kids(report.body());
            (report.html(), Some(body))
        }
        _ => (report.markdown(), None),
    };
    Draft {
        text,
        tree,
        title: title(&report),
        holds: holds(&report, format, sources, options.source),
        taken: report.taken,
        sources,
    }
}

fn title(report: &Report) -> String {
    let first = report.findings.iter().find_map(|f| f.diagnoses.first());
    let Some(first) = first else {
        return "nbmedic triage report".to_owned();
    };
    let mut title: String = first.title.chars().take(MAX_TITLE).collect();
    let further = report.findings.len() - 1;
    if further > 0 {
        title.push_str(&format!(" (and {further} more)"));
    }
    title
}

fn holds(report: &Report, format: &str, sources: usize, with: bool) -> Vec<String> {
    let found = counted(report.findings.len(), "problem", "problems");
    let mut list = vec![format!(
        "{found} with the lines they rest on, what speaks for and against, and fixes"
    )];
    let nbs = &report.notebooks;
    let events: usize = nbs.iter().map(|nb| nb.events.len()).sum();
    if events > 0 {
        let also = match format {
            "html" => ", with the curves",
            _ => "",
        };
        list.push(format!(
            "{} of the timeline{also}",
            counted(events, "entry", "entries")
        ));
    }
    let peaks: Vec<&str> = nbs
        .iter()
        .flat_map(|nb| nb.peaks.iter().map(|p| p.what.as_str()))
        .collect();
    if !peaks.is_empty() && format != "html" {
        list.push(format!("The highest readings of {}", peaks.join(", ")));
    }
    let versions: usize = nbs.iter().map(|nb| nb.versions.len()).sum();
    let versions = match versions {
        0 => String::new(),
        n => format!(", {} named in outputs", counted(n, "version", "versions")),
    };
    list.push(format!(
        "The notebook's name, the page's address without its path, and nbmedic's version{versions}"
    ));
    list.push(match (sources, with) {
        (0, _) => "No source: none of a failing cell is known".to_owned(),
        (_, false) => "No source of a cell beyond the lines quoted above".to_owned(),
        (n, true) => format!(
            "The whole source of {}",
            counted(n, "failing cell", "failing cells")
        ),
    });
    list
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
