//! A cell's name in words.

use nbmedic_facts::CellName;
use nbmedic_words::{self as words, Say};

/// What people call a cell, within a sentence.
pub fn cell_name(name: CellName) -> Say {
    match (name.position, name.count) {
        (Some(position), Some(count)) => words::cell_both(position, count),
        (Some(position), None) => words::cell_place(position),
        (None, Some(count)) => words::cell_count(count),
        (None, None) => words::a_cell(),
    }
}
