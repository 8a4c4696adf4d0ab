//! `nbmedic score`: checks the engine on labelled cases.
//!
//! A case is right if the first diagnosis is its `label` or one of `also`; for `none`, if there is
//! no diagnosis (or one of `also`). Sizes are right within 1 %.

use crate::forms::{Form, FORMS, GOAL};
use crate::out::{reason, say};
use nbmedic::triage::{triage, Diagnosis, Input, Surface, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

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

/// The cases of every `*.jsonl` in a folder.
fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .map_err(|e| format!("{}: {}", dir.display(), reason(&e)))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{}: no .jsonl file in this folder", dir.display()));
    }
    let mut out = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)
            .map_err(|e| format!("{}: {}", file.display(), reason(&e)))?;
        let lines = text.lines().enumerate();
        for (n, line) in lines.filter(|(_, l)| !l.trim().is_empty()) {
            let case = serde_json::from_str(line);
            out.push(case.map_err(|e| format!("{}:{}: {e}", file.display(), n + 1))?);
        }
    }
    Ok(out)
}

/// What the engine says of a case in some form.
fn judge(case: &Case, text: &str) -> Vec<Diagnosis> {
    triage(&Input {
        text,
        surface: surface(case),
        source: None,
    })
}

impl Case {
    /// Whether a diagnosis is right; `none` for a text without one.
    fn accepts(&self, first: &str) -> bool {
        first == self.label || self.also.iter().any(|a| a == first)
    }

    /// What is wrong with the facts of the first diagnosis.
    fn wrong_facts(&self, found: &[Diagnosis]) -> Vec<String> {
        let listed = self.facts.iter().filter(|(k, _)| *k != "surface");
        listed
            .filter_map(|(k, v)| differs(k, v, found.first()))
            .collect()
    }

    fn has_facts(&self) -> bool {
        self.facts.keys().any(|k| k != "surface")
    }
}

/// What a form leaves of the cases that are right as printed.
#[derive(Default)]
struct Kept {
    of: usize,
    ids: usize,
    of_facts: usize,
    facts: usize,
    /// Texts without a failure, and those about which something is said now.
    quiet: usize,
    alarms: usize,
    lost: Vec<String>,
}

impl Kept {
    fn reached(&self, form: &Form) -> bool {
        percent(self.ids, self.of) >= form.goal
            && (form.goal < GOAL || percent(self.facts, self.of_facts) >= GOAL)
    }
}

/// Scores every case of a folder in each form: what is right as printed should stay right.
pub fn forms(dir: &Path, misses: bool) -> Result<u8, String> {
    let cases = cases(dir)?;
    let plain: Vec<_> = cases.iter().map(|c| judge(c, &c.text)).collect();
    say!(
        "{:<22} {:>6} {:>6} {:>7} {:>7}",
        "form",
        "ids %",
        "goal",
        "facts %",
        "alarms"
    );
    let mut all = true;
    for form in FORMS {
        let mut kept = Kept::default();
        for (case, plain) in cases.iter().zip(&plain) {
            let id = |found: &[Diagnosis]| found.first().map_or("none", |d| d.id);
            if !case.accepts(id(plain)) {
                continue;
            }
            let found = judge(case, &(form.wear)(&case.text));
            let right = case.accepts(id(&found));
            if plain.is_empty() {
                kept.quiet += 1;
                kept.alarms += usize::from(!right);
            } else {
                kept.of += 1;
                kept.ids += usize::from(right);
            }
            if !right {
                kept.lost.push(format!("{} {}", case.id, id(&found)));
            } else if case.has_facts() && case.wrong_facts(plain).is_empty() {
                kept.of_facts += 1;
                let bad = case.wrong_facts(&found);
                kept.facts += usize::from(bad.is_empty());
                if !bad.is_empty() {
                    kept.lost.push(format!("{}: {}", case.id, bad.join("; ")));
                }
            }
        }
        let reached = kept.reached(form);
        all &= reached;
        say!(
            "{:<22} {:>6.1} {:>6.0} {:>7.1} {:>4}/{}{}",
            form.name,
            percent(kept.ids, kept.of),
            form.goal,
            percent(kept.facts, kept.of_facts),
            kept.alarms,
            kept.quiet,
            if reached { "" } else { "  missed" }
        );
        if misses {
            for line in &kept.lost {
                say!("    {line}");
            }
        }
    }
    Ok(u8::from(!all))
}

/// Scores every `*.jsonl` in a folder.
pub fn run(dir: &Path, misses: bool) -> Result<u8, String> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut confusion: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut wrong_facts = Vec::new();
    for case in &cases(dir)? {
        let found = judge(case, &case.text);
        let first = found.first().map_or("none", |d| d.id);
        let right = case.accepts(first);
        let family = nbmedic::catalog::find(&case.label).map_or("none", |r| r.family);
        let bad = case.wrong_facts(&found);
        for key in [family, "all"] {
            let t = tallies.entry(key.into()).or_default();
            t.cases += 1;
            t.right += usize::from(right);
            t.with_facts += usize::from(case.has_facts());
            t.facts_right += usize::from(case.has_facts() && bad.is_empty());
        }
        if !right {
            confusion
                .entry((case.label.clone(), first.into()))
                .or_default()
                .push(case.id.clone());
        }
        if !bad.is_empty() {
            wrong_facts.push(format!("{} ({}): {}", case.id, case.label, bad.join("; ")));
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
    Ok(0)
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
