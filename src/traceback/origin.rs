//! Whose code a file is.

use super::chain::Origin;

const LIBRARY_PATHS: &str = include_str!("library_paths.txt");

/// Decides by a frame's file, as printed.
pub(super) fn of(file: &str) -> Origin {
    if let Some(count) = cell(file) {
        return Origin::Cell { count };
    }
    let path = file.replace('\\', "/").to_ascii_lowercase();
    let marks = LIBRARY_PATHS
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    for mark in marks {
        let hit = match mark.strip_prefix('^') {
            Some(start) => path.starts_with(start),
            None => contains(&path, mark),
        };
        if hit {
            return Origin::Library;
        }
    }
    Origin::User
}

/// Whether the path contains the mark, whose `*` stands for digits and dots.
fn contains(path: &str, mark: &str) -> bool {
    let Some((before, after)) = mark.split_once('*') else {
        return path.contains(mark);
    };
    path.match_indices(before).any(|(i, _)| {
        path[i + before.len()..]
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
            .starts_with(after)
    })
}

/// Whether the file is a notebook cell, and its execution count where the name has it.
fn cell(file: &str) -> Option<Option<u32>> {
    // IPython up to 7: <ipython-input-5-0a1b2c3d4e5f>; Colab since 2025: /tmp/ipython-input-123.py
    if let Some(rest) = file.strip_prefix("<ipython-input-") {
        return Some(digits(rest));
    }
    // Cell In[5], Cell In [5], Input In [5], In[5]: the forms of IPython 8 and 9.
    for start in ["Cell In", "Input In", "In"] {
        let rest = file
            .strip_prefix(start)
            .map(str::trim_start)
            .and_then(|r| r.strip_prefix('['));
        if let Some(rest) = rest {
            return Some(digits(rest));
        }
    }
    let slashed = file.replace('\\', "/");
    let name = slashed.rsplit('/').next().unwrap_or("");
    let dir = slashed[..slashed.len() - name.len()].trim_end_matches('/');
    let dir = dir.rsplit('/').next().unwrap_or("");
    // ipykernel 6: /tmp/ipykernel_17/100.py. Databricks: <command-123>. marimo's cell files.
    let known = (dir.starts_with("ipykernel_") && name.ends_with(".py"))
        || name.starts_with("ipython-input-")
        || name.starts_with("<ipython-input-")
        || name.starts_with("<command-")
        || name.starts_with("command-") && file.starts_with('<')
        || name.starts_with("__marimo__cell_")
        || file.starts_with("<stdin-cell");
    if known {
        return Some(None);
    }
    // VS Code: /home/u/a.ipynb Cell 5
    let (_, rest) = file.split_once(".ipynb Cell ")?;
    digits(rest).map(|_| None)
}

fn digits(s: &str) -> Option<u32> {
    let end = s
        .bytes()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(s.len());
    s[..end].parse().ok()
}
