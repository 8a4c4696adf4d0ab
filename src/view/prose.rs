//! The prose that the background has provided.

use litemap::LiteMap;
use nbmedic_catalog::{find, Prose};
use nbmedic_explain::explain;
use nbmedic_triage::Diagnosis;
use std::collections::BTreeSet;

/// The loaded prose files.
#[derive(Clone, Debug, Default)]
pub struct ProseCache {
    known: LiteMap<String, Option<Prose>>,
}

impl ProseCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// A cache with all the embedded prose.
    #[cfg(feature = "prose")]
    pub fn embedded() -> Self {
        let known = nbmedic_catalog::rules()
            .iter()
            .map(|r| (r.id.to_owned(), nbmedic_catalog::prose(r.id)))
            .collect();
        ProseCache { known }
    }

    /// Adds the prose of a diagnosis.
    pub fn insert(&mut self, id: &str, prose: Prose) {
        self.known.insert(id.to_owned(), Some(prose));
    }

    /// Records that a diagnosis has no prose, so that it isn't requested again.
    pub fn give_up(&mut self, id: &str) {
        self.known.insert(id.to_owned(), None);
    }

    /// The prose, if it is loaded.
    pub fn get(&self, id: &str) -> Option<&Prose> {
        self.known.get(id)?.as_ref()
    }

    /// The prose, if it is loaded. Otherwise the id is added to `need`, unless loading it has failed.
    pub fn want(&self, id: &str, need: &mut BTreeSet<String>) -> Option<&Prose> {
        match self.known.get(id) {
            Some(prose) => prose.as_ref(),
            None => {
                need.insert(id.to_owned());
                None
            }
        }
    }

    /// The titles of the other diagnoses that the text could indicate.
    pub fn possible(&self, d: &Diagnosis, need: &mut BTreeSet<String>) -> Vec<String> {
        let title = |id: &'static str, need: &mut BTreeSet<String>| {
            find(id)?;
            let other = Diagnosis {
                id,
                variant: None,
                also: Vec::new(),
                ..d.clone()
            };
            Some(explain(&other, self.want(id, need)?).title)
        };
        let ids = d.also.iter();
        // A title that lacks a fact is not used.
        ids.map(|id| title(id, need).filter(|t| !t.contains('?')))
            .zip(&d.also)
            .map(|(title, id)| title.unwrap_or_else(|| id.replace('-', " ")))
            .collect()
    }
}
