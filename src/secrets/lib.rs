//! Finds and removes secrets and names of people.
//!
//! One pass finds the literals of every kind. A kind's pattern runs only around its literals,
//! anchored and over a bounded window, so the time is linear in the text.

mod kinds;

pub use kinds::{Kind, KINDS};

use nbmedic_text::Sieve;
use regex::Regex;
use std::ops::Range;
use std::sync::OnceLock;

/// The same limit for kinds that may be long.
const LONG: usize = 16 << 10;
/// Bytes before a literal that may belong to the match.
const BACK: usize = 64;

/// A redacted part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub kind: &'static str,
    /// Its byte range in the original text.
    pub range: Range<usize>,
}

/// A redacted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text; `[redacted-<kind>]` replaces each redacted part.
    pub text: String,
    /// The redacted parts, in order.
    pub found: Vec<Found>,
}

/// The start of a placeholder for a redacted part; its kind and a bracket follow.
pub const PLACEHOLDER: &str = "[redacted-";

/// Redacts a text.
pub fn redact(text: &str) -> Redacted {
    let found = find(text);
    Redacted {
        text: replaced(text, &found),
        found,
    }
}

/// A text with placeholders for the parts that were found in it.
pub fn replaced(text: &str, found: &[Found]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for f in found {
        out.push_str(&text[at..f.range.start]);
        out.push_str(PLACEHOLDER);
        out.push_str(f.kind);
        out.push(']');
        at = f.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The first characters of a text, without any secret that extends beyond them: a truncated secret
/// would no longer be recognised.
pub fn cut(text: &str, chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text;
    };
    let seen = floor(text, (end + LONG).min(text.len()));
    let across = |f: &Found| f.range.start < end && f.range.end > end;
    let across = find(&text[..seen]).into_iter().find(across);
    &text[..across.map_or(end, |f| f.range.start)]
}

struct Index {
    /// In lower case.
    literals: Sieve,
    /// The kind of each literal.
    kinds: Vec<usize>,
    patterns: Vec<OnceLock<Regex>>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    let build = || {
        let all = || KINDS.iter().enumerate();
        let literals = all().flat_map(|(_, k)| k.literals.iter().copied());
        let kinds = all().flat_map(|(i, k)| k.literals.iter().map(move |_| i));
        Index {
            literals: Sieve::new(literals.collect()),
            kinds: kinds.collect(),
            patterns: KINDS.iter().map(|_| OnceLock::new()).collect(),
        }
    };
    INDEX.get_or_init(build)
}

/// The parts of a text that must be redacted, in order.
pub fn find(text: &str) -> Vec<Found> {
    let index = index();
    let mut found: Vec<(usize, Found)> = Vec::new();
    // The end of each kind's last match: literals inside a match are skipped.
    let mut done = vec![0; KINDS.len()];
    // Conversion of ASCII letters keeps every byte's position.
    let mut hits: Vec<(Range<usize>, usize)> = Vec::new();
    index
        .literals
        .each(&text.to_ascii_lowercase(), &mut |literal, hit| {
            hits.push((hit, literal))
        });
    hits.sort_by_key(|(hit, literal)| (hit.start, *literal));
    for (hit, literal) in hits {
        let k = index.kinds[literal];
        if hit.start < done[k] {
            continue;
        }
        let kind = &KINDS[k];
        let Some(start) = start(text, hit.start, kind) else {
            continue;
        };
        let (then, near) = kind.then;
        let near = floor(text, (hit.end + near).min(text.len()));
        if !then.is_empty() && !text[hit.end..near].contains(then) {
            continue;
        }
        let window = if kind.long { LONG } else { kinds::WINDOW };
        let end = floor(text, (hit.end + window).min(text.len()));
        let pattern = index.patterns[k].get_or_init(|| compile(kind.pattern));
        let Some(caught) = pattern.captures(&text[start..end]) else {
            continue;
        };
        let Some(m) = caught.get(1).or_else(|| caught.get(0)) else {
            continue;
        };
        let range = start + m.start()..start + m.end();
        done[k] = range.end;
        if (kind.is_secret)(m.as_str()) {
            let name = kind.name;
            found.push((k, Found { kind: name, range }));
        }
    }
    // Of overlapping matches, the first counts; if they begin together, the narrower kind.
    found.sort_by_key(|(k, f)| (f.range.start, *k));
    let mut end = 0;
    let mut kept = Vec::new();
    for (_, f) in found {
        if f.range.start >= end {
            end = f.range.end;
            kept.push(f);
        }
    }
    kept
}

/// Patterns are part of the program and tested; one that can't be compiled would match nothing.
fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|_| Regex::new("^[^\\s\\S]").expect("a pattern"))
}

/// Where the pattern of a literal begins; `None` if the text before it rules it out.
fn start(text: &str, at: usize, kind: &Kind) -> Option<usize> {
    let before = text[..at].char_indices().rev();
    match kind.before {
        kinds::Before::Anything => Some(at),
        kinds::Before::NoWord => {
            let last = text[..at].chars().next_back();
            let word = last.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            (!word).then_some(at)
        }
        kinds::Before::Run(belongs) => {
            let mut from = at;
            for (i, c) in before {
                if !belongs(c) || at - i > BACK {
                    break;
                }
                from = i;
            }
            // Without such a run there is no match.
            (from < at).then_some(from)
        }
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_finds_its_examples_and_leaves_the_others() {
        for kind in KINDS {
            assert!(Regex::new(kind.pattern).is_ok(), "{}", kind.name);
            assert!(kind.pattern.starts_with('^') || kind.pattern.starts_with("(?i)^"));
            assert!(!kind.yes.is_empty() && !kind.no.is_empty(), "{}", kind.name);
            for (text, secret) in kind.yes {
                let text = text.replace('¤', "");
                let secret = secret.replace('¤', "");
                let redacted = redact(&text);
                assert!(
                    redacted.found.iter().any(|f| f.kind == kind.name),
                    "{}: {text}: {redacted:?}",
                    kind.name
                );
                assert!(!redacted.text.contains(&secret), "{}", redacted.text);
                assert_eq!(redact(&redacted.text).text, redacted.text, "again");
            }
            for text in kind.no {
                assert_eq!(redact(text).text, *text, "{}", kind.name);
            }
        }
    }

    #[test]
    fn a_cut_leaves_nothing_of_a_secret() {
        let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"].concat();
        let text = format!("the key {token} was refused");
        assert_eq!(cut(&text, 20), "the key ");
        assert_eq!(cut(&text, 8 + token.len()), &text[..8 + token.len()]);
        assert_eq!(cut(&text, 4), "the ");
        assert_eq!(cut(&text, 1000), text);
        assert_eq!(cut("größer", 3), "grö");
    }
}
