//! What is looked at.

use super::super::shapes::memory::bytes;
use crate::case::Case;
use nbmedic_facts::Ended;
use nbmedic_python::ast::Stmt;
use nbmedic_python::Cell;

/// The statements that may have asked for the memory.
pub(super) struct Scene<'c> {
    pub(super) case: &'c Case<'c>,
    /// The index of the cell in the book.
    pub(super) cell: usize,
    pub(super) python: &'c Cell,
    /// The statements that may have asked for the memory: that of the traceback's line, or all of the cell.
    pub(super) stmts: Vec<&'c Stmt>,
    /// The statement is known.
    pub(super) exact: bool,
    /// Main memory, in bytes, if the page showed it.
    pub(super) ended: Ended,
}

impl Scene<'_> {
    /// Most that can have been there, in bytes.
    pub(super) fn room(&self) -> Option<i64> {
        i64::try_from(self.ended.total?).ok()
    }

    /// What was there, for people; empty if it is not known.
    pub(super) fn of_room(&self) -> String {
        self.room()
            .map_or(String::new(), |n| format!(", of {} in all", bytes(n)))
    }
}
