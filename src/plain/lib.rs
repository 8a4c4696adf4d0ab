//! Takes off what is around a failure's text: the quote marks of a chat, a logger's JSON, a drawn box, a
//! terminal's line breaks.
//!
//! [`plain`] looks at a part of the text for each of these clothes, by the share of the lines that wear it, and takes
//! them off one after the other. The result leads back to the raw text. All of it is linear and bounded, and
//! nothing happens to a text that wears none.

mod fields;
mod letters;
mod lines;
mod margins;
mod one_line;
mod panels;
mod quotes;
mod strings;
mod wraps;

use nbmedic_text::Document;

/// Maximum number of clothes over each other.
const MAX_LAYERS: usize = 6;

/// A text without what was around it.
#[derive(Debug, Default)]
pub struct Plain {
    /// Without what only a log, a page or another program puts there.
    pub sure: Option<Document>,
    /// Also without what may be a list, a table or a paragraph of the text itself.
    pub guess: Option<Document>,
}

/// The text without its clothes.
pub fn plain(doc: &Document) -> Plain {
    let mut out = Plain::default();
    for _ in 0..MAX_LAYERS {
        let now = out.guess.as_ref().or(out.sure.as_ref()).unwrap_or(doc);
        match layer(now) {
            Some((doc, true)) if out.guess.is_none() => out.sure = Some(doc),
            Some((doc, _)) => out.guess = Some(doc),
            None => break,
        }
    }
    out
}

/// Takes off the outermost layer. Also says whether nothing else looks so.
fn layer(doc: &Document) -> Option<(Document, bool)> {
    let sure = |doc| (doc, true);
    let sample = lines::Sample::of(doc);
    (strings::plain(doc, &sample).map(sure))
        .or_else(|| letters::plain(doc).map(sure))
        .or_else(|| fields::plain(doc, &sample).map(sure))
        .or_else(|| panels::plain(doc, &sample).map(sure))
        .or_else(|| quotes::plain(doc, &sample).map(sure))
        .or_else(|| margins::plain(doc, &sample))
        .or_else(|| wraps::plain(doc, &sample))
        .or_else(|| one_line::plain(doc, &sample))
}

#[cfg(test)]
mod tests;
