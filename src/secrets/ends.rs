//! Where a value ends that was given to a name.

use super::names::{Name, Sort};
use super::seam;

/// Where a quoted value ends: before its closing quote, or at the end of its line.
pub fn quoted_end(text: &str, from: usize, quote: &str, most: usize) -> usize {
    let stop = seam::floor(text, from.saturating_add(most).min(text.len()));
    let rest = &text[from..stop];
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

/// Without the border of a box at the end.
fn trimmed(text: &str, from: usize, end: usize) -> usize {
    let s = text[from..end]
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '┃' | '║' | '|' | '\\'));
    from + s.len()
}

/// Where a value without quotes ends.
pub fn bare_end(text: &str, from: usize, name: &Name, most: usize) -> usize {
    let bytes = text.as_bytes();
    let query = name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&');
    let encoded = text[name.end..from].contains("%3");
    let cookie = name.sort == Sort::Cookie;
    let mut end = from;
    for (i, c) in text[from..].char_indices() {
        let stop = match c {
            ' ' if cookie => false,
            ';' if cookie => text[..name.start].to_ascii_lowercase().ends_with("set-"),
            '"' | '\'' | '`' | '│' | '┃' | '<' => true,
            ',' => !cookie,
            ';' => true,
            '\\' => text[from + i + 1..].starts_with(['n', 't', 'r', '"', '\'', '\\', 'u']),
            '&' => {
                query
                    || encoded
                    || text[from + i + 1..]
                        .split(['=', '&', ' ', '\n'])
                        .next()
                        .is_some_and(|w| {
                            !w.is_empty() && text[from + i + 1 + w.len()..].starts_with('=')
                        })
            }
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
    let mut s = &text[from..end];
    loop {
        let open = |a: char, b: char| s.ends_with(b) && s.matches(a).count() < s.matches(b).count();
        let cut =
            s.ends_with(['.', ':', '>']) || open('(', ')') || open('[', ']') || open('{', '}');
        if !cut || s.len() <= 1 {
            break;
        }
        s = &s[..s.len() - 1];
    }
    from + s.len()
}
