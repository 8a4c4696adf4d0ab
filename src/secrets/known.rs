//! Values that were found in one place, and are redacted in every other.

use super::pieces::{is_seam, unescaped, words, Runs};
use super::redacted::{replaced, Redacted};
use super::search::{find, is_personal, Found};
use super::value::is_mixed;
use std::ops::Range;

/// A value that is longer than this is recognised by its lines and runs only.
const LONGEST: usize = 4096;
/// Maximum distance between two lines of one value, in bytes.
const APART: usize = 240;
const LEAST: usize = 5;
/// Maximum number of values that are learnt from other texts.
const MOST: usize = 1000;
const BITS: u32 = 14;

/// The values found in the texts of one input, page or report: none of them may be left in any other text.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Sorted by their letters.
    values: Vec<(&'static str, String)>,
    /// The secrets among them, which are recognised by any piece.
    runs: Runs,
    /// One bit for each hash of a value's first bytes.
    seen: Vec<u64>,
}

fn hash(bytes: &[u8]) -> usize {
    let mut four = [0; LEAST];
    four.copy_from_slice(&bytes[..LEAST]);
    let n = four.iter().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// Whether a value can be recognised without its original context.
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

/// Whether two parts are lines of one value: only line separators are between them.
fn is_one(text: &str, two: &[Found]) -> bool {
    let between = two[0].range.end..two[1].range.start;
    two[0].kind == two[1].kind
        && between.len() <= APART
        && text[between.clone()].contains('\n')
        && text[between].chars().all(is_seam)
}

impl Known {
    /// The secrets of texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Known {
        let mut known = Known::default();
        texts.into_iter().for_each(|text| known.learn_secrets(text));
        known
    }

    /// Adds the findings of a text.
    pub fn add(&mut self, text: &str, found: &[Found]) {
        let before = self.values.len();
        let mut rest = found;
        while let Some(first) = rest.first() {
            let n = 1 + rest.windows(2).take_while(|w| is_one(text, w)).count();
            let (parts, then) = rest.split_at(n);
            rest = then;
            let whole = first.range.start..parts[n - 1].range.end;
            let value = &text[first.range.clone()];
            self.value(before, first.kind, value);
            if is_personal(first.kind) {
                continue;
            }
            let lines = n > 1 || value.contains(['\n', '\r']) || value.contains("\\n");
            if !lines {
                self.runs.add(first.kind, value.as_bytes());
                continue;
            }
            // For a value of several lines, each line counts, and so do the letters of all lines together.
            let plain = unescaped(&text[whole]);
            let mut body = String::new();
            for word in words(&plain) {
                self.value(before, first.kind, word);
                body.push_str(word);
            }
            self.runs.add(first.kind, body.as_bytes());
        }
        self.settle(before);
    }

    /// Appends a value to the sorted ones, unless it is one of them; [`Known::settle`] then sorts all.
    fn value(&mut self, ordered: usize, kind: &'static str, value: &str) {
        let known = &self.values[..ordered];
        let is_new = known.binary_search_by(|v| v.1.as_str().cmp(value)).is_err();
        if is_new && stands_alone(kind, value) {
            self.values.push((kind, value.to_owned()));
            self.seen.resize((1 << BITS) / 64, 0);
            let h = hash(value.as_bytes());
            self.seen[h / 64] |= 1 << (h % 64);
        }
    }

    fn settle(&mut self, before: usize) {
        if self.values.len() > before {
            // A value keeps the kind as which it was found first.
            self.values.sort_by(|a, b| a.1.cmp(&b.1));
            self.values.dedup_by(|b, a| a.1 == b.1);
        }
    }

    /// Adds the values of others.
    pub fn join(&mut self, other: &Known) {
        let before = self.values.len();
        for (kind, value) in other.values.iter().take(MOST.saturating_sub(before)) {
            self.value(before, kind, value);
        }
        self.settle(before);
        self.runs.join(&other.runs);
    }

    /// Searches a text and adds the findings.
    pub fn learn(&mut self, text: &str) {
        self.add(text, &find(text));
    }

    /// Adds the secrets of a text, but no names of people: a name may be a common word elsewhere.
    pub fn learn_secrets(&mut self, text: &str) {
        self.add_secrets(text, &find(text));
    }

    /// The same, for findings that exist already.
    pub fn add_secrets(&mut self, text: &str, found: &[Found]) {
        if self.values.len() >= MOST {
            return;
        }
        let secrets: Vec<Found> = found
            .iter()
            .filter(|f| !is_personal(f.kind))
            .cloned()
            .collect();
        self.add(text, &secrets);
    }

    /// The parts of a text that must be redacted: known values, findings, and their repetitions.
    pub fn find_all(&self, text: &str) -> Vec<Found> {
        self.all(text, find(text))
    }

    /// The same, for findings that exist already.
    pub fn all(&self, text: &str, found: Vec<Found>) -> Vec<Found> {
        if found.is_empty() {
            return self.with(text, found);
        }
        let mut own = Known::default();
        own.add(text, &found);
        repeated(&[self, &own], text, found)
    }

    /// Redacts the known values and the findings of a text.
    pub fn redact(&self, text: &str) -> Redacted {
        let found = self.find_all(text);
        Redacted {
            text: replaced(text, &found),
            found,
        }
    }

    fn with(&self, text: &str, found: Vec<Found>) -> Vec<Found> {
        repeated(&[self], text, found)
    }

    fn has_seen(&self, hash: usize) -> bool {
        let word = self.seen.get(hash / 64);
        word.is_some_and(|w| w >> (hash % 64) & 1 != 0)
    }

    /// The longest known value that is a prefix of a text. Such a value precedes the text in sorted order, and
    /// every value between them that is a prefix does too.
    fn longest(&self, rest: &[u8]) -> Option<&(&'static str, String)> {
        let mut key = &rest[..rest.len().min(LONGEST)];
        loop {
            let after = self.values.partition_point(|v| v.1.as_bytes() <= key);
            let near = &self.values[after.checked_sub(1)?];
            let same = near.1.bytes().zip(key).take_while(|(a, b)| a == *b).count();
            if same == near.1.len() {
                return Some(near);
            }
            if same < LEAST {
                return None;
            }
            key = &key[..same];
        }
    }
}

/// The findings of a text, and the places that repeat known values.
fn repeated(known: &[&Known], text: &str, mut found: Vec<Found>) -> Vec<Found> {
    for k in known.iter().rev() {
        found = k.runs.with(text, found);
    }
    if known.iter().all(|k| k.values.is_empty()) {
        return found;
    }
    let bytes = text.as_bytes();
    let mut more = Vec::new();
    let mut next = found.iter().map(|f| f.range.clone()).peekable();
    let (mut at, mut low) = (0, usize::MAX);
    while at + LEAST <= bytes.len() {
        while let Some(r) = next.next_if(|r| r.end <= at) {
            low = r.end;
        }
        if let Some(r) = next.peek().filter(|r| r.start <= at) {
            at = r.end;
            continue;
        }
        let h = hash(&bytes[at..]);
        if !known.iter().any(|k| k.has_seen(h)) {
            at += 1;
            continue;
        }
        let stop = next.peek().map_or(bytes.len(), |r| r.start);
        match known_at(known, text, at, low, stop) {
            Some((kind, range)) => {
                at = range.end;
                low = at;
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

/// The longest known value at this place, between the findings before and after it.
fn known_at(
    known: &[&Known],
    text: &str,
    at: usize,
    low: usize,
    stop: usize,
) -> Option<(&'static str, Range<usize>)> {
    let rest = &text.as_bytes()[at..stop];
    let all = known.iter().filter_map(|k| k.longest(rest));
    let (kind, value) = all.max_by_key(|v| v.1.len())?;
    let end = at + value.len();
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let next = end == stop && stop < text.len();
    let free = (at == low || !word(text[..at].chars().next_back()))
        && (next || !word(text[end..].chars().next()));
    // `[redacted-…]` contains no findings.
    let within = text[..at].ends_with("[redacted-")
        || text[..at].ends_with("[redacted-user-")
        || text[..at].ends_with("redacted-private-");
    let long = value.len() >= 16 && is_mixed(value);
    ((free || long) && !within).then_some((*kind, at..end))
}
