//! The types of the catalogue: how a diagnosis is recognised, and what is said about it.
//!
//! The catalogue's compiler writes them, the engine reads them.

pub mod packed;
mod prose;
mod rule;

pub use prose::{Applicability, Block, Fix, Inline, Prose, Variant};
pub use rule::{FactPattern, Match, Rule, Scope};
