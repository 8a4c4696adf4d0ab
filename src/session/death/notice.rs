//! What a notice means.

use crate::known::Triage;
use crate::known::MIN_CONFIDENCE;
use nbmedic_catalog::{find, Ends};
use nbmedic_triage::{Diagnosis, Input, Surface};

/// The diagnoses of a notice that may be shown.
pub(super) fn diagnoses(triage: Triage, text: &str) -> Vec<Diagnosis> {
    let mut list = triage(&Input {
        text,
        surface: Surface::Notice,
        source: None,
    });
    list.retain(|d| d.confidence >= MIN_CONFIDENCE);
    list
}

/// What has ended according to a notice.
pub(super) fn ended(d: &Diagnosis) -> Ends {
    find(d.id).map_or(Ends::Nothing, |rule| rule.ended(d.variant))
}
