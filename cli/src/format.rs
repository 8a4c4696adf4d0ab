//! The formats that `--format` names.

use clap::ValueEnum;

/// How diagnoses are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object per input and line (schema nbmedic.triage/1)
    Json,
    /// One line for each problem: PATH:cell 3:4: ID: TITLE
    Concise,
    /// Annotations of a run on GitHub Actions, without secrets
    Github,
    /// A log for code scanning and editors (SARIF 2.1.0), without secrets
    Sarif,
    /// A report for CI systems (JUnit's XML), without secrets
    Junit,
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
