//! The types of the catalogue: how a diagnosis is recognised, and what is said about it.
//!
//! The catalogue's compiler writes them, the engine reads them.

mod known;
pub mod packed;
mod prose;
mod renamed;
mod rule;

pub use known::{Condition, Ends, Related};
pub use prose::{Applicability, Block, Fix, Inline, Prose, Variant};
pub use renamed::{NameKind, Renamed};
pub use rule::{FactPattern, Match, Rule, RuleVariant, Scope};
