//! The storeys of the session: each uses only those below it, so that what a page shows can be read
//! from the bottom up.
// Reads the repository's own files; the lint is for the engine.
#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up: folders, and modules of one file.
const STOREYS: [&str; 7] = [
    "changes", "known", "clue", "intake", "death", "forecast", "shown",
];

/// The files of a storey.
fn files(storey: &str) -> Vec<PathBuf> {
    let room = Path::new("src/session");
    let file = room.join(format!("{storey}.rs"));
    if file.exists() {
        return vec![file];
    }
    let folder = fs::read_dir(room.join(storey)).unwrap_or_else(|e| panic!("{storey}: {e}"));
    folder.map(|e| e.expect("an entry").path()).collect()
}

/// What a file names directly below the crate, in `use` items and in code. A group in braces gives
/// each of its members.
fn named(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let group = rest
            .strip_prefix('{')
            .map(|g| g.split('}').next().unwrap_or(""));
        for path in group.unwrap_or(rest).split(',') {
            let path = path.trim();
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
            names.push(&path[..end.unwrap_or(path.len())]);
            if group.is_none() {
                break;
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Complaints about a file of a storey.
fn wrong(storey: &str, text: &str) -> Vec<String> {
    let place = |name: &str| STOREYS.iter().position(|s| *s == name);
    let own = place(storey);
    let above = named(text)
        .into_iter()
        .filter(|name| place(name).is_none_or(|at| Some(at) > own));
    above.map(|name| format!("uses {name}")).collect()
}

#[test]
fn a_storey_uses_only_those_below_it() {
    assert_eq!(
        named(
            "use crate::known::{Cell, Run};\nuse crate::{clue::Clue, Session};\ncrate::intake::x()"
        ),
        ["known", "clue", "Session", "intake"]
    );
    assert!(wrong("death", "use crate::known::Cell;\nuse crate::death::x;").is_empty());
    assert_eq!(wrong("death", "use crate::shown::Place;"), ["uses shown"]);
    assert_eq!(wrong("shown", "use crate::Session;"), ["uses Session"]);
    let mut read = 0;
    let mut complaints = Vec::new();
    for storey in STOREYS {
        for file in files(storey) {
            let text = fs::read_to_string(&file).expect("a readable file");
            // There `super` is the crate.
            let at_root =
                file.ends_with("mod.rs") || file.parent() == Some(Path::new("src/session"));
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            if at_root && code.contains("super::") {
                complaints.push(format!("{}: write crate:: for super::", file.display()));
            }
            let found = wrong(storey, &text).into_iter();
            complaints.extend(found.map(|c| format!("{}: {c}", file.display())));
            read += 1;
        }
    }
    assert!(read > 30, "only {read} files");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_module_of_the_session_is_a_storey() {
    let root = fs::read_to_string("src/session/lib.rs").expect("the room's root");
    let mut modules: Vec<&str> = root
        .lines()
        .filter_map(|l| l.strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    let mut storeys = STOREYS.to_vec();
    modules.sort_unstable();
    storeys.sort_unstable();
    assert_eq!(modules, storeys);
}
