//! Compiles what is kept as text: the entries of `messages/`, and the rules of `rules/` without their examples, which are for
//! the tests. A mistake fails the build.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use nbmedic_catalogc::{check_wording, remedies, Families, Group};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// The entries' files, in the order in which they are tried.
const MESSAGES: &[Group<'_>] = &[
    Group {
        name: "EXCEPTIONS",
        files: &[
            "setup/versions.txt",
            "setup/services.txt",
            "setup/exceptions.txt",
        ],
        named: true,
    },
    Group {
        name: "OUTPUT",
        files: &["setup/output.txt", "setup/commands.txt"],
        named: true,
    },
    Group {
        name: "CODE",
        files: &[
            "code/frameworks.txt",
            "code/torch.txt",
            "code/keras.txt",
            "code/jax.txt",
            "code/models.txt",
            "code/tables.txt",
            "code/arrays.txt",
            "code/files.txt",
            "code/python.txt",
        ],
        named: false,
    },
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=messages");
    println!("cargo::rerun-if-changed=../wordings");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let (here, out) = (Path::new(&here), Path::new(&out));
    let write = |name: &str, text: String| {
        fs::write(out.join(name), text).expect("OUT_DIR is writable");
    };
    let made = Families::load(&here.join("../wordings")).and_then(|families| {
        let messages = here.join("messages");
        let text = remedies(&messages, MESSAGES, "setup/names.txt", &families)?;
        write("messages.rs", text);
        write("rules.rs", rules(&here.join("rules"), &families)?);
        Ok(())
    });
    let Err(complaints) = made else {
        return ExitCode::SUCCESS;
    };
    for line in complaints.lines() {
        println!("cargo::error={line}");
    }
    ExitCode::FAILURE
}

/// The rules as tables, with the numbers of their families; an error names the file of a wording that can't be searched for.
fn rules(rules: &Path, families: &Families) -> Result<String, String> {
    let mut files = Vec::new();
    for group in fs::read_dir(rules).expect("the rules").flatten() {
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
        let mut text = String::new();
        for line in fs::read_to_string(&file).expect("a rule is text").lines() {
            match line.strip_prefix("family: ") {
                Some(id) => {
                    let number = families.number(id);
                    let number = number.map_err(|e| format!("{}: {e}", file.display()))?;
                    text += &format!("family: {number}\n");
                }
                None => text += &format!("{line}\n"),
            }
        }
        let name = file.strip_prefix(rules).expect("it is below the rules");
        let name = name.to_string_lossy().replace('\\', "/");
        let end = text.find("\nexample:").map_or(text.len(), |at| at + 1);
        for wording in text[..end].lines().filter_map(|l| l.strip_prefix("says: ")) {
            check_wording(wording).map_err(|e| format!("{name}: {e}"))?;
        }
        writeln!(out, "    ({name:?}, {:?}),", &text[..end]).expect("a string takes all");
        writeln!(whole, "    ({name:?}, {text:?}),").expect("a string takes all");
    }
    Ok(format!("{out}];\n\n{whole}];\n"))
}
