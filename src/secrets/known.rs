//! Values that were found in one place: they go from every other.

use super::search::{find, is_personal, Found};
use super::value::is_mixed;
use std::ops::Range;

/// Longer values are blocks, which are recognised wherever they are.
const LONGEST: usize = 4096;
const LEAST: usize = 5;
/// More values than this are not learnt from other texts.
const MOST: usize = 1000;
const BITS: u32 = 14;

/// The values found in several texts of one report.
#[derive(Clone, Debug, Default)]
pub struct Known {
    values: Vec<(&'static str, String)>,
    /// One bit for each hash of a value's first bytes.
    seen: Vec<u64>,
}

fn hash(bytes: &[u8]) -> usize {
    let mut four = [0; LEAST];
    four.copy_from_slice(&bytes[..LEAST]);
    let n = four.iter().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// Whether a value is recognised without what is around it in its own place.
fn stands_alone(kind: &str, value: &str) -> bool {
    let n = value.len();
    match kind {
        "user-name" | "e-mail" | "private-host" | "private-address" => {
            n >= LEAST && !value.bytes().all(|b| b.is_ascii_digit())
        }
        _ => {
            (n >= 8 || n >= 6 && is_mixed(value))
                && n <= LONGEST
                && !value.contains('\n')
                && !value.bytes().all(|b| b.is_ascii_digit())
        }
    }
}

impl Known {
    /// Adds what was found in a text.
    pub fn add(&mut self, text: &str, found: &[Found]) {
        for f in found {
            let value = &text[f.range.clone()];
            let key = |v: &(&'static str, String)| (v.1.len(), v.1.clone());
            if !stands_alone(f.kind, value) {
                continue;
            }
            let at = self
                .values
                .binary_search_by(|v| key(v).cmp(&(value.len(), value.to_owned())));
            if let Err(at) = at {
                self.values.insert(at, (f.kind, value.to_owned()));
                self.seen.resize((1 << BITS) / 64, 0);
                let h = hash(value.as_bytes());
                self.seen[h / 64] |= 1 << (h % 64);
            }
        }
    }

    /// Adds what is found in a text.
    pub fn learn(&mut self, text: &str) {
        self.add(text, &find(text));
    }

    /// Adds the secrets of a text, but no names of people: a name may be a word elsewhere.
    pub fn learn_secrets(&mut self, text: &str) {
        if self.values.len() < MOST {
            let mut found = find(text);
            found.retain(|f| !is_personal(f.kind));
            self.add(text, &found);
        }
    }

    /// The parts of a text that must be redacted: what is known, what is found, and what repeats it.
    pub fn find_all(&self, text: &str) -> Vec<Found> {
        let found = find(text);
        if found.is_empty() {
            return self.with(text, found);
        }
        let mut known = self.clone();
        known.add(text, &found);
        known.with(text, found)
    }

    pub(super) fn with(&self, text: &str, mut found: Vec<Found>) -> Vec<Found> {
        if self.values.is_empty() {
            return found;
        }
        let bytes = text.as_bytes();
        let mut more = Vec::new();
        let mut next = found.iter().map(|f| f.range.clone()).peekable();
        let mut at = 0;
        while at + LEAST <= bytes.len() {
            while next.peek().is_some_and(|r| r.end <= at) {
                next.next();
            }
            if let Some(r) = next.peek().filter(|r| r.start <= at) {
                at = r.end;
                continue;
            }
            let h = hash(&bytes[at..]);
            if self.seen[h / 64] >> (h % 64) & 1 == 0 {
                at += 1;
                continue;
            }
            let stop = next.peek().map_or(bytes.len(), |r| r.start);
            match self.at(text, at, stop) {
                Some((kind, range)) => {
                    at = range.end;
                    more.push(Found { kind, range });
                }
                None => at += 1,
            }
        }
        if !more.is_empty() {
            found.extend(more);
            found.sort_by_key(|f| f.range.start);
        }
        found
    }

    /// The longest known value here.
    fn at(&self, text: &str, at: usize, stop: usize) -> Option<(&'static str, Range<usize>)> {
        let rest = &text.as_bytes()[at..stop];
        let fits = |v: &&(&'static str, String)| rest.starts_with(v.1.as_bytes());
        let (kind, value) = self.values.iter().rev().find(fits)?;
        let end = at + value.len();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let free = !word(text[..at].chars().next_back()) && !word(text[end..].chars().next());
        // In `[redacted-…]` nothing is found.
        let within = text[..at].ends_with("[redacted-")
            || text[..at].ends_with("[redacted-user-")
            || text[..at].ends_with("redacted-private-");
        let long = value.len() >= 16 && is_mixed(value);
        ((free || long) && !within).then_some((*kind, at..end))
    }
}
