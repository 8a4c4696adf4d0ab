//! Which diagnoses can be a cause of death.

use crate::session::known::is_device_fault;
use crate::triage::Diagnosis;

/// Whether a diagnosis in a cell's output or in a log can be what a kernel died of.
pub(super) fn is_cause(d: &Diagnosis) -> bool {
    const CAUSES: [&str; 4] = [
        "host-oom",
        "native-crash",
        "shared-memory-exhausted",
        "disk-full",
    ];
    CAUSES.contains(&d.id) || is_device_fault(d.id)
}

/// Whether a diagnosis says only that the kernel died.
pub(super) fn is_nameless(d: &Diagnosis) -> bool {
    d.id == "kernel-died"
}
