//! Lines that a terminal or a mail program broke.

use super::lines::{begins, exception, Sample};
use nbmedic_text::{Document, Remake};

/// Widths at which programs break lines.
const WIDTHS: &[usize] = &[
    72, 76, 78, 79, 80, 88, 96, 98, 100, 110, 118, 120, 128, 130, 132, 140, 158, 160, 200,
];
/// Widths of terminals, which break words too.
const TERMINALS: &[usize] = &[80, 100, 120, 132, 140, 160, 200];
/// How far the longest line may fall short of the width: a word didn't fit.
const SLACK: usize = 24;

/// The text with its lines joined, if they look broken. Also says whether it holds an error: rows of a table are
/// as wide as each other too.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<(Document, bool)> {
    let lines = &sample.lines;
    let widths: Vec<usize> = lines.iter().map(|l| width(l)).collect();
    let longest = widths.iter().copied().max()?;
    if longest < 40 {
        return None;
    }
    let as_long = || lines.iter().zip(&widths).filter(|(_, w)| **w == longest);
    let hard = as_long().filter(|(l, _)| !rule(l)).count();
    let fits = |w: &&usize| **w >= longest && **w <= longest + SLACK;
    let terminal = (hard > 2 || hard > 0 && TERMINALS.contains(&longest)).then_some(longest);
    let words = WIDTHS.iter().find(fits).copied();
    for at in terminal.into_iter().chain(words) {
        // Most lines are far too short.
        let mut pairs = lines.windows(2).zip(&widths);
        if pairs.any(|(two, w)| w + SLACK >= at && broken(two[0], two[1], at).is_some()) {
            if let Some(joined) = joined(doc, at) {
                return Some((joined, lines.iter().any(|l| exception(l))));
            }
        }
    }
    None
}

/// Joins the lines that were broken at a width; `None` if none was.
pub(super) fn joined(doc: &Document, at: usize) -> Option<Document> {
    let mut out = Remake::new(doc);
    let mut any = false;
    for i in 0..doc.len() {
        let (line, span) = (doc.line(i), doc.span(i));
        out.keep(span.clone());
        if i + 1 == doc.len() {
            break;
        }
        match broken(line, doc.line(i + 1), at) {
            None => out.end(span.end),
            Some(blank) => {
                any = true;
                if blank {
                    out.put(" ", span.end);
                }
            }
        }
    }
    any.then(|| out.finish())
}

/// Whether the next line is the rest of this one; then, whether a blank stood between them.
fn broken(line: &str, next: &str, at: usize) -> Option<bool> {
    let used = width(line);
    let word = next.split(' ').next().map_or(0, width);
    if rule(line)
        || rule(next)
        || begins(next)
        || line.ends_with("(most recent call last)")
        || next.trim().is_empty()
    {
        return None;
    }
    if framed(line) && next.starts_with("    ") {
        return None;
    }
    if used == at {
        return Some(false);
    }
    // A line that was broken between words goes on with a word.
    (used < at && used + 1 + word > at && word > 0 && used + SLACK + word > at)
        .then(|| !line.ends_with(' '))
}

/// A whole frame's head, whose code follows.
fn framed(line: &str) -> bool {
    line.trim_start().starts_with("File \"") && line.contains("\", line ")
}

/// How many characters.
fn width(line: &str) -> usize {
    if line.is_ascii() {
        line.len()
    } else {
        line.chars().count()
    }
}

/// A drawn line.
fn rule(line: &str) -> bool {
    let t = line.trim();
    t.len() > 10 && t.bytes().all(|b| b == t.as_bytes()[0])
        || t.starts_with("-----")
        || t.ends_with("(most recent call last)")
}
