//! Bytes to text, whatever the cuts between the blocks.

/// First bytes of files that are no text.
const MAGIC: &[&[u8]] = &[
    b"PK\x03\x04",
    b"\x89PNG",
    b"\x7fELF",
    b"%PDF-",
    b"\x28\xb5\x2f\xfd",
    b"\xfd7zXZ",
    b"BZh9",
    b"\x89HDF",
    b"\x93NUMPY",
    b"GIF8",
    b"\xff\xd8\xff",
    b"7z\xbc\xaf",
];

/// How a text is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// UTF-16; the flag is true if the high byte comes first.
    Utf16(bool),
    /// UTF-32, in the same way. Only with a mark: Windows and Java write it with one.
    Utf32(bool),
}

/// The encoding of a text by its first bytes; `None` if it is no text.
pub fn encoding(first: &[u8]) -> Option<Encoding> {
    match first {
        [0xff, 0xfe, 0, 0, ..] => return Some(Encoding::Utf32(false)),
        [0, 0, 0xfe, 0xff, ..] => return Some(Encoding::Utf32(true)),
        [0xff, 0xfe, ..] => return Some(Encoding::Utf16(false)),
        [0xfe, 0xff, ..] => return Some(Encoding::Utf16(true)),
        _ => {}
    }
    if MAGIC.iter().any(|m| first.starts_with(m)) {
        return None;
    }
    // UTF-16 without a mark: text of any script has ASCII (blanks, newlines) on one side only.
    let zeros = |from: usize| first.iter().skip(from).step_by(2).filter(|b| **b == 0);
    let (even, odd) = (zeros(0).count(), zeros(1).count());
    let half = first.len() / 2;
    if first.len() >= 16 && even.max(odd) * 2 > half && even.min(odd) * 20 < half {
        return Some(Encoding::Utf16(even > odd));
    }
    // What a log that was cut at its beginning has there is no reason to refuse it.
    let start = first.iter().position(|b| *b != 0).unwrap_or(first.len());
    let rest = &first[start..];
    if rest.is_empty() && !first.is_empty() {
        return None;
    }
    let odd = |b: &&u8| {
        matches!(b, 0..=6 | 0x0e..=0x1a | 0x1c..=0x1f) // All but what a terminal moves the cursor with, or ends a mark with.
    };
    let bad = rest.iter().filter(odd).count();
    (bad * 20 <= rest.len()).then_some(Encoding::Utf8)
}

/// Decodes blocks. A byte that fits nothing becomes U+FFFD.
pub struct Decoder {
    encoding: Encoding,
    /// The beginning of a character that a block cut.
    left: Vec<u8>,
    started: bool,
}

impl Decoder {
    pub fn new(encoding: Encoding) -> Decoder {
        Decoder {
            encoding,
            left: Vec::new(),
            started: false,
        }
    }

    /// Decodes the next block.
    pub fn push(&mut self, block: &[u8], out: &mut String) {
        let joined;
        let bytes = if self.left.is_empty() {
            block
        } else {
            let mut all = std::mem::take(&mut self.left);
            all.extend_from_slice(block);
            joined = all;
            &joined
        };
        let from = out.len();
        match self.encoding {
            Encoding::Utf8 => self.utf8(bytes, out),
            Encoding::Utf16(big) => self.utf16(bytes, big, out),
            Encoding::Utf32(big) => self.utf32(bytes, big, out),
        }
        if !self.started && out.len() > from {
            self.started = true;
            if out[from..].starts_with('\u{feff}') {
                out.replace_range(from..from + '\u{feff}'.len_utf8(), "");
            }
        }
    }

    fn utf8(&mut self, mut bytes: &[u8], out: &mut String) {
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => return out.push_str(text),
                Err(e) => {
                    let (good, rest) = bytes.split_at(e.valid_up_to());
                    out.push_str(std::str::from_utf8(good).unwrap_or_default());
                    let Some(n) = e.error_len() else {
                        self.left = rest.to_vec();
                        return;
                    };
                    out.push('\u{fffd}');
                    bytes = &rest[n..];
                }
            }
        }
    }

    fn utf16(&mut self, bytes: &[u8], big: bool, out: &mut String) {
        let unit = |two: &[u8]| match big {
            true => u16::from_be_bytes([two[0], two[1]]),
            false => u16::from_le_bytes([two[0], two[1]]),
        };
        let mut end = bytes.len() / 2 * 2;
        // The first half of a pair waits for the second.
        if end >= 2 && (0xd800..0xdc00).contains(&unit(&bytes[end - 2..end])) {
            end -= 2;
        }
        let units = bytes[..end].chunks_exact(2).map(unit);
        out.extend(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')));
        self.left = bytes[end..].to_vec();
    }

    fn utf32(&mut self, bytes: &[u8], big: bool, out: &mut String) {
        let units = bytes.chunks_exact(4);
        self.left = units.remainder().to_vec();
        out.extend(units.map(|four| {
            let four = [four[0], four[1], four[2], four[3]];
            let unit = match big {
                true => u32::from_be_bytes(four),
                false => u32::from_le_bytes(four),
            };
            char::from_u32(unit).unwrap_or('\u{fffd}')
        }));
    }

    /// Ends the text.
    pub fn finish(&mut self, out: &mut String) {
        if !std::mem::take(&mut self.left).is_empty() {
            out.push('\u{fffd}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], cut: usize) -> Option<String> {
        let mut decoder = Decoder::new(encoding(bytes)?);
        let mut out = String::new();
        for block in bytes.chunks(cut) {
            decoder.push(block, &mut out);
        }
        decoder.finish(&mut out);
        Some(out)
    }

    #[test]
    fn any_cuts_give_the_same_text() {
        let text = "KeyError: 'naïve 内存 😀'\nend\n";
        let wide = |big: bool, mark: bool| -> Vec<u8> {
            let units = mark
                .then_some(0xfeff)
                .into_iter()
                .chain(text.encode_utf16());
            let two = |u: u16| {
                if big {
                    u.to_be_bytes()
                } else {
                    u.to_le_bytes()
                }
            };
            units.flat_map(two).collect()
        };
        let widest = |big: bool| -> Vec<u8> {
            let four = |c: char| match big {
                true => u32::from(c).to_be_bytes(),
                false => u32::from(c).to_le_bytes(),
            };
            format!("\u{feff}{text}").chars().flat_map(four).collect()
        };
        let marked = format!("\u{feff}{text}").into_bytes();
        let all = [
            text.as_bytes().to_vec(),
            marked,
            wide(true, true),
            wide(false, true),
            wide(true, false),
            wide(false, false),
            widest(true),
            widest(false),
        ];
        for bytes in all {
            for cut in [1, 2, 3, 5, 1000] {
                assert_eq!(
                    decoded(&bytes, cut).as_deref(),
                    Some(text),
                    "{cut} {bytes:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_utf8_is_replaced_and_what_is_no_text_is_refused() {
        assert_eq!(
            decoded(b"caf\xe9 \xff\xc3", 3).as_deref(),
            Some("caf\u{fffd} \u{fffd}\u{fffd}")
        );
        assert_eq!(decoded(b"", 1).as_deref(), Some(""));
        assert!(decoded(&[0; 100], 10).is_none(), "nothing but zeros");
        assert!(decoded(b"PK\x03\x04rest", 10).is_none());
        let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
        assert!(decoded(&noise, 100).is_none());
        // A shell's marks end with a bell.
        let marks = b"\x1b]133;A\x07$ \x1b]133;B\x07".repeat(50);
        assert!(decoded(&marks, 100).is_some());
        // A log cut at its beginning while its writer went on.
        let cut = [&[0; 4000][..], b"Killed\n"].concat();
        assert!(decoded(&cut, 100).is_some_and(|t| t.ends_with("Killed\n")));
    }
}
