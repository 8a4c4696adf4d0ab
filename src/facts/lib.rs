//! What is known of a failure: typed facts, predicates over them, diagnoses.
//!
//! The ground floor. It uses no other room.

mod cell;
mod diagnosis;
pub mod expr;
pub mod number;
mod size;
mod value;

pub use cell::CellName;
pub use diagnosis::{Diagnosis, Evidence, Location};
pub use size::{amount, bytes};
pub use value::{holds, kind_of, operand, read, Facts, Kind, Value};
