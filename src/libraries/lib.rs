//! The public names and parameters of the libraries that notebooks import most, release by release.
//!
//! `tools/signatures` reads them off the libraries themselves and packs one table for each, in
//! `tables/` (README.md there describes the format). A table answers what a misspelt name was meant
//! to be, which release removed a name and where it is now, and what became of an argument.

mod ask;
mod distributions;
mod lookup;
mod near;
mod params;
mod releases;
mod table;
#[cfg(test)]
mod tests;

pub use ask::RenamedParam;
pub use distributions::{distribution, listed};
pub use lookup::{Gone, Name};
pub use near::nearest;
pub use params::{Param, ParamKind};
pub use releases::{Release, Releases};
pub use table::{Kind, Table};

// NAMES, IMPORTS and TEXTS: what build.rs found in `tables/`.
include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The libraries that have a table, in order. `<name>.txt` is its file.
pub fn names() -> &'static [&'static str] {
    NAMES
}

/// The library that a module belongs to: `sklearn.cluster` is in `scikit-learn`.
pub fn library_of_module(module: &str) -> Option<&'static str> {
    let inside = |import: &str| {
        let rest = module.strip_prefix(import);
        rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    let found = IMPORTS.iter().filter(|(import, _)| inside(import));
    found
        .max_by_key(|(import, _)| import.len())
        .map(|(_, library)| *library)
}

/// The text of a library's table; none if this build has not got it.
pub fn text(library: &str) -> Option<&'static str> {
    let at = NAMES.binary_search(&library).ok()?;
    TEXTS.get(at).copied().flatten()
}
