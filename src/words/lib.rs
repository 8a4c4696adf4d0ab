//! nbmedic's own messages: a message's key with its arguments.
//!
//! The texts are in `extension/_locales`, one file for each language. The build generates a
//! function for every English message (`noAnswer` becomes [`no_answer`]), so that an unknown key or
//! a wrong number of arguments does not compile. The extension looks a message up in the browser's
//! catalogue; reports, the command line and the web site use the English text, which is embedded
//! here.
//!
//! Call the functions as `words::no_answer()`: a test finds the keys in use by that prefix.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// The name of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(u16);

impl Key {
    /// The name in `_locales`.
    pub fn name(self) -> &'static str {
        MESSAGES[usize::from(self.0)].0
    }

    /// The key of that name.
    pub fn named(name: &str) -> Option<Key> {
        let at = MESSAGES.binary_search_by_key(&name, |(key, _)| key).ok()?;
        u16::try_from(at).ok().map(Key)
    }

    /// The English text, with `$1` to `$9` for the arguments.
    fn template(self) -> &'static str {
        MESSAGES[usize::from(self.0)].1
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        let name = String::deserialize(deserializer)?;
        Key::named(&name).ok_or_else(|| D::Error::custom("unknown message"))
    }
}

/// A message with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Say {
    /// Which message.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "keyof typeof import('./_locales/en/messages.json')")
    )]
    pub key: Key,
    /// What goes into it, in the order of its `$1` to `$9`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Text>,
}

/// A function that makes a message without arguments.
pub type Message = fn() -> Say;

/// What people read: a message of nbmedic's, or text from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Words"))]
#[serde(untagged)]
pub enum Text {
    /// A number, a name, what a notebook printed, or the catalogue's English: shown as it is.
    Foreign(String),
    /// A message, to be said in the person's language.
    Say(Say),
}

/// The message of that name, for names in data files; `None` if there is none.
pub fn named(key: &str) -> Option<Say> {
    Key::named(key).map(|key| Say {
        key,
        args: Vec::new(),
    })
}

/// Text that is not nbmedic's own message.
pub fn foreign(text: impl Into<String>) -> Text {
    Text::Foreign(text.into())
}

impl Say {
    fn new(at: u16, args: Vec<Text>) -> Say {
        Say { key: Key(at), args }
    }

    /// The message in a language: `look_up` returns its text with the arguments filled in, or
    /// `None` if the language lacks it, which gives the English text.
    pub fn spoken(&self, look_up: &dyn Fn(&str, &[String]) -> Option<String>) -> String {
        let args: Vec<String> = self.args.iter().map(|a| a.spoken(look_up)).collect();
        look_up(self.key.name(), &args).unwrap_or_else(|| filled(self.key.template(), &args))
    }

    /// The message in English.
    pub fn english(&self) -> String {
        self.spoken(&|_, _| None)
    }
}

impl Display for Say {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english())
    }
}

impl Text {
    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        matches!(self, Text::Foreign(text) if text.is_empty())
    }

    /// The text in a language; see [`Say::spoken`].
    pub fn spoken(&self, look_up: &dyn Fn(&str, &[String]) -> Option<String>) -> String {
        match self {
            Text::Foreign(text) => text.clone(),
            Text::Say(say) => say.spoken(look_up),
        }
    }

    /// The text in English.
    pub fn english(&self) -> String {
        self.spoken(&|_, _| None)
    }
}

impl Default for Text {
    fn default() -> Text {
        Text::Foreign(String::new())
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Text::Foreign(text) => f.write_str(text),
            Text::Say(say) => say.fmt(f),
        }
    }
}

impl From<Say> for Text {
    fn from(say: Say) -> Text {
        Text::Say(say)
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Text {
            fn from(n: $number) -> Text {
                Text::Foreign(n.to_string())
            }
        }
    )*};
}

numbers!(u32 u64 usize i64);

/// A template with the arguments in place of `$1` to `$9`. Placeholders inside an argument are left
/// alone.
fn filled(template: &str, args: &[String]) -> String {
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let mut chars = part.chars();
        // The build checks that a digit of an argument follows each `$`.
        let digit = chars.next().and_then(|c| c.to_digit(10)).unwrap_or(0);
        let arg = (digit as usize).checked_sub(1).and_then(|at| args.get(at));
        text.push_str(arg.map_or("", String::as_str));
        text.push_str(chars.as_str());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_puts_arguments_in_their_places_and_reads_nothing_in_them() {
        assert_eq!(copied().english(), "Copied");
        let text = named_thing(switch_off(), foreign("$1 $2"));
        assert_eq!(text.english(), "Switch off: $1 $2");
        assert_eq!(filled("$2, $1!", &["a".into(), "b".into()]), "b, a!");
    }

    #[test]
    fn a_language_is_asked_from_the_inside_out() {
        let german = |key: &str, args: &[String]| {
            (key != "switchOff").then(|| format!("<{key} {}>", args.join("|")))
        };
        let text = Text::from(named_thing(switch_off(), foreign("x")));
        assert_eq!(text.spoken(&german), "<namedThing Switch off|x>");
        let whole = |key: &str, args: &[String]| Some(format!("<{key} {}>", args.join("|")));
        assert_eq!(text.spoken(&whole), "<namedThing <switchOff >|x>");
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        let text = Text::from(named_thing(switch_off(), foreign("x")));
        let json = serde_json::to_string(&text).expect("JSON");
        assert_eq!(
            json,
            r#"{"key":"namedThing","args":[{"key":"switchOff"},"x"]}"#
        );
        assert_eq!(serde_json::from_str::<Text>(&json).expect("a text"), text);
        assert!(serde_json::from_str::<Text>(r#"{"key":"nobody"}"#).is_err());
        assert_eq!(
            serde_json::from_str::<Text>("\"a\"").expect("a text"),
            foreign("a")
        );
    }

    #[test]
    fn every_key_is_found_by_its_name() {
        for (name, _) in MESSAGES {
            assert_eq!(Key::named(name).map(Key::name), Some(*name));
        }
        assert_eq!(Key::named("nobody"), None);
    }
}
