//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod node;

pub use node::{Action, Node, Tag};
