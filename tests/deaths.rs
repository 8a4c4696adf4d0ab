//! The page *How did my kernel die?* (`docs/deaths.md`), made from `tests/fixtures/deaths.jsonl`: what a start cell said about kernels
//! that really died (`tests/probe/page.py`), and the card that the engine makes of it.
//! `NBMEDIC_BLESS=1 cargo test -p nbmedic --all-features --test deaths` writes it.
// The engine does no I/O; its tests read their fixtures.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{explain, plain, prose};
use nbmedic::triage::{triage, Diagnosis, Input, Surface};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = "docs/deaths.md";
/// How many fixes a card shows at first.
const FIXES: usize = 2;

/// A kernel that died, as the fixture has it.
#[derive(Deserialize)]
struct Death {
    part: String,
    name: String,
    code: String,
    said: String,
}

fn deaths() -> Vec<Death> {
    let text = include_str!("fixtures/deaths.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a death"))
        .collect()
}

fn card(said: &str) -> Option<Diagnosis> {
    let input = Input {
        text: said,
        surface: Surface::Output,
        source: None,
    };
    triage(&input).into_iter().next()
}

/// The words of the start cell, without the time and what is for programs.
fn words(said: &str) -> String {
    let words = said.split('⟦').next().unwrap_or_default();
    let verdict = words.lines().skip(1).collect::<Vec<_>>().join(" ");
    verdict.trim().to_owned()
}

fn page() -> String {
    let mut out = String::from(
        "# How did my kernel die?\n\n\
        “Your session crashed for an unknown reason” is the same sentence for very different endings. The probe sees how the kernel ended, \
        and the next start cell says it; the card below that cell says what it means and what to do. Here is each ending once, as it came out \
        when a real kernel died of it (`tests/probe/page.py`; Jupyter, the native probe). Where the evidence allows another explanation, \
        it says *likely*: [the table of verdicts](../probe/FORMAT.md#the-verdict) has the rules. `nbmedic death` joins the record with the logs \
        of the server, the system and the container.\n",
    );
    let mut part = String::new();
    for death in deaths() {
        if death.part != part {
            part.clone_from(&death.part);
            let _ = write!(out, "\n## {part}\n");
        }
        let _ = write!(out, "\n### {}\n\n", capital(&death.name));
        if !death.code.trim().is_empty() {
            let _ = write!(out, "```python\n{}\n```\n\n", death.code.trim());
        }
        let _ = write!(out, "The start cell: {}\n\n", words(&death.said));
        let Some(d) = card(&death.said) else {
            out.push_str("No card: nothing is wrong.\n");
            continue;
        };
        let prose = prose(d.id).expect("prose");
        let told = explain(&d, &prose);
        let variant = d.variant.map_or(String::new(), |v| format!("/{v}"));
        let _ = write!(
            out,
            "> **{}** (`{}{variant}`)\n>\n> {}\n>\n",
            told.title,
            d.id,
            plain(&told.summary).trim().replace('\n', "\n> ")
        );
        for fix in told.fixes.iter().take(FIXES) {
            let _ = writeln!(out, "> - {}", fix.title);
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[test]
fn the_page_shows_what_the_engine_says() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("NBMEDIC_BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "{PAGE} is older than what the engine says; NBMEDIC_BLESS=1 cargo test -p nbmedic --all-features --test deaths writes it"
    );
}

/// The cause that each ending must be told as; empty: no card.
#[test]
fn every_ending_has_its_card() {
    for death in deaths() {
        let id = card(&death.said).map_or("", |d| d.id);
        let end = death.said.split("\"cause\":\"").nth(1).expect("a cause");
        let cause = end.split('"').next().unwrap_or_default();
        match cause {
            "clean-exit" => assert_eq!(id, "", "{}", death.name),
            // A kernel ends itself when its server is gone, so that is the cause.
            "kernel-died" if death.said.contains("Its Jupyter server was gone") => {
                assert_eq!(id, "runtime-disconnected", "{}", death.name);
            }
            cause => assert_eq!(id, cause, "{}", death.name),
        }
    }
}
