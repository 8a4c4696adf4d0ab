//! Which diagnoses can be a cause of death, and the one that a cell's output names.

use crate::known::{stands_for, Cell, MIN_CONFIDENCE};
use nbmedic_catalog::{find, Condition, Rule};
use nbmedic_triage::{last_words, Diagnosis};

/// Confidence in a death itself, without a cause.
pub(super) const DEATH_CONFIDENCE: f32 = 0.9;

/// Whether a diagnosis in a cell's output or in a log can be a kernel's cause of death.
pub(super) fn is_cause(d: &Diagnosis) -> bool {
    d.confidence >= MIN_CONFIDENCE && find(d.id).is_some_and(Rule::explains_death)
}

/// Whether a diagnosis says only that the kernel died.
pub(crate) fn is_nameless(d: &Diagnosis) -> bool {
    stands_for(d, Condition::KernelDeath)
}

/// The cause of death that a cell's output names: a diagnosis of it, or its last words.
pub(super) fn printed_cause(cell: &Cell) -> Option<Diagnosis> {
    if let Some(d) = cell.diagnoses.iter().find(|d| is_cause(d)) {
        return Some(d.clone());
    }
    let mut d = last_words(&cell.joined.text)?;
    for e in &mut d.evidence {
        e.line = cell.joined.number(e.line);
    }
    Some(d)
}
