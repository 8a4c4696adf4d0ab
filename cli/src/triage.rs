//! `nbmedic triage`.

use crate::format::Format;
use crate::input;
use crate::page::sure;
use crate::terminal::{
    blocks, code, fitted, paint, safe, width, wrap, wrapped, ADDED, DIM, ERROR, HELP, MARK,
    REMOVED, STRONG, WARNING,
};
use indicatif::{ProgressBar, ProgressStyle};
use nbmedic::catalog::{explain, find, prose, FixText, Prose};
use nbmedic::examine;
use nbmedic::notebook::Piece;
use nbmedic::report;
use nbmedic::triage::{Considered, Diagnosis, Surface};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Smallest number of files for which progress is shown.
const MANY: usize = 8;
/// Maximum number of evidence lines in the terminal.
const EVIDENCE: usize = 4;
/// Maximum number of fixes printed with their code, besides one that was made for the failure.
const FIXES: usize = 2;

/// Reads the inputs and prints their diagnoses.
pub fn run(paths: &[PathBuf], format: Format, why: bool) -> Result<ExitCode, String> {
    let bar = progress(paths.len());
    let (mut sick, mut failed) = (false, false);
    let (mut problems, mut sick_inputs, mut read) = (0, 0, 0);
    let mut html = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        match input::read(path) {
            Err(message) => {
                failed = true;
                bar.suspend(|| anstream::eprintln!("{} {message}", paint(ERROR, "error:")));
            }
            Ok(pieces) => {
                read += 1;
                let (found, considered) = judge(&pieces, path);
                sick |= !found.is_empty();
                if !found.is_empty() {
                    problems += found.len();
                    sick_inputs += 1;
                }
                bar.suspend(|| match format {
                    Format::Text => print_text(&name, &found, &pieces),
                    Format::Json => anstream::println!("{}", report::triage_json(&name, &found)),
                    Format::Markdown => {
                        anstream::println!("{}", report::triage_markdown(&name, &found))
                    }
                    Format::Html => html.push((name, found)),
                });
                if why {
                    bar.suspend(|| print_why(&considered));
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match format {
        Format::Html => anstream::println!("{}", report::triage_html(&html)),
        Format::Text if paths.len() > 1 && read > 0 => print_sum(problems, sick_inputs, read),
        _ => {}
    }
    Ok(ExitCode::from(if failed { 2 } else { u8::from(sick) }))
}

fn progress(files: usize) -> ProgressBar {
    if files < MANY {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} inputs, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Diagnoses with their prose.
type Found = Vec<(Diagnosis, Prose)>;

fn judge(pieces: &[Piece], path: &Path) -> (Found, Vec<(Option<usize>, Considered)>) {
    let surface = if path.extension().is_some_and(|e| e == "log") {
        Surface::Log
    } else {
        Surface::Output
    };
    let mut found = Found::new();
    let mut considered = Vec::new();
    for e in examine(pieces, surface) {
        let with_prose = e
            .diagnoses
            .into_iter()
            .filter_map(|d| prose(d.id).map(|p| (d, p)));
        found.extend(with_prose);
        let cell = pieces[e.piece].cell;
        considered.extend(e.considered.into_iter().map(|c| (cell, c)));
    }
    (found, considered)
}

fn print_text(name: &str, found: &Found, pieces: &[Piece]) {
    if found.is_empty() {
        anstream::println!("{} {}", paint(DIM, "nothing wrong found:"), safe(name));
        return;
    }
    for (d, p) in found {
        let piece = pieces.iter().find(|p| p.cell == d.location.cell);
        print_diagnosis(name, d, p, piece.and_then(|p| p.source.as_deref()));
    }
}

/// The summary below several inputs.
fn print_sum(problems: usize, sick: usize, inputs: usize) {
    let said = match problems {
        0 => {
            let said = format!("nothing wrong found in {inputs} inputs");
            anstream::println!("{}", paint(DIM, &said));
            return;
        }
        1 => "1 problem".to_owned(),
        n => format!("{n} problems"),
    };
    anstream::println!("{} in {sick} of {inputs} inputs", paint(ERROR, &said));
}

/// The failing line of a cell, with marks under its text.
fn print_source(pad: &str, gutter: usize, number: u32, line: &str) {
    let text = safe(line);
    let start = text.len() - text.trim_start().len();
    let room = width().saturating_sub(gutter + 3);
    let shown = fitted(&text, room);
    let marked = shown.trim_end().chars().count().saturating_sub(start);
    let mark = |what: &str| paint(MARK, what);
    anstream::println!("{} {shown}", mark(&format!("{number:>gutter$} |")));
    let under = format!("{}{}", " ".repeat(start), "^".repeat(marked.max(1)));
    anstream::println!("{pad} {} {}", mark("|"), paint(ERROR, &under));
    anstream::println!("{pad} {}", mark("|"));
    anstream::println!("{pad}{} its output", mark(":::"));
    anstream::println!("{pad} {}", mark("|"));
}

fn print_diagnosis(name: &str, d: &Diagnosis, p: &Prose, source: Option<&str>) {
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
    anstream::println!("{}{}", paint(style, &head), paint(STRONG, &title));
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
    anstream::println!("{pad}{} {}{place}", paint(MARK, "-->"), safe(name));
    anstream::println!("{pad} {}", paint(MARK, "|"));
    if let Some((number, line)) = failing {
        print_source(&pad, gutter, number, line);
    }
    for e in d.evidence.iter().take(EVIDENCE) {
        anstream::println!(
            "{} {}",
            paint(MARK, &format!("{:>gutter$} |", e.line)),
            fitted(&safe(&e.text), width().saturating_sub(gutter + 3))
        );
    }
    anstream::println!("{pad} {}", paint(MARK, "|"));
    if find(d.id).is_some_and(|r| r.late) {
        let note = "the GPU reports errors late: the line shown may not be the cause";
        anstream::println!(
            "{}",
            wrap(
                &format!("note: {note}"),
                &format!("{pad} = "),
                &format!("{pad}   "),
            )
        );
    }
    anstream::print!("{}", blocks(&e.summary, &format!("{pad} ")));
    let shown = FIXES + usize::from(e.fixes.first().is_some_and(FixText::is_cure));
    for f in e.fixes.iter().take(shown) {
        print_fix(f);
    }
    let further = e.fixes.len().saturating_sub(shown);
    if further > 0 {
        anstream::println!(
            "{}",
            paint(
                DIM,
                &format!("      {further} more: nbmedic explain {}", d.id)
            )
        );
    }
    if !d.also.is_empty() {
        anstream::println!(
            "{}",
            paint(DIM, &format!("      also possible: {}", d.also.join(", ")))
        );
    }
    anstream::println!();
}

fn print_fix(f: &FixText) {
    anstream::println!(
        "{} {} {}",
        paint(HELP, "help:"),
        paint(STRONG, &safe(&f.title)),
        paint(DIM, &format!("({})", sure(f.applies)))
    );
    anstream::print!("{}", blocks(&f.why, "      "));
    if f.diff.is_empty() {
        anstream::print!("{}", code(&f.code, "          "));
        return;
    }
    let gutter = f.diff.iter().map(|l| l.number.to_string().len()).max();
    let gutter = gutter.unwrap_or(1);
    let mut cell = 0;
    for line in &f.diff {
        if line.cell != cell {
            cell = line.cell;
            anstream::println!("      {}", paint(MARK, &format!("cell {cell}")));
        }
        let style = match line.sign {
            '-' => REMOVED,
            '+' => ADDED,
            _ => DIM,
        };
        let number = paint(MARK, &format!("{:>gutter$}", line.number));
        let text = format!("{} {}", line.sign, safe(&line.text));
        anstream::println!("      {number} {}", paint(style, text.trim_end()));
    }
}

fn print_why(considered: &[(Option<usize>, Considered)]) {
    anstream::println!("{}", paint(STRONG, "rules that matched, best first"));
    for (cell, c) in considered {
        let cell = cell.map_or(String::new(), |c| format!("cell {c} "));
        anstream::println!(
            "  {cell}line {:>5}  {:<26} rank {:>6.1}  confidence {:.2}  {}",
            c.line,
            c.id,
            c.score,
            c.confidence,
            c.outcome
        );
    }
    anstream::println!();
}
