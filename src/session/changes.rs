//! What a batch of events changed.

use std::collections::BTreeSet;

/// A cell: its notebook and its id.
type CellId = (String, String);

/// The places where a batch of events may have changed what is shown.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    everywhere: bool,
    notebooks: BTreeSet<String>,
    cells: BTreeSet<CellId>,
    begun: BTreeSet<CellId>,
}

impl Changes {
    /// Adds what a later batch changed.
    pub fn merge(&mut self, mut later: Changes) {
        self.everywhere |= later.everywhere;
        self.notebooks.append(&mut later.notebooks);
        self.cells.append(&mut later.cells);
        self.begun.append(&mut later.begun);
    }

    /// Whether anything at this place may have changed; no cell: at the notebook's top.
    pub fn touch(&self, nb: &str, cell: Option<&str>) -> bool {
        self.everywhere
            || self.notebooks.contains(nb)
            || cell.is_some_and(|c| self.cells.contains(&(nb.to_owned(), c.to_owned())))
    }

    /// The cells in which a new run began: the page removed their cards.
    pub fn begun(&self) -> impl Iterator<Item = (&str, &str)> {
        self.begun
            .iter()
            .map(|(nb, cell)| (nb.as_str(), cell.as_str()))
    }

    /// The cells of a notebook that changed.
    pub(crate) fn cells_of<'a>(&'a self, nb: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.cells.iter().filter(move |(n, _)| n == nb);
        own.map(|(_, cell)| cell.as_str())
    }

    /// All cells that changed.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (&str, &str)> {
        self.cells
            .iter()
            .map(|(nb, cell)| (nb.as_str(), cell.as_str()))
    }

    pub(crate) fn cell(&mut self, nb: &str, cell: &str) {
        self.cells.insert((nb.to_owned(), cell.to_owned()));
    }

    pub(crate) fn run_began(&mut self, nb: &str, cell: &str) {
        self.begun.insert((nb.to_owned(), cell.to_owned()));
    }

    pub(crate) fn notebook(&mut self, nb: &str) {
        self.notebooks.insert(nb.to_owned());
    }

    pub(crate) fn everywhere(&mut self) {
        self.everywhere = true;
    }
}
