//! One page: its session, the cards that it shows, and what has to be done when they change.
//!
//! It uses session and view: it draws what the session finds and compares it with what the page
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
