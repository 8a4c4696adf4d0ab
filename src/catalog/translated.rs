//! What systems say in other languages, and the numbers of their errors.

use crate::tables::{ERRNO, TRANSLATED, WINERROR};
use nbmedic_rule::Translated;

/// Which system numbers an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// `[Errno 28]`: Linux, and Python's own numbers elsewhere.
    Errno,
    /// `[WinError 112]`.
    WinError,
}

impl Numbered {
    /// Both.
    pub const ALL: [Numbered; 2] = [Numbered::Errno, Numbered::WinError];

    /// What comes before the number.
    pub fn prefix(self) -> &'static str {
        match self {
            Numbered::Errno => "[Errno ",
            Numbered::WinError => "[WinError ",
        }
    }
}

/// The phrases whose longest part is the literal with this number.
pub fn translated(number: usize) -> &'static [Translated] {
    let from = TRANSLATED.partition_point(|t| usize::from(t.number) < number);
    let count = TRANSLATED[from..].partition_point(|t| usize::from(t.number) == number);
    &TRANSLATED[from..from + count]
}

/// What a system says in English about the error with this number.
pub fn message(system: Numbered, number: u32) -> Option<&'static str> {
    let table = match system {
        Numbered::Errno => ERRNO,
        Numbered::WinError => WINERROR,
    };
    let at = table.binary_search_by_key(&number, |row| row.0).ok()?;
    Some(table[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literals;

    #[test]
    fn each_phrase_is_found_by_its_literal() {
        assert!(TRANSLATED.len() > 400, "{}", TRANSLATED.len());
        for t in TRANSLATED {
            let literal = literals()[usize::from(t.number)];
            assert!(t.said.contains(literal), "{t:?}");
            assert!(translated(usize::from(t.number)).contains(t), "{t:?}");
        }
        assert_eq!(translated(usize::MAX), []);
    }

    #[test]
    fn a_number_has_its_message() {
        let known = [
            (Numbered::Errno, 28, "No space left on device"),
            (
                Numbered::WinError,
                112,
                "There is not enough space on the disk",
            ),
        ];
        for (system, number, text) in known {
            assert_eq!(message(system, number), Some(text));
            assert!(literals().contains(&system.prefix()));
        }
        assert_eq!(message(Numbered::Errno, 4000), None);
    }
}
