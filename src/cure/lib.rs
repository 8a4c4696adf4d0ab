//! Repairs failures in the user's code.
//!
//! From the notebook's cells, their execution order and the error output, this crate creates fixes for one specific
//! failure: edits of the user's lines, cells to run, packages to install. Each technique is a module of `techniques`,
//! and [`cures`] asks all of them. They share [`Case`]: the error, the user's frames, knowledge about names, and
//! edits that are checked before they are offered.
//!
//! Techniques read exceptions, not diagnoses, so they work whatever the catalogue calls the failure.

mod again;
mod anew;
mod book;
mod case;
mod change;
mod closest;
mod code;
mod edit;
mod excerpt;
mod feed;
mod find;
mod fit;
mod from_import;
mod imports;
mod keys;
mod known;
mod messages;
mod needed;
mod order;
mod rules;
mod same;
mod shown;
mod sized;
mod sureness;
mod table;
mod takes;
mod techniques;
mod texts;
mod told;
mod top;
mod trace;
mod values;
mod written;

pub use book::{Book, BookCell};
pub use case::Case;
pub use closest::closest;
pub use edit::rewritten;
pub use needed::needed;
pub use techniques::wide::WIDE;
pub use values::{Holder, Seen, Value};

use excerpt::Excerpt;
use nbmedic_facts::{Cure, Diagnosis, Edit, Ended, FixKind};

/// Maximum number of cures offered for one failure.
const MAX_CURES: usize = 3;
/// Maximum number of cures if a trial decides between them.
const MAX_TRIED: usize = 12;

/// Fills in the cures of an output's diagnoses. `at` is the index of its cell in the notebook. The
/// cures are added to the diagnosis based on the exception, whose index is returned; if no
/// exception ended the cell, to the first one.
pub fn cure(
    book: &Book<'_>,
    at: usize,
    output: &str,
    diagnoses: &mut [Diagnosis],
) -> Option<usize> {
    if diagnoses.is_empty() {
        return None;
    }
    // The last cells of a very long notebook aren't in the book.
    if at >= book.cells().len() {
        return cure_text(output, diagnoses);
    }
    let Some(case) = Case::new(book, at, output) else {
        return cure_output(output, diagnoses, true);
    };
    if case.is_of_a_program() {
        // An exception raised by a program says nothing about the cells' names.
        return cure_text(output, diagnoses);
    }
    let index = index(&case, diagnoses);
    let diagnosis = &mut diagnoses[index];
    diagnosis.cures = cures(&case.with(diagnosis));
    Some(index)
}

/// Fills in the cures for a kernel that died while a cell ran, based on that cell's code and the
/// cells above it. The record of which of them had run was lost with the kernel, so all of them
/// count.
pub fn cure_end(
    book: &Book<'_>,
    at: usize,
    ended: Ended,
    diagnoses: &mut [Diagnosis],
) -> Option<usize> {
    let diagnosis = diagnoses.first_mut()?;
    let cells = book.cells().iter().enumerate();
    let above = cells.map(|(i, c)| BookCell {
        ran: (i <= at).then_some(i as u64),
        ..*c
    });
    let book = Book::new(above.collect());
    // There is no real exception; this stands in for one.
    let case = Case::new(&book, at, "MemoryError").filter(|_| at < book.cells().len())?;
    let mut all = techniques::ended::cures(&case.with(diagnosis), ended);
    sureness::label_by_basis(&mut all);
    all.sort_by_key(|c| c.applies);
    all.truncate(MAX_CURES);
    diagnosis.cures = all;
    (!diagnosis.cures.is_empty()).then_some(0)
}

/// Like [`cure`], for an output without an exception, based on its wording.
fn cure_output(output: &str, diagnoses: &mut [Diagnosis], notebook: bool) -> Option<usize> {
    let diagnosis = diagnoses.first_mut()?;
    diagnosis.cures = messages::setup_of_output(output, diagnosis, notebook);
    sureness::label_by_basis(&mut diagnosis.cures);
    (!diagnosis.cures.is_empty()).then_some(0)
}

/// Like [`cure`], for a text without a notebook, based on the message and the lines of the
/// traceback.
fn cure_text(output: &str, diagnoses: &mut [Diagnosis]) -> Option<usize> {
    let none = Book::new(Vec::new());
    let Some(mut case) = Case::new(&none, 0, output) else {
        return cure_output(output, diagnoses, false);
    };
    let excerpt = Excerpt::of(&case.chain);
    let book = excerpt.book();
    case.at = book.cells().len() - 1;
    case.frames = excerpt.frames();
    // An exception that no diagnosis is based on belongs to another program, such as a package
    // build.
    let Some(index) = resting(&case, diagnoses) else {
        return cure_output(output, diagnoses, false);
    };
    let case = Case {
        book: &book,
        ..case
    };
    let diagnosis = &mut diagnoses[index];
    let case = case.with(diagnosis);
    let worded = |all: Vec<Cure>| all.into_iter().filter_map(|c| excerpt.worded(c)).collect();
    let mut made: Vec<Cure> = worded(cures(&case));
    if made.is_empty() {
        // The techniques' cures need the notebook's cells.
        let mut said = Vec::new();
        messages::code(&case, &mut said);
        sureness::label_by_basis(&mut said);
        made = worded(said);
    }
    diagnosis.cures = made;
    Some(index)
}

/// The index of the diagnosis based on the exception, or else of the first.
fn index(case: &Case<'_>, diagnoses: &[Diagnosis]) -> usize {
    resting(case, diagnoses).unwrap_or(0)
}

/// The index of the diagnosis based on the exception.
fn resting(case: &Case<'_>, diagnoses: &[Diagnosis]) -> Option<usize> {
    let lines = case.error_lines();
    // Missing evidence contradicts nothing.
    let rests =
        |d: &Diagnosis| d.evidence.is_empty() || d.evidence.iter().any(|e| lines.contains(&e.line));
    diagnoses.iter().position(rests)
}

/// The cures of a failure, surest first and without duplicates: at most three, or twelve if they
/// are tried. If the failing line was edited since, cures that touch it are left out: it may
/// already be repaired.
pub fn cures(case: &Case<'_>) -> Vec<Cure> {
    let outdated = !case.book.is_excerpt() && case.is_outdated();
    let changed = case.changed_line();
    if outdated && changed.is_none() {
        return Vec::new();
    }
    let mut all = techniques::resolve::offered(case, techniques::ALL);
    if let Some(line) = changed.filter(|_| outdated) {
        let at = case.position(case.at);
        let touches = |c: &Cure| {
            // Whole lines inserted above it leave it unchanged.
            let above =
                |e: &&Edit| e.start == e.end && e.start.column == 1 && e.text.ends_with('\n');
            let mut edits = c.edits.iter().filter(|e| e.cell == at && !above(e));
            edits.any(|e| (e.start.line..=e.end.line).contains(&line))
        };
        all.retain(|c| !c.edits.is_empty() && !touches(c));
    }
    sureness::label(case, &mut all, techniques::accepts);
    all.sort_by_key(|c| c.applies);
    let mut out: Vec<Cure> = Vec::new();
    for cure in all {
        let same = |c: &Cure| {
            c.edits == cure.edits
                && c.run == cure.run
                && c.code == cure.code
                && (c.kind != FixKind::Look || c.title == cure.title)
        };
        if !out.iter().any(same) {
            out.push(cure);
        }
    }
    out.truncate(match case.book.is_tried() {
        true => MAX_TRIED,
        false => MAX_CURES,
    });
    out
}

#[cfg(test)]
mod tests;
