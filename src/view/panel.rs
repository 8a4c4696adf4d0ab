//! A session in the side panel: what is wrong, what happened when, and what nbmedic can see.

use super::{Action, Node, Tag};
use nbmedic_words::{self as words, Say, Text};

/// Whether a problem is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its cell has not run since.
    Open,
    /// The previous run of the same cell had it too.
    Again,
    /// A later run of its cell did not have it.
    Gone,
}

impl State {
    fn class(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Again => "again",
            State::Gone => "gone",
        }
    }

    fn words(self) -> Say {
        match self {
            State::Open => words::state_open(),
            State::Again => words::state_again(),
            State::Gone => words::state_gone(),
        }
    }
}

/// A problem of the session.
#[derive(Clone, Debug)]
pub struct PanelProblem {
    /// One line.
    pub title: Text,
    /// The diagnosis.
    pub id: String,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// What people call its cell, or the notebook.
    pub place: Text,
    /// Its cell.
    pub cell: Option<String>,
    /// Whether it is still there.
    pub state: State,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct PanelEvent {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `run`, `failure`, `death`, `restart` or `install`.
    pub kind: &'static str,
    /// What, in a few words.
    pub label: Text,
    /// More about it; may be empty.
    pub text: Text,
    /// Its cell.
    pub cell: Option<String>,
}

/// What the panel shows of one notebook.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// The notebook's name.
    pub name: String,
    /// The kernel's status.
    pub kernel: Text,
    /// What limits the current run, in one line.
    pub limit: Option<Text>,
    /// The problems: open ones first, then the newest.
    pub problems: Vec<PanelProblem>,
    /// What happened, oldest first.
    pub events: Vec<PanelEvent>,
    /// What nbmedic can see and cannot see here.
    pub sees: Option<Node>,
}

/// The panel's tree. The page draws the curves into `div.chart`.
pub fn panel(p: &Panel) -> Node {
    let name = match p.name.is_empty() {
        true => words::panel_nameless().into(),
        false => words::foreign(p.name.as_str()),
    };
    let line = |class, text: Text| Node::new(Tag::P).class(class).text(text);
    let header = Node::new(Tag::Header)
        .class("notebook")
        .kid(Node::new(Tag::H2).text(name))
        .kid(line("kernel", words::panel_kernel(p.kernel.clone()).into()))
        .kids(
            p.limit
                .iter()
                .map(|text| line("kernel limits", text.clone())),
        );
    let mut tree = Node::new(Tag::Section)
        .class("session")
        .kid(header)
        .kid(Node::new(Tag::Div).class("chart"))
        .kid(problems(&p.problems))
        .kid(events(&p.events));
    if let Some(sees) = &p.sees {
        tree = tree.kid(sees.clone());
    }
    tree
}

fn part(class: &str, title: Say) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

/// A title that links to its cell, if it has one.
fn goto(class: &str, text: Text, cell: Option<&String>) -> Node {
    match cell {
        Some(cell) => Node::new(Tag::Button)
            .class(class)
            .attr("type", "button")
            .text(text)
            .act(Action::Goto { cell: cell.clone() }),
        None => Node::new(Tag::Span).class(class).text(text),
    }
}

fn problems(list: &[PanelProblem]) -> Node {
    let open = list.iter().filter(|p| p.state != State::Gone).count();
    let title = match (open, list.len()) {
        (0, 0) => words::no_problem(),
        (0, _) => words::no_open(),
        (1, _) => words::one_open(),
        (n, _) => words::open_problems(n),
    };
    let part = part("problems", title);
    if list.is_empty() {
        let text = words::problems_here();
        return part.kid(Node::new(Tag::P).class("empty").text(text));
    }
    part.kid(Node::new(Tag::Ul).kids(list.iter().map(|p| {
        let place = match p.place.is_empty() {
            true => p.state.words(),
            false => words::place_state(p.place.clone(), p.state.words()),
        };
        Node::new(Tag::Li)
            .class(&format!("{} {}", p.severity, p.state.class()))
            .attr("data-id", p.id.as_str())
            .kid(goto("goto", p.title.clone(), p.cell.as_ref()))
            .kid(Node::new(Tag::Small).class("place").text(place))
    })))
}

fn events(list: &[PanelEvent]) -> Node {
    let part = part("events", words::happened());
    if list.is_empty() {
        let text = words::happened_none();
        return part.kid(Node::new(Tag::P).class("empty").text(text));
    }
    let rows = list.iter().rev().map(|e| {
        let mut row = Node::new(Tag::Li)
            .class(e.kind)
            .kid(
                Node::new(Tag::Span)
                    .class("when")
                    .attr("data-at", e.at.to_string()),
            )
            .kid(goto("goto", e.label.clone(), e.cell.as_ref()));
        if !e.text.is_empty() {
            row = row.kid(Node::new(Tag::Small).class("more").text(e.text.clone()));
        }
        row
    });
    part.kid(Node::new(Tag::Ol).kids(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(p: &Panel) -> String {
        serde_json::to_string(&panel(p).english()).expect("a tree")
    }

    #[test]
    fn problems_say_whether_they_are_still_there() {
        let problem = |state| PanelProblem {
            title: words::foreign("T"),
            id: "gpu-oom".into(),
            severity: "error",
            place: words::cell_place(3u32).into(),
            cell: Some("c".into()),
            state,
        };
        let text = json(&Panel {
            problems: vec![problem(State::Again), problem(State::Gone)],
            ..Panel::default()
        });
        for want in ["1 open problem", "same as before", "gone after a re-run"] {
            assert!(text.contains(want), "{want}: {text}");
        }
        assert!(json(&Panel::default()).contains("No problem seen"));
    }

    #[test]
    fn the_newest_event_stands_first() {
        let event = |at, label: &str| PanelEvent {
            at,
            kind: "run",
            label: words::foreign(label),
            text: words::foreign(nbmedic_session::duration(7_500_000)),
            cell: None,
        };
        let text = json(&Panel {
            events: vec![event(1, "first"), event(2, "second")],
            ..Panel::default()
        });
        assert!(text.find("second") < text.find("first"));
        assert!(text.contains("2 h 5 min"));
    }
}
