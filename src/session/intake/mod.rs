//! What comes in: each event is applied to what is known of the page.
//!
//! Then the cells' outputs are judged, and the probe's lines, runs and CUDA contexts are recorded.
//! Causes of death are found one storey up.

mod answered;
mod apply;
mod batch;
mod cuda_contexts;
mod kept;
mod notices;
mod printed;
mod probe;
mod runs;

pub(crate) use answered::take_answered;
pub(crate) use apply::{adopt, apply};
pub(crate) use batch::{Batch, Signal};
pub(crate) use cuda_contexts::record_contexts;
pub(crate) use kept::take_judged;
pub(crate) use notices::address;
pub(crate) use printed::{judge_printed, shrink};
pub(crate) use probe::read_probe;
pub(crate) use runs::{record_runs, record_sample};
