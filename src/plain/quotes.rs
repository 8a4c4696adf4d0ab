//! A message between quotation marks, as people quote it.

use super::lines::{exception, place, Sample};
use nbmedic_text::{Document, Remake};

/// A text with more lines is no quoted message.
const MAX_LINES: usize = 12;
const PAIRS: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('\u{201c}', '\u{201d}'),
    ('\u{2018}', '\u{2019}'),
];

/// The text without the marks around it, if an exception stands between them.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<Document> {
    let (first, last) = (sample.lines.first()?, sample.lines.last()?);
    if sample.lines.len() > MAX_LINES {
        return None;
    }
    let (start, end) = (
        first.trim_start(),
        last.trim_end().trim_end_matches(['.', ',']),
    );
    let (open, close) = PAIRS.iter().find(|(open, _)| start.starts_with(*open))?;
    let inner = &start[open.len_utf8()..];
    if !end.ends_with(*close) || end.len() < 2 || !exception(inner) {
        return None;
    }
    let opens = place(doc, start).start;
    let closes = place(doc, end).end - close.len_utf8();
    let mut out = Remake::new(doc);
    for i in 0..doc.len() {
        let span = doc.span(i);
        let from = if span.contains(&opens) {
            opens + open.len_utf8()
        } else {
            span.start
        };
        let to = if span.contains(&closes) {
            closes
        } else {
            span.end
        };
        out.keep(from..to.max(from));
        out.end(span.end);
    }
    Some(out.finish())
}
