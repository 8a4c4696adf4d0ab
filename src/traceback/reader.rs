//! Reads one message, with the tracebacks in it.

use super::body::{Body, Step};
use super::chain::{Exception, Relation, Style};
use super::classify::{self, Header};
use super::frames;
use super::message::{self, Message};
use super::streams::Line;

/// Blank lines in a row within an IPython message, which only other output follows.
const MAX_BLANK: usize = 3;
/// Lines of a message without a traceback above it.
const MAX_BARE_LINES: usize = 60;

/// A message that was read.
pub(super) struct Read<'a> {
    /// Its text.
    pub message: Message,
    /// The tracebacks in it.
    pub inner: Inner<'a>,
    /// The line after its last one.
    pub end: usize,
    /// The first line that does not belong to it.
    pub next: usize,
}

impl<'a> Read<'a> {
    /// Reads the message of an exception whose first line is `lines[at]`.
    pub fn of(
        lines: &'a [Line<'a>],
        at: usize,
        style: Style,
        class: &'a str,
        first: &'a str,
    ) -> Read<'a> {
        let mut reader = Reader {
            lines,
            style,
            base: classify::indent(lines[at].text),
            class,
            first,
            message: Message::new(first),
            inner: Inner::default(),
            blanks: 0,
            at,
            end: at + 1,
        };
        let next = reader.read();
        Read {
            message: reader.message,
            inner: reader.inner,
            end: reader.end,
            next,
        }
    }
}

/// Tracebacks within a message.
#[derive(Default)]
pub(super) struct Inner<'a> {
    body: Option<Body<'a>>,
    /// The exception whose message is being read: its body, class, text and first line.
    open: Option<(Body<'a>, &'a str, Message, usize, usize)>,
    pub(super) done: Vec<Exception>,
    link: Option<Relation>,
    /// `"""` was seen: the next one ends the message.
    quoted: bool,
}

impl<'a> Inner<'a> {
    pub(super) fn close(&mut self, lines: &[Line<'a>]) {
        let Some((body, class, message, from, to)) = self.open.take() else {
            return;
        };
        let relation = match self.link.take() {
            Some(relation) => relation,
            None if self.done.is_empty() => Relation::First,
            None => Relation::Cause,
        };
        self.done.push(Exception {
            class: class.to_string(),
            message: message.finish(),
            lines: lines[from].at..lines[to].at + 1,
            frames: body.frames,
            relation,
            style: body.style,
            embedded: true,
            ignored: false,
        });
    }

    fn seen(&self) -> bool {
        self.body.is_some() || self.open.is_some() || !self.done.is_empty()
    }
}

/// Reads one message.
struct Reader<'a> {
    lines: &'a [Line<'a>],
    style: Style,
    base: usize,
    class: &'a str,
    first: &'a str,
    message: Message,
    inner: Inner<'a>,
    blanks: usize,
    /// Its first line.
    at: usize,
    /// The line after its last one.
    end: usize,
}

impl<'a> Reader<'a> {
    /// Returns the first line that does not belong to the message.
    fn read(&mut self) -> usize {
        let at = self.at;
        if let Some(base) = user_code(self.first, 0) {
            self.inner.body = Some(Body::user_code(base));
        }
        let mut i = at + 1;
        while let Some(line) = self.lines.get(i) {
            let text = line.text;
            if text.trim().is_empty() {
                self.blanks += 1;
                self.message.line("");
                if let Some((_, _, message, ..)) = &mut self.inner.open {
                    message.line("");
                }
                if let Some(body) = &mut self.inner.body {
                    body.feed(self.lines, i);
                }
                i += 1;
                continue;
            }
            if self.stops(i, text) {
                break;
            }
            if self.closing_quote(text) {
                self.end = i + 1;
                return i + 1;
            }
            self.message
                .line(text.get(self.base..).unwrap_or(text).trim_end());
            self.embedded(i, text);
            self.blanks = 0;
            i += 1;
            self.end = i;
            if self.style == Style::Bare && i - at > MAX_BARE_LINES {
                break;
            }
        }
        i
    }

    fn closing_quote(&mut self, text: &str) -> bool {
        if !matches!(text.trim(), "\"\"\"" | "'''") {
            return false;
        }
        // If the message has begun, the quotation began before the traceback.
        let before = self.style != Style::IPython && !self.first.is_empty();
        std::mem::replace(&mut self.inner.quoted, true) || self.inner.seen() || before
    }

    /// Whether the line is no longer part of the message.
    fn stops(&mut self, i: usize, text: &str) -> bool {
        let indent = classify::indent(text);
        if let Some(header) = classify::header(text) {
            return match header {
                Header::Original => false,
                Header::CPython => !self.embeds(i, text),
                _ => true,
            };
        }
        if classify::connector(text).is_some() {
            return !self.link_inside(i);
        }
        if classify::group_rule(text).is_some()
            || classify::rule(text)
            || classify::call_stack(text)
        {
            return true;
        }
        if self.inner.body.is_some() {
            return false;
        }
        if indent < self.base || message::unrelated(text) {
            return true;
        }
        match (self.style, self.blanks) {
            (Style::Bare, 0) => {
                // Marks of a quotation are no log's.
                let first = self.lines[self.at].text.trim_start();
                let marks = ['`', '*', '"', '\'', '>', ' '];
                let logged = !first.trim_start_matches(marks).starts_with(self.class);
                frames::any(text).is_some() || logged && !message::continues(text)
            }
            (_, 0) => false,
            (Style::IPython | Style::Rich, n) => n > MAX_BLANK && !message::continues(text),
            // After a blank line: what is known to follow, and what was announced.
            (_, n) => {
                let announced = message::announces(self.lines[self.end - 1].text);
                n > MAX_BLANK || !(announced || message::continues(text) || self.deeper(text))
            }
        }
    }

    /// Whether the line is indented deeper than the exception, in a message that has deeper parts.
    fn deeper(&self, text: &str) -> bool {
        classify::indent(text) > self.base + 1
            && self.style != Style::Bare
            && (self.first.ends_with(':') || self.inner.seen())
    }

    /// Whether a header starts a traceback within this message.
    fn embeds(&mut self, i: usize, text: &str) -> bool {
        if classify::indent(text) < self.base {
            return false;
        }
        if matches!(self.style, Style::IPython | Style::Rich) || self.inner.link.is_some() {
            return true;
        }
        let before = self.lines[i - 1].text.trim();
        let names_one = self.message.names_error();
        let said = before.ends_with(':')
            || before.to_ascii_lowercase().contains("traceback")
            || matches!(before, "\"\"\"" | "'''");
        self.blanks == 0 && (said || names_one)
    }

    /// Whether "another exception occurred" refers to the tracebacks within this message.
    fn link_inside(&self, i: usize) -> bool {
        if !self.inner.seen() || self.inner.quoted {
            return false;
        }
        let next = self
            .lines
            .iter()
            .skip(i + 1)
            .find(|l| !l.text.trim().is_empty());
        let plain = next.is_some_and(|l| classify::header(l.text) == Some(Header::CPython));
        plain
            && (self.style == Style::IPython
                || self.first.contains("in DataLoader worker")
                || self.first.contains(" in replica "))
    }

    /// Looks for a traceback within the message.
    fn embedded(&mut self, i: usize, text: &'a str) {
        if let Some(relation) = classify::connector(text) {
            self.inner.close(self.lines);
            self.inner.link = Some(relation);
            return;
        }
        if classify::header(text).is_some() {
            self.inner.close(self.lines);
            let indent = classify::indent(text);
            self.inner.body = Some(Body::new(Style::CPython, None, true, indent));
            return;
        }
        if let Some(base) = user_code(text, self.base) {
            self.inner.close(self.lines);
            self.inner.body = Some(Body::user_code(base));
            return;
        }
        if let Some(body) = &mut self.inner.body {
            match body.feed(self.lines, i) {
                Step::Inside => {}
                Step::Exception(class, text) => {
                    if let Some(body) = self.inner.body.take() {
                        let message = Message::new(text);
                        self.inner.open = Some((body, class, message, i, i));
                    }
                }
                Step::Outside => self.inner.body = None,
            }
            return;
        }
        if let Some((_, _, message, _, to)) = &mut self.inner.open {
            if self.blanks == 0 && !text.trim_start().starts_with("[[") {
                message.line(text.trim());
                *to = i;
            } else {
                self.inner.close(self.lines);
            }
            return;
        }
        // ray puts a worker's frames into the message without a header.
        if self.class.starts_with("Ray") && frames::cpython(text).is_some() {
            let base = classify::indent(text).saturating_sub(2);
            let mut body = Body::new(Style::CPython, None, true, base);
            body.feed(self.lines, i);
            self.inner.body = Some(body);
        }
    }
}

/// Keras's and AutoGraph's "in user code:": the indentation of what follows.
fn user_code(text: &str, base: usize) -> Option<usize> {
    let t = text.trim();
    let hit = ["in user code:", "in converted code:"]
        .iter()
        .any(|e| t.ends_with(e));
    hit.then(|| classify::indent(text).max(base) + 4)
}
