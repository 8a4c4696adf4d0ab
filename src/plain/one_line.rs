//! A traceback whose newlines became blanks.

use super::lines::{class, exception, Sample};
use nbmedic_text::{Document, Remake};

/// A text with more lines has its newlines.
const MAX_LINES: usize = 3;
const HEADER: &str = "Traceback (most recent call last)";

/// The text with a line for each part of the traceback.
/// Also says whether it has a traceback's heading: it can be nothing else.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<(Document, bool)> {
    let lines = &sample.lines;
    if lines.len() > MAX_LINES {
        return None;
    }
    let headed = |l: &&str| {
        let after = l
            .find(HEADER)
            .map(|i| l[i + HEADER.len()..].trim_matches([':', ' ']));
        after.is_some_and(|rest| rest.len() > 8)
    };
    // A mistake in the syntax has no heading.
    let framed = |l: &&str| {
        l.contains("Error: ")
            && (l.contains("Cell In[") || l.contains("File \""))
            && l.contains(", line ")
    };
    let marked = |l: &&str| framed(l) && l.contains('^');
    let sure = lines.iter().any(|l| headed(l) || marked(l));
    if !sure && !lines.iter().any(framed) {
        return None;
    }
    let mut out = Remake::new(doc);
    for i in 0..doc.len() {
        let (line, span) = (doc.line(i), doc.span(i));
        let mut from = 0;
        for (at, indent) in breaks(line) {
            let end = from + line[from..at].trim_end().len();
            if end > from {
                out.keep(span.start + from..span.start + end);
                out.end(span.start + end);
            }
            out.put(&"    "[..indent], span.start + at);
            from = at;
        }
        out.keep(span.start + from..span.end);
        out.end(span.end);
    }
    Some((out.finish(), sure))
}

/// Where lines begin, and how far they were indented.
fn breaks(line: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    // The class that IPython's heading names: its last mention is the message.
    let mut named = "";
    let mut framed = false;
    let mut i = 0;
    let bytes = line.as_bytes();
    while i < bytes.len() {
        let starts = i == 0 || bytes[i - 1] == b' ';
        if !starts || bytes[i] == b' ' || !line.is_char_boundary(i) {
            i += 1;
            continue;
        }
        let rest = &line[i..];
        let gap = line[..i].len() - line[..i].trim_end().len();
        if rest.starts_with(HEADER) {
            let before = line[..i].trim_end();
            let word = before.rfind(' ').map_or(0, |j| j + 1);
            let colon = line[i + HEADER.len()..].starts_with(':');
            // IPython's heading has the class at the left.
            if !colon && gap > 1 && word < before.len() {
                named = &before[word..];
                out.push((word, 0));
                i += HEADER.len();
            } else {
                out.push((i, 0));
                i += HEADER.len() + usize::from(colon);
            }
            let blanks = line[i..].len() - line[i..].trim_start().len();
            out.push((i + blanks, 0));
            continue;
        }
        if let Some((n, code)) = frame(rest) {
            framed = true;
            out.push((i, if rest.starts_with("File \"") { 2 } else { 0 }));
            i += n;
            let blanks = line[i..].len() - line[i..].trim_start().len();
            i += blanks;
            let rest = &line[i..];
            let digit = rest.starts_with(|c: char| c.is_ascii_digit());
            if code
                && !rest.is_empty()
                && frame(rest).is_none()
                && !exception(first(rest))
                && !arrow(rest)
                && !digit
            {
                out.push((i, 4));
            }
            continue;
        }
        let link = rest.starts_with("During handling of the above exception")
            || rest.starts_with("The above exception was");
        let arrow = arrow(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let numbered =
            !named.is_empty() && gap > 1 && digits > 0 && rest[digits..].starts_with(' ');
        if link || arrow || numbered {
            out.push((i, if link { 0 } else { 4 }));
            i += 3;
            continue;
        }
        if let Some(n) = message(rest, named).filter(|_| framed) {
            let code = [" except", " raise", " return", " assert"];
            if !code.iter().any(|c| line[..i].trim_end().ends_with(c)) {
                out.push((i, 0));
                framed = false;
            }
            i += n;
            continue;
        }
        i += 1;
    }
    out.sort_unstable_by_key(|b| (b.0, std::cmp::Reverse(b.1)));
    out.dedup_by_key(|b| b.0);
    out
}

/// IPython's arrow and a line's number.
fn arrow(rest: &str) -> bool {
    let head = rest.trim_start_matches('-');
    head.len() < rest.len()
        && head
            .strip_prefix("> ")
            .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

/// Length of the class of the message that starts here: the one that IPython's heading names, or any.
fn message(rest: &str, named: &str) -> Option<usize> {
    let n = match named {
        "" => class(rest)?,
        named => [named, last_part(named)]
            .into_iter()
            .find(|n| rest.starts_with(n))?
            .len(),
    };
    (rest[n..].starts_with(": ") || rest[n..].trim().is_empty()).then_some(n)
}

/// A class without its module.
fn last_part(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// The first word.
fn first(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text).trim_end_matches(':')
}

/// A frame's head: its length, and whether its code follows at once.
fn frame(rest: &str) -> Option<(usize, bool)> {
    if let Some(path) = rest.strip_prefix("File \"") {
        let end = 6 + path.find("\", line ")?;
        let mut at = end + 8;
        at += rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        if let Some(name) = rest[at..].strip_prefix(", in ") {
            at += 5 + name.find(' ').unwrap_or(name.len());
        }
        return (end < 1024).then_some((at, true));
    }
    let old = rest.starts_with("<ipython-input-");
    let cell = rest.starts_with("Cell In[")
        || rest.starts_with("Input In [")
        || rest.starts_with("Cell In [");
    let file = rest.starts_with("File ~/")
        || rest.starts_with("File /")
        || rest.starts_with('/')
        || rest.starts_with("~/");
    if !(old || cell || file) {
        return None;
    }
    // Up to the gap or the arrow before the first line of code.
    let gaps = ["   ", " --", " ->"];
    let gap = gaps.iter().filter_map(|g| rest.find(g)).min();
    let window = &rest[..gap.unwrap_or(rest.len())];
    let known = cell || old || window.contains(" in ") || window.contains(", in ");
    (known && window.len() < 1000).then_some((window.len(), cell))
}
