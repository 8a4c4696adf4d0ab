//! Stands in for the crate of that name, whose tables are a large part of what the Python parser adds to the WASM. The
//! parser normalises names that are not ASCII with it, so that two spellings of one letter are one name.
//!
//! Here each name stays as it is written: a notebook that spells one name in two ways is read as using two names.

use std::str::Chars;

/// What the parser calls.
pub trait UnicodeNormalization {
    /// The characters as they are.
    fn nfkc(&self) -> Chars<'_>;
}

impl UnicodeNormalization for str {
    fn nfkc(&self) -> Chars<'_> {
        self.chars()
    }
}

#[cfg(test)]
mod tests {
    use super::UnicodeNormalization;

    #[test]
    fn a_name_stays_as_it_is_written() {
        assert_eq!("größe".nfkc().collect::<String>(), "größe");
    }
}
