//! The engine of nbmedic, the notebook medic: it reads what a notebook printed and says why it
//! failed and what to do about it.
//!
//! The engine is a pure function of its input. It opens no file, reads no clock and starts no
//! thread, so it gives the same answers in a browser extension, on a web page, in a terminal and
//! in a replay. `docs/architecture.md` shows the rooms and what passes between them.

mod examine;

#[cfg(not(target_arch = "wasm32"))]
pub use examine::examine;
pub use examine::{examine_with, Examined, Examiner};
pub use nbmedic_ask as ask;
#[cfg(not(target_arch = "wasm32"))]
pub use nbmedic_cure as cure;
pub use nbmedic_facts as facts;
pub use nbmedic_host as host;
pub use nbmedic_notebook as notebook;
pub use nbmedic_page as page;
pub use nbmedic_protocol as protocol;
#[cfg(not(target_arch = "wasm32"))]
pub use nbmedic_python as python;
pub use nbmedic_report as report;
pub use nbmedic_session as session;
pub use nbmedic_text as text;
pub use nbmedic_traceback as traceback;
pub use nbmedic_tree as tree;
pub use nbmedic_triage as triage;
pub use nbmedic_view as view;
pub use nbmedic_vitals as vitals;
pub use nbmedic_words as words;

/// The rules and their prose, and the prose filled in for a case.
pub mod catalog {
    pub use nbmedic_catalog::*;
    pub use nbmedic_explain::*;
    pub use nbmedic_facts::bytes;
}
#[cfg(all(target_arch = "wasm32", feature = "web"))]
pub mod web;
