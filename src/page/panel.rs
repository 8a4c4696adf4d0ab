//! The page's session as the side panel shows it: curves, events, problems.

use super::cards::Page;
use super::check::check;
use nbmedic_session::{severity, Finding, History};
use nbmedic_view::{self, chart::Chart};
use nbmedic_view::{
    bottleneck, cell_name, events, kernel, panel, session_chart, Node, Panel, PanelProblem, State,
};
use nbmedic_words::{self as words, foreign, Text};

impl Page {
    /// Curves and tree of each notebook. A run in progress extends to `now_ms` (milliseconds since
    /// 1970).
    pub fn panels(&self, now_ms: u64) -> Vec<(Chart, Node)> {
        let session = &self.session;
        let histories = session.histories();
        let findings = session.findings();
        let last = histories.len().saturating_sub(1);
        let all = session.overview().into_iter().zip(histories).enumerate();
        all.map(|(i, (o, history))| {
            let limit = o.limit.as_ref().map(bottleneck);
            let tree = panel(&Panel {
                name: o.name,
                kernel: kernel(o.kernel).into(),
                limit: limit.map(|text| words::named_thing(words::bottleneck(), text).into()),
                problems: self.problems(&history, &findings),
                events: events(&history),
                // The self-check is about the page: it is shown once.
                sees: (i == last).then(|| nbmedic_view::check(&check(session.hello(), &findings))),
            });
            (session_chart(&history, now_ms), tree)
        })
        .collect()
    }

    /// Current problems, and earlier ones that a later run did not have.
    fn problems(&self, history: &History, findings: &[Finding]) -> Vec<PanelProblem> {
        let own = findings
            .iter()
            .filter(|f| f.place.nb == history.id && !f.hidden);
        let mut list: Vec<PanelProblem> = own.map(|f| self.problem(f)).collect();
        for past in &history.past {
            let known = |p: &PanelProblem| p.cell.as_ref() == Some(&past.cell) && p.id == past.id;
            if !list.iter().any(known) {
                list.push(PanelProblem {
                    title: foreign(plain(&past.id)),
                    id: past.id.clone(),
                    severity: "info",
                    place: cell_name(past.name).into(),
                    cell: Some(past.cell.clone()),
                    state: State::Gone,
                });
            }
        }
        list
    }

    fn problem(&self, f: &Finding) -> PanelProblem {
        let best = &f.diagnoses[0];
        let cell = f.place.cell.as_ref();
        let again = cell.is_some_and(|c| self.session.had_before(&f.place.nb, c, best.id));
        PanelProblem {
            title: match f.quiet {
                true => foreign(said(f)),
                false => self
                    .card(f)
                    .map(|shown| shown.title.clone())
                    .unwrap_or_else(|| foreign(plain(best.id))),
            },
            id: best.id.to_owned(),
            severity: severity(best),
            place: f
                .label
                .map_or_else(Text::default, |name| cell_name(name).into()),
            cell: cell.cloned(),
            state: match f.solved {
                Some(_) => State::Gone,
                None if again => State::Again,
                None => State::Open,
            },
        }
    }
}

/// What the exception says, of which no card says more.
fn said(f: &Finding) -> String {
    let best = &f.diagnoses[0];
    let line = best.evidence.last().map(|e| e.text.trim().to_owned());
    line.unwrap_or_else(|| plain(best.id))
}

/// A title for a diagnosis whose prose is not loaded.
fn plain(id: &str) -> String {
    id.replace('-', " ")
}
