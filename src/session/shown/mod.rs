//! What there is to show: findings, an overview of each notebook, and its history.
//!
//! Everything here is derived from what is known and concluded; nothing is changed.

mod cures;
mod finding;
mod history;
mod overview;
mod related;
mod secrets;
mod solved;

pub(crate) use cures::sources;
pub(crate) use finding::{code_of, found_at, Findings};
pub use finding::{Finding, Now, Place};
pub(crate) use history::{histories, pasts};
pub use history::{Happening, History, Past, What};
pub(crate) use overview::overview;
pub use overview::Overview;
pub(crate) use secrets::learn;
pub use solved::Solved;
