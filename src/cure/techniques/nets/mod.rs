//! Deep learning: checkpoints, training loops, layer classes, texts and tokenizers, compiled functions.

mod checkpoints;
mod datasets;
mod devices;
mod encodings;
mod graphs;
mod hub;
mod keras_calls;
mod keras_data;
mod keras_files;
mod keras_kept;
mod keras_ops;
mod lists;
mod loops;
mod modules;
mod pictures;
mod recurrent;
mod texts;
mod traced;
mod trained;
mod trainers;
mod training;
mod values;
mod workers;

#[cfg(test)]
mod keras_tests;
#[cfg(test)]
mod lists_tests;
#[cfg(test)]
mod more_tests;
#[cfg(test)]
mod texts_tests;
#[cfg(test)]
mod torch_tests;
#[cfg(test)]
mod traced_tests;
#[cfg(test)]
mod training_tests;

use crate::case::Case;
use nbmedic_facts::Cure;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    checkpoints::offer(case, out);
    datasets::offer(case, out);
    encodings::offer(case, out);
    devices::offer(case, out);
    keras_calls::offer(case, out);
    keras_data::offer(case, out);
    keras_files::offer(case, out);
    keras_kept::offer(case, out);
    keras_ops::offer(case, out);
    recurrent::offer(case, out);
    graphs::offer(case, out);
    lists::offer(case, out);
    loops::offer(case, out);
    modules::offer(case, out);
    pictures::offer(case, out);
    texts::offer(case, out);
    traced::offer(case, out);
    trainers::offer(case, out);
    training::offer(case, out);
    values::offer(case, out);
    workers::offer(case, out);
}
