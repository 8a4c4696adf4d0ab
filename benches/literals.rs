//! Compares searches for the catalogue's literals: the text room's own sieve, aho-corasick in each
//! of its forms, and daachorse, built at each start or loaded.
//!
//! `cargo bench --bench literals` prints how long each takes to get ready and to search texts. Each
//! must find the same occurrences, overlapping ones included.
// The engine does no I/O and has no clock; this program measures.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "../tests/support/long_texts.rs"]
mod long_texts;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use daachorse::DoubleArrayAhoCorasick;
use long_texts::{benign, hostile, ipython_traceback, python_traceback, HOSTILE};
use nbmedic::catalog::rules;
use nbmedic::text::Sieve;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of runs; the fastest counts.
const RUNS: usize = 15;
/// Size of the long texts, in bytes.
const LONG: usize = 4 << 20;

/// The literals that triage looks for in a text, as its index collects them.
fn literals() -> Vec<&'static str> {
    let matches = || rules().iter().flat_map(|r| r.matches);
    let all = matches().flat_map(|m| m.literal.iter().chain(m.near).chain(m.absent));
    let facts = rules().iter().flat_map(|r| r.facts).filter(|f| f.anywhere);
    let begins = facts.flat_map(|f| f.begins);
    let mut literals: Vec<&'static str> = all.chain(begins).copied().collect();
    literals.sort_unstable();
    literals.dedup();
    literals
}

/// One way to search.
enum Search {
    Sieve(Sieve),
    Aho(AhoCorasick),
    Daachorse(DoubleArrayAhoCorasick<u32>),
}

impl Search {
    /// The number of occurrences, and a checksum that differs for another set.
    fn count(&self, text: &str) -> (u64, u64) {
        let (mut n, mut sum) = (0, 0_u64);
        let mut add = |id: u64, start: usize| {
            n += 1;
            sum = sum.wrapping_add((id + 1).wrapping_mul(start as u64 + 7));
        };
        match self {
            Search::Sieve(s) => s.each(text, &mut |id, at| add(id as u64, at.start)),
            Search::Aho(a) => a
                .find_overlapping_iter(text)
                .for_each(|m| add(u64::from(m.pattern().as_u32()), m.start())),
            Search::Daachorse(d) => d
                .find_overlapping_iter(text)
                .for_each(|m| add(u64::from(m.value()), m.start())),
        }
        (n, sum)
    }
}

fn aho(literals: &[&str], kind: AhoCorasickKind) -> Search {
    let built = AhoCorasick::builder()
        .kind(Some(kind))
        .match_kind(MatchKind::Standard)
        .build(literals);
    Search::Aho(built.expect("an automaton"))
}

fn daachorse(literals: &[&str]) -> DoubleArrayAhoCorasick<u32> {
    DoubleArrayAhoCorasick::new(literals).expect("an automaton")
}

/// The fastest of [`RUNS`] runs.
fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    let one = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..RUNS).map(one).min().expect("a run")
}

fn main() {
    let all = literals();
    let stored = daachorse(&all).serialize();
    let load = || {
        let loaded = DoubleArrayAhoCorasick::<u32>::deserialize(&stored);
        Search::Daachorse(loaded.expect("what was written").0)
    };
    let ways: [(&str, &dyn Fn() -> Search); 6] = [
        ("sieve", &|| Search::Sieve(Sieve::new(all.clone()))),
        ("aho-corasick, DFA", &|| aho(&all, AhoCorasickKind::DFA)),
        ("aho-corasick, contiguous NFA", &|| {
            aho(&all, AhoCorasickKind::ContiguousNFA)
        }),
        ("aho-corasick, noncontiguous NFA", &|| {
            aho(&all, AhoCorasickKind::NoncontiguousNFA)
        }),
        ("daachorse, built", &|| Search::Daachorse(daachorse(&all))),
        ("daachorse, loaded", &load),
    ];
    let near = HOSTILE.iter().find(|h| h.0 == "near misses of literals");
    let near = near.expect("a text of that name").1;
    let texts = [
        ("benign log", benign(LONG)),
        ("near misses", hostile(near, LONG)),
        ("tracebacks", python_traceback() + &ipython_traceback()),
    ];
    println!(
        "{} literals; the stored automaton of daachorse has {} bytes\n",
        all.len(),
        stored.len()
    );
    println!("| | ready after | benign log | near misses | ready, and two tracebacks searched |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let found = texts.each_ref().map(|(_, text)| ways[0].1().count(text));
    for (name, make) in ways {
        let ready = best(make);
        let search = make();
        for ((what, text), found) in texts.iter().zip(found) {
            assert_eq!(search.count(text), found, "{name}: {what}");
        }
        let speed = |text: &str| {
            let seconds = best(|| search.count(text)).as_secs_f64();
            format!("{:.0} MB/s", text.len() as f64 / seconds / 1e6)
        };
        let first = best(|| make().count(&texts[2].1));
        let (log, near) = (speed(&texts[0].1), speed(&texts[1].1));
        println!("| {name} | {ready:.1?} | {log} | {near} | {first:.1?} |");
    }
}
