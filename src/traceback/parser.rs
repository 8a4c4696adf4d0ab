//! Parses the lines of one stream into chains of exceptions.

use super::body::{Body, Step};
use super::chain::{Chain, Exception, Relation, Style};
use super::classify::{self, Header};
use super::frames;
use super::marks;
use super::reader::Read;
use super::streams::Line;
use super::wordings;

/// Maximum distance, in lines, from "another exception occurred:" to its traceback.
const LINK_REACH: usize = 16;
/// Maximum distance, in lines, from "Exception ignored in" to its traceback.
const IGNORED_REACH: usize = 4;
/// Maximum number of lines between a message and the traceback below it, which was cut off.
const ABOVE_REACH: usize = 4;

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
        if let Some((class, text)) = exits.or_else(|| classify::bare(text)) {
            return self.message(i, i, Body::new(Style::Bare, None, false, 0), class, text);
        }
        // What is quoted alone is as complete as a traceback.
        let apart = self.apart(i);
        if let Some((class, text)) = wordings::worded(text, all, all - i, apart) {
            return self.message(i, i, Body::new(Style::Bare, None, apart, 0), class, text);
        }
        i + 1
    }

    /// Whether a line is all of a block of code, or stands first in one, or in the text, above a traceback.
    fn apart(&self, i: usize) -> bool {
        let fence = |l: &&Line<'_>| l.text.trim_start().starts_with("```");
        let above = i.checked_sub(1).and_then(|j| self.lines.get(j));
        let header = |l: &&Line<'_>| classify::header(l.text).is_some();
        let below = self.lines.get(i + 1);
        match above {
            None => below.filter(header).is_some(),
            Some(above) => fence(&above) && below.is_none_or(|l| fence(&l) || header(&l)),
        }
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
            // The key stands in the line that failed.
            let keyed = classify::same_class(class, "KeyError");
            let mut codes = body.frames.iter().rev().filter_map(|f| f.code.as_deref());
            let key = codes.find_map(wordings::key).filter(|_| keyed);
            let message = key.map(|k| format!("'{k}'")).unwrap_or_default();
            let exception = self.exception(class, message, at..at + 1, body, false);
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
            } else {
                self.said_above(start, body);
            }
        }
        i.max(start + 1)
    }

    /// Gives the frames of a traceback that was cut off to the exception that stands above it: people and loggers put the
    /// message first.
    fn said_above(&mut self, start: usize, body: Body<'a>) {
        let near = start - self.open_end_line(start) <= ABOVE_REACH;
        let Some(e) = self.open.last_mut().filter(|_| near && body.headed) else {
            return;
        };
        if e.style == Style::Bare && e.frames.is_empty() && !body.frames.is_empty() {
            e.frames = body.frames;
            e.style = body.style;
            self.open_headed = true;
        }
    }

    /// The line of this stream behind the open chain, at most `start`.
    fn open_end_line(&self, start: usize) -> usize {
        let above = self.lines[..start].iter().rev();
        start - above.take_while(|l| l.at >= self.open_end).count()
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
        let Read {
            message,
            mut inner,
            end,
            next,
        } = Read::of(self.lines, at, body.style, class, first);
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
