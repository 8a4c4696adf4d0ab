//! Finds every literal of every rule in one pass over the text.

use litemap::LiteMap;
use nbmedic_catalog::{rules, Match, Rule, Scope};
use nbmedic_text::Sieve;
use std::ops::Range;
use std::sync::OnceLock;

/// Lines kept for each literal, from the start and from the end of the text.
const KEPT_LINES: usize = 24;

/// One use of a literal by a match.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub rule: &'static Rule,
    pub m: &'static Match,
}

/// A match on exceptions, with the numbers of its literals, one of which must be in the message.
type OnException = (Use, Vec<usize>);

/// All literals of the catalogue, sorted; a literal's position is its number.
pub(super) struct Index {
    literals: Sieve,
    /// Matches that may look at lines, by literal.
    line_uses: Vec<Vec<Use>>,
    /// Matches on exceptions, by class (`""`: any class, found by its literal; `"*"`: all).
    by_class: LiteMap<&'static str, Vec<OnException>>,
}

pub(super) fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| Index::of(&rules().iter().collect::<Vec<_>>()))
}

impl Index {
    /// The index of these rules; their order does not matter.
    pub fn of(rules: &[&'static Rule]) -> Index {
        // Last lines are searched only after a death (`last_words`).
        let matches = || {
            let all = rules.iter().flat_map(|r| r.matches);
            all.filter(|m| m.scope != Scope::LastLine)
        };
        let all = |m: &'static Match| m.literal.iter().chain(m.near).chain(m.absent);
        // Only facts that are read anywhere are searched for in the whole text.
        let facts = rules.iter().flat_map(|r| r.facts).filter(|f| f.anywhere);
        let mut literals: Vec<&'static str> = matches().flat_map(all).copied().collect();
        literals.extend(facts.flat_map(|f| f.begins));
        literals.sort_unstable();
        literals.dedup();
        let mut line_uses: Vec<Vec<Use>> = vec![Vec::new(); literals.len()];
        let mut by_class: LiteMap<&'static str, Vec<OnException>> = LiteMap::new();
        for &rule in rules {
            for m in rule.matches.iter().filter(|m| m.scope != Scope::LastLine) {
                let numbers = m.literal.iter().flat_map(|l| literals.binary_search(l));
                let numbers: Vec<usize> = numbers.collect();
                if m.scope != Scope::Exception {
                    for &i in &numbers {
                        line_uses[i].push(Use { rule, m });
                    }
                }
                if matches!(m.scope, Scope::Exception | Scope::Any) {
                    let classes: &[&str] = match m.class[..] {
                        [] => &[""],
                        _ => m.class,
                    };
                    for class in classes {
                        let on = (Use { rule, m }, numbers.clone());
                        by_class.entry(class).or_default().push(on);
                    }
                }
            }
        }
        Index {
            literals: Sieve::new(literals),
            line_uses,
            by_class,
        }
    }

    /// Finds the literals of a text.
    pub fn scan(&self, text: &str, mut line_at: impl FnMut(usize) -> usize) -> Hits {
        let mut hits = Hits {
            lines: vec![None; self.line_uses.len()],
        };
        self.literals.each(text, &mut |id, found| {
            let slot = hits.lines[id].get_or_insert_with(|| Kept::at(found.start));
            slot.span.end = found.start;
            if !self.line_uses[id].is_empty() {
                slot.add(line_at(found.start));
            }
        });
        hits
    }

    /// Whether one of the literals occurs.
    pub fn any(&self, hits: &Hits, literals: &[&'static str]) -> bool {
        let all = self.literals.literals();
        let hit = |l: &&'static str| all.binary_search(l).is_ok_and(|i| hits.lines[i].is_some());
        literals.iter().any(hit)
    }

    /// Lines that contain a literal of a match on lines, with that match; each pair once.
    pub fn candidates(&self, hits: &Hits) -> Vec<(usize, Use)> {
        let mut out: Vec<(usize, Use)> = Vec::new();
        for (id, kept) in hits.lines.iter().enumerate() {
            let Some(kept) = kept else { continue };
            for line in kept.lines() {
                out.extend(self.line_uses[id].iter().map(|u| (line, *u)));
            }
        }
        let key = |(line, u): &(usize, Use)| (*line, u.rule.id, std::ptr::from_ref(u.m));
        out.sort_by_key(key);
        out.dedup_by_key(|c| key(c));
        out
    }

    /// The range from the first to the last start of any of the literals.
    pub fn spread(&self, hits: &Hits, literals: &[&'static str]) -> Option<Range<usize>> {
        let all = self.literals.literals();
        let span = |l: &&'static str| {
            let kept = hits.lines[all.binary_search(l).ok()?].as_ref()?;
            Some(kept.span.clone())
        };
        let join = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        literals.iter().filter_map(span).reduce(join)
    }

    /// Matches on exceptions of a class; one of their literals, if they have any, is in the message.
    pub fn uses_for(&self, class: &str, message: &str) -> Vec<Use> {
        let mut held = vec![false; self.line_uses.len()];
        self.literals.each(message, &mut |id, _| held[id] = true);
        let classes = [class, "", "*"].into_iter();
        classes
            .filter_map(|c| self.by_class.get(c))
            .flatten()
            .filter(|(_, l)| l.is_empty() || l.iter().any(|&i| held[i]))
            .map(|(u, _)| *u)
            .collect()
    }
}

/// Which literals occur, and on which lines.
pub(super) struct Hits {
    lines: Vec<Option<Kept>>,
}

/// The first and the last lines of a literal; occurrences in between are not needed.
#[derive(Clone)]
struct Kept {
    /// Where the literal starts first and last in the text.
    span: Range<usize>,
    first: Vec<usize>,
    last: std::collections::VecDeque<usize>,
}

impl Kept {
    fn at(start: usize) -> Self {
        Kept {
            span: start..start,
            first: Vec::new(),
            last: std::collections::VecDeque::new(),
        }
    }

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
