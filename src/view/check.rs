//! The self-check: which parts of a page work and which don't, in plain words.

use super::{Action, Node, Tag};
use nbmedic_secrets::redact;
use nbmedic_words::{self as words, Say, Text};

/// Number of working parts that the sentence names; the list names all.
const NAMED: usize = 3;

/// How a part of the page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Found this often, no more than expected.
    Found(u32),
    /// Found more often than expected.
    TooMany(u32),
    /// Not found, although it should be there.
    Missing,
    /// Not found, and not required.
    Absent,
}

/// A part of the page that nbmedic reads.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub what: Text,
    /// A sentence on what people lose when it is missing.
    pub lost: Text,
    /// Whether it is there.
    pub presence: Presence,
}

/// The result of the check of a front end's page.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The front end's name; empty if no front end is known for this page.
    pub front_end: String,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Whether blocks of text are read instead of cells.
    pub blocks: bool,
    /// Notices of deaths whose words no rule knows.
    pub unknown: Vec<String>,
}

impl Check {
    fn with(&self, presence: impl Fn(Presence) -> bool) -> Vec<Text> {
        let parts = self.parts.iter().filter(|p| presence(p.presence));
        parts.map(|p| p.what.clone()).collect()
    }

    /// Whether something is missing.
    pub(super) fn changed(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|p| p.presence == Presence::Missing)
    }

    /// A sentence or two about it; `None` if everything is in order.
    fn sentence(&self) -> Option<Say> {
        if self.front_end.is_empty() {
            return self.blocks.then(words::unknown_notebook);
        }
        if !self.changed() {
            return None;
        }
        let missing = self.with(|p| p == Presence::Missing);
        let found = self.with(|p| matches!(p, Presence::Found(_) | Presence::TooMany(_)));
        let name = words::foreign(self.front_end.as_str());
        if found.is_empty() {
            return Some(match self.blocks {
                true => words::changed_none_blocks(name),
                false => words::changed_none(name),
            });
        }
        let found = list(some(found), words::and);
        let missing = list(missing, words::or);
        Some(match self.blocks {
            true => words::changed_blocks(name, found, missing),
            false => words::changed(name, found, missing),
        })
    }
}

/// The first few words, and the number of the others.
fn some(mut parts: Vec<Text>) -> Vec<Text> {
    let all = parts.len();
    if all > NAMED + 1 {
        parts.truncate(NAMED);
        parts.push(words::other_parts(all - NAMED).into());
    }
    parts
}

/// "a, b and c"
fn list(mut parts: Vec<Text>, and: fn(Text, Text) -> Say) -> Text {
    let last = parts.pop().unwrap_or_default();
    match parts.into_iter().reduce(|a, b| words::comma(a, b).into()) {
        Some(first) => and(first, last).into(),
        None => last,
    }
}

/// The check as a section: what is wrong, what is lost with each missing part, all parts, and a
/// report for the maintainers of the profiles.
pub fn check(check: &Check) -> Node {
    let mut section = Node::new(Tag::Section)
        .class("landmarks")
        .kid(Node::new(Tag::H3).text(words::can_read()));
    let sentence = check.sentence();
    let changed = check.changed();
    if let Some(sentence) = sentence {
        let class = if changed { "drift" } else { "plain" };
        let mut said = Node::new(Tag::Div)
            .class(class)
            .attr("role", "note")
            .kid(Node::new(Tag::P).text(sentence));
        if changed {
            let parts = check.parts.iter();
            let missing = parts.filter(|p| p.presence == Presence::Missing);
            let lost = missing.map(|p| Node::new(Tag::Li).text(p.lost.clone()));
            said = said.kid(Node::new(Tag::Ul).kids(lost)).kid(copy());
        }
        section = section.kid(said);
    }
    if !check.unknown.is_empty() {
        section = section.kid(unknown(&check.unknown));
    }
    if !check.parts.is_empty() {
        let items = check.parts.iter().map(|p| {
            let (class, state) = match p.presence {
                Presence::Missing => ("missing", words::missing()),
                Presence::Absent => ("absent", words::not_here()),
                Presence::Found(1) => ("found", words::found()),
                Presence::Found(n) => ("found", words::found_count(n)),
                Presence::TooMany(n) => ("found", words::found_more(n)),
            };
            Node::new(Tag::Li)
                .class(class)
                .text(p.what.clone())
                .kid(Node::new(Tag::Small).text(state))
        });
        section = section.kid(Node::new(Tag::Ul).class("parts").kids(items));
    }
    section
}

/// The words of a notice that no rule knows, which the user may add to the report.
fn unknown(said: &[String]) -> Node {
    let words = redact(&said.join("\n")).text;
    let with = button(words::copy_drift_words(), words.clone());
    Node::new(Tag::Div)
        .class("drift")
        .attr("role", "note")
        .kid(Node::new(Tag::P).text(words::unknown_words(words::foreign(words))))
        .kid(copy().kid(with))
}

/// The button that copies the drift report, and a note on its content.
fn copy() -> Node {
    Node::new(Tag::P)
        .class("report")
        .kid(button(words::copy_drift(), String::new()))
        .kid(Node::new(Tag::Small).text(words::drift_holds()))
}

fn button(text: Say, words: String) -> Node {
    Node::new(Tag::Button)
        .class("drift")
        .attr("type", "button")
        .text(text)
        .act(Action::Drift { words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(what: &str, presence: Presence) -> Part {
        Part {
            what: words::foreign(what),
            lost: words::foreign(format!("No {what}.")),
            presence,
        }
    }

    fn colab(parts: Vec<Part>, blocks: bool) -> Check {
        Check {
            front_end: "Google Colab".into(),
            parts,
            blocks,
            ..Check::default()
        }
    }

    fn said(check: &Check) -> String {
        check.sentence().map_or(String::new(), |s| s.english())
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
            said(&c),
            "Google Colab changed its page: nbmedic still reads cells, outputs and notices, but \
             not the RAM widget."
        );
        let json = serde_json::to_string(&check(&c).english()).unwrap();
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
    fn words_that_no_rule_knows_are_added_only_by_their_own_button() {
        let c = Check {
            unknown: vec!["Vi perdis la kernon de ada@example.org.".into()],
            ..colab(vec![part("cells", Presence::Found(3))], false)
        };
        let json = serde_json::to_string(&check(&c).english()).unwrap();
        let plain = r#""act":{"do":"drift"}"#;
        let with = r#""act":{"do":"drift","words":"Vi perdis la kernon de "#;
        assert!(json.contains(plain) && json.contains(with), "{json}");
        assert!(!json.contains("ada@"), "{json}");
    }

    #[test]
    fn a_long_list_is_cut() {
        let parts = ["a", "b", "c", "d", "e"].map(words::foreign);
        let joined = |n: usize| list(some(parts[..n].to_vec()), words::and).english();
        assert_eq!(joined(5), "a, b, c and 2 other parts");
        assert_eq!(joined(4), "a, b, c and d");
        assert_eq!(joined(1), "a");
    }

    #[test]
    fn all_is_well_or_all_is_gone() {
        let whole = colab(vec![part("cells", Presence::Found(3))], false);
        assert_eq!(whole.sentence(), None);
        assert!(!serde_json::to_string(&check(&whole))
            .unwrap()
            .contains("drift"));
        let gone = colab(vec![part("cells", Presence::Missing)], true);
        assert_eq!(
            said(&gone),
            "Google Colab changed its page: nbmedic no longer recognises anything there. Blocks \
             of text that look like tracebacks are still read."
        );
        let strange = Check {
            blocks: true,
            ..Check::default()
        };
        assert_eq!(strange.sentence(), Some(words::unknown_notebook()));
        assert_eq!(check(&Check::default()).kids.len(), 1);
    }
}
