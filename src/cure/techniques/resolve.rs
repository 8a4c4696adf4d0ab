//! Asks the techniques, and lets each yield to those that it says it yields to.

use super::Technique;
use crate::case::Case;
use nbmedic_facts::{Applicability, Cure, FixKind};

/// What makes a technique yield: cures of techniques of a lower rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// Nothing does.
    Nothing,
    /// Any cure silences it.
    Any,
    /// An edit silences it.
    Edit,
    /// A package to install silences it.
    Install,
    /// A cure of one of these names silences it.
    Ids(&'static [&'static str]),
    /// Where there is an edit of the person's own line, it is no surer than `maybe`.
    Doubt,
}

impl To {
    /// Whether one of some cures silences it.
    fn silenced(self, by: &[Cure]) -> bool {
        by.iter().any(|c| match self {
            To::Nothing | To::Doubt => false,
            To::Any => true,
            To::Edit => c.kind == FixKind::Edit,
            To::Install => c.kind == FixKind::Install,
            To::Ids(all) => all.contains(&&*c.id),
        })
    }
}

/// The cures of some techniques, in their order. What a technique offers depends on what it yields to, not on its place: those
/// of one rank do not see each other's cures.
pub(crate) fn offered(case: &Case<'_>, all: &[Technique]) -> Vec<Cure> {
    let text = case.book.is_excerpt();
    let mut asked: Vec<(usize, &Technique)> = all
        .iter()
        .enumerate()
        .filter(|(_, t)| t.of_text || !text)
        .collect();
    asked.sort_by_key(|(place, t)| (!t.alone, t.rank, *place));
    let mut found: Vec<(usize, Vec<Cure>)> = Vec::new();
    for group in asked.chunk_by(|(_, a), (_, b)| (a.alone, a.rank) == (b.alone, b.rank)) {
        let before: Vec<Cure> = found.iter().flat_map(|(_, c)| c.iter().cloned()).collect();
        let mut of_rank = Vec::new();
        for (place, technique) in group {
            if technique.yields.silenced(&before) {
                continue;
            }
            let mut own = Vec::new();
            (technique.offer)(case, &mut own);
            let edited = before.iter().any(|c| !c.edits.is_empty());
            if technique.yields == To::Doubt && edited && !text {
                own.iter_mut()
                    .for_each(|c| c.applies = c.applies.max(Applicability::Maybe));
            }
            of_rank.push((*place, own));
        }
        found.extend(of_rank);
        // It has found the cause.
        if group[0].1.alone && found.iter().any(|(_, c)| !c.is_empty()) {
            break;
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().flat_map(|(_, cures)| cures).collect()
}
