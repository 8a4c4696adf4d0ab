//! Writes what the parser finds in the traceback fixtures to `expected.json`. Review the difference
//! before you commit it: `cargo run --example bless_traceback && git diff tests/fixtures`.
// The engine does no I/O; this program's purpose is to write a file.
#![allow(clippy::disallowed_methods)]

#[path = "../tests/support/traceback_snapshot.rs"]
mod traceback_snapshot;

use serde_json::{Map, Value};
use traceback_snapshot::{fixtures, folder, snapshot};

fn main() -> std::io::Result<()> {
    let all: Map<String, Value> = fixtures()
        .into_iter()
        .map(|(name, text)| (name, snapshot(&text)))
        .collect();
    let mut text = serde_json::to_string_pretty(&all)?;
    text.push('\n');
    std::fs::write(folder().join("expected.json"), text)
}
