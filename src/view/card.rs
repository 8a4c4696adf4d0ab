//! The card under a cell: a short part, and the long text one click deeper.

use super::blocks::{blocks, code, inlines, link};
use super::clues::{Spot, Statement};
use super::{cell_name, Action, Node, Tag};
use nbmedic_catalog::{Applicability, Block};
use nbmedic_explain::{Explained, FixText};
use nbmedic_facts::number::fixed;
use nbmedic_facts::CellName;
use nbmedic_triage::Evidence;
use nbmedic_words::{self as words, Say, Text};

/// What a card needs besides the explained diagnosis.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardContext<'a> {
    /// The card's key.
    pub card: &'a str,
    /// `error`, `warning` or `info`.
    pub severity: &'a str,
    /// The failing line of the user's cell: its number from 1 and its text.
    pub line: Option<(u32, &'a str)>,
    /// The reported line may not be the cause.
    pub late: bool,
    /// Evidence besides the output.
    pub known: &'a [Statement],
    /// What was checked without finding a reason.
    pub unknown: &'a [Say],
    /// Another cell to look at: its id and what people call it.
    pub goto: Option<(&'a str, CellName)>,
    /// Further problems in the same output.
    pub further: &'a [String],
    /// Other diagnoses that the same text could mean.
    pub also: &'a [String],
}

/// The card of a diagnosis.
pub fn card(e: &Explained<'_>, context: &CardContext<'_>) -> Node {
    let d = e.diagnosis;
    let mut card = frame(context, d.id, words::foreign(e.title.as_str()));
    if let Some(variant) = d.variant {
        card = card.attr("data-variant", variant);
    }
    card = card.attr("data-confidence", fixed(d.confidence.into(), 2));
    card.kids.extend(summary(&e.summary));
    let beside = context.known.iter().filter(|k| k.spot == Spot::Summary);
    card.kids
        .extend(beside.map(|k| Node::new(Tag::P).class("summary").text(k.text.clone())));
    card.kids.extend(place(context));
    card.kids
        .extend(context.goto.map(|(cell, name)| goto(cell, name)));
    let (first, rest) = match e.fixes.split_first() {
        Some((first, rest)) => (Some(first), rest),
        None => (None, &[][..]),
    };
    if let Some(fix) = first {
        card = card.kid(self::fix(Node::new(Tag::Div).class("first"), fix));
    }
    let body = body(e, rest, context);
    if !body.is_empty() {
        card = card.kid(
            Node::new(Tag::Details)
                .class("more")
                .kid(Node::new(Tag::Summary).text(words::why_more()))
                .kid(Node::new(Tag::Div).class("body").kids(body)),
        );
    }
    card.kid(foot(d.id))
}

/// The card of an error that only follows from an earlier one.
pub fn consequence(
    id: &str,
    cause: CellName,
    cause_cell: &str,
    evidence: &[Evidence],
    context: &CardContext<'_>,
) -> Node {
    let title = words::consequence(cell_name(cause));
    let text = words::consequence_why(cell_name(cause));
    let mut card = frame(context, id, title.into())
        .attr("data-consequence", "true")
        .kid(Node::new(Tag::P).class("summary").text(text));
    card.kids.extend(place(context));
    card = card.kid(goto(cause_cell, cause));
    if let Some(section) = evidence_section(evidence, &[]) {
        card = card.kid(
            Node::new(Tag::Details)
                .class("more")
                .kid(Node::new(Tag::Summary).text(words::what_printed()))
                .kid(Node::new(Tag::Div).class("body").kid(section)),
        );
    }
    card.kid(foot(id))
}

fn goto(cell: &str, name: CellName) -> Node {
    let button = Node::new(Tag::Button)
        .class("goto")
        .attr("type", "button")
        .text(words::go_to(cell_name(name)))
        .act(Action::Goto {
            cell: cell.to_owned(),
        });
    Node::new(Tag::Div).class("first").kid(button)
}

fn frame(context: &CardContext<'_>, id: &str, title: Text) -> Node {
    let dismiss = Node::new(Tag::Button)
        .class("icon dismiss")
        .attr("type", "button")
        .label("aria-label", words::dismiss())
        .foreign("×")
        .act(Action::Dismiss {
            card: context.card.to_owned(),
        });
    Node::new(Tag::Section)
        .class(&format!("card {}", context.severity))
        .attr("data-id", id)
        .label("aria-label", words::card_name(title.clone()))
        .kid(
            Node::new(Tag::Header)
                .class("head")
                .kid(Node::new(Tag::Span).class("badge").foreign("nbmedic"))
                .kid(Node::new(Tag::H2).class("title").text(title))
                .kid(dismiss),
        )
}

fn summary(list: &[Block]) -> Vec<Node> {
    let one = |b: &Block| match b {
        Block::P(p) => inlines(Node::new(Tag::P).class("summary"), p),
        other => blocks(std::slice::from_ref(other)).remove(0),
    };
    list.iter().map(one).collect()
}

fn place(context: &CardContext<'_>) -> Option<Node> {
    let mut place = Node::new(Tag::Div).class("where");
    if let Some((number, text)) = context.line {
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

fn fix(node: Node, fix: &FixText) -> Node {
    let (class, words) = match fix.applies {
        Applicability::Sure => ("sure sure", words::sure()),
        Applicability::Likely => ("sure likely", words::likely()),
        Applicability::Maybe => ("sure maybe", words::maybe()),
    };
    let mut node = node
        .attr("data-fix", fix.id.as_str())
        .kid(
            Node::new(Tag::Header)
                .kid(
                    Node::new(Tag::Strong)
                        .class("fix-title")
                        .foreign(fix.title.as_str()),
                )
                .kid(Node::new(Tag::Span).class(class).text(words)),
        )
        .kids(blocks(&fix.why));
    if !fix.cost.is_empty() {
        node = node.kid(
            Node::new(Tag::Small)
                .class("cost")
                .foreign(fix.cost.as_str()),
        );
    }
    if !fix.code.is_empty() {
        let copy = Node::new(Tag::Button)
            .class("copy")
            .attr("type", "button")
            .label("aria-label", words::copy_code())
            .text(words::copy())
            .act(Action::Copy {
                text: fix.code.clone(),
            });
        node = node.kid(
            Node::new(Tag::Div)
                .class("code")
                .kid(copy)
                .kid(code(&fix.language, &fix.code)),
        );
    }
    if !fix.proven.is_empty() {
        node = node.kid(
            Node::new(Tag::Small)
                .class("proven")
                .text(fix.proven.clone()),
        );
    }
    node
}

fn section(class: &str, title: Say) -> Node {
    Node::new(Tag::Section)
        .class(class)
        .kid(Node::new(Tag::H3).text(title))
}

fn body(e: &Explained<'_>, rest: &[FixText], context: &CardContext<'_>) -> Vec<Node> {
    let mut body = Vec::new();
    if !e.meaning.is_empty() {
        body.push(section("means", words::means()).kids(blocks(&e.meaning)));
    }
    if !e.why.is_empty() {
        body.push(section("why", words::why()).kids(blocks(&e.why)));
    }
    if !rest.is_empty() {
        let fixes = rest.iter().map(|f| fix(Node::new(Tag::Li).class("fix"), f));
        body.push(section("fixes", words::else_to_do()).kid(Node::new(Tag::Ol).kids(fixes)));
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
    if !e.links.is_empty() {
        let links = e
            .links
            .iter()
            .map(|(text, href)| Node::new(Tag::Li).kid(link(text, href)));
        body.push(
            Node::new(Tag::Section)
                .class("links")
                .label("aria-label", words::read_on())
                .kid(items(links)),
        );
    }
    body
}

fn items(list: impl Iterator<Item = Node>) -> Node {
    Node::new(Tag::Ul).kids(list)
}

/// The lines that a diagnosis rests on, and the clues. Line number 0 means that it is not known.
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
    let rows: Vec<Node> = seen.chain(lines).collect();
    (!rows.is_empty())
        .then(|| section("evidence", words::rests_on()).kid(Node::new(Tag::Ol).kids(rows)))
}

fn row(class: &str, at: Text, text: Text) -> Node {
    Node::new(Tag::Li)
        .class(class)
        .kid(Node::new(Tag::Small).class("lineno").text(at))
        .kid(Node::new(Tag::Code).text(text))
}

fn foot(id: &str) -> Node {
    let button = |class, text: Say, act| {
        Node::new(Tag::Button)
            .class(class)
            .attr("type", "button")
            .text(text)
            .act(act)
    };
    let rule = Action::Rule { id: id.to_owned() };
    Node::new(Tag::Footer)
        .class("foot")
        .kid(button("copy-report", words::copy_report(), Action::Report))
        .kid(button(
            "preview-report",
            words::preview_first(),
            Action::Preview,
        ))
        .kid(button("session", words::show_session(), Action::Panel))
        .kid(button("rule", words::more_about_this(), rule))
        .kid(
            Node::new(Tag::Small)
                .class("id")
                .kid(Node::new(Tag::Code).foreign(id)),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_catalog::{Fix, Inline, Prose};
    use nbmedic_explain::explain;
    use nbmedic_triage::{Diagnosis, Facts, Location};

    fn text(t: &str) -> Vec<Block> {
        vec![Block::P(vec![Inline::Text(t.into())])]
    }

    fn fix(id: &str) -> Fix {
        Fix {
            id: id.into(),
            title: format!("Do {id}"),
            applies: Applicability::Likely,
            cost: String::new(),
            variants: Vec::new(),
            when: String::new(),
            proven: words::proven_not().into(),
            why: text("Because."),
            code: "x = 1".into(),
            language: "python".into(),
        }
    }

    fn classes(n: &Node) -> Vec<&str> {
        n.kids.iter().map(|k| k.class.as_str()).collect()
    }

    #[test]
    fn a_card_is_short_first_and_leaves_out_what_is_empty() {
        let d = Diagnosis {
            id: "gpu-oom",
            variant: Some("fragmented"),
            confidence: 0.97,
            facts: Facts::new(),
            location: Location::default(),
            evidence: vec![Evidence {
                line: 12,
                text: "<b>CUDA</b>".into(),
                range: 0..0,
            }],
            ..Diagnosis::default()
        };
        let prose = Prose {
            id: "gpu-oom".into(),
            family: "gpu-memory".into(),
            title: "The GPU ran out of memory".into(),
            summary: text("It did."),
            variants: Vec::new(),
            meaning: text("Means."),
            why: Vec::new(),
            fixes: vec![fix("a"), fix("b")],
            links: vec![("bad".into(), "javascript:alert(1)".into())],
        };
        let e = explain(&d, &prose);
        let node = card(
            &e,
            &CardContext {
                card: "n/c",
                severity: "error",
                line: Some((4, "  y = x[1]")),
                ..CardContext::default()
            },
        );
        assert_eq!(node.class, "card error");
        assert_eq!(node.attrs[&"data-id".to_owned()], "gpu-oom");
        assert_eq!(node.attrs[&"data-confidence".to_owned()], "0.97");
        assert_eq!(
            classes(&node),
            ["head", "summary", "where", "first", "more", "foot"]
        );
        let body = &node.kids[4].kids[1];
        assert_eq!(classes(body), ["means", "fixes", "evidence", "links"]);
        assert_eq!(
            body.kids[1].kids[1].kids.len(),
            1,
            "the first fix is shown once"
        );
        assert_eq!(body.kids[3].kids[0].kids[0].kids[0].tag, Tag::Span);
        let last = node.kids[3].kids.last().expect("the first fix has parts");
        assert_eq!(
            (last.class.as_str(), last.text.english().as_str()),
            ("proven", "Not proven here")
        );
        let bare = card(
            &explain(
                &Diagnosis {
                    evidence: Vec::new(),
                    ..d.clone()
                },
                &Prose {
                    meaning: Vec::new(),
                    fixes: Vec::new(),
                    links: Vec::new(),
                    ..prose
                },
            ),
            &CardContext::default(),
        );
        assert_eq!(classes(&bare), ["head", "summary", "foot"]);
    }
}
