//! Techniques, and their precedence.

use crate::case::Case;
use nbmedic_facts::{Cure, FixKind};

/// A technique.
#[derive(Clone, Copy)]
pub(crate) struct Technique {
    /// Adds its cures for a failure, if any.
    pub(crate) offer: fn(&Case<'_>, &mut Vec<Cure>),
    /// Whether it also works for a text without a notebook: it only needs the failing lines or the
    /// message, and concludes nothing from what is missing.
    pub(crate) of_text: bool,
    /// Whether a cure of this technique settles the cause, so that no other technique is asked.
    pub(crate) alone: bool,
    /// It yields only to techniques of a lower rank, and sees no others.
    pub(crate) rank: u8,
    /// What it yields to.
    pub(crate) yields: To,
}

impl Technique {
    /// The same technique at a higher rank, yielding to these cures of lower ranks.
    pub(super) const fn behind(self, rank: u8, yields: To) -> Technique {
        Technique {
            rank,
            yields,
            ..self
        }
    }
}

/// A technique that needs the notebook.
pub(super) const fn book(offer: fn(&Case<'_>, &mut Vec<Cure>)) -> Technique {
    Technique {
        offer,
        of_text: false,
        alone: false,
        rank: 0,
        yields: To::Nothing,
    }
}

/// A technique that also works for a text.
pub(super) const fn text(offer: fn(&Case<'_>, &mut Vec<Cure>)) -> Technique {
    Technique {
        of_text: true,
        ..book(offer)
    }
}

/// A technique that needs the notebook and knows the cause.
pub(super) const fn alone(offer: fn(&Case<'_>, &mut Vec<Cure>)) -> Technique {
    Technique {
        alone: true,
        ..book(offer)
    }
}

/// The lower-ranked cures that a technique yields to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// It never yields.
    Nothing,
    /// Any cure.
    Any,
    /// An edit.
    Edit,
    /// An installation.
    Install,
    /// A cure with one of these ids.
    Ids(&'static [&'static str]),
    /// It doesn't yield, but is capped at `maybe` if there is an edit of the user's line.
    Doubt,
}

impl To {
    /// Whether any of these cures makes it yield.
    pub(super) fn silenced(self, by: &[Cure]) -> bool {
        by.iter().any(|c| match self {
            To::Nothing | To::Doubt => false,
            To::Any => true,
            To::Edit => c.kind == FixKind::Edit,
            To::Install => c.kind == FixKind::Install,
            To::Ids(all) => all.contains(&&*c.id),
        })
    }
}
