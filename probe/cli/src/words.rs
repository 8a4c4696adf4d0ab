//! Records and verdicts in words.

use nbmedic_probe::nvml::{reason_text, throttling};
use nbmedic_probe::wait::{signal, Ended};
use nbmedic_probe::{xid, Certainty, Record, Verdict};
use std::fmt::Write;

/// Bytes, in GiB or MiB.
pub fn bytes(n: u64) -> String {
    let mib = n as f64 / f64::from(1 << 20);
    if mib < 1000.0 {
        format!("{mib:.0} MiB")
    } else {
        format!("{:.1} GiB", mib / 1024.0)
    }
}

/// A sentence with its first letter and its full stop.
fn sentence(words: &str) -> String {
    let (first, rest) = words.split_at_checked(1).unwrap_or(("", words));
    format!("{}{rest}.", first.to_uppercase())
}

/// A record without an end.
pub fn no_end(record: &Record) -> &'static str {
    match &record.stop {
        Some((_, why)) if why == "runtime" => {
            "The recorder was told to end, as at a shutdown; how the kernel ended is not known."
        }
        Some(_) => "The recording was stopped before the kernel ended.",
        None => {
            "No end is recorded: the kernel still runs, or its recorder ended with it or before it."
        }
    }
}

/// A verdict with the evidence for and against it.
pub fn verdict(record: &Record, verdict: &Verdict) -> String {
    let parent = record.end.as_ref().and_then(|end| end.parent);
    let mut text = sentence(verdict.words(parent)) + "\n";
    let sure = match verdict.certainty {
        Certainty::Certain => "certain",
        Certainty::Likely => "likely",
        Certainty::Unknown => "not known",
    };
    let how = match verdict.ended {
        Some(Ended::Exit(code)) => format!("exit code {code}"),
        Some(Ended::Signal(s)) => format!("signal {s}, {}", signal::name(s).unwrap_or("unnamed")),
        None => "not read".to_owned(),
    };
    let _ = writeln!(text, "  {} ({sure}); status: {how}", verdict.cause.id());
    for evidence in verdict.evidence.iter() {
        let _ = writeln!(text, "  + {}", evidence.text());
    }
    for evidence in verdict.against.iter() {
        let _ = writeln!(text, "  - {}", evidence.text());
    }
    if let Some(number) = verdict.xid {
        let _ = writeln!(
            text,
            "  Xid {number}: {}",
            xid::name(number).unwrap_or("not in the table")
        );
    }
    if let Some(end) = &record.end {
        if let Some(fault) = &end.fault {
            let _ = writeln!(text, "  Python's fault handler: {}", plain(fault));
        }
        if let Some((_, line)) = &end.oom_line {
            let _ = writeln!(text, "  system log: {}", plain(line));
        }
        if let Some((used, total)) = end.last {
            let _ = writeln!(
                text,
                "  memory just before: {} of {}",
                bytes(used),
                bytes(total)
            );
        }
    }
    if let Some(cell) = record.running() {
        let line = cell.line.as_deref().unwrap_or("");
        let _ = writeln!(text, "  while cell [{}] ran: {}", cell.count, plain(line));
    }
    text
}

/// The text without control characters, which terminals would execute.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The current state in one line.
pub fn line(record: &Record) -> String {
    let Some(now) = record.samples.back() else {
        return "no sample yet".to_owned();
    };
    let mut parts: Vec<String> = Vec::new();
    for gpu in &now.gpus {
        parts.push(match gpu {
            Some(gpu) => {
                let share = gpu.utilisation.map_or(String::new(), |u| format!(" {u}%"));
                format!("GPU {}{share}", pair(gpu.used, gpu.total))
            }
            None => "GPU does not answer".to_owned(),
        });
    }
    let limited = now.group.and_then(|(used, limit)| Some((used, limit?)));
    if let Some((used, total)) = limited.or(now.ram) {
        parts.push(format!("RAM {}", pair(Some(used), Some(total))));
    }
    if let Some(rss) = now.rss[0] {
        parts.push(format!("kernel {}", bytes(rss)));
    }
    if let Some(busy) = now.cpu[0] {
        parts.push(format!("CPU {busy}%"));
    }
    parts.join(" · ")
}

fn pair(used: Option<u64>, total: Option<u64>) -> String {
    let known = |n: Option<u64>| n.map_or("?".to_owned(), bytes);
    format!("{} of {}", known(used), known(total))
}

/// A bar of `width` characters.
fn bar(used: u64, total: u64, width: usize) -> String {
    let full = (used.min(total) as f64 / total.max(1) as f64 * width as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(width - full))
}

/// The current state as a screen.
pub fn screen(record: &Record, width: usize) -> String {
    let Some(now) = record.samples.back() else {
        return "no sample yet\n".to_owned();
    };
    let wide = width.saturating_sub(48).clamp(4, 60);
    let mut text = format!(
        "nbmedic-probe · kernel {} · {} of recording\n\n",
        record.start.pid,
        duration(now.time.saturating_sub(record.start.time) / 1000)
    );
    let mut row = |name: &str, used: u64, total: u64, more: String| {
        let _ = writeln!(
            text,
            "{name:8} {} {} {more}",
            bar(used, total, wide),
            pair(Some(used), Some(total))
        );
    };
    if let Some((used, total)) = now.ram {
        row("RAM", used, total, String::new());
    }
    if let Some((used, Some(limit))) = now.group {
        row("limit", used, limit, String::new());
    }
    if let Some((used, total)) = now.swap.filter(|(_, total)| *total > 0) {
        row("swap", used, total, String::new());
    }
    for (i, gpu) in now.gpus.iter().enumerate() {
        let name = format!("GPU {i}");
        match gpu {
            Some(gpu) => {
                let mut more = String::new();
                for (value, unit) in [
                    (gpu.utilisation, "%"),
                    (gpu.temperature, "°C"),
                    (gpu.power, "W"),
                    (gpu.clock, " MHz"),
                ] {
                    if let Some(value) = value {
                        let _ = write!(more, "{value}{unit} ");
                    }
                }
                if let Some(own) = gpu.own {
                    let _ = write!(more, "kernel {} ", bytes(own));
                }
                more.push_str(gpu.throttle.and_then(throttling).unwrap_or(""));
                row(&name, gpu.used.unwrap_or(0), gpu.total.unwrap_or(0), more);
            }
            None => row(&name, 0, 0, "does not answer".to_owned()),
        }
    }
    for space in &record.space {
        row(
            &plain(&space.name),
            space.total - space.free.min(space.total),
            space.total,
            String::new(),
        );
    }
    if let Some(why) = &record.no_gpu {
        let _ = writeln!(text, "GPU      {}", plain(reason_text(why)));
    }
    let known = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    let [busy, waiting, own, load] = now.cpu;
    let load = load.map_or("?".to_owned(), |l| format!("{:.2}", l as f64 / 100.0));
    let _ = writeln!(
        text,
        "\nCPU {}%, waiting for disks {}%, kernel {}%, load {load}",
        known(busy),
        known(waiting),
        known(own)
    );
    let [own, children] = now.rss.map(|n| n.map_or("?".to_owned(), bytes));
    let _ = writeln!(text, "kernel {own}, its processes {children}");
    for xid in record.xids.iter().rev().take(3) {
        let name = xid::name(xid.number).unwrap_or("not in the table");
        let _ = writeln!(text, "Xid {}: {name}", xid.number);
    }
    if let Some(verdict) = record.verdict() {
        let _ = write!(text, "\n{}", self::verdict(record, &verdict));
    } else if let Some(cell) = record.running() {
        let _ = writeln!(
            text,
            "cell [{}] runs: {}",
            cell.count,
            plain(cell.line.as_deref().unwrap_or(""))
        );
    }
    text
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}
