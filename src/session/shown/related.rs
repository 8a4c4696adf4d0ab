//! Failures explained by other cells of the notebook: cells that did not run, cells that were
//! edited since, packages that were replaced under the running kernel.

use crate::clue::{Clue, NotRunSince};
use crate::known::{Asker, Cell, Notebook};
use nbmedic_catalog::{find, Related};
use nbmedic_facts::CellName;
use nbmedic_triage::{Diagnosis, Value};

/// What was found in other cells.
#[derive(Default)]
pub(super) struct Elsewhere {
    pub known: Vec<Clue>,
    /// The cell to look at: its id and what people call it.
    pub goto: Option<(String, CellName)>,
}

/// Maximum number of edited cells that a card names.
const MAX_EDITED: usize = 4;
/// Maximum number of cells that are searched for a name.
const MAX_SEARCHED: usize = 400;

/// Looks for the reason of a cell's failure in other cells; may choose the diagnosis' variant.
pub(super) fn related(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    d: &mut Diagnosis,
    asker: &Asker,
) -> Elsewhere {
    let mut related = Elsewhere::default();
    if cell.run() == 0 || d.variant.is_some_and(|v| v == "planned" || v == "leak") {
        return related;
    }
    let rule = find(d.id);
    let relates = |to| rule.is_some_and(|rule| rule.relates_to(to));
    let name = match d.facts.get("name") {
        Some(Value::Text(name)) if relates(Related::Definition) => name.clone(),
        _ => String::new(),
    };
    if !name.is_empty() {
        if let Some(definer) = definer(nb, id, cell, &name, asker) {
            d.variant = Some("not-run");
            let label = definer.cell.place();
            d.facts
                .insert("cell".into(), Value::Text(label.to_string()));
            related.known.push(Clue::DefinedElsewhere {
                cell: label,
                name,
                since: definer.since,
            });
            related.goto = Some((definer.id.clone(), label));
            return related;
        }
    }
    add_edited(nb, id, cell, d, (&name, asker), &mut related);
    if relates(Related::Packages) {
        related.known.extend(replaced(nb, id));
    }
    related
}

/// Whether a cell binds a name where other cells can see it.
fn defines(cell: &Cell, name: &str, asker: &Asker) -> bool {
    cell.source.contains(name) && asker.plain(cell).sets.contains(name)
}

/// A cell that defines a name and did not run in this kernel.
struct Definer<'a> {
    id: &'a String,
    cell: &'a Cell,
    since: NotRunSince,
}

/// The first cell that defines a name, unless one of those that define it ran in this kernel.
fn definer<'a>(
    nb: &'a Notebook,
    id: &str,
    cell: &Cell,
    name: &str,
    asker: &Asker,
) -> Option<Definer<'a>> {
    let memory = &nb.memory;
    let mut found: Option<(&String, &Cell)> = None;
    for (other, c) in nb.cells.iter().take(MAX_SEARCHED) {
        if other == id || c.gone || !defines(c, name, asker) {
            continue;
        }
        let ran = memory
            .ran(other)
            .is_some_and(|r| memory.in_this_kernel(r.start));
        // It ran before the sensor started, and as far as is known in this kernel.
        let before =
            c.run() == 0 && memory.boot.is_none() && c.count.is_some() && c.count < cell.count;
        if ran || before {
            return None;
        }
        if found.is_none_or(|(_, first)| c.index < first.index) {
            found = Some((other, c));
        }
    }
    let (id, cell) = found?;
    let since = match memory.ran(id) {
        Some(_) => NotRunSince::Restart,
        None => NotRunSince::PageOpened,
    };
    Some(Definer { id, cell, since })
}

/// Adds cells that were edited after they ran and define what the failing line uses.
fn add_edited(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    d: &Diagnosis,
    (name, asker): (&str, &Asker),
    related: &mut Elsewhere,
) {
    // Words are asked for only if a cell was edited.
    let edited = |id: &String, c: &Cell| !c.gone && nb.edited(id, c);
    let cells = || nb.cells.iter().take(MAX_SEARCHED);
    if !cells().any(|(other, c)| other != id && edited(other, c)) {
        return;
    }
    let line = d.location.line;
    let mut words = line.map_or_else(Vec::new, |n| asker.words(cell, n));
    if !name.is_empty() {
        words.push(name.to_owned());
    }
    if words.is_empty() {
        return;
    }
    for (other, c) in cells() {
        if other == id || !edited(other, c) {
            continue;
        }
        if let Some(word) = words.iter().find(|w| defines(c, w, asker)) {
            let label = c.label();
            related.known.push(Clue::EditedSince {
                cell: label,
                name: word.clone(),
            });
            related.goto.get_or_insert((other.clone(), label));
            if related.known.len() == MAX_EDITED {
                return;
            }
        }
    }
}

/// The other cells that replaced packages under the running kernel.
fn replaced<'a>(nb: &'a Notebook, id: &'a str) -> impl Iterator<Item = Clue> + 'a {
    let memory = &nb.memory;
    let runs = memory
        .runs
        .iter()
        .filter(move |r| !r.packages.is_empty() && r.cell != id && memory.in_this_kernel(r.start));
    runs.filter_map(|r| {
        Some(Clue::ReplacedBy {
            cell: nb.cells.get(&r.cell)?.label(),
            packages: r.packages.join(", "),
        })
    })
}
