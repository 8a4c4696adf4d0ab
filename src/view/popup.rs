//! What nbmedic sees on a tab, for the popup.

use super::{check, Action, Check, Node, Tag};

/// A notebook in the popup.
#[derive(Clone, Debug, Default)]
pub struct SeenNotebook {
    /// Its name.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status in words.
    pub kernel: &'static str,
    /// The accelerator's name; empty where none is seen.
    pub accelerator: String,
    /// Quantity, and its reading or why there is none.
    pub vitals: Vec<(&'static str, String)>,
}

/// An open card.
#[derive(Clone, Debug, Default)]
pub struct OpenCard {
    /// Its title.
    pub title: String,
    /// What people call its cell; empty: the notebook.
    pub place: String,
    /// Its cell.
    pub cell: Option<String>,
    /// Its diagnosis.
    pub id: String,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// What its cell is muted by, and what people know it by.
    pub code: Option<(String, String)>,
}

/// What is known of a tab.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The front end's profile; empty: the sensor has not said.
    pub profile: String,
    /// Scheme and host.
    pub origin: String,
    /// What was found of the front end's page.
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
        return section.kid(
            Node::new(Tag::P)
                .class("empty")
                .text("nbmedic sees no notebook on this tab."),
        );
    }
    let section = section.kid(cards(&seen.cards));
    let parts = [check(&seen.check), sees(seen)];
    match seen.check.changed() {
        true => section.kids(parts),
        false => section.kids(parts.into_iter().rev()),
    }
}

fn part(class: &str, title: &str) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

fn cards(cards: &[OpenCard]) -> Node {
    let title = match cards.len() {
        0 => "Nothing is wrong, as far as nbmedic can see".to_owned(),
        1 => "1 problem explained".to_owned(),
        n => format!("{n} problems explained"),
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
                .text(c.title.as_str())
                .act(Action::Goto { cell: cell.clone() }),
            None => Node::new(Tag::Span).class("goto").text(c.title.as_str()),
        };
        let mute = |label: String, text: &str, id: &str, name: &str| {
            Node::new(Tag::Button)
                .class("mute")
                .attr("type", "button")
                .attr("aria-label", label)
                .text(text)
                .act(Action::Mute {
                    id: id.to_owned(),
                    name: name.to_owned(),
                })
        };
        let all = mute(
            format!("Mute: never show {} again", c.id),
            "Mute",
            &c.id,
            "",
        );
        let mut mutes = Node::new(Tag::Div).class("mutes").kid(all);
        if let Some((id, name)) = &c.code {
            let label = format!("Mute cell: never show anything under {}", c.place);
            mutes = mutes.kid(mute(label, "Mute cell", id, name));
        }
        Node::new(Tag::Li)
            .class(c.severity)
            .attr("data-id", c.id.as_str())
            .kid(title)
            .kid(Node::new(Tag::Small).class("place").text(c.place.as_str()))
            .kid(mutes)
    });
    part.kid(Node::new(Tag::Ul).kids(items))
}

fn sees(seen: &Seen) -> Node {
    let mut list = Node::new(Tag::Dl);
    let mut row = |name: &str, value: &str| {
        let dt = Node::new(Tag::Dt).text(name);
        let dd = Node::new(Tag::Dd).text(value);
        list.kids.extend([dt, dd]);
    };
    if !seen.check.front_end.is_empty() {
        row("Front end", &seen.check.front_end);
    }
    if !seen.origin.is_empty() {
        row("Address", &seen.origin);
    }
    for nb in &seen.notebooks {
        let name = match nb.name.is_empty() {
            true => "without a name",
            false => &nb.name,
        };
        let cells = match nb.cells {
            1 => format!("{name}, 1 cell"),
            n => format!("{name}, {n} cells"),
        };
        row("Notebook", &cells);
        row("Kernel", nb.kernel);
        if !nb.accelerator.is_empty() {
            row("Accelerator", &nb.accelerator);
        }
        for (what, value) in &nb.vitals {
            row(what, value);
        }
    }
    part("sees", "What nbmedic sees").kid(list)
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
                    what: "the RAM and disk widget".into(),
                    lost: "No figures.".into(),
                    presence: Presence::Missing,
                }],
                blocks: false,
            },
            notebooks: vec![SeenNotebook {
                accelerator: "T4".into(),
                ..SeenNotebook::default()
            }],
            cards: vec![OpenCard {
                title: "T".into(),
                cell: Some("c1".into()),
                severity: "error",
                ..OpenCard::default()
            }],
            ..Seen::default()
        });
        let json = serde_json::to_string(&tree).unwrap();
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
