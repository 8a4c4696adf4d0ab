//! `nbmedic replay`.

use crate::input;
use crate::terminal::{paint, DIM, MARK, STRONG};
use nbmedic::catalog::prose;
use nbmedic::page::{replay, Card};
use std::path::Path;
use std::process::ExitCode;

/// Replays an event log and prints the cards that are shown at its end.
pub fn run(file: &Path) -> Result<ExitCode, String> {
    let bytes = input::bytes(file)?;
    let cards: Vec<Card> = replay(&String::from_utf8_lossy(&bytes), prose)
        .map_err(|e| format!("{}: {e}", file.display()))?;
    for c in &cards {
        anstream::println!(
            "{} {}  {}",
            paint(MARK, &c.cell),
            paint(STRONG, &c.id),
            c.title
        );
    }
    if cards.is_empty() {
        anstream::println!("{}", paint(DIM, "no card"));
    }
    Ok(ExitCode::from(u8::from(!cards.is_empty())))
}
