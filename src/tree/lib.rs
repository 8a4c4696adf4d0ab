//! The tree of nodes that every screen is made of, and what pages draw beside it: curves of a
//! session, what failed in nbmedic itself, the address of a prefilled issue.
//!
//! Pages link this room and not the engine.

mod cell;
pub mod chart;
mod html;
mod issue;
mod node;
#[cfg(test)]
mod tests;
mod trouble;

pub use cell::cell_name;
pub use html::{allowed, escape, html, name as tag_name};
pub use issue::{is_repository, issue_address, MAX_ADDRESS};
pub use node::{Action, Node, Tag};
pub use trouble::{self_report, trouble, Health, Trouble, Usage};
