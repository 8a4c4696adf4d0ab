//! SECURITY.md lists exactly the kinds of secrets that are found.

use nbmedic_secrets::kinds;
use std::collections::BTreeSet;

const SECURITY: &str = include_str!("../../../SECURITY.md");
/// The first words of the row on services' tokens.
const SERVICES: &str = "| tokens of services |";

#[test]
fn what_is_covered_is_listed() {
    let table: Vec<&str> = SECURITY
        .lines()
        .skip_while(|l| *l != "## What is redacted")
        .skip(1)
        .take_while(|l| !l.starts_with("## "))
        .filter(|l| l.starts_with('|'))
        .collect();
    let named = |line: &str| -> BTreeSet<String> {
        let words = line.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect()
    };
    let listed: BTreeSet<String> = table.iter().flat_map(|l| named(l)).collect();
    let all: BTreeSet<String> = kinds().map(str::to_owned).collect();
    let others: BTreeSet<String> = table
        .iter()
        .filter(|l| !l.starts_with(SERVICES))
        .flat_map(|l| named(l))
        .collect();
    let services: Vec<String> = all.difference(&others).map(|k| format!("`{k}`")).collect();
    assert_eq!(listed, all, "the services are {}", services.join(", "));
}
