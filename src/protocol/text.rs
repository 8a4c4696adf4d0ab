//! Cutting texts to a length.

/// Keeps the first bytes, cut at a character.
pub fn clip_end(text: &mut String, max: usize) {
    if text.len() > max {
        let mut at = max;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
    }
}

/// Keeps the last bytes, cut at a character. Returns how many newlines were cut off.
pub fn clip_start(text: &mut String, max: usize) -> u64 {
    if text.len() <= max {
        return 0;
    }
    let mut at = text.len() - max;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let lost = text[..at].bytes().filter(|b| *b == b'\n').count() as u64;
    text.replace_range(..at, "");
    lost
}
