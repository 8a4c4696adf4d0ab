//! Plain Python, arithmetic, JSON, and differences of notebooks.

mod arithmetic;
mod calls;
mod closed_file;
mod containers;
mod json;
mod lacking;
#[cfg(test)]
mod lacking_tests;
mod linear;
mod notebook;
mod prepared;
#[cfg(test)]
mod prepared_tests;
mod streams;
#[cfg(test)]
mod tests;

use crate::case::Case;
use nbmedic_facts::Cure;

#[rustfmt::skip] // one per line
const ALL: &[fn(&Case<'_>, &mut Vec<Cure>)] = &[
    arithmetic::offer,
    calls::offer,
    closed_file::offer,
    containers::offer,
    json::offer,
    lacking::offer,
    linear::offer,
    notebook::offer,
    prepared::offer,
    streams::offer,
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    for technique in ALL {
        technique(case, out);
    }
}
