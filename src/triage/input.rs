//! The input of a triage.

/// The source of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// A cell's output, or a file that holds one.
    #[default]
    Output,
    /// A toast, dialog or banner of the front end.
    Notice,
    /// A log of a program or server.
    Log,
}

/// The text to diagnose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// The text as printed, control codes included.
    pub text: &'a str,
    /// Its source.
    pub surface: Surface,
    /// The source of the cell that printed it, if known.
    pub source: Option<&'a str>,
}
