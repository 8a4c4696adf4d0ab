//! The results of a batch of events.

use crate::changes::Changes;
use litemap::LiteMap;
use nbmedic_protocol::{KernelStatus, NoticeSeen};

/// A possible incident.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    /// A notice of the front end.
    Notice(NoticeSeen),
    /// The kernel's status says that it died.
    Died(KernelStatus),
    /// The user restarts the kernel.
    Restarted,
}

/// What the events of one batch changed, and the signals in them that remain to be judged.
#[derive(Default)]
pub(crate) struct Batch {
    pub changes: Changes,
    /// New notices. Which notebook each is about is decided after the batch's other events.
    pub notices: Vec<NoticeSeen>,
    /// The signals of each notebook, in the order in which they came.
    pub signals: LiteMap<String, Vec<Signal>>,
}

impl Batch {
    pub(super) fn signal(&mut self, nb: &str, signal: Signal) {
        self.signals.entry(nb.to_owned()).or_default().push(signal);
    }
}
