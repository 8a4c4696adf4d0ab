//! One failure: its error, the user's frames, and the surrounding notebook.

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

/// A line of the user's code on the way to the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFrame {
    /// Index of its cell in the notebook.
    pub cell: usize,
    /// The line, from 1.
    pub line: u32,
    /// The function; none at the top level of the cell.
    pub function: Option<String>,
}

/// A failure and its notebook.
#[derive(Debug)]
pub struct Case<'a> {
    /// The notebook.
    pub book: &'a Book<'a>,
    /// Index of the failing cell in the notebook.
    pub at: usize,
    /// The output, cleaned.
    pub output: Document,
    /// The exceptions in the order raised. The last one ended the cell.
    pub chain: Chain,
    /// The user's frames, outermost first.
    pub frames: Vec<OwnFrame>,
    /// The diagnosis to cure.
    pub diagnosis: Option<Diagnosis>,
    /// The values of the names on the way to the error, outermost frame first. Without the probe,
    /// the shapes on the innermost line as inferred from the sources.
    pub values: Vec<Seen>,
    /// What held memory when it ran out, largest first. Empty without the probe.
    pub holders: Vec<Holder>,
    /// Values shown in the outputs of earlier cells, read on demand.
    pub(crate) shown: OnceCell<Vec<(String, Value)>>,
    /// Bytes of cell source searched so far.
    pub(crate) read: StdCell<usize>,
}

/// Maximum number of bytes of cell source searched for one failure, counting repeated searches.
/// Real notebooks stay far below it; inputs crafted to be slow don't.
const MAX_READ: usize = 16 << 20;

impl<'a> Case<'a> {
    /// Reads a cell's failure from its output. None if no exception ended the cell.
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

    /// Sets the diagnosis.
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

    /// The lines of the error in the original output, from 1.
    pub fn error_lines(&self) -> RangeInclusive<usize> {
        let lines = &self.chain.lines;
        let last = lines.end.saturating_sub(1).max(lines.start);
        self.output.raw_line(lines.start)..=self.output.raw_line(last)
    }

    /// The facts of the diagnosis.
    pub fn facts(&self) -> Option<&Facts> {
        self.diagnosis.as_ref().map(|d| &d.facts)
    }

    /// The environment of the failure.
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

    /// A parsed cell. None also if the search limit of this failure is exhausted.
    pub fn python(&self, cell: usize) -> Option<&Cell> {
        let python = self.book.python(cell)?;
        let read = self.read.get() + python.text().len();
        self.read.set(read);
        nbmedic_text::steps::took(python.text().len());
        (read <= MAX_READ).then_some(python)
    }

    /// An editor for a cell.
    pub fn editor(&self, cell: usize) -> Option<Editor<'_>> {
        Some(Editor::new(cell, self.python(cell)?))
    }

    /// The value of a name on the user's innermost line or an outer one, if the probe recorded it
    /// or an earlier output shows it.
    pub fn seen_value(&self, name: &str) -> Option<&Value> {
        self.probed(name).or_else(|| self.shown_value(name))
    }

    /// The same without what outputs show of names that no frame reads.
    pub(crate) fn probed(&self, name: &str) -> Option<&Value> {
        let frames = self.values.iter().rev();
        let mut found = frames.filter_map(|f| f.names.iter().find(|(n, _)| n == name));
        found.next().map(|(_, v)| v)
    }

    /// When a value was observed, as the beginning of a sentence.
    pub fn since(&self, value: &Value) -> String {
        match value.shown {
            Some(cell) => format!("As the output of cell {} shows,", self.position(cell)),
            None => "When it failed,".to_owned(),
        }
    }

    /// The user's innermost frame, where the error left their code. None without frames.
    pub fn innermost(&self) -> Option<&OwnFrame> {
        self.frames.last()
    }

    /// The innermost statement of a frame.
    pub fn statement(&self, frame: &OwnFrame) -> Option<&Stmt> {
        statement_at(self.python(frame.cell)?, frame.line)
    }

    /// The user's innermost statement on the way to the error, with the index of its cell.
    pub fn here(&self) -> Option<(usize, &Cell, &Stmt)> {
        let frame = self.innermost()?;
        Some((frame.cell, self.python(frame.cell)?, self.statement(frame)?))
    }

    /// Whether the traceback comes from a program that the cell started (`!python train.py`): it
    /// has frames, but none in a cell that runs a command.
    pub fn is_of_a_program(&self) -> bool {
        let mut frames = self
            .chain
            .exceptions
            .iter()
            .flat_map(|e| &e.frames)
            .peekable();
        let command = |line: &str| {
            let line = line.trim_start();
            // Build failures of installers have their own techniques.
            (line.starts_with('!') || line.starts_with("%run")) && !line.contains("pip")
        };
        frames.peek().is_some()
            && !frames.any(|f| matches!(f.origin, Origin::Cell { .. }))
            && self.failing().source.lines().any(command)
    }

    /// Whether the error was raised in a library called from the user's innermost line.
    pub fn in_library(&self) -> bool {
        let last = self.error().frames.last();
        last.is_some_and(|f| f.origin == Origin::Library)
    }

    /// Whether scikit-learn was validating the targets rather than the features, according to its
    /// frames.
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

    /// The library function that the user's innermost line called, if a frame shows it.
    pub fn called(&self) -> Option<&str> {
        let frames = &self.error().frames;
        let own = frames.iter().rposition(|f| match f.origin {
            Origin::Cell { .. } => true,
            Origin::User => self.book.is_excerpt(),
            Origin::Library => false,
        })?;
        frames.get(own + 1)?.function.as_deref()
    }

    /// Whether no cell contains the user's innermost line of the traceback any more: the code was
    /// edited since, and may already be repaired.
    pub fn is_outdated(&self) -> bool {
        // For a comprehension, IPython shows a different line.
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
        // IPython shows a magic as its expanded call.
        let code = last.code.as_deref().unwrap_or("").trim();
        let shown = !code.is_empty() && !code.contains("get_ipython()");
        shown && self.own_frame(last, frames.len() == 1).is_none()
    }

    /// The line (from 1) of the failing cell that most resembles the innermost line of the
    /// traceback, and so probably is that line after an edit. None if no line does, or if another
    /// cell failed.
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
            // At least half of the longer line must match, including its beginning.
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

    /// `first`: the outermost frame belongs to the failing cell, whatever its count was when the
    /// output was saved.
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
            // A frame without code matches any line, and front ends may truncate long lines.
            code.is_none_or(|code| text.is_some_and(|t| t == code || t.starts_with(code)))
        };
        let counted = count.and_then(|n| self.book.counted(i64::from(n)));
        let mut candidates: Vec<usize> = Vec::new();
        let mut taken = vec![false; self.book.cells().len().max(self.at + 1)];
        // An identical line in another cell isn't the one that failed.
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
            // The cell was edited since: the line may have moved, or lost its comment.
            let name = frame
                .function
                .as_deref()
                .filter(|f| !f.starts_with(['<', '?']));
            // Newer versions print the qualified name: `Net.forward`.
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

    /// The line (from 1) of a cell that equals `code` except inside string literals, such as a
    /// file's new path. Prefers the same line number; otherwise there must be only one such line.
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

    /// The only line (from 1) of a cell with this code, in the function that ran it (without one,
    /// at the top level).
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

/// A line of code without its comment and with its strings emptied, and the strings.
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
                    // The escaped character doesn't end the string.
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
