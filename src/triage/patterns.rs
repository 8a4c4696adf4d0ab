//! Patterns: compiled when first needed, run over bounded parts of a text, their captures read as facts.

use litemap::LiteMap;
use nbmedic_facts::{fact, Facts, Value};
use regex::Regex;
use std::ops::Range;
use std::sync::{OnceLock, RwLock};

/// A pattern, compiled when a text first needs it.
///
/// The build has compiled every pattern once, so an error here can't happen; such a pattern would
/// match nothing.
pub(super) fn pattern(source: &'static str) -> &'static Regex {
    // Keyed by address, because many sources are long. Compiled patterns are kept for the life of
    // the process, like their sources: a clone would allocate its working memory again.
    static COMPILED: OnceLock<RwLock<LiteMap<usize, &'static Regex>>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(RwLock::default);
    let key = source.as_ptr() as usize;
    if let Some(re) = compiled.read().ok().and_then(|c| c.get(&key).copied()) {
        return re;
    }
    let re = Regex::new(source)
        .unwrap_or_else(|_| Regex::new("$a").expect("a pattern that never matches"));
    match compiled.write() {
        Ok(mut c) => c.entry(key).or_insert_with(|| Box::leak(Box::new(re))),
        Err(_) => Box::leak(Box::new(re)),
    }
}

/// The part of a line for patterns: at most its first `max` bytes.
pub(super) fn window(line: &str, max: usize) -> &str {
    if line.len() <= max {
        return line;
    }
    &line[..floor(line, max)]
}

pub(super) fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The lines `from..to`, as one text of at most `max` bytes.
pub(super) fn block(text: &str, range: Range<usize>, max: usize) -> &str {
    let end = range.end.min(range.start + max);
    &text[range.start..floor(text, end.max(range.start))]
}

/// Stores named captures as facts; a suffix `__n` distinguishes alternatives of one fact. Existing
/// facts are kept; the shapes of one pattern are collected. Returns whether the pattern matched.
pub(super) fn capture(re: &Regex, text: &str, all: bool, facts: &mut Facts) -> bool {
    let mut matched = false;
    let mut shapes: Vec<Vec<i64>> = Vec::new();
    for caps in re.captures_iter(text) {
        matched = true;
        for name in re.capture_names().flatten() {
            let Some(m) = caps.name(name) else { continue };
            let base = name.split("__").next().unwrap_or(name);
            let (before, after) = (&text[..m.start()], &text[m.end()..]);
            match fact(base, m.as_str(), before, after) {
                Some(Value::Shapes(s)) => shapes.extend(s),
                Some(value) => {
                    facts.entry(base.to_owned()).or_insert(value);
                }
                None => {}
            }
        }
        if !all {
            break;
        }
    }
    if !shapes.is_empty() {
        facts
            .entry("shapes".into())
            .or_insert(Value::Shapes(shapes));
    }
    matched
}
