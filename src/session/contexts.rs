//! CUDA contexts that died: every later call in the same kernel fails because of the first one.

use super::notebook::{is_device_fault, is_sticky, Notebook};
use crate::triage::Diagnosis;
use nbmedic_protocol::CellState;
use nbmedic_protocol::Context;

/// Notes which cell killed the context and which ones failed because of it.
pub(crate) fn note(nb: &mut Notebook) {
    for id in nb.in_order() {
        let Some(cell) = nb.cells.get(&id) else {
            continue;
        };
        let run = cell.run();
        // What was printed before the sensor came may be of another kernel.
        let known = |(c, r): &(String, u32)| *c == id && *r == run;
        let settled = cell.dirty && cell.state != CellState::Running;
        if !settled || run == 0 || nb.memory.faults.iter().any(known) {
            continue;
        }
        let Some(best) = cell.shown().next().filter(|d| is_device_fault(d.id)) else {
            continue;
        };
        let (count, label, sticky) = (cell.count, cell.label(), is_sticky(best));
        let best = best.id;
        nb.memory.faults.push((id.clone(), run));
        let open = nb.memory.contexts.iter_mut().rev().find(|c| c.open);
        let later = |c: &Context| match (c.count, count) {
            (Some(then), Some(now)) => now > then,
            _ => true,
        };
        match open {
            Some(context) if later(context) => context.members.push((id, run)),
            // A lower count: the kernel was restarted and nobody said so.
            _ if sticky => {
                nb.memory.restarted();
                nb.memory.contexts.push(Context {
                    id: best.to_owned(),
                    cell: id,
                    run,
                    count,
                    label,
                    open: true,
                    members: Vec::new(),
                });
            }
            _ => {}
        }
        nb.memory.bound();
    }
}

/// The cell whose error a cell's error is a consequence of: its id and what people call it.
pub(crate) fn cause(nb: &Notebook, id: &str, d: &Diagnosis) -> Option<(String, String)> {
    if !is_device_fault(d.id) {
        return None;
    }
    let cell = nb.cells.get(id)?;
    let run = cell.run();
    if run > 0 {
        let (context, own) = nb.memory.context(id, run)?;
        return (!own).then(|| (context.cell.clone(), context.label.clone()));
    }
    // Saved outputs: the counts tell the order.
    let count = cell.count?;
    nb.cells
        .iter()
        .filter(|(_, c)| !c.gone && c.run() == 0)
        .filter_map(|(id, c)| Some((c.count.filter(|n| *n < count)?, id, c)))
        .filter(|(_, _, c)| c.shown().next().is_some_and(is_sticky))
        .min_by_key(|(n, _, _)| *n)
        .map(|(_, id, c)| (id.clone(), c.label()))
}
