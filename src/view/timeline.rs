//! What happened in a notebook's session: in words, and as curves.

use super::chart::{amount, Chart, Mark, Outcome, Point, Series, Span};
use super::clues::quantity;
use super::{cell_name, PanelEvent};
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

/// What people call a cell, standing alone.
fn heading(name: CellName) -> Say {
    match (name.position, name.count) {
        (Some(place), Some(n)) => words::capital_both(place, n),
        (Some(place), None) => words::capital_place(place),
        (None, Some(n)) => words::capital_count(n),
        (None, None) => words::capital_cell(),
    }
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
            let took = foreign(duration(end.unwrap_or(0).saturating_sub(e.at)));
            let peak = peak.map(|n| amount(n as u64, 0));
            let tail = foreign(tail.as_str());
            let (kind, text) = match (end, well, peak, tail.is_empty()) {
                (None, ..) => ("run", words::running().into()),
                (_, true, None, _) => ("run", took),
                (_, true, Some(peak), _) => ("run", words::up_to(took, peak).into()),
                (_, false, None, true) => ("failure", words::failed_after(took).into()),
                (_, false, Some(peak), true) => {
                    ("failure", words::failed_after_up(took, peak).into())
                }
                (_, false, None, false) => ("failure", words::failed_after_tail(took, tail).into()),
                (_, false, Some(peak), false) => (
                    "failure",
                    words::failed_after_up_tail(took, peak, tail).into(),
                ),
            };
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
    PanelEvent {
        at: e.at,
        kind,
        label: label.into(),
        text,
        cell: e.cell.clone(),
    }
}

/// The curves, from the first reading or run to the last event. A run in progress extends to
/// `now_ms` (milliseconds since 1970).
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
        // Unchanged values are not recorded, so no reading is too far from the next.
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
