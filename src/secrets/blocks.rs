//! Keys of many lines: PEM and PGP blocks, however they are quoted, indented, boxed or cut.

use nbmedic_text::steps::took;
use std::ops::Range;

/// Maximum length of a block without an end, in bytes.
const MOST: usize = 1 << 20;
/// Number of bytes that are searched for the lines of a block without a beginning.
const BACK: usize = 64 << 10;

fn is_private(label: &str) -> bool {
    label.contains("PRIVATE KEY") || label.contains("SECRET KEY") || label.contains("PGP MESSAGE")
}

/// Letters of a key's body.
fn is_body(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')
}

/// Whether a line can belong to a block: letters of the body with any quotation marks around them, or a header.
fn belongs(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !is_body(c));
    let line = line.strip_suffix("\\n").unwrap_or(line);
    let line = line.trim_matches(|c: char| !is_body(c));
    if line.is_empty() {
        return true;
    }
    let body = line.len() <= 400 && line.chars().all(|c| is_body(c) || matches!(c, '\\' | 'n'));
    let header = line.split_once(": ").is_some_and(|(name, _)| {
        matches!(
            name,
            "Proc-Type"
                | "DEK-Info"
                | "Version"
                | "Comment"
                | "Hash"
                | "MessageID"
                | "Charset"
                | "X-Key-ID"
        )
    });
    body && (line.len() >= 16 || line.ends_with('=') || line.bytes().any(|b| b.is_ascii_digit()))
        || header
}

/// The dashes before the next end or beginning of a block, in any case: the search for beginnings ignores case, and no
/// byte should be searched for two blocks.
fn boundary(rest: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let dashes = from + rest[from..].find("-----")?;
        let after = dashes + rest[dashes..].bytes().take_while(|b| *b == b'-').count();
        let then = &rest.as_bytes()[after..];
        let begins = then
            .get(..5)
            .is_some_and(|w| w.eq_ignore_ascii_case(b"BEGIN"));
        took(after - from);
        if begins || then.starts_with(b"END ") {
            return Some(after - 5);
        }
        from = after;
    }
}

/// The block that begins here.
pub fn begin(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let label = text[hit.end..].get(..60).unwrap_or(&text[hit.end..]);
    let label = &label[..label.find("---")?];
    if label.contains('\n') || !is_private(label) {
        return None;
    }
    let from = hit.end + label.len();
    let mut stop = (from + MOST).min(text.len());
    while !text.is_char_boundary(stop) {
        stop -= 1;
    }
    let rest = &text[from..stop];
    // To its end, unless another block begins first.
    let dashes = boundary(rest);
    if let Some(i) = dashes.filter(|i| rest[i + 5..].starts_with("END ")) {
        let then = &rest[i + 5..];
        let close = then.find("-----").filter(|n| *n < 60).map_or(4, |n| n + 5);
        return Some(hit.start..from + i + 5 + close);
    }
    let stop = dashes.map_or(stop, |i| from + i);
    let mut end = from;
    let mut at = from;
    for line in text[from..stop].split_inclusive('\n') {
        let first = at == from;
        let said = if first {
            line.trim_start_matches('-')
        } else {
            line
        };
        if !belongs(said) || said.contains("-----BEGIN") {
            // The rest of a repr's line.
            let n = said
                .chars()
                .take_while(|c| is_body(*c) || matches!(c, '\\' | '\n'))
                .map(char::len_utf8)
                .sum::<usize>();
            if first && n >= 16 {
                end = at + (line.len() - said.len()) + n;
            }
            break;
        }
        at += line.len();
        if said.chars().any(is_body) || first {
            end = at - (line.len() - line.trim_end().len());
        }
    }
    (end > from + 8).then_some(hit.start..end)
}

/// The block that ends here, if its beginning was cut off.
pub fn end(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let label = text[hit.end..].get(..60).unwrap_or(&text[hit.end..]);
    let label = &label[..label.find("---")?];
    if label.contains('\n') || !is_private(label) {
        return None;
    }
    // Not beyond the end or beginning of another block.
    let mut low = hit.start.saturating_sub(BACK);
    while !text.is_char_boundary(low) {
        low += 1;
    }
    let low = text[low..hit.start]
        .rfind("-----")
        .map_or(low, |i| low + i + 5);
    let mut from = hit.start;
    let own = text[low..hit.start]
        .rfind('\n')
        .map_or(low, |i| low + i + 1);
    let lead = &text[own..hit.start];
    // In a repr the block is one line.
    let run = lead
        .chars()
        .rev()
        .take_while(|c| is_body(*c) || *c == '\\')
        .map(char::len_utf8)
        .sum::<usize>();
    if run >= 16 {
        from = hit.start - run;
    }
    if run == lead.len() || lead.chars().all(|c| !c.is_alphanumeric()) {
        from = from.min(hit.start);
        let mut at = own;
        while at > low {
            let line = text[low..at - 1].rfind('\n').map_or(low, |i| low + i + 1);
            let said = &text[line..at];
            if !belongs(said)
                || said.contains("-----")
                || !said.chars().any(is_body)
                || !solid(said)
            {
                break;
            }
            from = line;
            at = line;
        }
    }
    (from < hit.start).then_some(from..hit.start)
}

/// Whether a line belongs to a body, rather than being a word that could be one.
fn solid(line: &str) -> bool {
    let body = line.trim_matches(|c: char| !is_body(c));
    body.len() >= 24
        || body.ends_with('=')
        || body.bytes().any(|b| b.is_ascii_digit()) && body.len() >= 4
}
