//! A whole file: each output judged, and the cures made from the notebook around it.

use nbmedic_ask::{beginning, fill, AskedCell, Failure, Question, Reader, Reply};
#[cfg(not(target_arch = "wasm32"))]
use nbmedic_cure::{cure, cure_end, Book, BookCell};
use nbmedic_facts::{Ended, Front};
use nbmedic_notebook::Piece;
use nbmedic_triage::flight::{starved, Starved};
use nbmedic_triage::{triage_why, Considered, Diagnosis, Input, Surface};

/// What was found in one piece.
#[derive(Debug)]
pub struct Examined {
    /// The piece's index.
    pub piece: usize,
    /// Its diagnoses, best first, with their cell and cures.
    pub diagnoses: Vec<Diagnosis>,
    /// Every finding that was considered.
    pub considered: Vec<Considered>,
}

/// Judges the pieces of a file, in order; those that printed nothing are left out.
#[cfg(not(target_arch = "wasm32"))]
pub fn examine(pieces: &[Piece], surface: Surface) -> Vec<Examined> {
    let mut examiner = Examiner::new(pieces, surface);
    (0..pieces.len())
        .filter_map(|piece| examiner.piece(piece, true))
        .collect()
}

/// Like `examine`, with a reader of the cells' Python, which is asked once; none if it is away.
pub fn examine_with(pieces: &[Piece], surface: Surface, reader: Reader) -> Option<Vec<Examined>> {
    let mut examiner = Examiner::new(pieces, surface);
    let all = 0..pieces.len();
    let mut out: Vec<Examined> = all.filter_map(|piece| examiner.judge(piece)).collect();
    if out.iter().all(|e| e.diagnoses.is_empty()) {
        return Some(out);
    }
    let question = Question::Cures {
        cells: pieces.iter().filter_map(asked_cell).collect(),
        failures: out
            .iter()
            .map(|e| {
                let text = &pieces[e.piece].text;
                match examiner.ended_in(text) {
                    Some((at, ended)) => Failure {
                        ended: Some(ended),
                        ..Failure::new(Some(at), "", &e.diagnoses)
                    },
                    None => Failure::new(examiner.places[e.piece], text, &e.diagnoses),
                }
            })
            .collect(),
    };
    match reader(&question) {
        Reply::Known(answer) => {
            fill(answer, out.iter_mut().map(|e| e.diagnoses.as_mut_slice()));
            for e in &mut out {
                if let Some((at, _)) = examiner.ended_in(&pieces[e.piece].text) {
                    examiner.run_there(at, &mut e.diagnoses);
                }
            }
        }
        Reply::Away => return None,
        Reply::Gone => {}
    }
    Some(out)
}

/// Judges the pieces of a file one by one.
pub struct Examiner<'a> {
    pieces: &'a [Piece],
    surface: Surface,
    #[cfg(not(target_arch = "wasm32"))]
    book: Book<'a>,
    /// Each piece's index in the book.
    places: Vec<Option<usize>>,
    front: Option<Front>,
}

impl<'a> Examiner<'a> {
    /// An examiner of these pieces, which are a file's.
    pub fn new(pieces: &'a [Piece], surface: Surface) -> Examiner<'a> {
        let mut cells = 0;
        let mut place = |p: &Piece| {
            cells += usize::from(p.cell.is_some());
            p.cell.map(|_| cells - 1)
        };
        let places = pieces.iter().map(&mut place).collect();
        Examiner {
            pieces,
            surface,
            #[cfg(not(target_arch = "wasm32"))]
            book: Book::new(pieces.iter().filter_map(book_cell).collect()),
            places,
            front: None,
        }
    }

    /// The same, where each cure is tried before it is shown: all of them are given, at most twelve.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn tried(self) -> Examiner<'a> {
        Examiner {
            book: self.book.tried(),
            ..self
        }
    }

    /// Judges a piece; `None` if it printed nothing. Cures take longer than all the rest, and are made if asked for.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn piece(&mut self, piece: usize, cures: bool) -> Option<Examined> {
        let mut examined = self.judge(piece)?;
        let (text, diagnoses) = (&self.pieces[piece].text, &mut examined.diagnoses);
        match self.places[piece] {
            _ if !cures => {}
            Some(at) => {
                if let Some((at, ended)) = self.ended_in(text) {
                    cure_end(&self.book, at, ended, diagnoses);
                    self.run_there(at, diagnoses);
                } else {
                    cure(&self.book, at, text, diagnoses);
                }
            }
            // A text by itself: what its message proposes.
            None => {
                cure(&Book::new(Vec::new()), 0, text, diagnoses);
            }
        }
        Some(examined)
    }

    /// The cell in which main memory ended a kernel, by what the start cell printed: the only one that begins with the line.
    fn ended_in(&self, text: &str) -> Option<(usize, Ended)> {
        let Starved { line, total } = starved(text)?;
        let begins = |p: &Piece| {
            let first = p.source.iter().flat_map(|s| s.lines()).map(str::trim);
            let mut first = first.filter(|l| !l.is_empty());
            first
                .next()
                .is_some_and(|l| l.starts_with(line.trim_end_matches('…')))
        };
        let mut all = self
            .pieces
            .iter()
            .zip(&self.places)
            .filter(|(p, _)| begins(p));
        let (_, place) = all.next().filter(|_| !line.is_empty())?;
        let ended = Ended {
            memory: true,
            total,
            ..Ended::default()
        };
        all.next().is_none().then_some(((*place)?, ended))
    }

    /// Says which cell to run after an edit: the one that ended, not the one that told so.
    fn run_there(&self, at: usize, diagnoses: &mut [Diagnosis]) {
        let mut cells = self.pieces.iter().zip(&self.places);
        let position = cells.find_map(|(p, place)| p.cell.filter(|_| *place == Some(at)));
        for cure in diagnoses.iter_mut().flat_map(|d| &mut d.cures) {
            if cure.run.is_empty() && !cure.edits.is_empty() {
                cure.run.extend(position);
            }
        }
    }

    /// What is found in a piece; `None` if it printed nothing.
    fn judge(&mut self, piece: usize) -> Option<Examined> {
        let p = self.pieces.get(piece).filter(|p| !p.text.is_empty())?;
        let (mut diagnoses, considered) = triage_why(&Input {
            text: &p.text,
            surface: self.surface,
            source: p.source.as_deref(),
        });
        for d in &mut diagnoses {
            d.location.cell = p.cell;
            if p.cell.is_some() {
                let front = self.front.get_or_insert_with(|| front_of(self.pieces));
                d.setting.seen_in(*front);
            }
        }
        Some(Examined {
            piece,
            diagnoses,
            considered,
        })
    }
}

/// Where a saved notebook ran, by the folders that it names.
fn front_of(pieces: &[Piece]) -> Front {
    let names = |word: &str| {
        let mut all = pieces.iter();
        all.any(|p| p.text.contains(word) || p.source.as_ref().is_some_and(|s| s.contains(word)))
    };
    match () {
        () if names("/kaggle/") => Front::Kaggle,
        () if names("google.colab") || names("/content/") => Front::Colab,
        () => Front::Jupyter,
    }
}

/// A saved cell. A count, or an output, says that it ran; the counts say in which order.
fn asked_cell(piece: &Piece) -> Option<AskedCell<'_>> {
    let count = piece.count.and_then(|n| u64::try_from(n).ok());
    // A run that was cut off leaves no count: it was the last one.
    let ran = count.or((!piece.text.is_empty()).then_some(u64::MAX));
    Some(AskedCell {
        position: piece.cell?,
        source: piece.source.as_deref().unwrap_or("").into(),
        count: piece.count,
        ran,
        edited: false,
        output: beginning(&piece.text).into(),
    })
}

#[cfg(not(target_arch = "wasm32"))]
fn book_cell(piece: &Piece) -> Option<BookCell<'_>> {
    let cell = asked_cell(piece)?;
    Some(BookCell {
        position: cell.position,
        source: piece.source.as_deref().unwrap_or(""),
        count: cell.count,
        ran: cell.ran,
        edited: cell.edited,
        output: beginning(&piece.text),
    })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn the_cell_in_which_memory_ended_a_kernel_is_repaired() {
        let told = "nbmedic: the kernel before this one ended Sat Nov 21 19:32:24 2026, while cell [3] ran: # load the pictures\n\
                    Main memory (RAM) ran out (certain). Memory just before: 12.6 of 12.7 GiB.\n\
                    ⟦nbmedic:1 {\"k\":\"end\",\"t\":3,\"st\":9,\"oom\":[3,4,null],\"n\":3,\"last\":[13500000000,13600000000]}⟧\n";
        let piece = |n: usize, source: &str, text: &str| Piece {
            cell: Some(n),
            count: None,
            source: Some(source.into()),
            text: text.into(),
        };
        let start = piece(1, "%load_ext nbmedic", told);
        let divided = "# load the pictures\nx = np.array(p) / 255.0";
        let pieces = [
            start,
            piece(2, "import numpy as np", ""),
            piece(3, divided, ""),
        ];
        let own = examine(&pieces, Surface::Output);
        let cure = &own[0].diagnoses[0].cures[0];
        assert_eq!(
            (cure.id.as_ref(), cure.cell),
            ("divided-in-32-bits", Some(3))
        );
        assert_eq!(cure.run, [3]);
        let read = examine_with(&pieces, Surface::Output, nbmedic_answer::reader);
        assert_eq!(format!("{:?}", Some(&own)), format!("{:?}", read.as_ref()));
        // Two cells that begin alike, and a death of something else.
        let twice = [pieces.to_vec(), vec![piece(4, divided, "")]].concat();
        assert!(examine(&twice, Surface::Output)[0].diagnoses[0]
            .cures
            .is_empty());
        let mut other = pieces.clone();
        other[0].text = told.replace(
            "\"st\":9,\"oom\":[3,4,null]",
            "\"st\":11,\"oom\":[0,0,null]",
        );
        assert!(examine(&other, Surface::Output)[0].diagnoses[0]
            .cures
            .is_empty());
    }

    #[test]
    fn a_reader_gives_the_same_cures_and_is_asked_once() {
        let error = "Traceback (most recent call last):\n  Cell In[2], line 1\n    totl + 1\n\
                     NameError: name 'totl' is not defined\n";
        let piece = |n: usize, source: &str, text: &str| Piece {
            cell: Some(n),
            count: Some(n as i64),
            source: Some(source.into()),
            text: text.into(),
        };
        let pieces = [
            piece(1, "total = 3", ""),
            piece(2, "totl + 1", error),
            piece(3, "print(1)", "1\n"),
        ];
        let own = examine(&pieces, Surface::Output);
        let read = examine_with(&pieces, Surface::Output, nbmedic_answer::reader);
        assert_eq!(format!("{:?}", Some(&own)), format!("{:?}", read.as_ref()));
        assert!(own[0].diagnoses[0].cures[0].code.contains("total + 1"));
        let away = |_: &Question<'_>| Reply::Away;
        assert!(examine_with(&pieces, Surface::Output, away).is_none());
        // Where nothing was found, nothing is asked.
        assert!(examine_with(&pieces[2..], Surface::Output, away).is_some());
        let gone = examine_with(&pieces, Surface::Output, |_| Reply::Gone);
        assert!(gone.is_some_and(|g| g[0].diagnoses[0].cures.is_empty()));
    }
}
