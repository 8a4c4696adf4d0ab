//! What the values of a notebook are.
//!
//! [`Model::of`] says what is known of an expression where it stands: its kind, the type of its elements, its sizes by axis,
//! a table's columns. It rests on the sources, followed back through names, and on rows of data (`rows/*.txt`, described in
//! `README.md`), each of which says what one call of a library gives. `./build.sh values` compares them with the libraries.
//!
//! It computes what it is asked for and no more, in a bounded number of steps, and says what it does not know. Where a name
//! was set, and what a dotted name stands for, a [`Scope`] says.

mod apply;
mod bind;
mod columns;
mod dtypes;
mod eval;
mod operate;
mod parts;
mod row;
mod rows;
mod since;
#[cfg(test)]
mod tests;
mod value;
mod which;

pub use eval::{Made, Model, Scope};
pub use row::{Dim, Gives, One, Param, Row, Term, When};
pub use rows::check;
pub use since::Since;
pub use value::{width, Constant, Place, Size, Value};
