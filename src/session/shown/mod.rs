//! What there is to show: findings, what is seen of each notebook, what happened and when.
//!
//! Everything here is worked out from what is known and concluded; nothing is changed.

mod finding;
mod history;
mod overview;
mod related;

pub use finding::{Finding, Place};
pub use history::{Happening, History, Past, RunName, What};
pub use overview::Overview;
