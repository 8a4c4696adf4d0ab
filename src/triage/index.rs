//! One pass over the text finds every literal of every rule.

use crate::catalog::{rules, Match, Rule, Scope};
use crate::text::Literals;
use litemap::LiteMap;
use regex_lite::Regex;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::{OnceLock, RwLock};

/// Lines kept per literal, from the start and from the end of the text.
const KEPT_LINES: usize = 24;

/// One use of a literal by a match.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub rule: &'static Rule,
    pub m: &'static Match,
}

/// All literals of the catalogue.
pub(super) struct Index {
    literals: Literals,
    /// Matches that may look at lines, by literal.
    line_uses: Vec<Vec<Use>>,
    ids: LiteMap<&'static str, usize>,
    /// Matches on exceptions, by class (`""`: any class, found by its literal; `"*"`: all).
    by_class: LiteMap<&'static str, Vec<Use>>,
}

pub(super) fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(Index::build)
}

impl Index {
    fn build() -> Index {
        let mut ids: LiteMap<&'static str, usize> = LiteMap::new();
        let mut line_uses: Vec<Vec<Use>> = Vec::new();
        let mut by_class: LiteMap<&'static str, Vec<Use>> = LiteMap::new();
        let mut literals: Vec<&'static str> = Vec::new();
        for rule in rules() {
            for m in &rule.matches {
                let mut id = |literal: &'static str| {
                    *ids.entry(literal).or_insert_with(|| {
                        literals.push(literal);
                        line_uses.push(Vec::new());
                        literals.len() - 1
                    })
                };
                let own: Vec<usize> = m.literal.iter().map(|l| id(l)).collect();
                for l in m.near.iter().chain(&m.absent) {
                    id(l);
                }
                if m.scope != Scope::Exception {
                    for i in own {
                        line_uses[i].push(Use { rule, m });
                    }
                }
                if matches!(m.scope, Scope::Exception | Scope::Any) {
                    if m.class.is_empty() {
                        by_class.entry("").or_default().push(Use { rule, m });
                    }
                    for class in &m.class {
                        by_class.entry(class).or_default().push(Use { rule, m });
                    }
                }
            }
        }
        Index {
            literals: Literals::new(&literals),
            line_uses,
            ids,
            by_class,
        }
    }

    /// Finds the literals of a text.
    pub fn scan(&self, text: &str, line_at: impl Fn(usize) -> usize) -> Hits {
        let mut hits = Hits {
            lines: vec![None; self.line_uses.len()],
        };
        self.literals.each(text, |id, found| {
            let slot = hits.lines[id].get_or_insert_with(Kept::default);
            if !self.line_uses[id].is_empty() {
                slot.add(line_at(found.start));
            }
            ControlFlow::Continue(())
        });
        hits
    }

    /// Whether one of the literals occurs.
    pub fn any(&self, hits: &Hits, literals: &[&'static str]) -> bool {
        literals
            .iter()
            .any(|l| self.ids.get(l).is_some_and(|&i| hits.lines[i].is_some()))
    }

    /// Lines that hold a literal of a match on lines, with that match, each pair once.
    pub fn candidates(&self, hits: &Hits) -> Vec<(usize, Use)> {
        let mut out: LiteMap<(usize, &'static str, *const Match), Use> = LiteMap::new();
        for (id, kept) in hits.lines.iter().enumerate() {
            let Some(kept) = kept else { continue };
            for line in kept.lines() {
                for u in &self.line_uses[id] {
                    out.entry((line, u.rule.id, u.m)).or_insert(*u);
                }
            }
        }
        out.into_iter().map(|((line, _, _), u)| (line, u)).collect()
    }

    /// Matches on exceptions of a class.
    pub fn uses_for(&self, class: &str) -> impl Iterator<Item = Use> + '_ {
        [class, "", "*"]
            .into_iter()
            .filter_map(|c| self.by_class.get(c))
            .flatten()
            .copied()
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// Which literals occur, and on which lines.
pub(super) struct Hits {
    lines: Vec<Option<Kept>>,
}

/// The first and the last lines of a literal: a flood in between adds nothing.
#[derive(Clone, Default)]
struct Kept {
    first: Vec<usize>,
    last: std::collections::VecDeque<usize>,
}

impl Kept {
    fn add(&mut self, line: usize) {
        if self.first.last() == Some(&line) || self.last.back() == Some(&line) {
            return;
        }
        if self.first.len() < KEPT_LINES {
            self.first.push(line);
            return;
        }
        if self.last.len() == KEPT_LINES {
            self.last.pop_front();
        }
        self.last.push_back(line);
    }

    fn lines(&self) -> impl Iterator<Item = usize> + '_ {
        self.first.iter().chain(&self.last).copied()
    }
}

/// A pattern, compiled when a text first needs it.
///
/// The build has compiled every pattern once, so an error here can't happen; such a pattern would
/// match nothing.
pub(super) fn pattern(source: &'static str) -> Regex {
    static COMPILED: OnceLock<RwLock<HashMap<&'static str, Regex>>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(RwLock::default);
    if let Some(re) = compiled.read().ok().and_then(|c| c.get(source).cloned()) {
        return re;
    }
    let re = Regex::new(source)
        .unwrap_or_else(|_| Regex::new("$a").expect("a pattern that never matches"));
    if let Ok(mut c) = compiled.write() {
        c.insert(source, re.clone());
    }
    re
}

/// The part of a line that patterns see: all of it, or a window around where it is interesting.
pub(super) fn window(line: &str, max: usize) -> &str {
    if line.len() <= max {
        return line;
    }
    &line[..floor(line, max)]
}

fn floor(text: &str, mut at: usize) -> usize {
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
