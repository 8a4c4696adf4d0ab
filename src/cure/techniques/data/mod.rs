//! Tables, estimators and plots: pandas, scikit-learn, seaborn, Matplotlib.

mod arguments;
mod encode;
mod missing_values;
mod plots;
mod text_number;

use super::Technique;
use crate::case::Case;
use nbmedic_facts::Cure;

#[rustfmt::skip] // one per line
const ALL: &[Technique] = &[
    arguments::offer,
    plots::offer,
    text_number::offer,
    encode::offer,
    missing_values::offer,
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    for technique in ALL {
        technique(case, out);
    }
}
