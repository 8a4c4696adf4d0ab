//! JSON read into plain values, then into types field by field.
//!
//! A derived reader costs kilobytes of WASM for each type; this one is compiled once, and it has no
//! tables and no words for what is wrong.

mod write;

use nbmedic_facts::number::decimal;
use nbmedic_words::{Key, Say, Text};
pub use write::{object, to_string, to_string_pretty};

/// A JSON value. Numbers are doubles, as in JavaScript; the fields of an object are in the order given.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

/// So deep lists and objects may lie in one another: reading takes stack for each.
const DEPTH: usize = 127;

/// Reads a JSON text (RFC 8259). Half of a surrogate pair becomes U+FFFD.
///
/// # Errors
/// The byte at which the text stops being JSON.
pub fn parse(text: &str) -> Result<Json, usize> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(DEPTH);
    reader.blank();
    value.filter(|_| reader.at == text.len()).ok_or(reader.at)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    fn while_any(&mut self, bytes: &[u8]) {
        while self.next().is_some_and(|b| bytes.contains(&b)) {
            self.at += 1;
        }
    }

    fn blank(&mut self) {
        self.while_any(b" \n\r\t");
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blank();
        match self.next()? {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => {
                let mut list = Vec::new();
                self.items(b']', depth, &mut |reader, depth| {
                    list.push(reader.value(depth)?);
                    Some(())
                })?;
                Some(Json::List(list))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.items(b'}', depth, &mut |reader, depth| {
                    let key = reader.string()?;
                    reader.blank();
                    reader.eat(b':')?;
                    fields.push((key, reader.value(depth)?));
                    Some(())
                })?;
                Some(Json::Object(fields))
            }
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        let here = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        here.then(|| {
            self.at += word.len();
            value
        })
    }

    /// What stands between two brackets: `one` reads each item.
    fn items(
        &mut self,
        close: u8,
        depth: usize,
        one: &mut dyn FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        self.at += 1;
        self.blank();
        if self.eat(close).is_some() {
            return Some(());
        }
        loop {
            self.blank();
            one(self, depth)?;
            self.blank();
            if self.eat(b',').is_none() {
                return self.eat(close);
            }
        }
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        self.while_any(b"0123456789");
        (self.at > from).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let from = self.at;
        let negative = self.eat(b'-').is_some();
        let first = self.at;
        if self.eat(b'0').is_none() {
            self.digits()?;
        }
        // Exact up to 64 bits, where a decimal number's last digits would be lost.
        let mut value = self.text[first..self.at]
            .parse::<u64>()
            .ok()
            .map(|n| n as f64);
        if self.eat(b'.').is_some() {
            value = None;
            self.digits()?;
        }
        if matches!(self.next(), Some(b'e' | b'E')) {
            value = None;
            self.at += 1;
            if matches!(self.next(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        match value {
            Some(n) => Some(if negative { -n } else { n }),
            None => decimal(&self.text[from..self.at]).filter(|n| n.is_finite()),
        }
        .map(Json::Number)
    }

    fn string(&mut self) -> Option<String> {
        self.eat(b'"')?;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let special = |b| matches!(b, b'"' | b'\\' | ..=0x1f);
            let plain = rest.bytes().position(special)?;
            out.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat(b'"').is_some() {
                return Some(out);
            }
            self.eat(b'\\')?;
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Option<char> {
        let c = self.next()?;
        self.at += 1;
        Some(match c {
            b'"' | b'\\' | b'/' => char::from(c),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hex()?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.at..].starts_with("\\u") {
                    let back = self.at;
                    self.at += 2;
                    match self.hex()? {
                        low @ 0xdc00..0xe000 => {
                            code = 0x1_0000 + (code - 0xd800) * 0x400 + (low - 0xdc00)
                        }
                        _ => self.at = back,
                    }
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let mut code = 0;
        for _ in 0..4 {
            code = code * 16 + char::from(self.next()?).to_digit(16)?;
            self.at += 1;
        }
        Some(code)
    }
}

/// What is read from a [`Json`] value; `None` if it has another shape.
pub trait Read: Sized {
    /// Reads it.
    fn read(json: Json) -> Option<Self>;
}

/// Implements [`Read`] for a struct that has a [`Default`]: each named field of the object is read,
/// one that is absent keeps its default, others are passed over.
#[macro_export]
macro_rules! readable {
    ($name:ident { $($key:literal => $field:ident),+ $(,)? }) => {
        impl $crate::Read for $name {
            fn read(json: $crate::Json) -> Option<Self> {
                let $crate::Json::Object(fields) = json else {
                    return None;
                };
                let mut it = Self::default();
                for (key, value) in fields {
                    // One call for all fields: a reader that is built in for each is many times the code.
                    let field: &mut dyn $crate::Fill = match key.as_str() {
                        $($key => &mut it.$field,)+
                        _ => continue,
                    };
                    if !field.fill(value) {
                        return None;
                    }
                }
                Some(it)
            }
        }
    };
}

/// What can be replaced by what is read from a [`Json`] value.
pub trait Fill {
    /// Reads it; false if it has another shape.
    fn fill(&mut self, json: Json) -> bool;
}

impl<T: Read> Fill for T {
    #[inline(never)]
    fn fill(&mut self, json: Json) -> bool {
        match T::read(json) {
            Some(value) => {
                *self = value;
                true
            }
            None => false,
        }
    }
}

/// Implements [`Read`] for an enum written as `{"name": fields}`, the fields one value or a pair.
#[macro_export]
macro_rules! readable_choice {
    ($name:ident { $($key:literal => $variant:ident $(($second:ident))?),+ $(,)? }) => {
        impl $crate::Read for $name {
            fn read(json: $crate::Json) -> Option<Self> {
                let $crate::Json::Object(fields) = json else {
                    return None;
                };
                let (key, value) = fields.into_iter().next()?;
                match key.as_str() {
                    $($key => $crate::readable_choice!(@ $name $variant value $($second)?),)+
                    _ => None,
                }
            }
        }
    };
    (@ $name:ident $variant:ident $value:ident) => {
        $crate::Read::read($value).map($name::$variant)
    };
    (@ $name:ident $variant:ident $value:ident $second:ident) => {
        $crate::Read::read($value).map(|(first, $second)| $name::$variant(first, $second))
    };
}

impl Read for Json {
    fn read(json: Json) -> Option<Json> {
        Some(json)
    }
}

impl Read for String {
    fn read(json: Json) -> Option<String> {
        match json {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A message that is not known can't be read.
impl Read for Text {
    fn read(json: Json) -> Option<Text> {
        match json {
            Json::Text(text) => Some(Text::Foreign(text)),
            Json::Object(_) => Say::read(json).map(Text::Say),
            _ => None,
        }
    }
}

impl Read for Say {
    fn read(json: Json) -> Option<Say> {
        let Json::Object(fields) = json else {
            return None;
        };
        let (mut key, mut args) = (None, Vec::new());
        for (name, value) in fields {
            match name.as_str() {
                "key" => key = Key::named(&String::read(value)?),
                "args" => args = Vec::read(value)?,
                _ => {}
            }
        }
        Some(Say { key: key?, args })
    }
}

impl Read for bool {
    fn read(json: Json) -> Option<bool> {
        match json {
            Json::Bool(value) => Some(value),
            _ => None,
        }
    }
}

impl Read for f64 {
    fn read(json: Json) -> Option<f64> {
        match json {
            Json::Number(value) => Some(value),
            _ => None,
        }
    }
}

/// A whole number within bounds that a double holds exactly.
fn whole(json: Json, min: f64, max: f64) -> Option<f64> {
    f64::read(json).filter(|n| n.trunc() == *n && (min..=max).contains(n))
}

impl Read for u32 {
    fn read(json: Json) -> Option<u32> {
        whole(json, 0.0, f64::from(u32::MAX)).map(|n| n as u32)
    }
}

impl Read for u64 {
    fn read(json: Json) -> Option<u64> {
        whole(json, 0.0, u64::MAX as f64).map(|n| n as u64)
    }
}

impl Read for i64 {
    fn read(json: Json) -> Option<i64> {
        whole(json, i64::MIN as f64, i64::MAX as f64).map(|n| n as i64)
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: Json) -> Option<Option<T>> {
        match json {
            Json::Null => Some(None),
            json => T::read(json).map(Some),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: Json) -> Option<Vec<T>> {
        match json {
            Json::List(items) => items.into_iter().map(T::read).collect(),
            _ => None,
        }
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(json: Json) -> Option<(A, B)> {
        let Json::List(items) = json else {
            return None;
        };
        let mut items = items.into_iter();
        match (items.next(), items.next(), items.next()) {
            (Some(a), Some(b), None) => Some((A::read(a)?, B::read(b)?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn same(json: &Json, value: &Value) -> bool {
        match (json, value) {
            (Json::Null, Value::Null) => true,
            (Json::Bool(a), Value::Bool(b)) => a == b,
            // Beyond 15 digits and exponents of 22 the last bit may be another.
            (Json::Number(a), Value::Number(b)) => b
                .as_f64()
                .is_some_and(|b| *a == b || ((a - b) / b).abs() < 3e-16),
            (Json::Text(a), Value::String(b)) => a == b,
            (Json::List(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
            }
            (Json::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
            }
            _ => false,
        }
    }

    #[test]
    fn it_reads_and_refuses_what_the_library_does() {
        let texts = r#" { "a" : [ 1 , -2.5e-3 , 0.1, 1E+2, -0, 18446744073709551615, 9223372036854771712, 1e400 ], "b\"\\\/\b\f\n\r\t" : {} ,
            "é内\u00e9\u20AC😀": [ [ ] , null , true , false , "" ] } "#;
        let mut read = 0;
        let mut judge = |text: &str| match (parse(text), serde_json::from_str::<Value>(text)) {
            (Ok(json), Ok(value)) => {
                assert!(same(&json, &value), "{text}: {json:?}");
                read += 1;
            }
            (Err(_), Err(_)) => {}
            (a, b) => panic!("{text}: {a:?}, {b:?}"),
        };
        let whole = texts.replace(", 1e400", "");
        judge(texts);
        judge(&whole);
        // Every beginning, every single byte left out, every byte put in another's place.
        for (at, _) in whole.char_indices() {
            judge(&whole[..at]);
            for with in [
                "", "0", "1", "-", ".", "e", "\"", "\\", "[", "]", "}", ",", ":", "t", "\n",
                "\u{1}",
            ] {
                let n = whole[at..].chars().next().map_or(0, char::len_utf8);
                judge(&format!("{}{with}{}", &whole[..at], &whole[at + n..]));
            }
        }
        for depth in [126, 127, 128, 129, 100_000] {
            judge(&("[".repeat(depth) + &"]".repeat(depth)));
            judge(&(r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth)));
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn half_a_pair_is_no_reason_to_refuse_a_text() {
        let text = |s: &str| parse(s).ok().and_then(String::read);
        assert_eq!(text(r#""\ud83d\uDE00""#).as_deref(), Some("😀"));
        assert_eq!(text(r#""a\ud83d""#).as_deref(), Some("a\u{fffd}"));
        assert_eq!(
            text(r#""\ud83d\u0041\ude00""#).as_deref(),
            Some("\u{fffd}A\u{fffd}")
        );
        assert_eq!(parse(r#"[1, tru]"#), Err(4));
    }
}
