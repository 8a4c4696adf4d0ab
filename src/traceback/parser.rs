//! Parses the lines of one stream into chains of exceptions.

use super::body::{Body, Step};
use super::chain::{Chain, Exception, Relation, Style};
use super::classify::{self, Header};
use super::frames;
use super::marks;
use super::message::{self, Message};
use super::streams::Line;
use super::wordings;

/// Maximum distance, in lines, from "another exception occurred:" to its traceback.
const LINK_REACH: usize = 16;
/// Maximum distance, in lines, from "Exception ignored in" to its traceback.
const IGNORED_REACH: usize = 4;
/// Lines of a message without a traceback above it.
const MAX_BARE_LINES: usize = 60;
/// Blank lines in a row within an IPython message, which only other output follows.
const MAX_BLANK: usize = 3;

/// Reads one stream.
pub(super) struct Parser<'a> {
    lines: &'a [Line<'a>],
    /// For each line of the document, whether it holds a mark.
    marked: &'a [bool],
    chains: Vec<Chain>,
    /// The chain that may still continue.
    open: Vec<Exception>,
    open_start: usize,
    open_end: usize,
    open_headed: bool,
    /// How the next exception relates to the last, and the line that says so.
    link: Option<(Relation, usize)>,
    ignored: Option<usize>,
}

impl<'a> Parser<'a> {
    pub fn new(lines: &'a [Line<'a>], marked: &'a [bool]) -> Self {
        Self {
            lines,
            marked,
            chains: Vec::new(),
            open: Vec::new(),
            open_start: 0,
            open_end: 0,
            open_headed: false,
            link: None,
            ignored: None,
        }
    }

    pub fn run(mut self) -> Vec<Chain> {
        let mut i = 0;
        while i < self.lines.len() {
            i = if self.quiet(i) { i + 1 } else { self.idle(i) };
        }
        self.flush();
        self.chains
    }

    /// Whether [`Parser::idle`] would do nothing with the line.
    fn quiet(&self, i: usize) -> bool {
        let line = self.lines[i];
        let next = self.lines.get(i + 1).map_or("", |l| l.text);
        let part = matches!(self.link, Some((Relation::Group, at)) if i - at <= 1);
        !self.marked[line.at] && !part && !marks::opens(line.text) && !marks::source(next)
    }

    /// Reads lines between tracebacks. Returns the line to continue with, always a later one.
    fn idle(&mut self, i: usize) -> usize {
        let text = self.lines[i].text;
        let t = text.trim();
        if t.is_empty() {
            return i + 1;
        }
        if let Some(header) = classify::header(text) {
            let indent = classify::indent(text);
            let body = match header {
                Header::CPython | Header::Original => {
                    // A log prefix before the header moves the header only: the other lines have no
                    // indentation.
                    let base = if t.starts_with("Traceback") {
                        indent
                    } else {
                        0
                    };
                    Body::new(Style::CPython, None, true, base)
                }
                Header::Group => Body::new(Style::CPython, None, true, 0),
                Header::IPython(class) => Body::new(Style::IPython, Some(class), true, indent),
                Header::Rich => Body::new(Style::Rich, None, true, 0),
            };
            return self.traceback(i, i + 1, body);
        }
        if let Some(relation) = classify::connector(text) {
            self.link = Some((relation, i));
            return i + 1;
        }
        if let Some(more) = classify::group_rule(text) {
            self.link = more.then_some((Relation::Group, i));
            return i + 1;
        }
        if classify::ignored(text) {
            self.ignored = Some(i);
            return i + 1;
        }
        if classify::other_stack(text) {
            return self.skip_stack(i + 1);
        }
        if let Some(body) = self.headless(i) {
            return self.traceback(i, i, body);
        }
        if let Some((Relation::Group, at)) = self.link {
            if let Some((class, text)) = classify::exception(t).filter(|e| classify::weak(e.0)) {
                if i - at <= 1 {
                    let body = Body::new(Style::Bare, None, true, 0);
                    return self.message(i, i, body, class, text);
                }
            }
        }
        let exits = classify::exception(t).filter(|e| {
            matches!(e.0, "SystemExit" | "KeyboardInterrupt") && classify::indent(text) == 0
        });
        let after_note = |n: usize| {
            let before = i.checked_sub(n).map(|j| self.lines[j].text);
            before.is_some_and(|l| l.contains("use %tb to see the full traceback"))
        };
        let exits = exits.filter(|_| after_note(1) || after_note(2));
        let all = self.lines.len();
        let worded = || wordings::worded(text, all, all - i);
        if let Some((class, text)) = exits.or_else(|| classify::bare(text)).or_else(worded) {
            return self.message(i, i, Body::new(Style::Bare, None, false, 0), class, text);
        }
        i + 1
    }

    /// A traceback without a header that starts here.
    fn headless(&self, i: usize) -> Option<Body<'a>> {
        let text = self.lines[i].text;
        let indent = classify::indent(text);
        if let Some((_, style)) = frames::any(text) {
            // The exception is two columns to the left of the interpreter's frames.
            let inner = style == Style::CPython || indent > 0;
            let base = if inner {
                indent.saturating_sub(2)
            } else {
                indent
            };
            let style = if indent > 0 { Style::CPython } else { style };
            return Some(Body::new(style, None, false, base));
        }
        // A number and an arrow: the rest of an IPython frame.
        let arrow = text.trim_start().starts_with(['-', '>']) && classify::arrow(text).is_some();
        let next = self.lines.get(i + 1).map_or("", |l| l.text);
        let framed = !arrow && marks::source(next) && frames::ipython_old(text).is_some();
        (arrow || framed).then(|| Body::new(Style::IPython, None, false, 0))
    }

    /// Skips the frames of a stack that belongs to no exception.
    fn skip_stack(&self, mut i: usize) -> usize {
        while let Some(line) = self.lines.get(i) {
            if classify::indent(line.text) == 0 && frames::any(line.text).is_none() {
                break;
            }
            i += 1;
        }
        i
    }

    /// Reads a traceback: `i` is its next line.
    fn traceback(&mut self, start: usize, mut i: usize, mut body: Body<'a>) -> usize {
        while let Some(line) = self.lines.get(i) {
            // The line that starts a headless traceback is not checked again.
            if i > start {
                let stop = classify::header(line.text).is_some()
                    || classify::connector(line.text).is_some()
                    || classify::group_rule(line.text).is_some();
                if stop {
                    break;
                }
            }
            match body.feed(self.lines, i) {
                Step::Inside => i += 1,
                // A doctest: it shows what is expected, and nothing was raised.
                Step::Exception(..)
                    if body.elided && body.frames.is_empty() && self.is_doctest(start) =>
                {
                    return i + 1
                }
                Step::Exception(class, text) => return self.message(start, i, body, class, text),
                Step::Outside => break,
            }
        }
        // Cut off: IPython's header at least names the exception.
        if let Some(class) = body
            .class
            .filter(|_| !body.frames.is_empty() || i >= self.lines.len())
        {
            let at = self.lines[start].at;
            let exception = self.exception(class, String::new(), at..at + 1, body, false);
            let end = self.lines[i - 1].at + 1;
            self.add(vec![exception], start, end, true);
        } else if i >= self.lines.len() {
            // Cut off below the statement that raised it.
            let code = body.frames.last().and_then(|f| f.code.clone());
            let told = code.as_deref().and_then(wordings::raised);
            let line = self.lines[i - 1].text;
            if let Some((class, message)) = told.or_else(|| classify::bare(line)) {
                let at = self.lines[i - 1].at;
                let e = self.exception(class, message.to_owned(), at..at + 1, body, false);
                self.add(vec![e], start, at + 1, true);
            }
        }
        i.max(start + 1)
    }

    /// Whether a prompt of the interpreter stands just above.
    fn is_doctest(&self, start: usize) -> bool {
        let above = self.lines[..start].iter().rev().take(IGNORED_REACH);
        let mut texts = above.map(|l| l.text.trim_start());
        texts.any(|t| t.starts_with(">>>") || t.starts_with("... "))
    }

    fn exception(
        &self,
        class: &str,
        mut message: String,
        lines: std::ops::Range<usize>,
        body: Body<'a>,
        embedded: bool,
    ) -> Exception {
        let last = body.frames.last();
        let code = last.and_then(|f| f.code.as_deref());
        // A message that was cut off is whole in the statement that raised it.
        if let Some((_, whole)) = code.and_then(wordings::raised) {
            if message.len() > 8 && whole.starts_with(&message) {
                message = whole.to_owned();
            }
        }
        let syntax = last.is_some_and(|f| f.function.is_none())
            && ["SyntaxError", "IndentationError", "TabError"]
                .iter()
                .any(|c| classify::same_class(class, c));
        Exception {
            class: class.to_string(),
            message,
            lines,
            frames: body.frames,
            relation: Relation::First,
            style: if syntax { Style::Syntax } else { body.style },
            embedded,
            ignored: false,
        }
    }

    /// Reads a message: its first line is `lines[at]`.
    fn message(
        &mut self,
        start: usize,
        at: usize,
        body: Body<'a>,
        class: &'a str,
        first: &'a str,
    ) -> usize {
        let mut reader = Reader {
            lines: self.lines,
            style: body.style,
            base: classify::indent(self.lines[at].text),
            class,
            first,
            message: Message::new(first),
            inner: Inner::default(),
            blanks: 0,
            at,
            end: at + 1,
        };
        let next = reader.read();
        let Reader {
            message,
            mut inner,
            end,
            ..
        } = reader;
        let doc = |i: usize| self.lines[i].at;
        inner.close(self.lines);
        let headed = body.headed;
        let lines = doc(at)..doc(end - 1) + 1;
        let outer = self.exception(class, message.finish(), lines, body, false);
        let mut all = inner.done;
        // A wrapper that only carries a worker's traceback says nothing itself.
        let wrapper = outer.name().ends_with("RemoteTraceback") && !all.is_empty();
        if wrapper {
            all.iter_mut().for_each(|e| e.embedded = false);
        } else {
            all.push(outer);
        }
        let end = doc(end - 1) + 1;
        self.add(all, start, end, headed);
        next.max(at + 1)
    }

    /// Adds exceptions, each the cause of the next, to the open chain or as a new one.
    fn add(&mut self, mut all: Vec<Exception>, start: usize, end: usize, headed: bool) {
        let link = self
            .link
            .take()
            .filter(|(_, at)| start.saturating_sub(*at) <= LINK_REACH);
        let ignored = self
            .ignored
            .take()
            .is_some_and(|at| start - at.min(start) <= IGNORED_REACH);
        let relation = match link {
            Some((relation, _)) if !self.open.is_empty() => relation,
            _ => {
                self.flush();
                Relation::First
            }
        };
        let ignored = ignored || self.open.last().is_some_and(|e| e.ignored);
        for (n, e) in all.iter_mut().enumerate() {
            if n == 0 {
                e.relation = relation;
            } else if e.relation == Relation::First {
                e.relation = Relation::Cause;
            }
            e.ignored = ignored;
        }
        if self.open.is_empty() {
            self.open_start = self.lines[start].at;
            self.open_headed = false;
        }
        self.open_headed |= headed;
        self.open.append(&mut all);
        self.open_end = end;
    }

    fn flush(&mut self) {
        let exceptions = std::mem::take(&mut self.open);
        if !exceptions.is_empty() {
            let lines = self.open_start..self.open_end;
            self.chains.push(Chain {
                exceptions,
                lines,
                headed: self.open_headed,
            });
        }
    }
}

/// Tracebacks within a message.
#[derive(Default)]
struct Inner<'a> {
    body: Option<Body<'a>>,
    /// The exception whose message is being read: its body, class, text and first line.
    open: Option<(Body<'a>, &'a str, Message, usize, usize)>,
    done: Vec<Exception>,
    link: Option<Relation>,
    /// `"""` was seen: the next one ends the message.
    quoted: bool,
}

impl<'a> Inner<'a> {
    fn close(&mut self, lines: &[Line<'a>]) {
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
