//! Writes the tables for the engine and the prose files for the package.

use crate::renamed::Tables;
use crate::spec::{FactSpec, MatchSpec, RuleFile, Scope, VariantSpec};
use crate::translated::{self, Translations, NUMBERED};
use regex_syntax::hir::literal::Extractor;
use std::fmt::Write;

/// The prose file of a rule.
pub fn prose_json(rule: &RuleFile) -> String {
    serde_json::to_string(&rule.prose).expect("prose is plain data")
}

/// Rust source with the matcher tables (`RULES`), the literals to search for (`LITERALS`), the names that libraries removed or renamed
/// (`RENAMED`), what systems say in other languages (`TRANSLATED`, `ERRNO`, `WINERROR`) and, with the feature `prose`, the prose (`PROSE`). It is included in a module that
/// imports the types of `nbmedic_rule`.
pub fn tables(rules: &[RuleFile], renamed: &Tables, said: &Translations) -> String {
    let literals = literals(rules, said);
    let mut out = String::from("static RULES: &[Rule] = &[\n");
    for r in rules {
        let _ = writeln!(out, "{},", rule(r, &literals));
    }
    let _ = writeln!(out, "];\nstatic LITERALS: &[&str] = &{literals:?};");
    out.push_str("pub(crate) static RENAMED: &[Renamed] = &[\n");
    for row in crate::renamed::rows(renamed) {
        let _ = writeln!(out, "{},", name(&row));
    }
    out.push_str("];\npub(crate) static TRANSLATED: &[Translated] = &[\n");
    for row in translated::rows(said, &literals) {
        let _ = writeln!(out, "{row},");
    }
    out.push_str("];\n");
    for (name, table) in ["ERRNO", "WINERROR"].iter().zip(&said.numbered) {
        let rows: Vec<(&u32, &String)> = table.iter().collect();
        let _ = writeln!(out, "pub(crate) static {name}: &[(u32, &str)] = &{rows:?};");
    }
    out.push_str("#[cfg(feature = \"prose\")]\n");
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

/// Every literal that a text is searched for, sorted. Those of last lines are searched only after a
/// death, and of the facts only those that are read anywhere.
fn literals(rules: &[RuleFile], said: &Translations) -> Vec<String> {
    let phrases = said.phrases.keys().map(|p| translated::literal(p));
    let mut all: Vec<String> = phrases.chain(NUMBERED).map(str::to_owned).collect();
    for front in rules.iter().map(|r| &r.front) {
        for m in front.matches.iter().filter(|m| is_indexed(m)) {
            let lists = [&m.literal, &m.near, &m.absent];
            all.extend(
                lists
                    .into_iter()
                    .flat_map(|l| shortest(l))
                    .map(str::to_owned),
            );
        }
        let facts = front.facts.iter().filter(|f| f.anywhere);
        all.extend(facts.flat_map(|f| beginnings(&f.pattern)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn is_indexed(m: &MatchSpec) -> bool {
    m.scope != Scope::LastLine
}

/// The positions of a match's literals among all of them.
fn numbers(m: &MatchSpec, literals: &[String]) -> Vec<usize> {
    let own = shortest(&m.literal).into_iter().filter(|_| is_indexed(m));
    own.flat_map(|l| literals.binary_search_by(|known| known.as_str().cmp(l)))
        .collect()
}

fn rule(r: &RuleFile, literals: &[String]) -> String {
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
            slice(&f.matches, |m| matcher(m, literals))
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
        "RuleVariant {{ id: {:?}, when: {:?}, severity: {:?}, ahead: {}, at_once: {} }}",
        v.id, v.when, v.severity, v.ahead, v.at_once
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

fn matcher(m: &MatchSpec, literals: &[String]) -> String {
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
        format!("numbers: &{:?}", numbers(m, literals)),
        format!("{lists}, pattern: {:?}, unless: &{:?}", m.pattern, m.unless),
        format!("frame: {:?}, reach: {}", m.frame, m.reach),
        format!("confidence: {:?}, boost: {}", m.confidence, m.boost),
        format!(
            "variant: {:?}, root: {}, points: {}, within: {}",
            m.variant, m.root, m.points, m.within
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
