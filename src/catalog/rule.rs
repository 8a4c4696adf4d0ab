//! The compiled form of a rule.

use nbmedic_catalogc::packed::{FIELD, ITEM, MATCH, PART, RULE};
use std::sync::OnceLock;

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

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// Every rule, in the order of the ids.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| PACKED.split(RULE).map(rule).collect())
}

/// The rule of a diagnosis.
pub fn find(id: &str) -> Option<&'static Rule> {
    let rules = rules();
    rules
        .binary_search_by(|r| r.id.cmp(id))
        .ok()
        .map(|at| &rules[at])
}

/// The parts of a packed record; one that is missing is empty, so reading needs no error.
struct Parts(std::str::Split<'static, char>);

impl Parts {
    fn text(&mut self) -> &'static str {
        self.0.next().unwrap_or("")
    }

    fn flag(&mut self) -> bool {
        !self.text().is_empty()
    }

    fn number(&mut self) -> i32 {
        self.text().parse().unwrap_or(0)
    }

    fn list(&mut self, separator: char) -> Vec<&'static str> {
        let text = self.text();
        if text.is_empty() {
            return Vec::new();
        }
        text.split(separator).collect()
    }

    fn pairs(&mut self) -> Vec<(&'static str, &'static str)> {
        self.list(MATCH)
            .into_iter()
            .filter_map(|pair| pair.split_once(PART))
            .collect()
    }
}

fn rule(packed: &'static str) -> Rule {
    let mut f = Parts(packed.split(FIELD));
    Rule {
        id: f.text(),
        family: f.text(),
        rank: f.number(),
        severity: f.text(),
        late: f.flag(),
        hides: f.list(ITEM),
        matches: f.list(MATCH).into_iter().map(matcher).collect(),
        facts: f.list(MATCH).into_iter().map(fact).collect(),
        derives: f.pairs(),
        variants: f.pairs(),
    }
}

fn matcher(packed: &'static str) -> Match {
    let mut p = Parts(packed.split(PART));
    Match {
        scope: match p.text() {
            "e" => Scope::Exception,
            "l" => Scope::Line,
            "n" => Scope::Notice,
            _ => Scope::Any,
        },
        class: p.list(ITEM),
        literal: p.list(ITEM),
        pattern: p.text(),
        unless: p.list(ITEM),
        near: p.list(ITEM),
        absent: p.list(ITEM),
        frame: p.text(),
        reach: p.number().unsigned_abs() as usize,
        confidence: nbmedic_catalogc::number::decimal(p.text()).unwrap_or(0.0) as f32,
        boost: p.number(),
        variant: p.text(),
        root: p.flag(),
        detector: p.text(),
    }
}

fn fact(packed: &'static str) -> FactPattern {
    let mut p = Parts(packed.split(PART));
    FactPattern {
        pattern: p.text(),
        all: p.flag(),
        anywhere: p.flag(),
        begins: p.list(ITEM),
    }
}
