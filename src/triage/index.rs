//! Finds every literal of every rule in one pass over the text.

use litemap::LiteMap;
use nbmedic_catalog::{literals, rules, translated, Match, Numbered, Rule, Scope};
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

/// All literals of the catalogue, sorted; a literal's position is its number.
pub(super) struct Index {
    literals: Sieve,
    /// Matches that may look at lines, by literal.
    line_uses: ByLiteral,
    /// Whether a literal, by its number, is part of a message that may be in another language.
    noted: Vec<bool>,
    /// Matches on exceptions of any class, by literal.
    exception_uses: ByLiteral,
    /// The other matches on exceptions, by class (`""`: any class; `"*"`: all).
    by_class: LiteMap<&'static str, Vec<Use>>,
}

/// Uses, in the order of the literals' numbers.
struct ByLiteral {
    /// The start of each literal's uses; they end at the next number's start.
    heads: Vec<u32>,
    uses: Vec<Use>,
}

impl ByLiteral {
    /// A counting sort: browsers stop the engine often, and the index is built again each time.
    fn of(uses: &[Use], literals: usize) -> ByLiteral {
        let mut heads = vec![0; literals + 1];
        let numbers = |u: &Use| u.m.numbers.iter().map(|n| usize::from(*n));
        for n in uses.iter().flat_map(numbers) {
            heads[n + 1] += 1;
        }
        for n in 0..literals {
            heads[n + 1] += heads[n];
        }
        let mut sorted = Vec::new();
        if let Some(any) = uses.first() {
            sorted = vec![*any; heads[literals] as usize];
        }
        let mut next = heads.clone();
        for u in uses {
            for n in numbers(u) {
                sorted[next[n] as usize] = *u;
                next[n] += 1;
            }
        }
        ByLiteral {
            heads,
            uses: sorted,
        }
    }

    fn get(&self, n: usize) -> &[Use] {
        &self.uses[self.heads[n] as usize..self.heads[n + 1] as usize]
    }
}

pub(super) fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| Index::of(&rules().iter().collect::<Vec<_>>()))
}

impl Index {
    /// The index of these rules; their order does not matter.
    pub fn of(rules: &[&'static Rule]) -> Index {
        // Last lines are searched only after a death (`last_words`).
        let uses = rules
            .iter()
            .flat_map(|&rule| rule.matches.iter().map(move |m| Use { rule, m }))
            .filter(|u| u.m.scope != Scope::LastLine);
        let (mut on_lines, mut on_any, mut on_exceptions) = (Vec::new(), Vec::new(), Vec::new());
        for u in uses {
            if u.m.scope != Scope::Exception {
                on_lines.push(u);
            }
            if !matches!(u.m.scope, Scope::Exception | Scope::Any) {
                continue;
            }
            if u.m.class.is_empty() && !u.m.numbers.is_empty() {
                on_any.push(u);
            } else {
                let classes: &[&str] = match u.m.class[..] {
                    [] => &[""],
                    _ => u.m.class,
                };
                on_exceptions.extend(classes.iter().map(|class| (*class, u)));
            }
        }
        on_exceptions.sort_by_key(|(class, _)| *class);
        // Sorted, so each class is added at the end.
        let mut by_class: LiteMap<&'static str, Vec<Use>> = LiteMap::new();
        for (class, u) in on_exceptions {
            by_class.entry(class).or_default().push(u);
        }
        let numbered = |l: &&str| Numbered::ALL.iter().any(|n| n.prefix() == *l);
        let all = literals().iter().enumerate();
        Index {
            noted: all
                .map(|(n, l)| numbered(l) || !translated(n).is_empty())
                .collect(),
            line_uses: ByLiteral::of(&on_lines, literals().len()),
            exception_uses: ByLiteral::of(&on_any, literals().len()),
            literals: Sieve::new(literals().to_vec()),
            by_class,
        }
    }

    /// Finds the literals of a text.
    pub fn scan(&self, text: &str, mut line_at: impl FnMut(usize) -> usize) -> Hits {
        let mut hits = Hits {
            lines: vec![None; literals().len()],
            noted: Vec::new(),
        };
        self.literals.each(text, &mut |id, found| {
            let slot = hits.lines[id].get_or_insert_with(|| Kept::at(found.start));
            slot.span.end = found.start;
            if self.noted[id] || !self.line_uses.get(id).is_empty() {
                slot.add(line_at(found.start));
            }
        });
        let places = hits
            .lines
            .iter()
            .enumerate()
            .filter(|(id, _)| self.noted[*id]);
        hits.noted = places
            .flat_map(|(id, kept)| {
                kept.iter()
                    .flat_map(Kept::lines)
                    .map(move |line| (line, id))
            })
            .collect();
        hits
    }

    /// Whether one of the literals occurs.
    pub fn any(&self, hits: &Hits, literals: &[&'static str]) -> bool {
        let all = self.literals.literals();
        let hit = |l: &&'static str| all.binary_search(l).is_ok_and(|i| hits.lines[i].is_some());
        literals.iter().any(hit)
    }

    /// Whether a match on lines has this literal.
    pub fn is_for_lines(&self, literal: u16) -> bool {
        !self.line_uses.get(literal.into()).is_empty()
    }

    /// Lines that contain a literal of a match on lines, with that match; each pair once.
    pub fn candidates(&self, hits: &Hits) -> Vec<(usize, Use)> {
        let mut out: Vec<(usize, Use)> = Vec::new();
        for (id, kept) in hits.lines.iter().enumerate() {
            let Some(kept) = kept else { continue };
            for line in kept.lines() {
                out.extend(self.line_uses.get(id).iter().map(|u| (line, *u)));
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

    /// The numbers of the literals in a text, sorted.
    fn held(&self, text: &str) -> Vec<usize> {
        let mut held: Vec<usize> = Vec::new();
        self.literals.each(text, &mut |id, _| held.push(id));
        held.sort_unstable();
        held.dedup();
        held
    }

    /// Matches on exceptions of any class with a literal in the text.
    pub fn uses_with(&self, text: &str) -> Vec<Use> {
        let held = self.held(text);
        let holds = |u: &&Use| {
            let mut numbers = u.m.numbers.iter().map(|n| usize::from(*n));
            numbers.any(|n| held.binary_search(&n).is_ok())
        };
        let classed = self.by_class.values().flatten().filter(holds);
        let any = held.iter().flat_map(|n| self.exception_uses.get(*n));
        let mut out: Vec<Use> = classed.chain(any).copied().collect();
        let key = |u: &Use| (u.rule.id, std::ptr::from_ref(u.m));
        out.sort_by_key(key);
        out.dedup_by_key(|u| key(u));
        out
    }

    /// Matches on exceptions of a class; one of their literals, if they have any, is in the message.
    pub fn uses_for(&self, class: &str, message: &str) -> Vec<Use> {
        let held = self.held(message);
        let holds = |u: &&Use| {
            let mut numbers = u.m.numbers.iter().map(|n| usize::from(*n));
            u.m.numbers.is_empty() || numbers.any(|n| held.binary_search(&n).is_ok())
        };
        let classes = [class, "", "*"].into_iter();
        let of_class = classes.filter_map(|c| self.by_class.get(c)).flatten();
        let mut out: Vec<Use> = of_class.filter(holds).copied().collect();
        let known = out.len();
        let any = held.iter().flat_map(|n| self.exception_uses.get(*n));
        out.extend(any.copied());
        let key = |u: &Use| (u.rule.id, std::ptr::from_ref(u.m));
        out[known..].sort_by_key(key);
        out.dedup_by_key(|u| key(u));
        out
    }
}

/// The literals that occur, and their lines.
pub(super) struct Hits {
    lines: Vec<Option<Kept>>,
    noted: Vec<(usize, usize)>,
}

impl Hits {
    /// Lines with a literal of a message that may be in another language, and the literal's number.
    pub fn noted(&self) -> Vec<(usize, usize)> {
        self.noted.clone()
    }
}

/// The first and the last lines of a literal; occurrences in between are not needed.
#[derive(Clone)]
struct Kept {
    /// The first and the last start of the literal in the text.
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
