//! The name of a cell for people.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A cell by its position from 1, by its execution count, or by both, as far as they are known.
///
/// Records, facts and reports contain its text (`cell 3`, `cell [12]`, `cell 3 [12]`, `a cell`),
/// which can be parsed back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellName {
    /// The position among the notebook's cells.
    pub position: Option<usize>,
    /// The execution count.
    pub count: Option<i64>,
}

impl Display for CellName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.position, self.count) {
            (Some(position), Some(count)) => write!(f, "cell {position} [{count}]"),
            (Some(position), None) => write!(f, "cell {position}"),
            (None, Some(count)) => write!(f, "cell [{count}]"),
            (None, None) => f.write_str("a cell"),
        }
    }
}

impl FromStr for CellName {
    type Err = ();

    fn from_str(text: &str) -> Result<CellName, ()> {
        if text == "a cell" {
            return Ok(CellName::default());
        }
        let mut name = CellName::default();
        for part in text.strip_prefix("cell ").ok_or(())?.split(' ') {
            match part.strip_prefix('[').and_then(|p| p.strip_suffix(']')) {
                Some(count) => name.count = Some(count.parse().map_err(|_| ())?),
                None => name.position = Some(part.parse().map_err(|_| ())?),
            }
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::CellName;

    #[test]
    fn names_read_back() {
        for text in ["cell 3", "cell [12]", "cell 3 [12]", "a cell"] {
            assert_eq!(
                text.parse().map(|n: CellName| n.to_string()),
                Ok(text.into())
            );
        }
        for text in [
            "",
            "cell",
            "cell x",
            "cell [1",
            "notebook",
            "cell 1 of mine",
        ] {
            assert!(text.parse::<CellName>().is_err(), "{text}");
        }
    }
}
