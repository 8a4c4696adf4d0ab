//! The ends of values.

use super::names::{Name, Sort};
use super::seam;
use nbmedic_text::steps::took;

/// The end of a quoted value: before its closing quote, or at the end of its line.
pub fn quoted_end(text: &str, from: usize, quote: &str, most: usize) -> usize {
    let stop = seam::floor(text, from.saturating_add(most).min(text.len()));
    let rest = &text[from..stop];
    let end = quoted(text, from, stop, rest, quote);
    took(end - from);
    end
}

fn quoted(text: &str, from: usize, stop: usize, rest: &str, quote: &str) -> usize {
    let many = quote.ends_with("\"\"\"") || quote.ends_with("'''");
    let mark = match quote {
        "“" => "”",
        "‘" => "’",
        q => q.trim_start_matches('\\'),
    };
    let slashes = quote.len() - quote.trim_start_matches('\\').len();
    let mut at = 0;
    while let Some(i) = rest[at..].find([mark.chars().next().unwrap_or('"'), '\n']) {
        let here = at + i;
        if rest[here..].starts_with('\n') && !many {
            return trimmed(text, from, from + here);
        }
        let escapes = rest[..here]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count();
        let width = rest[here..].chars().next().map_or(1, char::len_utf8);
        if rest[here..]
            .get(..mark.len())
            .is_some_and(|r| r.eq_ignore_ascii_case(mark))
            && escapes <= slashes
        {
            return from + here - escapes;
        }
        at = here + width;
    }
    trimmed(text, from, stop)
}

/// Removes the border of a box at the end.
fn trimmed(text: &str, from: usize, end: usize) -> usize {
    let s = text[from..end]
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '┃' | '║' | '|' | '\\'));
    from + s.len()
}

/// The end of a value without quotes.
pub fn bare_end(text: &str, from: usize, name: &Name, most: usize) -> usize {
    let bytes = text.as_bytes();
    let query = name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&');
    let encoded = text[name.end..from].contains("%3");
    let cookie = name.sort == Sort::Cookie;
    let before = &bytes[name.start.saturating_sub(4)..name.start];
    let sets = cookie && before.eq_ignore_ascii_case(b"set-");
    let mut end = from;
    for (i, c) in text[from..].char_indices() {
        let stop = match c {
            ' ' if cookie => false,
            ';' if cookie => sets,
            '"' | '\'' | '`' | '│' | '┃' | '<' => true,
            ',' => !cookie,
            ';' => true,
            '\\' => text[from + i + 1..].starts_with(['n', 't', 'r', '"', '\'', '\\', 'u']),
            '&' => query || encoded || is_key(&bytes[from + i + 1..]),
            '%' => {
                encoded
                    && ["%26", "%22", "%7D", "%2C"]
                        .iter()
                        .any(|e| text[from + i..].starts_with(e))
            }
            '#' => query,
            c => c.is_whitespace(),
        };
        if stop || i >= most {
            break;
        }
        end = from + i + c.len_utf8();
    }
    let said = &bytes[from..end];
    let mut n = said.len();
    took(2 * n);
    // For each kind of bracket, how many more close than open.
    let mut more = [0_i64; 3];
    for (b, pair) in said.iter().filter_map(|b| Some((b, bracket(*b)?))) {
        more[pair] += if b"([{".contains(b) { -1 } else { 1 };
    }
    while n > 1 {
        match said[n - 1] {
            b'.' | b':' | b'>' => {}
            b @ (b')' | b']' | b'}') => match bracket(b).map(|pair| &mut more[pair]) {
                Some(more) if *more > 0 => *more -= 1,
                _ => break,
            },
            _ => break,
        }
        n -= 1;
    }
    from + n
}

/// The kind of bracket that a byte is.
fn bracket(b: u8) -> Option<usize> {
    [b"()", b"[]", b"{}"].iter().position(|p| p.contains(&b))
}

/// Whether a key and its sign follow: the next pair of a query.
fn is_key(rest: &[u8]) -> bool {
    const LONGEST: usize = 128;
    let ends = |b: &u8| matches!(b, b'=' | b'&' | b' ' | b'\n');
    let n = rest.iter().take(LONGEST).position(ends);
    n.is_some_and(|n| n > 0 && rest[n] == b'=')
}
