//! Texts within strings: JSON log lines, Docker's files, pieces of a notebook's file, Python's `repr`.

use super::lines::{place, Sample};
use nbmedic_text::{Document, Remake};

/// Keys under which logs keep what a program said.
const KEYS: &[&str] = &[
    "message",
    "msg",
    "log",
    "text",
    "textPayload",
    "MESSAGE",
    "@message",
    "short_message",
    "full_message",
    "event",
    "body",
    "line",
    "output",
    "stdout",
    "stderr",
    "detail",
    "error",
    "err",
    "exception",
    "exc_info",
    "exc_text",
    "exc",
    "traceback",
    "stack",
    "stack_trace",
    "stacktrace",
    "stackTrace",
    "backtrace",
];
const HEADER: &str = "Traceback (most recent call last)";
/// Maximum number of strings of one line.
const MAX_STRINGS: usize = 256;

/// How the strings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Each line is an object.
    Objects,
    /// Each line is a string of a list.
    List,
    /// Newlines are written `\n`.
    Escaped,
}

/// The text that the strings hold.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<Document> {
    let form = form(sample)?;
    let mut out = Remake::new(doc);
    for i in 0..doc.len() {
        let line = doc.line(i);
        let from = doc.span(i).start;
        match form {
            Form::Objects if object(line) => fields(doc, line, &mut out),
            Form::List if is_string(line) => {
                let t = line.trim().trim_end_matches(',');
                unescape(doc, &t[1..t.len() - 1], &mut out);
                if !out.line_is_empty() {
                    out.end(from + line.len());
                }
            }
            // The file's own structure.
            Form::List if structure(line) => {}
            Form::Escaped if escapes(line) > 0 => {
                unescape(doc, unquoted(line), &mut out);
                out.end(from + line.len());
            }
            _ => {
                out.keep(from..from + line.len());
                out.end(from + line.len());
            }
        }
    }
    Some(out.finish())
}

fn form(sample: &Sample<'_>) -> Option<Form> {
    let lines = &sample.lines;
    let objects = sample.begin(b"{");
    if 2 * objects >= lines.len() || objects > 0 && sample.escapes {
        let n = lines.iter().filter(|l| object(l) && said(l)).count();
        let traced = |l: &&str| object(l) && l.contains(HEADER) && l.contains("\\n") && said(l);
        if n > 0 && 2 * n >= lines.len() || lines.iter().any(traced) {
            return Some(Form::Objects);
        }
    }
    if !sample.escapes {
        return None;
    }
    if 4 * sample.begin(b"\"[]{}") >= 3 * lines.len() {
        let strings = lines
            .iter()
            .filter(|l| is_string(l) && l.contains("\\n"))
            .count();
        let framed = lines
            .iter()
            .filter(|l| is_string(l) || structure(l))
            .count();
        if strings > 0 && framed > 1 && 4 * framed >= 3 * lines.len() {
            return Some(Form::List);
        }
    }
    let header = |l: &str| l.contains(HEADER);
    let written = |l: &str| {
        let after = l.find(HEADER).map(|i| &l[i + HEADER.len()..]);
        after.is_some_and(|r| r.strip_prefix(':').unwrap_or(r).starts_with("\\n"))
    };
    let (mut held, mut all) = (0, 0);
    for line in lines {
        all += line.len();
        let n = escapes(line);
        if n == 0 {
            continue;
        }
        let quoted = unquoted(line).len() < line.trim().len();
        // Code has such escapes too.
        if quoted || n > 1 && !header(line) {
            held += line.len();
        }
        if written(line) {
            return Some(Form::Escaped);
        }
    }
    (2 * held > all).then_some(Form::Escaped)
}

/// `{…}`, or one key of it on a line.
fn object(line: &str) -> bool {
    let t = line.trim().trim_end_matches(',');
    let whole =
        t.starts_with("{\"") && t.ends_with('}') || t.starts_with("{ \"") && t.ends_with('}');
    whole || t.starts_with("{'") && t.ends_with('}')
}

/// Whether one of the strings is what a program said.
fn said(line: &str) -> bool {
    strings(line)
        .iter()
        .any(|(key, value)| KEYS.contains(key) && !value.is_empty())
}

/// A line that is one string, as in a list.
fn is_string(line: &str) -> bool {
    let t = line.trim().trim_end_matches(',').as_bytes();
    t.len() >= 2 && t[0] == b'"' && closing(t, 1) == Some(t.len() - 1)
}

/// A line of JSON around strings: a bracket, or a key with a bracket or a short value.
fn structure(line: &str) -> bool {
    let t = line.trim();
    let t = t.trim_end_matches(',');
    let brackets = !t.is_empty() && t.bytes().all(|b| b"[]{} ,".contains(&b));
    let key = t.starts_with('"')
        && closing(t.as_bytes(), 1).is_some_and(|end| t[end + 1..].trim_start().starts_with(':'));
    brackets || key
}

/// The position of the quote that closes a string whose contents start at `from`.
fn closing(bytes: &[u8], from: usize) -> Option<usize> {
    let quote = *bytes.get(from.checked_sub(1)?)?;
    let mut i = from;
    while let Some(&b) = bytes.get(i) {
        match b {
            b'\\' => i += 1,
            b if b == quote => return Some(i),
            _ => {}
        }
        i += 1;
    }
    None
}

/// The strings of a line of JSON, each with its key.
fn strings(line: &str) -> Vec<(&str, &str)> {
    let bytes = line.as_bytes();
    let (mut out, mut key, mut i) = (Vec::new(), "", 0);
    while i < bytes.len() && out.len() < MAX_STRINGS {
        if !matches!(bytes[i], b'"' | b'\'') {
            i += 1;
            continue;
        }
        let Some(end) = closing(bytes, i + 1) else {
            break;
        };
        let value = &line[i + 1..end];
        i = end + 1;
        if line[i..].trim_start().starts_with(':') {
            key = value;
        } else {
            out.push((key, value));
        }
    }
    out
}

/// Writes what a line of JSON says: short texts first, since a traceback is told after its record.
fn fields(doc: &Document, line: &str, out: &mut Remake<'_>) {
    let all = strings(line);
    let level = |(key, value): &(&str, &str)| {
        let quiet = ["info", "debug", "warn", "warning", "trace", "notice"];
        matches!(
            *key,
            "level" | "levelname" | "severity" | "lvl" | "log_level"
        ) && quiet.iter().any(|q| value.eq_ignore_ascii_case(q))
    };
    let quiet = all.iter().any(level);
    let told = || {
        all.iter()
            .filter(|(key, value)| KEYS.contains(key) && !value.is_empty())
    };
    let long = |v: &str| v.find("\\n").is_some_and(|i| i + 2 < v.len());
    for first in [true, false] {
        for (_, value) in told().filter(|(_, v)| long(v) != first) {
            if first && quiet && !value.ends_with("\\n") {
                continue;
            }
            unescape(doc, value, out);
            if !out.line_is_empty() || value == &"\\n" {
                out.end(place(doc, value).end);
            }
        }
    }
}

/// How many newlines are written as escapes.
fn escapes(line: &str) -> usize {
    // Quicker than the search for two bytes.
    if !line.contains('\\') {
        return 0;
    }
    let bytes = line.as_bytes();
    let own = |i: usize| bytes[..i].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 0;
    line.match_indices("\\n")
        .take(4)
        .filter(|(i, _)| own(*i))
        .count()
}

/// A string without its quotes and their `b`.
fn unquoted(line: &str) -> &str {
    let t = line.trim();
    let inner = t.strip_prefix('b').unwrap_or(t);
    for quote in ["\"\"\"", "'", "\""] {
        let inner = inner
            .strip_prefix(quote)
            .and_then(|s| s.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    t
}

/// Writes a part of the text with its escapes read.
fn unescape(doc: &Document, part: &str, out: &mut Remake<'_>) {
    let base = place(doc, part).start;
    let bytes = part.as_bytes();
    let (mut from, mut i) = (0, 0);
    while i < bytes.len() {
        if bytes[i] != b'\\' {
            i += 1;
            continue;
        }
        out.keep(base + from..base + i);
        let at = base + i;
        let Some(&c) = bytes.get(i + 1) else { break };
        i += 2;
        from = i;
        match c {
            b'n' => {
                out.end(at);
                // The next string of a printed list.
                let next = ["', '", "\", \"", "', \"", "\", '"];
                if next.iter().any(|n| part[i..].starts_with(n)) {
                    i += 4;
                    from = i;
                }
            }
            b'r' => {
                if !part[i..].starts_with("\\n") {
                    out.end(at);
                }
            }
            b't' => out.put("\t", at),
            b'b' | b'f' => {}
            b'"' | b'\'' | b'\\' | b'/' => from = i - 1,
            b'u' | b'x' => {
                let (c, n) = coded(&part[i..], if c == b'u' { 4 } else { 2 });
                if let Some(c) = c.filter(|c| !c.is_control() || *c == '\u{1b}') {
                    out.put(c.encode_utf8(&mut [0; 4]), at);
                }
                i += n;
                from = i;
            }
            _ => from = i - 2,
        }
        while !part.is_char_boundary(i) {
            i += 1;
        }
    }
    out.keep(base + from.min(part.len())..base + part.len());
}

/// A character by its digits, perhaps as a pair of surrogates; and how many bytes that took.
fn coded(rest: &str, digits: usize) -> (Option<char>, usize) {
    let number = |s: &str| u32::from_str_radix(s.get(..digits)?, 16).ok();
    let Some(high) = number(rest) else {
        return (None, 0);
    };
    if (0xd800..0xdc00).contains(&high) {
        let low = rest
            .get(digits..)
            .and_then(|r| r.strip_prefix("\\u"))
            .and_then(number);
        if let Some(low) = low.filter(|l| (0xdc00..0xe000).contains(l)) {
            let c = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return (char::from_u32(c), 2 * digits + 2);
        }
    }
    (char::from_u32(high), digits)
}
