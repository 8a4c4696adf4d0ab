//! The known cells of a notebook.

use nbmedic_python::Cell;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

/// Maximum number of cells examined.
const MAX_CELLS: usize = 1000;

/// One code cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookCell<'a> {
    /// Position in the notebook, from 1.
    pub position: usize,
    /// Current source.
    pub source: &'a str,
    /// Execution count.
    pub count: Option<i64>,
    /// Rank in the order of execution in this kernel (any increasing number). None if the cell
    /// hasn't run.
    pub ran: Option<u64>,
    /// Whether the source was edited after the run.
    pub edited: bool,
    /// The output of its run, possibly truncated.
    pub output: &'a str,
}

/// The code cells of a notebook in order, parsed on demand.
pub struct Book<'a> {
    cells: Vec<BookCell<'a>>,
    parsed: Vec<OnceCell<Option<Cell>>>,
    /// The cells that ran, in execution order.
    order: Vec<(u64, usize)>,
    /// The words in the sources, once per cell: the cell and the byte range. Sorted alphabetically.
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
    /// Creates a notebook. Of a very long one, only the first cells are kept.
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

    /// Marks that each cure is tried before it is shown.
    pub fn tried(self) -> Book<'a> {
        Book {
            tried: true,
            ..self
        }
    }

    /// Whether each cure is tried before it is shown. If so, more are offered than a card has room
    /// for.
    pub fn is_tried(&self) -> bool {
        self.tried
    }

    /// A notebook that consists of the lines shown in a traceback.
    pub(crate) fn excerpt(cells: Vec<BookCell<'a>>) -> Book<'a> {
        Book {
            excerpt: true,
            ..Book::new(cells)
        }
    }

    /// Whether the cells are only lines from a traceback, with unknown surroundings.
    pub fn is_excerpt(&self) -> bool {
        self.excerpt
    }

    /// The cells.
    pub fn cells(&self) -> &[BookCell<'a>] {
        &self.cells
    }

    /// The parsed cell. None if it isn't Python or doesn't parse.
    pub fn python(&self, at: usize) -> Option<&Cell> {
        let source = self.cells.get(at)?.source;
        self.parsed
            .get(at)?
            .get_or_init(|| Cell::read(source))
            .as_ref()
    }

    /// Indexes of the cells that ran before a cell's last run, in execution order.
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

    /// Like [`Book::before`], but only cells whose source contains a word: others neither set nor
    /// import such a name.
    pub fn before_with(&self, at: usize, word: &str) -> Vec<usize> {
        // Python normalizes non-ASCII names, so a name can have several spellings.
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

    /// The index of the cell with a given execution count.
    pub fn counted(&self, count: i64) -> Option<usize> {
        self.cells.iter().position(|c| c.count == Some(count))
    }
}
