//! Writes the tables for the engine and the prose files for the package.

use crate::packed::{FIELD, ITEM, MATCH, PART, RULE};
use crate::renamed::Tables;
use crate::spec::{MatchSpec, RuleFile, Scope, VariantSpec};
use regex_syntax::hir::literal::Extractor;
use std::fmt::Write;

/// The prose file of a rule.
pub fn prose_json(rule: &RuleFile) -> String {
    serde_json::to_string(&rule.prose).expect("prose is plain data")
}

/// Rust source with the packed matcher tables (`PACKED`), the names that libraries removed or renamed
/// (`RENAMED`) and, behind the feature `prose`, the prose (`PROSE`).
///
/// The tables are one text rather than nested slices, whose addresses would make up a third of the
/// WASM's data and compress badly.
pub fn tables(rules: &[RuleFile], renamed: &Tables) -> String {
    let packed: Vec<String> = rules.iter().map(rule).collect();
    let mut out = format!("const PACKED: &str = {:?};\n", join(&packed, RULE));
    let names = crate::renamed::packed(renamed);
    let names: Vec<String> = names.iter().map(|n| join(n, FIELD)).collect();
    let _ = writeln!(
        out,
        "pub(crate) const RENAMED: &str = {:?};",
        join(&names, RULE)
    );
    out.push_str("#[cfg(feature = \"prose\")]\npub(crate) static PROSE: &[(&str, &str)] = &[\n");
    for r in rules {
        let _ = writeln!(out, "({:?}, {:?}),", r.id, prose_json(r));
    }
    out.push_str("];\n");
    out
}

fn join<T: AsRef<str>>(parts: &[T], separator: char) -> String {
    parts
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(&separator.to_string())
}

fn flag(set: bool) -> String {
    String::from(if set { "1" } else { "" })
}

/// Shortest and longest beginning that is worth searching for, in bytes.
const BEGINNING: std::ops::RangeInclusive<usize> = 3..=12;
/// Most beginnings of one pattern.
const MAX_BEGINNINGS: usize = 40;

/// Texts of which one begins every match of the pattern; none if that is unknown.
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
    let matches: Vec<String> = f.matches.iter().map(matcher).collect();
    let facts: Vec<String> = f
        .facts
        .iter()
        .map(|x| {
            // Only these are looked for in the whole text.
            let begins = if x.anywhere {
                beginnings(&x.pattern)
            } else {
                Vec::new()
            };
            let parts = [x.pattern.clone(), flag(x.all), flag(x.anywhere)];
            join(&[join(&parts, PART), join(&begins, ITEM)], PART)
        })
        .collect();
    let pairs = |list: Vec<(&String, &String)>| {
        let list: Vec<String> = list.iter().map(|(a, b)| join(&[a, b], PART)).collect();
        join(&list, MATCH)
    };
    let fields = [
        r.id.clone(),
        r.family.clone(),
        f.rank.to_string(),
        f.severity.clone(),
        flag(f.late),
        join(&f.hides, ITEM),
        join(&matches, MATCH),
        join(&facts, MATCH),
        pairs(f.derives.iter().map(|d| (&d.name, &d.value)).collect()),
        join(&f.variants.iter().map(variant).collect::<Vec<_>>(), MATCH),
        flag(f.general),
        join(&f.wraps, ITEM),
        f.ends.clone(),
        flag(f.cause_of_death),
        flag(f.lifetime),
        flag(f.sticky),
        join(&f.recoverable, ITEM),
        join(&f.related, ITEM),
        join(&f.stands_for, ITEM),
    ];
    join(&fields, FIELD)
}

fn variant(v: &VariantSpec) -> String {
    let parts = [
        v.id.clone(),
        v.when.clone(),
        v.severity.clone(),
        flag(v.ahead),
    ];
    join(&parts, PART)
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
    let scope = match m.scope {
        Scope::Exception => "e",
        Scope::Line => "l",
        Scope::Any => "a",
        Scope::Notice => "n",
        Scope::LastLine => "w",
    };
    let parts = [
        scope.to_owned(),
        join(&m.class, ITEM),
        join(&shortest(&m.literal), ITEM),
        m.pattern.clone(),
        join(&m.unless, ITEM),
        join(&shortest(&m.near), ITEM),
        join(&shortest(&m.absent), ITEM),
        m.frame.clone(),
        m.reach.to_string(),
        m.confidence.to_string(),
        m.boost.to_string(),
        m.variant.clone(),
        flag(m.root),
        m.within.to_string(),
        m.signal.to_string(),
        m.detector.clone(),
    ];
    join(&parts, PART)
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
