//! A log that stands open in a dialog, as Colab's "View runtime logs" shows it: what it says of the
//! kernel's last end. Nothing is known of the dialog's markup: a log is told by its times of day.

/// Most entries that are looked at.
const MAX_ENTRIES: usize = 400;
/// Entries before a restart that may say why.
const BEFORE: usize = 24;

/// An entry: seconds since midnight, and its text from the time on.
type Entry<'a> = (u32, &'a str);

/// The time of day at a position, `1:02:03 PM`, and its length.
fn time(text: &str) -> Option<(u32, usize)> {
    let mut at = 0;
    let mut parts = [0u32; 3];
    for (i, part) in parts.iter_mut().enumerate() {
        if i > 0 {
            at += usize::from(text.get(at..)?.starts_with(':'));
        }
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 2 || i > 0 && digits != 2 {
            return None;
        }
        *part = text[at..at + digits].parse().ok()?;
        at += digits;
    }
    let rest = text[at..].trim_start();
    let half = |word: &str| rest.get(..2).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let hour = match (parts[0] % 12, half("PM"), half("AM")) {
        (h, true, _) => h + 12,
        (h, _, true) => h,
        _ => parts[0],
    };
    Some((hour * 3600 + parts[1] * 60 + parts[2], at))
}

/// The entries of a log, in the order in which they stand. The words of a table come without anything
/// between them: each time of day begins an entry.
fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut starts: Vec<(u32, usize)> = Vec::new();
    let bytes = text.as_bytes();
    for (colon, _) in text.match_indices(':') {
        let digits = |at: usize| at.checked_sub(1).is_some_and(|i| bytes[i].is_ascii_digit());
        if !digits(colon) {
            continue;
        }
        let start = colon - 1 - usize::from(digits(colon - 1));
        // The minutes of a time that began before.
        let inside = start > 0 && bytes[start - 1] == b':';
        if let Some((seconds, _)) = time(&text[start..]).filter(|_| !inside) {
            if starts.len() < MAX_ENTRIES {
                starts.push((seconds, start));
            }
        }
    }
    let ends = starts.iter().skip(1).map(|s| s.1).chain([text.len()]);
    let all = starts.iter().zip(ends);
    all.map(|((seconds, from), to)| (*seconds, &text[*from..to]))
        .collect()
}

/// What an open log says up to the kernel's last restart, from the restart before it on: lines, oldest
/// first. `None`: the text is no log. Empty: no kernel was restarted in it.
pub(crate) fn last_end(text: &str) -> Option<String> {
    let mut all = entries(text);
    let (first, last) = (all.first()?.0, all.last()?.0);
    if all.len() < 3 {
        return None;
    }
    // Newest first, as a page may show it.
    if first > last {
        all.reverse();
    }
    let restart = |e: &Entry<'_>| {
        let text = e.1.to_ascii_lowercase();
        text.contains("restarting kernel") || text.contains("kernel") && text.contains("restarted")
    };
    let Some(end) = all.iter().rposition(restart) else {
        return Some(String::new());
    };
    // A restart is told in several entries.
    let told = all[..end].iter().rposition(|e| !restart(e)).unwrap_or(0);
    let before = all[..told].iter().rposition(restart).map_or(0, |i| i + 1);
    let from = before.max(told.saturating_sub(BEFORE));
    let lines: Vec<&str> = all[from..=end].iter().map(|e| message(e.1)).collect();
    Some(lines.join("\n"))
}

/// An entry without its time and its level, which a table puts before the message.
fn message(entry: &str) -> &str {
    let rest = time(entry).map_or(entry, |(_, n)| &entry[n..]);
    let half = |c: char| {
        matches!(
            c,
            'A' | 'P' | 'M' | 'a' | 'p' | 'm' | ' ' | '\t' | '\u{202f}'
        )
    };
    let rest = rest.trim_start_matches(half).trim();
    ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
        .iter()
        .find_map(|level| rest.strip_prefix(level))
        .unwrap_or(rest)
        .trim()
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
            "Your session crashed at 1:02:03 PM.",
            "é:12:30:00 a 99:99",
            "::::12:::00:",
        ] {
            assert_eq!(last_end(text), None, "{text}");
        }
        assert_eq!(
            last_end("1:02:03 a 1:02:04 b 1:02:05 c").as_deref(),
            Some("")
        );
    }
}
