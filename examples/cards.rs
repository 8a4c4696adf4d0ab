//! Prints the cards of a notebook as JSON: what `tests/js/look.mjs` shows in light and dark, wide and narrow.
//!
//!     cargo run -q -p nbmedic --features prose --example cards NOTEBOOK.ipynb > cards.json

// The engine does no I/O; this program's purpose is to print.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use nbmedic::catalog::{explain, find, prose};
use nbmedic::examine;
use nbmedic::notebook::pieces;
use nbmedic::triage::Surface;
use nbmedic::view::{card, CardContext, Here, Node};

fn main() -> Result<(), String> {
    let mut cards: Vec<Node> = Vec::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
        let pieces = pieces(&path, text)?;
        // As on a page: each cell has an id, and takes a new cell below it.
        let cells: Vec<(usize, String)> = pieces
            .iter()
            .filter_map(|p| Some((p.cell?, format!("cell-{}", p.cell?))))
            .collect();
        for found in examine(&pieces, Surface::Output) {
            let Some(best) = found.diagnoses.first() else {
                continue;
            };
            let Some(prose) = prose(best.id) else {
                continue;
            };
            let piece = &pieces[found.piece];
            let line = best.location.line.and_then(|n| {
                let mut lines = piece.source.as_deref()?.lines();
                Some((n, lines.nth(n.checked_sub(1)? as usize)?))
            });
            let context = CardContext {
                card: "n/c",
                severity: find(best.id).map_or("error", |r| r.severity),
                line,
                here: Here {
                    position: piece.cell,
                    cells: &cells,
                    inserts: true,
                    tries: false,
                },
                ..CardContext::default()
            };
            cards.push(card(&explain(best, &prose), &context).english());
        }
    }
    println!(
        "{}",
        serde_json::to_string(&cards).map_err(|e| e.to_string())?
    );
    Ok(())
}
