//! The cells of a notebook, as far as they are known.

use nbmedic_python::Cell;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

/// Most cells looked at.
const MAX_CELLS: usize = 1000;

/// One code cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookCell<'a> {
    /// Its position in the notebook, from 1.
    pub position: usize,
    /// Its source, as it stands now.
    pub source: &'a str,
    /// Its execution count.
    pub count: Option<i64>,
    /// Its place in the order in which the cells ran in this kernel (any number that grows); none: it did not
    /// run.
    pub ran: Option<u64>,
    /// Its source was changed since it ran.
    pub edited: bool,
    /// What it printed and showed when it ran, or the beginning of it.
    pub output: &'a str,
}

/// The code cells of a notebook, in their order, parsed when they are needed.
pub struct Book<'a> {
    cells: Vec<BookCell<'a>>,
    parsed: Vec<OnceCell<Option<Cell>>>,
    /// The cells that ran, in the order in which they did.
    order: Vec<(u64, usize)>,
    /// The words of the sources, each once for a cell: its cell and its bytes there. In the order of letters.
    words: OnceCell<Vec<(usize, Range<usize>)>>,
    excerpt: bool,
    tried: bool,
}

impl fmt::Debug for Book<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("cells", &self.cells).finish()
    }
}

impl<'a> Book<'a> {
    /// A notebook; of a very long one the first cells.
    pub fn new(mut cells: Vec<BookCell<'a>>) -> Book<'a> {
        cells.truncate(MAX_CELLS);
        let ran = cells.iter().enumerate().map(|(i, c)| (c.ran, i));
        let mut order: Vec<(u64, usize)> = ran.filter_map(|(ran, i)| Some((ran?, i))).collect();
        order.sort_unstable();
        Book {
            order,
            words: OnceCell::new(),
            parsed: cells.iter().map(|_| OnceCell::new()).collect(),
            cells,
            excerpt: false,
            tried: false,
        }
    }

    /// The same notebook, where each cure is tried before it is shown.
    pub fn tried(self) -> Book<'a> {
        Book {
            tried: true,
            ..self
        }
    }

    /// Whether each cure is tried before it is shown: then more are offered than a card has room for.
    pub fn is_tried(&self) -> bool {
        self.tried
    }

    /// The lines that a traceback shows, as cells.
    pub(crate) fn excerpt(cells: Vec<BookCell<'a>>) -> Book<'a> {
        Book {
            excerpt: true,
            ..Book::new(cells)
        }
    }

    /// Whether its cells are the lines that a traceback shows: what is around them is not known.
    pub fn is_excerpt(&self) -> bool {
        self.excerpt
    }

    /// The cells.
    pub fn cells(&self) -> &[BookCell<'a>] {
        &self.cells
    }

    /// A cell's Python; none if it isn't Python or can't be read.
    pub fn python(&self, at: usize) -> Option<&Cell> {
        let source = self.cells.get(at)?.source;
        self.parsed
            .get(at)?
            .get_or_init(|| Cell::read(source))
            .as_ref()
    }

    /// The indexes of the cells that ran before a cell's last run, in the order in which they ran.
    pub fn before(&self, at: usize) -> Vec<usize> {
        let all = &self.order[..self
            .order
            .partition_point(|(ran, _)| self.ran_before(at, *ran))];
        all.iter().map(|(_, i)| *i).filter(|i| *i != at).collect()
    }

    fn ran_before(&self, at: usize, ran: u64) -> bool {
        let until = self.cells.get(at).and_then(|c| c.ran);
        until.is_none_or(|until| ran < until)
    }

    /// Those of them whose source holds a word: others neither set such a name nor import it.
    pub fn before_with(&self, at: usize, word: &str) -> Vec<usize> {
        // A name may be written with other letters that mean the same.
        if !word.is_ascii() {
            return self.before(at);
        }
        let words = self.words();
        let first = words.partition_point(|w| self.word(w) < word);
        let known = words[first..].iter().take_while(|w| self.word(w) == word);
        let mut all: Vec<(u64, usize)> = known
            .filter(|(i, _)| *i != at)
            .filter_map(|(i, _)| Some((self.cells[*i].ran?, *i)))
            .filter(|(ran, _)| self.ran_before(at, *ran))
            .collect();
        all.sort_unstable();
        all.into_iter().map(|(_, i)| i).collect()
    }

    fn word(&self, (cell, range): &(usize, Range<usize>)) -> &'a str {
        &self.cells[*cell].source[range.clone()]
    }

    fn words(&self) -> &[(usize, Range<usize>)] {
        self.words.get_or_init(|| {
            let part = |c: char| !(c.is_alphanumeric() || c == '_');
            let mut words: Vec<(usize, Range<usize>)> = Vec::new();
            for (i, cell) in self.cells.iter().enumerate() {
                let mut at = 0;
                for word in cell.source.split_inclusive(part) {
                    let end = at + word.trim_end_matches(part).len();
                    words.push((i, at..end));
                    at += word.len();
                }
            }
            words.sort_by(|a, b| self.word(a).cmp(self.word(b)).then(a.0.cmp(&b.0)));
            words.dedup_by(|b, a| a.0 == b.0 && self.word(a) == self.word(b));
            words
        })
    }

    /// The index of the cell with an execution count.
    pub fn counted(&self, count: i64) -> Option<usize> {
        self.cells.iter().position(|c| c.count == Some(count))
    }
}
