//! Which notebook a notice is about.

use super::batch::{Batch, Signal};
use crate::known::{Known, Notebook};
use nbmedic_protocol::NoticeSeen;

/// Makes each new notice of a batch a signal of the notebooks that it is about.
pub(crate) fn address(page: &mut Known, batch: &mut Batch, now: u64) {
    for notice in std::mem::take(&mut batch.notices) {
        for id in about(page, &notice, now) {
            // A notice may come before any notebook was seen.
            if page.notebook(&id).is_some() {
                batch.signal(&id, Signal::Notice(notice.clone()));
            }
        }
    }
}

/// The notebooks that a notice is about: every view of a notebook in which something ran.
fn about(page: &Known, notice: &NoticeSeen, now: u64) -> Vec<String> {
    let all = |test: &dyn Fn(&Notebook) -> bool| -> Vec<String> {
        let fit = page.notebooks.iter().filter(|(_, nb)| test(nb));
        fit.map(|(id, _)| id.clone()).collect()
    };
    // Its text may have changed, so the notebooks that know it check it again.
    let mut ids = all(&|nb| nb.memory.knows_notice(&notice.id));
    if ids.is_empty() {
        ids.extend(notice.nb.clone());
    }
    if !ids.is_empty() {
        return ids;
    }
    // The notebook that it names, then one in which something runs, then the one that changed last.
    let rank = |nb: &Notebook| {
        let named = match notice.text.contains(&nb.name) {
            true => nb.name.len(),
            false => 0,
        };
        let changed = nb.cells.values().map(|c| c.touched).max();
        (named, nb.running().is_some(), changed)
    };
    let best = page.notebooks.iter().max_by_key(|(_, nb)| rank(nb));
    if let Some((_, nb)) = best.filter(|(_, nb)| rank(nb).0 > 0) {
        ids = all(&|other| other.name == nb.name && other.was_hit(now));
    }
    let id = best.map_or(String::new(), |(id, _)| id.clone());
    if !ids.contains(&id) {
        ids.push(id);
    }
    ids
}
