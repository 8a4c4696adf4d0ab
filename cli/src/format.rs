//! The formats that `--format` names.

use clap::ValueEnum;

/// How diagnoses are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object per input and line (schema nbmedic.triage/1)
    Json,
    /// For pasting into an issue
    Markdown,
    /// One self-contained page
    Html,
}

/// How the list of rules is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people
    Text,
    /// One array
    Json,
}
