//! What happened in a notebook's session: in words, and as curves.

use super::chart::{amount, Chart, Mark, Outcome, Point, Series, Span};
use super::clues::quantity;
use super::PanelEvent;
use nbmedic_session::{
    duration, Happening, History, Quantity, RestartCause, RunName, Sample, What,
};

/// The key of each curve in a chart.
fn key(what: Quantity) -> &'static str {
    match what {
        Quantity::Ram => "ram",
        Quantity::Gpu => "gpu",
        Quantity::Disk => "disk",
    }
}

/// What people call a run.
pub fn run_name(name: &RunName) -> String {
    match (name.position, name.count) {
        (Some(place), Some(n)) => format!("cell {place} [{n}]"),
        (Some(place), None) => format!("cell {place}"),
        (None, Some(n)) => format!("cell [{n}]"),
        (None, None) => "a cell".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// What happened, in words, oldest first.
pub fn events(history: &History) -> Vec<PanelEvent> {
    history.events.iter().map(event).collect()
}

fn event(e: &Happening) -> PanelEvent {
    let (kind, label, text) = match &e.what {
        What::Ran {
            name,
            end,
            well,
            peak,
            tail,
        } => {
            let took = duration(end.unwrap_or(0).saturating_sub(e.at));
            let peak = peak.map(|n| amount(n as u64, 0));
            let peak = peak.map_or(String::new(), |p| format!(", RAM up to {p}"));
            let (kind, text) = match (end, well) {
                (None, _) => ("run", "running".to_owned()),
                (Some(_), true) => ("run", format!("{took}{peak}")),
                (Some(_), false) if tail.is_empty() => {
                    ("failure", format!("failed after {took}{peak}"))
                }
                (Some(_), false) => ("failure", format!("failed after {took}{peak}: {tail}")),
            };
            (kind, capital(&run_name(name)), text)
        }
        What::Died(said) => ("death", "The kernel died".to_owned(), said.clone()),
        What::Restarted(cause) => {
            let text = match cause {
                RestartCause::Asked => "asked for",
                RestartCause::Died | RestartCause::Unseen => "seen by the execution counts",
            };
            (
                "restart",
                "The kernel was restarted".to_owned(),
                text.to_owned(),
            )
        }
        What::Installed(tool) => {
            let label = format!("{} installed packages", tool.name());
            ("install", label, String::new())
        }
        What::Replaced(packages) => (
            "install",
            "Packages in use were replaced".to_owned(),
            packages.clone(),
        ),
    };
    PanelEvent {
        at: e.at,
        kind,
        label,
        text,
        cell: e.cell.clone(),
    }
}

/// The curves, from the first reading or run to the last thing that happened. A run that goes on
/// reaches to `now_ms` (milliseconds since 1970).
pub fn chart(history: &History, now_ms: u64) -> Chart {
    let marks: Vec<Mark> = events(history)
        .into_iter()
        .filter(|e| e.kind != "run")
        .map(|e| Mark {
            at: e.at,
            kind: e.kind.to_owned(),
            label: e.label,
        })
        .collect();
    let spans: Vec<Span> = history
        .events
        .iter()
        .filter_map(|e| span(e, now_ms))
        .collect();
    let readings = || history.samples.iter().map(|s| s.at);
    let times = || marks.iter().map(|m| m.at);
    let starts = spans.iter().map(|s| s.from);
    let ends = spans.iter().map(|s| s.to);
    let from = readings().chain(starts).chain(times()).min();
    let to = readings().chain(ends).chain(times()).max();
    let (Some(from), Some(to)) = (from, to) else {
        return Chart::default();
    };
    Chart {
        from,
        to: to.max(from + 1),
        // What does not change is not recorded, so that no reading is too far from the next.
        gap: to - from + 1,
        spans,
        series: Quantity::ALL
            .map(|what| curve(&history.samples, what))
            .to_vec(),
        marks,
    }
}

fn span(e: &Happening, now_ms: u64) -> Option<Span> {
    let What::Ran {
        name, end, well, ..
    } = &e.what
    else {
        return None;
    };
    Some(Span {
        from: e.at,
        to: end.unwrap_or(now_ms).max(e.at),
        outcome: match (end, well) {
            (None, _) => Outcome::Running,
            (Some(_), true) => Outcome::Well,
            (Some(_), false) => Outcome::Failed,
        },
        label: run_name(name),
    })
}

fn curve(samples: &[Sample], what: Quantity) -> Series {
    let point = |s: &Sample| {
        Some(Point {
            at: s.at,
            used: s.used(what)? as u64,
            total: s.total(what).unwrap_or(0.0) as u64,
        })
    };
    Series {
        key: key(what).to_owned(),
        what: quantity(what).to_owned(),
        points: samples.iter().filter_map(point).collect(),
    }
}
