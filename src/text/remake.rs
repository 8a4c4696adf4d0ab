//! A document made of parts of another one.

use super::document::Document;
use super::mapped::Mapped;
use std::ops::Range;

/// Builds a document from parts of another one and from text that stands for some of it. The map leads to
/// the raw text of the first.
#[derive(Debug)]
pub struct Remake<'a> {
    doc: &'a Document,
    out: Mapped,
    /// The run that was used last.
    run: usize,
}

impl<'a> Remake<'a> {
    /// An empty copy.
    pub fn new(doc: &'a Document) -> Self {
        Self {
            doc,
            out: Mapped::new(doc.raw_line(0)),
            run: 0,
        }
    }

    /// Appends bytes of the document's text; a newline among them ends the line.
    pub fn keep(&mut self, range: Range<usize>) {
        let text = self.doc.text().get(range.clone()).unwrap_or_default();
        let mut from = range.start;
        for (i, _) in text.match_indices('\n') {
            let at = range.start + i;
            self.piece(from..at);
            self.end(at);
            from = at + 1;
        }
        if from < range.start + text.len() {
            self.piece(from..range.start + text.len());
        }
    }

    /// Appends text that stands for what is at `at` in the document's text.
    pub fn put(&mut self, text: &str, at: usize) {
        self.begin(at);
        let raw = self.doc.raw_range(at..at).start;
        self.out.append_note(text, raw);
    }

    /// Ends the line: a newline that is, or should be, at `at`.
    pub fn end(&mut self, at: usize) {
        let drawn = self.doc.text().as_bytes().get(at) == Some(&b'\n');
        let line = self.doc.raw_line(self.doc.line_at(at)) + usize::from(drawn);
        // A newline of the document need not be in the raw text.
        let raw = drawn.then(|| self.doc.raw_range(at..at + 1));
        let raw = raw.filter(|range| !range.is_empty());
        self.out.newline(raw.map(|range| range.start), line);
    }

    /// Whether the open line has nothing in it.
    pub fn line_is_empty(&self) -> bool {
        self.out.open_is_empty()
    }

    /// The new document.
    pub fn finish(self) -> Document {
        Document::from_part(self.out, None)
    }

    fn begin(&mut self, at: usize) {
        if self.out.open_is_empty() {
            let line = self.doc.raw_line(self.doc.line_at(at));
            self.out.set_open_raw_line(line);
        }
    }

    /// Appends bytes of one line.
    fn piece(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        self.begin(range.start);
        let (text, runs) = (self.doc.text(), self.doc.runs());
        let mut at = range.start;
        if runs.get(self.run).is_none_or(|g| g.clean > at) {
            self.run = runs.partition_point(|g| g.clean <= at).saturating_sub(1);
        }
        while at < range.end {
            while runs.get(self.run + 1).is_some_and(|g| g.clean <= at) {
                self.run += 1;
            }
            let next = runs.get(self.run + 1).map_or(range.end, |g| g.clean);
            let end = match runs.get(self.run) {
                Some(g) if g.clean <= at && at < g.clean + g.len => {
                    let end = (g.clean + g.len).min(range.end);
                    let part = text.get(at..end).unwrap_or_default();
                    self.out.append(part, g.raw + (at - g.clean));
                    end
                }
                // It is not in the raw text.
                _ => {
                    let end = next.clamp(at + 1, range.end);
                    self.out
                        .text
                        .push_str(text.get(at..end).unwrap_or_default());
                    end
                }
            };
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn a_copy_leads_to_the_raw_text() {
        let raw = "\u{1b}[31m> one\u{1b}[0m two\n> three\n";
        let doc = Document::from_terminal(raw, Limits::default());
        let mut copy = Remake::new(&doc);
        for i in 0..doc.len() {
            let span = doc.span(i);
            copy.keep(span.start + 2..span.end);
            copy.end(span.end);
        }
        copy.put("!", doc.text().len());
        let copy = copy.finish();
        assert_eq!(copy.text(), "one two\nthree\n!");
        let of = |part: &str| {
            let at = copy.text().find(part).expect("there");
            &raw[copy.raw_range(at..at + part.len())]
        };
        assert_eq!(of("one"), "one");
        assert_eq!(of("e two"), "e\u{1b}[0m two");
        assert_eq!(of("three"), "three");
        assert_eq!(copy.raw_line(1), 2);
        assert_eq!(copy.raw_range(14..15).len(), 0);
    }

    #[test]
    fn newlines_within_a_part_end_lines() {
        let doc = Document::from_terminal("a\nb\n\nc", Limits::default());
        let mut copy = Remake::new(&doc);
        copy.keep(0..doc.text().len());
        assert_eq!(copy.finish(), doc);
        let mut copy = Remake::new(&doc);
        copy.keep(2..3);
        copy.end(3);
        copy.keep(0..1);
        let copy = copy.finish();
        assert_eq!(
            (copy.text(), copy.raw_line(0), copy.raw_line(1)),
            ("b\na", 2, 1)
        );
    }
}
