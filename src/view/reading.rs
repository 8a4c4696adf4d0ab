//! Readings of resource widgets.

use nbmedic_vitals::{Reading, Reason};
use nbmedic_words::{self as words, Text};

/// A reading for people: "9.8 of 12.7 GiB", or the reason why there is none.
pub fn reading(reading: Reading) -> Text {
    match reading {
        Reading::Known { used, total } => super::chart::amount(used, total.unwrap_or(0)),
        Reading::Missing(Reason::NoWidget) => words::no_widget().into(),
        Reading::Missing(Reason::NoNumbers) => words::no_numbers().into(),
        Reading::Missing(Reason::NotShown) => words::not_shown_widget().into(),
    }
}
