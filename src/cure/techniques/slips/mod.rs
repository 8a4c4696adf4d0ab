//! Small slips in everyday code: pairs that aren't unpacked, a method that an object lacks, an omitted option.

mod calls;
mod columns;
mod matches;
mod objects;
mod opencv;
mod pairs;
mod science;
mod tables;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::rules;
use nbmedic_facts::Cure;

#[rustfmt::skip] // one per line
const ALL: &[fn(&Case<'_>, &mut Vec<Cure>)] = &[
    pairs::offer,
    objects::offer,
    matches::offer,
    calls::offer,
    columns::offer,
    opencv::offer,
    tables::offer,
    science::offer,
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    for technique in ALL {
        technique(case, out);
    }
    rules::offer(case, "slips", out);
}

/// What to look at if no other technique has a change.
pub(crate) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    objects::say(case, out);
}
