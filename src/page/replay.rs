//! Event logs: one JSON object per line.

use super::cards::Page;
use litemap::LiteMap;
use nbmedic_catalog::Prose;
use nbmedic_protocol::{Effect, Event, LogLine};
use nbmedic_view::{Node, ProseCache};

/// A card that is open at the end of a replay.
#[derive(Clone, Debug)]
pub struct Card {
    /// The page.
    pub page: String,
    /// The card's key.
    pub card: String,
    /// What people call its cell; the notebook's name, or `notebook`, for a card at the top.
    pub cell: String,
    /// Its diagnosis.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The card's tree.
    pub tree: Node,
}

/// Replays an event log and returns the cards that are open at its end, by page and in the order of
/// the cells.
///
/// # Errors
/// A message that names the line that can't be read.
pub fn replay(log: &str, prose: impl Fn(&str) -> Option<Prose>) -> Result<Vec<Card>, String> {
    let mut cache = ProseCache::new();
    let mut pages: LiteMap<String, Page> = LiteMap::new();
    for (i, line) in log.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let mut line = LogLine::parse(line).map_err(|e| format!("line {}: {e}", i + 1))?;
        // A replay shows what this engine finds, not what another one found.
        line.events
            .retain(|e| !matches!(e, Event::Judged(_) | Event::Answered(_)));
        let page = pages.entry(line.page).or_default();
        let mut effects = page.apply(&line.events, line.at, &cache);
        while let Some(ids) = effects.iter().find_map(needed) {
            for id in ids {
                match prose(&id) {
                    Some(p) => cache.insert(&id, p),
                    None => cache.give_up(&id),
                }
            }
            effects = page.apply(&[], line.at, &cache);
        }
    }
    let cards = pages.iter().flat_map(|(id, page)| page.open(id));
    Ok(cards.collect())
}

impl Page {
    /// The open cards in the order of the cells; `page` is the page's id.
    fn open(&self, page: &str) -> Vec<Card> {
        let findings = self.session.findings().into_iter();
        let open = findings.filter_map(|f| {
            let shown = self.card(&f)?;
            let Effect::Card { tree, .. } = &shown.effect else {
                return None;
            };
            let name = self.session.name(&f.place.nb);
            Some(Card {
                page: page.to_owned(),
                cell: match (f.label, name.is_empty()) {
                    (Some(cell), _) => cell.to_string(),
                    (None, false) => name.to_owned(),
                    (None, true) => "notebook".to_owned(),
                },
                card: f.card,
                id: f.diagnoses[0].id.to_owned(),
                title: shown.title.english(),
                tree: tree.clone(),
            })
        });
        open.collect()
    }
}

fn needed(effect: &Effect) -> Option<Vec<String>> {
    match effect {
        Effect::Need { ids, .. } => Some(ids.clone()),
        _ => None,
    }
}
