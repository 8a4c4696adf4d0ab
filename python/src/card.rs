//! The card of a cell that failed in a kernel, made from the cells of its session.

use crate::{style, text};
use nbmedic::catalog::{explain, find, prose, Prose};
use nbmedic::notebook::Piece;
use nbmedic::report::{triage_json, triage_markdown, Known};
use nbmedic::triage::{Diagnosis, Surface};
use nbmedic::view::{card, CardContext, Here};
use nbmedic::Examiner;

/// Below this confidence nothing is said, as on a page.
const LEAST: f32 = 0.5;

/// A cell: its count, its source, and what it printed.
pub type Cell = (i64, String, String);

fn pieces(cells: Vec<Cell>) -> Vec<Piece> {
    let piece = |(count, source, text): Cell| Piece {
        // People know a session's cells by their counts: where they stand in the notebook, a kernel is not told.
        cell: usize::try_from(count).ok().filter(|n| *n > 0),
        count: Some(count),
        source: Some(source),
        text,
    };
    cells.into_iter().map(piece).collect()
}

/// What is said of one of the cells, best first.
fn found(pieces: &[Piece], at: usize) -> Vec<(Diagnosis, Prose)> {
    let examined = Examiner::new(pieces, Surface::Output).piece(at, true);
    let all = examined.into_iter().flat_map(|e| e.diagnoses);
    all.filter(|d| d.confidence >= LEAST)
        .filter_map(|d| Some((prose(d.id)?, d)))
        .map(|(p, d)| (d, p))
        .collect()
}

/// The failure as Markdown, without secrets.
pub fn report(cells: Vec<Cell>, at: usize) -> String {
    let pieces = pieces(cells);
    let known = Known::of(pieces.iter().flat_map(Piece::texts));
    triage_markdown("notebook", &found(&pieces, at), &known)
}

/// The failure's JSON, and its card as HTML and as text.
pub fn of(cells: Vec<Cell>, at: usize, width: usize) -> Option<(String, String, String)> {
    let pieces = pieces(cells);
    let found = found(&pieces, at);
    let ((best, page), others) = found.split_first()?;
    let further: Vec<String> = others.iter().map(|(d, p)| explain(d, p).title).collect();
    let source = pieces.get(at)?.source.as_deref().unwrap_or("");
    let line = best.location.line.and_then(|n| {
        let at = usize::try_from(n).ok()?.checked_sub(1)?;
        Some((n, source.lines().nth(at)?))
    });
    let rule = find(best.id);
    let tree = card(
        &explain(best, page),
        &CardContext {
            severity: rule.map_or("error", |r| r.severity_of(best.variant)),
            line,
            late: rule.is_some_and(|r| r.late),
            further: &further,
            here: Here {
                position: best.location.cell,
                ..Here::default()
            },
            ..CardContext::default()
        },
    )
    // An extension on the page knows by it that this is nbmedic's own.
    .attr("data-nbmedic", "card");
    let html = style::html(&tree);
    Some((
        triage_json("-", &found),
        html,
        text::text(&tree, width, best.id),
    ))
}
