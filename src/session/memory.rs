//! What the engine concluded and must not forget when the record is replayed.
//!
//! The store keeps the latest event of each slot. Which cell was running when the kernel died, or
//! that a CUDA context died before the last restart, can't be told from the latest events. So the
//! engine asks the background to store its conclusions like an event (effect `keep`); in a replay
//! they replace whatever was concluded before them.

use super::event::{clip_end, KernelStatus};
use crate::vitals::Reading;
use nbmedic_catalogc::readable;
use serde::Serialize;

const MAX_INCIDENTS: usize = 16;
const MAX_CONTEXTS: usize = 8;
const MAX_MEMBERS: usize = 64;
const MAX_FAULTS: usize = 128;
const MAX_HANDLED: usize = 64;
const MAX_DISMISSED: usize = 64;

/// Conclusions about one notebook.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// The notebook; empty: none was on the page.
    pub nb: String,
    /// Number given to the last incident.
    pub last: u32,
    /// What happened to the session, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Incident>,
    /// Runs of cells that failed on the device and were looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(String, u32)>,
    /// CUDA contexts that died, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<Context>,
    /// Notices that need no further look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub handled: Vec<String>,
    /// Cards that the person took away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<Dismissed>,
    /// The kernel's status when this was kept: the same one told again is nothing new.
    pub status: KernelStatus,
}

/// The kernel died, or the front end said something that needs explaining.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Incident {
    /// Its number in the notebook, from 1.
    pub n: u32,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The kernel or the runtime is gone.
    pub fatal: bool,
    /// The cell that was running.
    pub cell: Option<String>,
    /// The cell's run.
    pub run: u32,
    /// All runs that the notebook had seen by then.
    pub runs: u64,
    /// How long the cell had been running, in milliseconds.
    pub ran: Option<u64>,
    /// What the front end said.
    pub notices: Vec<Said>,
    /// The status that told of it.
    pub status: Option<KernelStatus>,
    /// Memory of the runtime before.
    pub ram: Option<Before>,
}

/// A notice of an incident.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Said {
    /// The notice.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A reading and how old it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Before {
    /// The reading.
    pub reading: Reading,
    /// Its age, in milliseconds.
    pub age: u64,
}

/// A CUDA context that is dead since a cell's run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Context {
    /// The diagnosis that killed it.
    pub id: String,
    /// The cell.
    pub cell: String,
    /// Its run.
    pub run: u32,
    /// Its execution count.
    pub count: Option<i64>,
    /// What people call the cell.
    pub label: String,
    /// The kernel has not been restarted since.
    pub open: bool,
    /// Cells and runs that failed because of it.
    pub members: Vec<(String, u32)>,
}

/// A card that the person took away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dismissed {
    /// The card.
    pub card: String,
    /// The cell's run then.
    pub run: u32,
    /// The incident shown then; 0: none.
    pub n: u32,
}

readable!(Memory {
    "nb" => nb,
    "last" => last,
    "incidents" => incidents,
    "faults" => faults,
    "contexts" => contexts,
    "handled" => handled,
    "dismissed" => dismissed,
    "status" => status,
});

readable!(Incident {
    "n" => n,
    "at" => at,
    "fatal" => fatal,
    "cell" => cell,
    "run" => run,
    "runs" => runs,
    "ran" => ran,
    "notices" => notices,
    "status" => status,
    "ram" => ram,
});

readable!(Said { "id" => id, "text" => text });

readable!(Before { "reading" => reading, "age" => age });

readable!(Context {
    "id" => id,
    "cell" => cell,
    "run" => run,
    "count" => count,
    "label" => label,
    "open" => open,
    "members" => members,
});

readable!(Dismissed { "card" => card, "run" => run, "n" => n });

impl Memory {
    /// Drops the oldest of what there is too much of.
    pub(crate) fn bound(&mut self) {
        fn last<T>(list: &mut Vec<T>, max: usize) {
            let extra = list.len().saturating_sub(max);
            list.drain(..extra);
        }
        clip_end(&mut self.nb, 256);
        last(&mut self.incidents, MAX_INCIDENTS);
        last(&mut self.contexts, MAX_CONTEXTS);
        last(&mut self.faults, MAX_FAULTS);
        last(&mut self.handled, MAX_HANDLED);
        last(&mut self.dismissed, MAX_DISMISSED);
        for c in &mut self.contexts {
            last(&mut c.members, MAX_MEMBERS);
        }
        for i in &mut self.incidents {
            last(&mut i.notices, 8);
            for said in &mut i.notices {
                clip_end(&mut said.text, super::event::MAX_NOTICE);
            }
        }
    }

    /// Whether a notice was dealt with.
    pub(crate) fn knows_notice(&self, id: &str) -> bool {
        self.handled.iter().any(|h| h == id)
    }

    /// The context that a cell's run killed or suffered from, and whether it killed it.
    pub(crate) fn context(&self, cell: &str, run: u32) -> Option<(&Context, bool)> {
        self.contexts.iter().rev().find_map(|c| {
            if c.cell == cell && c.run == run {
                Some((c, true))
            } else if c.members.iter().any(|(m, r)| m == cell && *r == run) {
                Some((c, false))
            } else {
                None
            }
        })
    }

    /// The kernel is a new one: no context of the last one is open.
    pub(crate) fn restarted(&mut self) {
        for c in &mut self.contexts {
            c.open = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_catalogc::json::Read;

    /// Every field is set, so that one which is written but not read is seen.
    #[test]
    fn what_is_kept_is_read_again() {
        let memory = Memory {
            nb: "n".into(),
            last: 2,
            incidents: vec![Incident {
                n: 2,
                at: 1_800_000_000_000,
                fatal: true,
                cell: Some("c".into()),
                run: 3,
                runs: 4,
                ran: Some(5),
                notices: vec![Said {
                    id: "7".into(),
                    text: "crashed".into(),
                }],
                status: Some(KernelStatus::Dead),
                ram: Some(Before {
                    reading: Reading::Known {
                        used: 1 << 40,
                        total: Some(1 << 41),
                    },
                    age: 9,
                }),
            }],
            faults: vec![("c".into(), 1)],
            contexts: vec![Context {
                id: "cuda-illegal-access".into(),
                cell: "c".into(),
                run: 1,
                count: Some(-1),
                label: "cell 1".into(),
                open: true,
                members: vec![("d".into(), 2)],
            }],
            handled: vec!["7".into()],
            dismissed: vec![Dismissed {
                card: "n/c".into(),
                run: 1,
                n: 2,
            }],
            status: KernelStatus::Busy,
        };
        let json = serde_json::to_string(&memory).unwrap();
        let read = Memory::read(serde_json::from_str(&json).unwrap());
        assert_eq!(read.as_ref(), Some(&memory), "{json}");
    }
}
