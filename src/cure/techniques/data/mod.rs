//! Tables, estimators and plots: pandas, scikit-learn, seaborn, Matplotlib.

mod aggregated;
mod align;
mod allowed;
mod arguments;
mod bounds;
#[cfg(test)]
mod categories_tests;
mod classes;
mod comparisons;
mod dates;
mod datetimes;
mod encode;
mod filtered;
mod fitted_columns;
mod formatted;
mod formulas;
pub(super) mod gaps;
mod group_key;
#[cfg(test)]
mod habits_tests;
mod idioms;
mod keywords;
mod literal_texts;
mod loops;
mod made_columns;
pub(super) mod mapped;
mod misplaced;
mod missing_values;
mod named_columns;
mod negative;
mod not_fitted;
mod numbered;
mod parameters;
mod plots;
mod positions;
#[cfg(test)]
mod reading_tests;
mod refitted;
mod relabelled;
mod rows_applied;
mod scores;
mod single_axes;
pub(super) mod split_order;
mod steps;
mod superseded;
mod synonyms;
mod text_number;
mod text_parameter;
mod truth;
mod unseen;
#[cfg(test)]
mod unseen_tests;
mod unwritten;
mod views;
mod windows;

use crate::case::Case;
use crate::rules;
use nbmedic_facts::Cure;

#[rustfmt::skip] // one per line
const ALL: &[fn(&Case<'_>, &mut Vec<Cure>)] = &[
    arguments::offer,
    keywords::offer,
    plots::offer,
    formatted::offer,
    negative::offer,
    relabelled::offer,
    single_axes::offer,
    text_number::offer,
    encode::offer,
    |case, out| out.extend(classes::spelled(case)),
    |case, out| out.extend(idioms::codes(case)),
    |case, out| rules::offer(case, "data", out),
    unwritten::offer,
    missing_values::offer,
    not_fitted::offer,
    unseen::offer,
    scores::offer,
    classes::offer,
    steps::offer,
    comparisons::offer,
    literal_texts::offer,
    allowed::offer,
    align::offer,
    named_columns::offer,
    bounds::offer,
    positions::offer,
    filtered::offer,
    formulas::offer,
    group_key::offer,
    idioms::offer,
    truth::offer,
    dates::offer,
    datetimes::offer,
    superseded::offer,
    loops::offer,
    windows::offer,
    rows_applied::offer,
    aggregated::offer,
    views::offer,
    fitted_columns::offer,
    misplaced::offer,
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    for technique in ALL {
        technique(case, out);
    }
}
