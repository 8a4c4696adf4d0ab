//! Takes out what identifies a person or opens a door.
//!
//! One pass finds the literals that every kind has; only behind a literal a pattern runs, anchored
//! and over a bounded window, so that the time stays linear in the text.

use super::kinds::{Kind, KINDS};
use super::session::Tally;
use crate::session::Event;
use crate::text::Sieve;
use litemap::LiteMap;
use regex_lite::Regex;
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes behind a literal in which a secret must end.
const WINDOW: usize = 512;
/// Bytes before a literal that may belong to the match.
const BACK: usize = 64;

/// Something that was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub kind: &'static str,
    /// Its bytes in the text as it was.
    pub range: Range<usize>,
}

/// A text without what must not be handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text; `[redacted-<kind>]` stands for what was taken out.
    pub text: String,
    /// What was taken out, in order.
    pub found: Vec<Found>,
}

/// What stands for something that was taken out begins so; its kind and a bracket follow.
pub(super) const PLACEHOLDER: &str = "[redacted-";

/// Redacts a text.
pub fn redact(text: &str) -> Redacted {
    let found = find(text);
    Redacted {
        text: replaced(text, &found),
        found,
    }
}

/// A text with placeholders for what was found in it.
pub(super) fn replaced(text: &str, found: &[Found]) -> String {
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

/// How much was taken out of each kind, by name.
pub fn tally(found: &[Found]) -> Vec<Tally> {
    let mut counts: LiteMap<&'static str, usize> = LiteMap::new();
    for f in found {
        *counts.entry(f.kind).or_default() += 1;
    }
    let tally = |(kind, count)| Tally { kind, count };
    counts.into_iter().map(tally).collect()
}

/// Redacts every text of an event; returns what was taken out.
pub fn redact_event(event: &mut Event) -> Vec<Found> {
    let mut gone = Vec::new();
    let mut each = |text: &mut String| super::redactor::clean(text, &mut gone);
    match event {
        Event::Hello(e) => each(&mut e.origin),
        Event::Notebook(e) => each(&mut e.name),
        Event::Source(e) => each(&mut e.text),
        Event::Output(e) => {
            each(&mut e.head);
            e.tail.iter_mut().for_each(each);
        }
        Event::Notice(e) => each(&mut e.text),
        Event::Vitals(e) => each(&mut e.text),
        Event::Memory(e) => {
            for said in e.incidents.iter_mut().flat_map(|i| &mut i.notices) {
                each(&mut said.text);
            }
            for run in &mut e.runs {
                each(&mut run.tail);
            }
            for text in e.flights.iter_mut().flat_map(|f| &mut f.speaks) {
                each(text);
            }
        }
        Event::Cell(_)
        | Event::Outputs(_)
        | Event::Removed(_)
        | Event::NoticeGone(_)
        | Event::Kernel(_)
        | Event::Act(_) => {}
    }
    gone
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

/// What must be taken out of a text, in order.
pub(super) fn find(text: &str) -> Vec<Found> {
    let index = index();
    let mut found: Vec<(usize, Found)> = Vec::new();
    // How far each kind has matched: what lies inside a match is not looked at again.
    let mut done = vec![0; KINDS.len()];
    // ASCII case keeps every byte in its place.
    let mut hits: Vec<(Range<usize>, usize)> = Vec::new();
    index
        .literals
        .each(&text.to_ascii_lowercase(), &mut |literal, hit| {
            hits.push((hit, literal))
        });
    crate::order::sort_by_key(&mut hits, |(hit, literal)| (hit.start, *literal));
    for (hit, literal) in hits {
        let k = index.kinds[literal];
        if hit.start < done[k] {
            continue;
        }
        let kind = &KINDS[k];
        let Some(start) = start(text, hit.start, kind) else {
            continue;
        };
        let window = if kind.long { 16 << 10 } else { WINDOW };
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
    // Of matches that overlap, the first counts, and of those that begin together the narrower kind.
    let keys = found.iter().map(|(k, f)| (f.range.start as u64, *k as u64));
    let mut end = 0;
    let mut kept = Vec::new();
    for i in crate::order::sorted(keys) {
        let f = &found[i].1;
        if f.range.start >= end {
            end = f.range.end;
            kept.push(f.clone());
        }
    }
    kept
}

/// Patterns are part of the program and tested; one that can't be compiled would match nothing.
fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|_| Regex::new("^[^\\s\\S]").expect("a pattern"))
}

/// Where the pattern of a literal begins; `None` if what stands before forbids it.
fn start(text: &str, at: usize, kind: &Kind) -> Option<usize> {
    let before = text[..at].char_indices().rev();
    match kind.before {
        super::kinds::Before::Anything => Some(at),
        super::kinds::Before::NoWord => {
            let last = text[..at].chars().next_back();
            let word = last.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            (!word).then_some(at)
        }
        super::kinds::Before::Run(belongs) => {
            let mut from = at;
            for (i, c) in before {
                if !belongs(c) || at - i > BACK {
                    break;
                }
                from = i;
            }
            Some(from)
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
    fn an_events_texts_are_redacted() {
        let mut event = Event::parse(
            r#"{"t":"output","nb":"n","cell":"c","head":"/home/ada/x","tail":"ada@example.org"}"#,
        )
        .unwrap();
        let gone = redact_event(&mut event);
        assert_eq!(
            tally(&gone).iter().map(|t| t.kind).collect::<Vec<_>>(),
            ["e-mail", "user-name"]
        );
        let Event::Output(o) = event else {
            panic!("still an output");
        };
        assert_eq!(o.head, "/home/[redacted-user-name]/x");
        assert_eq!(o.tail.unwrap(), "[redacted-e-mail]");
    }
}
