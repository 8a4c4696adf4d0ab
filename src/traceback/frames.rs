//! Lines that name a frame.

use super::chain::{Frame, Origin, Style};
use super::origin;
use std::borrow::Cow;

/// Maximum number of frames kept of one exception: the first and the last.
const MAX_FRAMES: usize = 400;
const KEPT_FIRST: usize = 100;

/// What a frame line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub file: String,
    pub line: Option<u32>,
    pub function: Option<String>,
    /// The origin, if something other than the file shows it.
    pub origin: Option<Origin>,
}

impl Head {
    /// The head of a line that does not name the file.
    pub fn unnamed(origin: Origin, line: Option<u32>, function: &str) -> Self {
        Self {
            origin: Some(origin),
            ..Self::new("", line, Some(function))
        }
    }

    fn new(file: &str, line: Option<u32>, function: Option<&str>) -> Self {
        let function = function.map(|f| f.trim().trim_end_matches('*').trim_end());
        let function = function
            .filter(|f| !f.is_empty())
            .map(|f| clip(bare_name(f), 200));
        Self {
            file: clip(file.trim(), 1024),
            line,
            function,
            origin: None,
        }
    }

    pub fn frame(self, at: usize) -> Frame {
        let origin = self.origin.unwrap_or_else(|| origin::of(&self.file));
        Frame {
            file: self.file,
            line: self.line,
            function: self.function,
            code: None,
            origin,
            at,
        }
    }
}

/// The first `max` bytes, whole characters.
pub(super) fn clip(s: &str, max: usize) -> String {
    let mut n = s.len().min(max);
    while !s.is_char_boundary(n) {
        n -= 1;
    }
    s[..n].to_string()
}

/// A function without its arguments.
fn bare_name(f: &str) -> &str {
    match f.find('(') {
        Some(i) if i > 0 => &f[..i],
        _ => f,
    }
}

fn number(s: &str) -> Option<(u32, &str)> {
    let n = s.bytes().take_while(u8::is_ascii_digit).count();
    Some((s[..n].parse().ok()?, &s[n..]))
}

/// `File "path", line 3, in f`
pub(super) fn cpython(s: &str) -> Option<Head> {
    let rest = s.trim().strip_prefix("File \"")?;
    let (file, rest) = rest
        .rsplit_once("\", line ")
        .or_else(|| rest.split_once("\", line"))?;
    let Some((line, rest)) = number(rest) else {
        // Wrapped by a narrow terminal.
        return rest.trim().is_empty().then(|| Head::new(file, None, None));
    };
    match rest.trim_end() {
        "" | "," => Some(Head::new(file, Some(line), None)),
        rest => {
            let function = rest.strip_prefix(", in")?;
            Some(Head::new(file, Some(line), Some(function)))
        }
    }
}

/// The frame lines of IPython 8 and later, and of its plain mode: `Cell In[5], line 3, in f(x)`,
/// `Input In [5], in f(x)`, `File ~/x.py:12, in f(x)`, `File ~/x.py:12 in f`.
pub(super) fn ipython_new(s: &str) -> Option<Head> {
    let s = unlink(s.trim());
    let s: &str = &s;
    for start in ["Cell In", "Input In"] {
        let Some(rest) = s.strip_prefix(start) else {
            continue;
        };
        let inner = rest.trim_start().strip_prefix('[')?;
        let close = inner.find(']')?;
        let rest = &inner[close + 1..];
        let file = &s[..s.len() - rest.len()];
        let (line, rest) = match rest.strip_prefix(", line ") {
            Some(rest) => number(rest).map(|(n, r)| (Some(n), r))?,
            None => (None, rest),
        };
        let function = rest.strip_prefix(", in ").or(rest.strip_prefix(" in "));
        if !rest.is_empty() && function.is_none() {
            return None;
        }
        return Some(Head::new(file, line, function));
    }
    let rest = s.strip_prefix("File ")?;
    if rest.starts_with('"') {
        return None;
    }
    let (place, function) = match rest.find(", in ").or_else(|| rest.find(" in ")) {
        Some(i) => (
            &rest[..i],
            Some(rest[i..].trim_start_matches(',').trim_start_matches(" in ")),
        ),
        None => (rest, None),
    };
    let (file, line) = place_of(place);
    let known = line.is_some() || function.is_some() && path_like(file);
    (known && !file.contains(", ")).then(|| Head::new(file, line, function))
}

/// Splits `path:12`.
fn place_of(s: &str) -> (&str, Option<u32>) {
    match s.rsplit_once(':') {
        Some((file, n)) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
            (file, n.parse().ok())
        }
        _ => (s, None),
    }
}

/// The frame lines of IPython before 8: `<ipython-input-5-…> in f(x)`, `/x/y.py in f(x)`, and VS
/// Code's `/x/a.ipynb Cell 5 in <cell line: 1>()`. The caller checks the lines around it.
pub(super) fn ipython_old(s: &str) -> Option<Head> {
    if s.starts_with(char::is_whitespace) || s.len() > 4096 {
        return None;
    }
    let s = unlink(s.trim_end());
    let s: &str = &s;
    if let Some((file, rest)) = s.split_once(".ipynb Cell ") {
        let (cell, rest) = number(rest)?;
        let file = format!("{file}.ipynb Cell {cell}");
        let rest = rest.trim_start_matches('\'');
        let line = rest
            .strip_prefix(" line ")
            .and_then(|r| number(r))
            .map(|(n, _)| n);
        let function = rest.split_once(" in ").map(|(_, f)| f);
        return Some(Head::new(&file, line, function));
    }
    let (file, function) = match s.split_once(" in ") {
        Some((file, function)) => (file, Some(function)),
        // VS Code omits the function of the cell, and a web page drops `<module>`.
        None => (s.strip_suffix(" in").unwrap_or(s), None),
    };
    let function_ok = function.is_some_and(|f| !f.starts_with(['\'', '"']) && !f.is_empty());
    (path_like(file) && (function_ok || function.is_none() && is_cell(file)))
        .then(|| Head::new(file, None, function))
}

fn is_cell(file: &str) -> bool {
    matches!(origin::of(file), Origin::Cell { .. })
}

fn path_like(s: &str) -> bool {
    if s.is_empty() || s.contains(['"', '\'', '=', '(', ',', ';', '|']) {
        return false;
    }
    let angle = s.starts_with('<') && s.ends_with('>');
    let b = s.as_bytes();
    let drive =
        b.len() > 2 && b[0].is_ascii_alphabetic() && b[1] == b':' && matches!(b[2], b'\\' | b'/');
    let rooted = s.starts_with(['/', '~', '.']) || drive;
    let source = [".py", ".pyx", ".pxi", ".pyc", ".so", ".pyd"]
        .iter()
        .any(|e| s.ends_with(e));
    // Only Windows users have spaces in such paths.
    let spaced = s.contains(' ') && !(drive || source && rooted);
    angle || (!spaced && (source || rooted && s.contains(['/', '\\'])))
}

/// The lines of rich's boxes: `/x/y.py:12 in f`, `in f:12` for code without a file.
pub(super) fn rich(s: &str) -> Option<Head> {
    let s = s.trim();
    if let Some(rest) = s.strip_prefix("in ") {
        let (function, line) = place_of(rest);
        line?;
        // Without a file: a cell, or the import machinery.
        let import = function.starts_with('_') || function == "exec_module";
        let origin = if import {
            Origin::Library
        } else {
            Origin::Cell { count: None }
        };
        return Some(Head::unnamed(origin, line, function));
    }
    let (place, function) = s.split_once(" in ")?;
    let (file, line) = place_of(place);
    line?;
    path_like(file).then(|| Head::new(file, line, Some(function)))
}

/// Keras's frames within "in user code:": `/x/y.py:571 train_step  *`.
pub(super) fn user_code(s: &str) -> Option<Head> {
    if let Some(head) = cpython(s) {
        return Some(head);
    }
    let s = s.trim().trim_end_matches('*').trim_end();
    let (place, function) = s.split_once(' ')?;
    let (file, line) = place_of(place);
    line?;
    (path_like(file) && !function.contains(['=', ' ']))
        .then(|| Head::new(file, line, Some(function)))
}

/// Removes the links that a copy from a web page contains: `[text](address)` becomes `text`.
pub(super) fn unlink(s: &str) -> Cow<'_, str> {
    if !s.contains("](") {
        return Cow::Borrowed(s);
    }
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(mid) = rest.find("](") {
        let Some(end) = rest[mid..].find(')') else {
            break;
        };
        let address = &rest[mid + 2..mid + end];
        let open = rest[..mid].rfind('[');
        match open {
            Some(open) if address.contains("://") || address.starts_with("vscode") => {
                out.push_str(&rest[..open]);
                out.push_str(&rest[open + 1..mid]);
            }
            _ => out.push_str(&rest[..=mid + end]),
        }
        rest = &rest[mid + end + 1..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Adds a frame, within bounds.
pub(super) fn push(frames: &mut Vec<Frame>, frame: Frame) {
    if frames.len() >= MAX_FRAMES + KEPT_FIRST {
        frames.drain(KEPT_FIRST..2 * KEPT_FIRST);
    }
    frames.push(frame);
}

/// Any frame line that is recognisable without the lines around it, and its style.
pub(super) fn any(s: &str) -> Option<(Head, Style)> {
    let t = s.trim_start();
    if t.starts_with("File \"") {
        return cpython(t).map(|h| (h, Style::CPython));
    }
    if t.starts_with("File ") || t.starts_with("Cell In") || t.starts_with("Input In") {
        return ipython_new(t).map(|h| (h, Style::IPython));
    }
    None
}
