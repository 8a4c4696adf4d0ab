//! Makes a session's report, without secrets and names.

use super::entry::Entry;
use super::html;
use super::model::{
    Report, ReportEvent, ReportFinding, ReportNotebook, ReportPeak, ReportValue, ReportVital, Seen,
};
use super::redactor::Redactor;
use super::versions::versions;
use nbmedic_session::{Clue, History, Overview, Session};
use nbmedic_view::chart::Series;
use nbmedic_view::{
    bottleneck, draw, events, kernel, looked_at, panel::PanelEvent, quantity, reading,
    session_chart, statement, ProseCache,
};
use std::collections::BTreeSet;

/// What a report includes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The sources of the failing cells, and the values that the probe printed below them.
    pub source: bool,
    /// What is not redacted because the user reviewed it: see [`super::Taken::id`].
    pub back: Vec<u64>,
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
    for mut f in session.findings() {
        // The card shows them, too.
        if !options.source {
            f.values.clear();
        }
        let entry = |d| Entry::new(d, prose.get(d.id));
        // The page requests missing prose; its report does not.
        let drawn = draw(&f, prose, &mut BTreeSet::new());
        cards.push(drawn.map(|c| c.tree.english()));
        let source = options.source.then(|| session.source(&f.place)).flatten();
        findings.push(ReportFinding {
            notebook: session.name(&f.place.nb).to_owned(),
            cell: f.label.map(|name| name.to_string()),
            at: f.at,
            dismissed: f.hidden,
            consequence_of: f.cause.as_ref().map(|(_, name)| name.to_string()),
            diagnoses: f.diagnoses.iter().map(entry).collect(),
            known: f.known.iter().map(seen).collect(),
            unknown: f
                .unknown
                .iter()
                .copied()
                .map(|l| looked_at(l).english())
                .collect(),
            source: source.map(str::to_owned),
            values: f.values.into_iter().map(value).collect(),
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
    redact(&mut report, session, &options.back);
    report
}

fn seen(clue: &Clue) -> Seen {
    let said = statement(clue);
    Seen {
        what: said.label.english(),
        text: said.text.english(),
    }
}

fn value((name, value): (String, String)) -> ReportValue {
    ReportValue { name, value }
}

fn notebook(session: &Session, o: Overview, history: &History, now_ms: u64) -> ReportNotebook {
    let chart = session_chart(history, now_ms);
    ReportNotebook {
        versions: versions(session.printed(&o.id)),
        name: o.name,
        cells: o.cells,
        kernel: kernel(o.kernel).english(),
        accelerator: o.accelerator,
        vitals: o
            .vitals
            .map(|(what, shown)| ReportVital {
                what: quantity(what).english(),
                reading: shown,
                text: reading(shown).english(),
            })
            .to_vec(),
        bottleneck: o.limit.as_ref().map(|l| bottleneck(l).english()),
        peaks: chart.series.iter().filter_map(peak).collect(),
        events: events(history).into_iter().map(event).collect(),
        chart,
    }
}

fn peak(s: &Series) -> Option<ReportPeak> {
    let high = s.points.iter().max_by_key(|p| p.used)?;
    Some(ReportPeak {
        what: s.what.english(),
        at: high.at,
        used: high.used,
        total: high.total,
    })
}

fn event(e: PanelEvent) -> ReportEvent {
    let mut text = e.text.english();
    if !e.told.is_empty() {
        text = format!("{text}: {}", e.told);
    }
    ReportEvent {
        at: e.at,
        kind: e.kind,
        label: e.label.english(),
        text,
    }
}

/// Redacts every text of a report, except what the user restored.
fn redact(report: &mut Report, session: &Session, back: &[u64]) {
    let mut r = Redactor::new(session.secrets().clone(), back);
    texts(report, &mut |_, text| r.learn(text));
    for card in report.cards.iter_mut().flatten() {
        html::texts(card, &mut |text| r.learn(text));
    }
    texts(report, &mut |place, text| r.clean(place, text));
    report.redactions = r.tally();
    // The cards repeat the same texts, which are not counted twice.
    let mut again = r.again();
    for card in report.cards.iter_mut().flatten() {
        html::texts(card, &mut |text| again.clean("the page's card", text));
    }
    r.join(again);
    report.taken = r.taken;
    report.taken.sort_by_key(|t| t.kind);
}

/// Visits every text of a report but those of its cards, with the name of its place.
fn texts(report: &mut Report, see: &mut dyn FnMut(&str, &mut String)) {
    see("address", &mut report.origin);
    for nb in &mut report.notebooks {
        see("name of the notebook", &mut nb.name);
        see("accelerator", &mut nb.accelerator);
        for v in &mut nb.versions {
            see("versions", &mut v.what);
            see("versions", &mut v.version);
        }
        for e in &mut nb.events {
            see("timeline", &mut e.label);
            see("timeline", &mut e.text);
        }
    }
    for f in &mut report.findings {
        let at = f.cell.as_deref().unwrap_or("the notebook").to_owned();
        let mut each = |part: &str, text: &mut String| see(&format!("{at}: {part}"), text);
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
        for v in &mut f.values {
            each("values", &mut v.name);
            each("values", &mut v.value);
        }
        see("name of the notebook", &mut f.notebook);
    }
}
