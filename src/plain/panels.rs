//! Drawn boxes around lines, as rich prints them.

use super::lines::Sample;
use super::wraps;
use nbmedic_text::{Document, Remake};

const EDGES: &[char] = &['│', '┃', '║', '|'];
const CORNERS: &[char] = &['╭', '╰', '┌', '└', '┏', '┗', '╔', '╚', '├', '┡', '┣'];

/// The text without its box, whose lines were broken to fit.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<Document> {
    let lines = &sample.lines;
    if 2 * sample.begin(&[0xe2, b'|']) < lines.len() || sample.begin(&[0xe2]) == 0 {
        return None;
    }
    let drawn = lines.iter().filter(|l| inner(l).is_some()).count();
    let corners = lines.iter().filter(|l| corner(l)).count();
    // rich's own traceback has frames of another form, which are read as they are.
    let own = lines.iter().any(|l| l.contains('❱'));
    if drawn == 0 || corners == 0 || 2 * (drawn + corners) < lines.len() || own {
        return None;
    }
    let headed = lines.iter().any(|l| !corner(l) && title(l).is_some());
    let mut out = Remake::new(doc);
    let mut width = 0;
    for i in 0..doc.len() {
        let (line, span) = (doc.line(i), doc.span(i));
        let (from, to) = match inner(line) {
            Some(part) => {
                width = width.max(line[part.0..part.1].chars().count());
                (part.0, part.0 + line[part.0..part.1].trim_end().len())
            }
            None if corner(line) => match title(line).filter(|_| !headed) {
                Some(part) => part,
                None => continue,
            },
            None => (0, line.len()),
        };
        out.keep(span.start + from..span.start + to);
        if corner(line) && line[from..to].ends_with("(most recent call last)") {
            out.put(":", span.start + to);
        }
        out.end(span.end);
    }
    let open = out.finish();
    Some(wraps::joined(&open, width).unwrap_or(open))
}

/// The bytes between the edges of a row and one blank on each side.
fn inner(line: &str) -> Option<(usize, usize)> {
    let t = line.trim();
    let from = line.len() - line.trim_start().len();
    let body = t.strip_prefix(EDGES)?.strip_suffix(EDGES)?;
    let start = from + t.chars().next()?.len_utf8();
    let left = usize::from(body.starts_with(' '));
    let right = usize::from(body.len() > left && body.ends_with(' '));
    Some((start + left, start + body.len() - right))
}

/// The upper or lower edge.
fn corner(line: &str) -> bool {
    line.trim_start().starts_with(CORNERS)
}

/// What is written in an edge, if a traceback's heading.
fn title(line: &str) -> Option<(usize, usize)> {
    let at = line.find("Traceback (most recent call last)")?;
    Some((at, at + "Traceback (most recent call last)".len()))
}
