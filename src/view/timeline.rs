//! The events of a notebook's session, in words and as curves.

use super::chart::{amount, Chart, Mark, Outcome, Point, Series, Span};
use super::clues::quantity;
use super::{cell_name, panel::PanelEvent};
use nbmedic_facts::CellName;
use nbmedic_session::{duration, Happening, History, Quantity, RestartCause, Sample, What};
use nbmedic_words::{self as words, foreign, Say, Text};

/// The key of each curve in a chart.
fn key(what: Quantity) -> &'static str {
    match what {
        Quantity::Ram => "ram",
        Quantity::Gpu => "gpu",
        Quantity::Disk => "disk",
    }
}

/// A cell's name for people, as a text of its own.
fn heading(name: CellName) -> Say {
    match (name.position, name.count) {
        (Some(place), Some(n)) => words::capital_both(place, n),
        (Some(place), None) => words::capital_place(place),
        (None, Some(n)) => words::capital_count(n),
        (None, None) => words::capital_cell(),
    }
}

/// The events in words, oldest first.
pub fn events(history: &History) -> Vec<PanelEvent> {
    history.events.iter().map(event).collect()
}

fn event(e: &Happening) -> PanelEvent {
    let mut made = PanelEvent {
        at: e.at,
        cell: e.cell.clone(),
        ..PanelEvent::default()
    };
    let (kind, label, text) = match &e.what {
        What::Ran {
            name,
            end,
            well,
            peak,
            id,
            tail,
        } => {
            let took = foreign(duration(end.unwrap_or(0).saturating_sub(e.at)));
            let peak = peak.map(|n| amount(n as u64, 0));
            let ended = end.is_some();
            if ended && (!well || !id.is_empty()) {
                made.id.clone_from(id);
                made.told = foreign(tail.as_str());
            }
            let text = match (ended, well, peak) {
                (false, ..) => words::running().into(),
                (_, true, None) => took,
                (_, true, Some(peak)) => words::up_to(took, peak).into(),
                (_, false, None) => words::failed_after(took).into(),
                (_, false, Some(peak)) => words::failed_after_up(took, peak).into(),
            };
            let kind = if ended && !well { "failure" } else { "run" };
            (kind, heading(*name), text)
        }
        What::Died(said) => ("death", words::kernel_died(), foreign(said.as_str())),
        What::Restarted(cause) => {
            let text = match cause {
                RestartCause::Asked => words::asked_for(),
                RestartCause::Died | RestartCause::Unseen => words::seen_by_counts(),
            };
            ("restart", words::kernel_restarted(), text.into())
        }
        What::Installed(tool) => {
            let label = words::tool_installed(foreign(tool.name()));
            ("install", label, Text::default())
        }
        What::Replaced(packages) => ("install", words::packages(), foreign(packages.as_str())),
    };
    made.kind = kind.to_owned();
    made.label = label.into();
    made.text = text;
    made
}

/// The curves, from the first reading or run to the last event. A run in progress extends to
/// `now_ms` (milliseconds since 1970).
pub fn chart(history: &History, now_ms: u64) -> Chart {
    let marks: Vec<Mark> = events(history)
        .into_iter()
        .filter(|e| e.kind != "run")
        .map(|e| Mark {
            at: e.at,
            kind: e.kind,
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
        // Unchanged values are not recorded, so the distance between readings doesn't matter.
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
        label: cell_name(*name).into(),
        name: match (name.count, name.position) {
            (Some(n), _) => format!("[{n}]"),
            (None, Some(place)) => place.to_string(),
            (None, None) => String::new(),
        },
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
        what: quantity(what).into(),
        points: samples.iter().filter_map(point).collect(),
    }
}
