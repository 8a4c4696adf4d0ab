//! `nbmedic replay`.

use crate::input;
use crate::out::say;
use crate::terminal::{paint, safe, DIM, MARK, STRONG};
use nbmedic::catalog::prose;
use nbmedic::page::{replay, Card};
use std::path::Path;

/// Replays an event log and prints the cards that are shown at its end.
pub fn run(file: &Path) -> Result<u8, String> {
    let bytes = input::bytes(file)?;
    let cards: Vec<Card> = replay(&String::from_utf8_lossy(&bytes), prose)
        .map_err(|e| format!("{}: {e}", file.display()))?;
    for c in &cards {
        say!(
            "{} {}  {}",
            paint(MARK, &safe(&c.cell)),
            paint(STRONG, &c.id),
            safe(&c.title)
        );
    }
    if cards.is_empty() {
        say!("{}", paint(DIM, "no card"));
    }
    Ok(u8::from(!cards.is_empty()))
}
