//! Notices in words that no rule knows, explained by what happens at the same time.
//!
//! Front ends are translated, and their words change. A toast that opens when a run is cut off, or
//! when execution counts go back, is about a kernel that died, whatever its words are. One sign
//! without the other proves nothing.

use crate::known::{Notebook, Unread, CUT_MS};
use nbmedic_protocol::{NoticeKind, NoticeSeen, Said};

/// Longest time between toast and restart, in milliseconds.
const BESIDE_MS: u64 = 15_000;
/// Maximum number of toasts that wait for a restart.
const MAX_WAITING: usize = 8;

/// Remembers a notice that no rule knows.
pub(super) fn remember(nb: &mut Notebook, now: u64, notice: NoticeSeen) {
    if notice.old {
        return;
    }
    let dialog = notice.kind == NoticeKind::Dialog;
    if dialog || notice.kind == NoticeKind::Toast {
        remember_words(nb, now, dialog, &notice);
    }
    let signs = &mut nb.signs;
    match notice.kind {
        NoticeKind::Toast => {
            let (id, text) = (notice.id, notice.text);
            signs.toasts.retain(|(_, said)| said.id != id);
            signs.toasts.push((now, Said { id, text }));
            let extra = signs.toasts.len().saturating_sub(MAX_WAITING);
            signs.toasts.drain(..extra);
        }
        NoticeKind::Dialog => signs.asked = Some(now),
        _ => {}
    }
}

fn remember_words(nb: &mut Notebook, now: u64, dialog: bool, notice: &NoticeSeen) {
    let notices = &mut nb.loss.notices;
    if let Some(known) = notices.iter_mut().find(|n| n.said.id == notice.id) {
        known.said.text.clone_from(&notice.text);
        return;
    }
    let gone = nb.loss.gone.iter().find(|(id, _)| *id == notice.id);
    let closed = gone.map(|(_, at)| *at);
    notices.push(Unread {
        said: Said {
            id: notice.id.clone(),
            text: notice.text.clone(),
        },
        dialog,
        opened: now,
        closed,
    });
    let extra = notices.len().saturating_sub(MAX_WAITING);
    notices.drain(..extra);
}

/// The toasts that came with a restart of the kernel, each only once.
pub(super) fn proven(nb: &mut Notebook, now: u64) -> Vec<Said> {
    let near = |at: u64| now.saturating_sub(at) <= BESIDE_MS;
    nb.signs.toasts.retain(|(at, _)| near(*at));
    if nb.signs.toasts.is_empty() || nb.signs.asked.is_some_and(near) {
        return Vec::new();
    }
    let cut = |end: u64| now.saturating_sub(end) <= CUT_MS;
    let cut = |c: &crate::known::Cell| !c.gone && c.cut_off().is_some_and(cut);
    if !nb.cells.values().any(cut) && !nb.signs.reset.is_some_and(near) {
        return Vec::new();
    }
    nb.signs.reset = None;
    let toasts = std::mem::take(&mut nb.signs.toasts);
    toasts.into_iter().map(|(_, said)| said).collect()
}
