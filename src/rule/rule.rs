//! The compiled form of a rule.

/// Where a [`Match`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The message of a raised exception.
    Exception,
    /// One clean line outside tracebacks.
    Line,
    /// A message of an exception, or a line.
    Any,
    /// A notice of the front end, or a text that is nothing else.
    Notice,
}

/// One way in which a rule recognises its diagnosis. See `catalog/README.md` for the fields.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Match {
    pub scope: Scope,
    pub class: Vec<&'static str>,
    pub literal: Vec<&'static str>,
    pub pattern: &'static str,
    pub unless: Vec<&'static str>,
    pub near: Vec<&'static str>,
    pub absent: Vec<&'static str>,
    pub frame: &'static str,
    pub reach: usize,
    pub confidence: f32,
    pub boost: i32,
    pub variant: &'static str,
    pub root: bool,
    pub detector: &'static str,
}

/// A pattern whose named captures are facts.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct FactPattern {
    pub pattern: &'static str,
    pub all: bool,
    pub anywhere: bool,
    /// With one of these begins whatever the pattern finds; empty where that can't be said.
    pub begins: Vec<&'static str>,
}

/// One diagnosis: how it is recognised and ranked.
#[derive(Debug)]
pub struct Rule {
    /// Stable name.
    pub id: &'static str,
    /// Family in the taxonomy.
    pub family: &'static str,
    /// How near the cause it is, 0 to 100.
    pub rank: i32,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The reported line may be innocent.
    pub late: bool,
    /// Diagnoses that are consequences of this one.
    pub hides: Vec<&'static str>,
    /// Ways to recognise it.
    pub matches: Vec<Match>,
    /// Further facts.
    pub facts: Vec<FactPattern>,
    /// Facts calculated from others: name and expression.
    pub derives: Vec<(&'static str, &'static str)>,
    /// Variants and their predicates.
    pub variants: Vec<(&'static str, &'static str)>,
}
