//! Determines what a cell does from its source, without running it.
//!
//! This is not a Python parser. It reads statements at the cell's top level whose meaning is plain,
//! and skips the rest.

mod install;
mod lines;
mod names;
mod sizes;

pub use install::{loads, replaced, Installer};
pub use names::{defines, ends_kernel, imports, installer, saves, words};
pub use sizes::{allocations, learn_all, makes_arrays, Allocation, Device, Sizes, LARGEST_GPU};
