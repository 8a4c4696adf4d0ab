//! Typed facts about a failure, predicates over them, and the diagnosis that carries them.
//!
//! The ground floor of the engine: it uses no other room. Sizes are bytes, shapes are lists of
//! dimensions (-1: unknown), confidence is 0 to 1.

mod cell;
mod cure;
mod diagnosis;
mod ended;
pub mod expr;
pub mod number;
mod setting;
mod size;
mod valid;
mod value;

pub use cell::CellName;
pub use cure::{
    parts, Applicability, Basis, Cure, DiffLine, Edit, FixKind, Position, Tried, WHILE_IMPORTED,
};
pub use diagnosis::{Diagnosis, Evidence, Location, Occurrences, Spot};
pub use ended::Ended;
pub use setting::{Conditions, Fit, Framework, Front, Owner, Setting, System, Work};
pub use size::{amount, bytes};
pub use valid::fact;
pub use value::{holds, kind_of, operand, read, Facts, Kind, Value};
