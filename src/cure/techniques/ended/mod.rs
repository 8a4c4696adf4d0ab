//! Cures for out-of-memory deaths. No exception names a line, so every statement of the cell that ran is checked for what is
//! known to need much memory.
//!
//! A killed kernel only reveals the cell ([`cures`]). A `MemoryError` also has a line ([`offer`]).

mod arrays;
mod loops;
mod models;
mod scene;
mod tables;
#[cfg(test)]
mod tests;

use crate::case::Case;
use nbmedic_facts::{Cure, Ended};
use nbmedic_python::each_stmt;
use scene::Scene;

/// Adds the cures for a `MemoryError`.
pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let full = case.class().ends_with("MemoryError")
        || text.contains("DefaultCPUAllocator")
        || text.contains("std::bad_alloc");
    let Some((cell, python, stmt)) = case.here().filter(|_| full) else {
        return;
    };
    // The line failed, but an enclosing loop may be the cause.
    let scene = Scene {
        case,
        cell,
        python,
        stmts: vec![stmt],
        exact: true,
        ended: Ended::default(),
    };
    loops::offer(&scene, out);
    arrays::offer(&scene, out);
    tables::offer(&scene, out);
}

/// The cures for a kernel that died while the failing cell ran. If main memory is known to have run
/// out, these include code that only probably needs much memory.
pub(crate) fn cures(case: &Case<'_>, ended: Ended) -> Vec<Cure> {
    let mut out = Vec::new();
    let Some(python) = case.python(case.at).filter(|_| !case.failing().edited) else {
        return out;
    };
    let mut stmts = Vec::new();
    each_stmt(python.body(), &mut |s| stmts.push(s));
    let scene = Scene {
        case,
        cell: case.at,
        python,
        stmts,
        exact: false,
        ended,
    };
    loops::offer(&scene, &mut out);
    models::offer(&scene, &mut out);
    arrays::offer(&scene, &mut out);
    if ended.memory {
        tables::offer(&scene, &mut out);
    }
    out
}
