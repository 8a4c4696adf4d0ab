//! The catalogue files hold everything about a diagnosis: the engine's Rust names no id.

// Tests read files; the lints are for the engine.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{rules, standing_for, Condition, Ends};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that may name an id, and why. An entry that is no longer needed fails the test.
const ALLOWED: &[(&str, &str)] = &[(
    "src/secrets/formats.rs",
    "`api-` also begins the tokens of several services",
)];

/// Every Rust file of a folder, except tests.
fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|e| e.expect("a readable folder").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !["tests", "target"].contains(&&*name) {
            sources(&path, out);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            out.push(path);
        }
    }
}

/// The ids, or beginnings of ids up to a dash, in a file's string literals outside its tests.
fn literals(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "];
    let ends = tests.iter().filter_map(|t| text.find(t)).min();
    let code = &text[..ends.unwrap_or(text.len())];
    let quoted = code.split('"').filter(|part| names.contains(*part));
    quoted.map(str::to_owned).collect()
}

#[test]
fn no_id_is_in_the_engine() {
    let mut names = BTreeSet::new();
    for rule in rules() {
        names.insert(rule.id.to_owned());
        let dashes = rule.id.match_indices('-');
        names.extend(dashes.map(|(at, _)| rule.id[..=at].to_owned()));
    }
    let seen = |text: &str| literals(text, &names);
    assert_eq!(
        seen("x == \"host-oom\" || x.starts_with(\"cuda-\")").len(),
        2
    );
    assert!(seen("\"host\"\n#[cfg(test)]\nmod tests {\"host-oom\"}").is_empty());
    let mut files = Vec::new();
    for dir in ["src", "cli/src", "pages/src"] {
        sources(Path::new(dir), &mut files);
    }
    assert!(files.len() > 80, "only {} files", files.len());
    let mut complaints = Vec::new();
    let mut used = BTreeSet::new();
    for file in files {
        let found = seen(&fs::read_to_string(&file).expect("a readable file"));
        let name = file.to_string_lossy().replace('\\', "/");
        if found.is_empty() {
            continue;
        }
        match ALLOWED.iter().find(|(allowed, _)| *allowed == name) {
            Some((allowed, _)) => {
                used.insert(*allowed);
            }
            None => complaints.push(format!("{name}: {}", found.join(", "))),
        }
    }
    let gone = ALLOWED.iter().filter(|(name, _)| !used.contains(name));
    complaints.extend(gone.map(|(name, _)| format!("{name} names no id: take it off the list")));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn exactly_one_rule_stands_for_each_condition() {
    for condition in Condition::ALL {
        let all: Vec<&str> = rules()
            .iter()
            .filter(|r| r.is(condition))
            .map(|r| r.id)
            .collect();
        assert_eq!(all.len(), 1, "{}: {all:?}", condition.name());
        assert_eq!(standing_for(condition).map(|r| r.id), all.first().copied());
    }
    let known = |name: &&'static str| Condition::ALL.iter().any(|c| c.name() == *name);
    for rule in rules() {
        assert!(rule.stands_for.iter().all(known), "{}", rule.id);
    }
}

#[test]
fn a_warning_ends_nothing() {
    let mut deaths = 0;
    for rule in rules() {
        deaths += usize::from(rule.ended(None) >= Ends::Kernel);
        for v in rule.variants.iter().filter(|v| v.ahead) {
            assert_eq!(
                rule.ended(Some(v.id)),
                Ends::Nothing,
                "{} {}",
                rule.id,
                v.id
            );
            assert_ne!(
                rule.severity_of(Some(v.id)),
                "error",
                "{} {}",
                rule.id,
                v.id
            );
        }
    }
    assert!(deaths >= 5, "only {deaths} rules end a kernel");
}

#[test]
fn a_refused_launch_leaves_the_context_usable() {
    let breaks = |line: &str| -> Vec<&str> {
        let sticky = rules()
            .iter()
            .filter(|r| r.breaks_context([line].into_iter()));
        sticky.map(|r| r.id).collect()
    };
    let sticky = ["cuda-device-assert", "cuda-illegal-access"];
    let refused = "CUDA error: too many resources requested for launch";
    assert_eq!(breaks(refused), sticky);
    assert_eq!(
        breaks("CUDA error: unspecified launch failure"),
        [sticky[0], sticky[1], "cuda-launch-failed"]
    );
    assert!(rules().iter().all(|r| !r.sticky || r.device_fault()));
}
