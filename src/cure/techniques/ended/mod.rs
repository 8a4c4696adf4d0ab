//! What a cell asks for when main memory ran out: nobody raised an exception that names the line, so the statements of the
//! cell that ran are looked at, for what is known to take much.
//!
//! A kernel that was killed leaves its cell only ([`cures`]). A `MemoryError` has a line ([`offer`]).

mod arrays;
mod loops;
mod models;
mod tables;
#[cfg(test)]
mod tests;

use super::shapes::memory::bytes;
use crate::case::Case;
use nbmedic_facts::{Cure, Ended};
use nbmedic_python::ast::Stmt;
use nbmedic_python::{each_stmt, Cell};

/// What is looked at.
struct Scene<'c> {
    case: &'c Case<'c>,
    /// The index of the cell in the book.
    cell: usize,
    python: &'c Cell,
    /// The statements that may have asked for the memory: that of the traceback's line, or all of the cell.
    stmts: Vec<&'c Stmt>,
    /// The statement is known.
    exact: bool,
    /// Main memory, in bytes, if the page showed it.
    ended: Ended,
}

impl Scene<'_> {
    /// Most that can have been there, in bytes.
    fn room(&self) -> Option<i64> {
        i64::try_from(self.ended.total?).ok()
    }

    /// What was there, for people; empty if it is not known.
    fn of_room(&self) -> String {
        self.room()
            .map_or(String::new(), |n| format!(", of {} in all", bytes(n)))
    }
}

/// The cures of a `MemoryError`.
pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let full = case.class().ends_with("MemoryError")
        || text.contains("DefaultCPUAllocator")
        || text.contains("std::bad_alloc");
    let Some((cell, python, stmt)) = case.here().filter(|_| full) else {
        return;
    };
    // What failed is the line: a loop around it may be the cause.
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

/// The cures of a kernel that ended while the case's cell ran. If main memory is known to have run out, also what is only
/// likely to take much.
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
