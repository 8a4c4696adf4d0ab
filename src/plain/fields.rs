//! What a tool writes before a line, or around a part of it: pdb's stars, a report's fields, a runner's marks, the
//! links of a page.

use super::lines::{class, exception, Sample};
use nbmedic_text::{Document, Remake};

/// The names of a report's fields with an exception's class and its message (ComfyUI's).
const CLASS: &str = "**Exception Type:**";
const MESSAGE: &str = "**Exception Message:**";
/// Longest number of a build step, in digits.
const MAX_DIGITS: usize = 6;

/// The text without these marks.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<Document> {
    let linked = doc.text().contains("](");
    if !linked && sample.begin(b"*-#") == 0 {
        return None;
    }
    let mut out = Remake::new(doc);
    let mut came_off = false;
    // The class that a field gave, until its message comes.
    let mut named = "";
    for i in 0..doc.len() {
        let (line, span) = (doc.line(i), doc.span(i));
        if let Some(name) = field(line, CLASS).filter(|n| class(n).is_some()) {
            named = name;
        }
        let from = start(line).unwrap_or(0);
        came_off |= from > 0;
        if from > 0 && field(line, MESSAGE).is_some() {
            if !named.is_empty() {
                out.put(named, span.start + from);
                out.put(": ", span.start + from);
            }
            named = "";
        }
        match linked.then(|| link(line)).flatten() {
            Some((path, rest)) if from == 0 => {
                came_off = true;
                out.keep(span.start..span.start + path.start - 1);
                out.keep(span.start + path.start..span.start + path.end);
                out.keep(span.start + rest..span.end);
            }
            _ => out.keep(span.start + from..span.end),
        }
        out.end(span.end);
    }
    came_off.then(|| out.finish())
}

/// What a field of a list holds.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let bare = line.trim_start().trim_start_matches(['-', '*', ' ']);
    // The stars around the name were taken for a bullet's.
    let rest = bare.strip_prefix(&name[2..])?;
    Some(rest.trim())
}

/// Where a line's own text begins, if a mark stands before it.
fn start(line: &str) -> Option<usize> {
    let bare = line.trim_start();
    let at = line.len() - bare.len();
    // pdb and ipdb.
    if let Some(rest) = bare.strip_prefix("*** ") {
        return exception(rest).then_some(at + 4);
    }
    if field(line, MESSAGE).is_some() {
        let end = line.find(MESSAGE)? + MESSAGE.len();
        let blanks = line[end..].len() - line[end..].trim_start().len();
        return Some(end + blanks);
    }
    let rest = bare.strip_prefix('#')?;
    // Runners: `##[error]`.
    if let Some(rest) = rest.strip_prefix("#[") {
        let end = rest.find(']')?;
        let word = rest[..end].bytes().all(|b| b.is_ascii_lowercase());
        return (word && end > 2).then_some(at + 3 + end + 1);
    }
    // Docker's steps: `#12 3.456 `.
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let step = digits(rest);
    let time = rest.get(step..)?.strip_prefix(' ')?;
    let whole = digits(time);
    let part = time.get(whole..)?.strip_prefix('.')?;
    let after = part.get(digits(part)..)?;
    let fits = (1..=MAX_DIGITS).contains(&step) && (1..=MAX_DIGITS).contains(&whole);
    (fits && after.starts_with(' ')).then(|| line.len() - after.len() + 1)
}

/// The path of a frame that a page wrote as a link, `File [path](address)`, and where the rest begins.
fn link(line: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let bare = line.trim_start();
    if !(bare.starts_with('[') || bare.starts_with("File [")) {
        return None;
    }
    let open = line.find('[')? + 1;
    let close = open + line[open..].find("](")?;
    let end = close + line[close..].find(')')? + 1;
    let rest = &line[end..];
    // `in f(x)`, `:12, in f`.
    let frame = rest.starts_with(" in ") || rest.starts_with(':') || rest.starts_with(", ");
    (frame && open < close && !line[open..close].contains('[')).then_some((open..close, end))
}
