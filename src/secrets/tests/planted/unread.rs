//! Texts from notebooks, tracebacks and logs, by authors who had not read the detector.

use super::further::cases;
use super::Case;

const PLANTED_THIRD: &str = include_str!("third-planted.txt");
const ALIKE_THIRD: &str = include_str!("third-alike.txt");
const PLANTED_FOURTH: &str = include_str!("fourth-planted.txt");
const ALIKE_FOURTH: &str = include_str!("fourth-alike.txt");
const PLANTED_FIFTH: &str = include_str!("fifth-planted.txt");
const ALIKE_FIFTH: &str = include_str!("fifth-alike.txt");
const PLANTED_SIXTH: &str = include_str!("sixth-planted.txt");
const ALIKE_SIXTH: &str = include_str!("sixth-alike.txt");
const PLANTED_SEVENTH: &str = include_str!("seventh-planted.txt");
const ALIKE_SEVENTH: &str = include_str!("seventh-alike.txt");
const PLANTED_EIGHTH: &str = include_str!("eighth-planted.txt");
const ALIKE_EIGHTH: &str = include_str!("eighth-alike.txt");

/// The cases of a file, twice each: alone and among other lines.
fn of_file(set: &str, file: &str, seed: u64) -> Vec<Case> {
    let texts: Vec<String> = file
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with("# "))
        .map(|l| l.replace('⏎', "\n").replace('⇥', "\t"))
        .collect();
    let templates: Vec<&str> = texts.iter().map(String::as_str).collect();
    cases(set, &templates, seed)
}

/// Secrets and look-alikes of the third set.
pub fn third() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("third", PLANTED_THIRD, 105);
    (planted, of_file("alike third", ALIKE_THIRD, 106))
}

/// Secrets and look-alikes of the fourth set: command lines, connection strings, settings and other languages.
pub fn fourth() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("fourth", PLANTED_FOURTH, 107);
    (planted, of_file("alike fourth", ALIKE_FOURTH, 108))
}

/// Secrets and look-alikes of the fifth set, by the author of the repairs after the fourth set, from a list of kinds of tools.
pub fn fifth() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("fifth", PLANTED_FIFTH, 109);
    (planted, of_file("alike fifth", ALIKE_FIFTH, 110))
}

/// Secrets and look-alikes of the sixth set, by someone who had not read the detector: what notebooks print of agents, servers,
/// trackers and clouds.
pub fn sixth() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("sixth", PLANTED_SIXTH, 111);
    (planted, of_file("alike sixth", ALIKE_SIXTH, 112))
}

/// Secrets and look-alikes of the seventh set, by someone who had not read the detector: services of 2025 and 2026, frames and
/// wrapped lines, names on shared storage.
pub fn seventh() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("seventh", PLANTED_SEVENTH, 113);
    (planted, of_file("alike seventh", ALIKE_SEVENTH, 114))
}

/// Secrets and look-alikes of the eighth set, by someone who had read neither the detector nor any earlier set: 300 and 300, as a
/// security engineer meets them in notebooks, logs and settings.
pub fn eighth() -> (Vec<Case>, Vec<Case>) {
    let planted = of_file("eighth", PLANTED_EIGHTH, 115);
    (planted, of_file("alike eighth", ALIKE_EIGHTH, 116))
}
