//! NVIDIA's Xid numbers: the kind of fault that the driver reported.
//!
//! Sources: NVIDIA's Xid catalogue (docs.nvidia.com/deploy/xid-errors, as of 2025-10) and the list of
//! application errors in NVIDIA's Kubernetes device plugin (`internal/rm/health.go`): 13, 31, 43,
//! 45, 68 and 109 leave the GPU healthy. A single Xid does not prove a cause.

/// Who is at fault, as a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The program on the GPU: a bad address, an illegal instruction, a hang of its own making.
    Application,
    /// A consequence of ending a process that uses the GPU. Never a cause.
    Consequence,
    /// The driver or the GPU's firmware.
    Driver,
    /// The GPU or its connection.
    Hardware,
    /// Handled already, or an instruction to the operator; never a cause.
    Information,
    /// Not in the table.
    Unknown,
}

/// The class of an Xid.
pub fn class(xid: u32) -> Class {
    match xid {
        13 | 31 | 43 | 68 | 109 => Class::Application,
        45 => Class::Consequence,
        48 | 64 | 74 | 79 | 94 | 95 | 140 => Class::Hardware,
        8 | 32 | 38 | 61 | 62 | 69 | 119 | 120 => Class::Driver,
        63 | 92 | 154 => Class::Information,
        _ => Class::Unknown,
    }
}

/// Whether one event proves faulty hardware: uncorrectable memory errors, a row that could not be
/// remapped, a GPU that fell off the bus.
pub fn proves_hardware(xid: u32) -> bool {
    matches!(xid, 48 | 64 | 79 | 95 | 140)
}

/// NVIDIA's name for an Xid, for those that occur in notebooks.
pub fn name(xid: u32) -> Option<&'static str> {
    Some(match xid {
        8 => "GPU stopped processing",
        13 => "graphics engine exception",
        31 => "GPU memory page fault",
        32 => "invalid or corrupted push buffer stream",
        38 => "driver firmware error",
        43 => "GPU stopped processing",
        45 => "preemptive cleanup, due to previous errors",
        48 => "double bit ECC error",
        61 => "internal micro-controller breakpoint or warning",
        62 => "internal micro-controller halt",
        63 => "ECC page retirement or row remapping recorded",
        64 => "ECC page retirement or row remapping failed",
        68 => "video processor exception",
        69 => "graphics engine class error",
        74 => "NVLink error",
        79 => "GPU has fallen off the bus",
        92 => "high single-bit ECC error rate",
        94 => "contained ECC error",
        95 => "uncontained ECC error",
        109 => "context switch timeout",
        119 => "GSP RPC timeout",
        120 => "GSP error",
        140 => "unrecovered ECC error",
        154 => "GPU recovery action changed",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_proves_hardware_is_of_the_hardware_class_and_has_a_name() {
        for xid in 0..1000 {
            if proves_hardware(xid) {
                assert_eq!(class(xid), Class::Hardware, "{xid}");
            }
            assert_eq!(name(xid).is_some(), class(xid) != Class::Unknown, "{xid}");
        }
    }

    #[test]
    fn a_consequence_is_no_cause() {
        assert_eq!(class(45), Class::Consequence);
        assert_eq!(class(154), Class::Information);
        assert_eq!(class(31), Class::Application);
    }
}
