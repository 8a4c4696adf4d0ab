//! Texts with placeholders.

use super::search::{Found, PLACEHOLDER};

/// A redacted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text; `[redacted-<kind>]` replaces each redacted part.
    pub text: String,
    /// The redacted parts, in order.
    pub found: Vec<Found>,
}

/// Replaces the findings of a text with placeholders.
pub fn replaced(text: &str, found: &[Found]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for f in found {
        out.push_str(&text[at..f.range.start]);
        out.push_str(PLACEHOLDER);
        out.push_str(f.kind);
        out.push(']');
        at = f.range.end;
    }
    out.push_str(&text[at..]);
    out
}
