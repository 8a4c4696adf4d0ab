//! The cells that a cell depends on.

use crate::book::Book;

/// Maximum number of cells named.
const MAX_CELLS: usize = 6;
/// Maximum number of cells searched for the names.
const MAX_SEARCHED: usize = 200;

/// The cells that set the names a cell needs: those that ran before it, otherwise those above it.
/// Returns their indexes in notebook order, each with the names.
pub fn needed(book: &Book<'_>, at: usize) -> Vec<(usize, Vec<String>)> {
    let Some(cell) = book.python(at) else {
        return Vec::new();
    };
    let names = cell.names();
    let mut open: Vec<&str> = names.needs();
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    let ran = book.before(at).into_iter().rev();
    let above = (0..at).rev();
    for other in ran.chain(above).take(MAX_SEARCHED) {
        if open.is_empty() || found.len() == MAX_CELLS {
            break;
        }
        let source = book.cells()[other].source;
        // Most cells contain none of the names and needn't be parsed.
        if other == at || !open.iter().any(|name| source.contains(name)) {
            continue;
        }
        let Some(python) = book.python(other) else {
            continue;
        };
        let sets = python.names();
        let (set, rest): (Vec<&str>, Vec<&str>) = open
            .into_iter()
            .partition(|name| sets.sets(name).next().is_some());
        open = rest;
        if !set.is_empty() {
            found.push((other, set.into_iter().map(str::to_owned).collect()));
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookCell;

    #[test]
    fn each_name_is_looked_up_where_it_was_set_last() {
        let sources = [
            "import numpy as np\nk = 3",
            "x = np.ones(k)",
            "print(1)",
            "x = 2",
            "y = x @ np.eye(k)",
        ];
        let cells = sources.iter().enumerate().map(|(i, source)| BookCell {
            position: i + 1,
            source,
            // The fourth cell didn't run.
            ran: (i != 3).then_some(i as u64),
            ..BookCell::default()
        });
        let book = Book::new(cells.collect());
        let named = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            needed(&book, 4),
            [(0, named(&["np", "k"])), (1, named(&["x"]))]
        );
        assert_eq!(needed(&book, 2), []);
    }
}
