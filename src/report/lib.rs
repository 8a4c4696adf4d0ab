//! Reports of a text's diagnoses and of a session, with secrets and names redacted.

mod assistant;
mod draft;
mod entry;
mod html;
mod markdown;
mod model;
mod past;
mod redact;
mod redactor;
mod session;
mod triage;
mod versions;

pub use assistant::assistant;
pub use draft::draft;
pub use entry::{Entry, FixEntry};
pub use model::{
    Report, ReportEvent, ReportFinding, ReportNotebook, ReportPeak, ReportVital, Seen,
};
pub use nbmedic_secrets::{find, kinds, redact, replaced, Found, Known, Redacted};
pub use past::{past, Over, Past, Remembered};
pub use redact::{redact_event, redact_events, tally};
pub use redactor::{Taken, Tally};
pub use session::{session_report, Options};
pub use triage::{
    judged_html, judged_json, judged_markdown, redact_diagnosis, triage_html, triage_json,
    triage_markdown, Extent, Judged,
};
pub use versions::Version;
