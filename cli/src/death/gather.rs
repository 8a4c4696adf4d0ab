//! Finds what may say how a kernel died: flight records, notebooks, logs.

use super::entry::Log;
use super::{containers, flight, logs, system};
use crate::input::{self, own_output};
use crate::out::{reason, shown, warn};
use ignore::WalkBuilder;
use jiff::tz::TimeZone;
use jiff::Timestamp;
use nbmedic::notebook::{pieces, Piece};
use nbmedic_probe::Record;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How deep folders are searched.
const DEPTH: usize = 4;
/// Most files that are read of a folder.
const FILES: usize = 256;
/// How much of the end of a log is read, in bytes.
const END: u64 = 8 << 20;
/// How much is read of all logs, in bytes; the others are named.
const ALL: usize = 64 << 20;
/// Folders that hold other things.
const ELSEWHERE: &[&str] = &[".git", ".ipynb_checkpoints", "node_modules", "__pycache__"];
/// How the names of files end that may be logs.
const LOGS: &[&str] = &[
    "log", "txt", "out", "err", "csv", "json", "jsonl", "yaml", "yml",
];
/// How a flight record begins.
const RECORD: &str = "{\"k\":\"start\"";

/// What was found.
#[derive(Default)]
pub struct Found {
    /// The files of which something was used.
    pub read: Vec<PathBuf>,
    /// The flight record of the kernel that was recorded last.
    pub record: Option<Record>,
    /// Notebooks, with their code cells.
    pub notebooks: Vec<(PathBuf, Vec<Piece>)>,
    /// Logs.
    pub logs: Vec<Log>,
    /// Logs of which only the catalogue may know something.
    pub plain: Vec<(PathBuf, String)>,
    /// How much was read of logs, in bytes.
    taken: usize,
}

/// Reads files, and those in folders.
///
/// # Errors
/// A message if a path that was named can't be read.
pub fn gather(paths: &[PathBuf], zone: &TimeZone, now: Timestamp) -> Result<Found, String> {
    let mut found = Found::default();
    for path in paths {
        if path.is_dir() {
            for inner in walk(path) {
                if let Err(why) = take(&inner, zone, now, &mut found) {
                    warn(&why);
                }
            }
        } else {
            take(path, zone, now, &mut found)?;
        }
    }
    Ok(found)
}

/// The files in a folder that may say something, in order.
fn walk(path: &Path) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(path)
        // Git ignores the flight record.
        .standard_filters(false)
        .max_depth(Some(DEPTH))
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(|e| !ELSEWHERE.iter().any(|name| e.file_name() == *name))
        .build();
    let may = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let end = path.extension().unwrap_or_default().to_string_lossy();
        name == "dmesg" || end == "ipynb" || LOGS.contains(&&*end)
    };
    let files = walk
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| may(path));
    files.take(FILES).collect()
}

/// The end of a file as text.
fn end_of(path: &Path) -> Result<String, String> {
    let why = |e: std::io::Error| format!("{}: {}", path.display(), reason(&e));
    let mut file = File::open(path).map_err(why)?;
    let size = file.metadata().map_err(why)?.len();
    let skipped = size.saturating_sub(END);
    file.seek(SeekFrom::Start(skipped)).map_err(why)?;
    let mut bytes = Vec::new();
    file.take(END).read_to_end(&mut bytes).map_err(why)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // The first line may be cut.
    let whole = match skipped {
        0 => 0,
        _ => text.find('\n').map_or(0, |at| at + 1),
    };
    Ok(text.get(whole..).unwrap_or("").to_owned())
}

fn take(path: &Path, zone: &TimeZone, now: Timestamp, found: &mut Found) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".ipynb") {
        let text = String::from_utf8_lossy(&input::bytes(path)?).into_owned();
        let cells = pieces(&name, text).map_err(|e| format!("{}: {e}", path.display()))?;
        found.notebooks.push((path.to_owned(), cells));
        return Ok(());
    }
    // The older part of a record is read with the newer one.
    if name.ends_with(".1.jsonl") {
        return Ok(());
    }
    if found.taken > ALL {
        return Err(format!(
            "{}: not read, because the logs before it are {} MiB; name the files that matter",
            path.display(),
            found.taken >> 20
        ));
    }
    let text = end_of(path)?;
    found.taken += text.len();
    if text.trim_start().starts_with(RECORD) {
        let older = std::fs::read(path.with_extension("1.jsonl")).unwrap_or_default();
        let records = flight::records(&older, text.as_bytes());
        let newest = records.into_iter().chain(found.record.take());
        found.record = newest.max_by_key(flight::last);
        found.read.push(path.to_owned());
        return Ok(());
    }
    if own_output(&text).is_some() {
        return Ok(());
    }
    let log = logs::read(&text, zone)
        .or_else(|| system::read(&text, zone, now))
        .or_else(|| containers::read(&text, zone));
    match log {
        Some(log) => {
            found.logs.push(log);
            found.read.push(path.to_owned());
        }
        None if path
            .extension()
            .is_some_and(|e| e != "json" && e != "jsonl") =>
        {
            found.plain.push((path.to_owned(), text));
        }
        None => {}
    }
    Ok(())
}

/// A path for people, relative to the folder that was given.
pub fn short(path: &Path, paths: &[PathBuf]) -> String {
    let inside = paths.iter().find_map(|p| path.strip_prefix(p).ok());
    let inside = inside.filter(|p| !p.as_os_str().is_empty());
    shown(&inside.unwrap_or(path).display().to_string())
}
