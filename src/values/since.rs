//! Changes in place.

/// What was done to a value in place after it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Since {
    /// Something was stored into it: in a table into these columns, which are new or replaced, and else into elements. Empty:
    /// nothing that adds to it.
    Stored(Vec<String>),
    /// It may have been changed in any way: its length and its columns are not known.
    Anything,
    /// Nothing.
    #[default]
    Nothing,
}

impl Since {
    /// What was done first, and then this.
    #[must_use]
    pub fn and(self, then: Since) -> Since {
        match (self, then) {
            (Since::Nothing, one) | (one, Since::Nothing) => one,
            (Since::Stored(mut names), Since::Stored(more)) => {
                names.extend(more);
                Since::Stored(names)
            }
            _ => Since::Anything,
        }
    }
}
