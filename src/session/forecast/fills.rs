//! Memory or a disk that fills while a cell runs.

use super::warning::{runs_out, Warning};
use crate::clue::Clue;
use crate::known::{coarse, Memory, Quantity};
use nbmedic_protocol::Limits;
use nbmedic_vitals::trend::{self, Forecast};

/// When a quantity will be full at its current rate.
pub(super) fn fills(memory: &Memory, what: Quantity) -> Option<Forecast> {
    let run = memory.running()?;
    let total = memory.samples.last()?.total(what)?;
    let second = |at: u64| at as f64 / 1000.0;
    let points: Vec<(f64, f64)> = memory
        .samples
        .iter()
        .filter(|s| memory.in_this_kernel(s.at) && s.total(what).is_some())
        .filter_map(|s| Some((second(s.at), s.used(what)?)))
        .collect();
    trend::forecast(&points, second(run.start), total)
}

/// Whether a forecast is worth a warning: soon and certain enough. The limits are twice as wide for
/// a warning that was already given.
fn is_worth_it(memory: &Memory, what: Quantity, f: &Forecast, limits: &Limits) -> bool {
    let (Some(run), Some(last)) = (memory.running(), memory.samples.last()) else {
        return false;
    };
    let warned = memory.warned.contains(&(what.warning(&run.cell), run.run));
    let slack = if warned { 2.0 } else { 1.0 };
    let minutes = match what {
        Quantity::Disk => limits.disk,
        Quantity::Ram | Quantity::Gpu => limits.memory,
    };
    let limit = f64::from(minutes) * 60.0;
    let full = last.used(what).zip(last.total(what));
    let share = full.map_or(0.0, |(used, total)| used / total);
    minutes > 0
        && f.likely <= limit * slack
        && f.late <= f.likely * 4.0 * slack
        && share * slack >= f64::from(limits.full) / 100.0
}

/// The forecasts that are worth a warning.
fn worthy<'a>(
    memory: &'a Memory,
    limits: &'a Limits,
) -> impl Iterator<Item = (Quantity, Forecast)> + 'a {
    Quantity::ALL.into_iter().filter_map(move |what| {
        let f = fills(memory, what)?;
        is_worth_it(memory, what, &f, limits).then_some((what, f))
    })
}

/// The new warnings about the running cell, as the record keeps them.
pub(crate) fn given(memory: &Memory, limits: &Limits) -> Vec<(String, u32)> {
    let Some(run) = memory.running() else {
        return Vec::new();
    };
    let warnings = worthy(memory, limits).map(|(what, _)| (what.warning(&run.cell), run.run));
    warnings.filter(|w| !memory.warned.contains(w)).collect()
}

/// The warning that a quantity fills while a cell runs: the one that is full first.
pub(super) fn filling(memory: &Memory, id: &str, limits: &Limits) -> Option<Warning> {
    if memory.running()?.cell != id {
        return None;
    }
    let sooner = |a: (Quantity, Forecast), b: (Quantity, Forecast)| match b.1.likely < a.1.likely {
        true => b,
        false => a,
    };
    let (what, f) = worthy(memory, limits).reduce(sooner)?;
    let mut w = Warning::new(runs_out(what), "filling", 0.7)?;
    let last = memory.samples.last()?;
    w.text("eta", coarse(f.likely));
    w.bytes("used_bytes", last.used(what)?);
    w.bytes("total_bytes", last.total(what)?);
    w.known.push(Clue::Fills {
        what,
        soon: f.soon,
        late: f.late,
    });
    Some(w)
}
