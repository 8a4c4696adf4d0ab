//! The engine of nbmedic, the notebook medic: it reads what a notebook printed and says why it
//! failed and what to do about it.
//!
//! The engine is a pure function of its input. It opens no file, reads no clock and starts no
//! thread, so it gives the same answers in a browser extension, on a web page, in a terminal and
//! in a replay. `docs/architecture.md` shows the rooms and what passes between them.

pub mod catalog;
pub mod host;
mod json;
pub mod notebook;
mod order;
pub mod report;
mod secrets;
pub mod session;
pub use nbmedic_text as text;
pub use nbmedic_words as words;
pub mod source;
pub mod traceback;
pub mod triage;
pub mod view;
pub mod vitals;
#[cfg(all(target_arch = "wasm32", feature = "web"))]
pub mod web;
