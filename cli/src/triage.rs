//! `nbmedic triage`.

use crate::input;
use crate::page::sure;
use crate::terminal::{blocks, code, paint, safe, wrap, DIM, ERROR, HELP, MARK, STRONG, WARNING};
use crate::Format;
use indicatif::{ProgressBar, ProgressStyle};
use nbmedic::catalog::{explain, find, prose, Prose};
use nbmedic::notebook::Piece;
use nbmedic::report;
use nbmedic::triage::{triage_why, Considered, Diagnosis, Input, Surface};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files from which on progress is shown.
const MANY: usize = 8;
/// Evidence lines printed in the terminal.
const EVIDENCE: usize = 4;
/// Fixes printed with their code.
const FIXES: usize = 2;

/// Reads the inputs and prints their diagnoses.
pub fn run(paths: &[PathBuf], format: Format, why: bool) -> Result<ExitCode, String> {
    let bar = progress(paths.len());
    let (mut sick, mut failed) = (false, false);
    let mut html = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        match input::read(path) {
            Err(message) => {
                failed = true;
                bar.suspend(|| anstream::eprintln!("{} {message}", paint(ERROR, "error:")));
            }
            Ok(pieces) => {
                let (found, considered) = judge(&pieces, path);
                sick |= !found.is_empty();
                bar.suspend(|| match format {
                    Format::Text => print_text(&name, &found),
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
    if format == Format::Html {
        anstream::println!("{}", report::triage_html(&html));
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

type Found = Vec<(Diagnosis, Prose)>;

fn judge(pieces: &[Piece], path: &Path) -> (Found, Vec<(Option<usize>, Considered)>) {
    let mut found = Found::new();
    let mut considered = Vec::new();
    let surface = if path.extension().is_some_and(|e| e == "log") {
        Surface::Log
    } else {
        Surface::Output
    };
    for piece in pieces {
        let (diagnoses, all) = triage_why(&Input {
            text: &piece.text,
            surface,
            source: piece.source.as_deref(),
        });
        for mut d in diagnoses {
            d.location.cell = piece.cell;
            if let Some(p) = prose(d.id) {
                found.push((d, p));
            }
        }
        considered.extend(all.into_iter().map(|c| (piece.cell, c)));
    }
    (found, considered)
}

fn print_text(name: &str, found: &Found) {
    if found.is_empty() {
        anstream::println!("{} {name}", paint(DIM, "nothing wrong found:"));
        return;
    }
    for (d, p) in found {
        print_diagnosis(name, d, p);
    }
}

fn print_diagnosis(name: &str, d: &Diagnosis, p: &Prose) {
    let e = explain(d, p);
    let severity = find(d.id).map_or("error", |r| r.severity);
    let style = if severity == "error" { ERROR } else { WARNING };
    let id = d
        .variant
        .map_or(d.id.to_owned(), |v| format!("{}/{v}", d.id));
    anstream::println!(
        "{}{}",
        paint(style, &format!("{severity}[{id}]")),
        paint(STRONG, &format!(": {}", safe(&e.title)))
    );
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
    let gutter = d
        .evidence
        .iter()
        .map(|e| e.line.to_string().len())
        .max()
        .unwrap_or(1);
    let pad = " ".repeat(gutter);
    anstream::println!("{pad}{} {name}{place}", paint(MARK, "-->"));
    anstream::println!("{pad} {}", paint(MARK, "|"));
    for e in d.evidence.iter().take(EVIDENCE) {
        anstream::println!(
            "{} {}",
            paint(MARK, &format!("{:>gutter$} |", e.line)),
            safe(&e.text)
        );
    }
    anstream::println!("{pad} {}", paint(MARK, "|"));
    if find(d.id).is_some_and(|r| r.late) {
        let note = "errors of the GPU are reported late: the line shown may be innocent";
        anstream::println!(
            "{}",
            wrap(
                &format!("note: {note}"),
                &format!("{pad} = "),
                &format!("{pad}   ")
            )
        );
    }
    anstream::print!("{}", blocks(&e.summary, &format!("{pad} ")));
    for f in e.fixes.iter().take(FIXES) {
        anstream::println!(
            "{} {} {}",
            paint(HELP, "help:"),
            f.title,
            paint(DIM, &format!("({})", sure(f.applies)))
        );
        anstream::print!("{}", blocks(&f.why, "      "));
        anstream::print!("{}", code(&f.code, "          "));
    }
    let further = e.fixes.len().saturating_sub(FIXES);
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
