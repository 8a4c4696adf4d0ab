//! A warning, and what all warnings share.

use crate::clue::Clue;
use crate::known::{standing, Quantity};
use nbmedic_catalog::Condition;
use nbmedic_triage::{Diagnosis, Value};

/// Longest runtime of a free plan, in milliseconds (Colab's FAQ: at most 12 hours; Kaggle: 12 hours).
pub(super) const LONGEST_MS: u64 = 12 * 3_600_000;

/// A warning and its evidence.
pub(crate) struct Warning {
    pub diagnosis: Diagnosis,
    pub known: Vec<Clue>,
}

/// The condition of a quantity that has run out.
pub(super) fn runs_out(what: Quantity) -> Condition {
    match what {
        Quantity::Ram => Condition::HostMemory,
        Quantity::Gpu => Condition::GpuMemory,
        Quantity::Disk => Condition::Disk,
    }
}

impl Warning {
    pub(super) fn new(
        condition: Condition,
        variant: &'static str,
        confidence: f32,
    ) -> Option<Warning> {
        let mut diagnosis = standing(condition, confidence)?;
        diagnosis.variant = Some(variant);
        Some(Warning {
            diagnosis,
            known: Vec::new(),
        })
    }

    #[inline(never)]
    pub(super) fn bytes(&mut self, name: &str, n: f64) {
        let facts = &mut self.diagnosis.facts;
        facts.insert(name.to_owned(), Value::Int(n as i64));
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str, text: String) {
        let facts = &mut self.diagnosis.facts;
        facts.insert(name.to_owned(), Value::Text(text));
    }
}
