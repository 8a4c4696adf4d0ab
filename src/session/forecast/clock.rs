//! The end of a runtime that lasts a limited time.

use super::warning::{Warning, LONGEST_MS};
use crate::clue::Clue;
use crate::known::{coarse, duration, Asker, Cell, Notebook, Run};
use nbmedic_ask::may_save;
use nbmedic_catalog::Condition;
use nbmedic_protocol::Limits;

/// A runtime of this age will end soon, in milliseconds.
const OLD_MS: u64 = 11 * 3_600_000;

/// The warning that the runtime ends soon, or that a long run saves nothing.
pub(super) fn time_limit(
    nb: &Notebook,
    id: &str,
    cell: &Cell,
    limits: &Limits,
    asker: &Asker,
) -> Option<Warning> {
    let memory = &nb.memory;
    // The last sign of the cell or of the runtime.
    let sample = memory.samples.last().map_or(0, |s| s.at);
    let now = cell.touched.max(sample);
    let run = memory.running().filter(|r| r.cell == id)?;
    let age = memory.born.map(|born| now.saturating_sub(born));
    let ran = now.saturating_sub(run.start);
    let old = age.filter(|age| *age >= OLD_MS);
    let long = limits.unsaved > 0 && ran >= u64::from(limits.unsaved) * 60_000;
    if old.is_none() && !long {
        return None;
    }
    let saves = |c: &Cell| may_save(&c.source) && asker.plain(c).saves;
    let saved = |r: &Run| {
        let cell = nb.cells.get(&r.cell);
        memory.in_this_kernel(r.start) && cell.is_some_and(saves)
    };
    let kept = saves(cell) || memory.runs.iter().any(saved);
    if old.is_none() && kept {
        return None;
    }
    let mut w = Warning::new(Condition::TimeLimit, "soon", 0.7)?;
    if let Some(age) = old {
        w.text("age", duration(age / 1_800_000 * 1_800_000));
        let left = LONGEST_MS.saturating_sub(age);
        w.text("left", coarse(left as f64 / 1000.0));
    }
    if !kept && limits.unsaved > 0 {
        w.text("unsaved", duration(ran / 1_800_000 * 1_800_000));
        w.known.push(Clue::NothingSaves);
    }
    let rounded = age.map(|age| age / 600_000 * 600_000);
    w.known.extend(rounded.map(Clue::RuntimeAge));
    Some(w)
}
