//! The catalogue's types: how a diagnosis is recognised, and what is said about it.
//!
//! The compiler of the catalogue writes them and the engine reads them. Above facts and words.

mod known;
mod prose;
mod remedy;
mod renamed;
mod rule;
mod translated;
mod wording;

pub use known::{Condition, Ends, Related};
pub use nbmedic_facts::{Applicability, Conditions, Framework, Front, Owner, System, Work};
pub use prose::{Block, Fix, Inline, Prose, Variant};
pub use remedy::{unpack, LookUp, Packer, Pattern, Remedy};
pub use renamed::{NameKind, Renamed};
pub use rule::{FactPattern, Match, Rule, RuleVariant, Scope};
pub use translated::Translated;
pub use wording::{floor, Found, Hole, HoleKind, Piece, Wording};
