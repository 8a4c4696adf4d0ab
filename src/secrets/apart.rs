//! Values that are separated from their name: in the next cell, pair, string or line.

use super::judge::{is_half, is_secret, Link};
use super::names::Name;
use super::value::{entropy, is_masked, is_mixed};
use std::ops::Range;

/// Number of bytes by which a value is judged.
const JUDGED: usize = 512;

/// The next string of an expression: `"…" + "…"`, `"…" -> "…"`, or a string in the line below.
pub fn next_string(text: &str, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mark = *bytes.get(end).filter(|b| matches!(b, b'"' | b'\''))?;
    let rest = &bytes[end + 1..];
    let gap = rest
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_whitespace() || matches!(b, b'+' | b'-' | b'>' | b'\\'))
        .count();
    let between = &text[end + 1..end + 1 + gap];
    let joined = matches!(between.trim(), "+" | "->" | "\\")
        || between.trim().is_empty() && between.contains('\n');
    let from = end + 1 + gap;
    (joined && bytes.get(from) == Some(&mark)).then_some(())?;
    let n = bytes[from + 1..]
        .iter()
        .take(JUDGED)
        .position(|b| *b == mark || *b == b'\n')?;
    let said = text.get(from + 1..from + 1 + n)?;
    let ends = bytes[from + 1 + n] == mark && !matches!(bytes.get(from + n + 2), Some(b':'));
    (ends && is_half(said)).then_some(from + 1..from + 1 + n)
}

/// The password after its user's name: `creds are ada / X`, `Credentials(ada,X)`.
pub fn after_user(text: &str, name: &Name) -> Option<Range<usize>> {
    let own = text[name.start..name.end].to_ascii_lowercase();
    own.contains("cred").then_some(())?;
    let end = super::seam::line_end(text, name.end, 120);
    let rest = &text[name.end..end];
    let lead = rest.trim_start_matches([' ', ':', '=', '(', '[']);
    let lead = ["are ", "is ", "for "]
        .iter()
        .find_map(|w| lead.strip_prefix(w))
        .unwrap_or(lead);
    let user = lead
        .bytes()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || b"._@-".contains(b));
    let then = &lead[user.count()..];
    let said = then.trim_start_matches([' ', '/', ',', ':', '|']);
    let between = then.len() - said.len();
    (between > 0 && then.len() < lead.len() && then[..between].trim().len() == 1).then_some(())?;
    let stop = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '"' | '\'' | ',' | ';');
    let said = &said[..said.find(stop).unwrap_or(said.len())];
    let from = end - then.len() + between;
    let n = said.len();
    (n >= 8 && is_half(said) && is_secret(text, said, name, Link::Option, false))
        .then_some(from..from + n)
}

/// A single word in the line below a name that ends its own line: the form of a page or a prompt.
pub fn underneath(text: &str, name: &Name) -> Option<Range<usize>> {
    let rest = &text[name.end..];
    let gap = |s: &str| {
        s.bytes()
            .take(80)
            .take_while(|b| b.is_ascii_whitespace() || matches!(b, b':' | b'*' | b'`' | b')'))
            .count()
    };
    let mut gap_end = gap(rest);
    let lines = |s: &str| s.bytes().filter(|b| *b == b'\n').count();
    if !(1..=2).contains(&lines(&rest[..gap_end])) {
        return None;
    }
    // A heading may be underlined.
    let rule = rest[gap_end..]
        .bytes()
        .take(80)
        .take_while(|b| matches!(b, b'-' | b'=' | b'~'));
    let rule = rule.count();
    if rule >= 3 && rest[gap_end + rule..].starts_with('\n') {
        gap_end += rule + gap(&rest[gap_end + rule..]);
    }
    // IPython's output prompt.
    if let Some(said) = rest[gap_end..].strip_prefix("Out[") {
        let n = said.bytes().take(6).take_while(u8::is_ascii_digit).count();
        if said[n..].starts_with("]: ") {
            gap_end += "Out[".len() + n + "]: ".len();
        }
    }
    // R's output prompt.
    if text[..name.start].ends_with('$') && rest[gap_end..].starts_with("[1] ") {
        gap_end += "[1] ".len();
    }
    let from = name.end + gap_end;
    let n = text[from..]
        .bytes()
        .take(JUDGED)
        .take_while(|b| !b.is_ascii_whitespace())
        .count();
    let said = text.get(from..from + n)?;
    let after = text[from + n..]
        .bytes()
        .take(40)
        .find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
    let trimmed = said.trim_end_matches(['`', '*', '"', '\'', '│', ' ']);
    let word = trimmed.trim_start_matches(['"', '\'']);
    let alone = after.is_none_or(|b| b == b'\n') && word.len() >= 8;
    let plain = !word.contains(['(', ')', '=', '[', ',', '/', ':', '"', '<', '{', '|']);
    let from = from + trimmed.len() - word.len();
    (alone && plain && is_secret(text, word, name, Link::Loose, false))
        .then_some(from..from + word.len())
}

/// The text of the next cell, past the tags between: `</td><td>`, `</dt>\n<dd><code>`.
pub fn cell(text: &str, from: usize) -> Option<usize> {
    let closes = text[from..].trim_start_matches([':', ' ']);
    if !closes.starts_with("</") {
        return None;
    }
    let (mut at, mut cells) = (text.len() - closes.len(), 0);
    loop {
        let rest = &text.as_bytes()[at..];
        let gap = rest.iter().take(60).take_while(|b| b.is_ascii_whitespace());
        at += gap.count();
        let rest = &text.as_bytes()[at..];
        if rest.first() != Some(&b'<') {
            return (cells == 1 && at - from <= 400).then_some(at);
        }
        let n = rest.iter().take(120).position(|b| *b == b'>')?;
        let tag = &rest[1..n];
        let opens = |t: &[u8]| tag.len() >= 2 && tag[..2].eq_ignore_ascii_case(t);
        cells += usize::from(opens(b"td") || opens(b"dd") || opens(b"th"));
        at += n + 1;
        if at - from > 400 {
            return None;
        }
    }
}

/// The length of a pair that describes the same name otherwise: `"Type": "SecureString", `.
pub fn other_pair(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let string = |from: usize| {
        let mark = *bytes.get(from).filter(|b| matches!(b, b'"' | b'\''))?;
        let n = bytes[from + 1..].iter().take(60).position(|b| *b == mark)?;
        Some((from + 1..from + 1 + n, from + n + 2))
    };
    let gap = |from: usize| {
        let rest = bytes.get(from..).unwrap_or(&[]);
        from + rest
            .iter()
            .take(24)
            .take_while(|b| b.is_ascii_whitespace())
            .count()
    };
    let (key, at) = string(0)?;
    let key = rest.get(key)?.to_ascii_lowercase();
    if key.starts_with("val") || key.ends_with("value") {
        return None;
    }
    let at = gap(at);
    let at = gap((bytes.get(at) == Some(&b':')).then_some(at + 1)?);
    let at = match string(at) {
        Some((_, at)) => at,
        None => {
            at + bytes[at..]
                .iter()
                .take(12)
                .take_while(|b| b.is_ascii_alphanumeric())
                .count()
        }
    };
    let at = gap(at);
    Some(gap((bytes.get(at) == Some(&b',')).then_some(at + 1)?))
}

/// The rest of a value on the next line.
pub fn continued(text: &str, end: usize, first: &Range<usize>) -> Option<Range<usize>> {
    let from = super::seam::after(text, end)?;
    let belongs = |b: &&u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-'
                    | b'+'
                    | b'/'
                    | b'='
                    | b'.'
                    | b'~'
                    | b'%'
                    | b'!'
                    | b'$'
                    | b'&'
                    | b'#'
                    | b'*'
            )
    };
    let n = text.as_bytes()[from..]
        .iter()
        .take(400)
        .take_while(belongs)
        .count();
    let said = text[from..from + n].trim_end_matches(['.', '=']);
    let n = said.len();
    let whole = text[from..from + n].ends_with(said);
    let certain = n >= 6 && is_mixed(said) && !is_masked(said) && entropy(said) >= 2.5;
    let then = text[from + n..].chars().next();
    let ends = then.is_none_or(|c| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '\\' | '│' | '|' | '`' | ',' | ')' | '.' | '='
            )
    });
    // `name=value` is a separate setting; a path or number is no half of a token.
    let other = said.contains('=') && !said.ends_with('=')
        || said.contains(['/']) && said.contains('.')
        || said.starts_with(['-', '/'])
        || said.contains("..");
    let long = first.len() >= 10;
    let dated = said
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'/'))
        || said.bytes().filter(u8::is_ascii_alphabetic).count() < 3;
    (whole && certain && ends && !other && long && !dated).then_some(from..from + n)
}
