//! Text to ranked diagnoses.

mod facts;

pub use facts::{Facts, Kind, Value};
