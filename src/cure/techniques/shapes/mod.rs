//! Shapes, dtypes, devices and memory of arrays and tensors: leads from the message to the user's line.

mod arrays;
mod channels;
mod dtypes;
mod estimators;
mod grads;
pub(super) mod images;
mod inputs;
mod joined_axes;
mod keras;
mod keras_images;
mod keras_sequences;
pub(super) mod layers;
pub(super) mod memory;
pub(super) mod one_sample;
mod say;
pub(super) mod scan;
pub(super) mod targets;
pub(super) mod text;

#[cfg(test)]
mod arrays_tests;
#[cfg(test)]
mod grads_tests;
#[cfg(test)]
mod images_tests;
#[cfg(test)]
mod inputs_tests;
#[cfg(test)]
mod keras_tests;
#[cfg(test)]
mod layers_tests;
#[cfg(test)]
mod targets_tests;

use crate::case::Case;
use nbmedic_facts::Cure;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    layers::offer(case, out);
    inputs::offer(case, out);
    grads::offer(case, out);
    memory::offer(case, out);
    arrays::offer(case, out);
    joined_axes::offer(case, out);
    estimators::offer(case, out);
    keras::offer(case, out);
    keras_sequences::offer(case, out);
    channels::offer(case, out);
    images::offer(case, out);
    targets::offer(case, out);
    dtypes::offer(case, out);
}
