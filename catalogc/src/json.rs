//! JSON read into plain values, then into types field by field.
//!
//! A derived reader costs kilobytes of WASM for each type; this one is compiled once.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

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

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        // Keys are read like values: a reader of strings alone brings the words of its refusals.
        while let Some((key, value)) = items.next_entry::<Json, Json>()? {
            if let Json::Text(key) = key {
                fields.push((key, value));
            }
        }
        Ok(Json::Object(fields))
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(Build)
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
        impl $crate::json::Read for $name {
            fn read(json: $crate::json::Json) -> Option<Self> {
                let $crate::json::Json::Object(fields) = json else {
                    return None;
                };
                let mut it = Self::default();
                for (key, value) in fields {
                    // One call for all fields: a reader that is built in for each is many times the code.
                    let field: &mut dyn $crate::json::Fill = match key.as_str() {
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
        impl $crate::json::Read for $name {
            fn read(json: $crate::json::Json) -> Option<Self> {
                let $crate::json::Json::Object(fields) = json else {
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
        $crate::json::Read::read($value).map($name::$variant)
    };
    (@ $name:ident $variant:ident $value:ident $second:ident) => {
        $crate::json::Read::read($value).map(|(first, $second)| $name::$variant(first, $second))
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
