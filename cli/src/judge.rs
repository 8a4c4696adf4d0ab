//! Judges one input: as one text or notebook while it fits, and as a stream beyond that.

use crate::cells;
use crate::input::{own_output, Next, Source};
use crate::outcome::{Found, Learner, Outcome, FITS};
use crate::stream::{interesting, Scanner};
use memchr::memchr_iter;
use nbmedic::cure::{cure, Book};
use nbmedic::notebook::{pieces, Piece};
use nbmedic::report::Extent;
use nbmedic::triage::{triage, Considered, Diagnosis, Input, Surface};
use nbmedic::Examiner;
use std::path::Path;

/// Lines that the engine judges as one text.
const FITS_LINES: usize = 100_000;
/// Longest line of which the engine keeps everything.
const FITS_LINE: usize = 16 << 10;
/// How a flight record begins.
const RECORD: &str = "{\"k\":\"start\"";
/// A line of a stream that has no end by then is cut.
const ENDLESS: usize = 1 << 20;

/// Judges an input. `tell` gets each diagnosis as it is found, `passed` the number of bytes read. `learns`: the outcome also
/// has the input's secrets.
pub fn judge(
    path: &Path,
    as_found: bool,
    learns: bool,
    passed: &dyn Fn(u64),
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let mut learner = Learner::new(learns);
    let outcome = read(path, as_found, &mut learner, passed, tell);
    Outcome {
        known: learner.known(),
        ..outcome
    }
}

/// Judges a file that grows, until a signal ends the program. `tell` gets each distinct failure when it is there.
pub fn watch(path: &Path, passed: &dyn Fn(u64), tell: &mut dyn FnMut(Found)) -> Outcome {
    let source = match Source::follow(path) {
        Ok(source) => source,
        Err(e) => return Outcome::failed(e),
    };
    let mut learner = Learner::new(false);
    stream(
        source,
        String::new(),
        Ok(Next::Text),
        &mut learner,
        passed,
        tell,
    )
}

fn read(
    path: &Path,
    as_found: bool,
    learner: &mut Learner,
    passed: &dyn Fn(u64),
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let mut source = match Source::open(path) {
        Ok(source) => source,
        Err(e) => return Outcome::failed(e),
    };
    let shown = path.display().to_string();
    let name = shown.strip_suffix(".gz").unwrap_or(&shown);
    let surface = if name.ends_with(".log") {
        Surface::Log
    } else {
        Surface::Output
    };
    let named_book = name.ends_with(".ipynb");
    let mut text = String::new();
    let (mut lines, mut counted) = (0, 0);
    let next = loop {
        let next = source.next(&mut text);
        lines += memchr_iter(b'\n', &text.as_bytes()[counted..]).count();
        counted = text.len();
        match next {
            Ok(Next::Text) if text.len() <= FITS && (lines <= FITS_LINES || named_book) => {}
            // A program that pauses has said something that matters.
            Ok(Next::Idle) if !as_found || named_book || !interesting(&text) => {}
            next => break next,
        }
    };
    if let Some(own) = own_output(&text) {
        let what = "nbmedic's own output: give the notebook or the log that it is about";
        return Outcome::failed(format!("{}: {own}, {what}", source.name()));
    }
    if next == Ok(Next::End) {
        return match pieces(name, text) {
            Ok(pieces) => whole(&pieces, surface, learner, tell),
            Err(e) => Outcome::failed(format!("{}: {e}", source.name())),
        };
    }
    let looks_like_book = || text.trim_start().starts_with('{') && text.contains("\"cell_type\"");
    if next == Ok(Next::Text) && (named_book || looks_like_book()) {
        return cells::judge(source, text, surface, learner, passed, tell);
    }
    if text.trim_start().starts_with(RECORD) {
        return record(source, text, next, learner, passed, tell);
    }
    stream(source, text, next, learner, passed, tell)
}

/// Judges a text, or a notebook's JSON, that is in memory; `name` says what it is, as a file's name does.
pub fn judge_text(
    name: &str,
    text: &str,
    surface: Surface,
    learns: bool,
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let mut learner = Learner::new(learns);
    if let Some(own) = own_output(text) {
        let what = "nbmedic's own output: give the notebook or the log that it is about";
        return Outcome::failed(format!("{name}: {own}, {what}"));
    }
    if book(text) || fits(text) {
        return match pieces(name, text.to_owned()) {
            Ok(pieces) => {
                let outcome = whole(&pieces, surface, &mut learner, tell);
                let known = learner.known();
                Outcome { known, ..outcome }
            }
            Err(e) => Outcome::failed(format!("{name}: {e}")),
        };
    }
    learner.see(text);
    let mut scanner = Scanner::default();
    let mut told = |d: Diagnosis| tell((d, None));
    scanner.push(text, &mut told);
    scanner.close(&mut told);
    Outcome {
        known: learner.known(),
        read: Some(Extent {
            bytes: text.len() as u64,
            lines: Some(scanner.lines()),
            cells: None,
            complete: true,
        }),
        counts: scanner.groups().counts().into_iter().enumerate().collect(),
        ..Outcome::default()
    }
}

/// Judges pieces that are a notebook's or one text.
pub fn judge_pieces(pieces: &[Piece], learns: bool, tell: &mut dyn FnMut(Found)) -> Outcome {
    let mut learner = Learner::new(learns);
    let outcome = whole(pieces, Surface::Output, &mut learner, tell);
    let known = learner.known();
    Outcome { known, ..outcome }
}

/// Judges one text among many without a copy of it.
pub fn judge_one(text: &str, surface: Surface, tell: &mut dyn FnMut(Diagnosis)) {
    if fits(text) && text.len() <= FITS_LINE && !book(text) {
        let mut found = triage(&Input {
            text,
            surface,
            source: None,
        });
        cure(&Book::new(Vec::new()), 0, text, &mut found);
        found.into_iter().for_each(tell);
        return;
    }
    judge_text("-", text, surface, false, &mut |(d, _)| tell(d));
}

/// Whether it is a notebook's JSON.
fn book(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"nbformat\"")
}

/// Whether the engine judges it as one text.
fn fits(text: &str) -> bool {
    text.len() <= FITS && memchr_iter(b'\n', text.as_bytes()).count() <= FITS_LINES
}

/// Judges a flight record that does not fit, by the few of its lines that say how a kernel ended.
fn record(
    mut source: Source,
    mut text: String,
    mut next: Result<Next, String>,
    learner: &mut Learner,
    passed: &dyn Fn(u64),
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let (mut kept, mut numbers, mut lines) = (String::new(), Vec::new(), 0_u64);
    let end = loop {
        let cut = match &next {
            Ok(Next::Text | Next::Idle) => lines_end(&text),
            _ => text.len(),
        };
        learner.see(&text[..cut]);
        for line in text[..cut].split_inclusive('\n') {
            lines += 1;
            if [RECORD, "{\"k\":\"end\"", "{\"k\":\"xid\""]
                .iter()
                .any(|k| line.starts_with(k))
            {
                kept.push_str(line);
                numbers.push(lines);
            }
            // Only the last end counts; the first line says what it is.
            if kept.len() > FITS {
                let half = kept[FITS / 2..]
                    .find('\n')
                    .map_or(kept.len(), |i| FITS / 2 + i + 1);
                let first = kept.find('\n').map_or(0, |i| i + 1);
                let gone = kept[first..half].lines().count();
                kept.drain(first..half);
                numbers.drain(1..=gone);
            }
        }
        text.drain(..cut);
        passed(source.read());
        if !matches!(next, Ok(Next::Text | Next::Idle)) {
            break next;
        }
        next = source.next(&mut text);
    };
    let piece = Piece {
        text: kept,
        ..Piece::default()
    };
    let mut moved = |(mut d, from): Found| {
        for e in &mut d.evidence {
            let at = e.line.checked_sub(1).and_then(|at| numbers.get(at));
            e.line = at.map_or(0, |n| usize::try_from(*n).unwrap_or_default());
        }
        tell((d, from));
    };
    let mut learnt = Learner::new(false);
    let piece = std::slice::from_ref(&piece);
    let outcome = whole(piece, Surface::Log, &mut learnt, &mut moved);
    Outcome {
        read: Some(Extent {
            bytes: source.read(),
            lines: Some(lines),
            cells: None,
            complete: end == Ok(Next::End),
        }),
        interrupted: end == Ok(Next::Interrupted),
        error: end.err(),
        ..outcome
    }
}

/// Judges a text or notebook that fits.
fn whole(
    pieces: &[Piece],
    surface: Surface,
    learner: &mut Learner,
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    pieces.iter().for_each(|p| learner.piece(p));
    let mut listing = cells::Listing::default();
    let mut examiner = Examiner::new(pieces, surface);
    let mut considered = Vec::new();
    for piece in 0..pieces.len() {
        considered.extend(listing.piece(&mut examiner, pieces, piece, true, tell));
        // Of a very long line the engine keeps beginning and end only.
        let p = &pieces[piece];
        if p.cell.is_none() && several(&p.text, &considered) {
            listing.every(p, tell);
        }
        if p.text.len() > FITS_LINE {
            listing.long_lines(p, FITS_LINE, tell);
        }
    }
    Outcome {
        counts: listing.counts(),
        considered,
        ..Outcome::default()
    }
}

/// Whether a log has failures that are not about its end: tracebacks that are in no chain, or more than the engine names.
fn several(text: &str, considered: &[(Option<usize>, Considered)]) -> bool {
    let count = |words: &str| memchr::memmem::find_iter(text.as_bytes(), words).count();
    let links = count("During handling of the above exception, another exception occurred")
        + count("The above exception was the direct cause of the following exception");
    count("Traceback (most recent call last)") > links + 1
        || considered.iter().any(|(_, c)| c.outcome == "one too many")
}

/// Judges a text that does not fit, or that has no end yet.
fn stream(
    mut source: Source,
    mut text: String,
    mut next: Result<Next, String>,
    learner: &mut Learner,
    passed: &dyn Fn(u64),
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let mut scanner = Scanner::default();
    let mut told = |d: Diagnosis| tell((d, None));
    let end = loop {
        let cut = match &next {
            Ok(Next::Text | Next::Idle) => lines_end(&text),
            _ => text.len(),
        };
        if cut > 0 {
            learner.see(&text[..cut]);
            scanner.push(&text[..cut], &mut told);
            text.drain(..cut);
        }
        passed(source.read());
        match next {
            Ok(Next::Text) => {}
            Ok(Next::Idle) => scanner.close(&mut told),
            end => break end,
        }
        next = source.next(&mut text);
    };
    scanner.close(&mut told);
    let counts = scanner.groups().counts();
    Outcome {
        read: Some(Extent {
            bytes: source.read(),
            lines: Some(scanner.lines()),
            cells: None,
            complete: end == Ok(Next::End),
        }),
        counts: counts.into_iter().enumerate().collect(),
        interrupted: end == Ok(Next::Interrupted),
        error: end.err(),
        ..Outcome::default()
    }
}

/// Where the last whole line of a text ends; in an endless line, a place where nothing is cut in two.
fn lines_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    if let Some(at) = memchr::memrchr(b'\n', bytes) {
        return at + 1;
    }
    if text.len() < ENDLESS {
        return 0;
    }
    let near = &bytes[text.len() - ENDLESS / 2..];
    let cut = [b'\r', b' ', b','].iter();
    let cut = cut.filter_map(|b| memchr::memrchr(*b, near)).next();
    let mut at = cut.map_or(text.len(), |i| text.len() - near.len() + i + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
