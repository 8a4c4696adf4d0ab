//! Edits of code, by the tree and the tokens.
//!
//! [`Editor`] makes the changes of one cell: arguments of a call (`arguments`), whole lines and imports (`lines`), and
//! expressions. [`Code`] is an expression that does not stand in the cell yet: it knows how tightly it binds, so it gets
//! brackets where it becomes a part of another one. Techniques say what is to change; commas, brackets, comments and
//! indentation are found here.

mod arguments;
mod editor;
mod expression;
mod lines;
#[cfg(test)]
mod tests;

pub use arguments::argument;
pub use editor::Editor;
pub use expression::{binds_tightly, Code};
