//! Writing JSON. Numbers with a fraction are rounded to the digits that mean something: the last bits
//! of a double would take ten kilobytes of compressed tables. Writing can't fail, and the compiler
//! knows it: of the branches that a derived `Serialize` has for failures nothing is left.

use litemap::LiteMap;
use nbmedic_facts::number::short;
use serde::ser::{self, Serialize, Serializer};
use std::fmt::Display;

/// Digits after the point.
const PLACES: u32 = 6;

/// What never happens.
#[derive(Debug)]
enum Never {}

impl Display for Never {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    /// For types that are not always text, as paths are: nothing here holds one.
    fn custom<T: Display>(_: T) -> Never {
        unreachable!()
    }
}

type Done = Result<(), Never>;

struct Writer {
    out: String,
    /// How deep the value lies, where each stands on a line of its own.
    indent: Option<usize>,
}

impl Writer {
    fn line(&mut self) {
        if let Some(depth) = self.indent {
            self.out.push('\n');
            for _ in 0..depth {
                self.out.push_str("  ");
            }
        }
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.indent = self.indent.map(|n| n + 1);
    }

    /// Before an item.
    fn item(&mut self, first: &mut bool) {
        if !std::mem::take(first) {
            self.out.push(',');
        }
        self.line();
    }

    /// After a key.
    fn colon(&mut self) {
        self.out.push_str(match self.indent {
            Some(_) => ": ",
            None => ":",
        });
    }

    fn close(&mut self, bracket: char, empty: bool) {
        self.indent = self.indent.map(|n| n - 1);
        if !empty {
            self.line();
        }
        self.out.push(bracket);
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = rest
            .bytes()
            .position(|b| matches!(b, b'"' | b'\\' | ..=0x1f))
        {
            self.out.push_str(&rest[..at]);
            self.escape(rest.as_bytes()[at]);
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    fn escape(&mut self, byte: u8) {
        self.out.push('\\');
        let short = match byte {
            0x8 => 'b',
            0xc => 'f',
            b'\n' => 'n',
            b'\r' => 'r',
            b'\t' => 't',
            b'"' | b'\\' => char::from(byte),
            _ => {
                self.out.push_str(if byte < 0x10 { "u000" } else { "u001" });
                char::from(b"0123456789abcdef"[usize::from(byte & 15)])
            }
        };
        self.out.push(short);
    }

    /// The beginning of `{"name": value}`.
    fn name(&mut self, name: &str) {
        self.open('{');
        self.item(&mut true);
        self.text(name);
        self.colon();
    }
}

/// A list or an object, as far as it is written.
struct Items<'a> {
    to: &'a mut Writer,
    first: bool,
    close: char,
    /// It is the value of `{"name": value}`.
    named: bool,
}

impl<'a> Items<'a> {
    fn new(to: &'a mut Writer, open: char, name: Option<&str>) -> Items<'a> {
        if let Some(name) = name {
            to.name(name);
        }
        to.open(open);
        let close = if open == '[' { ']' } else { '}' };
        Items {
            to,
            first: true,
            close,
            named: name.is_some(),
        }
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.to.item(&mut self.first);
        value.serialize(&mut *self.to)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Done {
        self.to.item(&mut self.first);
        self.to.text(key);
        self.to.colon();
        value.serialize(&mut *self.to)
    }

    fn finish(self) -> Done {
        self.to.close(self.close, self.first);
        if self.named {
            self.to.close('}', false);
        }
        Ok(())
    }
}

/// The kinds of lists and objects that serde tells apart.
macro_rules! items {
    ($($kind:ident: fn $one:ident($($key:ident)?) is $does:ident),+) => {
        $(impl ser::$kind for Items<'_> {
            type Ok = ();
            type Error = Never;

            fn $one<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Done {
                self.$does($($key,)? value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        })+
    };
}

items!(
    SerializeSeq: fn serialize_element() is value,
    SerializeTuple: fn serialize_element() is value,
    SerializeTupleStruct: fn serialize_field() is value,
    SerializeTupleVariant: fn serialize_field() is value,
    SerializeStruct: fn serialize_field(key) is field,
    SerializeStructVariant: fn serialize_field(key) is field
);

impl ser::SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.to.item(&mut self.first);
        let from = self.to.out.len();
        key.serialize(&mut *self.to)?;
        // A key is text, a number too.
        if !self.to.out[from..].starts_with('"') {
            self.to.out.insert(from, '"');
            self.to.out.push('"');
        }
        self.to.colon();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut *self.to)
    }

    fn end(self) -> Done {
        self.finish()
    }
}

/// Small numbers, written as larger ones.
macro_rules! as_larger {
    ($($method:ident($kind:ty) is $larger:ident),+) => {
        $(fn $method(self, value: $kind) -> Done {
            self.$larger(value.into())
        })+
    };
}

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Items<'a>;
    type SerializeStructVariant = Items<'a>;

    as_larger!(
        serialize_i8(i8) is serialize_i64, serialize_i16(i16) is serialize_i64, serialize_i32(i32) is serialize_i64,
        serialize_u8(u8) is serialize_u64, serialize_u16(u16) is serialize_u64, serialize_u32(u32) is serialize_u64,
        serialize_f32(f32) is serialize_f64
    );

    fn serialize_i64(self, value: i64) -> Done {
        if value < 0 {
            self.out.push('-');
        }
        self.serialize_u64(value.unsigned_abs())
    }

    fn serialize_u64(self, value: u64) -> Done {
        self.out.push_str(&value.to_string());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Done {
        if !value.is_finite() {
            return self.serialize_unit();
        }
        self.out.push_str(&short(value, PLACES));
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Done {
        self.out.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Done {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Done {
        self.name(name);
        value.serialize(&mut *self)?;
        self.close('}', false);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Never> {
        Ok(Items::new(self, '[', None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Never> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Never> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Never> {
        Ok(Items::new(self, '[', Some(name)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>, Never> {
        Ok(Items::new(self, '{', None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Never> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Never> {
        Ok(Items::new(self, '{', Some(name)))
    }
}

fn write<T: Serialize + ?Sized>(value: &T, indent: Option<usize>) -> String {
    let out = String::new();
    let mut writer = Writer { out, indent };
    match value.serialize(&mut writer) {
        Ok(()) => writer.out,
        Err(never) => match never {},
    }
}

/// A map as an object. Left to itself an empty one would be written as a list.
pub fn object<V: Serialize, S: Serializer>(
    map: &LiteMap<String, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(map.iter())
}

/// A value as JSON on one line.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> String {
    write(value, None)
}

/// A value as indented JSON.
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> String {
    write(value, Some(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[test]
    fn it_writes_what_the_library_writes_but_for_the_last_bits() {
        let value = json!({"a": [1, -2, {"b": "\"\n\u{1}é"}], "c": null, "d": {}, "e": [], "f": true, "g": 0.97});
        assert_eq!(to_string(&value), value.to_string());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(to_string_pretty(&value), pretty);
        let all: String = (0..0x80).map(char::from).collect();
        assert_eq!(to_string(&all), serde_json::to_string(&all).unwrap());
        assert_eq!(to_string(&0.95f32), "0.95");
        assert_eq!(to_string(&f64::NAN), "null");
        assert_eq!(to_string(&0.123_456_789), "0.123457");
    }

    #[derive(serde::Serialize)]
    enum Shape {
        Unit,
        One(u8),
        Pair(i8, char),
        Fields { empty: [u8; 0], none: Option<()> },
    }

    #[test]
    fn every_shape_is_written_as_the_library_does() {
        let shapes = [
            Shape::Unit,
            Shape::One(255),
            Shape::Pair(i8::MIN, '"'),
            Shape::Fields {
                empty: [],
                none: None,
            },
        ];
        let map: BTreeMap<u64, (Option<i64>, BTreeMap<&str, bool>)> = BTreeMap::from([
            (u64::MAX, (Some(i64::MIN), BTreeMap::from([("x", true)]))),
            (0, (None, BTreeMap::new())),
        ]);
        let value = (shapes, map);
        assert_eq!(to_string(&value), serde_json::to_string(&value).unwrap());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(to_string_pretty(&value), pretty);
    }
}
