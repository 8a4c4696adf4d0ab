//! `nbmedic triage`.

use crate::format::Format;
use crate::input::heed_signals;
use crate::judge::judge;
use crate::out::{self, complain, say};
use crate::outcome::{Found, Outcome};
use crate::print::{print_diagnosis, print_extent, print_nothing, print_sum, print_why};
use indicatif::{ProgressBar, ProgressStyle};
use nbmedic::catalog::prose;
use nbmedic::facts::Occurrences;
use nbmedic::report::{self, Judged, Known};
use std::path::PathBuf;
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
    /// The inputs.
    pub paths: Vec<PathBuf>,
    /// How to print.
    pub format: Format,
    /// Redact text and JSON too.
    pub redact: bool,
    /// Also print what was considered.
    pub why: bool,
}

/// What is told of an input.
enum News {
    Found(Box<Found>),
    End(Box<Outcome>),
}

impl Asked {
    /// Whether nothing that is printed may have a secret in it.
    fn clean(&self) -> bool {
        self.redact || matches!(self.format, Format::Markdown | Format::Html)
    }
}

/// What all inputs came to.
#[derive(Default)]
struct Sum {
    problems: usize,
    sick: usize,
    read: usize,
    failed: bool,
    interrupted: bool,
    html: Vec<Judged>,
    /// The secrets of the inputs so far.
    known: Known,
}

/// Reads the inputs, on all cores, and prints their diagnoses in the order of the inputs.
///
/// # Errors
/// None: what is wrong with an input is printed, and the others are read.
pub fn run(asked: &Asked) -> Result<u8, String> {
    heed_signals();
    let bar = progress(asked.paths.len());
    let mut sum = Sum::default();
    let cores = thread::available_parallelism().map_or(1, |n| n.get());
    let workers = cores.min(asked.paths.len());
    let turn = (Mutex::new(0), Condvar::new());
    let next = AtomicUsize::new(0);
    let (senders, receivers): (Vec<_>, Vec<_>) = asked.paths.iter().map(|_| channel()).unzip();
    thread::scope(|threads| {
        for _ in 0..workers {
            threads.spawn(|| loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((path, to)) = asked.paths.get(at).zip(senders.get(at)) else {
                    return;
                };
                let printed = turn.0.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = turn.1.wait_while(printed, |n| at >= *n + AHEAD * cores);
                drop(wait);
                // Only an input's end tells what else a value in it was.
                let as_found = asked.format == Format::Text && !asked.redact;
                let passed = |bytes: u64| {
                    if asked.paths.len() < MANY && bytes > SLOW {
                        bar.set_position(bytes);
                    }
                };
                // Whoever listens ends only with the program.
                let mut tell = |found: Found| {
                    let _ = to.send(News::Found(Box::new(found)));
                };
                let outcome = judge(path, as_found, asked.clean(), &passed, &mut tell);
                let _ = to.send(News::End(Box::new(outcome)));
            });
        }
        for (path, news) in asked.paths.iter().zip(&receivers) {
            input(asked, &path.display().to_string(), news, &bar, &mut sum);
            if asked.paths.len() >= MANY {
                bar.inc(1);
            }
            *turn.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            turn.1.notify_all();
        }
    });
    bar.finish_and_clear();
    match asked.format {
        Format::Html => say!("{}", out::lines(&report::judged_html(&sum.html))),
        Format::Text if asked.paths.len() > 1 && sum.read > 0 => {
            print_sum(sum.problems, sum.sick, sum.read);
        }
        _ => {}
    }
    Ok(match () {
        () if sum.interrupted => INTERRUPTED,
        () if sum.failed => 2,
        () => u8::from(sum.sick > 0),
    })
}

/// Prints what is told of one input.
fn input(asked: &Asked, path: &str, news: &Receiver<News>, bar: &ProgressBar, sum: &mut Sum) {
    let mut judged = Judged {
        source: match asked.clean() {
            true => report::redact(path).text,
            false => path.to_owned(),
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
    let unread = outcome.error.is_some() && outcome.read.is_none();
    if !unread {
        sum.read += 1;
        sum.problems += names.len();
        sum.sick += usize::from(!names.is_empty());
        if asked.format == Format::Text {
            bar.suspend(|| print_clean(&mut judged, sources));
        }
        bar.suspend(|| end(asked, judged, &names, &outcome, sum));
    }
    sum.interrupted |= outcome.interrupted;
    if let Some(error) = &outcome.error {
        sum.failed = true;
        bar.suspend(|| {
            out::flush();
            match asked.clean() {
                true => complain(&sum.known.redact(error).text),
                false => complain(error),
            }
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
fn end(asked: &Asked, judged: Judged, names: &[String], outcome: &Outcome, sum: &mut Sum) {
    match asked.format {
        Format::Text => {
            let counts: Vec<(String, Occurrences)> = outcome
                .counts
                .iter()
                .filter_map(|(at, o)| Some((names.get(*at)?.clone(), *o)))
                .collect();
            if names.is_empty() {
                print_nothing(&judged.source, judged.read);
            } else if judged.read.is_some() || !counts.is_empty() {
                print_extent(&judged.source, judged.read, &counts);
            }
        }
        Format::Json => say!("{}", out::json(&report::judged_json(&judged, asked.redact))),
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
