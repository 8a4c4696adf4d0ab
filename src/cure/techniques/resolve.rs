//! Asks the techniques and applies their precedence.

use super::technique::{Technique, To};
use crate::case::Case;
use nbmedic_facts::{Basis, Cure};

/// The cures of some techniques, in order. What a technique offers depends on what it yields to,
/// not on its position: techniques of the same rank don't see each other's cures.
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
                    .for_each(|c| c.basis = c.basis.max(Basis::Guessed));
            }
            of_rank.push((*place, own));
        }
        found.extend(of_rank);
        // The cause has been found.
        if group[0].1.alone && found.iter().any(|(_, c)| !c.is_empty()) {
            break;
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().flat_map(|(_, cures)| cures).collect()
}
