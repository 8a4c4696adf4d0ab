//! What a system says in another language.

/// One phrase that a system says in another language. `%1` and `%2` stand for names and numbers, in the same order in
/// both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The position of its longest part among the literals that a text is searched for.
    pub number: u16,
    /// The phrase.
    pub said: &'static str,
    /// What the same system says in English.
    pub english: &'static str,
}
