//! Finds the lines that can matter in one quick pass; the parser skips all others.

use super::classify;
use nbmedic_text::{Document, Sieve};
use std::sync::OnceLock;

/// Every line that is examined for its content contains one of these. [`opens`] has the beginnings
/// that make a line relevant by themselves.
pub const MARKS: &[&str] = &[
    // Headers, and the headings of other stacks.
    "most recent call",
    "Original stack trace for",
    // Connectors, and exceptions that are only reported.
    "above exception",
    "will not be enabled",
    // A frame, perhaps behind a prefix.
    "File \"",
    // Classes that are exceptions by their name.
    "Error",
    "Exception",
    "Interrupt",
    "SystemExit",
    "BadZip",
    "cv2.error",
    "zlib.error",
    "struct.error",
    "re.error",
    "BadGzip",
    "OutOfBounds",
    // Classes that are exceptions by their module.
    ".exc",
    "_state.",
    "._http.",
    // Words of Python's own exceptions, which tell their class.
    "has no attribute '",
    "cannot import name ",
    "No module named '",
    "' is not defined",
    "is not associated with a value",
    "referenced before assignment",
    "index out of range",
    "unsupported operand type(s)",
    "' object is not ",
    "' object does not ",
    "' object cannot ",
    "unhashable type",
    "can only concatenate",
    "() got ",
    "() missing ",
    "() takes ",
    "is not JSON serializable",
    "invalid literal for int()",
    "could not convert string",
    "values to unpack",
    "division by zero",
    "maximum recursion depth",
    "[Errno ",
    "codec can't decode",
    "cannot pickle '",
    " timed out. (",
];

/// For each line of the document, whether it contains one of the marks.
pub(super) fn marked(doc: &Document) -> Vec<bool> {
    static SIEVE: OnceLock<Sieve> = OnceLock::new();
    let sieve = SIEVE.get_or_init(|| Sieve::new(MARKS.to_vec()));
    let mut out = vec![false; doc.len()];
    let mut span = 0..0;
    sieve.each(doc.text(), &mut |_, found| {
        if !span.contains(&found.start) {
            let line = doc.line_at(found.start);
            span = doc.span(line);
            out[line] = true;
        }
    });
    out
}

/// Whether a line begins like an edge, an arrow, a frame or a heading.
pub(super) fn opens(text: &str) -> bool {
    let t = unindented(text);
    match t.first() {
        None => false,
        Some(b'-' | b'>' | b'+' | 0x80..) => true,
        Some(b'F') => t.starts_with(b"File "),
        Some(b'C') => t.starts_with(b"Cell In") || t.starts_with(b"Call stack"),
        Some(b'I') => t.starts_with(b"Input In"),
        Some(b'T') => t.starts_with(b"Thread 0x"),
        Some(_) => false,
    }
}

/// A line's bytes without leading spaces and tabs; every line of a text is passed to this.
fn unindented(text: &str) -> &[u8] {
    let mut bytes = text.as_bytes();
    while let [b' ' | b'\t', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

/// A source line in IPython's form.
pub(super) fn source(text: &str) -> bool {
    match unindented(text).first() {
        Some(b'0'..=b'9' | b'(' | b'<' | b'-' | b'>' | 0x80..) => {
            classify::arrow(text).is_some() || classify::numbered(text)
        }
        _ => false,
    }
}
