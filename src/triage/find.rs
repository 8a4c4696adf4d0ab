//! Runs the rules over one text: candidates from the index, patterns where their literal hit.

use super::facts::{kind_of, read, Facts, Kind, Value};
use super::index::{block, pattern, window, Hits, Index, Use};
use super::{detectors, rows, Input, Surface};
use crate::catalog::{explain, Match, Rule, Scope};
use crate::text::{Document, Limits};
use crate::traceback::{self, Chain, Exception};
use nbmedic_catalogc::expr::{self, Val};
use regex_lite::Regex;

/// Longest line that patterns see.
const MAX_LINE: usize = 4096;
/// Longest message that patterns see.
const MAX_MESSAGE: usize = 16 * 1024;
/// A text of more lines is no notice.
const MAX_NOTICE_LINES: usize = 12;

/// A text, read once.
pub(super) struct Context<'a> {
    pub doc: Document,
    pub chains: Vec<Chain>,
    pub source: Option<&'a str>,
    pub surface: Surface,
    index: &'a Index,
    hits: Hits,
    /// Lines of tracebacks, sorted; rules on lines do not look there.
    covered: Vec<std::ops::Range<usize>>,
    benign: Regex,
}

/// Where a rule matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Chain and exception.
    Exception(usize, usize),
    /// Line.
    Line(usize),
}

/// What rules on lines see of a line.
#[derive(Clone, Copy)]
enum LineState {
    /// It belongs to a traceback, or is a row of a table or list: nothing.
    Covered,
    /// It looks like trouble and is none: notices only.
    Benign,
    Open,
}

/// One match of one rule.
pub(super) struct Finding {
    pub rule: &'static Rule,
    pub m: &'static Match,
    pub place: Place,
    pub confidence: f32,
    pub facts: Facts,
    pub variant: &'static str,
    /// Lines of the document.
    pub evidence: Vec<usize>,
}

impl<'a> Context<'a> {
    pub fn new(input: &Input<'a>, index: &'a Index) -> Self {
        let doc = Document::from_terminal(input.text, Limits::default());
        let mut chains = traceback::parse(&doc);
        for chain in &mut chains {
            if rows::quoted_by_warning(&doc, chain) {
                for e in &mut chain.exceptions {
                    e.ignored = true;
                }
            }
        }
        // Literals come in clusters: most stand on the line of the one before.
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
        crate::order::sort_by_key(&mut covered, |r| r.start);
        let benign = pattern(detectors::benign());
        Context {
            doc,
            chains,
            source: input.source,
            surface: input.surface,
            index,
            hits,
            covered,
            benign,
        }
    }

    /// Whether a line belongs to a traceback.
    pub fn in_traceback(&self, line: usize) -> bool {
        let at = self.covered.partition_point(|r| r.start <= line);
        at > 0 && self.covered[at - 1].contains(&line)
    }

    fn is_notice(&self) -> bool {
        self.surface == Surface::Notice
            || (self.chains.is_empty()
                && self.doc.len() <= MAX_NOTICE_LINES
                && self.surface == Surface::Output)
    }

    /// Everything that matched, in a fixed order.
    pub fn findings(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        for (c, chain) in self.chains.iter().enumerate() {
            for (e, exception) in chain.exceptions.iter().enumerate() {
                self.on_exception(Place::Exception(c, e), exception, &mut out);
            }
        }
        // Sorted by line: what holds for a line holds for all its matches.
        let mut last = None;
        for (line, u) in self.index.candidates(&self.hits) {
            let state = match last {
                Some((at, state)) if at == line => state,
                _ => self.line_state(line),
            };
            last = Some((line, state));
            self.on_line(line, state, u, &mut out);
        }
        for f in &mut out {
            self.complete(f);
        }
        out
    }

    fn allowed(&self, m: &Match) -> bool {
        (m.near.is_empty() || self.index.any(&self.hits, &m.near))
            && (m.absent.is_empty() || !self.index.any(&self.hits, &m.absent))
    }

    fn on_exception(&self, place: Place, e: &Exception, out: &mut Vec<Finding>) {
        if e.ignored {
            return;
        }
        let message = block(&e.message, 0..e.message.len(), MAX_MESSAGE);
        for Use { rule, m } in self.index.uses_for(e.name()) {
            let literal = m.literal.is_empty() || m.literal.iter().any(|l| message.contains(l));
            if !literal || !self.allowed(m) {
                continue;
            }
            if !m.frame.is_empty() && !frames_match(m.frame, e) {
                continue;
            }
            let mut facts = Facts::new();
            if !self.patterns(m, message, &mut facts) {
                continue;
            }
            let mut f = Finding {
                rule,
                m,
                place,
                confidence: m.confidence,
                facts,
                variant: m.variant,
                evidence: vec![e.lines.start],
            };
            if detectors::agrees(self, &mut f, message) {
                self.more_facts(&mut f, message);
                out.push(f);
            }
        }
    }

    fn line_state(&self, line: usize) -> LineState {
        if self.in_traceback(line)
            || self.surface != Surface::Notice && rows::is_row(&self.doc, line)
        {
            LineState::Covered
        } else if self.benign.is_match(window(self.doc.line(line), MAX_LINE)) {
            LineState::Benign
        } else {
            LineState::Open
        }
    }

    fn on_line(&self, line: usize, state: LineState, Use { rule, m }: Use, out: &mut Vec<Finding>) {
        let notice = m.scope == Scope::Notice;
        let seen = match state {
            LineState::Covered => false,
            LineState::Benign => notice,
            LineState::Open => true,
        };
        if !seen || notice && !self.is_notice() || !self.allowed(m) {
            return;
        }
        let text = window(self.doc.line(line), MAX_LINE);
        let text = if m.reach == 0 {
            text
        } else {
            let last = (line + m.reach).min(self.doc.len() - 1);
            block(
                self.doc.text(),
                self.doc.span(line).start..self.doc.span(last).end,
                MAX_MESSAGE,
            )
        };
        let mut facts = Facts::new();
        if !self.patterns(m, text, &mut facts) {
            return;
        }
        let mut f = Finding {
            rule,
            m,
            place: Place::Line(line),
            confidence: m.confidence,
            facts,
            variant: m.variant,
            evidence: vec![line],
        };
        if detectors::agrees(self, &mut f, text) {
            self.more_facts(&mut f, text);
            out.push(f);
        }
    }

    fn patterns(&self, m: &'static Match, text: &str, facts: &mut Facts) -> bool {
        if !m.pattern.is_empty() {
            let re = pattern(m.pattern);
            if !capture(&re, text, false, facts) {
                return false;
            }
        }
        !m.unless.iter().any(|p| pattern(p).is_match(text))
    }

    fn more_facts(&self, f: &mut Finding, text: &str) {
        for p in &f.rule.facts {
            let re = pattern(p.pattern);
            capture(&re, text, p.all, &mut f.facts);
            if p.anywhere {
                capture(
                    &re,
                    block(self.doc.text(), 0..self.doc.text().len(), 1 << 20),
                    p.all,
                    &mut f.facts,
                );
                if let Some(source) = self.source {
                    capture(
                        &re,
                        block(source, 0..source.len(), MAX_MESSAGE),
                        p.all,
                        &mut f.facts,
                    );
                }
            }
        }
    }

    /// Facts that follow from others, the cell's line, the variant.
    fn complete(&self, f: &mut Finding) {
        if let Place::Exception(c, e) = f.place {
            let exception = &self.chains[c].exceptions[e];
            f.facts
                .insert("exception".into(), Value::Text(exception.name().to_owned()));
            let message = exception.message.trim();
            if !message.is_empty() {
                f.facts
                    .entry("message".into())
                    .or_insert_with(|| Value::Text(message.to_owned()));
            }
        }
        for (name, value) in &f.rule.derives {
            match expr::eval(value, |n| explain::value(&f.facts, n)) {
                Ok(Val::Num(x)) if x.fract() == 0.0 => {
                    f.facts.insert((*name).into(), Value::Int(x as i64))
                }
                Ok(Val::Num(x)) => f.facts.insert((*name).into(), Value::Number(x)),
                Ok(Val::Text(t)) => f.facts.insert((*name).into(), Value::Text(t)),
                _ => None,
            };
        }
        if f.variant.is_empty() {
            if let Some((id, _)) = f
                .rule
                .variants
                .iter()
                .find(|(_, when)| !when.is_empty() && explain::holds(when, &f.facts))
            {
                f.variant = id;
            }
        }
    }
}

fn frames_match(source: &'static str, e: &Exception) -> bool {
    let re = pattern(source);
    e.frames.iter().any(|f| {
        let line = format!(
            "{}:{}: {}",
            f.file,
            f.function.as_deref().unwrap_or(""),
            f.code.as_deref().unwrap_or("")
        );
        re.is_match(window(&line, MAX_LINE))
    })
}

/// Puts named captures into facts; a `__n` at a name's end tells alternatives of one fact apart.
/// What is known already stays, except that one pattern's shapes add up. Returns whether it matched.
fn capture(re: &Regex, text: &str, all: bool, facts: &mut Facts) -> bool {
    let mut matched = false;
    let mut shapes: Vec<Vec<i64>> = Vec::new();
    for caps in re.captures_iter(text) {
        matched = true;
        for name in re.capture_names().flatten() {
            let Some(m) = caps.name(name) else { continue };
            let base = name.split("__").next().unwrap_or(name);
            match read(kind_of(base), m.as_str()) {
                Some(Value::Shapes(s)) => shapes.extend(s),
                Some(value) => {
                    facts.entry(base.to_owned()).or_insert(value);
                }
                None if kind_of(base) == Kind::Text => {}
                None => {}
            }
        }
        if !all {
            break;
        }
    }
    if !shapes.is_empty() {
        facts
            .entry("shapes".into())
            .or_insert(Value::Shapes(shapes));
    }
    matched
}
