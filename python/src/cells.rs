//! The cells of a session, and what is said of one of them.

use nbmedic::catalog::{prose, Prose};
use nbmedic::notebook::Piece;
use nbmedic::triage::{Diagnosis, Surface};
use nbmedic::Examiner;

/// Below this confidence nothing is said, as on a page.
const LEAST: f32 = 0.5;

/// A cell: its count, its source, and what it printed.
pub type Cell = (i64, String, String);

/// The cells as the engine reads them.
pub fn pieces(cells: Vec<Cell>) -> Vec<Piece> {
    let piece = |(count, source, text): Cell| Piece {
        // People know a session's cells by their counts: where they stand in the notebook, a kernel is not told.
        cell: usize::try_from(count).ok().filter(|n| *n > 0),
        count: Some(count),
        source: Some(source),
        text,
    };
    cells.into_iter().map(piece).collect()
}

/// What is said of one of the cells, best first; with all cures that a trial could decide between, if that is asked for.
pub fn found(pieces: &[Piece], at: usize, tried: bool) -> Vec<(Diagnosis, Prose)> {
    let examiner = Examiner::new(pieces, Surface::Output);
    let mut examiner = match tried {
        true => examiner.tried(),
        false => examiner,
    };
    let all = examiner.piece(at, true).into_iter();
    all.flat_map(|e| e.diagnoses)
        .filter(|d| d.confidence >= LEAST)
        .filter_map(|d| Some((prose(d.id)?, d)))
        .map(|(p, d)| (d, p))
        .collect()
}
