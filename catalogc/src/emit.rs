//! Writes the tables for the engine and the prose files for the package.

use crate::renamed::Tables;
use crate::spec::{FactSpec, MatchSpec, RuleFile, VariantSpec};
use regex_syntax::hir::literal::Extractor;
use std::fmt::Write;

/// The prose file of a rule.
pub fn prose_json(rule: &RuleFile) -> String {
    serde_json::to_string(&rule.prose).expect("prose is plain data")
}

/// Rust source with the matcher tables (`RULES`), the names that libraries removed or renamed
/// (`RENAMED`) and, with the feature `prose`, the prose (`PROSE`). It is included in a module that
/// imports the types of `nbmedic_rule`.
pub fn tables(rules: &[RuleFile], renamed: &Tables) -> String {
    let mut out = String::from("static RULES: &[Rule] = &[\n");
    for r in rules {
        let _ = writeln!(out, "{},", rule(r));
    }
    out.push_str("];\npub(crate) static RENAMED: &[Renamed] = &[\n");
    for row in crate::renamed::rows(renamed) {
        let _ = writeln!(out, "{},", name(&row));
    }
    out.push_str("];\n#[cfg(feature = \"prose\")]\n");
    out.push_str("pub(crate) static PROSE: &[(&str, &str)] = &[\n");
    for r in rules {
        let _ = writeln!(out, "({:?}, {:?}),", r.id, prose_json(r));
    }
    out.push_str("];\n");
    out
}

/// Struct literals as a slice.
fn slice<T>(items: &[T], one: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(one).collect();
    format!("&[{}]", items.join(", "))
}

/// Length of a prefix that is worth searching for, in bytes.
const BEGINNING: std::ops::RangeInclusive<usize> = 3..=12;
/// Maximum number of prefixes of one pattern.
const MAX_BEGINNINGS: usize = 40;

/// Prefixes, one of which begins every match of the pattern; empty if they are unknown.
fn beginnings(pattern: &str) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else {
        return Vec::new();
    };
    let mut all = Extractor::new()
        .limit_literal_len(*BEGINNING.end())
        .limit_total(MAX_BEGINNINGS)
        .extract(&hir);
    all.minimize_by_preference();
    let texts = all.literals().map(|list| {
        list.iter()
            .map(|l| String::from_utf8(l.as_bytes().to_vec()).ok())
            .map(|l| l.filter(|l| l.len() >= *BEGINNING.start()))
            .collect::<Option<Vec<_>>>()
    });
    texts.flatten().unwrap_or_default()
}

fn rule(r: &RuleFile) -> String {
    let f = &r.front;
    let ends = match f.ends.as_str() {
        "kernel" => "Kernel",
        "runtime" => "Runtime",
        "machine" => "Machine",
        _ => "Nothing",
    };
    let derives = slice(&f.derives, |d| format!("({:?}, {:?})", d.name, d.value));
    [
        format!("Rule {{ id: {:?}, family: {:?}", r.id, r.family),
        format!(
            "rank: {}, severity: {:?}, late: {}",
            f.rank, f.severity, f.late
        ),
        format!(
            "hides: &{:?}, matches: {}",
            f.hides,
            slice(&f.matches, matcher)
        ),
        format!("facts: {}, derives: {derives}", slice(&f.facts, fact)),
        format!("variants: {}", slice(&f.variants, variant)),
        format!(
            "general: {}, wraps: &{:?}, ends: Ends::{ends}",
            f.general, f.wraps
        ),
        format!(
            "cause_of_death: {}, lifetime: {}",
            f.cause_of_death, f.lifetime
        ),
        format!("sticky: {}, recoverable: &{:?}", f.sticky, f.recoverable),
        format!(
            "related: &{:?}, stands_for: &{:?} }}",
            f.related, f.stands_for
        ),
    ]
    .join(", ")
}

/// A row of [`crate::renamed::rows`].
fn name(row: &[String]) -> String {
    let [library, kind, old, new, since, from, added, of, source] = row else {
        unreachable!("a row has nine fields");
    };
    let kind = match kind.as_str() {
        "members" => "Member",
        "arguments" => "Argument",
        "modules" => "Module",
        _ => "Attribute",
    };
    format!(
        "Renamed {{ library: {library:?}, kind: NameKind::{kind}, old: {old:?}, new: {new:?},          since: {since:?}, from: {from:?}, added: {added:?}, of: {of:?}, source: {source:?} }}"
    )
}

fn fact(f: &FactSpec) -> String {
    let begins = beginnings(&f.pattern);
    format!(
        "FactPattern {{ pattern: {:?}, all: {}, anywhere: {}, begins: &{begins:?} }}",
        f.pattern, f.all, f.anywhere
    )
}

fn variant(v: &VariantSpec) -> String {
    format!(
        "RuleVariant {{ id: {:?}, when: {:?}, severity: {:?}, ahead: {} }}",
        v.id, v.when, v.severity, v.ahead
    )
}

/// Drops literals that contain another one of the list: if they occur, so does the shorter one.
fn shortest(literals: &[String]) -> Vec<&str> {
    let holds_other = |l: &str| {
        let mut others = literals.iter().filter(|o| o.as_str() != l);
        others.any(|o| l.contains(o.as_str()))
    };
    let all = literals.iter().map(String::as_str);
    all.filter(|l| !holds_other(l)).collect()
}

fn matcher(m: &MatchSpec) -> String {
    let lists = format!(
        "literal: &{:?}, near: &{:?}, absent: &{:?}",
        shortest(&m.literal),
        shortest(&m.near),
        shortest(&m.absent)
    );
    [
        format!(
            "Match {{ scope: Scope::{:?}, class: &{:?}",
            m.scope, m.class
        ),
        format!("{lists}, pattern: {:?}, unless: &{:?}", m.pattern, m.unless),
        format!("frame: {:?}, reach: {}", m.frame, m.reach),
        format!("confidence: {:?}, boost: {}", m.confidence, m.boost),
        format!(
            "variant: {:?}, root: {}, within: {}",
            m.variant, m.root, m.within
        ),
        format!("signal: {}, detector: {:?} }}", m.signal, m.detector),
    ]
    .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_that_holds_another_is_left_out() {
        let given = ["no API key", "API key", "api key", "denied"].map(str::to_owned);
        assert_eq!(shortest(&given), ["API key", "api key", "denied"]);
        assert_eq!(shortest(&given[3..]), ["denied"]);
    }
}
