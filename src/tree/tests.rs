//! Trees and curves are read back as they were written.

use crate::chart::{Chart, Mark, Outcome, Point, Series, Span};
use crate::{Action, Node, Tag};
use nbmedic_words as words;
use serde::de::DeserializeOwned;

#[rustfmt::skip]
const TAGS: &[Tag] = &[
    Tag::Section, Tag::Header, Tag::Footer, Tag::Div, Tag::P, Tag::Span, Tag::Strong, Tag::Em, Tag::Code, Tag::Pre,
    Tag::Ul, Tag::Ol, Tag::Li, Tag::H2, Tag::H3, Tag::H4, Tag::Details, Tag::Summary, Tag::Button, Tag::A, Tag::Small,
    Tag::Table, Tag::Thead, Tag::Tbody, Tag::Tr, Tag::Th, Tag::Td, Tag::Dl, Tag::Dt, Tag::Dd, Tag::Svg, Tag::Path,
    Tag::Line,
];

fn again<T: DeserializeOwned>(json: &str) -> Option<T> {
    serde_json::from_str(json).ok()
}

#[test]
fn every_tag_and_action_is_read_as_it_is_written() {
    let mut node = Node::new(Tag::Div);
    for tag in TAGS {
        let kid = Node::new(*tag).class("a b").foreign("ü");
        node = node.kid(kid.attr("data-x", "1"));
    }
    let acts = [
        Action::Copy { text: "t".into() },
        Action::Goto { cell: "c".into() },
        Action::Preview,
        Action::Drift {
            words: String::new(),
        },
        Action::Dismiss { card: "k".into() },
        Action::Mute {
            id: "i".into(),
            name: "cell 1".into(),
        },
    ];
    let said = words::go_to(words::a_cell());
    node = node.kid(Node::new(Tag::P).text(said).label("title", words::copy()));
    node = node.kids(acts.map(|a| Node::new(Tag::Button).act(a)));
    assert_eq!(
        again(&serde_json::to_string(&node).expect("JSON")),
        Some(node)
    );
    assert_eq!(again::<Node>(r#"{"tag":"script"}"#), None);
    assert_eq!(again::<Node>(r#"{"tag":"div","kids":[{}]}"#), None);
    assert_eq!(again::<Node>(r#"{"tag":"p","text":{"key":"x"}}"#), None);
}

#[test]
fn curves_are_read_as_they_are_written() {
    let mark = |at| Mark {
        at,
        kind: "death".into(),
        label: words::kernel_died().into(),
    };
    let span = |outcome| Span {
        from: 1,
        to: 2,
        outcome,
        label: words::foreign("cell 1"),
        ..Span::default()
    };
    let chart = Chart {
        from: 1,
        to: 9,
        gap: 3,
        series: vec![Series {
            key: "ram".into(),
            what: words::ram().into(),
            points: vec![Point {
                at: 2,
                used: 1 << 40,
                total: 0,
            }],
        }],
        spans: vec![
            span(Outcome::Running),
            span(Outcome::Well),
            span(Outcome::Failed),
        ],
        marks: vec![mark(3)],
    };
    let json = serde_json::to_string(&chart).expect("JSON");
    assert_eq!(again(&json), Some(chart));
}
