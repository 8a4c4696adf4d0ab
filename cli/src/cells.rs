//! Notebooks: each failure of a usual one is listed; a notebook of any length is read cell by cell.

use crate::input::{Next, Source, Windowed};
use crate::outcome::{Found, Learner, Outcome, FITS, LISTED};
use crate::stream::{interesting, shape, together, Groups, Scanner};
use nbmedic::facts::{Occurrences, Spot};
use nbmedic::notebook::{each, Piece};
use nbmedic::report::Extent;
use nbmedic::triage::{Considered, Diagnosis, Surface};
use nbmedic::Examiner;
use std::collections::HashMap;
use std::io::{self, BufReader, Read};

/// Bytes of cells that are held together, because a repair needs a failing cell's neighbours.
const HELD: usize = 4 << 20;
/// Number of outputs whose outcome is remembered.
const MEMORY: usize = 4096;
/// What tells where a notebook ran.
const PLACES: &[&str] = &["/kaggle/", "google.colab", "/content/"];

/// What was told of a file, and what is only counted because there is too much of it.
#[derive(Default)]
pub struct Listing {
    told: usize,
    groups: Groups,
    /// For each distinct failure, the position at which it was told first.
    first: Vec<usize>,
    /// Something was counted that was not told.
    over: bool,
    known: HashMap<u64, Vec<usize>>,
}

impl Listing {
    /// Judges a piece. Returns what was considered.
    pub fn piece(
        &mut self,
        examiner: &mut Examiner<'_>,
        pieces: &[Piece],
        at: usize,
        cures: bool,
        tell: &mut dyn FnMut(Found),
    ) -> Vec<(Option<usize>, Considered)> {
        let piece = &pieces[at];
        let spot = place(piece);
        let many = self.told >= LISTED;
        let mut key = 0;
        if many {
            key = together(&mut piece.text.lines().map(shape).collect());
            if let Some(groups) = self.known.get(&key) {
                for group in groups {
                    self.groups.count(*group, spot);
                }
                return Vec::new();
            }
        }
        let Some(examined) = examiner.piece(at, cures && !many) else {
            return Vec::new();
        };
        let mut seen = Vec::new();
        for d in examined.diagnoses {
            let Some((group, new)) = self.groups.of(&d) else {
                continue;
            };
            self.groups.count(group, spot);
            seen.push(group);
            if new {
                self.first.push(self.told);
            }
            if new || !many {
                self.told += 1;
                tell((d, piece.source.clone()));
            } else {
                self.over = true;
            }
        }
        if many {
            if self.known.len() >= MEMORY {
                self.known.clear();
            }
            self.over |= !seen.is_empty();
            self.known.insert(key, seen);
        }
        let cell = piece.cell;
        let considered = examined.considered.into_iter();
        considered.map(|c| (cell, c)).collect()
    }

    /// Judges the lines of a piece that are longer than the engine takes.
    pub fn long_lines(&mut self, piece: &Piece, longest: usize, tell: &mut dyn FnMut(Found)) {
        let mut scanner = Scanner::default();
        let mut found = Vec::new();
        for (n, line) in piece.text.split_inclusive('\n').enumerate() {
            if line.len() > longest {
                scanner.at(n as u64);
                scanner.push(line, &mut |d| found.push(d));
                scanner.close(&mut |d| found.push(d));
            }
        }
        self.more(piece, found, tell);
    }

    /// Judges a text as a stream is: each distinct failure in it, not only what explains its end.
    pub fn every(&mut self, piece: &Piece, tell: &mut dyn FnMut(Found)) {
        let mut scanner = Scanner::default();
        let mut found = Vec::new();
        scanner.push(&piece.text, &mut |d| found.push(d));
        scanner.close(&mut |d| found.push(d));
        self.more(piece, found, tell);
    }

    /// Tells what is new.
    fn more(&mut self, piece: &Piece, found: Vec<Diagnosis>, tell: &mut dyn FnMut(Found)) {
        for mut d in found {
            d.location.cell = piece.cell;
            let Some((group, true)) = self.groups.of(&d) else {
                continue;
            };
            self.groups.count(group, place(piece));
            self.first.push(self.told);
            self.told += 1;
            tell((d, piece.source.clone()));
        }
    }

    /// How often what was told once was found, if anything was only counted.
    pub fn counts(&self) -> Vec<(usize, Occurrences)> {
        if !self.over {
            return Vec::new();
        }
        let counts = self.groups.counts().into_iter();
        self.first.iter().copied().zip(counts).collect()
    }
}

fn place(piece: &Piece) -> Spot {
    Spot {
        cell: piece.cell.map(|c| c as u64),
        line: None,
    }
}

/// Judges a notebook of any length, whose beginning was read.
pub fn judge(
    source: Source,
    start: String,
    surface: Surface,
    learner: &mut Learner,
    passed: &dyn Fn(u64),
    tell: &mut dyn FnMut(Found),
) -> Outcome {
    let mut reader = Characters {
        source,
        text: start,
        at: 0,
        end: false,
        passed,
    };
    let mut listing = Listing::default();
    let mut held: Vec<Piece> = Vec::new();
    let (mut bytes, mut first) = (0, true);
    let mut judged = |held: &[Piece], first: bool| {
        let mut examiner = Examiner::new(held, surface);
        for at in 0..held.len() {
            // Later, too little is known of the notebook to change its cells.
            listing.piece(&mut examiner, held, at, first, tell);
            if held[at].text.len() > FITS {
                listing.long_lines(&held[at], 0, tell);
            }
        }
    };
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(
        64 << 10,
        Windowed::new(reader.by_ref()),
    ));
    let mut cells = 0;
    let read = each(&mut json, &mut |mut piece| {
        cells = piece.cell.unwrap_or(cells);
        learner.piece(&piece);
        shorten(&mut piece);
        bytes += piece.text.len() + piece.source.as_ref().map_or(0, String::len) + 128;
        held.push(piece);
        if bytes > HELD {
            judged(&held, first);
            held.clear();
            (bytes, first) = (0, false);
        }
    });
    judged(&held, first);
    drop(json);
    let complete = read.is_ok();
    let interrupted = !complete && crate::input::interrupted();
    let name = reader.source.name();
    let error = match &read {
        Err(e) if !interrupted => Some(match reader.end || e.is_data() || e.is_syntax() {
            true => format!("{name}: not a notebook: {e}"),
            false => format!("{name}: {e}"),
        }),
        _ => None,
    };
    Outcome {
        read: Some(Extent {
            bytes: reader.source.read(),
            lines: None,
            cells: Some(read.unwrap_or(cells) as u64),
            complete,
        }),
        counts: listing.counts(),
        error,
        interrupted,
        ..Outcome::default()
    }
}

/// Leaves out an output that says nothing, but not that there was one, nor where the notebook ran.
fn shorten(piece: &mut Piece) {
    if piece.text.len() > 64 && !interesting(&piece.text) {
        let mut rest = String::from("\n");
        for word in PLACES.iter().filter(|w| piece.text.contains(**w)) {
            rest.push_str(word);
            rest.push('\n');
        }
        piece.text = rest;
    }
}

/// An input as UTF-8.
struct Characters<'a> {
    source: Source,
    text: String,
    at: usize,
    end: bool,
    passed: &'a dyn Fn(u64),
}

impl Read for Characters<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.end {
            self.text.clear();
            self.at = 0;
            (self.passed)(self.source.read());
            match self.source.next(&mut self.text) {
                Ok(Next::Text | Next::Idle) => {}
                Ok(Next::End) => self.end = true,
                Ok(Next::Interrupted) => return Err(io::Error::other("interrupted")),
                Err(e) => return Err(io::Error::other(e)),
            }
        }
        let rest = &self.text.as_bytes()[self.at..];
        let n = rest.len().min(to.len());
        to[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}
