//! Notices in words that nobody knows, told by what happens beside them.
//!
//! Front ends are translated, and what they say changes. A toast that opens while a cell runs,
//! beside a run that was cut off or counts that went back, is about a kernel that died, whatever
//! its words are. One without the other says nothing.

use super::notebook::Notebook;
use nbmedic_protocol::Said;
use nbmedic_protocol::{NoticeKind, NoticeSeen};

/// Toast and restart come within this time.
const BESIDE_MS: u64 = 15_000;
/// Most toasts that wait for a restart.
const MAX_WAITING: usize = 8;

/// What the front end showed lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread {
    toasts: Vec<(u64, Said)>,
    /// When the person last asked for a restart, or a dialog was open that nobody can read: a
    /// restart is confirmed in one.
    pub asked: Option<u64>,
    /// When counts of cells that do not run were last taken back.
    pub reset: Option<u64>,
}

/// Notes a notice that no rule knows.
pub(crate) fn note(nb: &mut Notebook, now: u64, notice: NoticeSeen) {
    if notice.old {
        return;
    }
    let unread = &mut nb.unread;
    match notice.kind {
        NoticeKind::Toast => {
            let (id, text) = (notice.id, notice.text);
            unread.toasts.retain(|(_, said)| said.id != id);
            unread.toasts.push((now, Said { id, text }));
            let extra = unread.toasts.len().saturating_sub(MAX_WAITING);
            unread.toasts.drain(..extra);
        }
        NoticeKind::Dialog => unread.asked = Some(now),
        _ => {}
    }
}

/// The toasts beside which the kernel was restarted, each only once.
pub(crate) fn proven(nb: &mut Notebook, now: u64) -> Vec<Said> {
    let near = |at: u64| now.saturating_sub(at) <= BESIDE_MS;
    nb.unread.toasts.retain(|(at, _)| near(*at));
    if nb.unread.toasts.is_empty() || nb.unread.asked.is_some_and(near) {
        return Vec::new();
    }
    let ends = nb.cells.values().filter(|c| !c.gone).map(|c| c.ended);
    let cut = ends.flatten().any(|(end, well)| !well && near(end));
    if !cut && !nb.unread.reset.is_some_and(near) {
        return Vec::new();
    }
    nb.unread.reset = None;
    let toasts = std::mem::take(&mut nb.unread.toasts);
    toasts.into_iter().map(|(_, said)| said).collect()
}
