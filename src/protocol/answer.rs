//! What the background answers.

use super::effect::Effect;
use super::request::Settings;
use nbmedic_tree::{Node, Trouble, Usage};
use serde::{Deserialize, Serialize};

/// The answer to a batch of events.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Reply {
    /// The batch is stored.
    pub ack: Option<u32>,
    /// What is to be shown.
    pub effects: Option<Vec<Effect>>,
    /// The effects are the whole picture: cards that are not among them are gone.
    pub full: Option<bool>,
    /// There is more to show, which takes longer: the sensor asks for the rest.
    pub more: Option<bool>,
    /// The sensor takes a new page id, reads the page again and sends everything.
    pub resync: Option<bool>,
    /// The code of what failed: the batch is stored, and the engine failed on it.
    pub trouble: Option<String>,
    /// The sensor stops: the page may no longer be read.
    pub gone: Option<bool>,
}

/// Whether it was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Done {
    /// It was.
    pub done: bool,
}

/// A text, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Text {
    /// The text; null: there is none.
    pub text: Option<String>,
}

/// Whether code is in a new cell now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Put {
    /// It is.
    pub done: bool,
    /// The code, to be copied if it is not.
    pub text: String,
}

/// What is seen of a tab.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Status {
    /// The view of the newest page.
    pub tree: Option<Node>,
    /// All pages, the newest first.
    pub pages: Vec<PageStatus>,
    /// Match patterns of what may be read.
    pub allowed: Vec<String>,
    /// Origins that are asked for in one question with the tab's.
    pub together: Vec<String>,
    /// Match patterns that belong to a page which may be read and are not granted: Colab's output
    /// frames.
    pub withheld: Vec<String>,
    /// nbmedic is switched off at the tab's origin.
    pub off: bool,
    /// What failed in nbmedic itself.
    pub troubles: Vec<Trouble>,
}

/// What is seen of a page.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct PageStatus {
    /// The page.
    pub page: String,
    /// Scheme and host.
    pub origin: String,
    /// The browser's number of its frame.
    pub frame: u32,
    /// Its view.
    pub tree: Option<Node>,
}

/// A report before it leaves, and the pages that there could be one of.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct DraftOf {
    /// The report; null: there is no page.
    pub draft: Option<Draft>,
    /// The page that it is of.
    pub page: String,
    /// The tab's pages.
    pub pages: Vec<PageOrigin>,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
}

/// A page of a tab.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct PageOrigin {
    /// The page.
    pub page: String,
    /// Scheme and host.
    pub origin: String,
}

/// A report as it would leave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Draft {
    /// Exactly what would leave.
    pub text: String,
    /// What an HTML report shows; absent for what is read as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tree: Option<Node>,
    /// The title of the first problem; empty without one.
    pub title: String,
    /// The number of problems.
    pub problems: u32,
    /// The number of entries in the timelines.
    pub events: u32,
    /// The number of versions that are named.
    pub versions: u32,
    /// The number of failing cells whose source could be included.
    pub sources: u32,
    /// What was redacted, and what the person put back.
    pub taken: Vec<Taken>,
}

/// A value that was redacted, wherever it stood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Taken {
    /// Names it in `back` of `Wanted`: a checksum of the value that a double holds
    /// exactly. 0: it was redacted before it was stored, and nothing knows it any more.
    pub id: u64,
    /// Its kind.
    pub kind: String,
    /// Its first characters and its length; empty where it is not known.
    pub masked: String,
    /// The first few places where it stood.
    pub places: Vec<String>,
    /// How often it stood there.
    pub count: u32,
    /// The person put it back.
    pub back: bool,
}

/// A notebook's cards.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Example {
    /// The cards; null: the notebook can't be read.
    pub tree: Option<Node>,
    /// The same as Markdown.
    pub markdown: String,
    /// The style sheet of cards.
    pub css: String,
}

/// What the person set, allowed and muted.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Options {
    /// Match patterns of what may be read.
    pub allowed: Vec<String>,
    /// Notifications are on.
    pub notify: bool,
    /// What is stored.
    pub usage: Usage,
    /// What is muted.
    pub muted: Vec<Muted>,
    /// Settings.
    pub set: Settings,
}

/// Something muted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Muted {
    /// The diagnosis, or `@` and the checksum of a cell's code.
    pub id: String,
    /// What people call the cell; empty for a diagnosis.
    pub name: String,
}
