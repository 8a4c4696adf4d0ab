//! One quantity at one time.

use nbmedic_facts::amount;
use serde::{Deserialize, Serialize};

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// No widget was seen on the page.
    NoWidget,
    /// The widget contains no numbers, as before a runtime is connected.
    NoNumbers,
    /// The widget shows other things, but not this.
    NotShown,
}

impl Reason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::NoWidget => "no resource widget on this page",
            Reason::NoNumbers => "the resource widget shows no numbers",
            Reason::NotShown => "the resource widget does not show it",
        }
    }
}

/// One quantity at one time. A missing reading is never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// The quantity was shown.
    Known {
        /// Bytes in use.
        used: u64,
        /// Total bytes, if shown.
        total: Option<u64>,
    },
    /// The quantity was not shown.
    Missing(Reason),
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::Missing(Reason::NoWidget)
    }
}

impl Reading {
    /// This reading, or the other one if that says more.
    pub(super) fn or(self, other: Reading) -> Reading {
        match (self, other) {
            (Reading::Missing(_), Reading::Known { .. })
            | (Reading::Missing(Reason::NoNumbers), _) => other,
            _ => self,
        }
    }

    /// The reading for people: "1.1 of 12.7 GiB", or why there is none.
    pub fn text(&self) -> String {
        match *self {
            Reading::Known { used, total } => amount(used, total),
            Reading::Missing(reason) => reason.text().to_owned(),
        }
    }
}
