//! Prose that the background has provided.

use litemap::LiteMap;
use nbmedic_catalog::{find, Prose};
use nbmedic_explain::explain;
use nbmedic_triage::Diagnosis;
use std::collections::BTreeSet;

/// The prose files at hand.
#[derive(Clone, Debug, Default)]
pub struct ProseCache {
    known: LiteMap<String, Option<Prose>>,
}

impl ProseCache {
    /// Nothing is at hand.
    pub fn new() -> Self {
        Self::default()
    }

    /// All the embedded prose.
    #[cfg(feature = "prose")]
    pub fn embedded() -> Self {
        let known = nbmedic_catalog::rules()
            .iter()
            .map(|r| (r.id.to_owned(), nbmedic_catalog::prose(r.id)))
            .collect();
        ProseCache { known }
    }

    /// Keeps the prose of a diagnosis.
    pub fn insert(&mut self, id: &str, prose: Prose) {
        self.known.insert(id.to_owned(), Some(prose));
    }

    /// There is no prose to be had for this diagnosis: it is not asked for again.
    pub fn give_up(&mut self, id: &str) {
        self.known.insert(id.to_owned(), None);
    }

    /// The prose, if it is at hand.
    pub fn get(&self, id: &str) -> Option<&Prose> {
        self.known.get(id)?.as_ref()
    }

    /// The prose; what is neither at hand nor given up is noted as needed.
    pub fn want(&self, id: &str, need: &mut BTreeSet<String>) -> Option<&Prose> {
        match self.known.get(id) {
            Some(prose) => prose.as_ref(),
            None => {
                need.insert(id.to_owned());
                None
            }
        }
    }

    /// The titles of what else a diagnosis' text could mean.
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
        // A title that would have a hole in it is no title.
        ids.map(|id| title(id, need).filter(|t| !t.contains('?')))
            .zip(&d.also)
            .map(|(title, id)| title.unwrap_or_else(|| id.replace('-', " ")))
            .collect()
    }
}
