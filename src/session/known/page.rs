//! Everything that is known about one page.

use super::memory::Memory;
use super::notebook::Notebook;
use litemap::LiteMap;
use nbmedic_protocol::{Hello, Limits, NoticeSeen};
use nbmedic_vitals::Series;
use std::collections::BTreeSet;

/// Maximum number of notebooks of one page.
pub(crate) const MAX_NOTEBOOKS: usize = 32;

/// Everything that is known about one page.
#[derive(Clone, Default)]
pub(crate) struct Known {
    pub hello: Hello,
    /// The page's runtimes end after a limited time.
    pub lent: bool,
    /// New cells can be put into the page's notebooks.
    pub inserts: bool,
    pub notebooks: LiteMap<String, Notebook>,
    /// Readings of a widget that names no notebook.
    pub vitals: Series,
    /// Notices that are open.
    pub notices: LiteMap<String, NoticeSeen>,
    /// Records from before a reload, until their notebooks are seen.
    pub carried: Vec<Memory>,
    /// Muted diagnoses, and muted cells as `@` and the checksum of their code.
    pub muted: BTreeSet<String>,
    /// When the user wants to be warned.
    pub limits: Limits,
}

impl Known {
    /// A notebook of the page, created on first use; none if there are too many.
    pub fn notebook(&mut self, id: &str) -> Option<&mut Notebook> {
        if self.notebooks.len() >= MAX_NOTEBOOKS && !self.notebooks.contains_key(id) {
            return None;
        }
        let nb = self.notebooks.entry(id.to_owned()).or_default();
        if nb.memory.nb != id {
            id.clone_into(&mut nb.memory.nb);
            id.clone_into(&mut nb.stored.nb);
        }
        Some(nb)
    }

    /// The notebooks that are on the page, in the order of their ids: a notice can come before any.
    pub fn named(&self) -> impl Iterator<Item = (&String, &Notebook)> {
        self.notebooks.iter().filter(|(id, _)| !id.is_empty())
    }

    /// The readings that apply to a notebook: its own, or the page's if those are old.
    pub fn series<'a>(&'a self, nb: &'a Notebook) -> &'a Series {
        newest(&nb.vitals, &self.vitals)
    }
}

/// A notebook's own readings, or the page's if those are more than half a minute newer.
pub(crate) fn newest<'a>(own: &'a Series, page: &'a Series) -> &'a Series {
    const STALE_MS: u64 = 30_000;
    match (own.last(), page.last()) {
        (None, _) => page,
        (Some(last), Some(other)) if other.at > last.at + STALE_MS => page,
        _ => own,
    }
}
