//! What nbmedic sees on a tab, for the popup.

use super::{check, Action, Check, Node, Tag};
use nbmedic_words::{self as words, Say, Text};

/// A notebook in the popup.
#[derive(Clone, Debug, Default)]
pub struct SeenNotebook {
    /// Its name.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status.
    pub kernel: Text,
    /// The accelerator's name; empty if none is seen.
    pub accelerator: String,
    /// Quantity, and its reading or why there is none.
    pub vitals: Vec<(Text, Text)>,
}

/// An open card.
#[derive(Clone, Debug, Default)]
pub struct OpenCard {
    /// Its title.
    pub title: Text,
    /// What people call its cell; empty: the notebook.
    pub place: Text,
    /// Its cell.
    pub cell: Option<String>,
    /// Its diagnosis.
    pub id: String,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The id that mutes its cell, and the cell's name for people.
    pub code: Option<(String, String)>,
}

/// What is known about a tab.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The front end's profile; empty if the sensor has not reported it.
    pub profile: String,
    /// Scheme and host.
    pub origin: String,
    /// What was found on the front end's page.
    pub check: Check,
    /// The notebooks.
    pub notebooks: Vec<SeenNotebook>,
    /// The open cards.
    pub cards: Vec<OpenCard>,
}

/// The popup's tree.
pub fn popup(seen: &Seen) -> Node {
    let section = Node::new(Tag::Section).class("status");
    if seen.profile.is_empty() && seen.notebooks.is_empty() {
        return section.kid(Node::new(Tag::P).class("empty").text(words::no_notebook()));
    }
    let section = section.kid(cards(&seen.cards));
    let parts = [check(&seen.check), sees(seen)];
    match seen.check.changed() {
        true => section.kids(parts),
        false => section.kids(parts.into_iter().rev()),
    }
}

fn part(class: &str, title: Say) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

fn cards(cards: &[OpenCard]) -> Node {
    let title = match cards.len() {
        0 => words::nothing_wrong(),
        1 => words::one_explained(),
        n => words::explained(n),
    };
    let part = Node::new(Tag::Section)
        .class("cards")
        .kid(Node::new(Tag::H2).text(title));
    if cards.is_empty() {
        return part;
    }
    let items = cards.iter().map(|c| {
        let title = match &c.cell {
            Some(cell) => Node::new(Tag::Button)
                .class("goto")
                .attr("type", "button")
                .text(c.title.clone())
                .act(Action::Goto { cell: cell.clone() }),
            None => Node::new(Tag::Span).class("goto").text(c.title.clone()),
        };
        let mute = |label: Say, text: Say, id: &str, name: &str| {
            Node::new(Tag::Button)
                .class("mute")
                .attr("type", "button")
                .label("aria-label", label)
                .text(text)
                .act(Action::Mute {
                    id: id.to_owned(),
                    name: name.to_owned(),
                })
        };
        let all = mute(
            words::never_show(words::foreign(c.id.as_str())),
            words::mute(),
            &c.id,
            "",
        );
        let mut mutes = Node::new(Tag::Div).class("mutes").kid(all);
        if let Some((id, name)) = &c.code {
            let label = words::never_under(c.place.clone());
            mutes = mutes.kid(mute(label, words::mute_cell(), id, name));
        }
        Node::new(Tag::Li)
            .class(c.severity)
            .attr("data-id", c.id.as_str())
            .kid(title)
            .kid(Node::new(Tag::Small).class("place").text(c.place.clone()))
            .kid(mutes)
    });
    part.kid(Node::new(Tag::Ul).kids(items))
}

fn sees(seen: &Seen) -> Node {
    let mut list = Node::new(Tag::Dl);
    let mut row = |name: Text, value: Text| {
        let dt = Node::new(Tag::Dt).text(name);
        let dd = Node::new(Tag::Dd).text(value);
        list.kids.extend([dt, dd]);
    };
    if !seen.check.front_end.is_empty() {
        let name = seen.check.front_end.as_str();
        row(words::front_end().into(), words::foreign(name));
    }
    if !seen.origin.is_empty() {
        row(
            words::address().into(),
            words::foreign(seen.origin.as_str()),
        );
    }
    for nb in &seen.notebooks {
        let name = words::foreign(nb.name.as_str());
        let cells = match (nb.name.is_empty(), nb.cells) {
            (true, 1) => words::without_name_one(),
            (true, n) => words::without_name(n),
            (false, 1) => words::named_cell(name),
            (false, n) => words::named_cells(name, n),
        };
        row(words::notebook().into(), cells.into());
        row(words::kernel().into(), nb.kernel.clone());
        if !nb.accelerator.is_empty() {
            let name = words::foreign(nb.accelerator.as_str());
            row(words::accelerator().into(), name);
        }
        for (what, value) in &nb.vitals {
            row(what.clone(), value.clone());
        }
    }
    part("sees", words::sees()).kid(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, Presence};

    #[test]
    fn says_what_is_there_and_what_is_missing() {
        assert_eq!(popup(&Seen::default()).kids[0].class, "empty");
        let tree = popup(&Seen {
            profile: "colab".into(),
            check: Check {
                front_end: "Google Colab".into(),
                parts: vec![Part {
                    what: words::what_ram().into(),
                    lost: words::lost_ram().into(),
                    presence: Presence::Missing,
                }],
                blocks: false,
                unknown: Vec::new(),
            },
            notebooks: vec![SeenNotebook {
                accelerator: "T4".into(),
                ..SeenNotebook::default()
            }],
            cards: vec![OpenCard {
                title: words::foreign("T"),
                cell: Some("c1".into()),
                severity: "error",
                ..OpenCard::default()
            }],
            ..Seen::default()
        });
        let json = serde_json::to_string(&tree.english()).unwrap();
        for part in [
            r#""class":"missing","text":"the RAM and disk widget""#,
            r#"{"do":"goto","cell":"c1"}"#,
            "1 problem explained",
            r#""tag":"dd","text":"T4""#,
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
    }
}
