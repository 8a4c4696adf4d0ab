//! Turns terminal output into clean lines.
//!
//! A notebook's output is what a terminal would have received: colours, progress bars that redraw
//! themselves, links. [`Document::from_terminal`] gives the lines a person would read at the end,
//! in bounded memory, and maps every byte of them back to the raw text.
//!
//! Supported (ECMA-48 names): SGR and every other CSI sequence, OSC, DCS, PM, APC and SOS strings,
//! two-character escapes, carriage return (the text after it overwrites in place and the rest of a
//! longer line stays, as on a terminal), backspace, cursor up, down, forward, back and column (`CSI
//! A B C D E F G`, at most [`REACH`] rows up), erase in line and below (`CSI K`, `CSI J`). A cursor
//! position (`CSI H`), a cleared screen, a form feed or a vertical tab starts a new line, and
//! nothing printed before is lost. Other control characters are dropped; tabs and the spaces U+00A0
//! and U+202F stay as they are. Every character counts as one column.

mod cleaner;
mod document;
mod limits;
mod mapped;
mod remake;
mod screen;
mod sieve;
pub mod steps;
mod values;

pub use cleaner::Cleaner;
pub use document::Document;
pub use limits::{Limits, REACH};
pub use remake::Remake;
pub use sieve::Sieve;
pub use values::{said_values, values, without_values};
