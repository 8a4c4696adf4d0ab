//! The card under a cell: what happened and what to do; everything else is one click away.

use super::blocks::{blocks, inlines};
use super::brief::brief;
use super::clues::{Spot, Statement};
use super::fixes::{fix, Here};
use super::{cell_name, Action, Node, Tag};
use nbmedic_catalog::Block;
use nbmedic_explain::{plain, Explained, FixText};
use nbmedic_facts::number::fixed;
use nbmedic_facts::{CellName, FixKind};
use nbmedic_triage::Evidence;
use nbmedic_words::{self as words, Say, Text};

/// Maximum number of fixes besides the first one.
const MAX_OTHERS: usize = 2;
/// Maximum number of words on why it happens; the rule's page has the rest.
const MAX_WHY: usize = 120;
/// Maximum number of lines of evidence.
const MAX_EVIDENCE: usize = 8;

/// Input of a card besides the explained diagnosis.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardContext<'a> {
    /// The card's key.
    pub card: &'a str,
    /// `error`, `warning` or `info`.
    pub severity: &'a str,
    /// The failing line of the user's cell: its number from 1 and its text.
    pub line: Option<(u32, &'a str)>,
    /// The probe's values: names, and what they stood for.
    pub values: &'a [(String, String)],
    /// The reported line may not be the cause.
    pub late: bool,
    /// Evidence besides the output.
    pub known: &'a [Statement],
    /// Checks that found no reason.
    pub unknown: &'a [Say],
    /// Another cell to look at: its id and its name for people.
    pub goto: Option<(&'a str, CellName)>,
    /// Further problems in the same output.
    pub further: &'a [String],
    /// Other diagnoses that the same text could mean.
    pub also: &'a [String],
    /// The page on which it is shown.
    pub here: Here<'a>,
    /// Whether the kernel died of an unknown cause without a probe, which could have named it.
    pub probe: bool,
    /// Whether it is no problem: a few words say so.
    pub note: bool,
}

/// The card of a diagnosis.
pub fn card(e: &Explained<'_>, context: &CardContext<'_>) -> Node {
    let d = e.diagnosis;
    let cause = e.cause();
    let title = words::foreign(e.title.as_str());
    let mut card = match &cause {
        // The specific cause comes first, the general name of such failures second.
        Some((cause, _)) => {
            let name = plain(&[Block::P(cause.clone())]).replace('`', "");
            let heading = inlines(Node::new(Tag::H2), cause);
            frame(context, words::foreign(name), heading)
                .attr("data-id", d.id)
                .kid(Node::new(Tag::P).class("kind").text(title))
        }
        None => {
            let heading = Node::new(Tag::H2).text(title.clone());
            frame(context, title, heading).attr("data-id", d.id)
        }
    };
    if let Some(variant) = d.variant {
        card = card.attr("data-variant", variant);
    }
    card = card.attr("data-confidence", fixed(d.confidence.into(), 2));
    let first = e.fixes.first();
    let cure = first.filter(|f| f.is_cure());
    // With a cure at hand, the headline is enough.
    if cure.is_none() {
        card.kids.extend(summary(&e.summary));
    }
    let beside = context.known.iter().filter(|k| k.spot == Spot::Summary);
    card.kids
        .extend(beside.map(|k| Node::new(Tag::P).class("summary").text(k.text.clone())));
    card.kids.extend(place(context, cure));
    card.kids.extend(values(context.values));
    if cure.is_none_or(|f| f.kind != FixKind::Run) {
        card.kids
            .extend(context.goto.map(|(cell, name)| goto(cell, name)));
    }
    if context.note {
        let evidence = evidence_section(&e.diagnosis.evidence, context.known);
        return card
            .kids(evidence.map(|section| more("more", words::why(), vec![section])))
            .kid(dismiss(context.card));
    }
    let mut others = &e.fixes[..];
    if context.probe {
        card = card.kid(probe(context));
    } else if let Some((first, rest)) = e.fixes.split_first() {
        others = rest;
        let class = match first.is_cure() {
            true => "first cure",
            false => "first",
        };
        let said = FixText {
            why: cause.map_or_else(|| first.why.clone(), |(_, rest)| rest),
            ..first.clone()
        };
        card = card.kid(fix(Node::new(Tag::Div).class(class), &said, &context.here));
    }
    let others = others.iter().take(MAX_OTHERS);
    let others: Vec<Node> = others
        .map(|f| fix(Node::new(Tag::Li).class("fix"), f, &context.here))
        .collect();
    if !others.is_empty() {
        let list = Node::new(Tag::Ol).kids(others);
        let fixes = Node::new(Tag::Section).class("fixes").kid(list);
        card = card.kid(more("more others", words::else_to_do(), vec![fixes]));
    }
    let body = body(e, cure.is_some(), context);
    if !body.is_empty() {
        card = card.kid(more("more", words::why(), body));
    }
    card.kid(foot(d.id, context)).kid(dismiss(context.card))
}

/// A part that is folded at first.
fn more(class: &str, title: Say, body: Vec<Node>) -> Node {
    Node::new(Tag::Details)
        .class(class)
        .kid(Node::new(Tag::Summary).text(title))
        .kid(Node::new(Tag::Div).class("body").kids(body))
}

/// Evidence that would have shown why the kernel died.
fn probe(context: &CardContext<'_>) -> Node {
    let mut node = Node::new(Tag::Div)
        .class("first cure")
        .attr("data-fix", "start-probe")
        .kid(
            Node::new(Tag::Header).kid(
                Node::new(Tag::Strong)
                    .class("fix-title")
                    .text(words::probe_before()),
            ),
        )
        .kid(Node::new(Tag::P).text(words::probe_would()));
    if context.here.inserts {
        let put = Node::new(Tag::Button)
            .class("below")
            .attr("type", "button")
            .text(words::probe_put())
            .act(Action::Probe);
        node = node.kid(Node::new(Tag::Div).class("do").kid(put));
    }
    node
}

/// The card of an error that is only a consequence of an earlier one.
pub fn consequence(
    id: &str,
    cause: CellName,
    cause_cell: &str,
    evidence: &[Evidence],
    context: &CardContext<'_>,
) -> Node {
    let title = words::consequence(cell_name(cause));
    let text = words::consequence_why(cell_name(cause));
    let heading = Node::new(Tag::H2).text(title.clone());
    let mut card = frame(context, title.into(), heading)
        .attr("data-id", id)
        .attr("data-consequence", "true")
        .kid(Node::new(Tag::P).class("summary").text(text));
    card.kids.extend(place(context, None));
    card = card.kid(goto(cause_cell, cause));
    if let Some(section) = evidence_section(evidence, &[]) {
        card = card.kid(more("more", words::what_printed(), vec![section]));
    }
    card.kid(foot(id, context)).kid(dismiss(context.card))
}

/// The card of a failure of which nothing more is known than its message: one line.
pub(super) fn unexplained(e: &Explained<'_>, context: &CardContext<'_>) -> Node {
    let title = words::foreign(e.title.as_str());
    let heading = Node::new(Tag::H2).text(title.clone());
    let context = CardContext {
        severity: "info",
        note: true,
        ..*context
    };
    let missed = button("missed", words::report_missed(), Action::Preview)
        .label("title", words::report_missed_what());
    let does = Node::new(Tag::Div)
        .class("do")
        .kid(assistant(context.card))
        .kid(missed);
    let mut card = frame(&context, title, heading).attr("data-unexplained", e.diagnosis.id);
    if let Some(head) = card.kids.first_mut() {
        head.kids.push(does);
    }
    card.kids.extend(values(context.values));
    card.kid(dismiss(context.card))
}

/// The line that replaces a card after a run has shown that its problem is gone.
pub(super) fn line(card: &str, title: Say) -> Node {
    let heading = Node::new(Tag::H2).text(title.clone());
    let context = CardContext {
        card,
        severity: "solved",
        ..CardContext::default()
    };
    frame(&context, title.into(), heading).kid(dismiss(card))
}

fn goto(cell: &str, name: CellName) -> Node {
    let button = Node::new(Tag::Button)
        .class("goto")
        .attr("type", "button")
        .text(words::go_to(cell_name(name)))
        .act(Action::Goto {
            cell: cell.to_owned(),
        });
    Node::new(Tag::Div).class("elsewhere").kid(button)
}

/// A card with the accessible name `name` and a heading.
fn frame(context: &CardContext<'_>, name: Text, heading: Node) -> Node {
    let note = if context.note { " quiet" } else { "" };
    Node::new(Tag::Section)
        .class(&format!("card {}{note}", context.severity))
        .label("aria-label", words::card_name(name))
        .kid(
            Node::new(Tag::Header)
                .class("head")
                .kid(Node::new(Tag::Span).class("badge").foreign("nbmedic"))
                .kid(heading.class("title")),
        )
}

/// The button that takes a card away. It is the last one that the Tab key reaches.
fn dismiss(card: &str) -> Node {
    Node::new(Tag::Button)
        .class("icon dismiss")
        .attr("type", "button")
        .label("aria-label", words::dismiss())
        .foreign("×")
        .act(Action::Dismiss {
            card: card.to_owned(),
        })
}

fn summary(list: &[Block]) -> Vec<Node> {
    let one = |b: &Block| match b {
        Block::P(p) => inlines(Node::new(Tag::P).class("summary"), p),
        other => blocks(std::slice::from_ref(other)).remove(0),
    };
    list.iter().map(one).collect()
}

/// The failing line, unless a cure shows a change in its cell, or asks for other cells to run.
fn place(context: &CardContext<'_>, cure: Option<&FixText>) -> Option<Node> {
    let mut place = Node::new(Tag::Div).class("where");
    let mut diff = cure.into_iter().flat_map(|f| &f.diff);
    let shown = diff.any(|l| Some(l.cell) == context.here.position)
        || cure.is_some_and(|f| f.kind == FixKind::Run);
    if let Some((number, text)) = context.line.filter(|_| !shown) {
        place = place.kid(
            Node::new(Tag::Code)
                .class("line")
                .kid(
                    Node::new(Tag::Span)
                        .class("lineno")
                        .foreign(number.to_string()),
                )
                .kid(Node::new(Tag::Span).class("text").foreign(text.trim())),
        );
    }
    if context.late {
        place = place.kid(Node::new(Tag::Small).class("note").text(words::late()));
    }
    (!place.kids.is_empty()).then_some(place)
}

/// The values of the names on the failing line, folded.
fn values(all: &[(String, String)]) -> Option<Node> {
    let row = |(name, said): &(String, String)| {
        let name = Node::new(Tag::Code).foreign(name.as_str());
        Node::new(Tag::Tr)
            .kid(Node::new(Tag::Th).kid(name))
            .kid(Node::new(Tag::Td).foreign(said.as_str()))
    };
    let rows = Node::new(Tag::Tbody).kids(all.iter().map(row));
    let table = Node::new(Tag::Table).kid(rows);
    (!all.is_empty()).then(|| more("more values", words::values_then(), vec![table]))
}

fn section(class: &str, title: Say) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

fn body(e: &Explained<'_>, cured: bool, context: &CardContext<'_>) -> Vec<Node> {
    let mut body = Vec::new();
    let mut why = Vec::new();
    if cured {
        why.extend(e.summary.iter().cloned());
    }
    why.extend(e.meaning.iter().chain(&e.why).cloned());
    if !why.is_empty() {
        let rule = Action::Rule {
            id: e.diagnosis.id.to_owned(),
            variant: e.diagnosis.variant.unwrap_or_default().to_owned(),
        };
        let whole = button("rule", words::more_about_this(), rule);
        let why = blocks(&brief(&why, MAX_WHY));
        body.push(Node::new(Tag::Section).class("why").kids(why).kid(whole));
    }
    body.extend(evidence_section(&e.diagnosis.evidence, context.known));
    if !context.unknown.is_empty() {
        body.push(
            section("unknown", words::looked()).kid(items(
                context
                    .unknown
                    .iter()
                    .map(|t| Node::new(Tag::Li).text(t.clone())),
            )),
        );
    }
    if !context.further.is_empty() || !context.also.is_empty() {
        let item = |class: &'static str| {
            move |t: &String| Node::new(Tag::Li).class(class).foreign(t.as_str())
        };
        let further = context.further.iter().map(item("further"));
        let also = context.also.iter().map(item("possible"));
        let title = match context.further.is_empty() {
            true => words::also_possible(),
            false => words::also_found(),
        };
        body.push(section("also", title).kid(items(further.chain(also))));
    }
    body
}

fn items(list: impl Iterator<Item = Node>) -> Node {
    Node::new(Tag::Ul).kids(list)
}

/// The lines that a diagnosis is based on, and the clues. Line number 0 means unknown.
fn evidence_section(evidence: &[Evidence], known: &[Statement]) -> Option<Node> {
    let seen = known
        .iter()
        .map(|k| row("known", k.label.clone(), k.text.clone()));
    let lines = evidence.iter().map(|e| {
        let number = match e.line {
            0 => words::output().into(),
            n => Text::from(n),
        };
        row("", number, words::foreign(e.text.as_str()))
    });
    let rows: Vec<Node> = seen.chain(lines).take(MAX_EVIDENCE).collect();
    (!rows.is_empty())
        .then(|| section("evidence", words::rests_on()).kid(Node::new(Tag::Ol).kids(rows)))
}

fn row(class: &str, at: Text, text: Text) -> Node {
    Node::new(Tag::Li)
        .class(class)
        .kid(Node::new(Tag::Small).class("lineno").text(at))
        .kid(Node::new(Tag::Code).text(text))
}

fn button(class: &str, text: Say, act: Action) -> Node {
    Node::new(Tag::Button)
        .class(class)
        .attr("type", "button")
        .text(text)
        .act(act)
}

fn foot(id: &str, context: &CardContext<'_>) -> Node {
    let mut foot = Node::new(Tag::Footer).class("foot");
    // Only pages have more content than the card shows.
    if !context.card.is_empty() {
        foot = foot.kid(assistant(context.card));
    }
    foot.kid(
        Node::new(Tag::Small)
            .class("id")
            .kid(Node::new(Tag::Code).foreign(id)),
    )
}

/// The button that copies what an assistant needs to know of a card's problem.
fn assistant(card: &str) -> Node {
    let act = Action::Assistant {
        card: card.to_owned(),
    };
    button("assistant", words::copy_assistant(), act).label("title", words::copy_assistant_what())
}
