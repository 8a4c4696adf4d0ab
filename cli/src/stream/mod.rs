//! Judges a text of any length as it comes, in bounded memory.
//!
//! A quick search decides where anything of interest is. The lines around it, cut where nothing is said for a while, are
//! judged by the engine like a text of their own. Lines of the same form are judged once and counted after that.

mod groups;
mod incident;
mod shape;
mod triggers;

pub use groups::{signature, Groups};
pub use shape::{shape, together};
pub use triggers::interesting;

use incident::{Incident, Then};
use memchr::{memchr_iter, memrchr};
use nbmedic::cure::{cure, Book};
use nbmedic::facts::Spot;
use nbmedic::text::{Document, Limits};
use nbmedic::triage::{triage, triage_why, Diagnosis, Input, Surface};
use std::collections::HashMap;
use triggers::{marks, triggers};

/// How much of the quiet text before an incident is kept.
const BEFORE: usize = 8 << 10;
/// A longer line is judged around its triggers: patterns see no more of a line.
const MAX_LINE: usize = 3500;
/// What of a long line is seen before and after a trigger.
const LINE_BEFORE: usize = 300;
const LINE_AFTER: usize = 2000;
/// Number of incidents whose outcome is remembered.
const MEMORY: usize = 4096;

/// A line of which nothing came so often is no reason to look closer.
const DULL: u8 = 4;

/// What a remembered incident is about: a failure's number, and the form of the line that stands for it.
type Verdict = Vec<(usize, u64)>;

/// Judges a text that comes in pieces of whole lines.
#[derive(Default)]
pub struct Scanner {
    /// Lines read to their end.
    lines: u64,
    /// The last line has no end yet.
    is_cut: bool,
    before: String,
    open: Option<Incident>,
    groups: Groups,
    known: HashMap<u64, Verdict>,
    hits: Vec<usize>,
    /// How often nothing came of a line of this form.
    dull: HashMap<u64, u8>,
}

impl Scanner {
    /// Lines read so far.
    pub fn lines(&self) -> u64 {
        self.lines + u64::from(self.is_cut)
    }

    /// The distinct failures so far.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Goes on with another line of the input.
    pub fn at(&mut self, lines: u64) {
        self.lines = lines;
        self.before.clear();
    }

    /// Reads the next lines; only the last may be without its newline. `tell` gets each new failure.
    pub fn push(&mut self, mut text: &str, tell: &mut dyn FnMut(Diagnosis)) {
        if !text.is_empty() {
            self.is_cut = !text.ends_with('\n');
        }
        while let Some(at) = redrawn(text.as_bytes()) {
            let start = memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |i| i + 1);
            self.clean(&text[..start], None, tell);
            text = &text[start..];
            // Neighbouring lines that are redrawn are cleaned together: the cursor may go up.
            let mut end = 0;
            while end < text.len() {
                let rest = &text[end..];
                let n = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |i| i + 1);
                if redrawn(&rest.as_bytes()[..n]).is_none() {
                    break;
                }
                end += n;
            }
            let raw = &text[..end];
            let all = Limits {
                max_bytes: usize::MAX / 4,
                max_line: usize::MAX / 16,
                max_lines: usize::MAX / 4,
            };
            let doc = Document::from_terminal(raw, all);
            let first = self.lines;
            let numbers: Vec<u64> = (0..doc.len())
                .map(|i| first + doc.raw_line(i) as u64)
                .collect();
            if !doc.is_empty() {
                self.clean(doc.text(), Some(&numbers), tell);
            }
            self.lines = first + newlines(raw);
            text = &text[end..];
        }
        self.clean(text, None, tell);
    }

    /// Reads clean lines, whose numbers are those given or follow on.
    fn clean(&mut self, text: &str, numbers: Option<&[u64]>, tell: &mut dyn FnMut(Diagnosis)) {
        let mut hits = std::mem::take(&mut self.hits);
        self.find(text, &mut hits);
        if hits.is_empty() && self.open.is_none() {
            self.keep(text);
            self.lines += newlines(text);
            self.hits = hits;
            return;
        }
        let (mut pos, mut nth, mut next) = (0, 0, 0);
        while pos < text.len() {
            if self.open.is_none() {
                let hit = hits.get(next).copied().unwrap_or(text.len());
                let start = memrchr(b'\n', &text.as_bytes()[pos..hit]).map_or(pos, |i| pos + i + 1);
                let start = if hit == text.len() { hit } else { start };
                self.keep(&text[pos..start]);
                let n = newlines(&text[pos..start]);
                self.lines += n;
                nth += n as usize;
                pos = start;
                if pos == text.len() {
                    break;
                }
            }
            let rest = &text.as_bytes()[pos..];
            let end = memchr::memchr(b'\n', rest).map_or(text.len(), |i| pos + i + 1);
            let first = next;
            next += hits[next..].partition_point(|h| *h < end);
            let number = numbers
                .and_then(|n| n.get(nth).copied())
                .unwrap_or(self.lines + 1);
            self.line(&text[pos..end], number, pos, &hits[first..next], tell);
            self.lines += u64::from(text.as_bytes()[end - 1] == b'\n');
            nth += 1;
            pos = end;
        }
        self.hits = hits;
    }

    /// Finds the triggers of a text, in order, but for those in lines of which nothing comes.
    fn find(&self, text: &str, hits: &mut Vec<usize>) {
        hits.clear();
        let marks = marks();
        // The lowest bit says what it is.
        triggers().each(text, &mut |n, found| {
            hits.push(found.start << 1 | usize::from(marks[n]));
        });
        hits.sort_unstable();
        let (mut end, mut kept, mut dull) = (0, 0, false);
        for i in 0..hits.len() {
            let (at, mark) = (hits[i] >> 1, hits[i] & 1 == 1);
            if at >= end {
                let start = memrchr(b'\n', &text.as_bytes()[end..at]).map_or(end, |i| end + i + 1);
                end = memchr::memchr(b'\n', &text.as_bytes()[at..])
                    .map_or(text.len(), |i| at + i + 1);
                let line = &text[start..end];
                dull = !self.dull.is_empty()
                    && line.len() <= MAX_LINE
                    && self.dull.get(&shape(line)).is_some_and(|n| *n >= DULL);
            }
            if mark || !dull {
                hits[kept] = at;
                kept += 1;
            }
        }
        hits.truncate(kept);
    }

    /// Reads a line at an offset, with its triggers' offsets.
    fn line(
        &mut self,
        line: &str,
        number: u64,
        at: usize,
        hits: &[usize],
        tell: &mut dyn FnMut(Diagnosis),
    ) {
        if line.len() <= MAX_LINE {
            return self.add(line, number, !hits.is_empty(), tell);
        }
        let part = |from: usize, to: usize| {
            let (mut from, mut to) = (from.min(line.len()), to.min(line.len()));
            while !line.is_char_boundary(from) {
                from -= 1;
            }
            while !line.is_char_boundary(to) {
                to -= 1;
            }
            line[from..to].trim_end_matches('\n')
        };
        let in_start = hits.partition_point(|h| h - at < MAX_LINE - LINE_BEFORE);
        self.add(part(0, MAX_LINE), number, in_start > 0, tell);
        let mut seen = 0;
        for hit in hits[in_start..].iter().map(|h| h - at) {
            if hit >= seen {
                let text = part(hit - LINE_BEFORE, hit + LINE_AFTER);
                self.add(text, number, true, tell);
                seen = hit + LINE_AFTER - LINE_BEFORE;
            }
        }
    }

    fn add(&mut self, line: &str, number: u64, trigger: bool, tell: &mut dyn FnMut(Diagnosis)) {
        match self.open.as_ref().map(|open| open.then(line, trigger)) {
            Some(Then::Add) | None => {}
            Some(Then::End) => {
                self.close(tell);
                return self.keep(line);
            }
            Some(Then::Cut) => self.close(tell),
        }
        if self.open.is_none() && !trigger {
            return self.keep(line);
        }
        let before = &mut self.before;
        self.open
            .get_or_insert_with(|| Incident::new(&std::mem::take(before), number))
            .add(line, number, trigger);
    }

    /// Keeps the end of quiet text, in whole lines.
    fn keep(&mut self, text: &str) {
        let cut = |text: &str| {
            let mut at = text.len().saturating_sub(BEFORE);
            if at == 0 {
                return 0;
            }
            while !text.is_char_boundary(at) {
                at += 1;
            }
            memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |i| at + i + 1)
        };
        let from = cut(text);
        if from > 0 {
            self.before.clear();
        }
        self.before.push_str(&text[from..]);
        if !self.before.is_empty() && !self.before.ends_with('\n') {
            self.before.push('\n');
        }
        if self.before.len() > 2 * BEFORE {
            let from = cut(&self.before);
            self.before.drain(..from);
        }
    }

    /// Judges what is still open.
    pub fn close(&mut self, tell: &mut dyn FnMut(Diagnosis)) {
        let Some(incident) = self.open.take() else {
            return;
        };
        let key = together(&mut incident.shapes());
        if !self.known.contains_key(&key) {
            if self.known.len() >= MEMORY {
                self.known.clear();
            }
            let verdict = self.judge(&incident, tell);
            self.known.insert(key, verdict);
        }
        if self.known[&key].is_empty() {
            if self.dull.len() >= MEMORY {
                self.dull.clear();
            }
            let mut shapes = incident.shapes();
            shapes.sort_unstable();
            shapes.dedup();
            for shape in shapes {
                let n = self.dull.entry(shape).or_default();
                *n = n.saturating_add(1);
            }
        }
        for &(group, shape) in &self.known[&key] {
            let mut counted = false;
            for line in incident.alike(shape) {
                self.groups.count(group, spot(line));
                counted = true;
            }
            if !counted {
                self.groups.count(group, spot(incident.last()));
            }
        }
        self.before.clear();
        self.before.push_str(incident.rest());
    }

    fn judge(&mut self, incident: &Incident, tell: &mut dyn FnMut(Diagnosis)) -> Verdict {
        let text = incident.text();
        // A short stretch of a long text is no notice.
        let input = |text| Input {
            text,
            surface: Surface::Log,
            source: None,
        };
        let (mut diagnoses, considered) = triage_why(&input(text));
        // In a short text a second failure matters less than what explains the end; in a long one it counts.
        let passed_over = |id: &str| {
            let mut all = considered.iter().filter(|c| c.id == id);
            all.any(|c| c.outcome.ends_with(" explains it") || c.outcome == "one too many")
        };
        let parts = match considered.iter().any(|c| passed_over(c.id)) {
            true => incident.parts(),
            false => Vec::new(),
        };
        for (lines, part) in parts.into_iter().filter(|p| p.1.len() < text.len()) {
            for mut d in triage(&input(part)) {
                if passed_over(d.id) && !diagnoses.iter().any(|o| o.id == d.id) {
                    for e in &mut d.evidence {
                        e.line += lines;
                    }
                    diagnoses.push(d);
                }
            }
        }
        diagnoses.retain(|d| d.evidence.iter().any(|e| incident.own(e.line).is_some()));
        let mut verdict = Verdict::new();
        let mut new = Vec::new();
        for d in &diagnoses {
            let own = d.evidence.iter().find_map(|e| incident.own(e.line));
            let Some((group, is_new)) = self.groups.of(d) else {
                continue;
            };
            verdict.push((group, own.map_or(0, |(_, shape)| shape)));
            new.push(is_new);
        }
        if new.contains(&true) {
            cure(&Book::new(Vec::new()), 0, text, &mut diagnoses);
        }
        for (mut d, _) in diagnoses.into_iter().zip(new).filter(|(_, new)| *new) {
            for e in &mut d.evidence {
                e.line = usize::try_from(incident.number(e.line)).unwrap_or_default();
                e.range = 0..0;
            }
            tell(d);
        }
        verdict
    }
}

fn spot(line: u64) -> Spot {
    Spot {
        cell: None,
        line: Some(line),
    }
}

fn newlines(text: &str) -> u64 {
    memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// Where the first character is that a terminal acts on, other than the end of a line.
fn redrawn(bytes: &[u8]) -> Option<usize> {
    let special = |b: u8| (b < 0x20 && b != b'\t' && b != b'\n') || b == 0x7f;
    let mut at = 0;
    while at < bytes.len() {
        // Without an early exit this loop becomes vector code.
        let block = &bytes[at..bytes.len().min(at + 64)];
        if block.iter().fold(false, |any, &b| any | special(b)) {
            for (i, &b) in block.iter().enumerate() {
                let ends = b == b'\r' && bytes.get(at + i + 1) == Some(&b'\n');
                if special(b) && !ends {
                    return Some(at + i);
                }
            }
        }
        at += block.len();
    }
    None
}
