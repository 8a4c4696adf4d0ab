//! Measures how the time of each stage grows with a text that tries to be slow: `linear` all texts, `linear STAGE…` these
//! stages only, `linear time STAGE BYTES TEXT` one text, repeated. Times are of this thread on a processor, so that other
//! work on the machine does not count.
// The engine does no I/O and has no clock; this program measures and prints.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "../tests/support/attacks.rs"]
mod attacks;
#[path = "../tests/support/stages.rs"]
mod stages;

use attacks::{text, units, HEADS, WAYS};
use stages::{clock, Stage, STAGES};

/// Sizes of a text that is tried, in bytes; the last two are those that count.
const SIZES: [usize; 3] = [6_250, 50_000, 400_000];
/// What eight times the text may take, and a megabyte, in seconds.
const GROWTH: f64 = 9.0;
const A_MEGABYTE: f64 = 0.5;
/// Less time than this is not told apart, in seconds.
const TICK: f64 = 1e-5;
/// A text that takes longer than this, in seconds, is tried no further.
const ENOUGH: f64 = 6.0;

/// The least time of some runs, in seconds.
fn time(stage: &Stage, text: &str, runs: usize) -> f64 {
    let mut work = (stage.1)(text);
    let mut least = f64::MAX;
    for _ in 0..runs {
        let start = clock();
        work();
        least = least.min(clock() - start);
        if least > 0.3 {
            break;
        }
    }
    least
}

/// A text whose time was measured.
struct Tried {
    stage: usize,
    name: String,
    head: usize,
    part: String,
    seconds: f64,
    growth: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().map(String::as_str) == Some("time") {
        let stage = STAGES.iter().find(|s| s.0 == args[1]).expect("a stage");
        for bytes in args[2].split(',') {
            let bytes: usize = bytes.parse().expect("a number");
            let part = args[3].replace("\\n", "\n");
            let seconds = time(stage, &text("", &part, bytes), 1);
            println!(
                "{bytes}: {seconds:.4} s, {:.2} s/MB",
                seconds / bytes as f64 * 1e6
            );
        }
        return;
    }
    let every = std::env::var("EVERY")
        .ok()
        .and_then(|e| e.parse().ok())
        .unwrap_or(1);
    let mut failed = 0;
    for (s, stage) in STAGES.iter().enumerate() {
        if args.is_empty() || args.iter().any(|a| a == stage.0) {
            failed += usize::from(!measure(s, stage, every));
        }
    }
    std::process::exit(i32::from(failed > 0));
}

/// Measures one stage; whether every text is within the limits.
fn measure(s: usize, stage: &Stage, every: usize) -> bool {
    let units = units();
    // What is made once for the process is made here.
    time(stage, &text(HEADS[1].1, "ValueError: bad\n", 2000), 1);
    let mut tried = Vec::new();
    let mut n = 0_usize;
    for (u, (of, unit)) in units.iter().enumerate() {
        let other = &units[(u * 7919 + 13) % units.len()].1;
        for (way, make) in WAYS {
            for (head, (_, begin)) in HEADS.iter().enumerate() {
                n += 1;
                if !n.is_multiple_of(every) {
                    continue;
                }
                let part = make(unit, other);
                let small = time(stage, &text(begin, &part, SIZES[0]), 1);
                let seconds = match small > 1.0 {
                    true => small * 8.0,
                    false => time(stage, &text(begin, &part, SIZES[1]), 1),
                };
                let name = format!("{of} {way}, {}: {unit:?}", HEADS[head].0);
                tried.push(Tried {
                    stage: s,
                    name,
                    head,
                    part,
                    seconds,
                    growth: seconds / small.max(TICK),
                });
            }
        }
    }
    let texts = tried.len();
    // The slowest, and those that grow fastest.
    tried.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let slow: Vec<usize> = (0..tried.len().min(60)).collect();
    let mut fast: Vec<usize> = (0..tried.len())
        .filter(|i| tried[*i].seconds > 0.002)
        .collect();
    fast.sort_by(|a, b| tried[*b].growth.total_cmp(&tried[*a].growth));
    let again: std::collections::BTreeSet<usize> =
        slow.into_iter().chain(fast.into_iter().take(60)).collect();
    let (mut worst_growth, mut worst_rate) = ((0.0, String::new()), (0.0, String::new()));
    let mut over = 0;
    for i in again {
        let t = &tried[i];
        let begin = HEADS[t.head].1;
        let mut best = (f64::MAX, f64::MAX);
        for _ in 0..3 {
            let a = time(&STAGES[t.stage], &text(begin, &t.part, SIZES[1]), 3);
            let b = match a * 64.0 > ENOUGH * 8.0 {
                true => a * 64.0,
                false => time(&STAGES[t.stage], &text(begin, &t.part, SIZES[2]), 2),
            };
            best = (
                best.0.min(b / a.max(TICK)),
                best.1.min(b / SIZES[2] as f64 * 1e6),
            );
            if best.0 <= GROWTH && best.1 <= A_MEGABYTE {
                break;
            }
        }
        if best.0 > GROWTH && best.1 > 0.05 || best.1 > A_MEGABYTE {
            over += 1;
            println!("  {:>6.1} times, {:>7.2} s/MB  {}", best.0, best.1, t.name);
        }
        if best.1 > 0.05 && best.0 > worst_growth.0 {
            worst_growth = (best.0, t.name.clone());
        }
        if best.1 > worst_rate.0 {
            worst_rate = (best.1, t.name.clone());
        }
    }
    println!(
        "{}: {texts} texts, {over} over; worst growth {:.1} ({}), worst {:.3} s/MB ({})",
        stage.0, worst_growth.0, worst_growth.1, worst_rate.0, worst_rate.1
    );
    over == 0
}
