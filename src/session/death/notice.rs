//! What a notice means.

use crate::session::known::MIN_CONFIDENCE;
use crate::session::Triage;
use crate::triage::{Diagnosis, Input, Surface};

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

/// Whether a notice's diagnosis means that the kernel or the runtime is gone.
pub(super) fn is_death(d: &Diagnosis) -> bool {
    // A question or a warning comes before the end.
    if matches!(d.variant, Some("soon" | "warning")) {
        return false;
    }
    matches!(
        d.id,
        "kernel-died"
            | "host-oom"
            | "native-crash"
            | "runtime-disconnected"
            | "runtime-policy-terminated"
    ) || ends_runtime(d)
}

/// Whether a diagnosis means that the machine itself is gone: the next one is new.
pub(super) fn ends_runtime(d: &Diagnosis) -> bool {
    d.id.starts_with("session-")
}
