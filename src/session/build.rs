//! Makes a checksum of everything that decides what is found in a text, and what is answered about a source. A stored
//! verdict or answer holds only for the engine that reached it, so any change of these files, even of a comment, makes it
//! void.

// A build script reads files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::{fs, path::Path};

/// The rooms that judging and answering use, this one included.
const ROOMS: [&str; 16] = [
    ".",
    "../answer",
    "../ask",
    "../catalog",
    "../cure",
    "../facts",
    "../json",
    "../libraries",
    "../protocol",
    "../python",
    "../rule",
    "../secrets",
    "../source",
    "../text",
    "../traceback",
    "../triage",
];
/// And what they use besides.
const OTHERS: [&str; 3] = ["../../catalogc/src", "../../probe/src", "../../Cargo.lock"];

fn main() {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for path in ROOMS.iter().chain(&OTHERS) {
        println!("cargo::rerun-if-changed={path}");
        add(Path::new(path), &mut sum);
    }
    println!("cargo::rustc-env=NBMEDIC_BUILD={sum:016x}");
}

/// Adds a file, or all files of a folder in the order of their names, to an FNV-1a checksum.
fn add(path: &Path, sum: &mut u64) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a readable folder");
        let mut inside: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
        inside.sort();
        for path in inside {
            add(&path, sum);
        }
        return;
    }
    for byte in fs::read(path).expect("a readable file") {
        *sum = (*sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
