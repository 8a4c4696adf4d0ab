//! What limits the run in progress: what will stop it first, or what slows it down meanwhile.

use super::fills::fills;
use super::load;
use super::warning::LONGEST_MS;
use crate::clue::Bottleneck;
use crate::known::{Notebook, Quantity};

/// An end sooner than this matters more than what slows a run down, in seconds.
const SOON: f64 = 1800.0;

impl Bottleneck {
    /// When it most likely stops the run, in seconds.
    fn likely(&self) -> f64 {
        match self {
            Bottleneck::Fills { likely, .. } | Bottleneck::TimeLimit(likely) => *likely,
            _ => f64::INFINITY,
        }
    }
}

/// What limits the current run; none if nothing is in sight. `lent`: the runtime is available for a
/// limited time.
pub(crate) fn bottleneck(nb: &Notebook, lent: bool) -> Option<Bottleneck> {
    let memory = &nb.memory;
    memory.running()?;
    let mut ends: Vec<Bottleneck> = Vec::new();
    for what in Quantity::ALL {
        if let Some(f) = fills(memory, what) {
            ends.push(Bottleneck::Fills {
                what,
                soon: f.soon,
                likely: f.likely,
                late: f.late,
            });
        }
    }
    if let (true, Some(born), Some(last)) = (lent, memory.born, memory.samples.last()) {
        let left = (born + LONGEST_MS).saturating_sub(last.at);
        ends.push(Bottleneck::TimeLimit(left as f64 / 1000.0));
    }
    // If several are equally soon, the first one wins.
    let first = ends
        .into_iter()
        .reduce(|a, b| if b.likely() < a.likely() { b } else { a });
    if first.as_ref().is_none_or(|f| f.likely() > SOON) {
        if let Some(slow) = load::slows(memory) {
            return Some(slow);
        }
    }
    first
}
