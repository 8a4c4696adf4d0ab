//! Input of `tests/probe/first_line.py`, which generates and tests the start cell's redaction: the literals of all kinds, tokens
//! of all formats and planted secrets, each line with its expected findings; texts are in hexadecimal.

// It prints to standard output.
#![allow(clippy::disallowed_macros)]

#[path = "../tests/planted/mod.rs"]
#[allow(dead_code)]
mod cases;

/// Alphabets of tokens.
const ALPHABETS: [&str; 4] = [
    "0123456789abcdef",
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
];

fn hex(text: &str) -> String {
    text.bytes().map(|b| format!("{b:02x}")).collect()
}

/// A token of an alphabet; the same for every call.
fn token(start: &str, n: usize, alphabet: &str) -> String {
    let mut state = start.len() as u64 + 7;
    let letters = (0..n).filter_map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        alphabet
            .chars()
            .nth((state >> 33) as usize % alphabet.len())
    });
    start.chars().chain(letters).collect()
}

fn main() {
    let mut lines: Vec<String> = Vec::new();
    for (literal, leads, least) in nbmedic_secrets::literals() {
        println!("literal {leads} {least} {}", hex(literal));
        if leads == "token" {
            for alphabet in ALPHABETS {
                for start in [literal.to_owned(), literal.to_ascii_uppercase()] {
                    for n in [least, least + 14] {
                        lines.push(format!("run('{}', 3)", token(&start, n, alphabet)));
                    }
                }
            }
        }
    }
    // The cell stores a line.
    lines.extend(
        cases::planted()
            .iter()
            .flat_map(|c| c.text.lines())
            .map(str::to_owned),
    );
    for line in lines {
        let found: Vec<String> = nbmedic_secrets::find_all(&line)
            .iter()
            .map(|f| format!("{}:{}", f.kind, hex(&line[f.range.clone()])))
            .collect();
        if !found.is_empty() {
            println!("line {} {}", hex(&line), found.join(" "));
        }
    }
}
