//! Trees and curves read back from JSON, by the pages that draw them.

use super::chart::{Chart, Mark, Outcome, Point, Series, Span};
use super::html::name;
use super::{Action, Health, Node, Tag, Trouble, Usage};
use litemap::LiteMap;
use nbmedic_json::{readable, Json, Read};
use nbmedic_words::Text;

#[rustfmt::skip]
const TAGS: &[Tag] = &[
    Tag::Section, Tag::Header, Tag::Footer, Tag::Div, Tag::P, Tag::Span, Tag::Strong, Tag::Em, Tag::Code, Tag::Pre,
    Tag::Ul, Tag::Ol, Tag::Li, Tag::H2, Tag::H3, Tag::H4, Tag::Details, Tag::Summary, Tag::Button, Tag::A, Tag::Small,
    Tag::Table, Tag::Thead, Tag::Tbody, Tag::Tr, Tag::Th, Tag::Td, Tag::Dl, Tag::Dt, Tag::Dd, Tag::Svg, Tag::Path,
    Tag::Line,
];

impl Read for Tag {
    fn read(json: Json) -> Option<Tag> {
        let word = String::read(json)?;
        TAGS.iter().copied().find(|t| name(*t) == word)
    }
}

#[derive(Default)]
struct Act {
    what: String,
    text: String,
    cell: String,
    card: String,
    id: String,
    name: String,
}

readable!(Act { "do" => what, "text" => text, "cell" => cell, "card" => card, "id" => id, "name" => name });

impl Read for Action {
    fn read(json: Json) -> Option<Action> {
        let a = Act::read(json)?;
        Some(match a.what.as_str() {
            "copy" => Action::Copy { text: a.text },
            "goto" => Action::Goto { cell: a.cell },
            "report" => Action::Report,
            "preview" => Action::Preview,
            "panel" => Action::Panel,
            "rule" => Action::Rule { id: a.id },
            "drift" => Action::Drift,
            "dismiss" => Action::Dismiss { card: a.card },
            "mute" => Action::Mute {
                id: a.id,
                name: a.name,
            },
            _ => return None,
        })
    }
}

/// The attributes of a node.
#[derive(Default)]
struct Attrs(LiteMap<String, String>);

impl Read for Attrs {
    fn read(json: Json) -> Option<Attrs> {
        let Json::Object(fields) = json else {
            return None;
        };
        let mut attrs = LiteMap::new();
        for (name, value) in fields {
            attrs.insert(name, String::read(value)?);
        }
        Some(Attrs(attrs))
    }
}

/// The attributes of a node that people read.
#[derive(Default)]
struct Labels(LiteMap<String, Text>);

impl Read for Labels {
    fn read(json: Json) -> Option<Labels> {
        let Json::Object(fields) = json else {
            return None;
        };
        let mut labels = LiteMap::new();
        for (name, value) in fields {
            labels.insert(name, Text::read(value)?);
        }
        Some(Labels(labels))
    }
}

#[derive(Default)]
struct Flat {
    tag: Option<Tag>,
    class: String,
    text: Text,
    attrs: Attrs,
    labels: Labels,
    act: Option<Action>,
    kids: Vec<Node>,
}

readable!(Flat {
    "tag" => tag, "class" => class, "text" => text, "attrs" => attrs, "labels" => labels, "act" => act, "kids" => kids,
});

impl Read for Node {
    fn read(json: Json) -> Option<Node> {
        let flat = Flat::read(json)?;
        Some(Node {
            tag: flat.tag?,
            class: flat.class,
            text: flat.text,
            attrs: flat.attrs.0,
            labels: flat.labels.0,
            act: flat.act,
            kids: flat.kids,
        })
    }
}

impl Read for Outcome {
    fn read(json: Json) -> Option<Outcome> {
        Some(match String::read(json)?.as_str() {
            "running" => Outcome::Running,
            "well" => Outcome::Well,
            "failed" => Outcome::Failed,
            _ => return None,
        })
    }
}

readable!(Point { "at" => at, "used" => used, "total" => total });
readable!(Series { "key" => key, "what" => what, "points" => points });
readable!(Span { "from" => from, "to" => to, "outcome" => outcome, "label" => label });
readable!(Mark { "at" => at, "kind" => kind, "label" => label });
readable!(Chart {
    "from" => from, "to" => to, "gap" => gap, "series" => series, "spans" => spans, "marks" => marks,
});
readable!(Usage { "pages" => pages, "size" => size });
readable!(Trouble {
    "code" => code, "at" => at, "count" => count, "over" => over, "id" => id, "detail" => detail,
});
readable!(Health {
    "version" => version, "browser" => browser, "usage" => usage, "troubles" => troubles,
});

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_words as words;

    fn again<T: Read>(json: &str) -> Option<T> {
        T::read(nbmedic_json::parse(json).expect("JSON"))
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
            Action::Report,
            Action::Preview,
            Action::Drift,
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
}
