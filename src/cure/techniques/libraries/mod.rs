//! Cures from the libraries' API tables: names that were removed, moved or misspelled, and parameters.
//!
//! The installed release is rarely known. If it isn't, the newest one in the table counts; a name that this has but
//! the error reports missing came with a release newer than the installed one.

mod imports;
mod library;
mod members;
mod names;
mod parameters;
mod pins;
#[cfg(test)]
mod tests;

pub(super) use imports::misspelt;
pub(crate) use parameters::accepts;
pub(super) use parameters::{
    accepted, at_position, changed, free_for, next_free, of_namesakes, positional_names, untaken,
};

use crate::case::Case;
use nbmedic_facts::{Cure, FixKind};

/// Whether a member read from a module is one of `DataFrame` that the module lacks, so that a
/// variable with that name was meant.
pub(crate) fn is_of_a_table(case: &Case<'_>, module: &str, member: &str) -> bool {
    let table = |module: &str, path: &str| {
        let library = library::library(case, module)?;
        Some(library.table.find(path).is_some())
    };
    table("pandas", &format!("pandas.DataFrame.{member}")) == Some(true)
        && table(module, &format!("{module}.{member}")) == Some(false)
}

/// Whether a library's table lists a member of a module.
pub(super) fn has_member(case: &Case<'_>, module: &str, member: &str) -> bool {
    let path = format!("{module}.{member}");
    library::library(case, module).is_some_and(|l| l.table.find(&path).is_some())
}

/// Whether a module belongs to a library that has a table.
pub(crate) fn has_table(case: &Case<'_>, module: &str) -> bool {
    library::library(case, module).is_some()
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(match case.class() {
        "AttributeError" => names::offer(case).or_else(|| members::offer(case)),
        "ImportError" => imports::name(case),
        "NameError" => imports::unknown_name(case),
        _ => None,
    });
}

/// A replacement that the message itself suggests for a removed name.
pub(crate) fn said(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "AttributeError" {
        out.extend(names::as_said(case));
    }
}

/// The release before the one that removed something.
pub(crate) fn pinned(case: &Case<'_>, out: &mut Vec<Cure>) {
    let better = |c: &Cure| matches!(c.kind, FixKind::Edit | FixKind::Install);
    if !out.iter().any(better) {
        out.extend(pins::pin(case));
    }
}

/// A submodule of a library.
pub(crate) fn module(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ModuleNotFoundError" {
        out.extend(imports::module(case));
    }
}
