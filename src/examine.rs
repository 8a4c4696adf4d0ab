//! A whole file: each output judged, and the cures made from the notebook around it.

use nbmedic_cure::{cure, Book, BookCell};
use nbmedic_facts::Front;
use nbmedic_notebook::Piece;
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
pub fn examine(pieces: &[Piece], surface: Surface) -> Vec<Examined> {
    let mut examiner = Examiner::new(pieces, surface);
    (0..pieces.len())
        .filter_map(|piece| examiner.piece(piece, true))
        .collect()
}

/// Judges the pieces of a file one by one.
pub struct Examiner<'a> {
    pieces: &'a [Piece],
    surface: Surface,
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
        let cells = pieces.iter().filter(|p| p.cell.is_some()).map(book_cell);
        Examiner {
            pieces,
            surface,
            book: Book::new(cells.collect()),
            places,
            front: None,
        }
    }

    /// Judges a piece; `None` if it printed nothing. Cures take longer than all the rest, and are made if asked for.
    pub fn piece(&mut self, piece: usize, cures: bool) -> Option<Examined> {
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
        match self.places[piece] {
            _ if !cures => {}
            Some(at) => cure(&self.book, at, &p.text, &mut diagnoses),
            // A text by itself: what its message proposes.
            None => cure(&Book::new(Vec::new()), 0, &p.text, &mut diagnoses),
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
fn book_cell(piece: &Piece) -> BookCell<'_> {
    let count = piece.count.and_then(|n| u64::try_from(n).ok());
    // A run that was cut off leaves no count: it was the last one.
    let ran = count.or((!piece.text.is_empty()).then_some(u64::MAX));
    BookCell {
        position: piece.cell.unwrap_or_default(),
        source: piece.source.as_deref().unwrap_or(""),
        count: piece.count,
        ran,
        edited: false,
    }
}
