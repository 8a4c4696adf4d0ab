//! Code edits based on the syntax tree and the tokens.
//!
//! [`Editor`] creates changes to one cell: call arguments (`arguments`), whole lines and imports (`lines`), and
//! expressions. [`Code`] is an expression that isn't in the cell yet. It knows its precedence, so it is parenthesized
//! where it becomes part of another expression. Techniques decide what to change; this module handles commas,
//! parentheses, comments and indentation.

mod arguments;
mod editor;
mod expression;
mod lines;
#[cfg(test)]
mod tests;

pub use arguments::argument;
pub use editor::Editor;
pub use expression::{binds_tightly, Code};
