//! Reads a TOML file.

use std::{fs, path::Path};

/// A file as a type; errors say which file.
pub(crate) fn toml_file<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}
