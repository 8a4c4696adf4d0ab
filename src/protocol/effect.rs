//! What is to be done after a batch.

use super::event::Event;
use nbmedic_tree::Node;
use serde::Serialize;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum Effect {
    /// Show a card, in place of the one of the same key.
    Card {
        /// The card's key.
        card: String,
        /// The notebook; `null`: none is on the page.
        nb: Option<String>,
        /// The cell; `null`: show it at the notebook's top.
        cell: Option<String>,
        /// A checksum of the tree: the same tree has the same one.
        rev: u32,
        /// `error`, `warning` or `info`.
        #[cfg_attr(feature = "typescript", ts(type = "'error' | 'warning' | 'info'"))]
        severity: &'static str,
        /// What is shown.
        tree: Node,
    },
    /// Take a card away.
    Uncard {
        /// The card's key.
        card: String,
    },
    /// What must be provided before some cards can be shown.
    Need {
        /// Diagnoses whose prose is missing, in order.
        ids: Vec<String>,
        /// The module that reads the cells' Python and makes cures is missing.
        python: bool,
    },
    /// How many cards are open.
    Badge {
        /// The number.
        count: usize,
    },
    /// Store this event like those of the sensor, after the batch that led to it. It isn't for
    /// the page.
    Keep {
        /// Its slot.
        key: String,
        /// The event.
        event: Event,
    },
}
