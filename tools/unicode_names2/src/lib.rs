//! Stands in for the crate of that name, whose tables are 400 kB in the compressed WASM. The Python parser looks up
//! `\N{NAME}` in string literals with it, and nothing here reads what such a literal holds.

/// The character for a name: for any name the replacement character, so that the literal parses and is one character
/// long. Nothing for a name that no character can have.
pub fn character(name: &str) -> Option<char> {
    let fits = |c: char| c.is_ascii_alphanumeric() || " -()".contains(c);
    (!name.is_empty() && name.chars().all(fits)).then_some(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn a_name_is_some_character_and_anything_else_is_none() {
        assert_eq!(character("SNOWMAN"), Some('\u{fffd}'));
        assert_eq!(character("latin small letter a"), Some('\u{fffd}'));
        assert_eq!(character(""), None);
        assert_eq!(character("caf\u{e9}!"), None);
    }
}
