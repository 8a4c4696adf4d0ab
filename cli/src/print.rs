//! Diagnoses in the terminal.

use crate::out::{put, say, shown};
use crate::page::sure;
use crate::terminal::{
    blocks, code, fitted, paint, safe, width, wrap, wrapped, ADDED, DIM, ERROR, HELP, MARK,
    REMOVED, STRONG, WARNING,
};
use indicatif::DecimalBytes;
use nbmedic::catalog::{explain, find, plain, Applicability, Block, FixText, Inline, Prose};
use nbmedic::facts::{DiffLine, FixKind, Occurrences};
use nbmedic::report::Extent;
use nbmedic::triage::{Considered, Diagnosis};
use textwrap::core::display_width;

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

/// What all inputs came to.
#[derive(Default)]
pub struct Sum {
    /// Diagnoses.
    pub problems: usize,
    /// Inputs with one.
    pub sick: usize,
    /// Inputs that were read.
    pub read: usize,
    /// Notebooks among these.
    pub notebooks: usize,
    /// Failures of cells for which a repair was made.
    pub repairs: usize,
    /// The notebooks that have these, as they are printed.
    pub repaired: Vec<String>,
}

impl Sum {
    /// The summary: its first words, and the rest.
    fn text(&self) -> (String, String) {
        let inputs = match (self.notebooks == self.read, self.read) {
            (true, 1) => "notebook",
            (true, _) => "notebooks",
            (false, 1) => "input",
            (false, _) => "inputs",
        };
        let problems = match self.problems {
            0 => {
                return (
                    format!("nothing wrong found in {} {inputs}", self.read),
                    String::new(),
                )
            }
            1 => "1 problem".to_owned(),
            n => format!("{n} problems"),
        };
        let of = match self.read {
            1 => String::new(),
            n => format!("of {n} "),
        };
        let how = match (self.repairs, self.repaired.as_slice()) {
            (0, _) | (_, []) => String::new(),
            (n, [one]) => format!(", {n} with a repair: nbmedic fix {one}"),
            (n, _) => format!(", {n} with a repair: nbmedic fix NOTEBOOK"),
        };
        (problems, format!(" in {} {of}{inputs}{how}", self.sick))
    }

    /// Prints the summary.
    pub fn print(&self) {
        let (problems, rest) = self.text();
        let style = match self.problems {
            0 => DIM,
            _ => ERROR,
        };
        say!("{}{rest}", paint(style, &problems));
    }
}

/// A path as a shell takes it.
pub fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@~\\".contains(c);
    let path = shown(path);
    match path.chars().all(plain) && !path.starts_with('-') {
        true => path,
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

/// The part of the failing line that the first cure changes, in characters from 0, end exclusive.
fn changed(d: &Diagnosis) -> Option<(usize, usize)> {
    let (cell, line) = (d.location.cell?, d.location.line?);
    let diff = &d.cures.first()?.diff;
    let is_it = |l: &&DiffLine| l.sign == '-' && l.cell == cell && l.number == line;
    let (from, to) = diff.iter().find(is_it)?.changed?;
    Some((from as usize, to as usize))
}

/// Marks under a part of a line, or under its text: blanks, then at least one `^`.
fn marks(line: &str, part: Option<(usize, usize)>) -> String {
    let line = line.trim_end();
    let start = line.chars().take_while(|c| c.is_whitespace()).count();
    let end = line.chars().count();
    let (from, to) = part
        .filter(|(from, _)| *from <= end)
        .unwrap_or((start, end));
    // A tab takes as much room under itself.
    let blank = |c: char| match c {
        '\t' => "\t".to_owned(),
        c => " ".repeat(display_width(c.encode_utf8(&mut [0; 4]))),
    };
    let under: String = line
        .chars()
        .skip(from)
        .take(to.saturating_sub(from))
        .collect();
    let before: String = line.chars().take(from).map(blank).collect();
    before + &"^".repeat(display_width(&under).max(1))
}

/// The failing line of a cell, with marks under the part that fails.
fn print_source(pad: &str, gutter: usize, number: u32, line: &str, part: Option<(usize, usize)>) {
    let text = safe(line);
    // Without its hidden characters, its columns are others.
    let part = part.filter(|_| text == line);
    let room = width().saturating_sub(gutter + 3);
    let shown = fitted(&text, room);
    let mark = |what: &str| paint(MARK, what);
    say!("{} {shown}", mark(&format!("{number:>gutter$} |")));
    let under = marks(&shown, part);
    say!("{pad} {} {}", mark("|"), paint(ERROR, &under));
    say!("{pad} {}", mark("|"));
    say!("{pad}{} its output", mark(":::"));
    say!("{pad} {}", mark("|"));
}

/// A diagnosis, with its evidence and its first fixes.
pub fn print_diagnosis(name: &str, d: &Diagnosis, p: &Prose, source: Option<&str>) {
    let mut e = explain(d, p);
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
    let cause = e.cause();
    // What is known of this failure first, and what failures like it are called second.
    let title = cause.as_ref().map_or_else(
        || e.title.clone(),
        |(cause, _)| plain(&[Block::P(cause.clone())]),
    );
    let title = wrapped(&format!("{head}: {title}"));
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
        print_source(&pad, gutter, number, line, changed(d));
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
    let kind = [Block::P(vec![Inline::Text(e.title.clone())])];
    let summary = if cause.is_some() {
        &kind
    } else {
        &e.summary[..]
    };
    put!("{}", blocks(summary, &format!("{pad} ")));
    if let (Some(first), Some((_, rest))) = (e.fixes.first_mut(), cause) {
        first.why = rest;
    }
    // With a repair at hand people need no advice for failures of its kind.
    let repair = |f: &FixText| f.is_cure() && matches!(f.kind, FixKind::Edit | FixKind::Run);
    let shown = match e.fixes.first() {
        Some(f) if repair(f) && f.applies < Applicability::Maybe => {
            e.fixes.iter().take_while(|f| f.is_cure()).count()
        }
        first => FIXES + usize::from(first.is_some_and(FixText::is_cure)),
    };
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

/// A fix, with its code or its differences.
pub fn print_fix(f: &FixText) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_says_how_much_and_what_to_do() {
        let text = |sum: &Sum| {
            let (a, b) = sum.text();
            a + &b
        };
        let mut sum = Sum {
            problems: 17,
            sick: 1,
            read: 1,
            notebooks: 1,
            repairs: 9,
            repaired: vec![quoted("analysis.ipynb")],
        };
        assert_eq!(
            text(&sum),
            "17 problems in 1 notebook, 9 with a repair: nbmedic fix analysis.ipynb"
        );
        sum.repaired.push("other.ipynb".into());
        (sum.sick, sum.read) = (2, 3);
        assert_eq!(
            text(&sum),
            "17 problems in 2 of 3 inputs, 9 with a repair: nbmedic fix NOTEBOOK"
        );
        (sum.problems, sum.repairs, sum.notebooks) = (1, 0, 3);
        assert_eq!(text(&sum), "1 problem in 2 of 3 notebooks");
        sum.problems = 0;
        assert_eq!(text(&sum), "nothing wrong found in 3 notebooks");
    }

    #[test]
    fn marks_stand_under_the_part_that_fails() {
        for (line, part, want) in [
            ("  print(totl)", None, "  ^^^^^^^^^^^"),
            ("  print(totl)", Some((8, 12)), "        ^^^^"),
            ("print(totl", Some((10, 10)), "          ^"),
            ("print(totl", Some((20, 22)), "^^^^^^^^^^"),
            ("\tf(警告, x)", Some((7, 8)), "\t        ^"),
            ("\tf(警告, x)", Some((3, 5)), "\t  ^^^^"),
        ] {
            assert_eq!(marks(line, part), want, "{line} {part:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_path_is_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b.ipynb"), "a/b.ipynb");
        assert_eq!(quoted("it's a b.ipynb"), "'it'\\''s a b.ipynb'");
    }
}
