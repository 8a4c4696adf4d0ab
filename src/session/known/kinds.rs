//! What is known of diagnoses beside the catalogue's text.

use crate::catalog;
use crate::triage::{Diagnosis, Facts, Location};

/// A diagnosis that no text was read for.
pub(crate) fn plain(id: &'static str, confidence: f32) -> Diagnosis {
    Diagnosis {
        id,
        variant: None,
        confidence,
        facts: Facts::new(),
        location: Location::default(),
        evidence: Vec::new(),
        also: Vec::new(),
    }
}

/// Whether a diagnosis is of the family of device faults.
pub(crate) fn is_device_fault(id: &str) -> bool {
    catalog::find(id).map_or(id.starts_with("cuda-"), |r| r.family == "gpu-fault")
}

/// Whether a diagnosis leaves the CUDA context unusable. A launch that was refused does not.
pub(crate) fn is_sticky(d: &Diagnosis) -> bool {
    let refused = |line: &str| {
        let line = line.to_ascii_lowercase();
        [
            "too many resources",
            "invalid configuration",
            "out of resource",
        ]
        .iter()
        .any(|s| line.contains(s))
    };
    match d.id {
        "cuda-illegal-access" | "cuda-device-assert" => true,
        "cuda-launch-failed" => !d.evidence.iter().any(|e| refused(&e.text)),
        _ => false,
    }
}

/// How severe a diagnosis is: `error`, `warning` or `info`. What has not happened yet is no error.
pub fn severity(d: &Diagnosis) -> &'static str {
    match d.variant {
        Some("planned" | "leak" | "filling" | "restart-needed" | "warning") => "warning",
        Some("soon" | "asked" | "clean" | "restarted") => "info",
        _ => catalog::find(d.id).map_or("error", |r| r.severity),
    }
}
