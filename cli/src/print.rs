//! Diagnoses in the terminal.

use crate::out::{put, say, shown};
use crate::page::sure;
use crate::terminal::{
    blocks, code, fitted, paint, safe, width, wrap, wrapped, ADDED, DIM, ERROR, HELP, MARK,
    REMOVED, STRONG, WARNING,
};
use indicatif::DecimalBytes;
use nbmedic::catalog::{explain, find, FixText, Prose};
use nbmedic::facts::Occurrences;
use nbmedic::report::Extent;
use nbmedic::triage::{Considered, Diagnosis};

/// Maximum number of evidence lines in the terminal.
const EVIDENCE: usize = 4;
/// Maximum number of fixes printed with their code, besides one that was made for the failure.
const FIXES: usize = 2;

/// What is said of an input without a diagnosis.
pub fn print_nothing(name: &str, read: Option<Extent>) {
    let said = match read {
        None => format!("{} {}", paint(DIM, "nothing wrong found:"), shown(name)),
        Some(read) if read.complete => format!(
            "{} {} ({} read)",
            paint(DIM, "nothing wrong found:"),
            shown(name),
            amount(read)
        ),
        Some(read) => format!(
            "{} {} ({}; it was not read to its end)",
            paint(DIM, "nothing wrong found so far:"),
            shown(name),
            amount(read)
        ),
    };
    say!("{said}");
}

/// How much was read of a long input, and how often each failure was in it.
pub fn print_extent(name: &str, read: Option<Extent>, counts: &[(String, Occurrences)]) {
    let what = match read {
        Some(read) if read.complete => format!("{} read", amount(read)),
        Some(read) => format!("{} read, not to its end", amount(read)),
        None => "read whole".to_owned(),
    };
    say!("{} {what}", paint(STRONG, &format!("{}:", shown(name))));
    for (id, o) in counts {
        let how = match o.count {
            1 => format!("once, at {}", o.first),
            n => format!("{n} times, from {} to {}", o.first, o.last),
        };
        say!("  {} {how}", paint(MARK, &format!("{id:<30}")));
    }
}

fn amount(read: Extent) -> String {
    let mut out = DecimalBytes(read.bytes).to_string();
    for (n, what) in [(read.lines, "lines"), (read.cells, "cells")] {
        if let Some(n) = n {
            out.push_str(&format!(", {n} {what}"));
        }
    }
    out
}

/// The summary below several inputs.
pub fn print_sum(problems: usize, sick: usize, inputs: usize) {
    let said = match problems {
        0 => {
            let said = format!("nothing wrong found in {inputs} inputs");
            say!("{}", paint(DIM, &said));
            return;
        }
        1 => "1 problem".to_owned(),
        n => format!("{n} problems"),
    };
    say!("{} in {sick} of {inputs} inputs", paint(ERROR, &said));
}

/// The failing line of a cell, with marks under its text.
fn print_source(pad: &str, gutter: usize, number: u32, line: &str) {
    let text = safe(line);
    let start = text.len() - text.trim_start().len();
    let room = width().saturating_sub(gutter + 3);
    let shown = fitted(&text, room);
    let marked = shown.trim_end().chars().count().saturating_sub(start);
    let mark = |what: &str| paint(MARK, what);
    say!("{} {shown}", mark(&format!("{number:>gutter$} |")));
    let under = format!("{}{}", " ".repeat(start), "^".repeat(marked.max(1)));
    say!("{pad} {} {}", mark("|"), paint(ERROR, &under));
    say!("{pad} {}", mark("|"));
    say!("{pad}{} its output", mark(":::"));
    say!("{pad} {}", mark("|"));
}

/// A diagnosis, with its evidence and its first fixes.
pub fn print_diagnosis(name: &str, d: &Diagnosis, p: &Prose, source: Option<&str>) {
    let e = explain(d, p);
    let severity = find(d.id).map_or("error", |r| r.severity);
    let style = match severity {
        "error" => ERROR,
        "warning" => WARNING,
        _ => HELP,
    };
    let id = d
        .variant
        .map_or(d.id.to_owned(), |v| format!("{}/{v}", d.id));
    let head = format!("{severity}[{id}]");
    let title = wrapped(&format!("{head}: {}", e.title));
    let title = title.strip_prefix(&head).unwrap_or(&title).to_owned();
    say!("{}{}", paint(style, &head), paint(STRONG, &title));
    let place = [
        d.location.cell.map(|c| format!("cell {c}")),
        d.location.line.map(|l| format!("line {l}")),
    ];
    let place: Vec<String> = place.into_iter().flatten().collect();
    let place = if place.is_empty() {
        String::new()
    } else {
        format!(": {}", place.join(", "))
    };
    let failing = d.location.line.and_then(|n| {
        let line = source?.lines().nth(n.checked_sub(1)? as usize)?;
        (!line.trim().is_empty()).then_some((n, line))
    });
    let numbers = d.evidence.iter().map(|e| e.line.to_string().len());
    let number = failing.map(|(n, _)| n.to_string().len());
    let gutter = numbers.chain(number).max().unwrap_or(1);
    let pad = " ".repeat(gutter);
    say!("{pad}{} {}{place}", paint(MARK, "-->"), shown(name));
    say!("{pad} {}", paint(MARK, "|"));
    if let Some((number, line)) = failing {
        print_source(&pad, gutter, number, line);
    }
    for e in d.evidence.iter().take(EVIDENCE) {
        say!(
            "{} {}",
            paint(MARK, &format!("{:>gutter$} |", e.line)),
            fitted(&safe(&e.text), width().saturating_sub(gutter + 3))
        );
    }
    say!("{pad} {}", paint(MARK, "|"));
    if find(d.id).is_some_and(|r| r.reported_late(d)) {
        let note = "the GPU reports errors late: the line shown may not be the cause";
        say!(
            "{}",
            wrap(
                &format!("note: {note}"),
                &format!("{pad} = "),
                &format!("{pad}   "),
            )
        );
    }
    put!("{}", blocks(&e.summary, &format!("{pad} ")));
    let shown = FIXES + usize::from(e.fixes.first().is_some_and(FixText::is_cure));
    for f in e.fixes.iter().take(shown) {
        print_fix(f);
    }
    let further = e.fixes.len().saturating_sub(shown);
    if further > 0 {
        say!(
            "{}",
            paint(
                DIM,
                &format!("      {further} more: nbmedic explain {}", d.id)
            )
        );
    }
    if !d.also.is_empty() {
        say!(
            "{}",
            paint(DIM, &format!("      also possible: {}", d.also.join(", ")))
        );
    }
    say!();
}

fn print_fix(f: &FixText) {
    say!(
        "{} {} {}",
        paint(HELP, "help:"),
        paint(STRONG, &safe(&f.title)),
        paint(DIM, &format!("({})", sure(f.applies)))
    );
    put!("{}", blocks(&f.why, "      "));
    if f.diff.is_empty() {
        put!("{}", code(&f.code, "          "));
        return;
    }
    let gutter = f.diff.iter().map(|l| l.number.to_string().len()).max();
    let gutter = gutter.unwrap_or(1);
    let mut cell = 0;
    for line in &f.diff {
        if line.cell != cell {
            cell = line.cell;
            say!("      {}", paint(MARK, &format!("cell {cell}")));
        }
        let style = match line.sign {
            '-' => REMOVED,
            '+' => ADDED,
            _ => DIM,
        };
        let number = paint(MARK, &format!("{:>gutter$}", line.number));
        let text = format!("{} {}", line.sign, safe(&line.text));
        say!("      {number} {}", paint(style, text.trim_end()));
    }
}

/// The findings that were considered.
pub fn print_why(considered: &[(Option<usize>, Considered)]) {
    say!("{}", paint(STRONG, "rules that matched, best first"));
    for (cell, c) in considered {
        let cell = cell.map_or(String::new(), |c| format!("cell {c} "));
        say!(
            "  {cell}line {:>5}  {:<26} rank {:>6.1}  confidence {:.2}  {}",
            c.line,
            c.id,
            c.score,
            c.confidence,
            c.outcome
        );
    }
    say!();
}
