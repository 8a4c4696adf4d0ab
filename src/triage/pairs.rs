//! A text prepared for many literal searches that mostly miss.

/// A text and the pairs of bytes that it contains. It can't contain a literal with any other pair, and looking up
/// a pair costs far less than searching the text.
pub(super) struct Searched<'a> {
    pub text: &'a str,
    /// One bit for each pair.
    pairs: Box<[u64]>,
}

impl<'a> Searched<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut pairs = vec![0_u64; (1 << 16) / 64].into_boxed_slice();
        for two in text.as_bytes().windows(2) {
            let (word, bit) = place(two);
            pairs[word] |= bit;
        }
        Searched { text, pairs }
    }

    /// Whether the text contains a literal.
    pub fn holds(&self, literal: &str) -> bool {
        let known = |two: &[u8]| {
            let (word, bit) = place(two);
            self.pairs[word] & bit != 0
        };
        literal.as_bytes().windows(2).all(known) && self.text.contains(literal)
    }
}

/// The word and the bit of a pair.
fn place(two: &[u8]) -> (usize, u64) {
    let pair = usize::from(two[0]) << 8 | usize::from(two[1]);
    (pair / 64, 1 << (pair % 64))
}

#[cfg(test)]
mod tests {
    use super::Searched;

    #[test]
    fn it_holds_what_a_plain_search_finds() {
        let text = "RuntimeError: size (3, 4) é内存";
        let searched = Searched::new(text);
        let parts = text.char_indices().flat_map(|(from, _)| {
            let ends = text[from..].char_indices().map(move |(i, _)| from + i);
            ends.map(move |to| &text[from..to])
        });
        for literal in parts.chain([text, "", "rror:  size", "(4", "size (4", "存内", "Error: R"])
        {
            assert_eq!(searched.holds(literal), text.contains(literal), "{literal}");
        }
        assert!(!Searched::new("").holds("a") && !Searched::new("a").holds("ab"));
        assert!(Searched::new("a").holds("a") && Searched::new("").holds(""));
    }
}
