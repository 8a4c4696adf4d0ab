//! Finds and removes secrets and names of people.
//!
//! One pass finds the literals of every kind: first letters of tokens, names of settings, commands,
//! directories. A function then decides about the text around each literal, within a limited distance, so
//! the time is linear in the length of the text. No patterns are compiled.

mod answers;
mod apart;
mod arguments;
mod assigned;
mod blocks;
mod commands;
mod ends;
mod formats;
mod hashes;
mod hosts;
mod judge;
mod known;
mod names;
mod numbers;
mod partner;
mod people;
mod phrases;
mod pieces;
mod places;
mod redacted;
mod runs;
mod seam;
mod search;
mod special;
mod tables;
mod value;
mod vocabulary;
mod written;

pub use known::Known;
pub use redacted::{replaced, Redacted};
pub use search::{find, kind, kinds, literals, starts, Found, PLACEHOLDER};

/// Number of bytes after a cut that suffice to recognise a truncated secret.
const LONG: usize = 16 << 10;

/// Redacts a text: a value that is found in one place is redacted in every place.
pub fn redact(text: &str) -> Redacted {
    Known::default().redact(text)
}

/// The parts of a text that must be redacted, with every repetition of a finding, in order.
pub fn find_all(text: &str) -> Vec<Found> {
    Known::default().find_all(text)
}

/// The first characters of a text, without any secret that extends beyond them: a truncated secret
/// would no longer be recognised.
pub fn cut(text: &str, chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text;
    };
    let seen = seam::floor(text, (end + LONG).min(text.len()));
    let across = |f: &Found| f.range.start < end && f.range.end > end;
    let across = find(&text[..seen]).into_iter().find(across);
    &text[..across.map_or(end, |f| f.range.start)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_looked_at_goes_as_a_whole() {
        let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF7H"].concat();
        let text = format!("{}mail ada@acme.io, {token}", "token = none\n".repeat(40));
        for steps in [0, 100, 2000, 5000] {
            let found = search::find_within(&text, steps);
            let last = found.last().expect("the rest");
            assert_eq!((last.kind, last.range.end), ("unread", text.len()));
            let left = replaced(&text, &found);
            assert!(!left.contains("ada") && !left.contains(&token), "{left}");
        }
        let all = find(&text);
        assert_eq!(all.len(), 2);
        assert_eq!(search::find_within(&text, u64::MAX / 2), all);
    }

    #[test]
    fn a_cut_leaves_nothing_of_a_secret() {
        let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF7H"].concat();
        let text = format!("the key {token} was refused");
        assert_eq!(cut(&text, 20), "the key ");
        assert_eq!(cut(&text, 8 + token.len()), &text[..8 + token.len()]);
        assert_eq!(cut(&text, 4), "the ");
        assert_eq!(cut(&text, 1000), text);
        assert_eq!(cut("größer", 3), "grö");
    }
}
