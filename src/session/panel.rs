//! The session as the side panel and the report show it: curves, events, problems.

use super::death::severity;
use super::notebook::Notebook;
use super::record::{checksum, DISK, GPU, RAM};
use super::status::kernel;
use super::{foresight, Session};
use crate::order::sort_by_key;
use crate::source;
use crate::view::chart::{amount, Chart, Mark, Outcome, Point, Series, Span};
use crate::view::{check, duration, panel, Node, Panel, PanelEvent, PanelProblem, State};
use crate::words::{self, foreign, Say, Text};
use nbmedic_protocol::{Memory, Ran};

/// Key, name and place in a sample of what is drawn.
const CURVES: [(&str, words::Message, usize); 3] = [
    ("ram", words::ram, RAM),
    ("gpu", words::gpu, GPU),
    ("disk", words::disk, DISK),
];

impl Session {
    /// Curves and tree of each notebook.
    pub fn panels(&self, now_ms: u64) -> Vec<(Chart, Node)> {
        let named = self.notebooks.iter().filter(|(id, _)| !id.is_empty());
        let last = named.clone().count().saturating_sub(1);
        named
            .enumerate()
            .map(|(i, (id, nb))| {
                let limit = foresight::bottleneck(nb, self.hosted());
                let tree = panel(&Panel {
                    name: nb.name.clone(),
                    kernel: kernel(nb.status).into(),
                    limit: limit
                        .map(|text| words::named_thing(words::bottleneck(), foreign(text)).into()),
                    problems: self.problems(id, nb),
                    events: events(nb),
                    // What can be seen is said of the page, once.
                    sees: (i == last).then(|| check(&self.check())),
                });
                (chart(nb, now_ms), tree)
            })
            .collect()
    }

    /// Curves and events of each notebook, in the order of [`Session::overview`].
    pub(crate) fn histories(&self, now_ms: u64) -> Vec<(Chart, Vec<PanelEvent>)> {
        let named = self.notebooks.iter().filter(|(id, _)| !id.is_empty());
        named
            .map(|(_, nb)| (chart(nb, now_ms), events(nb)))
            .collect()
    }

    /// What is wrong now, and what was before a later run was well.
    fn problems(&self, nb_id: &str, nb: &Notebook) -> Vec<PanelProblem> {
        let mut list = Vec::new();
        let findings = self.findings();
        for f in findings.iter().filter(|f| f.nb == nb_id && !f.hidden) {
            let best = &f.diagnoses[0];
            let title = match self.shown.get(&f.card) {
                Some(shown) => shown.title.clone(),
                None => foreign(plain(best.id)),
            };
            let again = f
                .cell
                .as_ref()
                .is_some_and(|c| before(&nb.memory, c) == Some(best.id));
            list.push(PanelProblem {
                title,
                id: best.id.to_owned(),
                severity: severity(best),
                place: foreign(f.label.as_str()),
                cell: f.cell.clone(),
                state: if again { State::Again } else { State::Open },
            });
        }
        for (i, ran) in nb.memory.runs.iter().enumerate().rev() {
            let later = nb.memory.runs[i + 1..].iter().rfind(|r| r.cell == ran.cell);
            let well = later.is_some_and(|r| r.well && r.id.is_empty());
            let known = list
                .iter()
                .any(|p| p.cell.as_ref() == Some(&ran.cell) && p.id == ran.id);
            if ran.id.is_empty() || !well || known {
                continue;
            }
            list.push(PanelProblem {
                title: foreign(plain(&ran.id)),
                id: ran.id.clone(),
                severity: "info",
                place: label(nb, ran).into(),
                cell: Some(ran.cell.clone()),
                state: State::Gone,
            });
        }
        list
    }
}

/// A diagnosis whose words are not at hand.
fn plain(id: &str) -> String {
    id.replace('-', " ")
}

/// What was found in the run before the last of a cell.
fn before<'a>(memory: &'a Memory, cell: &str) -> Option<&'a str> {
    let mut runs = memory.runs.iter().rev().filter(|r| r.cell == cell);
    runs.next()?;
    runs.next().map(|r| r.id.as_str())
}

/// What people call the cell of a run, within a sentence.
fn label(nb: &Notebook, ran: &Ran) -> Say {
    match place(nb, ran) {
        (Some(place), Some(n)) => words::cell_both(place, n),
        (Some(place), None) => words::cell_place(place),
        (None, Some(n)) => words::cell_count(n),
        (None, None) => words::a_cell(),
    }
}

/// The same, standing alone.
fn heading(nb: &Notebook, ran: &Ran) -> Say {
    match place(nb, ran) {
        (Some(place), Some(n)) => words::capital_both(place, n),
        (Some(place), None) => words::capital_place(place),
        (None, Some(n)) => words::capital_count(n),
        (None, None) => words::capital_cell(),
    }
}

/// The position of a run's cell, from 1, and its execution count.
fn place(nb: &Notebook, ran: &Ran) -> (Option<u64>, Option<i64>) {
    let place = nb.cells.get(&ran.cell).map(|c| u64::from(c.index) + 1);
    (place, ran.count)
}

/// What happened, oldest first.
fn events(nb: &Notebook) -> Vec<PanelEvent> {
    let memory = &nb.memory;
    let mut list: Vec<PanelEvent> = Vec::new();
    let mut push = |at, kind, label: Say, text: Text, cell: Option<&String>| {
        let cell = cell.filter(|c| nb.cells.get(*c).is_some_and(|c| !c.gone));
        list.push(PanelEvent {
            at,
            kind,
            label: label.into(),
            text,
            cell: cell.cloned(),
        });
    };
    for r in &memory.runs {
        let took = foreign(duration(r.end.saturating_sub(r.start)));
        let peak = r.level(1, RAM).map(|n| amount(n as u64, 0));
        let tail = foreign(r.tail.as_str());
        let (kind, text) = match (r.end, r.well, peak, tail.is_empty()) {
            (0, ..) => ("run", words::running().into()),
            (_, true, None, _) => ("run", took),
            (_, true, Some(peak), _) => ("run", words::up_to(took, peak).into()),
            (_, false, None, true) => ("failure", words::failed_after(took).into()),
            (_, false, Some(peak), true) => ("failure", words::failed_after_up(took, peak).into()),
            (_, false, None, false) => ("failure", words::failed_after_tail(took, tail).into()),
            (_, false, Some(peak), false) => (
                "failure",
                words::failed_after_up_tail(took, peak, tail).into(),
            ),
        };
        push(r.start, kind, heading(nb, r), text, Some(&r.cell));
    }
    for i in memory.incidents.iter().filter(|i| i.fatal) {
        let said: Vec<&str> = i.notices.iter().map(|n| n.text.as_str()).collect();
        push(
            i.at,
            "death",
            words::kernel_died(),
            foreign(said.join(" ")),
            i.cell.as_ref(),
        );
    }
    for (why, at) in &memory.restarts {
        // A death has said so already.
        let text = match why.as_str() {
            "died" => continue,
            "person" => words::asked_for(),
            _ => words::seen_by_counts(),
        };
        let at = u64::from(*at) * 1000;
        push(at, "restart", words::kernel_restarted(), text.into(), None);
    }
    for r in memory.runs.iter().filter(|r| r.well) {
        let cell = nb.cells.get(&r.cell);
        let same = cell.filter(|c| checksum(&c.source) == r.source);
        let tool = same.and_then(|c| source::installer(&c.source));
        let name = match (r.packages.is_empty(), tool) {
            (false, _) => words::packages(),
            (true, Some(tool)) => words::tool_installed(foreign(tool.name())),
            (true, None) => continue,
        };
        let at = r.end.max(r.start);
        let replaced = foreign(r.packages.join(", "));
        push(at, "install", name, replaced, Some(&r.cell));
    }
    sort_by_key(&mut list, |e| e.at);
    list
}

/// The curves, from the first reading or run to the last thing that happened.
fn chart(nb: &Notebook, now_ms: u64) -> Chart {
    let memory = &nb.memory;
    let marks: Vec<Mark> = events(nb)
        .into_iter()
        .filter(|e| e.kind != "run")
        .map(|e| Mark {
            at: e.at,
            kind: e.kind.to_owned(),
            label: e.label,
        })
        .collect();
    let readings = || memory.rows().map(|r| r.at());
    let starts = memory.runs.iter().map(|r| r.start);
    let ends = memory.runs.iter().map(|r| match r.end {
        0 => now_ms,
        end => end,
    });
    let times = || marks.iter().map(|m| m.at);
    let from = readings().chain(starts).chain(times()).min();
    let to = readings().chain(ends.clone()).chain(times()).max();
    let (Some(from), Some(to)) = (from, to) else {
        return Chart::default();
    };
    let spans = memory.runs.iter().zip(ends).map(|(r, end)| Span {
        from: r.start,
        to: end.max(r.start),
        outcome: match (r.end, r.well) {
            (0, _) => Outcome::Running,
            (_, true) => Outcome::Well,
            (_, false) => Outcome::Failed,
        },
        label: label(nb, r).into(),
    });
    let series = CURVES.map(|(key, what, place)| Series {
        key: key.to_owned(),
        what: what().into(),
        points: memory
            .rows()
            .filter_map(|r| {
                Some(Point {
                    at: r.at(),
                    used: r.used(place)? as u64,
                    total: r.total(place).unwrap_or(0.0) as u64,
                })
            })
            .collect(),
    });
    Chart {
        from,
        to: to.max(from + 1),
        // What does not change is not kept, so that no reading is too far from the next.
        gap: to - from + 1,
        spans: spans.collect(),
        series: series.to_vec(),
        marks,
    }
}
