//! `nbmedic triage`.

use crate::format::Format;
use crate::input::heed_signals;
use crate::judge::{judge, watch};
use crate::out::{self, complain, put, say, warn};
use crate::outcome::{Found, Outcome};
use crate::print::{self, print_diagnosis, print_extent, print_nothing, print_why};
use crate::reports;
use crate::walk::{files, named, Given};
use indicatif::{ProgressBar, ProgressStyle};
use nbmedic::catalog::prose;
use nbmedic::facts::{Cure, FixKind, Occurrences};
use nbmedic::report::{self, Judged, Known};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Receiver};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Smallest number of files for which progress is shown by files; for fewer, it is shown by bytes.
const MANY: usize = 8;
/// From which on that is shown.
const SLOW: u64 = 64 << 20;
/// How many inputs for each core may be judged before it is their turn to be printed.
const AHEAD: usize = 4;
/// The status of a program that a signal ended.
const INTERRUPTED: u8 = 130;

/// What the command line asks for.
pub struct Asked {
    /// The inputs; a folder stands for the files in it.
    pub paths: Vec<PathBuf>,
    /// How to print.
    pub format: Format,
    /// Redact text and JSON too.
    pub redact: bool,
    /// Also print what was considered.
    pub why: bool,
    /// Follow the only input, a file that grows.
    pub follow: bool,
}

/// What is told of an input.
enum News {
    Found(Box<Found>),
    End(Box<Outcome>),
}

impl Asked {
    /// Whether nothing that is printed may have a secret in it.
    fn clean(&self) -> bool {
        // What a CI system shows, others see.
        self.redact
            || match self.format {
                Format::Markdown | Format::Html => true,
                Format::Github | Format::Sarif | Format::Junit => true,
                Format::Text | Format::Json | Format::Concise => false,
            }
    }
}

/// What all inputs came to.
#[derive(Default)]
struct Sum {
    told: print::Sum,
    failed: bool,
    interrupted: bool,
    html: Vec<Judged>,
    /// For reports on all inputs.
    inputs: Vec<reports::Input>,
    /// The secrets of the inputs so far.
    known: Known,
}

/// Reads the inputs, on all cores, and prints their diagnoses in the order of the inputs.
///
/// # Errors
/// None: what is wrong with an input is printed, and the others are read.
pub fn run(asked: &Asked) -> Result<u8, String> {
    heed_signals();
    let given = match asked.follow {
        true => named(&asked.paths),
        false => files(&asked.paths),
    };
    let bar = progress(given.len());
    let mut sum = Sum::default();
    let cores = thread::available_parallelism().map_or(1, |n| n.get());
    let workers = cores.min(given.len());
    let turn = (Mutex::new(0), Condvar::new());
    let next = AtomicUsize::new(0);
    let (senders, receivers): (Vec<_>, Vec<_>) = given.iter().map(|_| channel()).unzip();
    thread::scope(|threads| {
        for _ in 0..workers {
            threads.spawn(|| loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((input, to)) = given.get(at).zip(senders.get(at)) else {
                    return;
                };
                let printed = turn.0.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = turn.1.wait_while(printed, |n| at >= *n + AHEAD * cores);
                drop(wait);
                // Only an input's end tells what else a value in it was.
                let as_found = asked.format == Format::Text && !asked.redact;
                let passed = |bytes: u64| {
                    if given.len() < MANY && bytes > SLOW {
                        bar.set_position(bytes);
                    }
                };
                // Whoever listens ends only with the program.
                let mut tell = |found: Found| {
                    let _ = to.send(News::Found(Box::new(found)));
                };
                let outcome = match asked.follow {
                    true => watch(&input.path, &passed, &mut tell),
                    false => judge(&input.path, as_found, asked.clean(), &passed, &mut tell),
                };
                let _ = to.send(News::End(Box::new(outcome)));
            });
        }
        for (one, news) in given.iter().zip(&receivers) {
            input(asked, one, news, &bar, &mut sum);
            if given.len() >= MANY {
                bar.inc(1);
            }
            *turn.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            turn.1.notify_all();
        }
    });
    bar.finish_and_clear();
    match asked.format {
        Format::Html => say!("{}", out::lines(&report::judged_html(&sum.html))),
        Format::Sarif => say!("{}", out::json(&reports::sarif(&sum.inputs))),
        Format::Junit => say!("{}", out::lines(&reports::junit(&sum.inputs)?)),
        Format::Text if sum.told.problems > 0 || (given.len() > 1 && sum.told.read > 0) => {
            sum.told.print();
        }
        _ => {}
    }
    Ok(match () {
        () if sum.interrupted => INTERRUPTED,
        () if sum.failed => 2,
        () => u8::from(sum.told.sick > 0),
    })
}

/// Prints what is told of one input.
fn input(asked: &Asked, given: &Given, news: &Receiver<News>, bar: &ProgressBar, sum: &mut Sum) {
    let path = given.path.display().to_string();
    let mut repairs = 0;
    let mut judged = Judged {
        source: match asked.clean() {
            true => report::redact(&path).text,
            false => path.clone(),
        },
        ..Judged::default()
    };
    let mut names = Vec::new();
    let mut sources = Vec::new();
    let outcome = loop {
        match news.recv() {
            Ok(News::Found(found)) => {
                let (d, source) = *found;
                let Some(prose) = prose(d.id) else { continue };
                let repairs_it = |c: &Cure| c.kind != FixKind::Look;
                let repaired = d.location.cell.is_some() && d.cures.iter().any(repairs_it);
                repairs += usize::from(repaired);
                names.push(match d.variant {
                    Some(v) => format!("{}/{v}", d.id),
                    None => d.id.to_owned(),
                });
                if asked.format != Format::Text || asked.redact {
                    judged.found.push((d, prose));
                    sources.push(source);
                    continue;
                }
                bar.suspend(|| {
                    print_diagnosis(&judged.source, &d, &prose, source.as_deref());
                    out::flush();
                });
            }
            Ok(News::End(outcome)) => break *outcome,
            // A thread that ended without a word: its panic was printed.
            Err(_) => {
                break Outcome {
                    error: Some(format!("{path}: nbmedic failed on it")),
                    ..Outcome::default()
                }
            }
        }
    };
    judged.read = outcome.read;
    sum.known.join(&outcome.known);
    judged.known = match asked.format {
        // A page knows what all of them show.
        Format::Html => outcome.known.clone(),
        _ => sum.known.clone(),
    };
    for &(at, o) in &outcome.counts {
        if let Some((d, _)) = judged.found.get_mut(at) {
            d.occurrences = Some(o);
        }
    }
    let was_read = outcome.error.is_none() || outcome.read.is_some();
    if was_read {
        let told = &mut sum.told;
        told.read += 1;
        told.problems += names.len();
        told.sick += usize::from(!names.is_empty());
        told.notebooks += usize::from(is_notebook(&given.path));
        told.repairs += repairs;
        let path = print::quoted(&judged.source);
        if repairs > 0 && !told.repaired.contains(&path) {
            told.repaired.push(path);
        }
        if asked.format == Format::Text {
            bar.suspend(|| print_clean(&mut judged, sources));
        }
        bar.suspend(|| end(asked, given, judged, &names, &outcome, sum));
    } else {
        bar.suspend(|| unread(asked, given, judged, &outcome, sum));
    }
    sum.interrupted |= outcome.interrupted;
    if let Some(error) = &outcome.error {
        sum.failed |= !given.walked;
        bar.suspend(|| {
            out::flush();
            let tell = match given.walked {
                true => warn,
                false => complain,
            };
            tell(&said(asked, &sum.known, error));
        });
    }
}

/// Whether a path is a notebook's, by its name.
fn is_notebook(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.strip_suffix(".gz")
        .unwrap_or(&name)
        .ends_with(".ipynb")
}

/// An error, without secrets where there must be none.
fn said(asked: &Asked, known: &Known, error: &str) -> String {
    match asked.clean() {
        true => known.redact(error).text,
        false => error.to_owned(),
    }
}

/// Keeps an input that could not be read for a report on all. Of one that nobody named a warning is enough.
fn unread(asked: &Asked, given: &Given, judged: Judged, outcome: &Outcome, sum: &mut Sum) {
    if !given.walked {
        let error = outcome.error.as_ref();
        sum.inputs.push(reports::Input {
            source: judged.source,
            findings: Vec::new(),
            error: error.map(|e| said(asked, &sum.known, e)),
        });
    }
}

/// Prints the diagnoses that waited for the input's end, without what any part of it showed to be a secret.
fn print_clean(judged: &mut Judged, sources: Vec<Option<String>>) {
    for (d, _) in &mut judged.found {
        report::redact_diagnosis(d, &judged.known);
    }
    for ((d, prose), source) in judged.found.iter().zip(sources) {
        let source = source.map(|s| judged.known.redact(&s).text);
        print_diagnosis(&judged.source, d, prose, source.as_deref());
    }
}

/// Prints what is known at an input's end.
fn end(
    asked: &Asked,
    given: &Given,
    mut judged: Judged,
    names: &[String],
    outcome: &Outcome,
    sum: &mut Sum,
) {
    match asked.format {
        Format::Text => {
            let counts: Vec<(String, Occurrences)> = outcome
                .counts
                .iter()
                .filter_map(|(at, o)| Some((names.get(*at)?.clone(), *o)))
                .collect();
            if names.is_empty() {
                // In a folder most are well: the sum counts them.
                if !given.walked {
                    print_nothing(&judged.source, judged.read);
                }
            } else if judged.read.is_some() || !counts.is_empty() {
                print_extent(&judged.source, judged.read, &counts);
            }
        }
        Format::Json => say!("{}", out::json(&report::judged_json(&judged, asked.redact))),
        Format::Concise | Format::Github | Format::Sarif | Format::Junit => {
            let placed = asked.format != Format::Concise;
            let findings = reports::findings(&mut judged, &given.path, asked.clean(), placed);
            let error = outcome.error.as_ref();
            let input = reports::Input {
                source: judged.source,
                findings,
                error: error.map(|e| said(asked, &sum.known, e)),
            };
            match asked.format {
                Format::Concise => put!("{}", out::lines(&reports::concise(&input))),
                Format::Github => put!("{}", out::lines(&reports::commands(&input))),
                _ => sum.inputs.push(input),
            }
        }
        Format::Markdown => say!("{}", out::lines(&report::judged_markdown(&judged))),
        Format::Html => sum.html.push(judged),
    }
    if asked.why {
        print_why(&outcome.considered);
    }
    out::flush();
}

fn progress(files: usize) -> ProgressBar {
    let (bar, template) = if files < MANY {
        (ProgressBar::no_length(), "{bytes} read, {bytes_per_sec}")
    } else {
        let bar = ProgressBar::new(files as u64);
        (bar, "{bar:32} {pos}/{len} inputs, {eta} left")
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
