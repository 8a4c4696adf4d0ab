//! The popup's view of a tab.

use super::{check, Action, Check, Node, Tag};
use nbmedic_words::{self as words, Say, Text};

/// Number of problems that are shown unfolded.
const LATEST: usize = 3;

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
    /// Quantity, and its reading or the reason why there is none.
    pub vitals: Vec<(Text, Text)>,
}

/// An open card.
#[derive(Clone, Debug, Default)]
pub struct OpenCard {
    /// Its title.
    pub title: Text,
    /// The title of its first fix; may be empty.
    pub fix: Text,
    /// The execution count of its cell; none for the notebook, or for a run that has none.
    pub count: Option<i64>,
    /// The cell's name for people; empty for the notebook.
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
    /// The result of the check of the front end's page.
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
    let changed = seen.check.changed();
    let mut section = section.kid(line(seen));
    // Broken readings come first: the list below may be incomplete.
    if changed {
        section = section.kid(check(&seen.check));
    }
    section = section.kid(cards(&seen.cards));
    let mut sees = sees(seen);
    if !changed {
        sees = sees.kid(check(&seen.check));
    }
    section.kid(sees)
}

/// The state of the page in one line: front end, notebook, kernel, accelerator.
fn line(seen: &Seen) -> Node {
    let mut parts: Vec<Text> = Vec::new();
    if !seen.check.front_end.is_empty() {
        parts.push(words::foreign(seen.check.front_end.as_str()));
    }
    for nb in &seen.notebooks {
        parts.push(cells(nb).into());
        parts.push(nb.kernel.clone());
        if !nb.accelerator.is_empty() {
            parts.push(words::foreign(nb.accelerator.as_str()));
        }
    }
    let all = parts.into_iter().filter(|p| !p.is_empty());
    let text = all.reduce(|a, b| words::place_state(a, b).into());
    Node::new(Tag::P)
        .class("line")
        .text(text.unwrap_or_default())
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
    // The latest first; an event that ended the kernel has no count.
    let mut latest: Vec<&OpenCard> = cards.iter().collect();
    latest.sort_by_key(|c| std::cmp::Reverse(c.count.unwrap_or(i64::MAX)));
    let (first, rest) = latest.split_at(latest.len().min(LATEST));
    let list = |cards: &[&OpenCard]| Node::new(Tag::Ul).kids(cards.iter().map(|c| item(c)));
    let part = part.kid(list(first));
    if rest.is_empty() {
        return part;
    }
    let more = Node::new(Tag::Summary).text(words::more_problems(rest.len()));
    part.kid(
        Node::new(Tag::Details)
            .class("rest")
            .kid(more)
            .kid(list(rest)),
    )
}

/// A problem: its title, which links to its cell, its fix, and a menu that mutes it.
fn item(c: &OpenCard) -> Node {
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
    let id = words::foreign(c.id.as_str());
    let mut menu = Node::new(Tag::Details)
        .class("menu")
        .kid(Node::new(Tag::Summary).text(words::mute()))
        .kid(mute(words::never_show(id), words::mute_kind(), &c.id, ""));
    if let Some((id, name)) = &c.code {
        let label = words::never_under(c.place.clone());
        menu = menu.kid(mute(label, words::mute_cell(), id, name));
    }
    let mut item = Node::new(Tag::Li)
        .class(c.severity)
        .attr("data-id", c.id.as_str())
        .kid(title)
        .kid(Node::new(Tag::Small).class("place").text(c.place.clone()));
    if !c.fix.is_empty() {
        item = item.kid(Node::new(Tag::P).class("first").text(c.fix.clone()));
    }
    item.kid(menu)
}

/// The notebook's name and its number of cells.
fn cells(nb: &SeenNotebook) -> Say {
    let name = words::foreign(nb.name.as_str());
    match (nb.name.is_empty(), nb.cells) {
        (true, 1) => words::without_name_one(),
        (true, n) => words::without_name(n),
        (false, 1) => words::named_cell(name),
        (false, n) => words::named_cells(name, n),
    }
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
        row(words::notebook().into(), cells(nb).into());
        row(words::kernel().into(), nb.kernel.clone());
        if !nb.accelerator.is_empty() {
            let name = words::foreign(nb.accelerator.as_str());
            row(words::accelerator().into(), name);
        }
        for (what, value) in &nb.vitals {
            row(what.clone(), value.clone());
        }
    }
    Node::new(Tag::Details)
        .class("sees")
        .kid(Node::new(Tag::Summary).text(words::sees()))
        .kid(list)
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

    #[test]
    fn shows_the_latest_problems_and_folds_the_others() {
        let cards = [Some(2), Some(9), None, Some(4), Some(7)];
        let cards = cards.map(|count| OpenCard {
            id: count.map_or_else(|| "died".into(), |n: i64| n.to_string()),
            fix: words::foreign("Do this"),
            count,
            ..OpenCard::default()
        });
        let tree = super::cards(&cards);
        let ids = |list: &Node| -> Vec<String> {
            let json = serde_json::to_string(list).unwrap();
            json.split(r#""data-id":""#)
                .skip(1)
                .map(|at| at[..at.find('"').unwrap()].to_owned())
                .collect()
        };
        assert_eq!(ids(&tree.kids[1]), ["died", "9", "7"]);
        assert_eq!(
            (tree.kids[2].tag, ids(&tree.kids[2])),
            (Tag::Details, vec!["4".into(), "2".into()])
        );
        let shown = serde_json::to_string(&tree.kids[1].clone().english()).unwrap();
        assert_eq!(shown.matches("Do this").count(), LATEST);
    }
}
