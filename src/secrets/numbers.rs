//! Numbers that belong to one person: of accounts, cards, telephones and offices. Each is looked for after the word that names
//! it, and where it has a checksum, that must hold.

use std::ops::Range;

/// Words before such numbers, in lower case, and the kind of each.
pub const LITERALS: &[(&str, &str)] = &[
    ("iban", "bank-account"),
    ("ssn", "id-number"),
    ("social security", "id-number"),
    ("credit card", "card-number"),
    ("card", "card-number"),
    ("visa", "card-number"),
    ("phone", "phone-number"),
    ("tel:", "phone-number"),
    ("tel.", "phone-number"),
    ("mobile", "phone-number"),
    ("whatsapp", "phone-number"),
    ("call me at", "phone-number"),
    ("fax", "phone-number"),
];
/// A number begins so near to its word, in bytes.
const NEAR: usize = 40;
/// Longest number with what groups its digits, in bytes.
const LONGEST: usize = 48;

/// The number after such a word.
pub fn after(text: &str, hit: Range<usize>, kind: &str) -> Option<Range<usize>> {
    let before = text[..hit.start].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let end = super::seam::line_end(text, hit.end, NEAR + LONGEST);
    let rest = &text.as_bytes()[hit.end..end];
    let at = match kind {
        "bank-account" => account(rest),
        "id-number" => digits(rest, b"-", |said| {
            said.len() == 11 && said[3] == b'-' && said[6] == b'-' && number(said).len() == 9
        }),
        "card-number" => digits(rest, b" -", |said| {
            (13..=19).contains(&number(said).len()) && luhn(&number(said))
        }),
        _ => digits(rest, b" -()./", |said| {
            let n = number(said).len();
            (8..=15).contains(&n) && matches!(said[0], b'+' | b'0' | b'(')
        }),
    }?;
    Some(hit.end + at.start..hit.end + at.end)
}

fn number(said: &[u8]) -> Vec<u8> {
    said.iter()
        .filter(|b| b.is_ascii_digit())
        .map(|b| b - b'0')
        .collect()
}

/// The first run of digits, and of what may group them, that is such a number.
fn digits(rest: &[u8], between: &[u8], is: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let mut at = 0;
    while at < rest.len().min(NEAR) {
        let opens = rest[at].is_ascii_digit() || matches!(rest[at], b'+' | b'(');
        let free = at == 0 || !rest[at - 1].is_ascii_alphanumeric() && rest[at - 1] != b'.';
        if !opens || !free {
            at += 1;
            continue;
        }
        let belongs = |b: &&u8| b.is_ascii_digit() || between.contains(b);
        let mut n = 1 + rest[at + 1..]
            .iter()
            .take(LONGEST)
            .take_while(belongs)
            .count();
        while n > 1 && !rest[at + n - 1].is_ascii_digit() {
            n -= 1;
        }
        let ends = !rest.get(at + n).is_some_and(u8::is_ascii_alphanumeric);
        if ends && is(&rest[at..at + n]) {
            return Some(at..at + n);
        }
        at += n;
    }
    None
}

/// The checksum of a card's number.
fn luhn(number: &[u8]) -> bool {
    let doubled = |d: u32| if d > 4 { 2 * d - 9 } else { 2 * d };
    let sum: u32 = number
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            if i % 2 == 1 {
                doubled(u32::from(*d))
            } else {
                u32::from(*d)
            }
        })
        .sum();
    sum.is_multiple_of(10) && number.iter().any(|d| *d != number[0])
}

/// An IBAN: a country, two digits of a checksum, and the account, in groups or not.
fn account(rest: &[u8]) -> Option<Range<usize>> {
    for at in 0..rest.len().min(NEAR) {
        let said = &rest[at..];
        let opens = said.len() > 4
            && said[..2].iter().all(u8::is_ascii_uppercase)
            && said[2..4].iter().all(u8::is_ascii_digit);
        if !opens || at > 0 && rest[at - 1].is_ascii_alphanumeric() {
            continue;
        }
        let belongs = |b: &&u8| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b' ';
        let most = said.iter().take(LONGEST).take_while(belongs).count();
        for n in (15..=most).rev() {
            let plain: Vec<u8> = said[..n].iter().copied().filter(|b| *b != b' ').collect();
            if said[n - 1] != b' ' && (15..=34).contains(&plain.len()) && holds(&plain) {
                return Some(at..at + n);
            }
        }
    }
    None
}

/// The remainder by 97 of an IBAN whose first four characters come last.
fn holds(iban: &[u8]) -> bool {
    let turned = iban[4..].iter().chain(&iban[..4]);
    let step = |rest: u32, b: &u8| match b {
        b'0'..=b'9' => (rest * 10 + u32::from(b - b'0')) % 97,
        _ => (rest * 100 + u32::from(b - b'A') + 10) % 97,
    };
    turned.fold(0, step) == 1
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn numbers_of_people_go_and_others_stay() {
        for (text, clean) in [
            (
                "IBAN: GB82 WEST 1234 5698 7654 32 is closed",
                "IBAN: [redacted-bank-account] is closed",
            ),
            (
                "iban=DE89370400440532013000",
                "iban=[redacted-bank-account]",
            ),
            ("SSN 536-22-8745", "SSN [redacted-id-number]"),
            (
                "card 4539 1488 0343 6467 declined",
                "card [redacted-card-number] declined",
            ),
            ("phone: +1 (212) 555-0147", "phone: [redacted-phone-number]"),
        ] {
            assert_eq!(redact(text).text, clean);
        }
        for text in [
            "IBAN: GB82 WEST 1234 5698 7654 33",
            "card 4539 1488 0343 6468",
            "phone int64, 423 non-null",
            "ssn object 12 12 2024",
            "phone 2024-01-02 10:00:00",
            "graphics card 12288 MiB, 80 W",
        ] {
            assert_eq!(redact(text).text, text);
        }
    }
}
