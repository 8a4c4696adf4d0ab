//! Log prefixes: one document, several streams of lines.
//!
//! Some loggers and launchers write a prefix in front of every line of a traceback (`(pid=4628) `,
//! `[rank0]: `, `ERROR 07-09 00:57:28 [core.py:337] `, `app_1  | `). It is recognised by the
//! traceback's own frame lines: a text that precedes `File "…", line 3` more than once is a prefix.
//! Other lines that match its form, with the changing digits left open, have the same prefix. This
//! also separates the lines of two workers that print at the same time.

use super::classify;
use nbmedic_text::Document;

/// A line without its prefix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The line in the document, from 0.
    pub at: usize,
    pub text: &'a str,
}

/// Maximum number of different prefixes in one document.
const MAX_PREFIXES: usize = 24;

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// Digits that differ from line to line: a time, a source line.
    Digits,
}

/// The lines of the document, one list per prefix; those without one first.
///
/// `marked` tells which lines can be frames or headers.
pub(super) fn split<'a>(doc: &'a Document, marked: &[bool]) -> Vec<Vec<Line<'a>>> {
    let mut seen: Vec<(Vec<Piece>, u32, u32)> = Vec::new();
    let mut bars = false;
    for (at, _) in marked.iter().enumerate().filter(|(_, m)| **m) {
        let Some((prefix, frame)) = anchor_prefix(doc.line(at)) else {
            continue;
        };
        if prefix.trim() == "|" {
            bars = true;
        } else if !prefix.trim().is_empty() && prefix.len() <= 160 {
            let shape = shape(prefix.trim_end());
            if let Some((_, n, frames)) = seen.iter_mut().find(|(s, ..)| *s == shape) {
                *n += 1;
                *frames += u32::from(frame);
            } else if seen.len() < MAX_PREFIXES {
                seen.push((shape, 1, u32::from(frame)));
            }
        }
    }
    // A header counts as a sighting too, so that a traceback of one frame is enough. Text found
    // only before headers begins one log record, whose other lines have no prefix.
    let prefixes: Vec<Vec<Piece>> = seen
        .into_iter()
        .filter(|s| s.1 > 1 && s.2 > 0)
        .map(|s| s.0)
        .collect();
    if prefixes.is_empty() && !bars {
        let n = common(doc, marked);
        let all = doc.lines().enumerate();
        let rest = |text: &'a str| text.get(n..).unwrap_or_default();
        return vec![all
            .map(|(at, text)| Line {
                at,
                text: rest(text),
            })
            .collect()];
    }
    let mut out: Vec<Vec<Line<'_>>> = vec![Vec::new(); prefixes.len() + 1];
    for (at, line) in doc.lines().enumerate() {
        let hit = prefixes
            .iter()
            .enumerate()
            .filter_map(|(i, p)| Some((strip(line, p)?, i)))
            .min_by_key(|(rest, _)| rest.len());
        let (text, i) = match hit {
            Some((rest, i)) => (rest, i + 1),
            None if bars => (unbar(line), 0),
            None => (line, 0),
        };
        out[i].push(Line { at, text });
    }
    out
}

/// Length of the beginning that all lines of the document share, with digits left open, if there is
/// a header: for a traceback without `File "…"` lines (IPython's) that was quoted or logged as a
/// whole.
fn common(doc: &Document, marked: &[bool]) -> usize {
    let mut headers = marked.iter().enumerate().filter(|(_, m)| **m);
    if !headers.any(|(at, _)| classify::header_at(doc.line(at)).is_some()) {
        return 0;
    }
    let mut lines = doc.lines().filter(|l| !l.trim().is_empty());
    let first = lines.next().unwrap_or_default().as_bytes();
    let (mut n, mut others) = (first.len(), 0);
    for line in lines {
        let same = first[..n].iter().zip(line.as_bytes());
        let same = same
            .take_while(|(a, b)| a == b || a.is_ascii_digit() && b.is_ascii_digit())
            .count();
        // A line that contains only the prefix has lost its trailing blanks.
        if same < line.trim_end().len() {
            n = same;
            others += 1;
        }
    }
    let cut = first[..n].iter().rposition(|b| b" :|>]".contains(b));
    match cut {
        Some(i) if others > 1 && first[..i].iter().any(|b| *b != b' ') => i + 1,
        _ => 0,
    }
}

/// The text before a frame or a plain header, if the line has one.
///
/// The flag is true for a frame.
fn anchor_prefix(line: &str) -> Option<(&str, bool)> {
    let file = line
        .find('"')
        .and_then(|i| i.checked_sub(5))
        .filter(|&i| line.as_bytes()[i..].starts_with(b"File \""));
    if let Some(i) = file {
        let rest = &line[i + 6..];
        return rest.contains("\", line ").then(|| (&line[..i], true));
    }
    let i = classify::header_at(line)?;
    let before = &line[..i];
    // "Original Traceback", "+ Exception Group Traceback" and the class of IPython's header are not
    // prefixes, and neither is a sentence. Those have a word right before.
    let word = before.trim_end().ends_with(|c: char| c.is_alphanumeric());
    (!word).then_some((before, false))
}

fn shape(prefix: &str) -> Vec<Piece> {
    let b = prefix.as_bytes();
    let mut out = Vec::new();
    let mut literal = String::new();
    let mut i = 0;
    while i < b.len() {
        let digits = b[i..].iter().take_while(|c| c.is_ascii_digit()).count();
        if digits == 0 {
            let n = prefix[i..].chars().next().map_or(1, char::len_utf8);
            literal.push_str(&prefix[i..i + n]);
            i += n;
            continue;
        }
        let (before, after) = (i.checked_sub(1).map(|j| b[j]), b.get(i + digits));
        // Parts of a date or time, or the line in `core.py:337`. Others (a pid, a rank) tell
        // streams apart.
        let next = b[i + digits..]
            .iter()
            .skip(1)
            .take_while(|c| c.is_ascii_digit())
            .count();
        // A comma joins the milliseconds only in the times of Python's loggers: `[1,0]` is a job
        // and a rank.
        let left = match before {
            Some(b':') => true,
            Some(b',') => digits >= 3,
            Some(c) => b"-./T".contains(&c) && i >= 2 && b[i - 2].is_ascii_digit(),
            None => false,
        };
        let right = match after {
            Some(b',') => next >= 3,
            Some(c) => b":-./T".contains(c) && next > 0,
            None => false,
        };
        if left || right {
            if !literal.is_empty() {
                out.push(Piece::Literal(std::mem::take(&mut literal)));
            }
            out.push(Piece::Digits);
        } else {
            literal.push_str(&prefix[i..i + digits]);
        }
        i += digits;
    }
    if !literal.is_empty() {
        out.push(Piece::Literal(literal));
    }
    out
}

/// The line after the prefix, if it starts with it.
fn strip<'a>(line: &'a str, prefix: &[Piece]) -> Option<&'a str> {
    let mut rest = line;
    for piece in prefix {
        rest = match piece {
            Piece::Literal(s) => rest.strip_prefix(s.as_str())?,
            Piece::Digits => {
                let n = rest.bytes().take_while(u8::is_ascii_digit).count();
                if n == 0 {
                    return None;
                }
                &rest[n..]
            }
        };
    }
    // `rank1` is not a prefix of `rank12`.
    let cut = prefix.last().is_some_and(|p| match p {
        Piece::Literal(s) => s.ends_with(|c: char| c.is_alphanumeric()),
        Piece::Digits => true,
    });
    (!cut || !rest.starts_with(|c: char| c.is_alphanumeric())).then_some(rest)
}

/// Removes the bar of an exception group or a boxed log.
fn unbar(line: &str) -> &str {
    match line.trim_start().strip_prefix('|') {
        Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
        None => line,
    }
}
