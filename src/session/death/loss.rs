//! Runtimes that are gone although nothing that a rule can read says so.
//!
//! The page's own state is the same in every language: a run was cut off, and the kernel has no
//! connection. A connection that comes back soon was never lost, so the verdict waits. Words in an unknown
//! language join the evidence. They stop nothing, except for a dialog that was answered just before: in
//! one, the user confirms that the runtime is to be deleted or restarted.

use super::incident::{incident, victim, Victim};
use super::notice::diagnoses;
use crate::known::{
    standing, stands_for, Asker, CodeSays, Incident, Memory, Notebook, RestartCause, Triage,
    Unread, CUT_MS,
};
use nbmedic_catalog::Condition;
use nbmedic_protocol::{CellState, KernelStatus};
use nbmedic_triage::Diagnosis;
use nbmedic_vitals::Series;

/// A connection that comes back within this time was not lost, in milliseconds.
const RECONNECT_MS: u64 = 45_000;
/// A request to end the runtime is carried out within this time, in milliseconds.
const CONFIRMED_MS: u64 = 15_000;
/// The notices of a page are read up to this much later than its kernel, in milliseconds.
const READ_MS: u64 = 2_000;
/// Confidence in a loss that only the page's state shows.
const LOSS_CONFIDENCE: f32 = 0.8;
/// Confidence in what single words of a notice in an unknown language say.
const WORD_CONFIDENCE: f32 = 0.7;

/// Words that are the same in all languages, and what a notice on a death means by them.
const WORDS: [(&str, Condition); 4] = [
    ("RAM", Condition::HostMemory),
    ("GPU", Condition::Quota),
    ("TPU", Condition::Quota),
    ("Drive", Condition::Drive),
];

/// Records that the runtime is gone, once its connection has been away for long enough; takes the record
/// back if the run goes on after all.
///
/// `page` has the readings that name no notebook. `lent`: the runtime ends after a limited time.
pub(crate) fn record_loss(
    nb: &mut Notebook,
    page: &Series,
    lent: bool,
    now: u64,
    triage: Triage,
    asker: &Asker,
) {
    let Some(since) = nb.loss.since else {
        take_back(nb);
        return;
    };
    if now < since.saturating_add(RECONNECT_MS) {
        return;
    }
    let runs = nb.runs();
    let known = |i: &Incident| i.fatal && i.runs == runs;
    if let Some(at) = nb.memory.incidents.iter().rposition(known) {
        join(nb, at, since, triage);
        return;
    }
    let victim = victim(nb, asker, since);
    if let Some(v) = &victim {
        let cell = nb.cells.get(&v.cell);
        let hit = cell.is_some_and(|c| c.state == CellState::Running || c.cut_off().is_some());
        // A cell that only waits will start in another runtime, and one that ended well lost nothing.
        if !hit {
            return;
        }
    }
    let runs_on = victim.as_ref().is_some_and(|v| runs_on(nb, v));
    let first = victim.as_ref().and_then(|v| v.end);
    let first = first.map_or(since, |end| end.min(since));
    let nothing_lost = victim.is_none() && !(lent && has_state(&nb.memory, since));
    if nothing_lost || was_asked(nb, first) {
        return;
    }
    let lost = incident(nb, page, asker, since, true, 0);
    lost.status = Some(KernelStatus::Disconnected);
    let died = lost.at;
    let at = nb.memory.incidents.len() - 1;
    join(nb, at, since, triage);
    // Only a run that was cut off shows that its kernel is gone as well.
    if victim.is_some() && !runs_on {
        nb.memory.close_contexts();
        nb.memory.booted(RestartCause::Died, died);
        nb.memory.born = nb.memory.born.filter(|_| !lent);
    }
    nb.memory.bound();
}

/// Whether the page still shows a run as in progress.
fn runs_on(nb: &Notebook, victim: &Victim) -> bool {
    let cell = nb.cells.get(&victim.cell);
    cell.is_some_and(|c| c.state == CellState::Running)
}

/// Whether something ran in this kernel, so that its variables are lost with it.
fn has_state(memory: &Memory, by: u64) -> bool {
    let ended = |end: Option<u64>| end.is_some_and(|end| end <= by);
    let mut runs = memory.runs.iter();
    // Runs from before a reload of the page have no number.
    runs.any(|r| r.run > 0 && ended(r.end) && memory.in_this_kernel(r.start))
}

/// Whether the user asked for the end whose first sign came at `first`.
fn was_asked(nb: &Notebook, first: u64) -> bool {
    let just = |at: u64| at <= first + READ_MS && first.saturating_sub(at) <= CONFIRMED_MS;
    let confirmed = |n: &Unread| {
        let before = n.opened < first || n.opened == first && n.closed == Some(first);
        n.dialog && before && n.closed.is_some_and(just)
    };
    let restart = nb.memory.restarts.last();
    let restart = restart.filter(|r| r.cause == RestartCause::Asked);
    restart.is_some_and(|r| just(u64::from(r.second) * 1000))
        || nb.loss.notices.iter().any(confirmed)
}

/// Adds what the page says to an incident whose words no rule knows.
fn join(nb: &mut Notebook, at: usize, since: u64, triage: Triage) {
    let i = &mut nb.memory.incidents[at];
    let ours = i.status == Some(KernelStatus::Disconnected);
    let near = i.at.saturating_add(RECONNECT_MS) >= since;
    let unread = i
        .notices
        .iter()
        .all(|s| diagnoses(triage, &s.text).is_empty());
    if !ours && (i.status.is_some() || !near || !unread) {
        return;
    }
    i.status = Some(KernelStatus::Disconnected);
    let from = i.at.min(since).saturating_sub(CONFIRMED_MS);
    for n in &nb.loss.notices {
        let during = n.opened >= from && n.opened <= since.saturating_add(CUT_MS);
        if during && !i.notices.iter().any(|s| s.id == n.said.id) {
            i.notices.push(n.said.clone());
            nb.memory.handled.push(n.said.id.clone());
        }
    }
    nb.memory.bound();
}

/// Drops what was recorded of a run that goes on, or ended well, with its connection back; and of a time without a run, in
/// which a laptop may have slept, unless the runtime had reached a limit.
fn take_back(nb: &mut Notebook) {
    let cells = &nb.cells;
    nb.memory.incidents.retain(|i| {
        let cell = i.cell.as_ref().and_then(|id| cells.get(id));
        let alive = cell.is_some_and(|c| {
            let well = c.state == CellState::Running || c.ended.is_some_and(|e| e.well);
            c.run() == i.run && well
        });
        let asleep = i.cell.is_none() && super::evidence::limit(i).is_none();
        i.status != Some(KernelStatus::Disconnected) || !(alive || asleep)
    });
}

/// The diagnosis of an incident that only the page's state shows: the session's limit, if the runtime's
/// age or the time without a run reached it, or the connection. `None` if the kernel is still there.
fn of_state(incident: &Incident, lent: bool) -> Option<Diagnosis> {
    if incident.status != Some(KernelStatus::Disconnected) {
        return None;
    }
    let condition = match super::evidence::limit(incident) {
        Some(limit) if lent => limit,
        _ => Condition::Disconnection,
    };
    standing(condition, LOSS_CONFIDENCE)
}

/// What the front end's state and the words that all languages share say about a death which nothing
/// else explains, best first.
pub(super) fn causes(incident: &Incident, lent: bool) -> Vec<Diagnosis> {
    let mut found: Vec<Diagnosis> = of_state(incident, lent).into_iter().collect();
    if let Some(read) = of_words(incident) {
        // A full memory ends runtimes. A drive or a quota may be named beside the loss.
        let first = stands_for(&read, Condition::HostMemory);
        found.insert(if first { 0 } else { found.len() }, read);
    }
    found
}

/// What words that all languages share say in notices that no rule knows. Nothing if they say different
/// things.
fn of_words(incident: &Incident) -> Option<Diagnosis> {
    // The code explains the end better.
    if incident.cell.is_none() || matches!(incident.code, CodeSays::EndsKernel { .. }) {
        return None;
    }
    let mut found: Option<Condition> = None;
    for (word, condition) in WORDS {
        let said = incident.notices.iter().any(|s| has_word(&s.text, word));
        if said && found.is_some_and(|other| other != condition) {
            return None;
        }
        found = if said { Some(condition) } else { found };
    }
    let condition = found?;
    let mut d = standing(condition, WORD_CONFIDENCE)?;
    d.variant = (condition == Condition::HostMemory).then_some("killed");
    Some(d)
}

/// Whether a text has a word that no Latin letter or digit continues: other scripts write it without spaces.
fn has_word(text: &str, word: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        apart(text[..at].chars().next_back()) && apart(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_word_stands_alone_in_any_script() {
        for text in ["RAM", "(RAM).", "使用可能なRAMを", "der RAM-Speicher"] {
            assert!(has_word(text, "RAM"), "{text}");
        }
        for text in ["", "PROGRAM", "RAMP", "ram", "DRAM2"] {
            assert!(!has_word(text, "RAM"), "{text}");
        }
    }
}
