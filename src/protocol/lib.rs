//! What sensor, background, engine and pages exchange.
//!
//! Each shape is defined here once: its fields, their units and bounds, which of them are redacted
//! before an event is stored, and the slot of an event in the store. The JSON is what serde's derive
//! makes of the types. `protocol.d.ts`, `requests.d.ts` and `protocol.js` in `extension/` are generated from this
//! room, and a test compares them with it.
//!
//! Adding an event: declare its struct and its line of `events!` in `event.rs`, apply it in
//! `src/session`, send it from the sensor; then run
//! `NBMEDIC_BLESS=1 cargo test -p nbmedic-protocol --all-features`.

mod answer;
mod effect;
mod event;
#[cfg(feature = "typescript")]
pub mod generated;
mod kept;
mod memory;
mod read;
mod request;
mod strings;
mod text;
mod words;

pub use answer::{
    Done, Draft, DraftOf, Example, Muted, Options, PageOrigin, PageStatus, Put, Reply, Status,
    Taken, Text,
};
pub use effect::Effect;
pub use event::{
    Act, CellSeen, Event, Hello, KernelSeen, Limits, NotebookSeen, NoticeGone, NoticeSeen,
    OutputSeen, OutputsSeen, Removed, Slot, SourceSeen, VitalsSeen, MAX_HEAD, MAX_LANDMARKS,
    MAX_SOURCE, MAX_TAIL, SLOTS,
};
pub use kept::{Answered, Judged, MAX_FOUND};
pub use memory::{limits, Before, Context, Dismissed, Flight, Incident, Memory, Ran, Said};
pub use read::{parse_events, LogLine};
pub use request::{
    ActionRequest, Around, Asked, Envelope, FrameNews, FramedOutput, SensorRequest, Settings,
    ViewAct, ViewRequest, Wanted, Window,
};
pub use strings::{MAX_NAME, MAX_NOTICE};
pub use text::{clip_end, clip_start};
pub use words::{ActKind, CellState, KernelStatus, NoticeKind, OutputKind, Theme};
