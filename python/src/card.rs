//! The card of a cell that failed in a kernel, made from the cells of its session.

use crate::cells::{found, pieces, Cell};
use crate::trials::{self, Trial};
use crate::{style, text};
use nbmedic::catalog::{explain, find, Prose};
use nbmedic::notebook::Piece;
use nbmedic::report::{triage_json, triage_markdown, Known};
use nbmedic::triage::Diagnosis;
use nbmedic::view::{card, CardContext, Here};

/// The same after trials of its cures, if there were any.
fn told(pieces: &[Piece], at: usize, trials: &[Trial]) -> Vec<(Diagnosis, Prose)> {
    if trials.is_empty() {
        return found(pieces, at, false);
    }
    let mut found = found(pieces, at, true);
    if let Some((d, _)) = found.iter_mut().find(|(d, _)| !d.cures.is_empty()) {
        trials::tell(&mut d.cures, pieces, trials);
    }
    found
}

/// The failure as Markdown, without secrets.
pub fn report(cells: Vec<Cell>, at: usize, trials: &[Trial]) -> String {
    let pieces = pieces(cells);
    let known = Known::of(pieces.iter().flat_map(Piece::texts));
    triage_markdown("notebook", &told(&pieces, at, trials), &known)
}

/// The failure's JSON, and its card as HTML and as text.
pub fn of(
    cells: Vec<Cell>,
    at: usize,
    width: usize,
    trials: &[Trial],
) -> Option<(String, String, String)> {
    let pieces = pieces(cells);
    let found = told(&pieces, at, trials);
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
