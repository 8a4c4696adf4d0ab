//! Determines what a cell does from its source, without running it.
//!
//! [`Reading`] is one reading of a cell: its syntax tree, and what is plain in it.

mod does;
mod names;
mod plain;
mod reading;
mod sizes;

pub use reading::Reading;
pub use sizes::Sizes;
