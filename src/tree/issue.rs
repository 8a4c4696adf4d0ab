//! The address that opens a prefilled issue on GitHub.

/// Longest address, in bytes. GitHub answers one over 8,191 bytes with "414 URI Too Long" (observed
/// by many; github/docs issue 5136 asks to document it, and the documentation says only that there
/// is a limit). Leaves some room.
pub const MAX_ADDRESS: usize = 8_000;
/// Longest title, in characters; GitHub accepts 256.
const MAX_TITLE: usize = 200;
/// The note under a report that had to be shortened.
const CUT: &str =
    "\n\n*The report was cut here to fit into an address. The full report is on my clipboard: I \
    paste it over this text.*\n";

/// Whether a text is `owner/name` of a repository as GitHub writes them.
pub fn is_repository(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let part = |p: &str| {
        !p.is_empty() && p.len() <= 100 && p.chars().all(plain) && !matches!(p, "." | "..")
    };
    matches!(text.split('/').collect::<Vec<_>>()[..], [owner, name] if part(owner) && part(name))
}

/// The address that opens a new issue with a title and a body, and whether the body had to be cut.
/// A cut is at the end of a line, outside a block of code, and marked. `None` if `repository` is
/// invalid.
pub fn issue_address(repository: &str, title: &str, body: &str) -> Option<(String, bool)> {
    if !is_repository(repository) {
        return None;
    }
    let title: String = title.chars().take(MAX_TITLE).collect();
    let start = format!(
        "https://github.com/{repository}/issues/new?title={}&body=",
        encoded(&title)
    );
    let whole = encoded(body);
    if start.len() + whole.len() <= MAX_ADDRESS {
        return Some((start + &whole, false));
    }
    let room = MAX_ADDRESS.saturating_sub(start.len() + encoded(CUT).len());
    let mut out = start;
    out.push_str(&encoded(&cut(body, room)));
    out.push_str(&encoded(CUT));
    Some((out, true))
}

/// The first lines of a text that fit, encoded, into this many bytes. An open block of code is
/// closed.
fn cut(body: &str, room: usize) -> String {
    let mut kept = String::new();
    let mut used = 0;
    let mut fence = String::new();
    for line in body.split_inclusive('\n') {
        let marks = line.len() - line.trim_start_matches('`').len();
        let mut next = fence.clone();
        if fence.is_empty() && marks >= 3 {
            next = "`".repeat(marks);
        } else if marks >= fence.len() && !fence.is_empty() && line[marks..].trim().is_empty() {
            next.clear();
        }
        let end = if next.is_empty() {
            0
        } else {
            encoded(&next).len() + 6
        };
        let size = encoded(line).len();
        if used + size + end > room {
            break;
        }
        used += size;
        kept.push_str(line);
        fence = next;
    }
    if !fence.is_empty() {
        if !kept.ends_with('\n') {
            kept.push('\n');
        }
        kept.push_str(&fence);
        kept.push('\n');
    }
    kept
}

/// Percent-encoding: encodes all but the letters, digits and marks that are literal in any part of
/// an address.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for b in text.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(b));
            }
            _ => {
                out.push('%');
                for half in [b >> 4, b & 15] {
                    out.push(char::from(b"0123456789ABCDEF"[usize::from(half)]));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(address: &str) -> String {
        let body = address.split_once("&body=").expect("a body").1;
        let mut out = Vec::new();
        let mut bytes = body.bytes();
        while let Some(b) = bytes.next() {
            if b != b'%' {
                out.push(b);
                continue;
            }
            let hex = [
                bytes.next().expect("a digit"),
                bytes.next().expect("a digit"),
            ];
            let hex = std::str::from_utf8(&hex).expect("ASCII");
            out.push(u8::from_str_radix(hex, 16).expect("a number"));
        }
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_short_report_is_whole() {
        let body = "## Grüße\n\n| a | b |\n```text\nx & y = #1?\n```\n";
        let (address, cut) = issue_address("octo-org/octo.repo", "It broke: 100 %", body).unwrap();
        assert!(!cut);
        assert!(address.starts_with(
            "https://github.com/octo-org/octo.repo/issues/new?title=It%20broke%3A%20100%20%25&body="
        ));
        assert_eq!(decoded(&address), body);
        assert!(address.is_ascii() && !address.contains(' '));
    }

    #[test]
    fn a_long_report_is_cut_at_a_line_outside_of_code_and_says_so() {
        for line in [
            "short\n",
            "ünïcödé ünïcödé ünïcödé\n",
            "`````\nin a longer fence\n",
        ] {
            let body = format!("# Title\n\n````text\n{}````\nend\n", line.repeat(3000));
            let (address, cut) = issue_address("a/b", "T", &body).unwrap();
            assert!(cut && address.len() <= MAX_ADDRESS, "{}", address.len());
            assert!(address.len() > MAX_ADDRESS - 300, "{}", address.len());
            let text = decoded(&address);
            assert!(text.ends_with(CUT));
            let shown = text.strip_suffix(CUT).unwrap();
            let open = shown.lines().fold(0, |open, l| {
                let marks = l.len() - l.trim_start_matches('`').len();
                match (open, marks) {
                    (0, 3..) => marks,
                    (n, m) if n > 0 && m >= n && l[m..].trim().is_empty() => 0,
                    (n, _) => n,
                }
            });
            assert_eq!(open, 0, "every block of code is ended");
        }
        let (address, cut) = issue_address("a/b", &"t".repeat(900), &"x".repeat(9000)).unwrap();
        assert!(cut && address.len() <= MAX_ADDRESS);
    }

    #[test]
    fn only_repositories_are_taken() {
        for bad in [
            "",
            "a",
            "a/b/c",
            "a/",
            "/b",
            "a/..",
            "a b/c",
            "a/b?x",
            "https://github.com/a/b",
            "ä/b",
        ] {
            assert_eq!(issue_address(bad, "t", "b"), None, "{bad}");
        }
        assert!(is_repository("jupyterlab/jupyterlab"));
    }
}
