//! Reads files and standard input into pieces of text.

use nbmedic::notebook::{pieces, Piece};
use std::io::Read;
use std::path::Path;

/// Maximum size of one input. A longer one is cut in the middle, because the end matters most.
const MAX_BYTES: usize = 64 << 20;

/// Reads an input: a notebook's cells, or plain text.
///
/// # Errors
/// A message that names the input and says what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<Piece>, String> {
    let name = path.display().to_string();
    let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
    pieces(&name, text).map_err(|e| format!("{name}: {e}"))
}

/// The bytes of a file or, for `-`, of standard input.
///
/// # Errors
/// A message that names the input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut out)
            .map_err(|e| format!("standard input: {e}"))?;
    } else {
        if path.is_dir() {
            return Err(format!(
                "{} is a folder: name the files in it",
                path.display()
            ));
        }
        out = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if out.len() > MAX_BYTES && path.extension().is_none_or(|e| e != "ipynb") {
        let tail = out.split_off(out.len() - MAX_BYTES / 2);
        out.truncate(MAX_BYTES / 2);
        out.extend_from_slice(b"\n");
        out.extend(tail);
    }
    Ok(out)
}
