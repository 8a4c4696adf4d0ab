//! The rules, unpacked from the tables that the build script writes.

use nbmedic_rule::packed::{FIELD, ITEM, MATCH, PART, RULE};
use nbmedic_rule::{Condition, Ends, FactPattern, Match, Rule, RuleVariant, Scope};
use std::sync::OnceLock;

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

/// The rule that stands for a condition; a test holds that there is exactly one.
pub fn standing_for(condition: Condition) -> Option<&'static Rule> {
    rules().iter().find(|r| r.is(condition))
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
        variants: f.list(MATCH).into_iter().map(variant).collect(),
        general: f.flag(),
        wraps: f.list(ITEM),
        ends: match f.text() {
            "kernel" => Ends::Kernel,
            "runtime" => Ends::Runtime,
            "machine" => Ends::Machine,
            _ => Ends::Nothing,
        },
        cause_of_death: f.flag(),
        lifetime: f.flag(),
        sticky: f.flag(),
        recoverable: f.list(ITEM),
        related: f.list(ITEM),
        stands_for: f.list(ITEM),
    }
}

fn matcher(packed: &'static str) -> Match {
    let mut p = Parts(packed.split(PART));
    Match {
        scope: match p.text() {
            "e" => Scope::Exception,
            "l" => Scope::Line,
            "n" => Scope::Notice,
            "w" => Scope::LastLine,
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
        confidence: p.text().parse().unwrap_or(0.0),
        boost: p.number(),
        variant: p.text(),
        root: p.flag(),
        within: p.number().unsigned_abs() as usize,
        signal: p.number(),
        detector: p.text(),
    }
}

fn variant(packed: &'static str) -> RuleVariant {
    let mut p = Parts(packed.split(PART));
    RuleVariant {
        id: p.text(),
        when: p.text(),
        severity: p.text(),
        ahead: p.flag(),
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
