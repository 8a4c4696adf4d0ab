//! The formats that `--format` names.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
/// What is printed.
pub enum Format {
    /// For people
    Text,
    /// One object per input and line (schema nbmedic.triage/1)
    Json,
    /// To paste into an issue
    Markdown,
    /// One self-contained page
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
/// What is printed.
pub enum ListFormat {
    /// For people
    Text,
    /// One array
    Json,
}
