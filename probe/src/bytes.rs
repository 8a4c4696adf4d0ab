//! Parsing plain text as bytes. No function fails.
//!
//! The probe's program must be small, and these functions have many callers, so none of them is
//! inlined.

/// Stands for a missing number where there is no room for an `Option`.
pub const NONE: u64 = u64::MAX;

/// The lines of `text`, without line ends.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&b| b == b'\n')
}

/// The words of `line`, separated by blanks, tabs and line ends.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&b| matches!(b, b' ' | b'\t' | b'\n'))
        .filter(|w| !w.is_empty())
}

/// The number that `text` begins with, after blanks. `None` if there are no digits, or too many.
#[inline(never)]
pub fn number(text: &[u8]) -> Option<u64> {
    let mut value: Option<u64> = None;
    for &b in text.trim_ascii_start() {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = Some(
            value
                .unwrap_or(0)
                .checked_mul(10)?
                .checked_add(u64::from(digit))?,
        );
    }
    value
}

/// Writes the words of `text` as numbers, as many as there is room for; [`NONE`] for a word that is
/// not a number. Returns how many there were.
#[inline(never)]
pub fn numbers(text: &[u8], into: &mut [u64]) -> usize {
    let mut count = 0;
    for (place, word) in into.iter_mut().zip(words(text)) {
        *place = number(word).unwrap_or(NONE);
        count += 1;
    }
    count
}

/// The decimal number that `text` begins with, in hundredths: two digits after the point, as the
/// system writes them (`12.34` is 1234).
#[inline(never)]
pub fn hundredths(text: &[u8]) -> Option<u64> {
    let whole = number(text)?.checked_mul(100)?;
    let part = after(text.get(..24).unwrap_or(text), b".")
        .and_then(|part| part.get(..2))
        .and_then(number);
    whole.checked_add(part.unwrap_or(0))
}

/// The text after the first `needle` in `text`.
#[inline(never)]
pub fn after<'a>(text: &'a [u8], needle: &[u8]) -> Option<&'a [u8]> {
    let at = find(text, needle)?;
    text.get(at + needle.len()..)
}

/// The position of the first `needle` in `text`.
pub fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return None;
    }
    text.windows(needle.len()).position(|w| w == needle)
}

/// The value of the line that begins with `key`, which includes the separator: `"MemTotal:"`.
#[inline(never)]
pub fn value(text: &[u8], key: &[u8]) -> Option<u64> {
    lines(text)
        .find_map(|line| line.strip_prefix(key))
        .and_then(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stop_where_digits_stop_and_never_wrap() {
        assert_eq!(number(b"  42 kB"), Some(42));
        assert_eq!(number(b"max"), None);
        assert_eq!(number(b""), None);
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number(b"18446744073709551616"), None);
    }

    #[test]
    fn hundredths_are_of_two_digits() {
        assert_eq!(hundredths(b"12.34 5"), Some(1234));
        assert_eq!(hundredths(b"0.05"), Some(5));
        assert_eq!(hundredths(b"7"), Some(700));
        assert_eq!(hundredths(b"7."), Some(700));
        assert_eq!(hundredths(b".5"), None);
        assert_eq!(hundredths(b"184467440737095517"), None);
    }

    #[test]
    fn the_value_is_that_of_the_line_with_just_this_key() {
        assert_eq!(value(b"oom_killer 9\noom_kill 3\n", b"oom_kill "), Some(3));
        assert_eq!(value(b"oom_kill x\n", b"oom_kill "), None);
        assert_eq!(after(b"a, pid=7,", b"pid="), Some(&b"7,"[..]));
        assert_eq!(after(b"a", b""), None);
    }
}
