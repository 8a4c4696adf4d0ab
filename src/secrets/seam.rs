//! Line ends in the middle of a value: the blanks and box borders between its halves.

use nbmedic_text::steps::took;

/// The last character boundary at or before a byte.
pub fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The start of the next line's text, if only blanks and a border are left on this line.
pub fn after(text: &str, end: usize) -> Option<usize> {
    let border = |c: char| matches!(c, '│' | '┃' | '║' | '|' | '╎' | '┆');
    let blank = |c: char| c == ' ' || c == '\t' || c == '\u{a0}';
    let mut at = end;
    let mut crossed = 0;
    for c in text[end..].chars().take(160) {
        if c == '\n' {
            if crossed == 1 {
                return None;
            }
            crossed += 1;
        } else if !(blank(c) || border(c) || c == '\r' || c == '\\') {
            break;
        }
        at += c.len_utf8();
    }
    (crossed == 1 && at < text.len()).then_some(at)
}

/// The start of a byte's line; the search is limited to a number of bytes.
pub fn line_start(text: &str, at: usize, most: usize) -> usize {
    let low = at.saturating_sub(most);
    let newline = text.as_bytes()[low..at].iter().rposition(|b| *b == b'\n');
    let mut from = newline.map_or(low, |i| low + i + 1);
    took(at - from);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    from
}

/// The end of a byte's line, with the same limit.
pub fn line_end(text: &str, at: usize, most: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let newline = rest.iter().take(most).position(|b| *b == b'\n');
    let mut end = at + newline.unwrap_or(rest.len().min(most));
    took(end - at);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
