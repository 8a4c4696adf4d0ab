//! `nbmedic fix`: the repairs of a notebook's failures, shown or written into it. It runs no cell.

mod choose;
mod place;
mod save;
mod sheet;

pub use place::{Book, Change};

use crate::input;
use crate::out::{self, put, say};
use crate::page::sure;
use crate::terminal::{paint, safe, wrap, DIM, ERROR, HELP, MARK, STRONG};
use choose::{choose, failures, Cells, Chosen, Failure, State};
use clap::ValueEnum;
use nbmedic::facts::{Applicability, FixKind};
use nbmedic::notebook::{parse, Piece};
use serde::Serialize;
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// How sure a repair must be to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Least {
    /// It removes the cause and changes nothing else
    Sure,
    /// Also those that contain a choice
    Likely,
    /// Also those that are worth trying
    Maybe,
}

impl From<Least> for Applicability {
    fn from(least: Least) -> Applicability {
        match least {
            Least::Sure => Applicability::Sure,
            Least::Likely => Applicability::Likely,
            Least::Maybe => Applicability::Maybe,
        }
    }
}

/// How repairs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixFormat {
    /// For people
    Text,
    /// One object (schema nbmedic.fix/1)
    Json,
}

/// What the command line asks for.
pub struct Asked {
    /// The notebook.
    pub path: PathBuf,
    /// Show the differences, even if they are written.
    pub diff: bool,
    /// Write the repairs.
    pub write: bool,
    /// How sure they must be for that.
    pub least: Least,
    /// How to print.
    pub format: FixFormat,
}

/// The repairs of a notebook's failures.
pub struct Repairs {
    name: String,
    pieces: Vec<Piece>,
    failures: Vec<Failure>,
    run: Vec<usize>,
    backup: Option<PathBuf>,
    /// The notebook with the repairs, if any was taken.
    pub repaired: Option<String>,
}

impl Repairs {
    /// The first cure of each failing cell, in a notebook's JSON; those at least as sure as `least` are taken.
    ///
    /// # Errors
    /// A message that names the notebook.
    pub fn of(name: String, text: &str, least: Option<Applicability>) -> Result<Self, String> {
        if let Some(own) = input::own_output(text) {
            return Err(format!(
                "{name}: {own}, nbmedic's own output: give the notebook"
            ));
        }
        // A byte order mark is no part of the JSON, and stays.
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => (&text[..text.len() - rest.len()], rest),
            None => ("", text),
        };
        let pieces = parse(text).map_err(|e| format!("{name}: {e}"))?;
        let Chosen {
            failures,
            sources,
            run,
        } = choose(failures(&pieces), &pieces, least);
        let repaired = match sources.is_empty() {
            true => None,
            false => {
                let new =
                    sheet::with_sources(text, &sources).map_err(|e| format!("{name}: {e}"))?;
                Some(format!("{mark}{new}"))
            }
        };
        Ok(Repairs {
            name,
            pieces,
            failures,
            run,
            backup: None,
            repaired,
        })
    }

    /// The same for a file, which is written if that is asked for.
    ///
    /// # Errors
    /// A message that names the file.
    pub fn of_file(path: &Path, least: Option<Applicability>) -> Result<Self, String> {
        let name = path.display().to_string();
        let bytes = input::bytes(path)?;
        let text = std::str::from_utf8(&bytes).map_err(|e| format!("{name}: not UTF-8: {e}"))?;
        let mut repairs = Self::of(name, text, least)?;
        if let Some(new) = repairs.repaired.as_ref().filter(|n| n.as_bytes() != bytes) {
            repairs.backup = Some(save::save(path, &bytes, new.as_bytes())?);
        }
        Ok(repairs)
    }

    /// What is said of them to programs: `nbmedic.fix/1`.
    ///
    /// # Errors
    /// None in practice: it has only strings, numbers and lists.
    pub fn json(&self) -> Result<String, String> {
        let said = Said {
            schema: "nbmedic.fix/1",
            source: &self.name,
            backup: self.backup.as_ref().map(|b| b.display().to_string()),
            run: &self.run,
            failures: &self.failures,
        };
        serde_json::to_string(&said).map_err(|e| e.to_string())
    }
}

/// Shows or writes the first cure of each failing cell.
///
/// # Errors
/// A message that names the file.
pub fn run(asked: &Asked) -> Result<u8, String> {
    if asked.write && asked.path == Path::new("-") {
        return Err("standard input can't be written to: name a notebook".to_owned());
    }
    let least = asked.write.then(|| asked.least.into());
    let repairs = Repairs::of_file(&asked.path, least)?;
    let Repairs {
        name,
        pieces,
        failures,
        run,
        backup,
        ..
    } = &repairs;
    match asked.format {
        FixFormat::Json => say!("{}", out::json(&repairs.json()?)),
        FixFormat::Text => print_text(name, asked, failures, pieces, backup.as_deref(), run),
    }
    let left = |f: &Failure| match f.state {
        State::Shown | State::Written | State::WrittenBefore => false,
        State::NotSureEnough | State::NotAnEdit | State::Clashes | State::NoCure => true,
    };
    Ok(u8::from(failures.iter().any(left)))
}

#[derive(Serialize)]
struct Said<'a> {
    schema: &'static str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
    /// After the notebook was written: the positions of the cells to run, in order.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    run: &'a [usize],
    failures: &'a [Failure],
}

fn print_text(
    name: &str,
    asked: &Asked,
    failures: &[Failure],
    pieces: &[Piece],
    backup: Option<&Path>,
    run: &[usize],
) {
    if failures.is_empty() {
        say!("{} {}", paint(DIM, "nothing to repair:"), safe(name));
        return;
    }
    let book = Cells::new(pieces);
    for failure in failures {
        let diff = match failure.state {
            State::Written => asked.diff,
            // The change would be shown as if it were made twice.
            State::WrittenBefore => false,
            _ => true,
        };
        print_failure(failure, &book, diff);
    }
    if let Some(backup) = backup {
        let kept = format!("as it was: {}", backup.display());
        say!(
            "{} {} ({})",
            paint(STRONG, "written:"),
            safe(name),
            safe(&kept)
        );
        say!("{} {}", paint(HELP, "now run"), cells(run));
    } else if failures
        .iter()
        .any(|f| f.state == State::Shown && f.is_edit())
    {
        let how = format!("write it: nbmedic fix --write {name}");
        say!("{}", paint(DIM, &safe(&how)));
    }
    let least = match asked.write {
        true => asked.least,
        false => Least::Sure,
    };
    if let Some((more, with)) = less_sure(failures, least) {
        let how = format!("{more} more with: nbmedic fix --write --applicability {with} {name}");
        say!("{}", paint(DIM, &safe(&how)));
    }
}

/// How many repairs are written only with a lower `--applicability`, and with which.
fn less_sure(failures: &[Failure], least: Least) -> Option<(usize, &'static str)> {
    let least = Applicability::from(least);
    let at = |level: Applicability| {
        let open = |f: &&Failure| matches!(f.state, State::Shown | State::NotSureEnough);
        let of = |f: &&Failure| f.fix.as_ref().is_some_and(|f| f.applicability == level);
        failures
            .iter()
            .filter(|f| f.is_edit())
            .filter(open)
            .filter(of)
            .count()
    };
    [
        (Applicability::Likely, "likely"),
        (Applicability::Maybe, "maybe"),
    ]
    .into_iter()
    .filter(|(level, _)| *level > least)
    .map(|(level, name)| (at(level), name))
    .find(|(n, _)| *n > 0)
}

fn print_failure(failure: &Failure, book: &Cells<'_>, diff: bool) {
    let line = failure
        .line
        .map_or(String::new(), |l| format!(", line {l}"));
    let place = format!("cell {}{line}", failure.cell);
    say!(
        "{} {} {}",
        paint(MARK, &format!("{place}:")),
        paint(STRONG, &safe(&failure.title)),
        paint(DIM, &format!("[{}]", failure.diagnosis))
    );
    let Some(fix) = &failure.fix else {
        let how = "no repair is known, or the cell was changed since; `nbmedic triage` says what may help";
        say!("  {}\n", paint(DIM, how));
        return;
    };
    let head = match failure.state {
        State::Written => "written:",
        State::WrittenBefore => "written before:",
        _ => "help:",
    };
    say!(
        "  {} {} {}",
        paint(HELP, head),
        safe(&fix.title),
        paint(DIM, &format!("({})", sure(fix.applicability)))
    );
    for part in fix.why.lines() {
        say!("{}", wrap(part, "  ", "  "));
    }
    match fix.kind {
        FixKind::Edit if diff => put!("{}", differences(failure, book)),
        FixKind::Edit => {}
        _ => put!("{}", crate::terminal::code(&fix.code, "      ")),
    }
    let not = match failure.state {
        State::NotSureEnough => "not written: it is less sure than --applicability asks for",
        State::NotAnEdit => "not written: it changes no cell",
        State::Clashes => {
            "not written: another repair changes the same place; run the notebook first"
        }
        State::Shown | State::Written | State::WrittenBefore | State::NoCure => "",
    };
    if !not.is_empty() {
        say!("  {}", paint(ERROR, not));
    }
    if matches!(failure.state, State::Shown | State::WrittenBefore) && failure.is_edit() {
        let cells = cells(&failure.to_run());
        say!("  {}", paint(DIM, &format!("then run {cells}")));
    }
    say!();
}

/// The changes of a failure's cure, as a unified difference with the cells in place of files.
fn differences(failure: &Failure, book: &Cells<'_>) -> String {
    let mut out = String::new();
    for (position, after) in book.repaired(failure.edits()).unwrap_or_default() {
        let before = book.source(position);
        let name = format!("cell {position}");
        let diff = TextDiff::from_lines(before, &after);
        let mut unified = diff.unified_diff();
        unified.context_radius(3).missing_newline_hint(false);
        for line in unified.header(&name, &name).to_string().lines() {
            out.push_str(&coloured(&safe(line)));
            out.push('\n');
        }
    }
    out
}

fn coloured(line: &str) -> String {
    match line.chars().next() {
        _ if line.starts_with("---") || line.starts_with("+++") => paint(STRONG, line),
        Some('@') => paint(MARK, line),
        Some('-') => paint(crate::terminal::REMOVED, line),
        Some('+') => paint(crate::terminal::ADDED, line),
        _ => line.to_owned(),
    }
}

/// `cell 3`, `cells 2, 5`.
fn cells(list: &[usize]) -> String {
    let all: Vec<String> = list.iter().map(usize::to_string).collect();
    format!(
        "cell{} {}",
        if all.len() == 1 { "" } else { "s" },
        all.join(", ")
    )
}
