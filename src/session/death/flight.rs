//! Matches flight records with deaths.

use crate::known::{Memory, RestartCause};
use nbmedic_protocol::Flight;

/// Largest difference between a recorded end and the page's report of it, in milliseconds: clocks
/// differ, and notices come late.
const SAME_DEATH_MS: u64 = 90_000;

/// The probe's record of the death that the page reported at `at` (milliseconds since 1970).
///
/// The next kernel prints it: it is the first record read after the death, before another death is
/// reported. It may still belong to an earlier end, if another restart was reported closer to it.
pub(super) fn of_death(memory: &Memory, at: u64) -> Option<&Flight> {
    // Restarts are recorded in whole seconds.
    let restarts = || {
        let all = memory.restarts.iter();
        all.map(|r| (r.cause, u64::from(r.second) * 1000))
    };
    let fits = |f: &&Flight| {
        let near = f.at.abs_diff(at);
        let later = |other: u64| other > at + 2_000 && other < f.seen;
        let nearer = |other: u64| other + 1_000 >= f.at && other.abs_diff(f.at) + 2_000 < near;
        // The user restarts a kernel that is gone.
        let taken = |(cause, other): (RestartCause, u64)| {
            nearer(other) || cause == RestartCause::Died && later(other)
        };
        near <= SAME_DEATH_MS && f.seen > at && !restarts().any(taken)
    };
    memory.flights.iter().find(fits)
}
