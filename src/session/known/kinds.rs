//! What the catalogue knows about a diagnosis.

use nbmedic_catalog::{find, standing_for, Condition, Rule};
use nbmedic_triage::{Diagnosis, Facts, Location};

/// The diagnosis that a rule makes, without any text.
pub(crate) fn of_rule(rule: &'static Rule, confidence: f32) -> Diagnosis {
    Diagnosis {
        id: rule.id,
        variant: None,
        confidence,
        facts: Facts::new(),
        location: Location::default(),
        evidence: Vec::new(),
        also: Vec::new(),
        ..Diagnosis::default()
    }
}

/// The diagnosis that stands for a condition which no text names; the catalogue has one for each.
pub(crate) fn standing(condition: Condition, confidence: f32) -> Option<Diagnosis> {
    standing_for(condition).map(|rule| of_rule(rule, confidence))
}

/// Whether a diagnosis stands for a condition.
pub(crate) fn stands_for(d: &Diagnosis, condition: Condition) -> bool {
    find(d.id).is_some_and(|rule| rule.is(condition))
}

/// Whether a diagnosis is a fault that a GPU reported.
pub(crate) fn is_device_fault(d: &Diagnosis) -> bool {
    find(d.id).is_some_and(Rule::device_fault)
}

/// Whether a diagnosis leaves the CUDA context unusable.
pub(crate) fn breaks_context(d: &Diagnosis) -> bool {
    let lines = d.evidence.iter().map(|e| e.text.as_str());
    find(d.id).is_some_and(|rule| rule.breaks_context(lines))
}

/// How severe a diagnosis is: `error`, `warning` or `info`.
pub fn severity(d: &Diagnosis) -> &'static str {
    find(d.id).map_or("error", |rule| rule.severity_of(d.variant))
}
