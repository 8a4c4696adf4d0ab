//! Neighbouring lines that may be about one failure.

use super::shape::shape;
use std::collections::HashSet;

/// A quiet stretch of this many lines ends an incident.
const GAP: usize = 48;
/// An incident with more lines is cut at the next safe place, and one with this many anywhere.
const LONG: usize = 128;
const TOO_LONG: usize = 4096;
/// The same in bytes.
const TOO_MANY: usize = 256 << 10;
/// Lines of the usual kind after which what fails is something else.
const WENT_ON: usize = 3;
/// Lines after a traceback that may be its message.
const MESSAGE: usize = 8;
/// How many lines before a traceback may say that it belongs to the one above.
const LINK: usize = 4;
const HEADER: &str = "Traceback (most recent call last)";

/// Lines, some of which have triggers, with quiet ones before and after.
pub struct Incident {
    text: String,
    /// The number in the input of each line.
    numbers: Vec<u64>,
    /// Lines before the first with a trigger: they are there for what they say about the rest.
    before: usize,
    /// Lines that tell this incident from others, with their shapes: those with triggers, and the frames of tracebacks.
    telling: Vec<(usize, u64)>,
    /// Lines since the last trigger, and since the end of a traceback.
    quiet: usize,
    since: usize,
    in_traceback: bool,
    /// The forms of quiet lines, which go on whatever fails: no part of a message.
    usual: HashSet<u64>,
    /// How many of these the last lines were.
    went_on: usize,
}

/// What is to be done before a line is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Add,
    /// The incident is over, and so is what it was about.
    End,
    /// It is too long: the line begins the next one.
    Cut,
}

impl Incident {
    /// An incident that begins with line `number`, with the quiet lines before it.
    pub fn new(before: &str, number: u64) -> Incident {
        let n = before.lines().count();
        let numbers = (1..=n as u64).rev().map(|back| number.saturating_sub(back));
        Incident {
            text: before.to_owned(),
            numbers: numbers.collect(),
            before: n,
            telling: Vec::new(),
            quiet: 0,
            since: usize::MAX,
            in_traceback: false,
            usual: before.lines().map(shape).collect(),
            went_on: 0,
        }
    }

    /// What the next line does to it.
    pub fn then(&self, line: &str, trigger: bool) -> Then {
        let lines = self.numbers.len() - self.before;
        if !trigger && self.quiet >= GAP {
            return Then::End;
        }
        // Work went on in between: this is another failure.
        if trigger && self.went_on >= WENT_ON && !self.in_traceback {
            return Then::Cut;
        }
        if lines >= TOO_LONG || self.text.len() >= TOO_MANY {
            return Then::Cut;
        }
        let safe = || match () {
            () if line.starts_with([' ', '\t']) => false,
            () if trigger && opens(line) => !linked(&self.text),
            () => !self.in_traceback && self.since > MESSAGE,
        };
        if lines >= LONG && safe() {
            return Then::Cut;
        }
        Then::Add
    }

    /// Adds a line, with its newline.
    pub fn add(&mut self, line: &str, number: u64, trigger: bool) {
        let at = self.numbers.len();
        let indented = line.starts_with([' ', '\t']);
        let usual = !trigger && !indented && !self.usual.insert(shape(line));
        self.went_on = if usual { self.went_on + 1 } else { 0 };
        if !usual {
            self.text.push_str(line);
        }
        if usual || !line.ends_with('\n') {
            self.text.push('\n');
        }
        self.numbers.push(number);
        if trigger || indented && self.in_traceback {
            self.telling.push((at, shape(line)));
        }
        self.since = self.since.saturating_add(1);
        if !trigger {
            // The frames of a traceback may be many.
            self.quiet += usize::from(!(indented && self.in_traceback));
            return;
        }
        self.quiet = 0;
        if opens(line) {
            self.in_traceback = true;
        } else if self.in_traceback && !indented {
            self.in_traceback = false;
            self.since = 0;
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The shapes of the lines that tell it from others.
    pub fn shapes(&self) -> Vec<u64> {
        self.telling.iter().map(|t| t.1).collect()
    }

    /// The numbers of the lines with a shape.
    pub fn alike(&self, shape: u64) -> impl Iterator<Item = u64> + '_ {
        let alike = self.telling.iter().filter(move |t| t.1 == shape);
        alike.map(|t| self.numbers[t.0])
    }

    /// A line's number in the input, and its shape, by its number in the text, from 1. None for those before the first
    /// trigger: they belong to another incident.
    pub fn own(&self, line: usize) -> Option<(u64, u64)> {
        let at = line.checked_sub(1).filter(|at| *at >= self.before)?;
        let text = self.text.lines().nth(at)?;
        Some((*self.numbers.get(at)?, shape(text)))
    }

    /// The parts that are about failures of their own: before each traceback that does not belong to the one above.
    /// Each with the number of lines before it.
    pub fn parts(&self) -> Vec<(usize, &str)> {
        let (mut out, mut start, mut first, mut at) = (Vec::new(), 0, 0, 0);
        for (n, line) in self.text.split_inclusive('\n').enumerate() {
            let begins = n > self.before && opens(line) && !line.starts_with([' ', '\t']);
            if begins && !linked(&self.text[..at]) {
                out.push((first, &self.text[start..at]));
                (start, first) = (at, n);
            }
            at += line.len();
        }
        out.push((first, &self.text[start..]));
        out
    }

    /// A line's number in the input by its number in the text.
    pub fn number(&self, line: usize) -> u64 {
        let at = line.checked_sub(1).and_then(|at| self.numbers.get(at));
        at.copied().unwrap_or_default()
    }

    /// The last line's number in the input.
    pub fn last(&self) -> u64 {
        self.numbers.last().copied().unwrap_or_default()
    }

    /// The quiet lines at the end.
    pub fn rest(&self) -> &str {
        let mut start = self.text.len();
        for _ in 0..self.quiet.min(GAP) {
            start = self.text[..start.saturating_sub(1)]
                .rfind('\n')
                .map_or(0, |i| i + 1);
        }
        &self.text[start..]
    }
}

/// Whether the last lines say that the next traceback belongs to the one above.
fn linked(text: &str) -> bool {
    text.lines().rev().take(LINK).any(|l| {
        l.contains("above exception") || matches!(l.trim(), "\"\"\"" | "'''") || l.ends_with(':')
    })
}

/// Whether a line begins a traceback.
fn opens(line: &str) -> bool {
    line.contains(HEADER)
}
