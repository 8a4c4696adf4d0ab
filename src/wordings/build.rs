//! Compiles the families in this folder's text files; a mistake fails the build.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use nbmedic_catalogc::Families;
use std::{env, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=.");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    match Families::load(Path::new(".")) {
        Ok(families) => {
            fs::write(Path::new(&out).join("families.rs"), families.source())
                .expect("OUT_DIR is writable");
            ExitCode::SUCCESS
        }
        Err(complaints) => {
            for line in complaints.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}
