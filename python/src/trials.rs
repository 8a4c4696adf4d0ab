//! Trials of cures in a copy of the kernel: what is to be tried, and the cures after it.

use crate::cells::{found, pieces, Cell};
use nbmedic::cure::{rewritten, WIDE};
use nbmedic::facts::{Cure, Edit, FixKind, Tried};
use nbmedic::notebook::Piece;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Most cures that a card names.
const SHOWN: usize = 3;

/// The rank of a cure that was not tried.
const OPEN: u8 = 2;

/// A cure as something to try.
#[derive(Serialize)]
pub struct Candidate {
    /// Its place among the failure's cures.
    at: usize,
    /// What it does, in words.
    title: String,
    /// The cells to run, in order, each by its index and with the source to run; the failing one comes last.
    steps: Vec<(usize, String)>,
}

/// What a trial of a cure showed.
#[derive(Deserialize)]
pub struct Trial {
    /// The cure's place among the failure's cures.
    at: usize,
    /// Among the cures that are shown, the higher ones come first. Zero: it failed in the same way, and is not shown.
    rank: u8,
    /// What is said of it; none if nothing is.
    #[serde(default)]
    tried: Option<Tried>,
    /// The sources that ran in the end, each with the index of its cell, where more than the cure's own edits was needed.
    #[serde(default)]
    sources: Vec<(usize, String)>,
    /// What the further repairs do, in words.
    #[serde(default)]
    also: Vec<String>,
}

/// The cures of a cell's failure that can be tried, best first.
pub fn candidates(cells: Vec<Cell>, at: usize) -> Vec<Candidate> {
    let pieces = pieces(cells);
    let found = found(&pieces, at, true);
    let cures = found.iter().map(|(d, _)| &d.cures).find(|c| !c.is_empty());
    let cures = cures.into_iter().flatten().enumerate();
    let all = cures.filter_map(|(n, cure)| {
        Some(Candidate {
            at: n,
            title: cure.title.replace('`', ""),
            steps: steps(cure, &pieces, at)?,
        })
    });
    all.collect()
}

/// The cells that a cure changes or runs, in order, with their sources; none if it does neither, or does not fit.
fn steps(cure: &Cure, pieces: &[Piece], at: usize) -> Option<Vec<(usize, String)>> {
    if !matches!(cure.kind, FixKind::Edit | FixKind::Run) {
        return None;
    }
    let indexes = |positions: &mut dyn Iterator<Item = usize>| {
        let all: Option<Vec<usize>> = positions.map(|p| index(pieces, p)).collect();
        all
    };
    let mut cells = indexes(&mut cure.run.iter().copied())?;
    cells.truncate(cells.iter().position(|c| *c == at).unwrap_or(cells.len()));
    let mut changed = indexes(&mut cure.edits.iter().map(|e| e.cell))?;
    changed.retain(|c| *c != at && !cells.contains(c));
    changed.dedup();
    // What is changed comes before what is only run again.
    cells.splice(0..0, changed);
    cells.push(at);
    let source = |cell: usize| {
        let piece = &pieces[cell];
        let edits = cure.edits.iter().filter(|e| Some(e.cell) == piece.cell);
        let edits: Vec<&Edit> = edits.collect();
        Some((cell, Edit::apply(piece.source.as_deref()?, &edits)?))
    };
    let steps: Option<Vec<_>> = cells.into_iter().map(source).collect();
    steps.filter(|s| s.len() > 1 || !cure.edits.is_empty())
}

fn index(pieces: &[Piece], position: usize) -> Option<usize> {
    pieces.iter().position(|p| p.cell == Some(position))
}

/// Puts the cures into the order that their trials tell, with what these showed; those that failed in the same way go.
pub fn tell(cures: &mut Vec<Cure>, pieces: &[Piece], trials: &[Trial]) {
    let all = std::mem::take(cures).into_iter().enumerate();
    let mut ranked: Vec<(u8, Cure)> = all
        .map(|(n, cure)| match trials.iter().find(|t| t.at == n) {
            Some(trial) => (trial.rank, after(cure, pieces, trial)),
            None => (OPEN, cure),
        })
        // What nobody would offer unproven is not offered unproven.
        .filter(|(rank, cure)| *rank > 0 && (*rank > OPEN || !cure.id.starts_with(WIDE)))
        .collect();
    // Stable: what is equally good stays in the order of the cures.
    ranked.sort_by_key(|(rank, _)| Reverse(*rank));
    ranked.truncate(SHOWN);
    cures.extend(ranked.into_iter().map(|(_, cure)| cure));
}

fn after(cure: Cure, pieces: &[Piece], trial: &Trial) -> Cure {
    let cells = trial.sources.iter().filter_map(|(index, source)| {
        let piece = pieces.get(*index)?;
        Some((piece.cell?, piece.source.as_deref()?, source.as_str()))
    });
    let cells: Vec<_> = cells.collect();
    let mut cure = rewritten(&cure, &cells).unwrap_or(cure);
    if let Some((last, rest)) = trial.also.split_last() {
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let more: Vec<&str> = rest.into_iter().chain([last.as_str()]).collect();
        cure.title = format!("{}; then {}", cure.title, lower(&more.join("; then ")));
    }
    Cure {
        tried: trial.tried.clone(),
        ..cure
    }
}

/// A title inside a sentence: without its capital, if that is a word's and not a name's.
fn lower(title: &str) -> String {
    let mut chars = title.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(next)) if next.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => title.to_owned(),
    }
}
