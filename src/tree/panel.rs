//! A session in the side panel: what is wrong, what happened when, and what nbmedic can see.
//!
//! The engine sends what it knows; the page groups it and draws it.

use super::{Action, Node, Tag};
use nbmedic_words::{self as words, foreign, Say, Text};
use serde::{Deserialize, Serialize};

/// From this many characters on, a message is shown up to the end of its first sentence.
const LONG: usize = 90;

/// A problem of the session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelProblem {
    /// One line.
    pub title: Text,
    /// The diagnosis.
    pub id: String,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// What people call its cell; empty for the notebook as a whole.
    pub place: Text,
    /// Its cell.
    pub cell: Option<String>,
    /// What its first fix says to do; may be empty.
    pub fix: Text,
    /// The first fix's code; may be empty.
    pub code: String,
    /// What solved it; empty while it is open.
    pub solved: Text,
}

/// Something that happened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelEvent {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `run`, `failure`, `death`, `restart` or `install`.
    pub kind: String,
    /// The cell, or what happened, in a few words.
    pub label: Text,
    /// More about it; may be empty.
    pub text: Text,
    /// The diagnosis of what a cell printed; empty for none.
    pub id: String,
    /// What went wrong: a title, or the message itself. Empty if nothing did.
    pub told: Text,
    /// Its cell.
    pub cell: Option<String>,
}

/// What the panel shows of one notebook.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Panel {
    /// The notebook's name.
    pub name: String,
    /// The kernel's status.
    pub kernel: Text,
    /// What limits the current run, in one line.
    pub limit: Option<Text>,
    /// The problems, in the order of the cells, then those that are gone.
    pub problems: Vec<PanelProblem>,
    /// What happened, oldest first.
    pub events: Vec<PanelEvent>,
    /// What nbmedic can see and cannot see here.
    pub sees: Option<Node>,
}

impl Panel {
    /// The panel's tree. The page draws the curves into `div.chart`.
    pub fn draw(mut self) -> Node {
        self.tell();

        let name = match self.name.is_empty() {
            true => words::panel_nameless().into(),
            false => foreign(self.name.as_str()),
        };
        let line = |class, text: Text| Node::new(Tag::P).class(class).text(text);
        let kernel = words::panel_kernel(self.kernel.clone()).into();
        let header = Node::new(Tag::Header)
            .class("notebook")
            .kid(Node::new(Tag::H2).text(name))
            .kid(line("kernel", kernel))
            .kids(
                self.limit
                    .iter()
                    .map(|text| line("kernel limits", text.clone())),
            );
        let (problems, timeline) = (self.problems(), self.timeline());
        Node::new(Tag::Section)
            .class("session")
            .kid(header)
            .kid(Node::new(Tag::Div).class("chart"))
            .kid(problems)
            .kid(timeline)
            .kids(self.sees)
    }

    /// Tells the failures of the timeline by the titles of the problems that they still are.
    fn tell(&mut self) {
        for p in self.problems.iter().filter(|p| p.solved.is_empty()) {
            let of = |e: &&mut PanelEvent| e.cell == p.cell && e.id == p.id && !e.told.is_empty();
            let mut of = self.events.iter_mut().filter(of).rev();
            let Some(last) = of.next() else {
                continue;
            };
            let told = std::mem::replace(&mut last.told, p.title.clone());
            for e in of.filter(|e| e.told == told) {
                e.told.clone_from(&p.title);
            }
        }
    }

    fn problems(&self) -> Node {
        let (solved, open) = self.groups();
        let title = match (open.len(), solved.len()) {
            (0, 0) => words::no_problem(),
            (0, _) => words::no_open(),
            (1, _) => words::one_open(),
            (n, _) => words::open_problems(n),
        };
        let mut part = part("problems", title);
        if open.is_empty() && solved.is_empty() {
            let text = words::problems_here();
            return part.kid(Node::new(Tag::P).class("empty").text(text));
        }
        if !open.is_empty() {
            part = part.kid(Node::new(Tag::Ul).kids(open.iter().map(Group::draw)));
        }
        if solved.is_empty() {
            return part;
        }
        let count = match solved.len() {
            1 => words::solved_one(),
            n => words::solved_some(n),
        };
        part.kid(
            Node::new(Tag::Details)
                .class("solved")
                .kid(Node::new(Tag::Summary).text(count))
                .kid(Node::new(Tag::Ul).kids(solved.iter().map(Group::draw))),
        )
    }

    /// The problems that are solved and those that are open, those with the same cause together.
    fn groups(&self) -> (Vec<Group<'_>>, Vec<Group<'_>>) {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for p in &self.problems {
            let same = |g: &&mut Group<'_>| {
                let is_open = g.last.solved.is_empty() == p.solved.is_empty();
                is_open && g.last.id == p.id && g.last.title == p.title
            };
            let (seen, at) = self.seen(p);
            match groups.iter_mut().find(same) {
                Some(g) => {
                    g.count += seen.max(1);
                    if at > g.at {
                        (g.last, g.at) = (p, at);
                    }
                }
                None => groups.push(Group {
                    last: p,
                    count: seen.max(1),
                    at,
                }),
            }
        }
        groups.into_iter().partition(|g| !g.last.solved.is_empty())
    }

    /// How often a problem was seen in its cell, and when last.
    fn seen(&self, p: &PanelProblem) -> (usize, u64) {
        let of = self.events.iter().filter(|e| {
            e.cell == p.cell
                && match e.kind.as_str() {
                    "death" => true,
                    _ => e.id == p.id && e.told == p.title,
                }
        });
        let at = of.clone().map(|e| e.at).max();
        let told = of.filter(|e| e.kind != "death" && e.cell.is_some());
        (told.count(), at.unwrap_or(0))
    }

    fn timeline(&self) -> Node {
        let part = part("events", words::happened());
        if self.events.is_empty() {
            let text = words::happened_none();
            return part.kid(Node::new(Tag::P).class("empty").text(text));
        }
        let mut rows: Vec<Row<'_>> = Vec::new();
        for event in &self.events {
            let mut row = Row {
                event,
                run: None,
                count: 1,
            };
            match rows.last_mut() {
                Some(before) if event.repeats(before.event) => {
                    row.count += before.count;
                    *before = row;
                }
                Some(before) if event.is_in(before.event) => {
                    row.run = Some(before.event);
                    *before = row;
                }
                _ => rows.push(row),
            }
        }
        part.kid(Node::new(Tag::Ol).kids(rows.iter().rev().map(Row::draw)))
    }
}

/// Problems with the same cause.
struct Group<'a> {
    /// The one that was seen last.
    last: &'a PanelProblem,
    count: usize,
    at: u64,
}

impl Group<'_> {
    fn draw(&self) -> Node {
        let p = self.last;
        let open = p.solved.is_empty();
        let class = if open { p.severity.as_str() } else { "gone" };
        let mut title = Node::new(Tag::P)
            .class("cause")
            .kid(Node::new(Tag::Span).class("title").text(p.title.clone()));
        if self.count > 1 {
            title = title.kid(times(self.count));
        }
        let mut place = Node::new(Tag::P).class("place");
        if !p.place.is_empty() {
            let text = match self.count {
                1 => p.place.clone(),
                _ => words::last_in(p.place.clone()).into(),
            };
            place = place.kid(goto(text, p.cell.as_ref()));
        }
        if !open {
            place = place.kid(Node::new(Tag::Span).text(p.solved.clone()));
        }
        if !p.fix.is_empty() {
            place = place.kid(Node::new(Tag::Span).class("fix").text(p.fix.clone()));
        }
        let mut item = Node::new(Tag::Li)
            .class(class)
            .attr("data-id", p.id.as_str())
            .kid(title)
            .kid(place);
        if open {
            item = item.kids(self.button());
        }
        item
    }

    /// Copies the fix, or leads to the card.
    fn button(&self) -> Option<Node> {
        let p = self.last;
        let (text, act) = match &p.cell {
            _ if !p.code.is_empty() => {
                let text = p.code.clone();
                (words::command_copy(), Action::Copy { text })
            }
            Some(cell) => {
                let cell = cell.clone();
                (words::go_to(p.place.clone()), Action::Goto { cell })
            }
            None => return None,
        };
        let button = Node::new(Tag::Button)
            .class("do")
            .attr("type", "button")
            .text(text.clone());
        // Several problems have the same button.
        let name = words::named_thing(text, p.title.clone());
        Some(button.label("aria-label", name).act(act))
    }
}

/// A row of the timeline.
struct Row<'a> {
    event: &'a PanelEvent,
    /// The run of a cell that it says more about.
    run: Option<&'a PanelEvent>,
    count: usize,
}

impl Row<'_> {
    fn draw(&self) -> Node {
        let e = self.event;
        let both = |first: &Text, second: &Text| match (first.is_empty(), second.is_empty()) {
            (true, _) => second.clone(),
            (_, true) => first.clone(),
            _ => words::place_state(first.clone(), second.clone()).into(),
        };
        let (class, title, more) = match (e.told.is_empty(), e.kind.as_str()) {
            (true, kind) => (kind, e.label.clone(), e.text.clone()),
            (false, "run") => ("found", point(&e.told), both(&e.label, &e.text)),
            (false, kind) => (kind, point(&e.told), both(&e.label, &e.text)),
        };
        let more = match self.run {
            Some(run) => both(&more, &both(&run.label, &run.text)),
            None => more,
        };
        let mut what = Node::new(Tag::Span)
            .class("what")
            .kid(goto(title, e.cell.as_ref()));
        if self.count > 1 {
            what = what.kid(times(self.count));
        }
        let row = Node::new(Tag::Li)
            .class(class)
            .kid(
                Node::new(Tag::Span)
                    .class("when")
                    .attr("data-at", e.at.to_string()),
            )
            .kid(what);
        match more.is_empty() {
            true => row,
            false => row.kid(Node::new(Tag::Small).class("more").text(more)),
        }
    }
}

impl PanelEvent {
    /// Whether it only happened once more. A run in progress stands alone, as do deaths and restarts.
    fn repeats(&self, before: &PanelEvent) -> bool {
        let runs = matches!(self.kind.as_str(), "run" | "failure");
        let same = self.kind == before.kind && self.cell.is_some() && self.cell == before.cell;
        runs && same && self.told == before.told && self.text != words::running().into()
    }

    /// Whether it says more about a run: what it installed, or that the kernel died in it.
    fn is_in(&self, run: &PanelEvent) -> bool {
        let ended = match self.kind.as_str() {
            "death" => run.kind == "failure" && run.id.is_empty(),
            "install" => run.kind == "run" && run.told.is_empty(),
            _ => false,
        };
        ended && self.cell.is_some() && self.cell == run.cell
    }
}

/// The point of a long message: its first sentence.
fn point(told: &Text) -> Text {
    match told {
        Text::Foreign(said) if said.chars().count() > LONG => {
            let end = said.find(". ").map_or(said.len(), |at| at + 1);
            foreign(&said[..end])
        }
        _ => told.clone(),
    }
}

fn part(class: &str, title: Say) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

fn times(count: usize) -> Node {
    Node::new(Tag::Span)
        .class("times")
        .foreign(format!("× {count}"))
}

/// A text that links to a cell, if there is one.
fn goto(text: Text, cell: Option<&String>) -> Node {
    match cell {
        Some(cell) => Node::new(Tag::Button)
            .class("goto")
            .attr("type", "button")
            .text(text)
            .act(Action::Goto { cell: cell.clone() }),
        None => Node::new(Tag::Span).class("goto").text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(title: &str, cell: &str, solved: &str) -> PanelProblem {
        PanelProblem {
            title: foreign(title),
            id: "name-undefined".to_owned(),
            severity: "error".to_owned(),
            place: foreign(format!("cell {cell}")),
            cell: Some(cell.to_owned()),
            fix: foreign("Import it"),
            solved: foreign(solved),
            ..PanelProblem::default()
        }
    }

    fn event(at: u64, kind: &str, cell: &str, told: &str) -> PanelEvent {
        PanelEvent {
            at,
            kind: kind.to_owned(),
            label: foreign(format!("Cell {cell} [{at}]")),
            text: foreign(format!("{at} s")),
            id: if told.is_empty() {
                ""
            } else {
                "name-undefined"
            }
            .to_owned(),
            told: foreign(told),
            cell: Some(cell.to_owned()),
        }
    }

    /// The texts of a tree, and what its buttons do.
    fn texts(node: &Node) -> Vec<String> {
        let text = node.text.english();
        let mut all = vec![text];
        all.extend(node.act.as_ref().map(|act| format!("{act:?}")));
        all.extend(node.kids.iter().flat_map(texts));
        all.retain(|text| !text.is_empty());
        all
    }

    /// The part of that class, and its list's rows.
    fn rows(node: &Node, class: &str) -> Vec<String> {
        let lists = |n: &Node| n.class == class;
        let part = node.kids.iter().find(|n| lists(n)).expect("the part");
        let list = part
            .kids
            .iter()
            .find(|n| matches!(n.tag, Tag::Ul | Tag::Ol));
        let rows = list.map_or(&[][..], |list| &list.kids);
        rows.iter().map(|row| texts(row).join(" | ")).collect()
    }

    #[test]
    fn problems_with_the_same_cause_are_one_with_their_count_and_the_last_cell() {
        let mut p = Panel {
            problems: vec![
                problem("No cell imports np", "b", ""),
                problem("No cell imports np", "a", ""),
                problem("No cell imports pd", "c", ""),
            ],
            events: vec![
                event(1, "failure", "b", "No cell imports np"),
                event(2, "failure", "c", "No cell imports pd"),
                event(3, "failure", "b", "No cell imports np"),
                event(4, "failure", "a", "No cell imports np"),
            ],
            ..Panel::default()
        };
        p.problems[2].code = "import pandas as pd".to_owned();
        let tree = p.draw();
        assert!(texts(&tree).contains(&"2 open problems".to_owned()));
        assert_eq!(
            rows(&tree, "problems"),
            [
                "No cell imports np | × 3 | last in cell a | Goto { cell: \"a\" } | Import it | Go to cell a | \
                 Goto { cell: \"a\" }",
                "No cell imports pd | cell c | Goto { cell: \"c\" } | Import it | Copy the fix | \
                 Copy { text: \"import pandas as pd\" }",
            ]
        );
    }

    #[test]
    fn what_is_solved_is_folded_and_says_by_what() {
        let p = Panel {
            problems: vec![
                problem("T", "a", ""),
                problem("T", "b", "Solved: cell 7 ran"),
                problem("U", "b", "Solved: cell 8 ran"),
            ],
            ..Panel::default()
        };
        let tree = p.draw();
        let part = tree.kids.iter().find(|n| n.class == "problems").unwrap();
        let fold = part.kids.iter().find(|n| n.tag == Tag::Details).unwrap();
        assert!(!fold.attrs.contains_key("open"));
        let said = texts(fold).join(" | ");
        assert!(said.starts_with("2 solved | T | cell b"), "{said}");
        assert!(said.contains("Solved: cell 8 ran"), "{said}");
        assert!(!said.contains("Go to"), "nothing is left to do: {said}");
        assert_eq!(rows(&tree, "problems").len(), 1);
        let none = texts(&Panel::default().draw()).join(" | ");
        assert!(none.contains("No problem seen"), "{none}");
    }

    #[test]
    fn the_newest_row_stands_first_and_repeats_are_counted() {
        let long = format!("ValueError: {} ends. Then more", "x".repeat(80));
        let mut install = event(9, "install", "a", "");
        install.label = foreign("pip installed packages");
        install.text = Text::default();
        let mut running = event(11, "run", "a", "No matching distribution");
        running.told = Text::default();
        running.text = words::running().into();
        let p = Panel {
            events: vec![
                event(1, "run", "a", ""),
                event(2, "run", "a", ""),
                event(3, "run", "b", ""),
                event(4, "run", "a", ""),
                event(5, "failure", "a", "KeyError: 'x'"),
                event(6, "failure", "a", "KeyError: 'x'"),
                event(7, "failure", "a", &long),
                event(8, "run", "a", ""),
                install,
                event(10, "run", "a", "No matching distribution"),
                running,
            ],
            ..Panel::default()
        };
        let said: Vec<String> = rows(&p.draw(), "events")
            .iter()
            .map(|row| row.replace(" | Goto { cell: \"a\" }", ""))
            .collect();
        let short = format!("ValueError: {} ends. | Cell a [7] · 7 s", "x".repeat(80));
        assert_eq!(
            said,
            [
                "Cell a [11] | running",
                "No matching distribution | Cell a [10] · 10 s",
                "pip installed packages | Cell a [8] · 8 s",
                &short,
                "KeyError: 'x' | × 2 | Cell a [6] · 6 s",
                "Cell a [4] | 4 s",
                "Cell b [3] | Goto { cell: \"b\" } | 3 s",
                "Cell a [2] | × 2 | 2 s",
            ]
        );
    }

    #[test]
    fn a_death_is_one_row_with_the_run_that_it_ended() {
        let mut death = event(2, "death", "a", "");
        death.label = words::kernel_died().into();
        let p = Panel {
            events: vec![
                PanelEvent {
                    told: foreign("step 7"),
                    ..event(1, "failure", "a", "")
                },
                death,
            ],
            ..Panel::default()
        };
        let said = rows(&p.draw(), "events");
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(
            said[0],
            "The kernel died | Goto { cell: \"a\" } | 2 s · Cell a [1] · 1 s"
        );
    }
}
