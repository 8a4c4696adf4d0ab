//! Where a line ends in the middle of a value: the blanks and borders of boxes between its halves.

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
