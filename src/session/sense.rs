//! What the notebook around a failing cell explains: cells that did not run, that were edited since,
//! packages that were replaced under the running kernel.

use super::foresight::edited;
use super::notebook::{Cell, Notebook};
use crate::source;
use crate::triage::{Diagnosis, Value};

/// What was found beside the output.
#[derive(Default)]
pub(crate) struct Insight {
    pub known: Vec<(&'static str, String)>,
    /// The cell to look at.
    pub goto: Option<(String, String)>,
}

/// Most edited cells that a card names.
const MAX_EDITED: usize = 4;
/// Most cells that are searched for a name.
const MAX_SEARCHED: usize = 400;

/// Looks around a failing cell; may choose the diagnosis' variant.
pub(crate) fn of(nb: &Notebook, id: &str, cell: &Cell, d: &mut Diagnosis) -> Insight {
    let mut insight = Insight::default();
    if cell.run() == 0 || d.variant.is_some_and(|v| v == "planned" || v == "leak") {
        return insight;
    }
    let name = match d.facts.get("name") {
        Some(Value::Text(name)) if d.id == "name-undefined" => name.clone(),
        _ => String::new(),
    };
    if !name.is_empty() {
        if let Some((other, label, ran)) = definer(nb, id, cell, &name) {
            d.variant = Some("not-run");
            let text = match ran {
                false => "has not been run since this page was opened",
                true => "has not been run since the kernel was restarted",
            };
            d.facts.insert("cell".into(), Value::Text(label.clone()));
            insight
                .known
                .push(("notebook", format!("{label} defines {name} and {text}")));
            insight.goto = Some((other, label));
            return insight;
        }
    }
    stale(nb, id, cell, d, &name, &mut insight);
    if matches!(
        d.id,
        "binary-incompatible" | "import-broken" | "api-removed" | "attribute-missing"
    ) {
        for r in &nb.memory.runs {
            if let (Some(c), false, true) = (
                nb.cells.get(&r.cell),
                r.packages.is_empty() || r.cell == id,
                r.start >= nb.memory.boot,
            ) {
                let text = format!(
                    "{} replaced {} under the running kernel: restart it",
                    c.label(),
                    r.packages.join(", ")
                );
                insight.known.push(("notebook", text));
            }
        }
    }
    insight
}

/// A cell that defines a name and did not run in this kernel: its id, what people call it, and
/// whether it ran in an earlier one.
fn definer(nb: &Notebook, id: &str, cell: &Cell, name: &str) -> Option<(String, String, bool)> {
    let memory = &nb.memory;
    let mut found: Option<(u32, &String, &Cell)> = None;
    for (other, c) in nb.cells.iter().take(MAX_SEARCHED) {
        if other == id || c.gone || !c.source.contains(name) || !source::defines(&c.source, name) {
            continue;
        }
        let ran = memory.ran(other).is_some_and(|r| r.start >= memory.boot);
        // Ran before the sensor came, in this kernel as far as can be told.
        let before = c.run() == 0 && memory.boot == 0 && c.count.is_some() && c.count < cell.count;
        if ran || before {
            return None;
        }
        if found.is_none_or(|(index, _, _)| c.index < index) {
            found = Some((c.index, other, c));
        }
    }
    let (_, other, c) = found?;
    let place = format!("cell {}", u64::from(c.index) + 1);
    Some((other.clone(), place, memory.ran(other).is_some()))
}

/// Cells that were edited after they ran and define what the failing line uses.
fn stale(nb: &Notebook, id: &str, cell: &Cell, d: &Diagnosis, name: &str, insight: &mut Insight) {
    let line = d.location.line.and_then(|n| {
        let at = (n as usize).checked_sub(1)?;
        cell.source.lines().nth(at)
    });
    let mut words = source::words(line.unwrap_or(""));
    if !name.is_empty() {
        words.push(name.to_owned());
    }
    if words.is_empty() {
        return;
    }
    for (other, c) in nb.cells.iter().take(MAX_SEARCHED) {
        if other == id || c.gone || !edited(&nb.memory, other, c) {
            continue;
        }
        let defines = |w: &&String| source::defines(&c.source, w);
        if let Some(word) = words.iter().find(defines) {
            let label = c.label();
            insight.known.push((
                "notebook",
                format!("{label} defines {word} and was edited after it ran: what ran is not what it shows"),
            ));
            insight.goto.get_or_insert((other.clone(), label));
            if insight.known.len() == MAX_EDITED {
                return;
            }
        }
    }
}
