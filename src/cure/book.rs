//! The cells of a notebook, as far as they are known.

use nbmedic_python::Cell;
use std::cell::OnceCell;
use std::fmt;

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
    excerpt: bool,
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
        Book {
            parsed: cells.iter().map(|_| OnceCell::new()).collect(),
            cells,
            excerpt: false,
        }
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
        let until = self.cells.get(at).and_then(|c| c.ran);
        let mut all: Vec<(u64, usize)> = (0..self.cells.len())
            .filter(|i| *i != at)
            .filter_map(|i| Some((self.cells[i].ran?, i)))
            .filter(|(ran, _)| until.is_none_or(|until| *ran < until))
            .collect();
        all.sort_unstable();
        all.into_iter().map(|(_, i)| i).collect()
    }

    /// The index of the cell with an execution count.
    pub fn counted(&self, count: i64) -> Option<usize> {
        self.cells.iter().position(|c| c.count == Some(count))
    }
}
