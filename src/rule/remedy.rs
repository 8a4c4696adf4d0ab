//! What a message says to do, and the packed form in which the engine carries it.

use crate::wording::Wording;
use nbmedic_facts::{Applicability, Conditions, FixKind};
use regex::Regex;
use serde::de::value::{BorrowedStrDeserializer, Error};
use serde::Deserialize;
use std::sync::OnceLock;

/// A regular expression, compiled when it is first needed.
#[derive(Debug)]
pub struct Pattern<'w> {
    /// As it is written.
    pub source: &'w str,
    compiled: OnceLock<Option<Regex>>,
}

impl<'w> Pattern<'w> {
    /// A pattern, not compiled yet.
    pub const fn new(source: &'w str) -> Pattern<'w> {
        Pattern {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// Compiled; none if it is wrong, which the catalogue's compiler refuses.
    pub fn regex(&self) -> Option<&Regex> {
        let made = self.compiled.get_or_init(|| Regex::new(self.source).ok());
        made.as_ref()
    }
}

/// What a table has for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookUp<'w> {
    /// The table.
    pub table: &'w str,
    /// The slot with the word that is looked up.
    pub from: &'w str,
    /// The slot that is filled.
    pub slot: &'w str,
    /// Without an entry of the table, the slot stays empty.
    pub optional: bool,
}

/// An entry of `src/cure/messages`: what to do, if a message says it.
#[derive(Debug, Default)]
pub struct Remedy<'w> {
    /// Its name; empty if it has none.
    pub id: &'w str,
    /// One of these wordings must occur, if there are any.
    pub says: Vec<Wording<'w>>,
    /// Or one of these families' wordings, by their numbers.
    pub families: Vec<usize>,
    /// Of each list one literal must occur.
    pub literal: Vec<Vec<&'w str>>,
    /// None of these literals may occur.
    pub absent: Vec<&'w str>,
    /// Each must match; its named groups fill slots.
    pub patterns: Vec<Pattern<'w>>,
    /// Of each list one literal must stand in a frame or in the message.
    pub near: Vec<Vec<&'w str>>,
    /// None of these may stand there.
    pub not_near: Vec<&'w str>,
    /// Where it may be said.
    pub only: Conditions,
    /// What tables have for slots.
    pub look_ups: Vec<LookUp<'w>>,
    /// Slots with modules of which no table says what brings them.
    pub unlisted: Vec<&'w str>,
    /// Slots calculated from others: name and value.
    pub derives: Vec<(&'w str, &'w str)>,
    /// Predicates over the slots; all must hold.
    pub when: Vec<&'w str>,
    /// What it asks for.
    pub kind: FixKind,
    /// How certain it is to help.
    pub applies: Applicability,
    /// What to do, in a line.
    pub title: &'w str,
    /// Why; a text with an empty slot is left out.
    pub why: Vec<&'w str>,
    /// The language of the code; empty if there is none.
    pub language: &'w str,
    /// Code to write or run.
    pub code: &'w str,
}

/// Tags of a packed text: one byte before each text says what it is. No text has such a character.
mod tag {
    pub const ID: char = '\u{1}';
    pub const SAYS: char = '\u{2}';
    pub const LITERAL: char = '\u{3}';
    /// Another one of the list before it.
    pub const OR: char = '\u{4}';
    pub const ABSENT: char = '\u{5}';
    pub const PATTERN: char = '\u{6}';
    pub const NEAR: char = '\u{7}';
    pub const NOT_NEAR: char = '\u{8}';
    pub const FAMILY: char = '\u{b}';
    pub const FRAMEWORK: char = '\u{e}';
    pub const SYSTEM: char = '\u{f}';
    pub const FRONT: char = '\u{10}';
    pub const OWNER: char = '\u{11}';
    pub const LOOK_UP: char = '\u{12}';
    pub const LOOK_UP_OPTIONAL: char = '\u{13}';
    pub const UNLISTED: char = '\u{14}';
    pub const DERIVE: char = '\u{15}';
    pub const WHEN: char = '\u{16}';
    pub const KIND: char = '\u{17}';
    pub const APPLIES: char = '\u{18}';
    pub const TITLE: char = '\u{19}';
    pub const WHY: char = '\u{1a}';
    pub const LANGUAGE: char = '\u{1b}';
    pub const CODE: char = '\u{1c}';
    /// An entry with the wordings of the one before it.
    pub const CASE: char = '\u{1d}';
}

/// Whether a character is a tag, which no text may have.
fn is_tag(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\n' | '\t')
}

/// A value as the catalogue writes it: `linux`, `sure`.
fn value<'w, T: Deserialize<'w>>(name: &'w str) -> Option<T> {
    let name: BorrowedStrDeserializer<'w, Error> = BorrowedStrDeserializer::new(name);
    T::deserialize(name).ok()
}

impl<'w> Remedy<'w> {
    /// An entry without anything but its name.
    pub fn new(id: &'w str) -> Remedy<'w> {
        Remedy {
            id,
            applies: Applicability::Likely,
            ..Remedy::default()
        }
    }

    /// Takes the text behind a tag; none if it can't be one.
    fn take(&mut self, tag: char, text: &'w str) -> Option<()> {
        match tag {
            tag::SAYS => self.says.push(Wording::new(text)),
            tag::FAMILY => self.families.push(text.parse().ok()?),
            tag::LITERAL => self.literal.push(vec![text]),
            tag::ABSENT => self.absent.push(text),
            tag::PATTERN => self.patterns.push(Pattern::new(text)),
            tag::NEAR => self.near.push(vec![text]),
            tag::NOT_NEAR => self.not_near.push(text),
            tag::FRAMEWORK => self.only.frameworks.push(value(text)?),
            tag::SYSTEM => self.only.systems.push(value(text)?),
            tag::FRONT => self.only.fronts.push(value(text)?),
            tag::OWNER => self.only.owners.push(value(text)?),
            tag::LOOK_UP | tag::LOOK_UP_OPTIONAL => {
                let (from, slot) = text.split_once(" -> ")?;
                let (table, from) = from.split_once(' ')?;
                self.look_ups.push(LookUp {
                    table,
                    from,
                    slot,
                    optional: tag == tag::LOOK_UP_OPTIONAL,
                });
            }
            tag::UNLISTED => self.unlisted.push(text),
            tag::DERIVE => self.derives.push(text.split_once(" = ")?),
            tag::WHEN => self.when.push(text),
            tag::KIND => self.kind = value(text)?,
            tag::APPLIES => self.applies = value(text)?,
            tag::TITLE => self.title = text,
            tag::WHY => self.why.push(text),
            tag::LANGUAGE => self.language = text,
            tag::CODE => self.code = text,
            _ => return None,
        }
        Some(())
    }
}

/// Writes an entry's fields as a packed text.
#[derive(Debug, Default)]
pub struct Packer {
    out: String,
}

impl Packer {
    /// Begins an entry, or another case of the wordings of the one before it.
    pub fn entry(&mut self, id: &str, case: bool) {
        self.text(if case { tag::CASE } else { tag::ID }, id);
    }

    /// Adds a field as it is written: its name and its value, a family's number for its name. Literals stand between ` || `, other lists between blanks.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn field(&mut self, field: &str, value: &str) -> Result<(), String> {
        let tag = match field {
            "says" => tag::SAYS,
            "family" => tag::FAMILY,
            "literal" => tag::LITERAL,
            "absent" => tag::ABSENT,
            "pattern" => tag::PATTERN,
            "near" => tag::NEAR,
            "not-near" => tag::NOT_NEAR,
            "frameworks" => tag::FRAMEWORK,
            "systems" => tag::SYSTEM,
            "fronts" => tag::FRONT,
            "owners" => tag::OWNER,
            "look-up" => tag::LOOK_UP,
            "look-up?" => tag::LOOK_UP_OPTIONAL,
            "unlisted" => tag::UNLISTED,
            "derive" => tag::DERIVE,
            "when" => tag::WHEN,
            "kind" => tag::KIND,
            "applies" => tag::APPLIES,
            "title" => tag::TITLE,
            "why" => tag::WHY,
            "language" => tag::LANGUAGE,
            "code" => tag::CODE,
            _ => return Err(format!("there is no field `{field}`")),
        };
        if value.is_empty() || value.contains(is_tag) {
            return Err(format!("`{field}` has no text, or a control character"));
        }
        let between = match tag {
            tag::LITERAL | tag::ABSENT | tag::NEAR | tag::NOT_NEAR => " || ",
            tag::FRAMEWORK | tag::SYSTEM | tag::FRONT | tag::OWNER => " ",
            _ => "\0",
        };
        for (i, part) in value.split(between).enumerate() {
            let listed = i > 0 && matches!(tag, tag::LITERAL | tag::NEAR);
            if Remedy::default().take(tag, part).is_none() {
                return Err(format!("`{field}` can't be read: {value}"));
            }
            self.text(if listed { tag::OR } else { tag }, part);
        }
        Ok(())
    }

    fn text(&mut self, tag: char, text: &str) {
        self.out.push(tag);
        self.out += text;
    }

    /// The packed text.
    pub fn finish(self) -> String {
        self.out
    }
}

/// The entries of a packed text.
pub fn unpack(packed: &str) -> Vec<Remedy<'_>> {
    let mut out: Vec<Remedy<'_>> = Vec::new();
    let mut listed = tag::LITERAL;
    let mut rest = packed.chars();
    while let Some(tag) = rest.next() {
        let text = rest.as_str();
        let text = &text[..text.find(is_tag).unwrap_or(text.len())];
        rest = rest.as_str()[text.len()..].chars();
        if matches!(tag, tag::ID | tag::CASE) {
            let above = out.last().filter(|_| tag == tag::CASE);
            let says = above.into_iter().flat_map(|r| &r.says);
            let says = says.map(|w| Wording::new(w.source)).collect();
            let families = above.map_or(Vec::new(), |r| r.families.clone());
            out.push(Remedy {
                says,
                families,
                ..Remedy::new(text)
            });
            continue;
        }
        let Some(entry) = out.last_mut() else { break };
        if tag != tag::OR {
            listed = tag;
            // What can't be read was refused when it was packed.
            let _ = entry.take(tag, text);
            continue;
        }
        let lists = match listed {
            tag::NEAR => &mut entry.near,
            _ => &mut entry.literal,
        };
        if let Some(list) = lists.last_mut() {
            list.push(text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_facts::System;

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut packer = Packer::default();
        packer.entry("one", false);
        for (field, value) in [
            ("says", "got {n#} rows"),
            ("family", "7"),
            ("literal", "a b || c d"),
            ("near", "e || f"),
            ("absent", "g || h"),
            ("look-up?", "modules m -> p"),
            ("derive", "k = n / 2"),
            ("systems", "linux macos"),
            ("kind", "install"),
            ("title", "Do it"),
            ("language", "bash"),
            ("code", "a\n\n  b"),
        ] {
            packer.field(field, value).expect("a field");
        }
        packer.entry("", true);
        let packed = packer.finish();
        let all = unpack(&packed);
        let [one, two] = &all[..] else {
            panic!("{all:?}")
        };
        assert_eq!((one.id, two.id), ("one", ""));
        for entry in &all {
            assert_eq!(entry.says[0].source, "got {n#} rows");
            assert_eq!(entry.families, [7]);
        }
        assert_eq!(one.literal, [["a b", "c d"]]);
        assert_eq!(one.near, [["e", "f"]]);
        assert_eq!(one.absent, ["g", "h"]);
        assert_eq!(one.derives, [("k", "n / 2")]);
        assert!(one.look_ups[0].optional);
        assert_eq!(one.only.systems, [System::Linux, System::Macos]);
        assert_eq!(
            (one.kind, one.applies),
            (FixKind::Install, Applicability::Likely)
        );
        assert_eq!(one.code, "a\n\n  b");
    }

    #[test]
    fn a_field_that_is_wrong_is_refused() {
        let mut packer = Packer::default();
        for (field, value, why) in [
            ("whenn", "a", "there is no field `whenn`"),
            ("systems", "moon", "`systems` can't be read: moon"),
            ("derive", "n", "`derive` can't be read: n"),
            ("title", "", "`title` has no text, or a control character"),
        ] {
            assert_eq!(packer.field(field, value), Err(why.to_owned()));
        }
    }
}
