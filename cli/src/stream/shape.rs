//! What lines have in common that differ in numbers only.

use std::hash::Hasher;

/// Words before a number that tells failures apart.
const TELLING: &[&[u8]] = &[
    b"code", b"status", b"signal", b"Errno", b"errno", b"error", b"exit", b"Xid", b"HTTP",
];

/// A checksum of a line without its numbers, times and identifiers.
pub fn shape(line: &str) -> u64 {
    let mut sum = std::collections::hash_map::DefaultHasher::new();
    let bytes = line.trim_end().as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let (mut at, mut telling) = (0, false);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let n = rest.iter().position(|b| !word(*b)).unwrap_or(rest.len());
        if n == 0 {
            let n = rest.iter().position(|b| word(*b)).unwrap_or(rest.len());
            sum.write(&rest[..n]);
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
        if telling || named || digits == 0 {
            sum.write(part);
        } else {
            sum.write_u8(b'#');
        }
        telling = TELLING.contains(&part);
        at += n;
    }
    sum.finish()
}

/// A checksum of a set of shapes.
pub fn together(shapes: &mut Vec<u64>) -> u64 {
    shapes.sort_unstable();
    shapes.dedup();
    let mut sum = std::collections::hash_map::DefaultHasher::new();
    for s in shapes {
        sum.write_u64(*s);
    }
    sum.finish()
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
