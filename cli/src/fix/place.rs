//! Where the cells of a notebook stand in its file, and what a repair changes there.

use super::choose::Cells;
use super::sheet;
use crate::input;
use nbmedic::facts::Edit;
use nbmedic::notebook::{parse, Piece};
use std::path::Path;

/// A notebook as its file has it.
pub struct Book {
    text: String,
    pieces: Vec<Piece>,
}

/// A change of a file: the replaced characters, and what stands there afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the replaced text starts: line and column in characters, from 1.
    pub start: (usize, usize),
    /// Where it ends, exclusive.
    pub end: (usize, usize),
    /// What stands there afterwards.
    pub text: String,
}

impl Book {
    /// Reads a notebook again. None for anything else, and for a compressed one.
    pub fn open(path: &Path) -> Option<Book> {
        if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
            return None;
        }
        Book::of(String::from_utf8(input::bytes(path).ok()?).ok()?)
    }

    fn of(text: String) -> Option<Book> {
        let pieces = parse(text.strip_prefix('\u{feff}').unwrap_or(&text)).ok()?;
        Some(Book { text, pieces })
    }

    /// Its JSON without a byte order mark, which stands on the first line.
    fn json(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    /// The line of the file, from 1, that holds a cell's line.
    pub fn line(&self, cell: usize, line: u32) -> Option<usize> {
        sheet::line_of(self.json(), cell, line as usize)
    }

    /// What edits of cells change in the file.
    pub fn change(&self, edits: &[Edit]) -> Option<Change> {
        let sources = Cells::new(&self.pieces).repaired(edits)?;
        let new = sheet::with_sources(self.json(), &sources).ok()?;
        difference(self.json(), &new)
    }
}

/// The one part in which two texts differ.
fn difference(old: &str, new: &str) -> Option<Change> {
    if old == new {
        return None;
    }
    let pairs = old.chars().zip(new.chars());
    let before: usize = (pairs.take_while(|(a, b)| a == b))
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (rest, put) = (&old[before..], &new[before..]);
    let pairs = rest.chars().rev().zip(put.chars().rev());
    let after: usize = (pairs.take_while(|(a, b)| a == b))
        .map(|(c, _)| c.len_utf8())
        .sum();
    let place = |at: usize| {
        let head = &old[..at];
        let line = head.rfind('\n').map_or(0, |n| n + 1);
        (
            head.matches('\n').count() + 1,
            head[line..].chars().count() + 1,
        )
    };
    Some(Change {
        start: place(before),
        end: place(old.len() - after),
        text: put[..put.len() - after].to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic::facts::Position;

    #[test]
    fn a_repair_is_a_change_of_the_file() {
        let text = "{\n \"cells\": [\n  {\"cell_type\": \"code\", \"source\": [\n   \"é = 1\\n\",\n   \"pront(é)\"\n  ]}\n ]\n}\n";
        let book = Book::of(format!("\u{feff}{text}")).unwrap();
        assert_eq!(book.line(1, 2), Some(5));
        let at = |column| Position { line: 2, column };
        let edit = Edit {
            cell: 1,
            start: at(1),
            end: at(6),
            text: "print".into(),
        };
        let change = book.change(&[edit]).unwrap();
        assert_eq!((change.start, change.end), ((5, 7), (5, 8)));
        assert_eq!(change.text, "i");
        assert_eq!(book.change(&[]), None);
    }

    #[test]
    fn what_was_put_in_twice_is_found_once() {
        let change = difference("aa\nb", "aaa\nb").unwrap();
        assert_eq!((change.start, change.end), ((1, 3), (1, 3)));
        assert_eq!(change.text, "a");
    }
}
