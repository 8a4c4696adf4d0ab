//! nbmedic's catalogue: one Markdown file per diagnosis.
//!
//! [`model`], [`json`], [`number`] and [`expr`] are shared with the engine. The compiler (feature `compile`, used by the
//! engine's build script and the packaging) reads the files, rejects incomplete ones, and writes
//! the matcher tables and the prose files. `src/catalog/README.md` describes the format.

pub mod expr;
pub mod json;
pub mod model;
pub mod number;
pub mod packed;

#[cfg(feature = "compile")]
mod emit;
#[cfg(feature = "compile")]
mod markdown;
#[cfg(feature = "compile")]
mod source;

#[cfg(feature = "compile")]
pub use emit::{prose_json, tables};
#[cfg(feature = "compile")]
pub use source::{load, Example, Front, MatchSpec, RuleFile};
