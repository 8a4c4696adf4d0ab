//! The compiler of the catalogue (one Markdown file per diagnosis), of the families of wordings, and of what messages say to do.
//!
//! It reads the files, rejects incomplete ones, and writes the matcher tables and the prose files.
//! The build script of `src/catalog` and the packaging call it. `src/catalog/README.md` describes
//! the format.

mod emit;
mod entries;
mod families;
mod format;
mod markdown;
mod pattern;
mod remedies;
mod renamed;
mod source;
mod spec;
mod toml_file;
mod translated;

pub use emit::{prose_json, tables};
pub use entries::check_wording;
pub use families::{Families, Family};
pub use format::format;
use nbmedic_facts::expr;
use nbmedic_rule as model;
pub use remedies::{remedies, Group};
pub use renamed::{Entry, Library, Tables};
pub use source::{formatted, load, load_renamed, load_translations};
pub use spec::{Example, Front, MatchSpec, RuleFile};
pub use translated::Translations;
