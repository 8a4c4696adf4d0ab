//! CUDA contexts that died: every later call in the same kernel fails because of the first one.

use crate::known::{breaks_context, is_device_fault, Cell, Memory};
use litemap::LiteMap;
use nbmedic_protocol::{CellState, Context};

/// Records which of some changed cells killed a context and which ones failed because of it.
pub(crate) fn record_contexts(
    memory: &mut Memory,
    cells: &LiteMap<String, Cell>,
    changed: &[String],
) {
    for id in changed {
        let Some(cell) = cells.get(id) else {
            continue;
        };
        let run = cell.run();
        let known = |(c, r): &(String, u32)| c == id && *r == run;
        // Without a run, it was printed before the sensor started, maybe by another kernel.
        let settled = run > 0 && cell.state != CellState::Running;
        if !settled || memory.faults.iter().any(known) {
            continue;
        }
        let Some(best) = cell.shown().next().filter(|d| is_device_fault(d)) else {
            continue;
        };
        memory.faults.push((id.clone(), run));
        let later = |c: &Context| match (c.count, cell.count) {
            (Some(then), Some(now)) => now > then,
            _ => true,
        };
        match memory.contexts.iter_mut().rev().find(|c| c.open) {
            Some(context) if later(context) => context.members.push((id.clone(), run)),
            // A lower count: the kernel was restarted and nothing reported it.
            _ if breaks_context(best) => {
                memory.close_contexts();
                memory.contexts.push(Context {
                    id: best.id.to_owned(),
                    cell: id.clone(),
                    run,
                    count: cell.count,
                    label: cell.label().to_string(),
                    open: true,
                    members: Vec::new(),
                });
            }
            _ => {}
        }
        memory.bound();
    }
}
