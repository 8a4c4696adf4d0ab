//! `nbmedic score`: checks the engine on labelled cases.
//!
//! A case is right if the first diagnosis is its `label` or one of `also`; for `none`, if there is
//! no diagnosis (or one of `also`). Sizes are right within 1 %.

use crate::out::{reason, say};
use nbmedic::triage::{triage, Diagnosis, Input, Surface, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

#[derive(Deserialize)]
struct Case {
    id: String,
    label: String,
    #[serde(default)]
    also: Vec<String>,
    text: String,
    #[serde(default)]
    facts: serde_json::Map<String, serde_json::Value>,
}

#[derive(Default)]
struct Tally {
    cases: usize,
    right: usize,
    with_facts: usize,
    facts_right: usize,
}

/// Scores every `*.jsonl` in a folder.
pub fn run(dir: &Path, misses: bool) -> Result<ExitCode, String> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .map_err(|e| format!("{}: {}", dir.display(), reason(&e)))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{}: no .jsonl file in this folder", dir.display()));
    }
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut confusion: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut wrong_facts = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)
            .map_err(|e| format!("{}: {}", file.display(), reason(&e)))?;
        for (n, line) in text
            .lines()
            .enumerate()
            .filter(|(_, l)| !l.trim().is_empty())
        {
            let case: Case = serde_json::from_str(line)
                .map_err(|e| format!("{}:{}: {e}", file.display(), n + 1))?;
            let found = triage(&Input {
                text: &case.text,
                surface: surface(&case),
                source: None,
            });
            let first = found.first().map_or("none", |d| d.id);
            let right = first == case.label || case.also.iter().any(|a| a == first);
            let family = nbmedic::catalog::find(&case.label).map_or("none", |r| r.family);
            for key in [family, "all"] {
                let t = tallies.entry(key.into()).or_default();
                t.cases += 1;
                t.right += usize::from(right);
            }
            if !right {
                confusion
                    .entry((case.label.clone(), first.into()))
                    .or_default()
                    .push(case.id.clone());
            }
            let listed: Vec<_> = case.facts.iter().filter(|(k, _)| *k != "surface").collect();
            if !listed.is_empty() {
                let bad: Vec<String> = listed
                    .iter()
                    .filter_map(|(k, v)| differs(k, v, found.first()))
                    .collect();
                for key in [family, "all"] {
                    let t = tallies.entry(key.into()).or_default();
                    t.with_facts += 1;
                    t.facts_right += usize::from(bad.is_empty());
                }
                if !bad.is_empty() {
                    wrong_facts.push(format!("{} ({}): {}", case.id, case.label, bad.join("; ")));
                }
            }
        }
    }
    say!(
        "{:<14} {:>5} {:>6} {:>7}   facts",
        "family",
        "cases",
        "right",
        "%"
    );
    for (family, t) in tallies
        .iter()
        .filter(|(f, _)| *f != "all")
        .chain(tallies.get_key_value("all"))
    {
        say!(
            "{family:<14} {:>5} {:>6} {:>7.2}   {}/{}",
            t.cases,
            t.right,
            percent(t.right, t.cases),
            t.facts_right,
            t.with_facts
        );
    }
    if let Some(t) = tallies.get("none") {
        say!(
            "false alarms: {} of {} texts without a failure",
            t.cases - t.right,
            t.cases
        );
    }
    say!("\nconfusions (label → said)");
    for ((label, said), ids) in &confusion {
        let shown = if misses {
            ids.join(" ")
        } else {
            ids.iter().take(6).cloned().collect::<Vec<_>>().join(" ")
        };
        say!("  {label} → {said}  {}×  {shown}", ids.len());
    }
    if misses {
        say!("\nfacts");
        for w in wrong_facts {
            say!("  {w}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn surface(case: &Case) -> Surface {
    match case.facts.get("surface").and_then(|s| s.as_str()) {
        Some("dialog" | "toast" | "banner" | "snackbar") => Surface::Notice,
        _ => Surface::Output,
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// What is wrong with a fact; `None` if it is right.
fn differs(key: &str, wanted: &serde_json::Value, found: Option<&Diagnosis>) -> Option<String> {
    let seen = found.and_then(|d| d.facts.get(key));
    let same = match (seen, wanted) {
        (Some(Value::Int(n)), w) if key.ends_with("_bytes") => w
            .as_f64()
            .is_some_and(|w| (*n as f64 - w).abs() <= w.abs() * 0.01),
        (Some(v), w) => serde_json::to_value(v).is_ok_and(|v| v == *w),
        (None, _) => false,
    };
    (!same).then(|| {
        format!(
            "{key} is {}, expected {wanted}",
            seen.map_or("missing".into(), |v| format!("{v:?}"))
        )
    })
}
