//! The cause of death that a cell's last lines name after its kernel died.

use super::index::index;
use super::patterns::{capture, pattern, window};
use super::translated;
use nbmedic_catalog::{rules, Match, Rule, Scope};
use nbmedic_facts::{Diagnosis, Evidence, Facts, Location, Value};
use nbmedic_text::{Document, Limits};
use std::borrow::Cow;

/// How many lines at the end of an output are searched.
const LINES: usize = 200;
/// Longest part of a line that patterns see, in bytes.
const MAX_LINE: usize = 4096;
/// Longest evidence, in characters.
const MAX_EVIDENCE: usize = 200;

/// The cause of death that the end of a cell's output names (`scope = "last-line"`). Call this only
/// after a kernel died; otherwise such a line means nothing. The evidence's line number counts from
/// 1 in `text`.
pub fn last_words(text: &str) -> Option<Diagnosis> {
    let total = text.lines().count();
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .skip(total.saturating_sub(LINES))
        .map(|(at, line)| (at, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let english: Vec<Cow<'_, str>> = lines.iter().map(|(_, line)| in_english(line)).collect();
    let lines: Vec<(usize, &str)> = lines
        .iter()
        .zip(&english)
        .map(|((at, _), line)| (*at, &**line))
        .collect();
    let mut best: Option<(f32, usize, &Rule, &Match)> = None;
    for rule in rules() {
        let last = |m: &&Match| m.scope == Scope::LastLine;
        for m in rule.matches.iter().filter(last) {
            let end = &lines[lines.len().saturating_sub(m.within)..];
            let Some((at, _)) = end.iter().rev().find(|(_, line)| says(m, line)) else {
                continue;
            };
            let score = (rule.rank + m.boost) as f32 + 10.0 * m.confidence;
            if best.is_none_or(|(s, line, ..)| (score, *at) > (s, line)) {
                best = Some((score, *at, rule, m));
            }
        }
    }
    let (_, at, rule, m) = best?;
    let line = text.lines().nth(at)?.trim();
    let meant = in_english(line);
    let mut facts = Facts::new();
    if !m.pattern.is_empty() {
        capture(
            pattern(m.pattern),
            window(&meant, MAX_LINE),
            false,
            &mut facts,
        );
    }
    if m.signal != 0 {
        facts.insert("signal".into(), Value::Int(m.signal.into()));
    }
    Some(Diagnosis {
        id: rule.id,
        variant: (!m.variant.is_empty()).then_some(m.variant),
        confidence: m.confidence,
        facts,
        location: Location::default(),
        evidence: vec![Evidence {
            line: at + 1,
            text: clip(line),
            range: 0..0,
        }],
        also: Vec::new(),
        ..Diagnosis::default()
    })
}

/// A line with the system's messages in English.
fn in_english(line: &str) -> Cow<'_, str> {
    let index = index();
    let doc = Document::from_terminal(window(line, MAX_LINE), Limits::default());
    let hits = index.scan(doc.text(), |_| 0);
    match translated::english(&doc, hits.noted()) {
        Some(doc) => Cow::Owned(doc.text().to_owned()),
        None => Cow::Borrowed(line),
    }
}

fn says(m: &'static Match, line: &str) -> bool {
    let part = window(line, MAX_LINE);
    m.literal.iter().any(|l| line.contains(l))
        && (m.pattern.is_empty() || pattern(m.pattern).is_match(part))
        && !m.unless.iter().any(|p| pattern(p).is_match(part))
}

fn clip(line: &str) -> String {
    match line.char_indices().nth(MAX_EVIDENCE) {
        None => line.to_owned(),
        Some(_) => format!("{}…", nbmedic_secrets::cut(line, MAX_EVIDENCE - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id, the signal and the line.
    fn said(text: &str) -> Option<(&'static str, Option<i64>, usize)> {
        let d = last_words(text)?;
        let signal = match d.facts.get("signal") {
            Some(Value::Int(n)) => Some(*n),
            _ => None,
        };
        Some((d.id, signal, d.evidence[0].line))
    }

    #[test]
    fn the_last_lines_name_the_cause() {
        for (text, want) in [
            ("epoch 1\n\n  Killed\n\n", Some(("host-oom", Some(9), 3))),
            ("Killed by curiosity", None),
            (
                "terminate called\n  what():  std::bad_alloc",
                Some(("host-oom", None, 2)),
            ),
            ("tcmalloc: large alloc 8 bytes", Some(("host-oom", None, 1))),
            (
                "Out of memory: Killed process 1 (python3)",
                Some(("host-oom", Some(9), 1)),
            ),
            (
                "Fatal Python error: Aborted",
                Some(("native-crash", Some(6), 1)),
            ),
            (
                "Fatal Python error: Bus error",
                Some(("native-crash", Some(7), 1)),
            ),
            (
                "Fatal Python error: Illegal instruction",
                Some(("native-crash", Some(4), 1)),
            ),
            (
                "Fatal Python error: Floating point exception",
                Some(("native-crash", Some(8), 1)),
            ),
            (
                "Fatal Python error: init_sys_streams",
                Some(("native-crash", None, 1)),
            ),
            (
                "python: pool.c:1: f: Assertion `x' failed.",
                Some(("native-crash", Some(6), 1)),
            ),
            (
                "Segmentation fault (core dumped)",
                Some(("native-crash", Some(11), 1)),
            ),
            ("Aborted (core dumped)", Some(("native-crash", Some(6), 1))),
            (
                "Illegal instruction (core dumped)",
                Some(("native-crash", Some(4), 1)),
            ),
            (
                "Bus error (core dumped)",
                Some(("native-crash", Some(7), 1)),
            ),
            (
                "Floating point exception (core dumped)",
                Some(("native-crash", Some(8), 1)),
            ),
            (
                "Speicherzugriffsfehler (Speicherabzug geschrieben)",
                Some(("native-crash", Some(11), 1)),
            ),
            ("已杀死", Some(("host-oom", Some(9), 1))),
            ("all is well", None),
            ("", None),
        ] {
            assert_eq!(said(text), want, "{text}");
        }
    }

    #[test]
    fn only_a_fatal_error_may_stand_before_its_stack() {
        let stack = "  File \"a.py\", line 1 in f\n".repeat(60);
        let fatal = format!("Fatal Python error: Segmentation fault\n\n{stack}");
        assert_eq!(said(&fatal), Some(("native-crash", Some(11), 1)));
        assert_eq!(said(&format!("Killed\n{stack}")), None);
        assert_eq!(
            said(&format!("{fatal}{}", stack.repeat(4))),
            None,
            "too far up"
        );
    }
}
