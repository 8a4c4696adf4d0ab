//! The page's session as the side panel shows it: curves, events, problems.

use super::cards::Page;
use super::check::check;
use nbmedic_session::{severity, Finding, History};
use nbmedic_view::panel::{Panel, PanelProblem};
use nbmedic_view::{self, bottleneck, cell_name, chart::Chart, events, kernel, session_chart};
use nbmedic_words::{self as words, foreign};

impl Page {
    /// Curves and panel of each notebook. A run in progress extends to `now_ms` (milliseconds since
    /// 1970).
    pub fn panels(&self, now_ms: u64) -> Vec<(Chart, Panel)> {
        let session = &self.session;
        let histories = session.histories();
        let findings = session.findings();
        let last = histories.len().saturating_sub(1);
        let all = session.overview().into_iter().zip(histories).enumerate();
        all.map(|(i, (o, history))| {
            let limit = o.limit.as_ref().map(bottleneck);
            let panel = Panel {
                name: o.name,
                kernel: kernel(o.kernel).into(),
                limit: limit.map(|text| words::named_thing(words::bottleneck(), text).into()),
                problems: self.problems(&history, &findings),
                events: events(&history),
                // The self-check is about the page: it is shown once.
                sees: (i == last).then(|| nbmedic_view::check(&check(session.hello(), &findings))),
            };
            (session_chart(&history, now_ms), panel)
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
                    title: match past.tail.is_empty() {
                        true => foreign(plain(&past.id)),
                        false => foreign(past.tail.as_str()),
                    },
                    id: past.id.clone(),
                    severity: "info".to_owned(),
                    place: cell_name(past.name).into(),
                    cell: Some(past.cell.clone()),
                    solved: match past.changed {
                        true => words::solved_changed(cell_name(past.by)).into(),
                        false => words::solved(cell_name(past.by)).into(),
                    },
                    ..PanelProblem::default()
                });
            }
        }
        list
    }

    fn problem(&self, f: &Finding) -> PanelProblem {
        let best = &f.diagnoses[0];
        let mut made = PanelProblem {
            title: foreign(said(f)),
            id: best.id.to_owned(),
            severity: severity(best).to_owned(),
            cell: f.place.cell.clone(),
            ..PanelProblem::default()
        };
        if let Some(name) = f.label {
            made.place = cell_name(name).into();
        }
        if let Some(by) = f.solved {
            made.solved = words::solved_fix(cell_name(by)).into();
        }
        if let Some(shown) = self.card(f).filter(|_| !f.quiet) {
            made.title.clone_from(&shown.title);
            made.fix.clone_from(&shown.fix);
            made.code.clone_from(&shown.code);
        }
        made
    }
}

/// What the exception says, of which no card says more.
fn said(f: &Finding) -> String {
    let best = &f.diagnoses[0];
    let line = best.evidence.last().map(|e| e.text.trim().to_owned());
    line.unwrap_or_else(|| plain(best.id))
}

/// A title for a diagnosis of which nothing more is known.
fn plain(id: &str) -> String {
    id.replace('-', " ")
}
