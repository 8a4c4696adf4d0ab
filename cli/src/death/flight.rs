//! What the flight record adds to the account.

use super::entry::{Clock, Entry, Log, Says};
use nbmedic::facts::bytes;
use nbmedic_probe::wait::{decode, signal, Ended};
use nbmedic_probe::{Record, Sample};

/// How many of the last cells are shown.
const CELLS: usize = 4;
/// How long before the last sample memory is shown, in milliseconds.
const BEFORE: [u64; 4] = [600_000, 60_000, 10_000, 0];

/// The records of a file's two parts, oldest first, with its name for the program that wrote them.
pub fn records(older: &[u8], newer: &[u8]) -> Vec<Record> {
    Record::read(&[older, newer])
}

/// When a record was written last, in milliseconds since 1970.
pub fn last(record: &Record) -> u64 {
    let sample = record.samples.back().map_or(0, |s| s.time);
    let end = record.end.as_ref().map_or(sample, |end| end.time);
    end.max(record.start.time)
}

fn used((used, total): (u64, u64)) -> String {
    let size = |n: u64| bytes(i64::try_from(n).unwrap_or(i64::MAX));
    let percent = used.saturating_mul(100).checked_div(total).unwrap_or(0);
    format!("{} of {} ({percent} %)", size(used), size(total))
}

/// The memory of a sample: the limit's, or the machine's.
fn memory(sample: &Sample) -> Option<(u64, u64)> {
    let limited = sample.group.and_then(|(used, limit)| Some((used, limit?)));
    limited.or(sample.ram)
}

/// The record as a log.
pub fn log(record: &Record) -> Log {
    let mut entries = Vec::new();
    let mut add = |at: u64, text: String, says: Says| {
        entries.push(Entry {
            at: i64::try_from(at).ok(),
            text,
            says,
        });
    };
    let start = &record.start;
    if start.time > 0 {
        add(start.time, "the recording began".to_owned(), Says::Shown);
    }
    let skip = record.cells.len().saturating_sub(CELLS);
    for cell in record.cells.iter().skip(skip) {
        let line = cell.line.as_deref().unwrap_or("");
        add(
            cell.start,
            format!("cell [{}] began: {line}", cell.count),
            Says::Shown,
        );
        if let Some((at, ok)) = cell.done {
            let how = if ok { "ended" } else { "failed" };
            add(at, format!("cell [{}] {how}", cell.count), Says::Shown);
        }
    }
    let end = record.samples.back().map_or(0, |s| s.time);
    let mut told = None;
    for before in BEFORE {
        let at = end.saturating_sub(before);
        let sample = record.samples.iter().rev().find(|s| s.time <= at);
        let Some((sample, memory)) = sample.and_then(|s| Some((s, memory(s)?))) else {
            continue;
        };
        if told != Some(sample.time) {
            told = Some(sample.time);
            add(
                sample.time,
                format!("memory: {}", used(memory)),
                Says::Shown,
            );
        }
    }
    for space in record.space.iter().filter(|s| s.free < s.total / 50) {
        let of = used((space.total - space.free, space.total));
        add(end, format!("{}: {of}", space.name), Says::Shown);
    }
    for xid in &record.xids {
        let text = xid.message.as_deref().unwrap_or("");
        // The record's own verdict knows it already.
        add(xid.time, format!("Xid {}: {text}", xid.number), Says::Shown);
    }
    if let Some((at, why)) = &record.stop {
        let by = match why.as_str() {
            "runtime" => "the system stopped the recorder",
            _ => "the recording was stopped",
        };
        add(*at, by.to_owned(), Says::Shown);
    }
    if let Some(end) = &record.end {
        let how = match end.status.and_then(decode) {
            Some(Ended::Signal(s)) => {
                format!(
                    "the kernel ended: signal {s}, {}",
                    signal::name(s).unwrap_or("unnamed")
                )
            }
            Some(Ended::Exit(code)) => format!("the kernel ended: exit code {code}"),
            None if end.replaced => "another program took the kernel's place".to_owned(),
            None => "the kernel ended".to_owned(),
        };
        add(end.time, how, Says::Shown);
        if let Some(fault) = &end.fault {
            add(
                end.time,
                format!("Python's fault handler: {fault}"),
                Says::Shown,
            );
        }
    }
    entries.sort_by_key(|e| e.at);
    Log {
        source: "the flight record",
        clock: Clock::Unix,
        entries,
    }
}
