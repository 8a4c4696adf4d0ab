//! Pieces of secrets: what is left of a known value after boxing, wrapping, a repr or a cut.
//!
//! The letters of each value, without line separators, are one body. A run of a text with enough consecutive letters of a
//! body is redacted, together with the body's letters before and after it on the neighbouring lines.

use super::search::Found;
use super::value::{entropy, is_mixed};
use std::collections::BTreeMap;
use std::ops::Range;

/// Minimum number of letters of a body that are redacted anywhere: fewer may be a word.
const RUN: usize = 12;
/// Length of the grams that are looked up, taken from every fourth letter of a body: any run contains such a gram.
const GRAM: usize = 8;
const STEP: usize = RUN - GRAM;
/// Maximum number of letters of all bodies together, in bytes.
const MOST: usize = 256 << 10;
/// Maximum length of the separator between two lines, in bytes.
const SEAM: usize = 240;
/// Minimum number of letters for the rest of a body at a line's end, unless it is all that is left.
const REST: usize = 6;
const BITS: u32 = 16;

/// Separators between the lines of a value: blanks, borders, quotes, and their escapes.
pub fn is_seam(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '\\' | '│' | '┃' | '║' | '|' | '╎' | '┆' | ',' | '(' | ')'
        )
}

type Gram = [u8; GRAM];

/// The bodies of known values.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    bodies: Vec<(&'static str, Vec<u8>)>,
    size: usize,
    grams: BTreeMap<Gram, (usize, usize)>,
    /// One bit for each hash of a gram.
    seen: Vec<u64>,
}

fn gram(bytes: &[u8], at: usize) -> Option<Gram> {
    bytes.get(at..at + GRAM)?.try_into().ok()
}

fn hash(gram: Gram) -> usize {
    let n = u64::from_le_bytes(gram);
    (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// The words of a value of one or more lines, without a key's frame.
pub fn words(value: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let (body, then) = match rest.find("-----") {
            Some(at) => (&rest[..at], &rest[at + 5..]),
            None => (rest, ""),
        };
        words.extend(
            body.split(is_seam)
                // The letter of an escape: `\n` before a line.
                .map(|w| w.trim_matches(':'))
                .filter(|w| !w.is_empty()),
        );
        rest = match then.starts_with("BEGIN ") || then.starts_with("END ") {
            true => then.split_once("-----").map_or("", |(_, after)| after),
            false => then,
        };
    }
    words
}

/// A value's lines without their escapes: in a repr, `\n` stands for the end of a line.
pub fn unescaped(value: &str) -> String {
    value
        .replace("\\\\n", "\n")
        .replace("\\n", "\n")
        .replace("\\r", "\n")
        .replace("\\t", "\n")
}

impl Runs {
    /// Adds the body of a value.
    pub fn add(&mut self, kind: &'static str, body: &[u8]) {
        if body.len() < RUN || self.size + body.len() > MOST || self.has(body) {
            return;
        }
        let n = self.bodies.len();
        self.seen.resize((1 << BITS) / 64, 0);
        // The last gram may begin between two steps.
        let last = body.len() - GRAM;
        for at in (0..last).step_by(STEP).chain([last]) {
            let Some(gram) = gram(body, at).filter(|g| is_odd(g)) else {
                continue;
            };
            let h = hash(gram);
            self.seen[h / 64] |= 1 << (h % 64);
            self.grams.entry(gram).or_insert((n, at));
        }
        self.size += body.len();
        self.bodies.push((kind, body.to_vec()));
    }

    /// Adds the bodies of others.
    pub fn join(&mut self, other: &Runs) {
        for (kind, body) in &other.bodies {
            self.add(kind, body);
        }
    }

    fn has(&self, body: &[u8]) -> bool {
        let first = gram(body, 0).and_then(|g| self.grams.get(&g));
        first.is_some_and(|(n, at)| self.bodies[*n].1[*at..].starts_with(body))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Adds the pieces of bodies in a text to its findings.
    pub fn with(&self, text: &str, found: Vec<Found>) -> Vec<Found> {
        if self.is_empty() {
            return found;
        }
        let bytes = text.as_bytes();
        let mut more: Vec<Found> = Vec::new();
        let mut next = found.iter().map(|f| f.range.clone()).peekable();
        let (mut at, mut low) = (0, 0);
        while at + GRAM <= bytes.len() {
            while let Some(r) = next.next_if(|r| r.end <= at) {
                low = low.max(r.end);
            }
            if let Some(r) = next.peek().filter(|r| r.start <= at) {
                at = r.end;
                continue;
            }
            let stop = next.peek().map_or(bytes.len(), |r| r.start);
            let hit = gram(&bytes[..stop], at).and_then(|g| {
                let h = hash(g);
                let seen = self.seen[h / 64] >> (h % 64) & 1 == 1;
                seen.then(|| self.grams.get(&g)).flatten()
            });
            let Some(&(n, pos)) = hit else {
                at += 1;
                continue;
            };
            let (kind, body) = &self.bodies[n];
            match run(text, at, body, pos, low, stop) {
                Some(pieces) => {
                    at = pieces.iter().map(|p| p.end).max().unwrap_or(at + 1);
                    low = at;
                    more.extend(pieces.into_iter().map(|range| Found { kind, range }));
                }
                None => at += 1,
            }
        }
        if more.is_empty() {
            return found;
        }
        more.extend(found);
        more.sort_by_key(|f| f.range.start);
        more
    }
}

/// Whether it is neither one repeated letter nor a word.
fn is_odd(run: &[u8]) -> bool {
    std::str::from_utf8(run).is_ok_and(|s| {
        let cased = s.bytes().any(|b| b.is_ascii_lowercase())
            && s.bytes().skip(1).any(|b| b.is_ascii_uppercase());
        (is_mixed(s) || cased) && entropy(s) >= 2.0
    })
}

/// The run of a body around one of its grams, between `low` and `stop`, and its pieces on the lines before and after.
fn run(
    text: &str,
    at: usize,
    body: &[u8],
    pos: usize,
    low: usize,
    stop: usize,
) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let ahead = same(&bytes[at..stop], &body[pos..]);
    let back = same_back(&bytes[low..at], &body[..pos]);
    let (mut from, mut to) = (at - back, at + ahead);
    let (mut first, mut last) = (pos - back, pos + ahead);
    // All bytes of a letter must match.
    while !text.is_char_boundary(to) {
        (to, last) = (to - 1, last - 1);
    }
    while !text.is_char_boundary(from) {
        (from, first) = (from + 1, first + 1);
    }
    let said = &text[from..to];
    let cut = text[to..].starts_with(['…']) || text[to..].starts_with("...") || to == bytes.len();
    if to - from < RUN && !cut || !is_mixed(said) && to - from < 2 * RUN {
        return None;
    }
    let mut pieces: Vec<Range<usize>> = std::iter::once(from..to).collect();
    while last < body.len() {
        let Some(next) = over(text, to, stop) else {
            break;
        };
        let n = same(&bytes[next..stop], &body[last..]);
        if !text.is_char_boundary(next + n) {
            break;
        }
        let ends = last + n == body.len() && !is_word(text[next + n..].chars().next());
        if n == 0 || n < REST && !ends {
            break;
        }
        pieces.push(next..next + n);
        (to, last) = (next + n, last + n);
    }
    while first > 0 {
        let Some(prior) = over_back(text, from, low) else {
            break;
        };
        let n = same_back(&bytes[low..prior], &body[..first]);
        if !text.is_char_boundary(prior - n) {
            break;
        }
        let begins = n == first && !is_word(text[..prior - n].chars().next_back());
        if n == 0 || n < REST && !begins {
            break;
        }
        pieces.insert(0, prior - n..prior);
        (from, first) = (prior - n, first - n);
    }
    Some(pieces)
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn same(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn same_back(a: &[u8], b: &[u8]) -> usize {
    let pairs = a.iter().rev().zip(b.iter().rev());
    pairs.take_while(|(a, b)| a == b).count()
}

/// The start of the text after the separator of two lines.
fn over(text: &str, from: usize, stop: usize) -> Option<usize> {
    let rest = &text[from..stop];
    let mut at = 0;
    while at < rest.len().min(SEAM) {
        if let Some(c) = rest[at..].chars().next().filter(|c| is_seam(*c)) {
            let escape = c == '\\' && rest[at + 1..].starts_with(['n', 'r', 't']);
            at += c.len_utf8() + usize::from(escape);
        } else {
            break;
        }
    }
    (at > 0 && at < rest.len()).then_some(from + at)
}

/// The end of the text before it.
fn over_back(text: &str, to: usize, low: usize) -> Option<usize> {
    let rest = &text[low..to];
    let mut at = rest.len();
    while rest.len() - at < SEAM {
        let lead = &rest[..at];
        if lead.ends_with("\\n") || lead.ends_with("\\r") || lead.ends_with("\\t") {
            at -= 2;
        } else if let Some(c) = lead.chars().next_back().filter(|c| is_seam(*c)) {
            at -= c.len_utf8();
        } else {
            break;
        }
    }
    (at > 0 && at < rest.len()).then_some(low + at)
}

#[cfg(test)]
mod tests {
    use crate::Known;

    const TOKEN: &str = "Zq8Lw3Nx5Kt1Vb7Ym2Rc9Hd4Gf6Jp0Ts";

    /// The rest of a text that contains a value known from another text.
    fn clean(text: &str) -> String {
        let known = Known::of([format!("api_key = '{TOKEN}'").as_str()]);
        known
            .redact(text)
            .text
            .replace("[redacted-assigned-secret]", "#")
    }

    #[test]
    fn a_known_value_is_gone_however_it_is_broken() {
        let (a, b) = TOKEN.split_at(20);
        for (text, left) in [
            (format!("KeyError: '{TOKEN}'"), "KeyError: '#'"),
            (format!("x{TOKEN}y"), "x#y"),
            (format!("{a}\n{b} was refused"), "#\n# was refused"),
            (format!("│ {a} │\n│ {b}    │"), "│ # │\n│ #    │"),
            (format!("'{a}'\n 'more', '{b}'"), "'#'\n 'more', '#'"),
            (format!("refused {a}…"), "refused #…"),
            (
                format!("refused {}… (401)", &TOKEN[..9]),
                "refused #… (401)",
            ),
            (
                format!("{}\n{} was refused", &TOKEN[..30], &TOKEN[30..]),
                "#\n# was refused",
            ),
            (
                format!("│ {} │\n│ {} │", &TOKEN[..3], &TOKEN[3..]),
                "│ # │\n│ # │",
            ),
            (format!("\"{a}\\n{b}\\n\""), "\"#\\n#\\n\""),
        ] {
            assert_eq!(clean(&text), left, "{text}");
        }
    }

    #[test]
    fn what_only_begins_alike_stays() {
        for text in [
            "Zq8Lw3Nx is a name",
            "1Vb7Ym2Rc9H is one",
            "[redacted-e-mail]",
        ] {
            assert_eq!(clean(text), text);
        }
        let known = Known::of([
            "password = 'production-database-name'",
            "passwort: größe7Größe8größe9",
        ]);
        for text in ["the production-database is down", "größe7Größe8größà"] {
            let left = known.redact(text).text;
            assert!(left == text || left.ends_with('à'), "{left}");
        }
    }
}
