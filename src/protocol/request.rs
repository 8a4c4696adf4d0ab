//! What the background is asked, and what it sends to sensors. Each message also carries
//! `"nbmedic":1`.

use super::event::{Event, Limits};
use super::words::OutputKind;
use serde::{Deserialize, Serialize};

/// What sensors ask of the background. `page` is the sensor's own id of its page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SensorRequest {
    /// The first message of a page.
    Connect {
        /// The page.
        page: String,
        /// When the document began, in milliseconds since 1970. What other frames stored before that
        /// belongs to the document before.
        began: f64,
    },
    /// A batch of events. One is in flight at a time; one whose answer did not come is sent again
    /// unchanged.
    Events {
        /// The page.
        page: String,
        /// Counts batches from 1.
        seq: u32,
        /// The events, in order.
        events: Vec<Event>,
    },
    /// After an answer with `more`. The answer is like that to a batch, without `ack`.
    Rest {
        /// The page.
        page: String,
    },
    /// A click on a card.
    Ask {
        /// The page.
        page: String,
        /// What is asked for.
        what: Asked,
        /// The format of a report: `markdown`, `json` or `html`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        format: Option<String>,
        /// A diagnosis; the key of a card.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        id: Option<String>,
        /// Code for a new cell, or for the marked one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        text: Option<String>,
        /// The code of the marked cell that `text` replaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        was: Option<String>,
    },
    /// From the sensor of an output frame to the sensor of the page. The background adds the frame's
    /// number.
    Frame(FrameNews),
    /// From the sensor of the page to those of its frames: each announces itself.
    Frames {},
    /// From the sensor of the page to that of a frame: the run is over, and what waits is read now.
    Hurry {
        /// The frame's number.
        frame: u32,
    },
    /// Between the sensor of a page and that of the notebook in a frame of it.
    Around(Around),
}

/// What a card asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// The page's report; the answer is `{"text":…}`.
    Report,
    /// The report's preview in a tab.
    Preview,
    /// The page of a diagnosis in the rule reference.
    Rule,
    /// What an assistant needs to know of a card's problem; the answer is `{"text":…}`.
    Assistant,
    /// `text` in a new cell, below the cell that the sensor marked; the answer is `Put`.
    Below,
    /// `text` in place of `was` in the cell that the sensor marked; the answer is `Put`.
    Replace,
    /// The cell that starts the probe; the answer is `Put`.
    Probe,
}

/// What the sensor of an output frame says. It announces itself with `at`, repeats the `word` that
/// it heard, and then sends its outputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct FrameNews {
    /// The frame's place among the page's windows, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// The word that the page's sensor posted into the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// How many outputs the frame has; at most 256.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Those that changed, with their positions from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outs: Option<Vec<(u32, FramedOutput)>>,
}

/// An output in a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct FramedOutput {
    /// What it is.
    pub kind: OutputKind,
    /// A window on it.
    pub read: Window,
}

/// A window on a text: its beginning and its end, as in an `output` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Window {
    /// Length of the whole text, in UTF-16 units.
    pub len: u64,
    /// The beginning.
    pub head: String,
    /// The end; absent where the head holds the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tail: Option<String>,
    /// Newlines before the end; null: not counted.
    pub lines: Option<u64>,
}

/// Notices and widgets of the page around a notebook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct Around {
    /// The profiles whose notebooks stand in frames of this page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Vec<String>>,
    /// `notice`, `notice-gone` and `vitals` events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
}

/// What the popup, the side panel and the other pages ask to be shown. `tab` is the browser's number
/// of a tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ViewRequest {
    /// What is seen of a tab: `Status`.
    Status {
        /// The tab.
        tab: u32,
        /// The origin of the tab's page; empty where it is not known.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        origin: String,
    },
    /// Curves and timelines of a tab: `sessions`, for each page a JSON text of `[{"chart":…,"tree":…}]`,
    /// one per notebook, and `troubles`.
    Panel {
        /// The tab.
        tab: u32,
    },
    /// A report before it leaves: `DraftOf`.
    Draft {
        /// The tab.
        tab: u32,
        /// Which of its pages; absent: the newest.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        page: String,
        /// What the report shall be.
        #[serde(default)]
        wanted: Wanted,
    },
    /// What was found earlier, the oldest first.
    History {},
    /// The drift report of a tab, made in its page at this moment: `Text`.
    Drift {
        /// The tab.
        tab: u32,
        /// What a notice says that no rule knows, if the person adds it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
    },
    /// The bare diagnoses of a text.
    Triage {
        /// The text.
        text: String,
        /// Its file's name.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
    },
    /// The cards of a notebook, for the welcome page: `Example`.
    Example {
        /// The notebook's file.
        text: String,
    },
    /// What a report about nbmedic itself is made of.
    Health {},
    /// What the person set, allowed and muted: `Options`.
    Options {},
}

/// What a report shall be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Wanted {
    /// `markdown`, `json`, `html` or `log`.
    pub format: String,
    /// With the sources of the failing cells.
    pub source: bool,
    /// The ids of values that are not redacted.
    pub back: Vec<u64>,
}

/// What the extension's pages ask to be done. The answer is `Done`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ActionRequest {
    /// Put the probe's start cell into the tab's notebook, without running it.
    Insert {
        /// The tab.
        tab: u32,
    },
    /// Do what a button of a view stands for.
    Act(ViewAct),
    /// Read pages once more that were left alone.
    Again {
        /// The tab.
        tab: u32,
    },
    /// Show again what was muted.
    Unmute {
        /// The diagnosis or cell.
        id: String,
    },
    /// Keep settings.
    Set {
        /// All settings.
        set: Settings,
    },
    /// Switch nbmedic on or off at an origin.
    Turn {
        /// The origin.
        origin: String,
        /// On or off.
        on: bool,
    },
    /// Switch notifications on or off.
    SetNotify {
        /// On or off.
        on: bool,
    },
    /// Permissions were given or taken back.
    AllowChanged {},
    /// Erase the history.
    ForgetHistory {},
    /// Forget every page; open ones begin again.
    ForgetAll {},
    /// Put everything back that is stored, set and allowed.
    Reset {},
}

/// What a button of a view stands for, in a tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum ViewAct {
    /// Never show a diagnosis, or anything of a cell.
    Mute {
        /// The tab.
        tab: u32,
        /// The diagnosis, or `@` and the checksum of a cell's code.
        id: String,
        /// What people call the cell; absent for a diagnosis.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
    },
    /// Scroll to a cell.
    Goto {
        /// The tab.
        tab: u32,
        /// The cell.
        cell: String,
    },
}

/// What the person set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Settings {
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Origins at which nbmedic is switched off.
    pub off: Vec<String>,
    /// When to warn.
    pub limits: Limits,
}

/// A message as it is sent.
#[derive(Debug, Serialize)]
pub struct Envelope<T> {
    nbmedic: u8,
    #[serde(flatten)]
    message: T,
}

impl<T> Envelope<T> {
    /// Makes a message one of nbmedic's.
    pub fn new(message: T) -> Envelope<T> {
        Envelope {
            nbmedic: 1,
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ActionRequest, Envelope, ViewAct, ViewRequest};

    /// `extension/page.js` asks the first question itself, and the page's module takes the answer if it would ask the
    /// same, word for word.
    #[test]
    fn first_questions_are_the_ones_that_the_page_asks() {
        let json = |request| serde_json::to_string(&Envelope::new(request)).unwrap();
        assert_eq!(
            json(ViewRequest::Panel { tab: 7 }),
            r#"{"nbmedic":1,"kind":"panel","tab":7}"#
        );
        let status = |origin: &str| {
            json(ViewRequest::Status {
                tab: 7,
                origin: origin.to_owned(),
            })
        };
        assert_eq!(status(""), r#"{"nbmedic":1,"kind":"status","tab":7}"#);
        assert_eq!(
            status("https://a.b"),
            r#"{"nbmedic":1,"kind":"status","tab":7,"origin":"https://a.b"}"#
        );
    }

    #[test]
    fn requests_are_written_as_the_background_reads_them() {
        let json = |request| serde_json::to_string(&Envelope::new(request)).unwrap();
        let act = ViewAct::Goto {
            tab: 7,
            cell: "c".to_owned(),
        };
        assert_eq!(
            json(ActionRequest::Act(act)),
            r#"{"nbmedic":1,"kind":"act","do":"goto","tab":7,"cell":"c"}"#
        );
        assert_eq!(
            json(ActionRequest::SetNotify { on: true }),
            r#"{"nbmedic":1,"kind":"set-notify","on":true}"#
        );
        assert_eq!(
            json(ActionRequest::ForgetAll {}),
            r#"{"nbmedic":1,"kind":"forget-all"}"#
        );
    }
}
