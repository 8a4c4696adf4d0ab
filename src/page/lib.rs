//! One page: its session, the cards that it shows, and the effects of their changes.
//!
//! It uses session and view: it draws the session's findings and compares them with what the page
//! shows.

mod cards;
mod check;
mod panel;
mod replay;
mod status;

pub use cards::Page;
pub use replay::{replay, Card};

#[cfg(test)]
mod tests;
