//! A text, read once: clean lines, tracebacks, and the positions of the catalogue's literals.

use super::index::{Hits, Index};
use super::input::{Input, Surface};
use super::work::Work;
use super::{quoted, translated};
use nbmedic_text::{Document, Limits};
use nbmedic_traceback::{self as traceback, Chain};
use std::cell::OnceCell;

/// A text, read once.
pub(super) struct Context<'a> {
    pub doc: Document,
    /// The same lines before translation; only if they were translated.
    said: Option<Document>,
    pub chains: Vec<Chain>,
    pub source: Option<&'a str>,
    pub surface: Surface,
    pub index: &'a Index,
    pub hits: Hits,
    /// Lines of tracebacks, sorted; rules on lines ignore them.
    pub covered: Vec<std::ops::Range<usize>>,
    /// Whether any of the chains has a header.
    traced: bool,
    /// The line and the message of a GPU's failed assertion, once it was searched.
    pub assertion: OnceCell<Option<(usize, String)>>,
    /// The remaining budget of patterns.
    pub work: Work,
}

impl<'a> Context<'a> {
    pub fn new(input: &Input<'a>, index: &'a Index) -> Self {
        Self::read(
            Document::from_terminal(input.text, Limits::default()),
            input,
            index,
        )
    }

    /// The same text without the margins of a log, a chat or a terminal: the certain ones, and the possible ones.
    pub fn undressed(&self, input: &Input<'a>) -> (Option<Self>, Option<Self>) {
        let plain = nbmedic_plain::plain(&self.doc);
        let read = |doc| Self::read(doc, input, self.index);
        (plain.sure.map(read), plain.guess.map(read))
    }

    /// The same text with the systems' messages in English, if they are in another language.
    pub fn in_english(self, input: &Input<'a>) -> Self {
        match translated::english(&self.doc, self.hits.noted()) {
            None => self,
            Some(doc) => Context {
                said: Some(self.doc),
                ..Self::read(doc, input, self.index)
            },
        }
    }

    /// A line, from 0, in the text's own words.
    pub fn said(&self, line: usize) -> &str {
        self.said.as_ref().unwrap_or(&self.doc).line(line)
    }

    /// Whether there is a complete traceback, not only one of its lines.
    pub fn traced(&self) -> bool {
        self.traced
    }

    fn read(doc: Document, input: &Input<'a>, index: &'a Index) -> Self {
        let mut chains = traceback::parse(&doc);
        let warnings = (!chains.is_empty()).then(|| quoted::Warnings::of(&doc));
        for chain in &mut chains {
            let quoted = warnings.as_ref().is_some_and(|w| w.quote(chain));
            if quoted || quoted::skipped(&doc, chain) {
                for e in &mut chain.exceptions {
                    e.ignored = true;
                }
            }
        }
        // Literals cluster: most are on the same line as the previous one.
        let (mut line, mut span) = (0, 0..0);
        let hits = index.scan(doc.text(), |at| {
            if !span.contains(&at) {
                line = doc.line_at(at);
                span = doc.span(line);
            }
            line
        });
        let mut covered: Vec<_> = chains
            .iter()
            .filter(|c| c.headed)
            .map(|c| c.lines.clone())
            .collect();
        covered.sort_by_key(|r| r.start);
        Context {
            work: Work::new(doc.text().len()),
            traced: chains.iter().any(|c| c.headed),
            assertion: OnceCell::new(),
            doc,
            said: None,
            chains,
            source: input.source,
            surface: input.surface,
            index,
            hits,
            covered,
        }
    }

    /// Whether a line belongs to a traceback.
    pub fn in_traceback(&self, line: usize) -> bool {
        let at = self.covered.partition_point(|r| r.start <= line);
        at > 0 && self.covered[at - 1].contains(&line)
    }
}
