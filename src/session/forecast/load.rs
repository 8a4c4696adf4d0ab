//! What slows a run down: processors or disks that are busy all the time, and a GPU that waits for
//! them. Only the probe sees that.

use crate::clue::Bottleneck;
use crate::known::{Load, Memory};

/// Minimum number of loads in the current run.
const LEAST: usize = 6;
/// The time that they must cover, in milliseconds.
const SPAN_MS: u64 = 25_000;
/// A processor or disk counts as always busy from this load, in percent.
const FULL: u32 = 90;
/// A GPU counts as waiting below this load, in percent.
const IDLE: u32 = 60;
/// Waiting for disks slows a run down from this share of the time, in percent.
const HELD_UP: u32 = 30;

/// The median of a figure; none if fewer than half of the loads have it.
fn median(loads: &[&Load], figure: fn(&Load) -> Option<u32>) -> Option<u32> {
    let mut known: Vec<u32> = loads.iter().filter_map(|l| figure(l)).collect();
    known.sort_unstable();
    let enough = known.len() * 2 >= loads.len();
    known.get(known.len() / 2).copied().filter(|_| enough)
}

/// What slows the current run down. None if nothing does, if the GPU itself is busy, or if nothing
/// is known.
pub(super) fn slows(memory: &Memory) -> Option<Bottleneck> {
    let start = memory.running()?.start;
    let loads: Vec<&Load> = memory.loads.iter().filter(|l| l.at >= start).collect();
    let span = loads.last()?.at.saturating_sub(loads.first()?.at);
    if loads.len() < LEAST || span < SPAN_MS {
        return None;
    }
    let gpu = median(&loads, |l| l.gpu);
    if gpu.is_some_and(|n| n >= IDLE) {
        return None;
    }
    let reaches = |n: Option<u32>, least: u32| n.filter(|n| *n >= least);
    if let Some(wait) = reaches(median(&loads, |l| l.wait), HELD_UP) {
        let busy = reaches(median(&loads, |l| l.disk), 1);
        return Some(Bottleneck::Disk { busy, wait, gpu });
    }
    if let Some(all) = reaches(median(&loads, |l| l.all), FULL) {
        return Some(Bottleneck::Processors { all, gpu });
    }
    // A single thread that prepares the data has no capacity left.
    let own = reaches(median(&loads, |l| l.own), FULL).filter(|_| gpu.is_some())?;
    Some(Bottleneck::OneProcessor { own, gpu })
}
