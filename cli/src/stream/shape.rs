//! What lines have in common that differ in numbers only.

/// Words before a number that tells failures apart.
const TELLING: &[&[u8]] = &[
    b"code", b"status", b"signal", b"Errno", b"errno", b"error", b"exit", b"Xid", b"HTTP",
];

/// Adds bytes to a checksum.
fn mix(mut sum: u64, bytes: &[u8]) -> u64 {
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sum = mix_word(sum, u64::from_le_bytes(word) ^ (part.len() as u64) << 60);
    }
    sum
}

fn mix_word(sum: u64, word: u64) -> u64 {
    let x = (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 32
}

fn in_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// A checksum of a line without its numbers, times and identifiers.
pub fn shape(line: &str) -> u64 {
    let bytes = line.trim_end().as_bytes();
    let mut sum = 0;
    let (mut at, mut telling) = (0, false);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let n = rest.iter().position(|b| !in_word(*b)).unwrap_or(rest.len());
        if n == 0 {
            let n = rest.iter().position(|b| in_word(*b)).unwrap_or(rest.len());
            sum = mix(sum, &rest[..n]);
            at += n;
            continue;
        }
        let part = &rest[..n];
        let digits = part.iter().filter(|b| b.is_ascii_digit()).count();
        // A short name between quotes.
        let quoted = matches!(
            at.checked_sub(1).and_then(|i| bytes.get(i)),
            Some(b'\'' | b'"')
        );
        let named = quoted && digits <= 2 && !part[0].is_ascii_digit();
        let kept = if telling || named || digits == 0 {
            part
        } else {
            b"#"
        };
        sum = mix(sum, kept);
        telling = TELLING.contains(&part);
        at += n;
    }
    sum
}

/// A checksum of a set of shapes.
pub fn together(shapes: &mut Vec<u64>) -> u64 {
    shapes.sort_unstable();
    shapes.dedup();
    shapes.iter().fold(0, |sum, s| mix_word(sum, *s))
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn numbers_make_no_difference_unless_they_tell_failures_apart() {
        let same = |a, b| shape(a) == shape(b);
        assert!(same(
            "Tried 2.00 GiB at 0x7f01",
            "Tried 512.13 GiB at 0xab2\r"
        ));
        assert!(!same("exit code 137", "exit code 1"));
        assert!(!same("[Errno 28] full", "[Errno 2] full"));
        assert!(!same("no module a", "no module b"));
        assert!(!same("no module 'sm1'", "no module 'sm2'"));
        assert!(same("no file 'img_0012.png'", "no file 'img_0971.png'"));
    }
}
