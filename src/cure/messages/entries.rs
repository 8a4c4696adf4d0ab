//! The entries and the tables of names, as the catalogue's compiler packed them.

use nbmedic_libraries::{distribution, listed};
use nbmedic_rule::{unpack, Remedy};
use std::sync::LazyLock;

mod packed {
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

/// Setup entries matched against the exceptions, or against the output if there are none.
pub(super) static EXCEPTIONS: LazyLock<Vec<Remedy<'static>>> =
    LazyLock::new(|| unpack(packed::EXCEPTIONS));

/// Setup entries matched against the output around the failure.
pub(super) static OUTPUT: LazyLock<Vec<Remedy<'static>>> = LazyLock::new(|| unpack(packed::OUTPUT));

/// Entries that say what to write instead, matched against one exception's message.
pub(super) static CODE: LazyLock<Vec<Remedy<'static>>> = LazyLock::new(|| unpack(packed::CODE));

/// What a table has for a word. A word of a table that ends with `*` stands for all that begin like it. Two tables are
/// those of distributions: `modules` has a module's, `packages` also that of its own name.
pub(super) fn look_up(table: &str, word: &str) -> Option<&'static str> {
    let named = |package: &'static str| package.split(['<', '=']).next();
    match table {
        "modules" => return distribution(word).and_then(|(package, _)| named(package)),
        "packages" => return listed(word).and_then(named),
        _ => {}
    }
    let (_, rows) = packed::TABLES.iter().find(|(name, _)| *name == table)?;
    let row = rows.iter().find(|(key, _)| match key.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => *key == word,
    });
    row.map(|(_, value)| *value)
}
