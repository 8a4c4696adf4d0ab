//! Remedies of failures that their own words identify: installations, launches, networks, drivers. They are data: the
//! entries of `python.txt` look at the exceptions, those of `shell.txt` at the output around the failure.
//!
//! An entry starts with `== name`. Its fields, one per line:
//!
//! - `when:` literals of which one must occur, between ` || `; each line must hold. `unless:` none may.
//! - `take:` a regular expression that must match; its named groups fill the slots `{name}`.
//! - `look-up:` `table group -> slot`: the table of `tables.txt` must have what the group holds; with `look-up?:` the
//!   group itself is taken where the table has nothing. `differ:` two groups that must not be the same.
//! - `on:` where it may be said: a system (Linux where nothing tells), `notebook`, `script`, `conda`, `colab`; all must hold.
//! - `kind:` install, setting or look; `applies:` sure, likely or maybe.
//! - `title:`, `why:`, and `code: language` with the indented lines after it. Commands are written for a terminal; in
//!   a notebook they get their magics.
//!
//! An entry with a slot that nothing fills is not offered. What fills a slot of code has no character that a shell
//! reads as more than text.

mod entries;
mod fill;

use crate::case::Case;
use entries::{Entry, Scope};
use fill::Slots;
use nbmedic_facts::{Applicability, Cure, Diagnosis, Front, Setting, System};
use nbmedic_text::{Document, Limits};
use nbmedic_traceback::{Chain, Origin};

/// Most remedies offered for one failure.
const MAX_REMEDIES: usize = 2;
/// Lines of the output that are looked at, before the failure and after it.
const BEFORE: usize = 120;
const AFTER: usize = 60;
/// Longest text that is looked at, in bytes.
const MAX_TEXT: usize = 40_000;

/// What is known of a failure.
struct Known<'a> {
    /// The exceptions with their classes; the output if there are none.
    error: String,
    /// The output around the failure.
    around: String,
    setting: &'a Setting,
    notebook: bool,
}

/// The remedies of a failure that ended in an exception.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let none = Setting::default();
    let setting = case.setting().unwrap_or(&none);
    let mut frames = case.chain.exceptions.iter().flat_map(|e| &e.frames);
    let notebook = !case.book.is_excerpt()
        || setting.in_notebook() == Some(true)
        || frames.any(|f| matches!(f.origin, Origin::Cell { .. }));
    let known = Known {
        error: said(&case.chain),
        around: around(&case.output, case.chain.lines.start, case.chain.lines.end),
        setting,
        notebook,
    };
    let mut all = chosen(&known);
    // A repair of the person's own line says more.
    if !case.book.is_excerpt() && out.iter().any(|c| !c.edits.is_empty()) {
        all.iter_mut()
            .for_each(|c| c.applies = Applicability::Maybe);
    }
    out.extend(all);
}

/// The remedies of an output without an exception.
pub(crate) fn of_output(output: &str, diagnosis: &Diagnosis, notebook: bool) -> Vec<Cure> {
    let document = Document::from_terminal(output, Limits::default());
    let rests = |i: &usize| {
        let line = document.raw_line(*i);
        diagnosis.evidence.iter().any(|e| e.line == line)
    };
    let first = (0..document.len()).find(rests).unwrap_or(0);
    let last = (0..document.len())
        .rev()
        .find(rests)
        .unwrap_or(document.len());
    let text = around(&document, first, last);
    let known = Known {
        error: text.clone(),
        around: text,
        setting: &diagnosis.setting,
        notebook: notebook || diagnosis.setting.in_notebook() == Some(true),
    };
    chosen(&known)
}

fn chosen(known: &Known<'_>) -> Vec<Cure> {
    let all = entries::all().iter();
    all.filter_map(|e| remedy(e, known))
        .take(MAX_REMEDIES)
        .collect()
}

/// The classes and messages of a chain, the last first.
fn said(chain: &Chain) -> String {
    let mut out = String::new();
    for e in chain.exceptions.iter().rev() {
        if out.len() + e.message.len() > MAX_TEXT {
            break;
        }
        out += &e.class;
        out += ": ";
        out += &e.message;
        out.push('\n');
    }
    out
}

/// The lines around a failure.
fn around(document: &Document, first: usize, last: usize) -> String {
    let from = first.saturating_sub(BEFORE);
    let to = last.saturating_add(AFTER).min(document.len());
    let mut out = String::new();
    for i in from..to {
        let line = document.line(i);
        if out.len() + line.len() > MAX_TEXT {
            break;
        }
        out += line;
        out.push('\n');
    }
    out
}

/// An entry for a failure; none if it does not hold.
fn remedy(entry: &Entry, known: &Known<'_>) -> Option<Cure> {
    let text = match entry.scope {
        Scope::Error => &known.error,
        Scope::Around => &known.around,
    };
    let any = |all: &[&str]| all.iter().any(|literal| text.contains(literal));
    let holds = entry.when.iter().all(|line| any(line))
        && !any(&entry.unless)
        && entry.on.iter().all(|place| is_there(place, known));
    if !holds {
        return None;
    }
    let mut slots = Slots::default();
    for take in &entry.takes {
        let found = (take.captures(text)).or_else(|| take.captures(&known.around))?;
        slots.add(take, &found);
    }
    if let Some((one, other)) = entry.differ {
        if slots.get(one) == slots.get(other) {
            return None;
        }
    }
    for l in &entry.look_ups {
        let key = slots.get(l.from)?.to_owned();
        match entries::look_up(l.table, &key) {
            Some(found) => slots.set_own(l.slot, found),
            None if l.or_itself => slots.set(l.slot, &key),
            None => return None,
        }
    }
    let code = match entry.code.is_empty() {
        true => String::new(),
        false => slots.code(&entry.code)?,
    };
    let bare = known.setting.front == Some(Front::Container);
    let (code, language) = match entry.language {
        "bash" if known.notebook => (fill::magics(&code), "python"),
        "bash" if bare => (code.replace("sudo ", ""), "bash"),
        language => (code, language),
    };
    Some(Cure {
        id: entry.name.into(),
        kind: entry.kind,
        applies: entry.applies.unwrap_or(Applicability::Likely),
        title: slots.text(entry.title)?,
        why: slots.text(entry.why)?,
        code,
        language: language.into(),
        ..Cure::default()
    })
}

/// Whether a failure was in such a place. Where nothing tells the system, it is Linux.
fn is_there(place: &str, known: &Known<'_>) -> bool {
    let setting = known.setting;
    match place {
        "linux" => matches!(setting.system, None | Some(System::Linux)),
        "macos" => setting.system == Some(System::Macos),
        "windows" => setting.system == Some(System::Windows),
        "notebook" => known.notebook,
        "script" => !known.notebook,
        "conda" => setting.conda,
        "colab" => setting.front == Some(Front::Colab),
        "kaggle" => setting.front == Some(Front::Kaggle),
        "cluster" => setting.front == Some(Front::Cluster),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
