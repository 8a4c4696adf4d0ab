//! Applies the rules to one text: the index yields candidates, and patterns run only on those.

use super::context::Context;
use super::finding::{Finding, Place};
use super::index::Use;
use super::input::Surface;
use super::pairs::Searched;
use super::patterns::{block, capture, floor, pattern, window};
use super::setting::raised_in;
use super::{detectors, quoted};
use nbmedic_catalog::{literals, FactPattern, Match, Scope};
use nbmedic_facts::expr::{self, Val};
use nbmedic_facts::{holds, operand, Facts, Value};
use nbmedic_traceback::{quoted_exception, Exception};
use std::cell::OnceCell;
use std::sync::OnceLock;

/// Maximum length of a line for patterns, in bytes.
const MAX_LINE: usize = 4096;
/// Maximum length of a message for patterns, in bytes.
const MAX_MESSAGE: usize = 16 * 1024;
/// Maximum number of bytes that are searched for facts, from the start of a text.
const MAX_TEXT: usize = 1 << 20;
/// Maximum length of such a fact beyond its first line, in bytes.
const MAX_AFTER: usize = 512;
/// Maximum number of lines of a notice.
const MAX_NOTICE_LINES: usize = 12;
/// Maximum number of lines of a part of a message.
const MAX_PIECE_LINES: usize = 6;
/// Number of lines at the end of a longer text that are searched for a message without its class.
const MAX_LAST_LINES: usize = 200;
/// Maximum number of bytes on a line before a message without its class.
const MAX_LEAD: usize = 200;
/// Words of a line that reports a failure.
const FAILED: &[&str] = &["rror", "RROR", "ailed", "xception", "annot ", "an't "];
/// Minimum length of a literal that is distinctive without its exception, in bytes.
const MIN_PIECE_LITERAL: usize = 20;
/// Factor of the confidence in a match without its exception.
const PIECE: f32 = 0.8;
/// Factor of the confidence in a message that another one quotes.
const QUOTED: f32 = 0.9;

/// A line that contains a literal.
struct Candidate {
    line: usize,
    /// Whether it belongs to a traceback, or is a row of a table or list: rules on lines ignore it.
    covered: bool,
    /// Whether it looks like a failure but is harmless: only notices match it. Computed on demand.
    benign: Option<bool>,
}

impl Context<'_> {
    fn is_notice(&self) -> bool {
        self.surface == Surface::Notice
            || (self.chains.is_empty()
                && self.doc.len() <= MAX_NOTICE_LINES
                && self.surface == Surface::Output)
    }

    /// Everything that matched, in a fixed order.
    pub fn findings(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        // The last exception says most, so it comes before the budget is spent.
        for (c, chain) in self.chains.iter().enumerate().rev() {
            for (e, exception) in chain.exceptions.iter().enumerate().rev() {
                self.on_exception(Place::Exception(c, e), exception, &mut out);
            }
        }
        // Sorted by line, so that a line is classified once for all its matches.
        let mut last: Option<Candidate> = None;
        for (line, u) in self.index.candidates(&self.hits) {
            let mut at = match last {
                Some(same) if same.line == line => same,
                _ => Candidate {
                    line,
                    covered: self.covered(line),
                    benign: None,
                },
            };
            if !at.covered {
                self.on_line(&mut at, u, &mut out);
            }
            last = Some(at);
        }
        if out.is_empty() {
            self.on_piece(&mut out);
        }
        for f in &mut out {
            self.complete(f);
        }
        out
    }

    /// The fallback if nothing matched. A few lines without a traceback may be the end of an exception's message, whose
    /// class is above them; in a longer text, a program may print a message without its class. Only matches that need
    /// no frame count, and only with a distinctive literal.
    fn on_piece(&self, out: &mut Vec<Finding>) {
        let doc = &self.doc;
        if self.surface != Surface::Output || !self.chains.is_empty() {
            return;
        }
        if doc.len() <= MAX_PIECE_LINES {
            let text = block(doc.text(), 0..doc.text().len(), MAX_MESSAGE);
            self.on_words(0, text, out);
            return;
        }
        let from = doc.len().saturating_sub(MAX_LAST_LINES);
        for line in from..doc.len() {
            let text = window(doc.line(line), MAX_LINE);
            if FAILED.iter().any(|word| text.contains(word)) {
                // What is announced stands below.
                let text = match text.trim_end().ends_with(':') {
                    true => {
                        let end = (line + MAX_PIECE_LINES).min(doc.len()) - 1;
                        block(
                            doc.text(),
                            doc.span(line).start..doc.span(end).end,
                            MAX_LINE,
                        )
                    }
                    false => text,
                };
                self.on_words(line, text, out);
            }
        }
    }

    /// Matches exceptions' messages against a text that begins at a line.
    fn on_words(&self, first: usize, text: &str, out: &mut Vec<Finding>) {
        let doc = &self.doc;
        for Use { rule, m } in self.index.uses_with(text) {
            let own = |n: &u16| {
                let literal = literals()[usize::from(*n)];
                let telling = literal.len() >= MIN_PIECE_LITERAL && literal.contains(' ');
                // Literals of rules on lines are left to those rules.
                text.find(literal)
                    .filter(|_| telling && !self.index.is_for_lines(*n))
            };
            let found = m.numbers.iter().find_map(own);
            let bare = m.scope == Scope::Exception && m.frame.is_empty();
            let Some(found) = found.filter(|_| bare) else {
                continue;
            };
            let mut facts = Facts::new();
            let at = doc.span(first).start + found;
            let line = doc.line_at(at);
            // A message far behind other words is a quotation, like the evidence on a copied card.
            if at - doc.span(line).start > MAX_LEAD && (first > 0 || !m.class.is_empty()) {
                continue;
            }
            let harmless = || pattern(benign()).is_match(window(doc.line(line), MAX_LINE));
            let told = self.covered(line) || logged(doc.line(line)) || harmless();
            if told || !self.allowed(m) || !self.patterns(m, text, &mut facts) {
                continue;
            }
            let mut f = Finding {
                rule,
                m,
                place: Place::Line(line),
                confidence: (m.confidence * PIECE * 100.0).round() / 100.0,
                facts,
                variant: m.variant,
                evidence: vec![line],
            };
            if detectors::agrees(self, &mut f, text) {
                self.more_facts(&mut f, &Searched::new(text));
                out.push(f);
            }
        }
    }

    fn allowed(&self, m: &Match) -> bool {
        (m.near.is_empty() || self.index.any(&self.hits, m.near))
            && (m.absent.is_empty() || !self.index.any(&self.hits, m.absent))
    }

    fn on_exception(&self, place: Place, e: &Exception, out: &mut Vec<Finding>) {
        if e.ignored {
            return;
        }
        let message = block(&e.message, 0..e.message.len(), MAX_MESSAGE);
        self.on_message(place, e, e.name(), message, 1.0, out);
        // Its quotation of another message may say more.
        if let Some((class, inner)) = quoted_exception(message) {
            let class = class.rsplit('.').next().unwrap_or(class);
            self.on_message(place, e, class, inner, QUOTED, out);
        }
    }

    /// Applies the rules to an exception's message, or to its quotation of another; `sure` is a factor.
    fn on_message(
        &self,
        place: Place,
        e: &Exception,
        class: &str,
        message: &str,
        sure: f32,
        out: &mut Vec<Finding>,
    ) {
        let searched = OnceCell::new();
        for Use { rule, m } in self.index.uses_for(class, message) {
            if sure < 1.0 && (m.class == ["*"] || m.numbers.is_empty() && m.class.is_empty()) {
                continue;
            }
            let mut facts = Facts::new();
            if !self.allowed(m) || !self.patterns(m, message, &mut facts) {
                continue;
            }
            // Checked last, because there may be hundreds of frames.
            if !m.frame.is_empty() && !frames_match(m.frame, e) {
                continue;
            }
            let mut f = Finding {
                rule,
                m,
                place,
                confidence: (m.confidence * sure * 100.0).round() / 100.0,
                facts,
                variant: m.variant,
                evidence: vec![e.lines.start],
            };
            if detectors::agrees(self, &mut f, message) {
                self.more_facts(&mut f, searched.get_or_init(|| Searched::new(message)));
                out.push(f);
            }
        }
    }

    fn covered(&self, line: usize) -> bool {
        self.in_traceback(line)
            || self.surface != Surface::Notice && quoted::is_row(&self.doc, line)
    }

    fn on_line(&self, at: &mut Candidate, Use { rule, m }: Use, out: &mut Vec<Finding>) {
        let line = at.line;
        let notice = m.scope == Scope::Notice;
        if notice && !self.is_notice() || !self.allowed(m) {
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
        // This pattern is large, so it runs only after the smaller ones matched.
        let benign = || pattern(benign()).is_match(window(self.doc.line(line), MAX_LINE));
        if !notice && *at.benign.get_or_insert_with(benign) {
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
            self.more_facts(&mut f, &Searched::new(text));
            out.push(f);
        }
    }

    fn patterns(&self, m: &'static Match, text: &str, facts: &mut Facts) -> bool {
        let of = usize::from(!m.pattern.is_empty()) + m.unless.len();
        if of > 0 && !self.work.may(of * text.len()) {
            return false;
        }
        if !m.pattern.is_empty() {
            let re = pattern(m.pattern);
            if !capture(re, text, false, facts) {
                return false;
            }
        }
        !m.unless.iter().any(|p| pattern(p).is_match(text))
    }

    fn more_facts(&self, f: &mut Finding, text: &Searched<'_>) {
        for p in f.rule.facts {
            self.read_fact(p, text, &mut f.facts);
            if !p.anywhere {
                continue;
            }
            for (name, value) in self.work.elsewhere(p, || self.elsewhere(p)) {
                f.facts.entry(name).or_insert(value);
            }
        }
    }

    /// The match of a pattern in the whole text, or else in the source.
    fn elsewhere(&self, p: &'static FactPattern) -> Facts {
        let mut facts = Facts::new();
        if let Some(text) = self.around(p).filter(|t| self.work.may(t.len())) {
            capture(pattern(p.pattern), text, p.all, &mut facts);
        }
        let source = self
            .source
            .map(|s| Searched::new(block(s, 0..s.len(), MAX_MESSAGE)));
        if let Some(source) = &source {
            self.read_fact(p, source, &mut facts);
        }
        facts
    }

    /// Reads a fact from a text. A pattern is compiled only if a match can begin somewhere: compiling one costs
    /// far more than searching for its beginnings, and delays the first card after the engine starts.
    fn read_fact(&self, p: &FactPattern, text: &Searched<'_>, facts: &mut Facts) {
        let begins = p.begins.is_empty() || p.begins.iter().any(|l| text.holds(l));
        if begins && self.work.may(text.text.len()) {
            capture(pattern(p.pattern), text.text, p.all, facts);
        }
    }

    /// The part of the text in which a pattern can match, in whole lines.
    fn around(&self, p: &FactPattern) -> Option<&str> {
        let text = self.doc.text();
        let mut part = 0..text.len();
        if !p.begins.is_empty() {
            let spread = self.index.spread(&self.hits, p.begins)?;
            let line = |at: usize| self.doc.span(self.doc.line_at(at));
            part = line(spread.start).start..line(spread.end).end;
            part.end = floor(text, text.len().min(part.end + MAX_AFTER));
        }
        part.end = part.end.min(floor(text, text.len().min(MAX_TEXT)));
        (part.start < part.end).then(|| &text[part])
    }

    /// Adds derived facts and the exception's own, and chooses the variant.
    fn complete(&self, f: &mut Finding) {
        if let Place::Exception(c, e) = f.place {
            let exception = &self.chains[c].exceptions[e];
            f.facts
                .insert("exception".into(), Value::Text(exception.name().to_owned()));
            if let Some(package) = raised_in(&exception.frames) {
                let text = |t: &str| Value::Text(t.to_owned());
                f.facts.insert("raised_in".into(), text(package));
                if let Some(dist) = nbmedic_libraries::listed(package) {
                    f.facts.insert("raised_dist".into(), text(dist));
                }
            }
            let message = exception.message.trim();
            if !message.is_empty() {
                f.facts
                    .entry("message".into())
                    .or_insert_with(|| Value::Text(message.to_owned()));
            }
        }
        for (name, value) in f.rule.derives {
            match expr::eval(value, |n| operand(&f.facts, n)) {
                Ok(Val::Num(x)) if x.fract() == 0.0 => {
                    f.facts.insert((*name).into(), Value::Int(x as i64))
                }
                Ok(Val::Num(x)) => f.facts.insert((*name).into(), Value::Number(x)),
                Ok(Val::Text(t)) => f.facts.insert((*name).into(), Value::Text(t)),
                _ => None,
            };
        }
        if f.variant.is_empty() {
            let chosen = |when: &str| !when.is_empty() && holds(when, &f.facts);
            if let Some(v) = f.rule.variants.iter().find(|v| chosen(v.when)) {
                f.variant = v.id;
            }
        }
    }
}

/// Whether a line is a warning, or a logger's that isn't an error.
fn logged(line: &str) -> bool {
    let marks = ["Warning", "WARN", "INFO", "DEBUG", ": W ", ": I "];
    marks.iter().any(|mark| line.contains(mark)) || line.starts_with("W ") || line.starts_with("I ")
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

/// One pattern for all lines that look like failures but are harmless (`src/catalog/benign.txt`).
fn benign() -> &'static str {
    static PATTERN: OnceLock<String> = OnceLock::new();
    PATTERN.get_or_init(|| {
        let lines: Vec<&str> = include_str!("../catalog/benign.txt")
            .lines()
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
            .collect();
        if lines.is_empty() {
            return "$a".to_owned();
        }
        format!("(?:{})", lines.join(")|(?:"))
    })
}
