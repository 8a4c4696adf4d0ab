//! Secrets that can't be described by their first letters.

use super::runs::Runs;
use super::seam;
use super::value::{is_masked, is_mixed};
use std::ops::Range;

/// Number of bytes by which a secret is judged; the whole secret is then redacted.
const JUDGED: usize = 512;
/// The longest line of such a key.
const LINE: usize = 200;
/// The class of word letters among a text's runs: no format has it.
const WORD: u16 = 1 << 15;

/// Literals in lower case, and the kind of each.
pub const LITERALS: &[(&str, &str)] = &[
    ("eyj", "jwt"),
    ("hooks.slack.com/", "slack"),
    ("discord.com/api/webhooks/", "discord"),
    ("discordapp.com/api/webhooks/", "discord"),
    ("webhook.office.com/", "webhook"),
    ("outlook.office.com/webhook/", "webhook"),
    ("hooks.zapier.com/hooks/catch/", "webhook"),
    ("maker.ifttt.com/trigger/", "webhook"),
    ("chat.googleapis.com/v1/spaces/", "webhook"),
    (":aa", "telegram"),
    (".atlasv1.", "terraform"),
    ("8q~", "azure"),
    ("7q~", "azure"),
    ("-us", "mailchimp"),
    // The middle of keys that Azure's services issue.
    ("jqqj99", "azure-key"),
    ("private-lines:", "private-key"),
    // The first digits of an account, with which its token begins, in base 64.
    ("mta", "discord-bot"),
    ("mte", "discord-bot"),
    ("mti", "discord-bot"),
    ("mtm", "discord-bot"),
    ("mtq", "discord-bot"),
    ("mtu", "discord-bot"),
];

fn word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
}

fn run(bytes: &[u8], most: usize, belongs: fn(u8) -> bool) -> usize {
    let rest = bytes.iter().take(most);
    let n = rest.take_while(|b| belongs(**b)).count();
    nbmedic_text::steps::took(n);
    n
}

fn back(bytes: &[u8], most: usize, belongs: fn(u8) -> bool) -> usize {
    bytes
        .iter()
        .rev()
        .take(most)
        .take_while(|b| belongs(**b))
        .count()
}

/// The secret around such a literal; `runs` are the text's.
pub fn around(text: &str, hit: Range<usize>, kind: &str, runs: &mut Runs) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut word_at = |from: usize| runs.end(WORD, bytes, from, word).0 - from;
    let rest = &bytes[hit.end..];
    match (kind, &text[hit.clone()]) {
        ("jwt", "eyJ") => {
            if !super::formats::begins(text, hit.start, false) {
                return None;
            }
            let head = word_at(hit.end);
            let then = rest.get(head..)?;
            let dotted = then.strip_prefix(b".").or(then.strip_prefix(b"%2E"))?;
            let from = bytes.len() - dotted.len();
            let body = word_at(from);
            // An encrypted one has five parts and an empty or short second.
            let signed = dotted.starts_with(b"eyJ") && body >= 10;
            let mut end = from + body;
            let mut dots = usize::from(then[0] == b'.');
            for _ in 0..3 {
                if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(|b| word(*b)) {
                    end += 1 + word_at(end + 1);
                    dots += 1;
                }
            }
            let encrypted = head >= 16 && dots == 4;
            (head >= 8 && (signed || encrypted)).then_some(hit.start..end)
        }
        ("slack" | "discord" | "webhook", _) => {
            let belongs =
                |b| word(b) || matches!(b, b'/' | b'@' | b'.' | b'?' | b'=' | b'&' | b'%');
            let n = run(rest, JUDGED, belongs);
            let least = if text[hit.clone()].contains("zapier") {
                12
            } else {
                20
            };
            let said = &text[hit.end..hit.end + n];
            // Examples in documentation repeat one letter in place of the secret.
            let mut long = said.split('/').filter(|p| p.len() >= 12).peekable();
            let example = long.peek().is_some() && long.all(is_masked);
            (n >= least && is_mixed(said) && !example)
                .then(|| hit.end..hit.end + run(rest, usize::MAX, belongs))
        }
        ("telegram", ":AA") => {
            let digits = back(&bytes[..hit.start], 12, |b| b.is_ascii_digit());
            let n = run(rest, 41, word);
            ((6..=12).contains(&digits) && (28..=40).contains(&n))
                .then(|| hit.start - digits..hit.end + n)
        }
        ("terraform", _) => {
            let n = word_at(hit.end);
            let before = back(&bytes[..hit.start], 20, |b| b.is_ascii_alphanumeric());
            (n >= 40 && before >= 10).then(|| hit.start - before..hit.end + n)
        }
        ("azure", "8Q~" | "7Q~") => {
            let before = back(&bytes[..hit.start], 3, |b| {
                word(b) || matches!(b, b'~' | b'.')
            });
            let n = run(rest, 37, |b| word(b) || matches!(b, b'~' | b'.'));
            (before == 3 && (30..=36).contains(&n)).then(|| hit.start - 3..hit.end + n)
        }
        ("azure-key", "JQQJ99") => {
            let before = back(&bytes[..hit.start], 60, |b| b.is_ascii_alphanumeric());
            let n = run(rest, 60, |b| b.is_ascii_alphanumeric());
            (before >= 40 && n >= 20).then(|| hit.start - before..hit.end + n)
        }
        ("mailchimp", "-us") => {
            let hex = back(&bytes[..hit.start], 40, |b| {
                b.is_ascii_digit() || (b'a'..=b'f').contains(&b)
            });
            let n = run(rest, 3, |b| b.is_ascii_digit());
            let free = !bytes.get(hit.end + n).is_some_and(|b| word(*b));
            (hex == 32 && (1..=2).contains(&n) && free).then(|| hit.start - 32..hit.end + n)
        }
        ("discord-bot", _) => {
            if !super::formats::begins(text, hit.start, true) {
                return None;
            }
            let head = run(rest, 30, |b| b.is_ascii_alphanumeric());
            let then = rest.get(head..)?.strip_prefix(b".")?;
            let middle = run(then, 8, word);
            let last = then.get(middle..)?.strip_prefix(b".")?;
            let n = run(last, 40, word);
            let solid = (19..=25).contains(&head) && middle == 6 && (27..=38).contains(&n);
            solid.then_some(hit.start..hit.end + head + 1 + middle + 1 + n)
        }
        ("private-key", _) => {
            // PuTTY: the number of lines is given.
            let line = text.as_bytes()[hit.end..]
                .iter()
                .take(40)
                .position(|b| *b == b'\n')?;
            let lines: usize = text[hit.end..hit.end + line]
                .trim()
                .parse()
                .ok()
                .filter(|n| *n < 200)?;
            let from = hit.end + line + 1;
            let judged = &text[from..seam::floor(text, (from + JUDGED).min(text.len()))];
            if is_masked(judged.trim_end()) || judged.contains("[redacted") {
                return None;
            }
            let most = seam::floor(text, (from + lines * LINE).min(text.len()));
            let n: usize = text[from..most]
                .split_inclusive('\n')
                .take(lines)
                .map(str::len)
                .sum();
            let said = text[from..from + n].trim_end();
            (!said.is_empty()).then_some(from..from + said.len())
        }
        _ => None,
    }
}
