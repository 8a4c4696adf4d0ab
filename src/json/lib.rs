//! JSON as JavaScript writes it: serde_json, extended to read what only `JSON.stringify` writes.

use litemap::LiteMap;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
pub use serde_json::{Error, Map, Value};

/// Reads a JSON text. Unlike serde_json alone, it accepts an unpaired surrogate and replaces it
/// with U+FFFD: a sensor creates one if it cuts a text between UTF-16 units, and `JSON.stringify`
/// writes it as an escape. Nesting is limited to serde_json's 128 levels.
///
/// # Errors
/// serde_json's error for a text that is not JSON or has another shape.
pub fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text).or_else(|error| match mend(text) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    })
}

/// A value as JSON on one line.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> String {
    // Serialization fails for maps whose keys are not text; none of ours has such a key.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value as indented JSON.
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Serializes a map as an object. `LiteMap` alone writes an empty one as a list.
///
/// # Errors
/// Those of the serializer.
pub fn object<V: Serialize, S: Serializer>(
    map: &LiteMap<String, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(map.iter())
}

/// The text with each escaped unpaired surrogate replaced; `None` if there is none.
fn mend(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let escape = text.get(at..at + 6)?;
        u16::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text[at..].find('\\') {
        at += next;
        let low = |unit| matches!(unit, Some(0xdc00..=0xdfff));
        at += match unit(at) {
            Some(0xd800..=0xdbff) if low(unit(at + 6)) => 12,
            Some(0xd800..=0xdfff) => {
                out.push_str(&text[from..at]);
                out.push_str("\\ufffd");
                from = at + 6;
                6
            }
            // An escaped backslash is not the start of an escape.
            _ => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    (from > 0).then(|| out + &text[from..])
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn half_a_pair_is_no_reason_to_refuse_a_text() {
        let text = |json: &str| parse::<String>(json).ok();
        assert_eq!(text(r#""\ud83d\uDE00""#).as_deref(), Some("😀"));
        assert_eq!(text(r#""a\ud83d""#).as_deref(), Some("a\u{fffd}"));
        assert_eq!(
            text(r#""\ud83d\u0041\ude00""#).as_deref(),
            Some("\u{fffd}A\u{fffd}")
        );
        assert_eq!(
            text(r#""\\ud83d \ud83d\ud83d\ude00é""#).as_deref(),
            Some("\\ud83d \u{fffd}😀é")
        );
        for broken in [r#""\ud83d"#, r#""\"#, r#""\u"#, r#""\ud8é""#, "[1, tru]"] {
            assert_eq!(text(broken), None, "{broken}");
        }
    }
}
