//! The logs of what runs notebooks: Jupyter's server, Colab, Kaggle.

use super::entry::{said, Clock, Entry, Log, Says};
use super::time::parse;
use jiff::tz::TimeZone;
use serde::Deserialize;

/// The header of the table that Colab's *View runtime logs* shows.
const TABLE: &str = "Timestamp,Level,Message";

/// The log, if the text is one of these.
pub fn read(text: &str, zone: &TimeZone) -> Option<Log> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with(TABLE) {
        return Some(table(start, zone));
    }
    if start.starts_with('[') && start.contains("\"stream_name\"") {
        return kaggle(start);
    }
    let first = start.lines().next()?;
    if first.starts_with('{') && first.contains("\"msg\"") {
        return Some(lines_of_json(start, zone));
    }
    start
        .lines()
        .take(200)
        .any(|line| server_line(line, zone).is_some())
        .then(|| server(start, zone))
}

fn entry(at: Option<i64>, text: &str) -> Entry {
    Entry {
        at,
        text: text.trim().to_owned(),
        says: said(text),
    }
}

/// Colab's table, as it is copied or saved; the newest line is first.
fn table(text: &str, zone: &TimeZone) -> Log {
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let entry = |row: csv::StringRecord| {
        // A message with a comma that was not quoted goes on in the next field.
        let message: Vec<&str> = row.iter().skip(2).collect();
        entry(parse(row.get(0)?, zone), &message.join(",")).into()
    };
    let entries = rows.records().filter_map(Result::ok).filter_map(entry);
    Log::new("Colab's runtime log", entries.collect())
}

/// A line of `app.log` or `colab-jupyter.log`.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    msg: String,
    #[serde(default)]
    time: String,
}

fn lines_of_json(text: &str, zone: &TimeZone) -> Log {
    let entry = |line: &str| {
        let line: Line = serde_json::from_str(line).ok()?;
        Some(entry(parse(&line.time, zone), &line.msg))
    };
    let entries = text.lines().filter_map(entry);
    Log::new("Colab's log", entries.collect())
}

/// A part of what a Kaggle run printed.
#[derive(Deserialize)]
struct Part {
    time: f64,
    data: String,
}

/// Kaggle's log of a run, which counts seconds from its start.
fn kaggle(text: &str) -> Option<Log> {
    let parts: Vec<Part> = serde_json::from_str(text).ok()?;
    let entries = parts.iter().flat_map(|part| {
        let at = (part.time * 1000.0) as i64;
        let lines = part.data.lines().filter(|line| !line.trim().is_empty());
        lines.map(move |line| entry(Some(at), line))
    });
    Some(Log {
        source: "Kaggle's log",
        clock: Clock::Relative,
        entries: entries.collect(),
    })
}

/// The time and the rest of a line like `[I 2026-11-27 13:10:26.969 ServerApp] …`, or without a date, as `[I 13:10:26.969 NotebookApp]`.
fn server_line<'t>(line: &'t str, zone: &TimeZone) -> Option<(Option<i64>, &'t str)> {
    let inner = line.strip_prefix('[')?;
    let (level, inner) = inner.split_once(' ')?;
    if !matches!(level, "D" | "I" | "W" | "E" | "C") {
        return None;
    }
    let (head, rest) = inner.split_once(']')?;
    let (time, _program) = head.rsplit_once(' ')?;
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | '.' | ' ');
    time.chars().all(is_time).then(|| (parse(time, zone), rest))
}

/// A server's log. What its kernels print stands between its lines, without a time.
fn server(text: &str, zone: &TimeZone) -> Log {
    let mut last = None;
    let mut entries = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match server_line(line, zone) {
            Some((at, rest)) => {
                last = at.or(last);
                entries.push(entry(last, rest));
            }
            None => entries.push(Entry {
                says: Says::Printed,
                ..entry(last, line)
            }),
        }
    }
    Log::new("Jupyter's server", entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Vec<(Option<i64>, Says)>, &'static str) {
        let log = read(text, &TimeZone::UTC).expect("a log");
        let entries = log.entries.into_iter().map(|e| (e.at, e.says)).collect();
        (entries, log.source)
    }

    #[test]
    fn a_server_and_what_its_kernel_prints() {
        let text = "[I 2026-11-27 13:10:27.015 ServerApp] Kernel started: b7317caa\n\
            terminate called after throwing an instance of 'std::bad_alloc'\n\
            [I 2026-11-27 13:10:30.003 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), new random ports\n";
        let (found, source) = of(text);
        assert_eq!(source, "Jupyter's server");
        let says: Vec<&Says> = found.iter().map(|(_, s)| s).collect();
        assert_eq!(says, [&Says::Started, &Says::Printed, &Says::Gone]);
        assert_eq!(found[2].0.unwrap() - found[0].0.unwrap(), 2988);
    }

    #[test]
    fn colabs_table_shows_the_newest_first() {
        let text = "Timestamp,Level,Message\n\
            \"Jul 29, 2023, 4:32:52 PM\",WARNING,WARNING:root:kernel b0290a05 restarted\n\
            \"Jul 29, 2023, 4:32:52 PM\",INFO,\"KernelRestarter: restarting kernel (1/5), keep random ports\"\n\
            \"Jul 29, 2023, 4:29:05 PM\",WARNING,tcmalloc: large alloc 3011936256 bytes == 0x5bbf0000 @ 0x7f\n";
        let (found, source) = of(text);
        assert_eq!(source, "Colab's runtime log");
        let says: Vec<&Says> = found.iter().map(|(_, s)| s).collect();
        assert_eq!(says, [&Says::Printed, &Says::Gone, &Says::Gone]);
        let json = "{\"pid\":7,\"type\":\"jupyter\",\"level\":40,\"msg\":\"KernelRestarter: restarting kernel (1/5), keep random ports\",\"time\":\"2026-11-27T13:10:26.969Z\",\"v\":0}\n";
        assert_eq!(
            of(json),
            (vec![(Some(1_795_785_026_969), Says::Gone)], "Colab's log")
        );
    }

    #[test]
    fn kaggles_run_counts_from_its_start() {
        let text = r#"[{"stream_name":"stderr","time":4.5,"data":"loading\n"}
,{"stream_name":"stderr","time":96.25,"data":"nbclient.exceptions.DeadKernelError: Kernel died\n"}]"#;
        let (found, _) = of(text);
        assert_eq!(found[1], (Some(96_250), Says::Gone));
        assert!(read("loss 0.3\nloss 0.2\n", &TimeZone::UTC).is_none());
    }
}
