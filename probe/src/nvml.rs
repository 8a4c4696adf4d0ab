//! The meaning of NVML's return codes. Source: `nvml.h` in NVIDIA's go-nvml (API 13).

/// Not an NVML code: NVML has not answered for 5 s.
pub const NO_ANSWER: i32 = -1;
/// Not an NVML code: the figure is for the whole GPU, and this is an instance of it.
pub const MIG: i32 = -2;
/// Not an NVML code: NVML lists processes, but not ours.
pub const NO_PROCESS_LIST: i32 = -3;

/// Why a figure is missing, as a code for the record (`na`). 0 is success and has none.
pub fn reason(answer: i32) -> &'static str {
    match answer {
        3 | 13 => "not-supported",
        4 => "no-permission",
        9 => "driver-not-loaded",
        12 => "no-library",
        15 => "lost",
        16 => "reset-required",
        17 => "blocked",
        18 => "driver-mismatch",
        28 => "no-gpu",
        NO_ANSWER => "no-answer",
        MIG => "mig",
        NO_PROCESS_LIST => "no-process-list",
        _ => "unknown-error",
    }
}

/// A reason from the record, in words. A code that is not in the table is returned as it is.
pub fn reason_text(code: &str) -> &str {
    match code {
        "not-supported" => "this GPU or its driver does not report it",
        "no-permission" => "the driver reports it to administrators only",
        "driver-not-loaded" => "NVIDIA's driver is not loaded",
        "no-library" => "no NVIDIA GPU in this runtime (its library is not there)",
        "lost" => "the GPU fell off the bus or cannot be reached any more",
        "reset-required" => "the GPU has to be reset before it can be used again",
        "blocked" => "the operating system or the container blocks the GPU",
        "driver-mismatch" => "NVIDIA's driver and its library are of different versions",
        "no-gpu" => "the driver sees no GPU",
        "unknown-error" => "the driver answered with an error",
        "no-answer" => "the driver has not answered for 5 seconds",
        "mig" => "not known for a MIG instance",
        "no-process-list" => "processes on the GPU cannot be told apart in this container",
        "no-file" => "the system does not report it",
        "no-limit" => "there is no limit",
        other => other,
    }
}

/// Why a GPU runs slower than it could, from NVML's bit mask. Idling and requested settings are not
/// throttling.
pub fn throttling(mask: u64) -> Option<&'static str> {
    match mask {
        m if m & 0x40 != 0 => Some("too hot"),
        m if m & 0x80 != 0 => Some("power brake"),
        m if m & 0x20 != 0 => Some("hot"),
        m if m & 0x08 != 0 => Some("slowed by the hardware"),
        m if m & 0x04 != 0 => Some("at its power limit"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_has_words() {
        for answer in -4..1000 {
            let code = reason(answer);
            assert_ne!(reason_text(code), code, "{answer}");
        }
        assert_eq!(reason_text("something-new"), "something-new");
    }

    #[test]
    fn idling_is_no_throttling() {
        assert_eq!(throttling(0), None);
        assert_eq!(throttling(0x3), None);
        assert_eq!(throttling(0x4 | 0x40), Some("too hot"));
    }
}
