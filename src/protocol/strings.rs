//! The strings of an event, each with its bound.

/// Longest text of a notice or a resource widget, in bytes.
pub const MAX_NOTICE: usize = 4 << 10;
/// Longest id or name, in bytes.
pub const MAX_NAME: usize = 256;

/// A string of an event.
pub(super) enum Part<'a> {
    /// An id: at most so many bytes, stored as it is.
    Id(usize, &'a mut String),
    /// Text that may hold secrets or names of people: at most so many bytes, redacted before it is
    /// stored.
    Text(usize, &'a mut String),
}

pub(super) use Part::{Id, Text};

/// What is called with each string.
pub(super) type See<'a> = &'a mut dyn FnMut(Part<'_>);
