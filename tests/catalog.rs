//! Tests the catalogue's own examples, and what must hold for every rule.

// Tests read files; the lints are for the engine.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{find, rules as all_rules};
use nbmedic::facts::Applicability;
use nbmedic::triage::{triage, Diagnosis, Input, Value};
use std::path::Path;

fn rules() -> Vec<nbmedic_catalogc::RuleFile> {
    nbmedic_catalogc::load(Path::new("src/catalog")).unwrap_or_else(|e| panic!("{e}"))
}

fn ids(found: &[Diagnosis]) -> Vec<&str> {
    found.iter().map(|d| d.id).collect()
}

#[test]
fn every_example_is_diagnosed_and_every_near_miss_is_not() {
    let mut complaints = Vec::new();
    for rule in rules() {
        for (n, example) in rule.examples.iter().enumerate() {
            let found = triage(&Input {
                text: &example.text,
                ..Input::default()
            });
            let name = format!("{} example {}", rule.id, n + 1);
            let first = found.first();
            if !example.matches {
                if found.iter().any(|d| d.id == rule.id) {
                    complaints.push(format!("{name}: a near miss was diagnosed"));
                }
                let right = example
                    .expect
                    .iter()
                    .find(|(k, _)| k == "is")
                    .map(|(_, v)| v.as_str());
                if right.is_some_and(|id| first.map_or("none", |d| d.id) != id) {
                    complaints.push(format!(
                        "{name}: expected {right:?}, found {:?}",
                        ids(&found)
                    ));
                }
                continue;
            }
            let Some(d) = first.filter(|d| d.id == rule.id) else {
                complaints.push(format!("{name}: found {:?}", ids(&found)));
                continue;
            };
            for (key, wanted) in &example.expect {
                let seen = match key.as_str() {
                    "variant" => d.variant.unwrap_or("").to_owned(),
                    _ => match d.facts.get(key) {
                        Some(Value::Text(t)) => t.clone(),
                        Some(v) => serde_json::to_string(v).expect("facts are plain data"),
                        None => "nothing".into(),
                    },
                };
                if seen != *wanted {
                    complaints.push(format!("{name}: {key} is {seen}, expected {wanted}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_rule_has_two_examples_and_a_near_miss() {
    for rule in rules() {
        let matching = rule.examples.iter().filter(|e| e.matches).count();
        assert!(
            matching >= 2,
            "{} has {matching} examples that match",
            rule.id
        );
        assert!(
            matching < rule.examples.len(),
            "{} has no near miss",
            rule.id
        );
    }
}

/// What only looks repairs nothing: it says that it shows, and stands behind what does.
#[test]
fn what_only_looks_does_not_say_that_it_fixes() {
    let mut looks = 0;
    for rule in all_rules() {
        let prose = nbmedic::catalog::prose(rule.id).expect("every diagnosis has prose");
        for fix in prose
            .fixes
            .iter()
            .filter(|f| f.cost.contains("it only looks"))
        {
            looks += 1;
            assert_eq!(fix.applies, Applicability::Shows, "{}/{}", rule.id, fix.id);
        }
    }
    assert!(looks > 40, "only {looks} fixes look");
}

#[test]
fn what_a_rule_hides_is_a_rule() {
    for rule in all_rules() {
        for id in rule.hides {
            assert!(
                find(id).is_some(),
                "{} hides `{id}`, which is no diagnosis",
                rule.id
            );
        }
    }
}

#[test]
fn every_file_has_the_one_spelling() {
    let mut files = 0;
    for rule in rules() {
        let path = format!("src/catalog/{}/{}.md", rule.family, rule.id);
        let text = std::fs::read_to_string(&path).expect("a catalogue file");
        let right = nbmedic_catalogc::formatted(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(
            right == text,
            "cargo run -p nbmedic-catalogc -- fmt src/catalog changes {path}"
        );
        let wide = text.lines().find(|l| {
            let pattern = l.contains("pattern = ") || l.starts_with("  ");
            pattern && l.chars().count() > 200
        });
        assert_eq!(wide, None, "{path}");
        files += 1;
    }
    assert!(files > 60, "only {files} files");
}

#[test]
fn detectors_exist() {
    for rule in all_rules() {
        for m in rule.matches.iter().filter(|m| !m.detector.is_empty()) {
            assert!(
                nbmedic::triage::is_detector(m.detector),
                "{}: detector {}",
                rule.id,
                m.detector
            );
        }
    }
}
