//! Reads a traceback from its header to its exception line.

use super::chain::{Frame, Origin, Style};
use super::classify;
use super::frames;
use super::streams::Line;

/// Maximum number of consecutive unrecognised lines that are skipped, and the look-ahead for a
/// frame.
const MAX_JUNK: u32 = 8;
const LOOK_AHEAD: usize = 4;
/// Blank lines in a row within a traceback. A page copied as text doubles them.
const MAX_BLANK: u32 = 4;

/// How a line relates to a traceback.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The line is inside it.
    Inside,
    /// The line is the exception.
    Exception(&'a str, &'a str),
    /// The line does not belong to it: the traceback was cut off before.
    Outside,
}

/// A traceback whose exception line has not come yet.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub style: Style,
    /// The class in IPython's header.
    pub class: Option<&'a str>,
    pub headed: bool,
    /// Indentation of the exception line.
    base: usize,
    pub frames: Vec<Frame>,
    /// The last line was a frame's, so that this one is its code.
    after_frame: bool,
    after_blank: bool,
    blanks: u32,
    junk: u32,
    /// Within Keras's "in user code:", whose frames are indented like the exception.
    user_code: bool,
    /// Within rich's box.
    boxed: bool,
    /// `...` stands for the frames, as in a doctest.
    pub elided: bool,
    wrapped: String,
}

impl<'a> Body<'a> {
    pub fn new(style: Style, class: Option<&'a str>, headed: bool, base: usize) -> Self {
        Self {
            style,
            class,
            headed,
            base,
            frames: Vec::new(),
            after_frame: false,
            after_blank: false,
            blanks: 0,
            junk: 0,
            user_code: false,
            boxed: style == Style::Rich,
            elided: false,
            wrapped: String::new(),
        }
    }

    /// The body of a block "in user code:" at the given indentation.
    pub fn user_code(base: usize) -> Self {
        Self {
            user_code: true,
            ..Self::new(Style::CPython, None, true, base)
        }
    }

    fn frame(&mut self, head: frames::Head, at: usize) -> Step<'a> {
        frames::push(&mut self.frames, head.frame(at));
        self.after_frame = true;
        self.junk = 0;
        Step::Inside
    }

    fn code(&mut self, code: &str) {
        if let Some(frame) = self.frames.last_mut().filter(|f| f.code.is_none()) {
            frame.code = Some(frames::clip(code.trim(), 400));
        }
    }

    /// Reads the line `lines[i]`; it may look at the ones after it.
    pub fn feed(&mut self, lines: &[Line<'a>], i: usize) -> Step<'a> {
        let text = lines[i].text;
        if text.trim().is_empty() {
            self.blanks += 1;
            self.after_blank = true;
            let over = self.blanks > MAX_BLANK;
            return if over { Step::Outside } else { Step::Inside };
        }
        self.blanks = 0;
        let step = match self.style {
            Style::Rich if self.boxed => self.rich(text, lines[i].at),
            Style::IPython => self.ipython(lines, i),
            _ => self.cpython(lines, i),
        };
        self.after_blank = false;
        step
    }

    fn rich(&mut self, text: &str, at: usize) -> Step<'a> {
        let t = text.trim();
        let open = t.starts_with(['│', '┃', '|']);
        if t.starts_with(['╰', '└', '+']) && !t.contains(' ') {
            self.boxed = false;
            return Step::Inside;
        }
        if !open {
            return Step::Outside;
        }
        let edge = |c| matches!(c, '│' | '┃' | '|');
        let t = t.trim_start_matches(edge).trim_end_matches(edge).trim_end();
        let inner = t.trim_start();
        if let Some(code) = inner.strip_prefix(['❱', '>']) {
            let code = code
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit());
            self.code(code.trim_start_matches(|c: char| c == '│' || c.is_whitespace()));
        } else if t.len() - inner.len() == 1 && !inner.starts_with(['╭', '│', '╰']) {
            // A long path is wrapped, and the frame's line ends on the last part.
            let whole = format!("{}{inner}", self.wrapped);
            match frames::rich(&whole) {
                Some(head) => {
                    self.wrapped.clear();
                    return self.frame(head, at);
                }
                None if whole.len() < 1024 && inner.contains(['/', '\\']) => self.wrapped = whole,
                None => self.wrapped.clear(),
            }
        } else {
            self.wrapped.clear();
        }
        Step::Inside
    }

    fn ipython(&mut self, lines: &[Line<'a>], i: usize) -> Step<'a> {
        let (text, at) = (lines[i].text, lines[i].at);
        let indent = classify::indent(text);
        if let Some((line, code)) = classify::arrow(text) {
            if let Some(frame) = self.frames.last_mut() {
                frame.line.get_or_insert(line);
            }
            self.code(code);
            self.after_frame = false;
            return Step::Inside;
        }
        if indent <= self.base {
            if let Some((class, message)) = classify::exception(text) {
                let fits = match self.class {
                    Some(c) => classify::same_class(class, c),
                    None => classify::strong(class) || self.after_blank && classify::weak(class),
                };
                if fits {
                    return Step::Exception(class, message);
                }
            }
            let head = frames::any(text).or_else(|| {
                let t = &text[indent..];
                let head = frames::ipython_old(t).or_else(|| bare_in(t))?;
                Some((head, Style::IPython))
            });
            if let Some((head, _)) = head {
                return self.frame(head, at);
            }
        } else if let Some((head, Style::IPython)) = frames::any(text) {
            return self.frame(head, at);
        } else if let Some(head) = bare_in(text.trim_start()).filter(|_| indent == self.base + 1) {
            return self.frame(head, at);
        }
        if classify::numbered(text) || classify::fold(text) || indent > self.base {
            return Step::Inside;
        }
        match classify::exception(text) {
            Some((class, message)) if classify::strong(class) && !message.is_empty() => {
                Step::Exception(class, message)
            }
            _ => self.junk(lines, i),
        }
    }

    fn cpython(&mut self, lines: &[Line<'a>], i: usize) -> Step<'a> {
        let (text, at) = (lines[i].text, lines[i].at);
        let indent = classify::indent(text);
        let was_frame = std::mem::replace(&mut self.after_frame, false);
        let head = if self.user_code {
            frames::user_code(text)
        } else {
            frames::any(text).map(|(h, _)| h)
        };
        if let Some(head) = head {
            if self.frames.is_empty() && self.headed && indent < self.base {
                self.base = indent;
            }
            return self.frame(head, at);
        }
        if indent <= self.base {
            if let Some((class, message)) = classify::exception(text) {
                let fits = if was_frame && self.headed {
                    // Perhaps the frame's code, in a text that lost its indentation.
                    classify::strong(class) && !code_follows(lines, i)
                } else {
                    classify::strong(class)
                        || classify::weak(class)
                            && (self.headed || !self.frames.is_empty())
                            && !code_follows(lines, i)
                };
                if fits {
                    return Step::Exception(class, message);
                }
            }
        }
        if was_frame {
            self.code(text);
            return Step::Inside;
        }
        if indent > self.base || classify::fold(text) {
            self.elided |= self.frames.is_empty() && text.trim() == "...";
            return Step::Inside;
        }
        self.junk(lines, i)
    }

    /// Handles an unrecognised line, which was wrapped by a terminal or printed in between. It is
    /// skipped if the traceback soon continues.
    fn junk(&mut self, lines: &[Line<'a>], i: usize) -> Step<'a> {
        self.junk += 1;
        let goes_on = self.junk <= MAX_JUNK
            && lines.iter().skip(i + 1).take(LOOK_AHEAD).any(|l| {
                frames::any(l.text).is_some()
                    || self.user_code && frames::user_code(l.text).is_some()
                    || self.style == Style::IPython && classify::arrow(l.text).is_some()
                    || self.class.is_some_and(|c| {
                        classify::exception(l.text).is_some_and(|e| classify::same_class(e.0, c))
                    })
            });
        if goes_on {
            Step::Inside
        } else {
            Step::Outside
        }
    }
}

/// `in f(x)`: a frame of a cell whose `<ipython-input-…>` a web page treated as a tag.
fn bare_in(t: &str) -> Option<frames::Head> {
    let function = t.trim_end().strip_prefix("in")?;
    let known = function.is_empty() || function.starts_with(' ');
    let function = function.trim();
    let call = function.is_empty() || function.starts_with('<') || function.ends_with(')');
    (known && call).then(|| frames::Head::unnamed(Origin::Cell { count: None }, None, function))
}

/// Whether the traceback continues with frames right after this line, so that it is not an
/// exception.
fn code_follows(lines: &[Line<'_>], i: usize) -> bool {
    lines
        .get(i + 1)
        .is_some_and(|l| frames::any(l.text).is_some())
}
