//! What a technique is, and what it yields to.

use crate::case::Case;
use nbmedic_facts::{Cure, FixKind};

/// A technique.
#[derive(Clone, Copy)]
pub(crate) struct Technique {
    /// Adds its cures for a case; nothing, if it has none.
    pub(crate) offer: fn(&Case<'_>, &mut Vec<Cure>),
    /// It also serves a text without a notebook around it: it needs the failing lines or the message alone, and
    /// concludes nothing from what is not there.
    pub(crate) of_text: bool,
    /// Where it has a cure, it has found the cause: no other technique is asked.
    pub(crate) alone: bool,
    /// It yields to techniques of a lower rank only, and sees no others.
    pub(crate) rank: u8,
    /// What makes it yield.
    pub(crate) yields: To,
}

impl Technique {
    /// The same technique, behind those of a lower rank: it yields where they have what is given.
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

/// A technique that serves a text too.
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

/// What makes a technique yield: cures of techniques of a lower rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// Nothing does.
    Nothing,
    /// Any cure silences it.
    Any,
    /// An edit silences it.
    Edit,
    /// A package to install silences it.
    Install,
    /// A cure of one of these names silences it.
    Ids(&'static [&'static str]),
    /// Where there is an edit of the person's own line, it is no surer than `maybe`.
    Doubt,
}

impl To {
    /// Whether one of some cures silences it.
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
