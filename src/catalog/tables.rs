//! The tables that the build script writes.

use nbmedic_rule::{
    Condition, Ends, FactPattern, Match, NameKind, Renamed, Rule, RuleVariant, Scope, Translated,
};

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// Every rule, in the order of the ids.
pub fn rules() -> &'static [Rule] {
    RULES
}

/// Every literal that a text is searched for, sorted: see [`Match::numbers`].
pub fn literals() -> &'static [&'static str] {
    LITERALS
}

/// The rule of a diagnosis.
pub fn find(id: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|r| r.id.cmp(id)).ok()?;
    Some(&RULES[at])
}

/// The rule that stands for a condition; a test ensures that there is exactly one.
pub fn standing_for(condition: Condition) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.is(condition))
}
