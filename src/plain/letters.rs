//! Letters that stand for others: no-break spaces, curly quotes, HTML's entities and tags, colours without their
//! escape character.

use nbmedic_text::{Document, Remake};
use std::ops::Range;

/// How much of the text decides, in bytes at each end.
const LOOKED_AT: usize = 32 << 10;

/// A kind of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Space,
    Nothing,
    Quote,
    Entity,
    Tag,
    Colour,
}

const KINDS: usize = 6;
/// Fewer than these of a kind are part of the text. A mark of byte order needs no other, and neither does a tag.
const LEAST: [usize; KINDS] = [3, 1, 2, 2, 1, 2];

/// Letters, and what they stand for.
struct Edit {
    kind: Kind,
    at: Range<usize>,
    with: &'static str,
}

/// The text with plain letters.
pub(super) fn plain(doc: &Document) -> Option<Document> {
    let text = doc.text();
    let mut seen = [0; KINDS];
    for part in ends(text) {
        each(part, |e| seen[e.kind as usize] += 1);
    }
    let worn = |kind: Kind| seen[kind as usize] >= LEAST[kind as usize];
    if !(0..KINDS).any(|k| seen[k] >= LEAST[k]) {
        return None;
    }
    let mut out = Remake::new(doc);
    let mut from = 0;
    each(text, |e| {
        if !worn(e.kind) {
            return;
        }
        out.keep(from..e.at.start);
        match e.with {
            "\n" => out.end(e.at.start),
            with => {
                if !with.is_empty() {
                    out.put(with, e.at.start);
                }
            }
        }
        from = e.at.end;
    });
    out.keep(from..text.len());
    Some(out.finish())
}

/// The beginning and the end of a text.
fn ends(text: &str) -> Vec<&str> {
    if text.len() <= 2 * LOOKED_AT {
        return vec![text];
    }
    let floor = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    vec![
        &text[..floor(LOOKED_AT)],
        &text[floor(text.len() - LOOKED_AT)..],
    ]
}

/// Whether letters that stand for others can begin with a byte.
fn begins(b: u8) -> bool {
    // Without branches, for blocks of bytes.
    (b == b'&') | (b == b'<') | (b == b'[') | (b == b'^') | (b == b'\\') | (b == 0x1b) | (b >= 0x80)
}

/// Calls `found` for all such letters, in order.
fn each(text: &str, mut found: impl FnMut(Edit)) {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        // Whole blocks first: this has no early exit, so it becomes vector code.
        if let Some(block) = bytes.get(i..i + 32) {
            if !block.iter().fold(false, |any, b| any | begins(*b)) {
                i += 32;
                continue;
            }
        }
        let Some(n) = bytes[i..].iter().position(|b| begins(*b)) else {
            return;
        };
        i += n;
        let next = bytes.get(i + 1).copied().unwrap_or(0);
        let can = match bytes[i] {
            b'&' => next == b'#' || next.is_ascii_lowercase(),
            b'<' => next == b'/' || next.is_ascii_lowercase(),
            b'[' => next.is_ascii_digit(),
            b'^' => next == b'[',
            b'\\' => matches!(next, b'x' | b'0' | b'e' | b'u'),
            0x1b | 0xc2 | 0xe2 | 0xef => true,
            _ => false,
        };
        if !can {
            i += 1;
            continue;
        }
        let rest = &text[i..];
        let hit = match bytes[i] {
            b'&' => entity(rest),
            b'<' => tag(rest),
            b'[' | b'^' | b'\\' | 0x1b => colour(rest).map(|n| (Kind::Colour, n, "")),
            _ => letter(rest),
        };
        match hit {
            Some((kind, n, with)) => {
                let at = i..i + n;
                found(Edit { kind, at, with });
                i += n;
            }
            None => i += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
}

fn letter(rest: &str) -> Option<(Kind, usize, &'static str)> {
    let c = rest.chars().next()?;
    let (kind, with) = match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => (Kind::Space, " "),
        '\u{200b}' | '\u{2060}' | '\u{feff}' => (Kind::Nothing, ""),
        '‘' | '’' => (Kind::Quote, "'"),
        '“' | '”' => (Kind::Quote, "\""),
        _ => return None,
    };
    Some((kind, c.len_utf8(), with))
}

fn entity(rest: &str) -> Option<(Kind, usize, &'static str)> {
    const NAMES: &[(&str, &str)] = &[
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#x22;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        ("&#160;", " "),
        ("&#xa0;", " "),
        ("&#x60;", "`"),
        ("&#96;", "`"),
        ("&#x3D;", "="),
        ("&#61;", "="),
        ("&#x2F;", "/"),
        ("&#47;", "/"),
        ("&#10;", "\n"),
        ("&#xa;", "\n"),
    ];
    let (name, with) = NAMES.iter().find(|(name, _)| rest.starts_with(name))?;
    Some((Kind::Entity, name.len(), with))
}

/// Tags of what shows an output in a page. `<module>` and `<lambda>` are Python's.
fn tag(rest: &str) -> Option<(Kind, usize, &'static str)> {
    const NAMES: &[(&str, &str)] = &[
        ("br", "\n"),
        ("p", "\n"),
        ("div", "\n"),
        ("pre", "\n"),
        ("li", "\n"),
        ("span", ""),
        ("code", ""),
        ("font", ""),
        ("b", ""),
        ("strong", ""),
    ];
    let inner = rest.strip_prefix('<')?;
    let closes = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let n = inner
        .bytes()
        .take(8)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let (name, with) = NAMES.iter().find(|(name, _)| *name == &inner[..n])?;
    let after = &inner[n..];
    let mut end = after.len().min(200);
    while !after.is_char_boundary(end) {
        end -= 1;
    }
    let close = after[..end]
        .find(['>', '<', '\n'])
        .filter(|&i| after[i..].starts_with('>'))?;
    let attributes = &after[..close];
    if !(attributes.is_empty() || attributes.starts_with([' ', '/'])) {
        return None;
    }
    // A paragraph's end breaks the line; what opens it doesn't.
    let with = if closes || *name == "br" { with } else { &"" };
    Some((Kind::Tag, rest.len() - after.len() + close + 1, with))
}

/// `[0;31m`, perhaps behind what stands for the escape character.
fn colour(rest: &str) -> Option<usize> {
    const ESCAPES: &[&str] = &[
        "\u{1b}", "^[", "\\x1b", "\\x1B", "\\033", "\\e", "\\u001b", "\\u001B",
    ];
    let escape = ESCAPES
        .iter()
        .find(|e| rest.starts_with(*e))
        .map_or(0, |e| e.len());
    let codes = rest[escape..].strip_prefix('[')?;
    let n = codes
        .bytes()
        .take(24)
        .take_while(|b| b.is_ascii_digit() || *b == b';')
        .count();
    let ends = codes.as_bytes().get(n) == Some(&b'm');
    if escape > 0 {
        let letter = codes.as_bytes().get(n).is_some_and(u8::is_ascii_alphabetic);
        return letter.then_some(escape + n + 2);
    }
    // `[5m]` is a time.
    let known = |code: &str| {
        matches!(
            code.parse(),
            Ok(0..=4 | 7 | 22..=24 | 27 | 30..=49 | 90..=107 | 256u16)
        ) || code == "00"
            || code == "01"
    };
    let mut parts = codes[..n].split(';');
    let lengthy = codes[..n].starts_with("38;") || codes[..n].starts_with("48;");
    (ends && n > 0 && codes.as_bytes().get(n + 1) != Some(&b']') && (lengthy || parts.all(known)))
        .then_some(n + 2)
}
