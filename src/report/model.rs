//! What a session's report holds. Its formats are in [`super::markdown`] and [`super::html`].

use super::entry::Entry;
use super::redactor::{Taken, Tally};
use super::versions::Version;
use nbmedic_session::duration;
use nbmedic_view::chart::Chart;
use nbmedic_view::Node;
use nbmedic_vitals::Reading;
use serde::Serialize;

/// A quantity of the runtime.
#[derive(Clone, Debug, Serialize)]
pub struct ReportVital {
    /// Which one.
    pub what: String,
    /// The last reading, or the reason why there is none.
    pub reading: Reading,
    /// The same in words.
    pub text: String,
}

/// A notebook in a report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportNotebook {
    /// Its name.
    pub name: String,
    /// Its cells on the page.
    pub cells: usize,
    /// The kernel's status in words.
    pub kernel: String,
    /// The accelerator's name; empty if none is seen.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub accelerator: String,
    /// Versions that its outputs name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Version>,
    /// What the resource widgets show.
    pub vitals: Vec<ReportVital>,
    /// What limited the run in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// The highest readings on record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peaks: Vec<ReportPeak>,
    /// What happened, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<ReportEvent>,
    #[serde(skip)]
    pub(super) chart: Chart,
}

/// The highest reading of a quantity.
#[derive(Clone, Debug, Serialize)]
pub struct ReportPeak {
    /// Which one.
    pub what: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Bytes in use.
    pub used: u64,
    /// The limit in bytes; 0: not shown.
    pub total: u64,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub struct ReportEvent {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `run`, `failure`, `death`, `restart` or `install`.
    pub kind: String,
    /// What, in a few words.
    pub label: String,
    /// More about it; may be empty.
    pub text: String,
}

impl ReportNotebook {
    /// The versions in words.
    pub(super) fn named_versions(&self) -> String {
        let named: Vec<String> = self
            .versions
            .iter()
            .map(|v| format!("{} {}", v.what, v.version))
            .collect();
        named.join(", ")
    }

    /// The last `most` events in words: the time since the first event, and what happened.
    pub(super) fn story(&self, most: usize) -> Vec<(String, String)> {
        let start = self.events.first().map_or(0, |e| e.at);
        let skipped = self.events.len().saturating_sub(most);
        self.events[skipped..]
            .iter()
            .map(|e| {
                let text = match e.text.is_empty() {
                    true => e.label.clone(),
                    false => format!("{}: {}", e.label, e.text),
                };
                (format!("+{}", duration(e.at - start)), text)
            })
            .collect()
    }
}

/// A piece of evidence besides the output.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// Where.
    pub what: String,
    /// What.
    pub text: String,
}

/// What a name stood for when the cell failed.
#[derive(Clone, Debug, Serialize)]
pub struct ReportValue {
    /// A name of the failing line, an argument, or who held memory.
    pub name: String,
    /// Its value in words.
    pub value: String,
}

/// A problem at one place.
#[derive(Clone, Debug, Serialize)]
pub struct ReportFinding {
    /// The notebook's name.
    pub notebook: String,
    /// The cell's name for people; absent for the notebook as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// When, for a death, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The user dismissed its card.
    pub dismissed: bool,
    /// The cell whose error this one follows from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consequence_of: Option<String>,
    /// Best first.
    pub diagnoses: Vec<Entry>,
    /// Evidence besides the output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Seen>,
    /// What was checked without finding a reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// The failing cell's source, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the probe saw in it, if its source was requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ReportValue>,
}

/// A session's report, `nbmedic.report/1`. Secrets, e-mail addresses and user names in paths are
/// redacted.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `nbmedic.report/1`.
    pub schema: &'static str,
    /// Version of nbmedic.
    pub version: &'static str,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// The front end's profile.
    pub front_end: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// The notebooks of the page.
    pub notebooks: Vec<ReportNotebook>,
    /// The problems, in the order of the cells.
    pub findings: Vec<ReportFinding>,
    /// What was redacted.
    pub redactions: Vec<Tally>,
    /// What was redacted, value by value.
    #[serde(skip)]
    pub taken: Vec<Taken>,
    /// The card of each finding; none if its prose is missing.
    #[serde(skip)]
    pub(super) cards: Vec<Option<Node>>,
}

impl Report {
    /// The report as one JSON object.
    pub fn json(&self) -> String {
        nbmedic_json::to_string_pretty(self)
    }
}
