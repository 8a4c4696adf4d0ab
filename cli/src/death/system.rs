//! The system's log: `dmesg`, `journalctl -k`, `/var/log/kern.log`.

use super::entry::{Clock, Entry, Log, Says};
use super::time::{parse, without_year};
use jiff::tz::TimeZone;
use jiff::Timestamp;
use nbmedic_probe::kmsg;

/// The system's log, if the text is one. A line of it has a time and one of the messages that are looked for.
pub fn read(text: &str, zone: &TimeZone, now: Timestamp) -> Option<Log> {
    let mut clock = Clock::Unix;
    let mut entries = Vec::new();
    for line in text.lines() {
        let Some((time, message)) = split(line) else {
            continue;
        };
        let Some(says) = says(message) else { continue };
        let at = match time {
            Time::Seconds(millis) => {
                clock = Clock::Relative;
                Some(millis)
            }
            Time::Text(text) => parse(text, zone).or_else(|| without_year(text, zone, now)),
        };
        entries.push(Entry {
            at,
            text: message.trim().to_owned(),
            says,
        });
    }
    (!entries.is_empty()).then(|| Log {
        clock,
        ..Log::new("the system's log", entries)
    })
}

/// A line's time.
enum Time<'t> {
    /// Since the machine was started, in milliseconds.
    Seconds(i64),
    /// With a date.
    Text(&'t str),
}

/// The time and the message of a line: `[ 1768.532868] …`, `[Fri Nov 27 13:08:40 2026] …`, `Nov 27 13:08:40 host kernel: …`.
fn split(line: &str) -> Option<(Time<'_>, &str)> {
    if let Some(rest) = line.strip_prefix('[') {
        let (time, message) = rest.split_once(']')?;
        return Some(match time.trim().parse::<f64>() {
            Ok(seconds) => (Time::Seconds((seconds * 1000.0) as i64), message),
            Err(_) => (Time::Text(time), message),
        });
    }
    let (head, message) = line.split_once(" kernel: ")?;
    // The last word before it is the machine's name.
    let (time, _) = head.rsplit_once(' ')?;
    // Some have the seconds since the start as well.
    let message = match message.trim_start().strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(message, |(_, rest)| rest),
        None => message,
    };
    Some((Time::Text(time), message))
}

/// What a message means; `None` for one that says nothing of a death.
fn says(message: &str) -> Option<Says> {
    let message = message.trim();
    if let Some((_, rest)) = message.split_once("ut of memory") {
        let (_, rest) = rest.split_once("Killed process ")?;
        let (pid, rest) = rest.split_once(' ')?;
        return Some(Says::Oom(pid.parse().ok()?, name(rest)?));
    }
    if let Some(found) = kmsg::xid(message.as_bytes()) {
        let address = message.contains("Out Of Range Address");
        return Some(Says::Xid(found.number, address));
    }
    // `python3[4242]: segfault at 0 ip …`, `traps: python3[4242] general protection fault ip:…`, `… trap invalid opcode …`.
    let fault = [
        "]: segfault at ",
        "] general protection fault",
        "] general protection ip:",
        "] trap ",
    ];
    let at = fault.iter().find_map(|words| message.find(words))?;
    let (front, pid) = message.get(..at)?.rsplit_once('[')?;
    let program = front.strip_prefix("traps: ").unwrap_or(front);
    Some(Says::Fault(pid.parse().ok()?, program.trim().to_owned()))
}

/// The name in parentheses that a text begins with.
fn name(text: &str) -> Option<String> {
    let inner = text.strip_prefix('(')?;
    Some(inner.split_once(')')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_systems_log() {
        let now = "2026-11-28T00:00:00Z".parse().unwrap();
        let kill = "Memory cgroup out of memory: Killed process 3391 (python) total-vm:2109668kB, anon-rss:390144kB";
        let at = parse("2026-11-27 13:08:40", &TimeZone::UTC);
        for head in [
            "[Fri Nov 27 13:08:40 2026] ",
            "Nov 27 13:08:40 host kernel: ",
            "Nov 27 13:08:40 host kernel: [ 1768.532868] ",
            "2026-11-27T13:08:40+00:00 host kernel: ",
        ] {
            let log = read(&format!("{head}{kill}\n"), &TimeZone::UTC, now).expect(head);
            assert_eq!(log.clock, Clock::Unix);
            let entry = &log.entries[0];
            assert_eq!(entry.at, at, "{head}");
            assert_eq!(entry.says, Says::Oom(3391, "python".into()));
        }
        let log = read(&format!("[ 1768.532868] {kill}\n"), &TimeZone::UTC, now).unwrap();
        assert_eq!(log.clock, Clock::Relative);
        assert_eq!(log.entries[0].at, Some(1_768_532));
        let one = |text: &str| {
            let log = read(&format!("[    1.000000] {text}\n"), &TimeZone::UTC, now);
            log.map(|log| log.entries[0].says.clone())
        };
        assert_eq!(
            one("python3[4242]: segfault at 0 ip 00007f sp 00007f error 4 in libtorch.so[7f+1]"),
            Some(Says::Fault(4242, "python3".into()))
        );
        assert_eq!(
            one("traps: python3[77] general protection fault ip:7f sp:7f error:0 in lib.so"),
            Some(Says::Fault(77, "python3".into()))
        );
        assert_eq!(
            one("NVRM: Xid (PCI:0000:00:04): 79, pid=1, GPU has fallen off the bus."),
            Some(Says::Xid(79, false))
        );
        assert_eq!(one("usb 1-1: new device"), None);
    }
}
