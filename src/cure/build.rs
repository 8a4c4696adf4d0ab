//! Embeds the rules: what `rules/` holds, without the examples, which are for the tests.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=rules");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let rules = Path::new(&here).join("rules");
    let mut files = Vec::new();
    for group in fs::read_dir(&rules).expect("the rules").flatten() {
        let names = fs::read_dir(group.path()).into_iter().flatten().flatten();
        files.extend(
            names
                .map(|f| f.path())
                .filter(|p| p.extension().is_some_and(|e| e == "txt")),
        );
    }
    files.sort();
    let mut out = "/// The rules: where each stands, and its text up to the first example.\npub(super) const RULES: &[(&str, &str)] = &[\n".to_owned();
    let mut whole = "/// The same with the examples.\n#[cfg(test)]\npub(super) const WHOLE: &[(&str, &str)] = &[\n".to_owned();
    for file in files {
        let text = fs::read_to_string(&file).expect("a rule is text");
        let name = file.strip_prefix(&rules).expect("it is below the rules");
        let name = name.to_string_lossy().replace('\\', "/");
        let end = text.find("\nexample:").map_or(text.len(), |at| at + 1);
        writeln!(out, "    ({name:?}, {:?}),", &text[..end]).expect("a string takes all");
        writeln!(whole, "    ({name:?}, include_str!({:?})),", file).expect("a string takes all");
    }
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("rules.rs");
    fs::write(target, format!("{out}];\n\n{whole}];\n")).expect("OUT_DIR is writable");
}
