//! What nbmedic sees on a tab, for the popup.

use super::{Action, Node, Tag};

/// A notebook in the popup.
#[derive(Clone, Debug, Default)]
pub struct SeenNotebook {
    /// Its name.
    pub name: String,
    /// Cells on the page.
    pub cells: usize,
    /// The kernel's status in words.
    pub kernel: &'static str,
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
}

/// What is known of a tab.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The front end's profile; empty: the sensor has not said.
    pub profile: String,
    /// Scheme and host.
    pub origin: String,
    /// Landmarks and how often each was found.
    pub landmarks: Vec<(String, u32)>,
    /// The notebooks.
    pub notebooks: Vec<SeenNotebook>,
    /// The open cards.
    pub cards: Vec<OpenCard>,
}

/// A landmark in plain words.
fn words(landmark: &str) -> String {
    match landmark {
        "notebook" => "the notebook".to_owned(),
        "prompts" => "execution counts".to_owned(),
        "kernel" => "the kernel's status".to_owned(),
        "memory" => "the memory widget".to_owned(),
        "run-button" => "run buttons".to_owned(),
        "toast" => "crash notices".to_owned(),
        "connect" => "the connect button".to_owned(),
        "resources" => "the RAM and disk widget".to_owned(),
        "status-bar" => "the status bar".to_owned(),
        "blocks" => "blocks of text".to_owned(),
        other => other.replace(['-', '_'], " "),
    }
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
    let mut section = section.kid(cards(&seen.cards)).kid(sees(seen));
    if !seen.landmarks.is_empty() {
        let items = seen.landmarks.iter().map(|(name, n)| {
            let (class, state) = match n {
                0 => ("missing", "not seen".to_owned()),
                1 => ("found", "found".to_owned()),
                n => ("found", format!("{n} found")),
            };
            Node::new(Tag::Li)
                .class(class)
                .text(words(name))
                .kid(Node::new(Tag::Small).text(state))
        });
        section = section
            .kid(part("landmarks", "What it can read here").kid(Node::new(Tag::Ul).kids(items)));
    }
    section
}

fn part(class: &str, title: &str) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H4).text(title))
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
        let mute = Node::new(Tag::Button)
            .class("mute")
            .attr("type", "button")
            .attr("aria-label", format!("Never show {} again", c.id))
            .text("Mute")
            .act(Action::Mute { id: c.id.clone() });
        Node::new(Tag::Li)
            .class(c.severity)
            .attr("data-id", c.id.as_str())
            .kid(title)
            .kid(Node::new(Tag::Small).class("place").text(c.place.as_str()))
            .kid(mute)
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
    if !seen.profile.is_empty() {
        row("Front end", &seen.profile);
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
        for (what, value) in &nb.vitals {
            row(what, value);
        }
    }
    part("sees", "What nbmedic sees").kid(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_there_and_what_is_missing() {
        assert_eq!(popup(&Seen::default()).kids[0].class, "empty");
        let tree = popup(&Seen {
            profile: "colab".into(),
            landmarks: vec![("resources".into(), 0), ("cells".into(), 3)],
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
            "3 found",
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
    }
}
