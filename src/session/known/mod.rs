//! What is known of a page: its notebooks, their cells and outputs, the widgets' readings, the
//! record of runs, and the user's decisions.
//!
//! Data and queries. Nothing here depends on events, causes or cards.

mod answers;
mod asking;
mod cell;
mod checksum;
mod kinds;
mod memory;
mod notebook;
mod output;
mod page;
mod readings;
mod runs;
mod stored;
mod time;

pub(crate) use answers::Answers;
pub(crate) use asking::Asker;
pub(crate) use cell::{Cell, Ended, MIN_CONFIDENCE};
pub use checksum::{fnv1a, fnv1a_64};
pub use kinds::severity;
pub(crate) use kinds::{breaks_context, is_device_fault, of_rule, standing, stands_for};
pub use memory::RestartCause;
pub(crate) use memory::{CodeSays, Incident, Memory, Restart};
pub(crate) use notebook::{Notebook, RestartSigns, Unread, CUT_MS};
pub(crate) use output::{Joined, Outputs, PROBE};
pub(crate) use page::{newest, Known, MAX_NOTEBOOKS};
pub use readings::{Level, Load, Quantity, Sample};
pub(crate) use runs::{checksum, Run};
pub use time::{coarse, duration};

/// The function that judges a text; tests replace it.
pub type Triage = fn(&nbmedic_triage::Input<'_>) -> Vec<nbmedic_triage::Diagnosis>;

/// Text of at most `max` characters.
pub(crate) fn clip(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    format!("{}…", nbmedic_secrets::cut(text, max - 1))
}
