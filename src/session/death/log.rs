//! Reads what an open log says about the kernel's last end, as in Colab's dialog "View runtime logs".
//! The dialog's markup is not known: a log is recognised by its times of day.

/// Maximum number of entries that are read.
const MAX_ENTRIES: usize = 400;
/// How many entries before a restart may name its cause.
const BEFORE: usize = 24;

/// An entry: seconds since midnight, and its text after the time.
type Entry<'a> = (u32, &'a str);

/// The entries of a log, in their order in the text. A table's text has no separators, so each time of
/// day (`01:02:03` or `1:02:03 PM`) begins an entry.
fn entries(text: &str) -> Vec<Entry<'_>> {
    let bytes = text.as_bytes();
    let mut starts: Vec<Entry<'_>> = Vec::new();
    for at in 0..bytes.len().saturating_sub(7) {
        let digit = |i: usize| u32::from(bytes[at + i].wrapping_sub(b'0'));
        let colons = bytes[at + 2] == b':' && bytes[at + 5] == b':';
        if !colons || [1, 3, 4, 6, 7].into_iter().any(|i| digit(i) > 9) {
            continue;
        }
        let one = digit(0) > 9;
        let mut hour = digit(1) + if one { 0 } else { digit(0) * 10 };
        let rest = &text[at + 8..];
        let half = rest.trim_start();
        if half.starts_with("AM") || half.starts_with("PM") {
            hour = hour % 12 + if half.starts_with('P') { 12 } else { 0 };
        }
        let seconds = (digit(6) * 10 + digit(7)) + 60 * (digit(3) * 10 + digit(4) + 60 * hour);
        // The previous entry ends at the first digit.
        if let Some(last) = starts.last_mut() {
            let end = text.len() - last.1.len();
            last.1 = &text[end..(at + usize::from(one)).max(end)];
        }
        if starts.len() >= MAX_ENTRIES {
            break;
        }
        starts.push((seconds, rest));
    }
    starts
}

/// The lines of a log between the kernel's last two restarts, oldest first. `None` if the text is not
/// a log; empty if no kernel was restarted in it.
pub(super) fn last_end(text: &str) -> Option<String> {
    let mut all = entries(text);
    let (first, last) = (all.first()?.0, all.last()?.0);
    if all.len() < 3 {
        return None;
    }
    // A page may show the newest entry first.
    if first > last {
        all.reverse();
    }
    let restart = |e: &Entry<'_>| {
        let says = |word: &str| e.1.contains(word);
        says("restarting kernel") || says("kernel") && says("restarted")
    };
    let Some(end) = all.iter().rposition(restart) else {
        return Some(String::new());
    };
    // One restart makes several entries.
    let told = all[..end].iter().rposition(|e| !restart(e)).unwrap_or(0);
    let before = all[..told].iter().rposition(restart).map_or(0, |i| i + 1);
    let from = before.max(told.saturating_sub(BEFORE));
    let lines: Vec<&str> = all[from..=end].iter().map(|e| message(e.1)).collect();
    Some(lines.join("\n"))
}

/// An entry's message, without the level that a table has before it.
fn message(entry: &str) -> &str {
    let levels = ["WARNING", "INFO", "ERROR"].into_iter();
    let mut ends = levels.filter_map(|l| Some(entry.find(l).filter(|at| *at < 8)? + l.len()));
    entry[ends.next().unwrap_or(0)..].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_in_either_order_with_or_without_lines() {
        let rows = [
            "Nov 22, 2026, 12:58:01 PM\tINFO\tKernel started: 11-22",
            "Nov 22, 2026, 12:59:01 PM\tWARNING\ttcmalloc: large alloc 99 bytes",
            "Nov 22, 2026, 12:59:02 PM\tINFO\tKernelRestarter: restarting kernel (1/1)",
            "Nov 22, 2026, 1:04:01 PM\tWARNING\tFatal Python error: Aborted",
            "Nov 22, 2026, 1:04:02 PM\tINFO\tKernelRestarter: restarting kernel (1/1)",
            "Nov 22, 2026, 1:04:02 PM\tWARNING\tkernel 11-22 restarted",
            "Nov 22, 2026, 1:06:07 PM\tWARNING\ttcmalloc: large alloc 11 bytes",
        ];
        let mut back = rows;
        back.reverse();
        for text in [
            rows.join("\n"),
            back.join("\n"),
            rows.concat(),
            back.concat(),
        ] {
            let said = last_end(&format!("Runtime logs {text}")).expect("a log");
            let first = said.lines().next().unwrap_or("");
            assert!(first.starts_with("Fatal Python error: Aborted"), "{said}");
            assert!(said.contains("restarting kernel (1/1)"), "{said}");
            assert!(!said.contains("tcmalloc"), "{said}");
        }
    }

    #[test]
    fn what_is_no_log_is_not_read_as_one() {
        for text in [
            "",
            ":",
            "1:2:3 4:5:6 7:8:9",
            "éé:00:00é:00:00 éééé12:00:00é",
            "Your session crashed at 1:02:03 PM.",
            "é:12:30:00 a 99:99",
            "::::12:::00:",
        ] {
            assert_eq!(last_end(text), None, "{text}");
        }
        for text in [
            "at 1:02:03é1:02:04 b 1:02:05 c",
            &"1:02:03".repeat(2000),
            &"é12:59:59".repeat(900),
        ] {
            assert_eq!(last_end(text).as_deref(), Some(""), "bounded");
        }
    }
}
