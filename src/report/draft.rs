//! A report's draft, which the user previews before it is sent.

use super::session::{session_report, Options};
use nbmedic_protocol::{Draft, Taken};
use nbmedic_session::{Finding, Session};
use nbmedic_view::{Node, ProseCache, Tag};

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
        problems: number(report.findings.len()),
        events: number(nbs().map(|nb| nb.events.len()).sum()),
        versions: number(nbs().map(|nb| nb.versions.len()).sum()),
        sources: number(session.findings().iter().filter(known).count()),
        taken: report.taken.into_iter().map(taken).collect(),
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn taken(t: super::redactor::Taken) -> Taken {
    Taken {
        id: t.id,
        kind: t.kind.to_owned(),
        masked: t.masked,
        places: t.places,
        count: number(t.count),
        back: t.back,
    }
}
