//! Why a kernel died: which cell was running, and what is known of the cause.
//!
//! [`record_incidents`] turns signals into incidents of the record; [`conclude`] gives the verdict
//! on each of them.

mod causes;
mod evidence;
mod flight;
mod incident;
mod log;
mod loss;
mod notice;
mod unknown_notices;
mod verdict;

pub(crate) use causes::is_nameless;
pub(crate) use evidence::{ended, is_on_purpose};
pub(crate) use incident::record_incidents;
pub(crate) use loss::record_loss;
pub(crate) use verdict::{conclude, Concluded, Verdict};
