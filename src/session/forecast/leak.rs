//! A cell that keeps more memory with each run.

use super::warning::{runs_out, Warning};
use crate::clue::Clue;
use crate::known::{Memory, Quantity, Run};
use nbmedic_vitals::trend::{self, Level};

/// The warning that a cell leaks.
pub(super) fn leak(memory: &Memory, id: &str) -> Option<Warning> {
    let runs = like_runs(memory, id);
    if runs.len() < trend::MIN_RUNS {
        return None;
    }
    let last = memory.samples.last()?;
    [Quantity::Gpu, Quantity::Ram].into_iter().find_map(|what| {
        let level = |r: &&Run| {
            Some(Level {
                before: r.before(what)?,
                after: r.after(what)?,
            })
        };
        let levels: Vec<Level> = runs.iter().filter_map(level).collect();
        let total = last.total(what);
        let growth = trend::leak(&levels, total)?;
        let used = last.used(what)?;
        let mut w = Warning::new(runs_out(what), "leak", 0.85)?;
        w.bytes("growth_bytes", growth);
        w.bytes("used_bytes", used);
        if let Some(total) = total {
            w.bytes("total_bytes", total);
            // A run needs room for its peak, not only for what it keeps.
            let above = |r: &&Run| Some((r.peak(what)? - r.after(what)?).max(0.0));
            let peak = runs.last().and_then(above).unwrap_or(0.0);
            w.bytes("left_count", ((total - used - peak) / growth).max(0.0));
        }
        w.known.push(Clue::GrowsWithRuns {
            runs: levels.len(),
            what,
            last: levels.last()?.after,
            first: levels.first()?.after,
        });
        Some(w)
    })
}

/// The runs of a cell's current source in this kernel that ended well.
fn like_runs<'a>(memory: &'a Memory, id: &str) -> Vec<&'a Run> {
    let Some(source) = memory.ran(id).map(|r| r.source) else {
        return Vec::new();
    };
    let like = |r: &&Run| {
        let same = r.cell == id && r.source == source && memory.in_this_kernel(r.start);
        same && r.end.is_some() && r.well
    };
    memory.runs.iter().filter(like).collect()
}
