//! What is known about code that doesn't parse, and a repair to try.

use nbmedic_facts::Basis;
use nbmedic_python::Cell;

/// A repair to try.
pub(super) struct Try {
    pub(super) id: &'static str,
    pub(super) basis: Basis,
    pub(super) title: String,
    pub(super) why: String,
    pub(super) changes: Vec<(std::ops::Range<usize>, String)>,
}

impl Try {
    pub(super) fn new(
        id: &'static str,
        title: impl Into<String>,
        why: impl Into<String>,
        changes: Vec<(std::ops::Range<usize>, String)>,
    ) -> Try {
        Try {
            id,
            basis: Basis::Language,
            title: title.into(),
            why: why.into(),
            changes,
        }
    }

    pub(super) fn assumed(mut self) -> Try {
        self.basis = Basis::Assumed;
        self
    }
}

/// What is known about the error.
pub(super) struct Failure<'c> {
    pub(super) python: &'c Cell,
    pub(super) text: &'c str,
    pub(super) message: &'c str,
    pub(super) class: &'c str,
    /// The line, from 1.
    pub(super) line: u32,
}

impl Failure<'_> {
    /// The byte range of a line.
    pub(super) fn span(&self, line: u32) -> std::ops::Range<usize> {
        let r = self.python.line_range(line);
        r.start().to_usize()..r.end().to_usize()
    }

    pub(super) fn lines(&self) -> u32 {
        u32::try_from(self.python.line_count()).unwrap_or(u32::MAX)
    }

    /// The end of a line's code, before its comment and trailing spaces.
    pub(super) fn code_end(&self, line: u32) -> usize {
        let span = self.span(line);
        span.start + super::scan::code_len(&self.text[span])
    }

    /// A line's code, trimmed.
    pub(super) fn code(&self, line: u32) -> &str {
        self.text[self.span(line).start..self.code_end(line)].trim()
    }

    pub(super) fn says(&self, part: &str) -> bool {
        self.message.contains(part)
    }
}
