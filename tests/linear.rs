//! Time grows with a text and no faster, in every stage and whatever the text contains. Work is counted in steps (bytes
//! that something looked at), which are the same on every machine.
//! `cargo run --release --features prose,libraries --example linear` measures all texts with a clock.
// The engine has no clock and prints nothing; its tests do.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "support/attacks.rs"]
mod attacks;
#[path = "support/long_texts.rs"]
mod long_texts;
// The example has a clock too.
#[allow(dead_code)]
#[path = "support/stages.rs"]
mod stages;

use attacks::{text, units, HEADS, WAYS};
use long_texts::{benign, hostile, ipython_traceback, python_traceback, HOSTILE};
use nbmedic::report::redact;
use nbmedic::text::steps::taken;
use nbmedic::triage::{triage, Input};
use stages::{Stage, STAGES};

/// Sizes of a text, in bytes.
const SHORT: usize = 6_250;
const LONG: usize = 50_000;
/// What eight times the text may take, in steps.
const GROWTH: u64 = 9;
/// Steps that count nothing: what is bounded for any text.
const FREE: u64 = 4 << 20;
/// One of so many texts is tried here.
const EVERY: usize = 4001;

fn stage(name: &str) -> &'static Stage {
    let found = STAGES.iter().find(|s| s.0 == name);
    found.unwrap_or_else(|| panic!("no stage {name}"))
}

/// The steps of a stage for a text.
fn steps(stage: &Stage, text: &str) -> u64 {
    let mut work = (stage.1)(text);
    let before = taken();
    work();
    taken() - before
}

#[test]
fn eight_times_the_text_takes_eight_times_the_steps() {
    let units = units();
    assert!(units.len() > 5000, "only {} units", units.len());
    let (mut texts, mut worst) = (0, [(0.0, String::new()), (0.0, String::new())]);
    for (s, name) in ["triage", "redaction"].into_iter().enumerate() {
        let stage = stage(name);
        let mut n = 0_usize;
        for (u, (of, unit)) in units.iter().enumerate() {
            let other = &units[(u * 7919 + 13) % units.len()].1;
            for (way, make) in WAYS {
                for (head, begin) in HEADS {
                    n += 1;
                    if !n.is_multiple_of(EVERY) {
                        continue;
                    }
                    texts += 1;
                    let part = make(unit, other);
                    let a = steps(stage, &text(begin, &part, SHORT));
                    let b = steps(stage, &text(begin, &part, LONG));
                    let name = format!("{name}: {of} {way}, {head}: {unit:?}");
                    assert!(b <= GROWTH * a + FREE, "{name}: {a} steps, then {b}");
                    let rate = b as f64 / LONG as f64;
                    if rate > worst[s].0 {
                        worst[s] = (rate, name);
                    }
                }
            }
        }
    }
    println!(
        "{texts} of {} texts",
        units.len() * WAYS.len() * HEADS.len() * 2
    );
    for (rate, name) in worst {
        println!("at most {rate:.0} steps for a byte: {name}");
    }
}

#[test]
fn what_once_was_slow_is_linear() {
    for name in ["triage", "redaction"] {
        let stage = stage(name);
        for (of, piece) in HOSTILE {
            let a = steps(stage, &hostile(*piece, SHORT / 4));
            let b = steps(stage, &hostile(*piece, LONG / 4));
            assert!(b <= GROWTH * a + FREE, "{name}: {of}: {a} steps, then {b}");
        }
    }
}

#[test]
fn the_cure_ends_however_many_names_a_cell_has() {
    // What both cures of the stage may look through.
    const READ: u64 = 2 * (16 << 20);
    let stage = stage("cure");
    for piece in [
        "text input must be of type `str` (single example), `List[str]`".to_owned(),
        (0..9000)
            .map(|i| format!("n{i} = str(n{i})\n"))
            .collect::<String>(),
    ] {
        let head = format!("{}'str' object cannot be interpreted ", HEADS[1].1);
        let (a, b) = (text(&head, &piece, SHORT), text(&head, &piece, 8 * LONG));
        let (a, b) = (steps(stage, &a), steps(stage, &b));
        assert!(b <= 9 * GROWTH * a + READ + FREE, "{a} steps, then {b}");
    }
}

#[test]
fn a_usual_text_takes_few_steps() {
    for text in [benign(200_000), python_traceback(), ipython_traceback()] {
        let before = taken();
        assert!(redact(&text).found.iter().all(|f| f.kind != "unread"));
        let rate = (taken() - before) as f64 / text.len() as f64;
        println!("redaction: {rate:.1} steps for a byte of a usual text");
        // A fiftieth of what a text may take.
        assert!(rate < 30.0, "{rate} steps for a byte");
    }
}

#[test]
fn a_text_that_takes_too_long_is_judged_in_part_and_says_so() {
    // Each message has a literal of hundreds of rules, whose patterns would all run on it.
    let mut said = String::new();
    for literal in nbmedic::catalog::literals()
        .iter()
        .filter(|l| !l.contains('\n'))
    {
        if said.len() < 15_000 {
            said += literal;
            said.push(' ');
        }
    }
    let one = format!("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nRuntimeError: {said}\n\n");
    let found = triage(&Input {
        text: &one.repeat(8),
        ..Input::default()
    });
    let first = found.first().expect("a diagnosis");
    let told = |e: &nbmedic::triage::Evidence| e.text.contains("takes too long to read");
    assert!(first.evidence.iter().any(told), "{:?}", first.evidence);
}
