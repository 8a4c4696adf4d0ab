//! Where a line ends in the middle of a value: the blanks and borders of boxes between its halves.

use nbmedic_text::steps::took;

/// The last boundary of a character at or before a byte.
pub fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where the next line's own text begins, if nothing but blanks and a border is left of this one.
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

/// Where the line of a byte begins; of a long line only so many bytes are looked at.
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

/// Where the line of a byte ends, likewise.
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
