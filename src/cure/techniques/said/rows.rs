//! The rows of a table: wordings of messages, and what to write instead.
//!
//! A row ends with an empty line. The sign at the start of a line says what it is:
//!
//! ```text
//! # a comment
//! = a wording of `Class: message`; several are alternatives
//! ~ one | of these must stand in a frame or in the message; `~ !` none of them
//! @ torch jax: the failure is about one of these frameworks, if it is known
//! ? a == b + 1     must hold
//! % n = a / b      must be a whole number above 0, and has a name then
//! ! the title
//! > a line of code
//! a sentence; what names something that is not known is left out
//! ```

use super::pattern::Pattern;

/// What a message says, and what to write instead.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub wordings: Vec<Pattern>,
    pub near: Vec<(bool, Vec<&'static str>)>,
    pub frameworks: Vec<&'static str>,
    pub steps: Vec<Step>,
    pub title: &'static str,
    pub why: Vec<&'static str>,
    pub code: Vec<&'static str>,
}

/// A condition, or a number calculated from others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Holds(&'static str),
    Whole(&'static str, &'static str),
}

/// The rows of a table.
pub(super) fn read(table: &'static str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = Row::default();
    for line in table.lines().chain([""]) {
        let (sign, rest) = match line.split_at_checked(2) {
            Some((sign, rest)) => (sign, rest.trim()),
            None => (line, ""),
        };
        match sign {
            "" if row.wordings.is_empty() => {}
            "" => rows.push(std::mem::take(&mut row)),
            "# " => {}
            "= " => row.wordings.push(Pattern::new(rest)),
            "~ " => {
                let (wanted, rest) = match rest.strip_prefix('!') {
                    Some(rest) => (false, rest),
                    None => (true, rest),
                };
                let words = rest.split(" | ").map(str::trim);
                row.near.push((wanted, words.collect()));
            }
            "@ " => row.frameworks.extend(rest.split(' ')),
            "? " => row.steps.push(Step::Holds(rest)),
            "% " => {
                if let Some((name, sum)) = rest.split_once(" = ") {
                    row.steps.push(Step::Whole(name, sum));
                }
            }
            "! " => row.title = rest,
            "> " => row.code.push(&line[2..]),
            ">" => row.code.push(""),
            _ => row.why.push(line.trim()),
        }
    }
    rows
}
