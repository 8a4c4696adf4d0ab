//! What can be handed on: a text's diagnoses, a session's report; and what must not be in it.

mod entry;
mod html;
mod kinds;
mod markdown;
mod redact;
mod session;
mod triage;

pub use entry::{Entry, FixEntry};
pub use kinds::{Kind, KINDS};
pub use redact::{redact, redact_event, tally, Found, Redacted};
pub use session::{
    session_report, Options, Report, ReportEvent, ReportFinding, ReportNotebook, ReportPeak, Tally,
};
pub use triage::{triage_html, triage_json, triage_markdown};
