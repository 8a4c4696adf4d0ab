//! Arrays that can't fit, found in the code before they are made.

use super::warning::{runs_out, Warning};
use crate::clue::Clue;
use crate::known::{Asker, Cell, Notebook, Quantity};
use nbmedic_ask::{may_make_arrays, Allocation, Device, LARGEST_GPU};

/// The warning that a cell is about to make an array that can't fit.
pub(super) fn planned(nb: &Notebook, cell: &Cell, asker: &Asker) -> Option<Warning> {
    let (a, what, limit) = too_large(nb, cell, asker)?;
    let mut w = Warning::new(runs_out(what), "planned", 0.95)?;
    w.bytes("requested_bytes", a.bytes);
    w.text("dtype", a.dtype.clone());
    w.text("shape_text", a.shape_text());
    // If the GPU is not known, the largest one available is assumed.
    let known = nb
        .memory
        .samples
        .last()
        .and_then(|s| s.total(what))
        .map(|_| limit);
    if let Some(limit) = known {
        w.bytes("total_bytes", limit);
    }
    w.diagnosis.location.line = Some(a.line);
    w.known = vec![
        Clue::MakesArray {
            line: a.line,
            shape: a.shape_text(),
            dtype: a.dtype,
            bytes: a.bytes,
        },
        Clue::Capacity(what, known),
    ];
    Some(w)
}

/// The array of a cell that can't fit, the quantity that it exceeds, and that quantity's limit.
fn too_large(nb: &Notebook, cell: &Cell, asker: &Asker) -> Option<(Allocation, Quantity, f64)> {
    // Most cells make no array, so the other cells' sources are not read.
    if !may_make_arrays(&cell.source) {
        return None;
    }
    let last = nb.memory.samples.last();
    let total = |what| last.and_then(|s| s.total(what));
    let (ram, gpu) = (total(Quantity::Ram), total(Quantity::Gpu));
    let all = asker.arrays(cell, &nb.ran_here(""));
    all.into_iter().find_map(|a| {
        let (what, limit) = match a.device {
            Device::Host => (Quantity::Ram, ram?),
            Device::Gpu => (Quantity::Gpu, gpu.unwrap_or(LARGEST_GPU)),
            Device::Unknown if a.bytes <= gpu.unwrap_or(LARGEST_GPU) => return None,
            Device::Unknown => (Quantity::Ram, ram?),
            // TensorFlow and JAX use the GPU if there is one: the array must exceed both.
            Device::Default => match gpu {
                Some(gpu) if gpu > ram.unwrap_or(0.0) => (Quantity::Gpu, gpu),
                _ => (Quantity::Ram, ram?),
            },
        };
        (a.bytes > limit).then_some((a, what, limit))
    })
}
