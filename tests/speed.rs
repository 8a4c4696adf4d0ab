//! Time grows linearly with the text, whatever the text contains. The tests compare times measured on
//! the same machine in the same minute; `./build.sh bench` prints the figures themselves.
// The engine has no clock and prints nothing; its tests do.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "support/long_texts.rs"]
mod long_texts;

use long_texts::{benign, hostile, ipython_traceback, python_traceback, HOSTILE};
use nbmedic::triage::{triage, Input};
use std::time::{Duration, Instant};

/// A measurement takes at least this long, so that the clock's resolution does not matter.
const LONG_ENOUGH: Duration = Duration::from_millis(15);
/// Other work on the machine only adds to a time, so the least of several measurements counts.
const TRIES: usize = 60;
/// Four times the text may take this many times as long. Quadratic work would take sixteen times.
const GROWTH: f64 = 8.0;
/// A byte of a slow text may cost as much as this many bytes of a benign log.
const WORSE: f64 = 400.0;

fn time(text: &str) -> Duration {
    let start = Instant::now();
    triage(&Input {
        text,
        ..Input::default()
    });
    start.elapsed()
}

/// Seconds per byte of the longer text. Fails if that is much more than for a text a quarter as long.
fn grows_evenly(name: &str, make: impl Fn(usize) -> String) -> f64 {
    let mut bytes = 32 << 10;
    let mut short = make(bytes);
    // The first run compiles the patterns.
    time(&short);
    let least = |text: &str| (0..3).map(|_| time(text)).min().unwrap_or_default();
    while bytes < 1 << 20 && least(&short) < LONG_ENOUGH {
        bytes *= 2;
        short = make(bytes);
    }
    let long = make(4 * bytes);
    let (mut a, mut b) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        a = a.min(time(&short));
        b = b.min(time(&long));
        let growth = b.as_secs_f64() / a.as_secs_f64();
        if growth < GROWTH {
            return b.as_secs_f64() / long.len() as f64;
        }
    }
    panic!(
        "{name}: {a:?} for {} bytes, {b:?} for {}",
        short.len(),
        long.len()
    );
}

#[test]
fn time_grows_with_the_text_and_no_faster() {
    let usual = grows_evenly("a benign log", benign);
    for (name, piece) in HOSTILE {
        let cost = grows_evenly(name, |n| hostile(*piece, n));
        println!("{name}: {:.1} times a benign log", cost / usual);
        assert!(
            cost < WORSE * usual,
            "{name}: a byte costs {:.0} times as much as in a benign log",
            cost / usual
        );
    }
}

#[test]
fn a_long_traceback_is_read_about_as_fast_as_a_log() {
    let log = benign(64 << 10);
    for text in [python_traceback(), ipython_traceback()] {
        let found = triage(&Input {
            text: &text,
            ..Input::default()
        });
        assert_eq!(found.iter().map(|d| d.id).collect::<Vec<_>>(), ["gpu-oom"]);
        assert!((1000..1010).contains(&text.lines().count()));
        let (mut a, mut b, mut worse) = (Duration::MAX, Duration::MAX, f64::MAX);
        for tries in 0..TRIES {
            if tries >= 12 && worse < 12.0 {
                break;
            }
            (a, b) = (a.min(time(&text)), b.min(time(&log)));
            worse = a.as_secs_f64() / text.len() as f64 / (b.as_secs_f64() / log.len() as f64);
        }
        println!("{worse:.1} times a benign log");
        assert!(worse < 12.0, "a byte costs {worse:.1} times as much");
    }
}

#[test]
fn a_benign_log_is_benign() {
    let text = benign(1 << 20);
    let found = triage(&Input {
        text: &text,
        ..Input::default()
    });
    assert!(found.is_empty(), "{:?}", found[0]);
}
