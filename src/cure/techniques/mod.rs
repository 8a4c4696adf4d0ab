//! The techniques, one module each. To add one, write a module with a function of this form and add a line here.

mod data;
mod defaults;
mod dropped;
mod dropped_otherwise;
#[cfg(test)]
mod dropped_tests;
pub(crate) mod ended;
mod environments;
mod first_tensorflow;
mod foreign_columns;
mod gathered;
mod history;
mod holders;
mod install;
mod joined_texts;
mod libraries;
mod literals;
mod loop_takes;
mod lost_column;
mod lost_paths;
mod missing_import;
mod misspelt_key;
mod misspelt_name;
mod name_scope;
mod name_taken;
mod nets;
mod not_callable;
mod nothing;
mod operands;
mod other_module;
mod own_calls;
mod own_files;
mod own_modules;
mod plain;
mod positions;
mod proposed;
mod ran_signs;
mod ran_twice;
mod removals;
mod renamed;
#[cfg(test)]
mod renamed_tests;
pub(crate) mod resolve;
mod returned;
mod run_cell;
mod seen;
mod set_otherwise;
mod shapes;
mod skipped;
mod slips;
mod stale;
mod starred;
mod started;
mod swapped;
mod syntax;
mod technique;
mod their_code;
mod too_many;
mod uncalled;
mod unequal;
mod unmade_column;
mod unset_name;
mod used_up;
pub(crate) mod wide;
mod wrong_kind;

pub(crate) use libraries::{accepts, is_of_a_table};

use crate::messages;
pub(crate) use technique::Technique;
use technique::{alone, book, text, To};

/// All techniques. Between equally certain cures, those of the earlier technique come first. A
/// technique that speaks only if others are silent has a higher rank, and states what it yields to.
#[rustfmt::skip] // one per line
pub(crate) const ALL: &[Technique] = &[
    alone(data::split_order::offer),
    alone(data::mapped::offer),
    alone(data::gaps::offer),
    alone(ran_twice::offer),
    text(swapped::offer),
    text(gathered::offer),
    book(loop_takes::offer),
    book(defaults::offer),
    book(stale::offer),
    book(skipped::offer),
    book(joined_texts::offer),
    book(returned::offer),
    book(seen::offer),
    book(holders::offer),
    book(run_cell::offer),
    text(missing_import::offer),
    book(name_scope::offer),
    book(set_otherwise::offer),
    book(misspelt_name::offer),
    text(literals::offer),
    book(name_taken::offer),
    text(renamed::offer),
    text(data::offer),
    book(slips::offer),
    book(history::offer),
    book(used_up::offer),
    book(lost_column::offer),
    book(dropped::offer),
    book(unequal::offer),
    book(misspelt_key::offer),
    text(shapes::offer),
    book(ended::offer),
    text(uncalled::offer),
    text(nets::offer),
    text(nothing::offer),
    text(not_callable::offer),
    text(syntax::offer),
    text(wrong_kind::offer),
    text(positions::offer),
    text(operands::offer),
    text(own_calls::offer),
    book(own_files::offer),
    book(own_modules::offer),
    book(lost_paths::offer).behind(1, To::Any),
    text(plain::offer),
    text(too_many::offer).behind(1, To::Ids(&["extra-argument", "text-or-stream", "by-keyword"])),
    book(literals::set).behind(2, To::Edit),
    text(messages::setup).behind(3, To::Doubt),
    text(install::offer).behind(3, To::Nothing),
    text(libraries::said).behind(3, To::Nothing),
    text(libraries::offer).behind(4, To::Any),
    text(libraries::module).behind(4, To::Edit),
    text(other_module::by_convention).behind(5, To::Nothing),
    text(other_module::beside).behind(5, To::Any),
    text(other_module::module).behind(5, To::Edit),
    book(foreign_columns::offer),
    book(unmade_column::offer).behind(6, To::Any),
    book(started::offer).behind(7, To::Any),
    book(unset_name::offer).behind(8, To::Any),
    book(stale::perhaps).behind(8, To::Any),
    book(ran_twice::perhaps).behind(9, To::Any),
    book(slips::say).behind(9, To::Any),
    book(lost_column::say).behind(9, To::Any),
    book(unequal::say).behind(9, To::Any),
    text(proposed::install).behind(10, To::Install),
    text(proposed::set).behind(10, To::Nothing),
    text(proposed::offer).behind(10, To::Any),
    book(seen::say).behind(11, To::Nothing),
    text(their_code::packages).behind(12, To::Any),
    text(messages::code).behind(13, To::Any),
    text(libraries::pinned).behind(14, To::Edit),
    text(their_code::calls).behind(15, To::Any),
    book(wide::offer).behind(16, To::Nothing),
];
