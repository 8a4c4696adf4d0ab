//! One failure: its error, the person's frames, and the notebook around it.

use crate::book::{Book, BookCell};
use crate::code::Editor;
use crate::values::{self, Holder, Seen, Value};
use nbmedic_facts::{Diagnosis, Facts, Setting};
use nbmedic_python::ast::Stmt;
use nbmedic_python::{each_stmt, statement_at, Cell, Ranged};
use nbmedic_text::{without_values, Document, Limits};
use nbmedic_traceback::{parse, Chain, Exception, Frame, Origin};
use std::cell::{Cell as StdCell, OnceCell};
use std::ops::RangeInclusive;

/// A line of the person's own code on the way to the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFrame {
    /// The index of its cell in the book.
    pub cell: usize,
    /// The line, from 1.
    pub line: u32,
    /// The function; none at the top level of the cell.
    pub function: Option<String>,
}

/// A failure with the notebook around it.
#[derive(Debug)]
pub struct Case<'a> {
    /// The notebook.
    pub book: &'a Book<'a>,
    /// The index of the failing cell in the book.
    pub at: usize,
    /// The output, cleaned.
    pub output: Document,
    /// The exceptions of the failure, in the order raised; the last one ended the cell.
    pub chain: Chain,
    /// The person's frames, outermost first.
    pub frames: Vec<OwnFrame>,
    /// The diagnosis that the cures are for.
    pub diagnosis: Option<Diagnosis>,
    /// What the names on the way to the error stood for, outermost frame first. Without the probe: what the sources say of
    /// the sizes on the innermost line.
    pub values: Vec<Seen>,
    /// Who held memory when there was too little, the largest first; empty without the probe.
    pub holders: Vec<Holder>,
    /// What the outputs of the cells that ran before show, once it was asked for.
    pub(crate) shown: OnceCell<Vec<(String, Value)>>,
    /// Bytes of cells that were looked through so far.
    pub(crate) read: StdCell<usize>,
}

/// Bytes of cells that the cures of a failure may look through, each as often as somebody asks for it. No notebook of a person
/// comes near; texts that are made to be slow do.
const MAX_READ: usize = 16 << 20;

impl<'a> Case<'a> {
    /// The failure of a cell by its output; none if no exception ended it.
    pub fn new(book: &'a Book<'a>, at: usize, output: &str) -> Option<Case<'a>> {
        let values = values::read(output);
        let holders = values::holders(output);
        let output = without_values(output);
        let output = Document::from_terminal(&output, Limits::default());
        let chain = parse(&output).into_iter().rfind(|c| !c.ignored())?;
        let mut case = Case {
            book,
            at,
            output,
            frames: Vec::new(),
            chain,
            diagnosis: None,
            values,
            holders,
            shown: OnceCell::new(),
            read: StdCell::new(0),
        };
        case.frames = case.own_frames(case.error());
        if case.frames.is_empty() {
            let all = case.chain.exceptions.iter().rev();
            case.frames = all
                .map(|e| case.own_frames(e))
                .find(|f| !f.is_empty())
                .unwrap_or_default();
        }
        if case.values.is_empty() {
            let values = case.values_by_source();
            case.values = values;
            case.add_shown();
        }
        Some(case)
    }

    /// The same case, for a diagnosis.
    #[must_use]
    pub fn with(mut self, diagnosis: &Diagnosis) -> Case<'a> {
        self.diagnosis = Some(diagnosis.clone());
        self
    }

    /// The exception that ended the cell.
    pub fn error(&self) -> &Exception {
        self.chain.last()
    }

    /// The class of the exception that ended the cell, without its module.
    pub fn class(&self) -> &str {
        self.error().name()
    }

    /// The message of the exception that ended the cell.
    pub fn message(&self) -> &str {
        &self.error().message
    }

    /// The lines of the error in the text as given, from 1.
    pub fn error_lines(&self) -> RangeInclusive<usize> {
        let lines = &self.chain.lines;
        let last = lines.end.saturating_sub(1).max(lines.start);
        self.output.raw_line(lines.start)..=self.output.raw_line(last)
    }

    /// The facts of the diagnosis.
    pub fn facts(&self) -> Option<&Facts> {
        self.diagnosis.as_ref().map(|d| &d.facts)
    }

    /// Where and with what it happened.
    pub fn setting(&self) -> Option<&Setting> {
        self.diagnosis.as_ref().map(|d| &d.setting)
    }

    /// The failing cell.
    pub fn failing(&self) -> &BookCell<'a> {
        &self.book.cells()[self.at]
    }

    /// The position of a cell in the notebook, from 1.
    pub fn position(&self, cell: usize) -> usize {
        self.book.cells()[cell].position
    }

    /// A cell's Python. None as well once so much was looked through that the cures end here.
    pub fn python(&self, cell: usize) -> Option<&Cell> {
        let python = self.book.python(cell)?;
        let read = self.read.get() + python.text().len();
        self.read.set(read);
        nbmedic_text::steps::took(python.text().len());
        (read <= MAX_READ).then_some(python)
    }

    /// What edits a cell.
    pub fn editor(&self, cell: usize) -> Option<Editor<'_>> {
        Some(Editor::new(cell, self.python(cell)?))
    }

    /// What a name of the innermost own line, or of one outside it, stood for when it failed, if the probe saw it or an
    /// output above shows it.
    pub fn seen_value(&self, name: &str) -> Option<&Value> {
        self.probed(name).or_else(|| self.shown_value(name))
    }

    /// The same without what outputs show of names that no frame reads.
    pub(crate) fn probed(&self, name: &str) -> Option<&Value> {
        let frames = self.values.iter().rev();
        let mut found = frames.filter_map(|f| f.names.iter().find(|(n, _)| n == name));
        found.next().map(|(_, v)| v)
    }

    /// Since when a value is known, as the beginning of a sentence.
    pub fn since(&self, value: &Value) -> String {
        match value.shown {
            Some(cell) => format!("As the output of cell {} shows,", self.position(cell)),
            None => "When it failed,".to_owned(),
        }
    }

    /// The person's innermost frame: where the error came out of their own code. Without frames: none.
    pub fn innermost(&self) -> Option<&OwnFrame> {
        self.frames.last()
    }

    /// The innermost statement of a frame.
    pub fn statement(&self, frame: &OwnFrame) -> Option<&Stmt> {
        statement_at(self.python(frame.cell)?, frame.line)
    }

    /// The statement where the error came out of the person's own code, with the index of its cell.
    pub fn here(&self) -> Option<(usize, &Cell, &Stmt)> {
        let frame = self.innermost()?;
        Some((frame.cell, self.python(frame.cell)?, self.statement(frame)?))
    }

    /// Whether the traceback is that of a program which the cell started (`!python train.py`): it has frames, and none
    /// of a cell, which runs a command.
    pub fn is_of_a_program(&self) -> bool {
        let mut frames = self
            .chain
            .exceptions
            .iter()
            .flat_map(|e| &e.frames)
            .peekable();
        let command = |line: &str| {
            let line = line.trim_start();
            // What an installer builds has techniques of its own.
            (line.starts_with('!') || line.starts_with("%run")) && !line.contains("pip")
        };
        frames.peek().is_some()
            && !frames.any(|f| matches!(f.origin, Origin::Cell { .. }))
            && self.failing().source.lines().any(command)
    }

    /// Whether the error came from a library that the innermost own line called.
    pub fn in_library(&self) -> bool {
        let last = self.error().frames.last();
        last.is_some_and(|f| f.origin == Origin::Library)
    }

    /// Whether scikit-learn was checking the targets, not the features, by the lines of its frames.
    pub fn checks_targets(&self) -> bool {
        const LINES: &[&str] = &["_check_y(", "check_array(y", "column_or_1d(y"];
        let mut frames = self
            .error()
            .frames
            .iter()
            .filter(|f| f.origin == Origin::Library);
        frames.any(|f| {
            let code = f.code.as_deref().unwrap_or("");
            LINES.iter().any(|l| code.contains(l))
        })
    }

    /// The name of the library's function that the innermost own line called, if a frame shows it.
    pub fn called(&self) -> Option<&str> {
        let frames = &self.error().frames;
        let own = frames.iter().rposition(|f| match f.origin {
            Origin::Cell { .. } => true,
            Origin::User => self.book.is_excerpt(),
            Origin::Library => false,
        })?;
        frames.get(own + 1)?.function.as_deref()
    }

    /// Whether the person's innermost line of the traceback is in no cell any more: what failed was changed since, and
    /// what stands there now may be repaired already.
    pub fn is_outdated(&self) -> bool {
        // IPython shows another line than that of a comprehension.
        let inner = |f: &Frame| {
            let name = f.function.as_deref().unwrap_or("");
            let last = name.rsplit('.').next().unwrap_or("");
            last.starts_with('<') && last != "<module>"
        };
        let cell = |f: &&Frame| matches!(f.origin, Origin::Cell { .. }) && !inner(f);
        let frames: Vec<&Frame> = self.error().frames.iter().filter(cell).collect();
        let Some(last) = frames.last() else {
            return false;
        };
        // IPython shows a magic as the call that it becomes.
        let code = last.code.as_deref().unwrap_or("").trim();
        let shown = !code.is_empty() && !code.contains("get_ipython()");
        shown && self.own_frame(last, frames.len() == 1).is_none()
    }

    /// The line (from 1) of the failing cell that was probably the innermost line of the traceback before it was
    /// changed: the one most like it. None if there is no such line, or the failure was in another cell.
    pub fn changed_line(&self) -> Option<u32> {
        let frames = self.error().frames.iter();
        let mut own = frames.filter(|f| matches!(f.origin, Origin::Cell { .. }));
        let code: Vec<char> = own
            .next()?
            .code
            .as_deref()?
            .trim()
            .chars()
            .take(200)
            .collect();
        if own.next().is_some() {
            return None;
        }
        let like = |line: &str| {
            let line: Vec<char> = line.trim().chars().take(200).collect();
            let head = line.iter().zip(&code).take_while(|(a, b)| a == b).count();
            let room = line.len().min(code.len()) - head;
            let tails = line.iter().rev().zip(code.iter().rev()).take(room);
            let tail = tails.take_while(|(a, b)| a == b).count();
            // Half of the longer one, and where it begins.
            let same = head + tail;
            (head >= 4 && same * 2 >= line.len().max(code.len())).then_some(same)
        };
        let source = self.book.cells().get(self.at)?.source;
        let all = (1..)
            .zip(source.lines())
            .filter_map(|(n, l)| Some((like(l)?, n)));
        all.max_by_key(|(same, n)| (*same, std::cmp::Reverse(*n)))
            .map(|(_, n)| n)
    }

    fn own_frames(&self, exception: &Exception) -> Vec<OwnFrame> {
        let all = exception
            .frames
            .iter()
            .filter(|f| matches!(f.origin, Origin::Cell { .. }));
        all.enumerate()
            .filter_map(|(i, f)| self.own_frame(f, i == 0))
            .collect()
    }

    /// `first`: the outermost frame is in the failing cell, whatever its count was when the output was saved.
    fn own_frame(&self, frame: &Frame, first: bool) -> Option<OwnFrame> {
        let Origin::Cell { count } = frame.origin else {
            return None;
        };
        let line = frame.line?;
        let code = frame
            .code
            .as_deref()
            .map(str::trim)
            .filter(|c| !c.is_empty());
        let fits = |cell: usize| {
            let source = self.book.cells().get(cell).map_or("", |c| c.source);
            let text = source.lines().nth(line as usize - 1).map(str::trim);
            // A line without text says nothing; a front end may cut a long one.
            code.is_none_or(|code| text.is_some_and(|t| t == code || t.starts_with(code)))
        };
        let counted = count.and_then(|n| self.book.counted(i64::from(n)));
        let mut candidates: Vec<usize> = Vec::new();
        let mut taken = vec![false; self.book.cells().len().max(self.at + 1)];
        // An identical line of another cell is not what failed.
        let elsewhere = match first {
            true => Vec::new(),
            false => self.book.before(self.at),
        };
        let all = first
            .then_some(self.at)
            .into_iter()
            .chain(counted)
            .chain([self.at])
            .chain(elsewhere.into_iter().rev());
        for cell in all {
            if !std::mem::replace(&mut taken[cell], true) {
                candidates.push(cell);
            }
        }
        let at = candidates.iter().copied().find(|c| line > 0 && fits(*c));
        let (cell, line) = at.map(|c| (c, line)).or_else(|| {
            // The cell was changed since: the line may stand elsewhere in it, or have lost its comment.
            let name = frame
                .function
                .as_deref()
                .filter(|f| !f.starts_with(['<', '?']));
            // `Net.forward`, as newer ones print it.
            let name = name.and_then(|n| n.rsplit('.').next());
            let found = |c: &usize| Some((*c, self.only_line(*c, code?, name)?));
            let other_texts = |c: &usize| Some((*c, self.same_but_texts(*c, line, code?)?));
            let all = candidates.iter();
            all.clone()
                .find_map(found)
                .or_else(|| all.clone().find_map(other_texts))
        })?;
        let function = frame.function.as_deref();
        Some(OwnFrame {
            cell,
            line,
            function: function
                .filter(|f| (!f.starts_with('<') || *f == "<lambda>") && *f != "?")
                .map(str::to_owned),
        })
    }

    /// The line (from 1) of a cell that equals `code` except inside string literals, such as a file's new path: the line of
    /// the same number, or the only such line.
    fn same_but_texts(&self, at: usize, line: u32, code: &str) -> Option<u32> {
        let (plain, texts) = without_texts(code);
        let told = |t: &&str| t.len() > 1 && self.message().contains(*t);
        if texts.iter().any(|t| told(&t.as_str())) || plain.len() < 8 {
            return None;
        }
        let source = self.book.cells().get(at)?.source;
        let like: Vec<u32> = (1..)
            .zip(source.lines())
            .filter(|(_, l)| without_texts(l.trim()).0 == plain)
            .map(|(n, _)| n)
            .collect();
        match like[..] {
            [one] => Some(one),
            _ => like.contains(&line).then_some(line),
        }
    }

    /// The one line (from 1) of a cell with a text, in the function that ran it (at the top level without one).
    fn only_line(&self, at: usize, code: &str, function: Option<&str>) -> Option<u32> {
        let source = self.book.cells().get(at)?.source;
        let plain = |t: &str, longer: &str| {
            let rest = longer.strip_prefix(t).map(str::trim_start);
            !t.is_empty() && rest.is_some_and(|r| r.is_empty() || r.starts_with('#'))
        };
        let mut found: Vec<u32> = Vec::new();
        for (number, text) in (1..).zip(source.lines()) {
            let text = text.trim();
            if plain(text, code) || plain(code, text) {
                found.push(number);
            }
        }
        if found.is_empty() {
            return None;
        }
        let cell = self.python(at)?;
        found.retain(|line| function_at(cell, *line) == function);
        match found[..] {
            [line] => Some(line),
            _ => None,
        }
    }
}

/// A line of code without its comment and with empty texts, and the texts.
fn without_texts(line: &str) -> (String, Vec<String>) {
    let (mut plain, mut texts) = (String::new(), Vec::new());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => {
                plain.push('"');
                let mut text = String::new();
                while let Some(inner) = rest.next().filter(|i| *i != c) {
                    text.push(inner);
                    // The next one is no end of the text.
                    text.extend((inner == '\\').then(|| rest.next()).flatten());
                }
                texts.push(text);
            }
            '#' => break,
            c => plain.push(c),
        }
    }
    plain.truncate(plain.trim_end().len());
    (plain, texts)
}

/// The innermost function around a line (from 1).
fn function_at(cell: &Cell, line: u32) -> Option<&str> {
    let mut out = None;
    each_stmt(cell.body(), &mut |s| {
        if let Stmt::FunctionDef(f) = s {
            let (first, last) = (cell.line_of(f.name.start()), cell.line_of(s.end()));
            if first < line && line <= last {
                out = Some(f.name.as_str());
            }
        }
    });
    out
}
