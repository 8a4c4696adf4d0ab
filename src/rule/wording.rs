//! Wordings of messages: text with holes, as a library's source has it.
//!
//! `{x}` holds any text up to what follows, `{_}` any or none, `{n#}` a whole number, `{s@}` a shape with what stands
//! between its sizes, `{x_}` a name, dotted ones included. A wording begins with text. It is compiled to a regular
//! expression, so the time is linear; braces around anything else are text.

use regex::Regex;
use std::sync::OnceLock;

/// Longest text in a hole, in bytes.
const MAX_HOLE: usize = 240;
/// Most places of a text where a wording is tried.
const MAX_STARTS: usize = 64;

/// What was found in the holes, in their order; nothing of `{_}`.
pub type Found<'w, 't> = Vec<(Hole<'w>, &'t str)>;

/// What a hole may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// Any text up to what follows.
    Any,
    /// Any text, or none.
    Maybe,
    /// A whole number.
    Number,
    /// Sizes with what stands between them.
    Shape,
    /// A name, dotted ones included.
    Name,
}

/// A hole of a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole<'w> {
    /// Its name.
    pub name: &'w str,
    /// What it may hold.
    pub kind: HoleKind,
}

/// A part of a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'w> {
    /// What a message has as it is written.
    Text(&'w str),
    /// What differs from message to message.
    Hole(Hole<'w>),
}

/// A wording: `Got {n#} for {name_}, shape {s@} {_}`.
#[derive(Debug)]
pub struct Wording<'w> {
    /// As it is written.
    pub source: &'w str,
    /// What it is searched by, from when its texts first occur in a message.
    compiled: OnceLock<Option<Regex>>,
}

impl<'w> Wording<'w> {
    /// A wording, not compiled yet.
    pub const fn new(source: &'w str) -> Wording<'w> {
        Wording {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// Its parts.
    pub fn pieces(&self) -> Vec<Piece<'w>> {
        let mut pieces = Vec::new();
        let mut rest = self.source;
        while let Some((open, close)) = hole(rest) {
            if open > 0 {
                pieces.push(Piece::Text(&rest[..open]));
            }
            let name = &rest[open + 1..close];
            let short = &name[..name.len() - 1];
            let (name, kind) = match name.as_bytes().last() {
                _ if name == "_" => (name, HoleKind::Maybe),
                Some(b'#') => (short, HoleKind::Number),
                Some(b'@') => (short, HoleKind::Shape),
                Some(b'_') => (short, HoleKind::Name),
                _ => (name, HoleKind::Any),
            };
            pieces.push(Piece::Hole(Hole { name, kind }));
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest));
        }
        pieces
    }

    /// The holes that are filled.
    pub fn holes(&self) -> Vec<Hole<'w>> {
        let filled = |p| match p {
            Piece::Hole(hole) if hole.kind != HoleKind::Maybe => Some(hole),
            _ => None,
        };
        self.pieces().into_iter().filter_map(filled).collect()
    }

    /// The regular expression: it matches where the wording stands at the start of a text, with a group for each hole.
    pub fn pattern(&self) -> String {
        let pieces = self.pieces();
        let mut out = r"\A".to_owned();
        for (i, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => out += &regex::escape(text),
                Piece::Hole(hole) => out += group(hole.kind, pieces.get(i + 1)),
            }
        }
        out
    }

    /// What the holes hold where the wording stands in a text; none if it stands nowhere.
    pub fn find<'t>(&self, text: &'t str) -> Option<Found<'w, 't>> {
        let first = &self.source[..hole(self.source).map_or(self.source.len(), |(open, _)| open)];
        let start = text.find(first)?;
        if first.len() == self.source.len() {
            return Some(Vec::new());
        }
        let pieces = self.pieces();
        // Most wordings that begin alike part in a later text: no need to compile those.
        let (mut at, mut longest) = (start, 0);
        for piece in &pieces {
            match piece {
                Piece::Text(t) => {
                    at += text[at..].find(t)? + t.len();
                    longest += t.len();
                }
                Piece::Hole(_) => longest += MAX_HOLE,
            }
        }
        let compiled = self
            .compiled
            .get_or_init(|| Regex::new(&self.pattern()).ok());
        let compiled = compiled.as_ref()?;
        let starts = text.match_indices(first).map(|(at, _)| at);
        starts
            .take(MAX_STARTS)
            .find_map(|at| held(compiled, &pieces, &text[at..floor(text, at + longest)]))
    }
}

/// What the holes of a wording hold at the start of a text.
fn held<'w, 't>(compiled: &Regex, pieces: &[Piece<'w>], text: &'t str) -> Option<Found<'w, 't>> {
    let groups = compiled.captures(text)?;
    let mut found = Vec::new();
    let holes = pieces.iter().filter_map(|p| match p {
        Piece::Hole(hole) => Some(*hole),
        Piece::Text(_) => None,
    });
    for (hole, group) in holes.zip(groups.iter().skip(1)) {
        let held = group?.as_str();
        // Nothing stands behind the last hole that would end it.
        let held = match matches!(pieces.last(), Some(Piece::Hole(last)) if *last == hole) {
            true => &held[..floor(held, MAX_HOLE)],
            false => held,
        };
        if held.len() > MAX_HOLE {
            return None;
        }
        if hole.kind != HoleKind::Maybe {
            let held = held.trim();
            if held.is_empty() {
                return None;
            }
            found.push((hole, held));
        }
    }
    Some(found)
}

/// The group for a hole before another piece.
fn group(kind: HoleKind, next: Option<&Piece<'_>>) -> &'static str {
    let closed = matches!(next, Some(Piece::Text(t)) if t.starts_with([')', ']']));
    match (kind, next) {
        (HoleKind::Any, None) => r"((?s:.+))",
        (HoleKind::Any, _) => r"([ \n\t]*[^ \n\t](?s:.*?))",
        (HoleKind::Maybe, _) => r"((?s:.*?))",
        (HoleKind::Number, _) => r"(-?[0-9]+)",
        // A sentence's full stop is not part of it.
        (HoleKind::Name, _) => r"([\w.]*\w)",
        // Sizes in a pair of brackets, or up to the last size; up to the bracket that was opened before them.
        (HoleKind::Shape, _) if closed => {
            r"([-0-9 ,xNone?*]*[(\[](?:[-0-9 ,xNone?*]|[(\[][-0-9 ,xNone?*]*[)\]])*[)\]]|[-0-9 ,xNone?*]+)"
        }
        (HoleKind::Shape, _) => {
            r"([-0-9 ,xNone?*]*[(\[](?:[-0-9 ,xNone?*]|[(\[][-0-9 ,xNone?*]*[)\]])*[)\]]|[-0-9 ,xNone?*]*[0-9])"
        }
    }
}

/// The first hole of a wording: a name between braces.
fn hole(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find('{')?;
        let len = text[open..].find('}')?;
        let name = &text[open + 1..open + len];
        let letter = |c: char| c.is_ascii_lowercase() || c == '_' || c == '#' || c == '@';
        if !name.is_empty() && name.chars().all(letter) {
            return Some((open, open + len));
        }
        from = open + 1;
    }
}

/// The last boundary of a character at or before a place.
pub fn floor(text: &str, most: usize) -> usize {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(wording: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let found = Wording::new(wording).find(text)?;
        Some(found.into_iter().map(|(h, held)| (h.name, held)).collect())
    }

    #[test]
    fn holes_hold_what_their_kind_allows() {
        for (wording, text, holds) in [
            (
                "size ({a#}) of {name_} at",
                "the size (12) of fc.weight at 3",
                vec![("a", "12"), ("name", "fc.weight")],
            ),
            (
                "shapes {a@} {b@}",
                "with shapes (3,4) (None, 5) here",
                vec![("a", "(3,4)"), ("b", "(None, 5)")],
            ),
            (
                "({a@} and {b@})",
                "cannot be multiplied (2x3 and 4x5)",
                vec![("a", "2x3"), ("b", "4x5")],
            ),
            ("size({a@})", "torch.size([2, 3])", vec![("a", "[2, 3]")]),
            (
                "of {a@}, but",
                "of [(2, 3), (4,)], but",
                vec![("a", "[(2, 3), (4,)]")],
            ),
            (
                "column '{c}' of",
                "the column 'a b' of it",
                vec![("c", "a b")],
            ),
            (
                "ends with {rest}",
                "it ends with all",
                vec![("rest", "all")],
            ),
            ("in {a_}", "it is in size.größe.", vec![("a", "size.größe")]),
            ("a{_}b", "a-b", vec![]),
        ] {
            assert_eq!(found(wording, text), Some(holds), "{wording}");
        }
        assert_eq!(found("of {a#} rows", "of x rows"), None);
        assert_eq!(found("of '{a}' rows", "of ' ' rows"), None);
    }

    #[test]
    fn a_wording_is_found_further_on_and_in_bounded_time() {
        assert_eq!(
            found("got {n#} rows", "got x rows, got 5 rows"),
            Some(vec![("n", "5")])
        );
        let long = "ab".repeat(500_000);
        assert_eq!(found("a{x}b{y}b{z}c", &long), None);
        let far = format!("a{}c", "b".repeat(1000));
        assert_eq!(found("a{x}c", &far), None);
    }

    #[test]
    fn braces_of_a_message_are_text() {
        assert_eq!(
            found("in {'a'} and {b#}", "in {'a'} and 7"),
            Some(vec![("b", "7")])
        );
    }
}
