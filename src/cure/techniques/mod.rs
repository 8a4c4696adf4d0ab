//! The techniques, one module each. Adding one: a module with a function of this form, and a line here.

mod data;
mod dropped;
mod first_tensorflow;
mod history;
mod holders;
mod install;
mod libraries;
mod lost_paths;
mod missing_import;
mod misspelt_key;
mod misspelt_name;
mod name_scope;
mod nets;
mod not_callable;
mod nothing;
mod operands;
mod own_calls;
mod own_files;
mod own_modules;
mod plain;
mod positions;
mod proposed;
mod renamed;
#[cfg(test)]
mod renamed_tests;
mod run_cell;
mod said;
mod seen;
mod shapes;
mod syntax;
mod unmade_column;
mod unset_name;
mod wrong_kind;

use crate::case::Case;
use crate::remedies;
use nbmedic_facts::Cure;

/// Adds its cures for a case; nothing, if it has none.
pub(crate) type Technique = fn(&Case<'_>, &mut Vec<Cure>);

/// All techniques. Of cures that are equally sure, those of the earlier technique come first.
#[rustfmt::skip] // one per line
pub(crate) const ALL: &[Technique] = &[
    seen::offer,
    holders::offer,
    run_cell::offer,
    missing_import::offer,
    name_scope::offer,
    misspelt_name::offer,
    renamed::offer,
    data::offer,
    history::offer,
    dropped::offer,
    misspelt_key::offer,
    shapes::offer,
    nets::offer,
    nothing::offer,
    not_callable::offer,
    syntax::offer,
    wrong_kind::offer,
    positions::offer,
    operands::offer,
    own_calls::offer,
    own_files::offer,
    own_modules::offer,
    lost_paths::offer,
    plain::offer,
    remedies::offer,
    install::offer,
    libraries::offer,
    unmade_column::offer,
    unset_name::offer,
    proposed::offer,
    said::offer,
];

/// Those for a text without a notebook around it: they need the failing lines or the message alone, and conclude
/// nothing from what is not there.
#[rustfmt::skip] // one per line
pub(crate) const OF_TEXT: &[Technique] = &[
    remedies::offer,
    missing_import::offer,
    renamed::offer,
    data::offer,
    shapes::offer,
    nets::offer,
    nothing::offer,
    not_callable::offer,
    syntax::offer,
    wrong_kind::offer,
    positions::offer,
    operands::offer,
    own_calls::offer,
    plain::offer,
    install::offer,
    libraries::offer,
    proposed::offer,
    said::offer,
];
