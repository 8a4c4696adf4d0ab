//! The words of a command line.

use super::seam;
use std::ops::Range;

/// The arguments of a command from a byte on, in a shell's line or a list of strings.
pub struct Arguments<'a> {
    pub text: &'a str,
    pub at: usize,
    pub end: usize,
}

impl Iterator for Arguments<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..self.end];
        let skip =
            rest.find(|c: char| !c.is_whitespace() && !matches!(c, ',' | '[' | ']' | '(' | ')'))?;
        let from = self.at + skip;
        let rest = &self.text[from..self.end];
        let slashes = rest.bytes().take_while(|b| *b == b'\\').count();
        let mark = rest[slashes..].chars().next()?;
        if matches!(mark, '"' | '\'') {
            let from = from + slashes + 1;
            let rest = &self.text[from..self.end];
            let n = rest.find(mark).unwrap_or(rest.len());
            let inner = rest[..n].trim_end_matches('\\');
            self.at = (from + n + 1).min(self.end);
            return Some(from..from + inner.len());
        }
        let n = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ','))
            .unwrap_or(rest.len());
        self.at = from + n.max(mark.len_utf8());
        Some(from..from + n)
    }
}

/// The first quoted word from a byte on, if the text before it allows one.
pub fn quoted_word(
    text: &str,
    from: usize,
    end: usize,
    may_lead: impl Fn(&str) -> bool,
    is_secret: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let end = seam::floor(text, end.min(text.len()));
    let open = text[from..end].find(['\'', '"'])?;
    may_lead(&text[from..from + open]).then_some(())?;
    let at = from + open;
    let word = Arguments { text, at, end }.next()?;
    is_secret(&text[word.clone()]).then_some(word)
}
