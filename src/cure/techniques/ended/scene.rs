//! The code to examine.

use super::super::shapes::memory::bytes;
use crate::case::Case;
use nbmedic_facts::Ended;
use nbmedic_python::ast::Stmt;
use nbmedic_python::Cell;

/// The code that may have requested the memory.
pub(super) struct Scene<'c> {
    pub(super) case: &'c Case<'c>,
    /// Index of the cell in the notebook.
    pub(super) cell: usize,
    pub(super) python: &'c Cell,
    /// The statements that may have requested the memory: the one on the traceback's line, or all
    /// in the cell.
    pub(super) stmts: Vec<&'c Stmt>,
    /// Whether the statement is known.
    pub(super) exact: bool,
    /// Main memory, in bytes, if the page showed it.
    pub(super) ended: Ended,
}

impl Scene<'_> {
    /// Upper limit of the available memory, in bytes.
    pub(super) fn room(&self) -> Option<i64> {
        i64::try_from(self.ended.total?).ok()
    }

    /// The available memory as prose. Empty if unknown.
    pub(super) fn of_room(&self) -> String {
        self.room()
            .map_or(String::new(), |n| format!(", of {} in all", bytes(n)))
    }
}
