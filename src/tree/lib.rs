//! The tree of nodes that every screen is made of, and what pages draw besides: charts of a
//! session, nbmedic's own failures, links to prefilled issues.
//!
//! The pages link this room without the engine.

mod cell;
pub mod chart;
mod html;
mod issue;
mod node;
pub mod panel;
#[cfg(test)]
mod tests;
mod trouble;

pub use cell::cell_name;
pub use html::{allowed, escape, html, html_styled, name as tag_name};
pub use issue::{is_repository, issue_address, MAX_ADDRESS};
pub use node::{Action, Node, Tag};
pub use trouble::{self_report, trouble, Health, Trouble, Usage};
