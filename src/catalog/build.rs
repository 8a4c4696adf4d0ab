//! Compiles the catalogue into tables.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::{env, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=.");
    println!("cargo::rerun-if-changed=../wordings");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let here = Path::new(".");
    let all = nbmedic_catalogc::load(here)
        .and_then(|rules| Ok((rules, nbmedic_catalogc::load_renamed(here)?)))
        .and_then(|(rules, renamed)| {
            let said = nbmedic_catalogc::load_translations(here)?;
            Ok(nbmedic_catalogc::tables(&rules, &renamed, &said))
        });
    match all {
        Ok(tables) => {
            fs::write(Path::new(&out).join("catalog.rs"), tables).expect("OUT_DIR is writable");
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
