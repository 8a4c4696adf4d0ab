//! Reads the record's JSON: a line's fields one after the other, without building a tree.
//!
//! Values are cut out by counting brackets, without recursion; their content is parsed only on
//! request. The parser accepts some texts that are not JSON, and never reads beyond its input.

use alloc::string::String;

/// A value, as the text of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value<'a>(&'a [u8]);

/// The fields of an object, in order. Ends at the first error.
pub(crate) struct Fields<'a>(&'a [u8]);

/// The elements of an array.
pub(crate) struct Items<'a>(&'a [u8]);

/// The fields of the object `text`; none if it is not an object.
pub(crate) fn fields(text: &[u8]) -> Fields<'_> {
    Fields(text.trim_ascii().strip_prefix(b"{").unwrap_or(b""))
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a [u8], Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = cut(self.0)?;
        let name = name.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let (value, rest) = cut(rest.trim_ascii_start().strip_prefix(b":")?)?;
        self.0 = rest.trim_ascii_start().strip_prefix(b",").unwrap_or(b"");
        Some((name, Value(value)))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (value, rest) = cut(self.0)?;
        self.0 = rest.trim_ascii_start().strip_prefix(b",").unwrap_or(b"");
        Some(Value(value))
    }
}

/// The value that `text` begins with, and the text after it.
fn cut(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (i, &byte) in text.iter().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            if !in_string && depth == 0 {
                return text.split_at_checked(i + 1);
            }
            continue;
        }
        match byte {
            b'"' if i == 0 || depth > 0 => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return text.split_at_checked(i + 1);
                }
            }
            // The end of a number or word.
            b',' | b']' | b'}' | b':' | b'"' | b' ' | b'\t' if depth == 0 => {
                return if i == 0 {
                    None
                } else {
                    text.split_at_checked(i)
                };
            }
            _ => {}
        }
    }
    (!text.is_empty() && depth == 0 && !in_string).then_some((text, b""))
}

impl<'a> Value<'a> {
    /// The value as an integer.
    pub(crate) fn number(self) -> Option<u64> {
        if !self.0.iter().all(u8::is_ascii_digit) {
            return None;
        }
        crate::bytes::number(self.0)
    }

    /// Whether it is `true`, or a number other than 0.
    pub(crate) fn is_true(self) -> bool {
        self.0 == b"true" || self.number().is_some_and(|n| n != 0)
    }

    /// Its elements; none if it is not an array.
    pub(crate) fn items(self) -> Items<'a> {
        Items(self.0.strip_prefix(b"[").unwrap_or(b""))
    }

    /// Its fields; none if it is not an object.
    pub(crate) fn fields(self) -> Fields<'a> {
        fields(self.0)
    }

    /// Whether it is the string `text`.
    pub(crate) fn is(self, text: &str) -> bool {
        self.0
            .strip_prefix(b"\"")
            .and_then(|r| r.strip_suffix(b"\""))
            == Some(text.as_bytes())
    }

    /// The value as a string of at most `max` bytes. Escapes that are not characters become `�`.
    pub(crate) fn text(self, max: usize) -> Option<String> {
        let raw = self.0.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let mut out = String::new();
        let mut rest = raw;
        while let Some((&first, tail)) = rest.split_first() {
            if out.len() >= max {
                break;
            }
            rest = tail;
            if first == b'\\' {
                let Some((&kind, tail)) = rest.split_first() else {
                    break;
                };
                rest = tail;
                match kind {
                    b'n' | b'r' | b't' | b'b' | b'f' => out.push(' '),
                    b'u' => {
                        let (code, tail) = unit(rest);
                        rest = tail;
                        out.push(match code {
                            Some(high @ 0xd800..=0xdbff) => {
                                match rest.strip_prefix(b"\\u").map(unit) {
                                    Some((Some(low @ 0xdc00..=0xdfff), tail)) => {
                                        rest = tail;
                                        char::from_u32(
                                            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                                        )
                                        .unwrap_or('\u{fffd}')
                                    }
                                    _ => '\u{fffd}',
                                }
                            }
                            Some(code) => char::from_u32(code).unwrap_or('\u{fffd}'),
                            None => '\u{fffd}',
                        });
                    }
                    other => out.push(char::from(other)),
                }
                continue;
            }
            // Copies up to the next escape in one piece.
            let end = rest.iter().position(|&b| b == b'\\').unwrap_or(rest.len());
            let at = raw.len() - rest.len() - 1;
            let room = (max - out.len()).min(end + 1);
            out.push_str(&String::from_utf8_lossy(raw.get(at..at + room)?));
            rest = rest.get(end..)?;
        }
        while out.len() > max || out.ends_with('\u{fffd}') && out.len() + 3 > max {
            out.pop();
        }
        Some(out)
    }
}

/// Four hexadecimal digits, and the text after them.
fn unit(text: &[u8]) -> (Option<u32>, &[u8]) {
    let Some((digits, rest)) = text.split_at_checked(4) else {
        return (None, text);
    };
    let code = core::str::from_utf8(digits)
        .ok()
        .and_then(|d| u32::from_str_radix(d, 16).ok());
    (code, if code.is_some() { rest } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn names(text: &str) -> Vec<&str> {
        fields(text.as_bytes())
            .map(|(name, _)| core::str::from_utf8(name).unwrap())
            .collect()
    }

    #[test]
    fn fields_come_in_order_whatever_lies_inside() {
        let text = r#" { "a" : [1, {"x": "]}"}, 2] , "b":{"c":[]}, "d":"q\"}", "e":-5,"f":null } "#;
        assert_eq!(names(text), ["a", "b", "d", "e", "f"]);
        let values: Vec<_> = fields(text.as_bytes()).map(|(_, v)| v).collect();
        assert_eq!(values[0].items().count(), 3);
        assert_eq!(values[0].items().next().unwrap().number(), Some(1));
        assert_eq!(values[1].fields().count(), 1);
        assert_eq!(values[2].text(99).unwrap(), "q\"}");
        assert_eq!(values[3].number(), None, "negative");
        assert!(!values[4].is_true());
    }

    #[test]
    fn broken_text_ends_the_fields() {
        for text in [
            "",
            "{",
            "[]",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":[1",
            "{\"a\":\"x",
            "{a:1}",
            "null",
        ] {
            assert_eq!(fields(text.as_bytes()).count(), 0, "{text}");
        }
        assert_eq!(names("{\"a\":1,\"b\":["), ["a"]);
    }

    #[test]
    fn strings_are_decoded_and_bounded() {
        let text = |raw: &str, max| Value(raw.as_bytes()).text(max);
        assert_eq!(text(r#""a\u00e9\ud83d\ude00\n\/""#, 99).unwrap(), "aé😀 /");
        assert_eq!(
            text(r#""\ud83dx\uzzzz\u12""#, 99).unwrap(),
            "\u{fffd}x\u{fffd}zzzz\u{fffd}12"
        );
        assert_eq!(text("\"éééé\"", 5).unwrap(), "éé");
        assert_eq!(text("\"abcdef\"", 3).unwrap(), "abc");
        assert_eq!(text("17", 3), None);
        assert_eq!(Value(b"\"\xff\xfe\"").text(9).unwrap(), "\u{fffd}\u{fffd}");
    }
}
