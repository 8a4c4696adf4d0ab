//! What can be read off a cell's source without running it.
//!
//! Not a Python parser: a reader of statements that stand at the cell's own level and say plainly
//! what they do. What it can't read it says nothing about.

mod install;
mod lines;
mod names;
mod sizes;

pub use install::{loads, replaced, Installer};
pub use names::{defines, ends_kernel, imports, installer, saves, words};
pub use sizes::{allocations, learn_all, makes_arrays, Allocation, Device, Sizes, LARGEST_GPU};
