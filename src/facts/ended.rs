//! How a kernel ended.

use serde::{Deserialize, Serialize};

/// The end of a kernel while a cell ran, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ended {
    /// Main memory ran out.
    pub memory: bool,
    /// Compiled code may have crashed: what is known does not say that it was anything else.
    pub crash: bool,
    /// All main memory of the machine, in bytes.
    pub total: Option<u64>,
    /// What of it was free before, in bytes.
    pub free: Option<u64>,
}
