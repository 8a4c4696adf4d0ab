//! The native engine for benchmarks. `engine patterns` prints the patterns that it searches lines for,
//! one per line, `engine literals` their literals; `engine text NAME BYTES` prints one of the texts,
//! `engine texts` the names of the slow ones; `engine judge RUNS PIECE FILE…` judges files and prints
//! one JSON object for each.
// The engine does no I/O and has no clock; this program reads files and measures.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "../tests/support/long_texts.rs"]
mod long_texts;

use long_texts::{benign, hostile, ipython_traceback, python_traceback, HOSTILE};
use nbmedic::catalog::{rules, Match, Scope};
use nbmedic::triage::{triage, Input};
use regex::Regex;
use std::collections::BTreeSet;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["patterns"] => patterns(),
        ["literals"] => literals(),
        ["texts"] => HOSTILE.iter().for_each(|(name, _)| println!("{name}")),
        ["text", name, bytes] => print!("{}", text(name, bytes.parse().expect("a number"))),
        ["judge", runs, piece, ref files @ ..] => {
            let number = |s: &str| s.parse().expect("a number");
            for file in files {
                judge(file, number(runs), number(piece));
            }
        }
        _ => {
            eprintln!("usage: engine patterns | literals | texts | text NAME BYTES | judge RUNS PIECE FILE…");
            std::process::exit(2);
        }
    }
}

fn text(name: &str, bytes: usize) -> String {
    match name {
        "benign log" => benign(bytes),
        "Python's" => python_traceback(),
        "IPython's" => ipython_traceback(),
        _ => match HOSTILE.iter().find(|h| h.0 == name) {
            Some((_, piece)) => hostile(*piece, bytes),
            None => panic!("no text {name}"),
        },
    }
}

/// Patterns with which a plain line search finds the same lines: each match's pattern without group
/// names. The literals replace a pattern that is missing, that only requires a letter next to them,
/// or that needs more than one line.
fn patterns() {
    let mut all = BTreeSet::new();
    for m in on_lines() {
        let more_lines = m.pattern.replace(r"[^\n]", "").contains(r"\n");
        let letter = || {
            Regex::new(m.pattern)
                .expect("the build compiled it")
                .is_match("a")
        };
        if more_lines || letter() {
            all.extend(m.literal.iter().flat_map(|l| l.lines()).map(escaped));
        } else {
            all.insert(nameless(m.pattern));
        }
    }
    print(&all);
}

fn literals() {
    let lines = on_lines().flat_map(|m| m.literal).flat_map(|l| l.lines());
    print(&lines.map(str::to_owned).collect());
}

fn on_lines() -> impl Iterator<Item = &'static Match> {
    let all = rules().iter().flat_map(|r| r.matches);
    all.filter(|m| m.scope != Scope::Exception)
}

fn print(all: &BTreeSet<String>) {
    for one in all.iter().filter(|p| !p.is_empty()) {
        println!("{one}");
    }
}

fn escaped(literal: &str) -> String {
    let special = |c: char| c.is_ascii_punctuation() && !"<>-_:;,'\"`!@#%&=~/".contains(c);
    let mut out = String::new();
    for c in literal.chars() {
        if special(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Replaces `(?P<name>…)` with `(?:…)`, because several patterns may use the same name.
fn nameless(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once("(?P<") {
        out.push_str(before);
        out.push_str("(?:");
        rest = after.split_once('>').map_or("", |(_, r)| r);
    }
    out + rest
}

/// Judges a file in pieces of at most `piece` bytes that end at a line end (0: all at once).
fn judge(file: &str, runs: usize, piece: usize) {
    let text = std::fs::read_to_string(file).expect("a file of UTF-8");
    let pieces = cut(&text, if piece == 0 { text.len() } else { piece });
    let mut seconds = Vec::new();
    let mut found = Vec::new();
    for _ in 0..runs {
        found.clear();
        let start = Instant::now();
        for text in &pieces {
            let input = Input {
                text,
                ..Input::default()
            };
            found.extend(triage(&input).iter().map(|d| d.id));
        }
        seconds.push(start.elapsed().as_secs_f64());
    }
    found.sort_unstable();
    found.dedup();
    let object = serde_json::json!({
        "file": file, "bytes": text.len(), "pieces": pieces.len(), "found": found, "seconds": seconds,
    });
    println!("{object}");
}

fn cut(mut text: &str, piece: usize) -> Vec<&str> {
    let mut out = Vec::new();
    while text.len() > piece {
        let mut at = piece;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let at = text[..at].rfind('\n').map_or(at, |n| n + 1);
        let (head, rest) = text.split_at(at);
        out.push(head);
        text = rest;
    }
    if !text.is_empty() {
        out.push(text);
    }
    out
}
