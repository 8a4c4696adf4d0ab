//! libFuzzer's driver: `NBMEDIC_FUZZ_TARGET` names the target.
#![no_main]

#[path = "../targets.rs"]
mod targets;

use std::sync::OnceLock;

fn target() -> fn(&[u8]) {
    static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();
    *TARGET.get_or_init(|| {
        let name = std::env::var("NBMEDIC_FUZZ_TARGET").unwrap_or_default();
        let of = targets::TARGETS.iter().find(|t| t.0 == name);
        of.unwrap_or_else(|| panic!("no target {name:?}")).1
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = targets::CELL;
    target()(data);
});
