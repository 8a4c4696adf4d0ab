//! The flight record of a notebook's kernel.
//!
//! The probe is a small program next to the kernel that records what the machine and its GPUs do
//! and how the kernel died ([FORMAT.md](../FORMAT.md)). This crate is its logic: it parses the
//! system's files and the lines of the record, and makes the verdict. It does no I/O and needs an
//! allocator only to read a whole record (`record`), so the same code runs in the probe's program,
//! in the extension's engine and on the command line. All input is untrusted: work is linear in its
//! length, memory is bounded, and nothing panics.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "record")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bytes;
pub mod cgroup;
#[cfg(feature = "record")]
mod json;
pub mod kmsg;
pub mod line;
pub mod nvml;
#[cfg(feature = "record")]
mod parts;
pub mod procfs;
#[cfg(feature = "record")]
mod record;
pub mod verdict;
pub mod wait;
pub mod xid;

#[cfg(feature = "record")]
pub use parts::{Cell, End, Gpu, GpuUse, Pressure, Sample, Space, Start, Use, Xid};
#[cfg(feature = "record")]
pub use record::Record;
pub use verdict::{verdict, Cause, Certainty, Evidence, Facts, Verdict};
