use litemap::LiteMap;
use nbmedic_words::{self as words, Text};
use serde::{Deserialize, Serialize};

/// An element that a tree may hold. Renderers create no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the HTML element of that name
pub enum Tag {
    Section,
    Header,
    Footer,
    Div,
    P,
    Span,
    Strong,
    Em,
    Code,
    Pre,
    Ul,
    Ol,
    Li,
    H2,
    H3,
    H4,
    Details,
    Summary,
    Button,
    A,
    Small,
    Table,
    Thead,
    Tbody,
    Tr,
    Th,
    Td,
    Dl,
    Dt,
    Dd,
    Mark,
    Del,
    Ins,
    // Pictures, only on the extension's own pages: the sensor draws none.
    Svg,
    Path,
    Line,
}

/// What a click on a node does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Action {
    /// Put the text on the clipboard.
    Copy {
        /// What is copied.
        text: String,
    },
    /// Scroll to a cell of the page.
    Goto {
        /// The cell's id.
        cell: String,
    },
    /// Put code into a new cell below a cell, without running it; where the page takes no cell, copy it.
    Below {
        /// The cell's id.
        cell: String,
        /// The code.
        text: String,
    },
    /// Put code in place of a cell's own, without running it; where the page does not take it, copy it.
    Replace {
        /// The cell's id.
        cell: String,
        /// The code.
        text: String,
        /// What stands in the cell now: if it is something else by then, nothing is changed.
        was: String,
    },
    /// Put the cell that starts the probe into the notebook, without running it.
    Probe,
    /// Copy what an assistant needs to know of a card's problem.
    Assistant {
        /// The card's key.
        card: String,
    },
    /// Show the triage report of this page before it leaves.
    Preview,
    /// Show the page of a diagnosis in the rule reference.
    Rule {
        /// The diagnosis.
        id: String,
        /// Its variant; empty without one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        variant: String,
    },
    /// Copy the report on what of a front end's page was not found.
    Drift {
        /// What a notice says that no rule knows, if the person adds it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
    },
    /// Take the card away until the cell runs again.
    Dismiss {
        /// The card's key.
        card: String,
    },
    /// Never show this diagnosis, or anything of this cell, again.
    Mute {
        /// The diagnosis, or `@` and a checksum of the cell's code.
        id: String,
        /// What people know the cell by; empty for a diagnosis.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
    },
}

/// One element: its text comes before its children. Everything in it is plain text; no renderer
/// reads markup out of it. What nbmedic says is a message until it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TreeNode"))]
pub struct Node {
    /// The element.
    pub tag: Tag,
    /// Space-separated class names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Text before the children.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub text: Text,
    /// `aria-*`, `role`, `lang`, `hidden`, `open`, `id`, `type`, `data-*`, and `href` with an
    /// `https:` address; on the elements of a picture, numbers and words of its geometry.
    #[serde(default, skip_serializing_if = "LiteMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(type = "{ [key in string]: string }"))]
    pub attrs: LiteMap<String, String>,
    /// Attributes that people read or hear: `aria-label` and `title`.
    #[serde(default, skip_serializing_if = "LiteMap::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        ts(as = "std::collections::BTreeMap<String, Text>")
    )]
    pub labels: LiteMap<String, Text>,
    /// What a click does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Action>,
    /// Children, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kids: Vec<Node>,
}

impl Node {
    /// Makes an empty element.
    pub fn new(tag: Tag) -> Self {
        Node {
            tag,
            class: String::new(),
            text: Text::default(),
            attrs: LiteMap::new(),
            labels: LiteMap::new(),
            act: None,
            kids: Vec::new(),
        }
    }

    /// Sets the class names.
    pub fn class(mut self, class: &str) -> Self {
        self.class = class.to_owned();
        self
    }

    /// Sets the text: a message, or a [`Text`].
    pub fn text(mut self, text: impl Into<Text>) -> Self {
        self.text = text.into();
        self
    }

    /// Sets a text that is not nbmedic's own: names, numbers, what a notebook printed, the
    /// catalogue's English.
    pub fn foreign(self, text: impl Into<String>) -> Self {
        self.text(words::foreign(text))
    }

    /// Sets an attribute that people read or hear.
    pub fn label(mut self, name: &str, text: impl Into<Text>) -> Self {
        self.labels.insert(name.to_owned(), text.into());
        self
    }

    /// The tree with every message in English, for reports.
    pub fn english(mut self) -> Self {
        self.text = words::foreign(self.text.english());
        for (name, text) in &self.labels {
            self.attrs.insert(name.clone(), text.english());
        }
        self.labels.clear();
        self.kids = self.kids.into_iter().map(Node::english).collect();
        self
    }

    /// Sets an attribute.
    pub fn attr(mut self, name: &str, value: impl Into<String>) -> Self {
        self.attrs.insert(name.to_owned(), value.into());
        self
    }

    /// Sets the action.
    pub fn act(mut self, act: Action) -> Self {
        self.act = Some(act);
        self
    }

    /// Adds a child after the others.
    pub fn kid(mut self, kid: Node) -> Self {
        self.kids.push(kid);
        self
    }

    /// Adds children after the others.
    pub fn kids(mut self, kids: impl IntoIterator<Item = Node>) -> Self {
        self.kids.extend(kids);
        self
    }
}
