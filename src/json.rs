//! Writing JSON. Numbers with a fraction are rounded to the digits that mean something: the writer of
//! `serde_json` brings ten kilobytes of compressed tables for the last bits of a double.

use litemap::LiteMap;
use nbmedic_catalogc::number::short;
use serde::{Serialize, Serializer as Writer};
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Digits after the point.
const PLACES: u32 = 6;

fn number<W: Write + ?Sized>(to: &mut W, value: f64) -> io::Result<()> {
    to.write_all(short(value, PLACES).as_bytes())
}

/// On one line.
struct Compact;

impl Formatter for Compact {
    fn write_f32<W: Write + ?Sized>(&mut self, to: &mut W, value: f32) -> io::Result<()> {
        number(to, value.into())
    }

    fn write_f64<W: Write + ?Sized>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        number(to, value)
    }
}

/// Indented.
struct Pretty(PrettyFormatter<'static>);

/// Hands these parts of the layout on.
macro_rules! as_pretty {
    ($($method:ident $(($arg:ident: $kind:ty))?),+) => {
        $(fn $method<W: Write + ?Sized>(&mut self, to: &mut W $(, $arg: $kind)?) -> io::Result<()> {
            self.0.$method(to $(, $arg)?)
        })+
    };
}

impl Formatter for Pretty {
    as_pretty!(
        begin_array, end_array, begin_array_value(first: bool), end_array_value, begin_object, end_object,
        begin_object_key(first: bool), begin_object_value, end_object_value
    );

    fn write_f32<W: Write + ?Sized>(&mut self, to: &mut W, value: f32) -> io::Result<()> {
        number(to, value.into())
    }

    fn write_f64<W: Write + ?Sized>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        number(to, value)
    }
}

fn write<T: Serialize + ?Sized>(value: &T, layout: impl Formatter) -> String {
    let mut out = Vec::new();
    // Strings, numbers, lists and maps with string keys: nothing that can't be written.
    let written = value.serialize(&mut Serializer::with_formatter(&mut out, layout));
    match written {
        Ok(()) => String::from_utf8(out).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// A map as an object. Left to itself an empty one would be written as a list.
pub(crate) fn object<V: Serialize, S: Writer>(
    map: &LiteMap<String, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(map.iter())
}

/// A value as JSON on one line.
pub(crate) fn to_string<T: Serialize + ?Sized>(value: &T) -> String {
    write(value, Compact)
}

/// A value as indented JSON.
pub(crate) fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> String {
    write(value, Pretty(PrettyFormatter::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_writes_what_the_library_writes_but_for_the_last_bits() {
        let value = json!({"a": [1, -2, {"b": "\"\n\u{1}é"}], "c": null, "d": {}, "e": [], "f": true, "g": 0.97});
        assert_eq!(to_string(&value), value.to_string());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(to_string_pretty(&value), pretty);
        assert_eq!(to_string(&0.95f32), "0.95");
        assert_eq!(to_string(&0.123_456_789), "0.123457");
    }
}
