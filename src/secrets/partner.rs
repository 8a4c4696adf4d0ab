//! Secrets that another text announces: the id that they belong to, or the field that rejects them.

use super::judge::{is_secret, Link};
use super::names;
use super::seam;
use super::value::{is_mixed, is_random};
use std::ops::Range;

/// The next word after a byte, if only quotes, commas and a name separate them.
fn next_word(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'_');
    let gap = bytes[from..]
        .iter()
        .take(8)
        .take_while(|b| b"\"', :;\t\n\\".contains(b))
        .count();
    let n = bytes[from + gap..]
        .iter()
        .take(80)
        .take_while(belongs)
        .count();
    (gap > 0).then_some(from + gap..from + gap + n)
}

/// The secret key next to the id of an access key.
pub fn of_key_id(text: &str, end: usize) -> Option<Range<usize>> {
    let word = next_word(text, end)?;
    let said = &text[word.clone()];
    let cased = said.bytes().any(|b| b.is_ascii_uppercase())
        && said.bytes().any(|b| b.is_ascii_lowercase());
    (said.len() == 40 && cased && is_random(said)).then_some(word)
}

/// The first words of calls that take an account's id and its token.
pub const ACCOUNTS: &[&str] = &["(\"ac", "('ac"];

/// The token after an account's id: `Client("AC…", "…")`.
pub fn of_account(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let hex = |at: usize| {
        text.as_bytes()[at..]
            .iter()
            .take(33)
            .take_while(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b))
            .count()
    };
    let own = text[hit.clone()].ends_with("AC") && hex(hit.end) == 32;
    let word = own.then(|| next_word(text, hit.end + 32))??;
    (word.len() == 32 && hex(word.start) == 32 && is_mixed(&text[word.clone()])).then_some(word)
}

/// The words after which an error that names the field above shows the rejected value.
pub const INPUTS: &[&str] = &["input_value='", "input_value=\""];

/// The value that a field with this name rejected.
pub fn rejected(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let mark = text.as_bytes()[hit.end - 1];
    let line = seam::line_start(text, hit.start, 400);
    let above = seam::line_start(text, line.checked_sub(1)?, 120);
    let field = text[above..line].trim();
    let start = above + text[above..line].find(field)?;
    let key = field.rsplit('.').next()?;
    let at = start + field.len() - key.len();
    let name = names::around(text, at..start + field.len())?;
    let n = text.as_bytes()[hit.end..]
        .iter()
        .take(512)
        .position(|b| *b == mark || *b == b'\n')?;
    let said = &text[hit.end..hit.end + n];
    is_secret(text, said, &name, Link::Sign('='), true).then_some(hit.end..hit.end + n)
}
