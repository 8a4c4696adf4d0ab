//! The self-check: what works on a page and what does not, in plain words.

use super::{Action, Node, Tag};

/// Parts that work and are named in the sentence; the list has all.
const NAMED: usize = 3;

/// How a part of the page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// So often, at most as often as expected.
    Found(u32),
    /// More often than expected.
    TooMany(u32),
    /// Not, although it should be there.
    Missing,
    /// Not, as it may be.
    Absent,
}

/// A part of the page that nbmedic reads.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub what: String,
    /// What people go without when it is missing, a sentence.
    pub lost: String,
    /// Whether it is there.
    pub presence: Presence,
}

/// What was found of a front end's page.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The front end's name; empty: none is known here.
    pub front_end: String,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Blocks of text are read in the place of cells.
    pub blocks: bool,
}

impl Check {
    fn with(&self, presence: impl Fn(Presence) -> bool) -> Vec<&str> {
        let parts = self.parts.iter().filter(|p| presence(p.presence));
        parts.map(|p| p.what.as_str()).collect()
    }

    /// Something is missing.
    pub(super) fn changed(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|p| p.presence == Presence::Missing)
    }

    /// What to say of it in a sentence or two; empty where all is as it should be.
    fn sentence(&self) -> String {
        const BLOCKS: &str = "Blocks of text that look like tracebacks are read all the same.";
        if self.front_end.is_empty() {
            return match self.blocks {
                true => format!("This is no notebook that nbmedic knows. {BLOCKS}"),
                false => String::new(),
            };
        }
        if !self.changed() {
            return String::new();
        }
        let missing = self.with(|p| p == Presence::Missing);
        let found = self.with(|p| matches!(p, Presence::Found(_) | Presence::TooMany(_)));
        let reads = match found.is_empty() {
            true => "nbmedic finds nothing that it knows there".to_owned(),
            false => format!(
                "nbmedic still reads {}, but not {}",
                list(&some(&found), "and"),
                list(&missing, "or")
            ),
        };
        let name = &self.front_end;
        let blocks = if self.blocks { BLOCKS } else { "" };
        format!("{name} changed its page: {reads}. {blocks}")
            .trim_end()
            .to_owned()
    }
}

/// The first few, and how many more.
fn some(words: &[&str]) -> Vec<String> {
    let all = words.len();
    let named = if all > NAMED + 1 { NAMED } else { all };
    let mut list: Vec<String> = words[..named].iter().map(|w| (*w).to_owned()).collect();
    if named < all {
        list.push(format!("{} other parts", all - named));
    }
    list
}

/// "a, b and c"
fn list<T: AsRef<str>>(words: &[T], and: &str) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        text.push_str(match i {
            0 => "",
            _ if i + 1 == words.len() => " ",
            _ => ", ",
        });
        if i > 0 && i + 1 == words.len() {
            text.push_str(and);
            text.push(' ');
        }
        text.push_str(word.as_ref());
    }
    text
}

/// The check as a section: what is wrong, what each missing part costs, all parts, and a report for
/// those who keep the profiles.
pub fn check(check: &Check) -> Node {
    let mut section = Node::new(Tag::Section)
        .class("landmarks")
        .kid(Node::new(Tag::H3).text("What it can read here"));
    let sentence = check.sentence();
    let changed = check.changed();
    if !sentence.is_empty() {
        let class = if changed { "drift" } else { "plain" };
        let mut said = Node::new(Tag::Div)
            .class(class)
            .attr("role", "note")
            .kid(Node::new(Tag::P).text(sentence));
        if changed {
            let parts = check.parts.iter();
            let missing = parts.filter(|p| p.presence == Presence::Missing);
            let lost = missing.map(|p| Node::new(Tag::Li).text(p.lost.as_str()));
            said = said.kid(Node::new(Tag::Ul).kids(lost)).kid(copy());
        }
        section = section.kid(said);
    }
    if !check.parts.is_empty() {
        let items = check.parts.iter().map(|p| {
            let (class, state) = match p.presence {
                Presence::Missing => ("missing", "missing".to_owned()),
                Presence::Absent => ("absent", "not here now".to_owned()),
                Presence::Found(1) => ("found", "found".to_owned()),
                Presence::Found(n) => ("found", format!("{n} found")),
                Presence::TooMany(n) => ("found", format!("{n} found, more than expected")),
            };
            Node::new(Tag::Li)
                .class(class)
                .text(p.what.as_str())
                .kid(Node::new(Tag::Small).text(state))
        });
        section = section.kid(Node::new(Tag::Ul).class("parts").kids(items));
    }
    section
}

/// The button that copies the drift report, and what is in it.
fn copy() -> Node {
    let button = Node::new(Tag::Button)
        .class("drift")
        .attr("type", "button")
        .text("Copy drift report")
        .act(Action::Drift);
    Node::new(Tag::P).class("report").kid(button).kid(
        Node::new(Tag::Small).text("Element and class names and counts, so that it can be repaired. Nothing of your notebook, no names, no addresses."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(what: &str, presence: Presence) -> Part {
        Part {
            what: what.into(),
            lost: format!("No {what}."),
            presence,
        }
    }

    fn colab(parts: Vec<Part>, blocks: bool) -> Check {
        Check {
            front_end: "Google Colab".into(),
            parts,
            blocks,
        }
    }

    #[test]
    fn says_what_works_and_what_does_not() {
        use Presence::{Absent, Found, Missing, TooMany};
        let c = colab(
            vec![
                part("cells", Found(3)),
                part("outputs", TooMany(1)),
                part("notices", Found(1)),
                part("the RAM widget", Missing),
                part("the panel", Absent),
            ],
            false,
        );
        assert_eq!(
            c.sentence(),
            "Google Colab changed its page: nbmedic still reads cells, outputs and notices, but \
             not the RAM widget."
        );
        let json = serde_json::to_string(&check(&c)).unwrap();
        for part in [
            r#""text":"No the RAM widget.""#,
            r#"{"do":"drift"}"#,
            r#""class":"missing","text":"the RAM widget""#,
            r#""class":"absent","text":"the panel""#,
            "1 found, more than expected",
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
        assert!(!json.contains("No the panel"), "{json}");
    }

    #[test]
    fn a_long_list_is_cut() {
        let words = ["a", "b", "c", "d", "e"];
        assert_eq!(list(&some(&words), "and"), "a, b, c and 2 other parts");
        assert_eq!(list(&some(&words[..4]), "and"), "a, b, c and d");
        assert_eq!(list(&["a"], "or"), "a");
    }

    #[test]
    fn all_is_well_or_all_is_gone() {
        let whole = colab(vec![part("cells", Presence::Found(3))], false);
        assert_eq!(whole.sentence(), "");
        assert!(!serde_json::to_string(&check(&whole))
            .unwrap()
            .contains("drift"));
        let gone = colab(vec![part("cells", Presence::Missing)], true);
        assert_eq!(
            gone.sentence(),
            "Google Colab changed its page: nbmedic finds nothing that it knows there. Blocks of \
             text that look like tracebacks are read all the same."
        );
        let strange = Check {
            blocks: true,
            ..Check::default()
        };
        assert!(strange.sentence().starts_with("This is no notebook"));
        assert_eq!(check(&Check::default()).kids.len(), 1);
    }
}
