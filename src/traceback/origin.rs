//! Whose code a file is.

use super::chain::Origin;
use nbmedic_text::Sieve;
use std::sync::LazyLock;

const LIBRARY_PATHS: &str = include_str!("library_paths.txt");

/// The marks of `library_paths.txt`, searched for all at once.
struct Marks {
    find: Sieve,
    /// For each mark: whether it must be at the beginning, and what follows its `*`.
    rest: Vec<(bool, Option<&'static str>)>,
}

static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut rest = Vec::new();
    for mark in LIBRARY_PATHS
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let start = mark.strip_prefix('^');
        let (word, after) = match start.unwrap_or(mark).split_once('*') {
            Some((word, after)) => (word, Some(after)),
            None => (start.unwrap_or(mark), None),
        };
        words.push(word);
        rest.push((start.is_some(), after));
    }
    Marks {
        find: Sieve::new(words),
        rest,
    }
});

/// The origin of a frame by its file, as printed.
pub(super) fn of(file: &str) -> Origin {
    if let Some(count) = cell(file) {
        return Origin::Cell { count };
    }
    let lower = |c: char| {
        if c == '\\' {
            '/'
        } else {
            c.to_ascii_lowercase()
        }
    };
    let path: String = file.chars().map(lower).collect();
    let mut library = false;
    MARKS.find.each(&path, &mut |id, found| {
        let Some((start, after)) = MARKS.rest.get(id) else {
            return;
        };
        let version = |c: char| c.is_ascii_digit() || c == '.';
        library |= (!start || found.start == 0)
            && after.is_none_or(|a| path[found.end..].trim_start_matches(version).starts_with(a));
    });
    if library {
        Origin::Library
    } else {
        Origin::User
    }
}

/// Whether the file is a notebook cell, and its execution count if the name contains it.
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
    let mut parts = file.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or("");
    let dir = parts.next().unwrap_or("");
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
