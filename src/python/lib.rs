//! A cell's Python as a syntax tree, with positions and the names that it sets and uses.
//!
//! [`Cell::read`] takes a cell as a person wrote it: magics, shell lines and `?` included. Ruff's parser goes
//! on after an error, so a cell with one broken line still gives the rest. Texts that would cost too much
//! (too long, nested too deeply) are refused before they reach the parser: it is recursive.

mod cell;
mod guard;
mod names;
#[cfg(test)]
mod names_tests;
mod walk;

pub use cell::{Broken, Cell, Place};
pub use names::{BindKind, Binding, Names, Use};
pub use walk::{
    calls, each_below, each_expr, each_stmt, keyword, name_of, positional, statement_at,
};

pub use ruff_python_ast as ast;
pub use ruff_text_size::{Ranged, TextRange, TextSize};
