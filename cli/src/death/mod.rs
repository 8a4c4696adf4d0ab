//! `nbmedic death`: how a kernel died, from its flight record, the notebook and the logs beside it.

mod containers;
mod entry;
mod flight;
mod gather;
mod judge;
mod logs;
mod system;
mod time;

use crate::format::ListFormat;
use crate::out::{self, put, say, warn};
use crate::print::print_fix;
use crate::terminal::{fitted, paint, safe, width, wrap, wrapped, DIM, MARK, STRONG};
use entry::{Clock, Says};
use gather::{gather, short, Found};
use jiff::tz::TimeZone;
use jiff::Timestamp;
use judge::{judge, Judged};
use nbmedic::catalog::{explain, prose};
use nbmedic::report::Known;
use serde::Serialize;
use std::path::PathBuf;

/// How much of the time before the death the account tells, in milliseconds.
const BEFORE: i64 = 900_000;
/// How much of the time after it.
const AFTER: i64 = 120_000;
/// How near what befell another process must be to be told.
const BESIDE: i64 = 10_000;
/// Most lines of the account; the last ones are kept.
const LINES: usize = 40;
/// How many of the catalogue's fixes are printed.
const FIXES: usize = 2;

/// What the command line asks for.
pub struct Asked {
    /// Folders with a record, a notebook and logs, or such files.
    pub paths: Vec<PathBuf>,
    /// How to print.
    pub format: ListFormat,
    /// The time zone of logs that name none; the machine's own if there is none.
    pub zone: Option<String>,
}

/// A line of the account.
#[derive(Serialize)]
struct Line {
    /// Milliseconds since 1970; absent if only the order is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    /// What wrote it.
    source: &'static str,
    text: String,
}

/// The cell that was running.
#[derive(Serialize)]
struct Cell {
    /// Its execution count.
    count: u64,
    /// Its first line, without secrets.
    line: String,
    /// The notebook, and the cell's position in it from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    notebook: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
}

/// The account, as `--format json` prints it.
#[derive(Serialize)]
struct Account {
    schema: &'static str,
    cause: String,
    certainty: &'static str,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<Cell>,
    lines: Vec<Line>,
    #[serde(rename = "for")]
    speaks: Vec<String>,
    against: Vec<String>,
    read: Vec<String>,
}

/// Prints how the last kernel died. The status is 0 if it ended without an error, otherwise 1.
///
/// # Errors
/// A message if a path can't be read, or nothing there says anything of a kernel.
pub fn run(asked: &Asked) -> Result<u8, String> {
    let zone = match &asked.zone {
        Some(name) => TimeZone::get(name).map_err(|_| {
            format!("{name}: no such time zone; give a name like Europe/Paris or UTC")
        })?,
        None => TimeZone::system(),
    };
    let mut found = gather(&asked.paths, &zone, Timestamp::now())?;
    let says_something = |found: &Found| {
        found.record.is_some()
            || found
                .logs
                .iter()
                .flat_map(|log| &log.entries)
                .any(|e| e.says != Says::Printed)
    };
    if !says_something(&found) && found.plain.is_empty() {
        let paths: Vec<String> = asked
            .paths
            .iter()
            .map(|p| p.display().to_string())
            .collect();
        return Err(format!(
            "{}: no flight record, no server's, system's or container's log in it; the probe writes a record (nbmedic-flight) beside the notebook",
            paths.join(", ")
        ));
    }
    let known = learn(&found);
    let judged = judge(&mut found);
    let account = account(&found, &judged, &asked.paths, &known);
    match asked.format {
        ListFormat::Json => {
            let json = serde_json::to_string(&account).map_err(|e| e.to_string())?;
            say!("{}", out::json(&json));
        }
        ListFormat::Text => print(&account, &judged, &zone),
    }
    Ok(u8::from(
        judged.cause != nbmedic_probe::Cause::CleanExit.id(),
    ))
}

/// The secrets of everything that was read: what one text shows goes from all.
fn learn(found: &Found) -> Known {
    let mut known = Known::default();
    let logged = found.logs.iter().flat_map(|log| &log.entries);
    logged.for_each(|e| known.learn_secrets(&e.text));
    let plain = found.plain.iter().map(|(_, text)| text.as_str());
    plain.for_each(|text| known.learn_secrets(text));
    let cells = found.notebooks.iter().flat_map(|(_, cells)| cells);
    cells
        .flat_map(|cell| cell.texts())
        .for_each(|text| known.learn_secrets(text));
    known
}

fn account(found: &Found, judged: &Judged, paths: &[PathBuf], known: &Known) -> Account {
    let clean = |text: &str| known.redact(text).text;
    let all = |list: &[String]| list.iter().map(|text| clean(text)).collect();
    let mut lines: Vec<Line> = Vec::new();
    let recorded = found.record.as_ref().map(flight::log);
    for log in recorded.iter().chain(&found.logs) {
        for entry in log.entries.iter().filter(|e| e.says != Says::Printed) {
            let at = entry.at.filter(|_| log.clock == Clock::Unix);
            let pid = found.record.as_ref().map(|r| r.start.pid);
            let anothers = matches!(entry.says, Says::Oom(n, _) | Says::Fault(n, _) if pid.is_some_and(|pid| pid != u64::from(n)));
            let span = if anothers {
                -BESIDE..=BESIDE
            } else {
                -BEFORE..=AFTER
            };
            let near = match at.zip(judged.at) {
                Some((t, at)) => span.contains(&(t - at)),
                None => !anothers,
            };
            if near {
                lines.push(Line {
                    at,
                    source: log.source,
                    text: clean(&entry.text),
                });
            }
        }
    }
    // Those without a time stand last, in their order.
    lines.sort_by_key(|line| (line.at.is_none(), line.at));
    let skip = lines.len().saturating_sub(LINES);
    lines.drain(..skip);
    Account {
        schema: "nbmedic.death/1",
        cause: judged.cause.clone(),
        certainty: judged.certainty,
        words: judged.words.clone(),
        at: judged.at,
        cell: cell(found, paths, known),
        lines,
        speaks: all(&judged.speaks),
        against: all(&judged.against),
        read: found.read.iter().map(|path| short(path, paths)).collect(),
    }
}

/// The cell that was running, and where it stands in a notebook.
fn cell(found: &Found, paths: &[PathBuf], known: &Known) -> Option<Cell> {
    let running = found.record.as_ref()?.running()?;
    let line = running.line.clone().unwrap_or_default();
    let begins = |source: &str| {
        let first = source.lines().map(str::trim).find(|l| !l.is_empty());
        !line.is_empty() && first == Some(line.as_str())
    };
    let place = found.notebooks.iter().find_map(|(path, cells)| {
        let cell = cells
            .iter()
            .find(|cell| cell.source.as_deref().is_some_and(begins))?;
        Some((short(path, paths), cell.cell))
    });
    let (notebook, cell) = place.map_or((None, None), |(path, cell)| (Some(path), cell));
    Some(Cell {
        count: running.count,
        line: known.redact(&line).text,
        notebook,
        cell,
    })
}

fn print(account: &Account, judged: &Judged, zone: &TimeZone) {
    let head = format!("How the kernel died: {}", account.words);
    say!(
        "{} {}",
        paint(STRONG, &wrapped(&head)),
        paint(DIM, &format!("({})", account.certainty))
    );
    if let Some(cell) = &account.cell {
        let place = match (&cell.notebook, cell.cell) {
            (Some(path), Some(at)) => format!("{path}, cell {at}, "),
            _ => String::new(),
        };
        let text = format!(
            "{place}while cell [{}] ran: {}",
            cell.count,
            safe(&cell.line)
        );
        say!("{} {}", paint(MARK, " -->"), fitted(&text, width() - 5));
    }
    say!();
    let mut date = String::new();
    let wide = account
        .lines
        .iter()
        .map(|l| l.source.len())
        .max()
        .unwrap_or(0);
    for line in &account.lines {
        let at = line.at.map(|at| time::shown(at, zone));
        let (day, clock) = at.unwrap_or_else(|| (date.clone(), "without a date".to_owned()));
        if day != date {
            say!("  {}", paint(DIM, &day));
            date = day;
        }
        let front = format!("  {clock:<14} {:<wide$}  ", line.source);
        let text = fitted(&safe(&line.text), width().saturating_sub(front.len()));
        say!("{}{text}", paint(MARK, &front));
    }
    say!();
    for (sign, list) in [("+", &account.speaks), ("-", &account.against)] {
        for text in list {
            say!("{}", wrap(text, &format!("  {sign} "), "    "));
        }
    }
    if let Some((d, p)) = judged
        .diagnosis
        .as_ref()
        .and_then(|d| Some((d, prose(d.id)?)))
    {
        let told = explain(d, &p);
        say!();
        for fix in told.fixes.iter().take(FIXES) {
            print_fix(fix);
        }
        put!(
            "{}",
            paint(DIM, &format!("      all of it: nbmedic explain {}\n", d.id))
        );
    }
    if account.read.is_empty() {
        warn("nothing but plain text was read: a flight record, or the server's or the system's log, would say more");
        return;
    }
    say!(
        "{}",
        paint(DIM, &format!("      read: {}", account.read.join(", ")))
    );
}
