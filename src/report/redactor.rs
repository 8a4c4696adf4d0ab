//! Redaction of a report: what was redacted, where it was, and what the user restores.

use litemap::LiteMap;
use nbmedic_secrets::{kind, replaced, Found, Known, PLACEHOLDER};
use nbmedic_session::fnv1a_64;
use serde::Serialize;

/// Maximum number of places listed for one value.
const MAX_PLACES: usize = 6;

/// How often a kind of secret was redacted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The kind.
    pub kind: &'static str,
    /// How often.
    pub count: usize,
}

/// A value that was redacted in a report, wherever it occurred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Its id in [`Options::back`](super::Options::back): a checksum of the value that a double holds
    /// exactly. 0: it was redacted before it was stored, and its value is not known.
    pub id: u64,
    /// Its kind.
    pub kind: &'static str,
    /// Its first characters and its length; empty if it is not known.
    pub masked: String,
    /// The first places where it occurred.
    pub places: Vec<String>,
    /// How often.
    pub count: usize,
    /// The user restored it.
    pub back: bool,
}

/// Redacts the texts of one report.
#[derive(Debug, Default)]
pub(super) struct Redactor<'a> {
    back: &'a [u64],
    /// What was found in any text of the report.
    known: Known,
    pub taken: Vec<Taken>,
}

impl<'a> Redactor<'a> {
    /// A redactor that knows what the raw texts hold, and leaves the values with these ids in place.
    pub fn new(known: Known, back: &'a [u64]) -> Redactor<'a> {
        Redactor {
            back,
            known,
            taken: Vec::new(),
        }
    }

    /// Notes what a text contains, so that it goes from every text.
    pub fn learn(&mut self, text: &str) {
        self.known.learn(text);
    }

    /// A redactor of the same report that counts anew.
    pub fn again(&self) -> Redactor<'a> {
        Redactor {
            back: self.back,
            known: self.known.clone(),
            taken: Vec::new(),
        }
    }

    /// Redacts a text in place; `place` names it.
    pub fn clean(&mut self, place: &str, text: &mut String) {
        let mut found = self.known.find_all(text);
        for kind in placeholders(text) {
            self.note(0, kind, String::new(), place);
        }
        for f in &found {
            let value = &text[f.range.clone()];
            self.note(id(f.kind, value), f.kind, masked(value), place);
        }
        found.retain(|f| !self.back.contains(&id(f.kind, &text[f.range.clone()])));
        if !found.is_empty() {
            *text = replaced(text, &found);
        }
    }

    fn note(&mut self, id: u64, kind: &'static str, masked: String, place: &str) {
        let known = self.taken.iter().position(|t| (t.id, t.kind) == (id, kind));
        let at = known.unwrap_or_else(|| {
            self.taken.push(Taken {
                id,
                kind,
                masked,
                places: Vec::new(),
                count: 0,
                back: id != 0 && self.back.contains(&id),
            });
            self.taken.len() - 1
        });
        let taken = &mut self.taken[at];
        taken.count += 1;
        if taken.places.len() < MAX_PLACES && !taken.places.iter().any(|p| p == place) {
            taken.places.push(place.to_owned());
        }
    }

    /// Counts what is not in the report, by kind.
    pub fn tally(&self) -> Vec<Tally> {
        let mut counts: LiteMap<&'static str, usize> = LiteMap::new();
        for t in self.taken.iter().filter(|t| !t.back) {
            *counts.entry(t.kind).or_default() += t.count;
        }
        let tally = |(kind, count)| Tally { kind, count };
        counts.into_iter().map(tally).collect()
    }

    /// Adds what only the other redactor found, in texts that repeat this one's.
    pub fn join(&mut self, other: Redactor<'_>) {
        for t in other.taken {
            if !self.taken.iter().any(|o| (o.id, o.kind) == (t.id, t.kind)) {
                self.taken.push(t);
            }
        }
    }
}

/// The kinds of what was redacted in a text before it was stored.
fn placeholders(text: &str) -> impl Iterator<Item = &'static str> + '_ {
    text.split(PLACEHOLDER).skip(1).filter_map(|rest| {
        let name = rest.split(']').next()?;
        kind(name)
    })
}

/// A checksum that a double holds exactly; never 0.
fn id(kind: &str, value: &str) -> u64 {
    let bytes = kind.bytes().chain([0]).chain(value.bytes());
    (fnv1a_64(bytes) >> 12).max(1)
}

/// Enough to recognise a value: a sixth of it, at most four characters.
fn masked(value: &str) -> String {
    let length = value.chars().count();
    let shown: String = value
        .chars()
        .take((length / 6).min(4))
        .filter(|c| !c.is_control())
        .collect();
    format!("{shown}… ({length} characters)")
}

/// Redacts a text in place.
pub(super) fn clean(text: &mut String, known: &Known, gone: &mut Vec<Found>) {
    let redacted = known.redact(text);
    if !redacted.found.is_empty() {
        *text = redacted.text;
        gone.extend(redacted.found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_out_shown_masked_and_put_back_alone() {
        let text = "ada@example.org and bob@example.org, ada@example.org";
        let mut all = Redactor::default();
        let mut cleaned = text.to_owned();
        all.clean("cell 1", &mut cleaned);
        assert_eq!(
            cleaned,
            "[redacted-e-mail] and [redacted-e-mail], [redacted-e-mail]"
        );
        assert_eq!(all.taken.len(), 2);
        assert_eq!((all.taken[0].count, all.taken[1].count), (2, 1));
        assert_eq!(all.taken[0].masked, "ad… (15 characters)");
        assert_eq!(all.tally()[0].count, 3);

        let back = [all.taken[0].id];
        let mut some = Redactor::new(Known::default(), &back);
        let mut cleaned = text.to_owned();
        some.clean("cell 1", &mut cleaned);
        assert_eq!(
            cleaned,
            "ada@example.org and [redacted-e-mail], ada@example.org"
        );
        assert!(some.taken[0].back && !some.taken[1].back);
        assert_eq!(some.tally()[0].count, 1, "what is back was not taken out");
    }

    #[test]
    fn what_was_taken_out_before_is_named_and_can_not_be_put_back() {
        let mut r = Redactor::default();
        let mut text = "at /home/[redacted-user-name]/x, [redacted-nothing], 0".to_owned();
        r.clean("cell 2", &mut text);
        r.clean("cell 3", &mut text);
        let [t] = &r.taken[..] else {
            panic!("{:?}", r.taken);
        };
        assert_eq!((t.id, t.kind, t.count), (0, "user-name", 2));
        assert_eq!(t.places, ["cell 2", "cell 3"]);
        let zero = [0];
        let mut r = Redactor::new(Known::default(), &zero);
        r.clean("", &mut text);
        assert!(!r.taken[0].back);
    }

    #[test]
    fn short_values_show_nothing_of_themselves() {
        assert_eq!(masked("ada"), "… (3 characters)");
        assert_eq!(
            masked("abcdefghijklmnopqrstuvwxyz0123"),
            "abcd… (30 characters)"
        );
    }
}
