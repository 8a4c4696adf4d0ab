//! Lines that a dying process leaves at the end of its cell's output.

use super::causes::is_cause;
use crate::session::known::{clip, plain, Cell, MIN_CONFIDENCE};
use crate::triage::{Diagnosis, Evidence, Value};

/// Lines at the end of an output that can be last words.
const LAST_LINES: usize = 8;

/// A line that a dying process leaves, what it says, and the signal.
struct LastWords {
    line: &'static str,
    whole: bool,
    id: &'static str,
    signal: Option<i64>,
}

const fn says(line: &'static str, id: &'static str, signal: Option<i64>) -> LastWords {
    LastWords {
        line,
        whole: false,
        id,
        signal,
    }
}

/// The more telling first.
const LAST_WORDS: &[LastWords] = &[
    LastWords {
        line: "Killed",
        whole: true,
        id: "host-oom",
        signal: Some(9),
    },
    says("std::bad_alloc", "host-oom", None),
    says("tcmalloc: large alloc", "host-oom", None),
    says("Out of memory: Killed process", "host-oom", Some(9)),
    says(
        "Fatal Python error: Segmentation fault",
        "native-crash",
        Some(11),
    ),
    says("Fatal Python error: Aborted", "native-crash", Some(6)),
    says("Fatal Python error: Bus error", "native-crash", Some(7)),
    says(
        "Fatal Python error: Illegal instruction",
        "native-crash",
        Some(4),
    ),
    says("Fatal Python error: Floating", "native-crash", Some(8)),
    says("Fatal Python error:", "native-crash", None),
    // C's `assert`, glibc's own too.
    says(": Assertion `", "native-crash", Some(6)),
    says("Segmentation fault (core dumped)", "native-crash", Some(11)),
    says("Aborted (core dumped)", "native-crash", Some(6)),
    says("Illegal instruction (core dumped)", "native-crash", Some(4)),
    says("Bus error (core dumped)", "native-crash", Some(7)),
    says(
        "Floating point exception (core dumped)",
        "native-crash",
        Some(8),
    ),
];

/// The cause of death that a cell's output names.
pub(super) fn last_words(cell: &Cell) -> Option<Diagnosis> {
    let sure = |d: &&Diagnosis| d.confidence >= MIN_CONFIDENCE && is_cause(d);
    if let Some(d) = cell.diagnoses.iter().find(sure) {
        return Some(d.clone());
    }
    let total = cell.joined.text.lines().count();
    let lines: Vec<(usize, &str)> = cell
        .joined
        .text
        .lines()
        .enumerate()
        .skip(total.saturating_sub(200))
        .filter(|(_, l)| !l.trim().is_empty())
        .collect();
    // A crash handler prints its stack after the line that says what happened.
    let fatal = |l: &str| l.starts_with("Fatal Python error:");
    let near_end = lines.len().saturating_sub(LAST_LINES);
    for w in LAST_WORDS {
        let hit = lines.iter().enumerate().rev().find(|(i, (_, l))| {
            let text = l.trim();
            (*i >= near_end || fatal(text))
                && if w.whole {
                    text == w.line
                } else {
                    text.contains(w.line)
                }
        });
        if let Some((_, (at, line))) = hit {
            let mut d = plain(w.id, 0.85);
            if let Some(signal) = w.signal {
                d.facts.insert("signal".into(), Value::Int(signal));
            }
            d.evidence.push(Evidence {
                line: cell.joined.number(at + 1),
                text: clip(line.trim(), 200),
                range: 0..0,
            });
            return Some(d);
        }
    }
    None
}
