//! Counts the work on a text in steps: bytes that something looked at. Unlike a clock, the count is the same on every
//! machine, so it can end what would take too long, and tests can hold it to limits.

use std::cell::Cell;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts so many bytes that were looked at.
#[inline]
pub fn took(bytes: usize) {
    TAKEN.with(|t| t.set(t.get().wrapping_add(bytes as u64)));
}

/// All steps so far, of this thread: the difference of two calls is the work between them.
pub fn taken() -> u64 {
    TAKEN.with(Cell::get)
}
