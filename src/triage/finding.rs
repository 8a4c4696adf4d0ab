//! One match of one rule.

use nbmedic_catalog::{Match, Rule};
use nbmedic_facts::Facts;

/// Where a rule matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Chain and exception.
    Exception(usize, usize),
    /// Line.
    Line(usize),
}

/// One match of one rule.
pub(super) struct Finding {
    pub rule: &'static Rule,
    pub m: &'static Match,
    pub place: Place,
    pub confidence: f32,
    pub facts: Facts,
    pub variant: &'static str,
    /// Lines of the document.
    pub evidence: Vec<usize>,
}
