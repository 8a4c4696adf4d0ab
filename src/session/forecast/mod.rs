//! What is about to happen: arrays that can't fit, leaks, memory or a disk that fills, the end of
//! the runtime, a restart that an install needs.

mod bottleneck;
mod clock;
mod fills;
mod leak;
mod load;
mod planned;
mod restart;

pub(crate) use bottleneck::bottleneck;
pub(crate) use fills::given;

use super::clue::Clue;
use super::known::{standing, Cell, Notebook, Quantity};
use nbmedic_catalog::Condition;
use nbmedic_protocol::{CellState, Limits};
use nbmedic_triage::{Diagnosis, Value};

/// Longest runtime of a free plan, in milliseconds (Colab's FAQ: at most 12 hours; Kaggle: 12 hours).
const LONGEST_MS: u64 = 12 * 3_600_000;

/// A warning and what it rests on.
pub(crate) struct Warning {
    pub diagnosis: Diagnosis,
    pub known: Vec<Clue>,
}

/// The warning at a cell that has no problem yet. `lent`: the runtime is lent for a limited time.
pub(crate) fn at_cell(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    lent: bool,
    limits: &Limits,
) -> Option<Warning> {
    if limits.quiet {
        return None;
    }
    let running = cell.state == CellState::Running;
    cell.is_busy()
        .then(|| planned::planned(nb, cell))
        .flatten()
        .or_else(|| restart::restart_needed(nb, id, cell))
        .or_else(|| leak::leak(&nb.memory, id))
        .or_else(|| {
            running
                .then(|| fills::filling(&nb.memory, id, limits))
                .flatten()
        })
        .or_else(|| {
            (running && lent)
                .then(|| clock::time_limit(nb, id, cell, limits))
                .flatten()
        })
}

/// What has happened when a quantity has run out.
fn runs_out(what: Quantity) -> Condition {
    match what {
        Quantity::Ram => Condition::HostMemory,
        Quantity::Gpu => Condition::GpuMemory,
        Quantity::Disk => Condition::Disk,
    }
}

impl Warning {
    fn new(condition: Condition, variant: &'static str, confidence: f32) -> Option<Warning> {
        let mut diagnosis = standing(condition, confidence)?;
        diagnosis.variant = Some(variant);
        Some(Warning {
            diagnosis,
            known: Vec::new(),
        })
    }

    #[inline(never)]
    fn bytes(&mut self, name: &str, n: f64) {
        let facts = &mut self.diagnosis.facts;
        facts.insert(name.to_owned(), Value::Int(n as i64));
    }

    #[inline(never)]
    fn text(&mut self, name: &str, text: String) {
        let facts = &mut self.diagnosis.facts;
        facts.insert(name.to_owned(), Value::Text(text));
    }
}
