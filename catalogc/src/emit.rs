//! Writes what the engine and the package need.

use crate::source::{MatchSpec, RuleFile, Scope};
use std::fmt::Write;

/// The prose file of a rule.
pub fn prose_json(rule: &RuleFile) -> String {
    serde_json::to_string(&rule.prose).expect("prose is plain data")
}

/// Rust source of the matcher tables (`RULES`) and, behind the feature `prose`, of `PROSE`.
pub fn tables(rules: &[RuleFile]) -> String {
    let mut out =
        String::from("/// Every rule, in the order of the ids.\npub static RULES: &[Rule] = &[\n");
    for r in rules {
        let f = &r.front;
        let _ = writeln!(
            out,
            "Rule {{ id: {:?}, family: {:?}, rank: {}, severity: {:?}, late: {}, hides: &{:?}, matches: &[",
            r.id, r.family, f.rank, f.severity, f.late, f.hides
        );
        for m in &f.matches {
            matcher(&mut out, m);
        }
        out.push_str("], facts: &[");
        for x in &f.facts {
            let _ = write!(
                out,
                "FactPattern {{ pattern: {:?}, all: {}, anywhere: {} }},",
                x.pattern, x.all, x.anywhere
            );
        }
        out.push_str("], derives: &[");
        for d in &f.derives {
            let _ = write!(out, "({:?}, {:?}),", d.name, d.value);
        }
        out.push_str("], variants: &[");
        for v in &f.variants {
            let _ = write!(out, "({:?}, {:?}),", v.id, v.when);
        }
        out.push_str("] },\n");
    }
    out.push_str(
        "];\n\n#[cfg(feature = \"prose\")]\npub(crate) static PROSE: &[(&str, &str)] = &[\n",
    );
    for r in rules {
        let _ = writeln!(out, "({:?}, {:?}),", r.id, prose_json(r));
    }
    out.push_str("];\n");
    out
}

fn matcher(out: &mut String, m: &MatchSpec) {
    let scope = match m.scope {
        Scope::Exception => "Exception",
        Scope::Line => "Line",
        Scope::Any => "Any",
        Scope::Notice => "Notice",
    };
    let _ = writeln!(
        out,
        "  Match {{ scope: Scope::{scope}, class: &{:?}, literal: &{:?}, pattern: {:?}, unless: &{:?}, near: &{:?}, \
         absent: &{:?}, frame: {:?}, reach: {}, confidence: {:?}, boost: {}, variant: {:?}, root: {}, detector: {:?} }},",
        m.class, m.literal, m.pattern, m.unless, m.near, m.absent, m.frame, m.reach, m.confidence, m.boost,
        m.variant, m.root, m.detector
    );
}
