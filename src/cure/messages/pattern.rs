//! Wordings of messages: text with holes.
//!
//! `{x}` holds any text up to what follows, `{_}` any or none, `{n#}` a whole number, `{s@}` a shape with what stands
//! between its sizes, `{x_}` a name, dotted ones included.

/// What was found in the holes, by name.
pub(crate) type Found<'t> = Vec<(Hole, &'t str)>;

/// A hole: its name, and what it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hole {
    /// Its name.
    pub name: &'static str,
    kind: Kind,
}

impl Hole {
    /// Whether sizes stand in it.
    pub fn is_shape(self) -> bool {
        self.kind == Kind::Shape
    }
}

/// Longest text in a hole, in bytes.
const MAX_HOLE: usize = 240;
/// Most attempts to fit one wording to a message.
const MAX_STEPS: u32 = 400;

/// What a hole may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Text(&'static str),
    Hole(&'static str, Kind),
}

/// A wording: `Got {n#} for {name_}, shape {s@} {_}`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pieces: Vec<Piece>,
}

impl Pattern {
    /// Reads a wording. The table is ours, and a test reads all of it: braces without an end are text.
    pub fn new(source: &'static str) -> Pattern {
        let mut pieces = Vec::new();
        let mut rest = source;
        while let Some((open, close)) = hole(rest) {
            if open > 0 {
                pieces.push(Piece::Text(&rest[..open]));
            }
            let name = &rest[open + 1..close];
            let last = name.len().saturating_sub(1);
            let (name, kind) = match name.as_bytes().last() {
                _ if name == "_" => (name, Kind::Maybe),
                Some(b'#') => (&name[..last], Kind::Number),
                Some(b'@') => (&name[..last], Kind::Shape),
                Some(b'_') => (&name[..last], Kind::Name),
                _ => (name, Kind::Any),
            };
            pieces.push(Piece::Hole(name, kind));
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest));
        }
        Pattern { pieces }
    }

    /// The names of the holes.
    #[cfg(test)]
    pub fn names(&self) -> Vec<&'static str> {
        let holes = self.pieces.iter().filter_map(|p| match p {
            Piece::Hole(name, kind) if *kind != Kind::Maybe => Some(*name),
            _ => None,
        });
        holes.collect()
    }

    /// Whether it can be searched for.
    pub fn starts_with_text(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Text(_)))
    }

    /// What the holes hold where the wording stands in a text.
    pub fn find<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        let mut steps = MAX_STEPS;
        let Some(Piece::Text(first)) = self.pieces.first() else {
            return None;
        };
        for (at, _) in text.match_indices(first) {
            let mut found = Vec::new();
            if fits(
                &self.pieces[1..],
                &text[at + first.len()..],
                &mut found,
                &mut steps,
            ) {
                return Some(found);
            }
            if steps == 0 {
                break;
            }
        }
        None
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

fn fits<'t>(pieces: &[Piece], text: &'t str, found: &mut Found<'t>, steps: &mut u32) -> bool {
    *steps = steps.saturating_sub(1);
    let (first, rest) = match pieces.split_first() {
        None => return true,
        Some(_) if *steps == 0 => return false,
        Some(split) => split,
    };
    let (name, kind) = match first {
        Piece::Text(t) => {
            return text
                .strip_prefix(t)
                .is_some_and(|after| fits(rest, after, found, steps));
        }
        Piece::Hole(name, kind) => (*name, *kind),
    };
    let before = found.len();
    let take = |end: usize, found: &mut Found<'t>, steps: &mut u32| {
        let held = text[..end].trim();
        if held.is_empty() && kind != Kind::Maybe {
            return false;
        }
        found.truncate(before);
        if kind != Kind::Maybe {
            found.push((Hole { name, kind }, held));
        }
        fits(rest, &text[end..], found, steps)
    };
    if let Some(end) = run(kind, text) {
        return take(end, found, steps);
    }
    let window = &text[..floor(text, MAX_HOLE)];
    match rest.first() {
        Some(Piece::Text(next)) => {
            let ends = window.match_indices(next).map(|(at, _)| at);
            ends.take(4).any(|end| take(end, found, steps))
        }
        _ => take(window.len(), found, steps),
    }
}

/// The end of what a hole of a definite kind holds; none for any text.
fn run(kind: Kind, text: &str) -> Option<usize> {
    let allowed: fn(char) -> bool = match kind {
        Kind::Any | Kind::Maybe => return None,
        Kind::Number => |c| c.is_ascii_digit(),
        Kind::Shape => |c| c.is_ascii_digit() || " ,xNone()[]?-*".contains(c),
        Kind::Name => |c| c.is_alphanumeric() || "_.".contains(c),
    };
    let signed = kind == Kind::Number && text.starts_with('-');
    let from = usize::from(signed);
    let end = text[from..].find(|c| !allowed(c));
    let end = end.map_or(text.len(), |e| e + from);
    let mut held = &text[..end];
    match kind {
        // A sentence's full stop and blanks are not part of it, nor is a bracket that was not opened in it.
        Kind::Name => held = held.trim_end_matches('.'),
        Kind::Shape => held = shape(held),
        _ => {}
    }
    Some(held.len())
}

/// A shape up to the bracket that closes it.
fn shape(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return &text[..at],
            ')' | ']' if depth == 1 => return &text[..=at],
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.trim_end_matches(|c: char| !c.is_ascii_digit())
}

/// The last boundary of a character at or before a place.
pub(super) fn floor(text: &str, most: usize) -> usize {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(
        pattern: &'static str,
        text: &'static str,
    ) -> Option<Vec<(&'static str, &'static str)>> {
        let found = Pattern::new(pattern).find(text)?;
        Some(
            found
                .into_iter()
                .map(|(hole, held)| (hole.name, held))
                .collect(),
        )
    }

    #[test]
    fn holes_hold_what_their_kind_allows() {
        assert_eq!(
            found(
                "size ({a#}) of {name_} at",
                "the size (12) of fc.weight at 3"
            ),
            Some(vec![("a", "12"), ("name", "fc.weight")])
        );
        assert_eq!(
            found("shapes {a@} {b@}", "with shapes (3,4) (None, 5) here"),
            Some(vec![("a", "(3,4)"), ("b", "(None, 5)")])
        );
        assert_eq!(
            found("({a@} and {b@})", "cannot be multiplied (2x3 and 4x5)"),
            Some(vec![("a", "2x3"), ("b", "4x5")])
        );
        assert_eq!(
            found("column '{c}' of", "the column 'a b' of it"),
            Some(vec![("c", "a b")])
        );
        assert_eq!(
            found("ends with {rest}", "it ends with all"),
            Some(vec![("rest", "all")])
        );
        assert_eq!(found("a{_}b", "a-b"), Some(vec![]));
        assert_eq!(found("{a#}", "12"), None);
    }

    #[test]
    fn a_wording_is_found_further_on_and_in_bounded_time() {
        assert_eq!(
            found("got {n#} rows", "got x rows, got 5 rows"),
            Some(vec![("n", "5")])
        );
        let long = "ab".repeat(50_000);
        assert_eq!(
            Pattern::new("a{x}b{y}b{z}c").find(&long).map(|f| f.len()),
            None
        );
    }

    #[test]
    fn braces_of_a_message_are_text() {
        assert_eq!(
            found("in {'a'} and {b#}", "in {'a'} and 7"),
            Some(vec![("b", "7")])
        );
    }
}
