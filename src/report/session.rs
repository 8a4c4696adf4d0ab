//! A session's report.

use super::entry::Entry;
use super::redactor::{Redactor, Taken};
use super::versions::{versions, Version};
use super::{html, markdown};
use nbmedic_session::{duration, Clue, History, Overview, Session};
use nbmedic_view::chart::{Chart, Series};
use nbmedic_view::{
    bottleneck, draw, events, kernel, looked_at, quantity, session_chart, statement, Node,
    PanelEvent, ProseCache, Tag,
};
use nbmedic_vitals::Reading;
use serde::Serialize;
use std::collections::BTreeSet;

/// How often something of a kind was taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The kind.
    pub kind: &'static str,
    /// How often.
    pub count: usize,
}

/// A quantity of the runtime.
#[derive(Clone, Debug, Serialize)]
pub struct ReportVital {
    /// Which one.
    pub what: &'static str,
    /// The last reading, or why there is none.
    pub reading: Reading,
    /// The same for people.
    pub text: String,
}

/// A notebook in a report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportNotebook {
    /// Its name.
    pub name: String,
    /// Its cells on the page.
    pub cells: usize,
    /// The kernel's status for people.
    pub kernel: &'static str,
    /// The accelerator's name; empty where none is seen.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub accelerator: String,
    /// Versions that its outputs name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Version>,
    /// What the resource widgets show.
    pub vitals: Vec<ReportVital>,
    /// What limited the run that was going on, and what says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// The highest readings that are remembered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peaks: Vec<ReportPeak>,
    /// What happened, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<ReportEvent>,
    #[serde(skip)]
    pub(super) chart: Chart,
}

/// The highest reading of a quantity.
#[derive(Clone, Debug, Serialize)]
pub struct ReportPeak {
    /// Which one.
    pub what: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Bytes in use.
    pub used: u64,
    /// Bytes there were; 0: not shown.
    pub total: u64,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub struct ReportEvent {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `run`, `failure`, `death`, `restart` or `install`.
    pub kind: &'static str,
    /// What, in a few words.
    pub label: String,
    /// More about it; may be empty.
    pub text: String,
}

impl ReportNotebook {
    /// The versions for people.
    pub(super) fn named_versions(&self) -> String {
        let named: Vec<String> = self
            .versions
            .iter()
            .map(|v| format!("{} {}", v.what, v.version))
            .collect();
        named.join(", ")
    }

    /// The events for people: how long after the first, and what. The last so many.
    pub(super) fn story(&self, most: usize) -> Vec<(String, String)> {
        let start = self.events.first().map_or(0, |e| e.at);
        let skipped = self.events.len().saturating_sub(most);
        self.events[skipped..]
            .iter()
            .map(|e| {
                let text = match e.text.is_empty() {
                    true => e.label.clone(),
                    false => format!("{}: {}", e.label, e.text),
                };
                (format!("+{}", duration(e.at - start)), text)
            })
            .collect()
    }
}

/// Something seen beside the output.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// Where.
    pub what: &'static str,
    /// What.
    pub text: String,
}

/// A problem at one place.
#[derive(Clone, Debug, Serialize)]
pub struct ReportFinding {
    /// The notebook's name.
    pub notebook: String,
    /// What people call the cell; absent for the notebook as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// When, for a death, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The person took its card away.
    pub dismissed: bool,
    /// The cell whose error this one follows from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consequence_of: Option<String>,
    /// Best first.
    pub diagnoses: Vec<Entry>,
    /// What was seen beside the output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Seen>,
    /// What was looked at without finding a reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// The failing cell's source, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What a report holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The sources of the failing cells.
    pub source: bool,
    /// What is not taken out, because the person looked at it: see [`Taken::id`].
    pub back: Vec<u64>,
}

/// A session's report, `nbmedic.report/1`. Secrets, e-mail addresses and user names in paths are
/// redacted.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `nbmedic.report/1`.
    pub schema: &'static str,
    /// Version of nbmedic.
    pub version: &'static str,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// The front end's profile.
    pub front_end: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// The notebooks of the page.
    pub notebooks: Vec<ReportNotebook>,
    /// What is wrong, in the order of the cells.
    pub findings: Vec<ReportFinding>,
    /// What was taken out.
    pub redactions: Vec<Tally>,
    /// The same, value by value.
    #[serde(skip)]
    pub taken: Vec<Taken>,
    #[serde(skip)]
    cards: Vec<Option<Node>>,
}

/// Makes the report of a page.
pub fn session_report(
    session: &Session,
    prose: &ProseCache,
    now_ms: u64,
    options: &Options,
) -> Report {
    let mut cards = Vec::new();
    let mut findings = Vec::new();
    for f in session.findings() {
        let entry = |d| Entry::new(d, prose.get(d.id));
        // Prose that is missing is asked for by the session, not by its report.
        let drawn = draw(&f, prose, &mut BTreeSet::new());
        cards.push(drawn.map(|c| c.tree));
        let source = options.source.then(|| session.source(&f.place)).flatten();
        findings.push(ReportFinding {
            notebook: session.name(&f.place.nb).to_owned(),
            cell: f.place.cell.is_some().then(|| f.label.clone()),
            at: f.at,
            dismissed: f.hidden,
            consequence_of: f.cause.as_ref().map(|(_, label)| label.clone()),
            diagnoses: f.diagnoses.iter().map(entry).collect(),
            known: f.known.iter().map(seen).collect(),
            unknown: f.unknown.iter().copied().map(looked_at).collect(),
            source: source.map(str::to_owned),
        });
    }
    let hello = session.hello();
    let mut report = Report {
        schema: "nbmedic.report/1",
        version: env!("CARGO_PKG_VERSION"),
        at: now_ms,
        front_end: hello.profile.clone(),
        origin: hello.origin.clone(),
        notebooks: session
            .overview()
            .into_iter()
            .zip(session.histories())
            .map(|(o, history)| notebook(session, o, &history, now_ms))
            .collect(),
        findings,
        redactions: Vec::new(),
        taken: Vec::new(),
        cards,
    };
    report.redact(&options.back);
    report
}

fn seen(clue: &Clue) -> Seen {
    let said = statement(clue);
    Seen {
        what: said.label,
        text: said.text,
    }
}

fn notebook(session: &Session, o: Overview, history: &History, now_ms: u64) -> ReportNotebook {
    let chart = session_chart(history, now_ms);
    ReportNotebook {
        versions: versions(session.printed(&o.id)),
        name: o.name,
        cells: o.cells,
        kernel: kernel(o.kernel),
        accelerator: o.accelerator,
        vitals: o
            .vitals
            .map(|(what, reading)| ReportVital {
                what: quantity(what),
                reading,
                text: reading.text(),
            })
            .to_vec(),
        bottleneck: o.limit.as_ref().map(bottleneck),
        peaks: chart.series.iter().filter_map(peak).collect(),
        events: events(history).into_iter().map(event).collect(),
        chart,
    }
}

fn peak(s: &Series) -> Option<ReportPeak> {
    let high = s.points.iter().max_by_key(|p| p.used)?;
    Some(ReportPeak {
        what: s.what.clone(),
        at: high.at,
        used: high.used,
        total: high.total,
    })
}

fn event(e: PanelEvent) -> ReportEvent {
    ReportEvent {
        at: e.at,
        kind: e.kind,
        label: e.label,
        text: e.text,
    }
}

impl Report {
    fn redact(&mut self, back: &[u64]) {
        let mut r = Redactor::new(back);
        r.clean("address", &mut self.origin);
        for nb in &mut self.notebooks {
            r.clean("name of the notebook", &mut nb.name);
            r.clean("accelerator", &mut nb.accelerator);
            for v in &mut nb.versions {
                r.clean("versions", &mut v.what);
                r.clean("versions", &mut v.version);
            }
            for e in &mut nb.events {
                r.clean("timeline", &mut e.label);
                r.clean("timeline", &mut e.text);
            }
        }
        for f in &mut self.findings {
            let at = f.cell.as_deref().unwrap_or("the notebook").to_owned();
            let mut each = |part: &str, text: &mut String| r.clean(&format!("{at}: {part}"), text);
            for e in &mut f.diagnoses {
                e.texts(&mut each);
            }
            for k in &mut f.known {
                each("what speaks for it", &mut k.text);
            }
            for text in &mut f.unknown {
                each("what was looked at", text);
            }
            if let Some(source) = &mut f.source {
                each("source", source);
            }
            r.clean("name of the notebook", &mut f.notebook);
        }
        self.redactions = r.tally();
        // The cards hold the same texts again: they are not counted twice.
        let mut again = Redactor::new(back);
        for card in self.cards.iter_mut().flatten() {
            html::texts(card, &mut |text| again.clean("the page's card", text));
        }
        r.join(again);
        self.taken = r.taken;
        self.taken.sort_by_key(|t| t.kind);
    }

    /// The report as one JSON object.
    pub fn json(&self) -> String {
        nbmedic_json::to_string_pretty(self)
    }

    /// The report as Markdown, to be pasted into an issue.
    pub fn markdown(&self) -> String {
        markdown::report(self)
    }

    /// The report as one self-contained page without scripts.
    pub fn html(&self) -> String {
        html::document("nbmedic triage report", self.body(), &self.redactions)
    }

    /// What stands on that page.
    pub fn body(&self) -> Vec<Node> {
        let mut body = vec![html::environment(self)];
        body.extend(self.notebooks.iter().filter_map(html::history));
        if self.cards.is_empty() {
            body.push(
                Node::new(Tag::P)
                    .class("empty")
                    .text("Nothing wrong was found."),
            );
        }
        for (card, finding) in self.cards.iter().zip(&self.findings) {
            if let Some(cell) = &finding.cell {
                body.push(Node::new(Tag::H2).text(cell.as_str()));
            }
            body.extend(card.clone());
            if let Some(source) = &finding.source {
                let code = Node::new(Tag::Code).text(source.as_str());
                body.push(Node::new(Tag::Pre).class("source").kid(code));
            }
        }
        body
    }
}
