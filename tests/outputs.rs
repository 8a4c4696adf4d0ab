//! Outputs of real programs (`tests/frameworks`), each with the expected diagnosis.
//!
//! `known-misses.txt` lists the cases that the engine gets wrong. It is a ratchet: a case that is
//! not listed must pass, and a listed one must fail, so a better engine shortens the list.

// Tests read files; the engine does not.
#![allow(clippy::disallowed_methods)]

use nbmedic::triage::{triage, Diagnosis, Input, Surface, Value};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DIR: &str = "tests/fixtures/outputs";

/// One labelled output, in the format of `nbmedic score`.
struct Case {
    id: String,
    label: String,
    also: Vec<String>,
    facts: Map<String, Json>,
    text: String,
    made: Map<String, Json>,
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(DIR)
        .expect("the fixtures are in the repository")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    files
}

fn cases_of(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("readable");
    let field = |row: &Json, key: &str| row[key].as_str().expect(key).to_owned();
    let map = |row: &Json, key: &str| row[key].as_object().expect(key).clone();
    text.lines()
        .map(|line| {
            let row: Json = serde_json::from_str(line).expect("a line is one JSON object");
            Case {
                id: field(&row, "id"),
                label: field(&row, "label"),
                also: row["also"]
                    .as_array()
                    .expect("also")
                    .iter()
                    .map(|id| id.as_str().expect("an id").to_owned())
                    .collect(),
                facts: map(&row, "facts"),
                text: field(&row, "text"),
                made: map(&row, "made"),
            }
        })
        .collect()
}

fn cases() -> Vec<Case> {
    files().iter().flat_map(|file| cases_of(file)).collect()
}

/// The listed misses by case: what is wrong (`id` or `facts`), and how.
fn known_misses() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(format!("{DIR}/known-misses.txt")).expect("readable");
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (id, what) = line.split_once(' ').expect("an id, then what is wrong");
            (id.to_owned(), what.to_owned())
        })
        .collect()
}

/// What is wrong with the engine's answer; `None` if it is right.
fn miss(case: &Case) -> Option<String> {
    let surface = match case.facts.get("surface").and_then(Json::as_str) {
        Some("dialog" | "toast" | "banner" | "snackbar") => Surface::Notice,
        _ => Surface::Output,
    };
    let found = triage(&Input {
        text: &case.text,
        surface,
        source: None,
    });
    let said = found.first().map_or("none", |d| d.id);
    if said != case.label && case.also.iter().all(|id| id != said) {
        return Some(format!("id {said} for {}", case.label));
    }
    let wrong: Vec<String> = case
        .facts
        .iter()
        .filter(|(key, _)| *key != "surface")
        .filter_map(|(key, wanted)| wrong_fact(key, wanted, found.first()))
        .collect();
    (!wrong.is_empty()).then(|| format!("facts {}", wrong.join(", ")))
}

/// Sizes may differ by 1 %, because programs print them rounded.
fn wrong_fact(key: &str, wanted: &Json, found: Option<&Diagnosis>) -> Option<String> {
    let seen = found.and_then(|d| d.facts.get(key));
    let right = match (seen, wanted.as_f64()) {
        (Some(Value::Int(n)), Some(w)) if key.ends_with("_bytes") => {
            (*n as f64 - w).abs() <= w.abs() * 0.01
        }
        (Some(value), _) => serde_json::to_value(value).expect("facts are plain data") == *wanted,
        (None, _) => false,
    };
    let seen = seen.map_or("nothing".into(), |v| {
        serde_json::to_string(v).expect("facts are plain data")
    });
    (!right).then(|| format!("{key} {seen} for {wanted}"))
}

#[test]
fn every_output_is_diagnosed_or_a_known_miss() {
    let known = known_misses();
    let mut complaints = Vec::new();
    let mut list = Vec::new();
    let mut seen = 0;
    for case in cases() {
        let miss = miss(&case);
        seen += usize::from(known.contains_key(&case.id));
        if let Some(what) = &miss {
            list.push(format!("{} {what}", case.id));
        }
        match (miss, known.get(&case.id)) {
            (Some(what), None) => complaints.push(format!("{}: {what}", case.id)),
            (None, Some(was)) => complaints.push(format!(
                "{} passes now, which is good: strike it from known-misses.txt (was: {was})",
                case.id
            )),
            _ => {}
        }
    }
    assert!(
        complaints.is_empty(),
        "\n{}\n\nthe list as it would have to be:\n{}",
        complaints.join("\n"),
        list.join("\n")
    );
    assert_eq!(seen, known.len(), "a known miss names no case");
}

#[test]
fn the_collection_is_large_and_says_how_each_text_was_made() {
    let cases = cases();
    let ids: BTreeMap<&str, &Case> = cases.iter().map(|c| (c.id.as_str(), c)).collect();
    assert_eq!(ids.len(), cases.len(), "ids are unique");
    let captured: Vec<_> = cases
        .iter()
        .filter(|c| !c.made.contains_key("written"))
        .collect();
    assert!(captured.len() >= 150, "{} captured", captured.len());
    let benign = captured.iter().filter(|c| c.label == "none").count();
    assert!(benign >= 60, "{benign} benign");
    for case in &cases {
        let how = if case.made.contains_key("written") {
            ["written", "format"]
        } else {
            ["program", "python"]
        };
        for key in how {
            assert!(
                case.made.get(key).is_some_and(|v| !v.is_null()),
                "{}: {key}",
                case.id
            );
        }
        if let Some(program) = case.made.get("program").and_then(Json::as_str) {
            let path = Path::new("tests/frameworks/programs").join(program);
            assert!(path.is_file(), "{}: {}", case.id, path.display());
        }
    }
}

#[test]
fn every_label_is_in_the_catalogue() {
    for case in cases() {
        for id in case
            .also
            .iter()
            .chain([&case.label])
            .filter(|id| *id != "none")
        {
            assert!(nbmedic::catalog::find(id).is_some(), "{}: {id}", case.id);
        }
    }
}
