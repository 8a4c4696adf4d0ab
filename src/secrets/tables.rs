//! Values in the column of a name: tables of every kind, `INSERT`, and the lines of a password file.

use super::judge::{is_secret, Link};
use super::names::Name;
use super::seam;
use nbmedic_text::steps::took;
use std::ops::Range;

/// Maximum length of a row, in bytes.
const LINE: usize = 400;
/// Maximum number of rows of one table.
const ROWS: usize = 60;
/// Maximum number of columns before the named one.
const COLUMNS: usize = 24;

/// Separators of a header's columns.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Mark(char),
    Blanks,
}

fn line_of(text: &str, at: usize) -> Option<Range<usize>> {
    let low = at.saturating_sub(LINE);
    let from = text.as_bytes()[low..at].iter().rposition(|b| *b == b'\n');
    let from = match from {
        Some(i) => low + i + 1,
        None if low == 0 => 0,
        None => return None,
    };
    let rest = &text.as_bytes()[at..];
    let n = rest.iter().take(LINE).position(|b| *b == b'\n');
    let end = match n {
        Some(n) => at + n,
        None if rest.len() < LINE => text.len(),
        None => return None,
    };
    Some(from..end)
}

fn next_line(text: &str, after: usize) -> Option<Range<usize>> {
    let from = after + 1;
    (from < text.len()).then_some(())?;
    let rest = &text.as_bytes()[from..];
    let n = rest.iter().take(LINE).position(|b| *b == b'\n');
    let n = n.or((rest.len() < LINE).then_some(rest.len()))?;
    Some(from..from + n)
}

/// Columns whose rows were searched: separator, column and the end of the rows. A row that repeats the
/// header starts no table of its own.
#[derive(Default)]
pub struct Columns {
    known: Vec<(Between, Range<usize>, usize)>,
    oldest: usize,
}

impl Columns {
    const KEPT: usize = 64;

    /// The end of this column's searched rows, if a line is one of them.
    fn end(&self, between: Between, column: &Range<usize>, line: usize) -> Option<usize> {
        let mut all = self.known.iter();
        all.find(|(b, c, end)| *b == between && c == column && line < *end)
            .map(|(.., end)| *end)
    }

    fn keep(&mut self, between: Between, column: Range<usize>, end: usize) {
        let known = |k: &&mut (Between, Range<usize>, usize)| k.0 == between && k.1 == column;
        if let Some(k) = self.known.iter_mut().find(known) {
            k.2 = end;
        } else if self.known.len() < Self::KEPT {
            self.known.push((between, column, end));
        } else {
            self.known[self.oldest] = (between, column, end);
            self.oldest = (self.oldest + 1) % Self::KEPT;
        }
    }
}

/// The values in the column whose header is a name; `columns` are those of the text so far.
pub fn below(text: &str, name: &Name, columns: &mut Columns, found: &mut Vec<Range<usize>>) {
    let Some(line) = line_of(text, name.start) else {
        return;
    };
    if line.end >= text.len() {
        return;
    }
    let head = &text[line.clone()];
    let at = name.start - line.start;
    took(8 * head.len());
    let Some(between) = between(head, at, name.end - line.start) else {
        return;
    };
    // Only the first line of a table is its header: otherwise each row would be one.
    if line.start > 0 {
        let above = line_of(text, line.start - 1).map_or("", |l| &text[l]);
        if shape(above, between) == shape(head, between) && shape(above, between) > 0 {
            return;
        }
    }
    let n = match between {
        Between::Mark(mark) => head[..at].matches(mark).count(),
        Between::Blanks => 0,
    };
    if n > COLUMNS {
        return;
    }
    let column = match between {
        Between::Mark(_) => n..n,
        Between::Blanks => at..name.end - line.start,
    };
    let mut last = line.clone();
    if let Some(end) = columns.end(between, &column, line.start) {
        last = end..end;
    }
    for _ in 0..ROWS {
        let Some(row) = next_line(text, last.end) else {
            break;
        };
        last = row.clone();
        let said = &text[row.clone()];
        took(4 * said.len());
        let rule = !said.is_empty() && said.chars().all(|c| "|-+:=│┼─═╪├┤ \r".contains(c));
        if rule {
            continue;
        }
        let cell = match between {
            Between::Mark(_) if shape(said, between) != shape(head, between) => break,
            Between::Mark(mark) => nth(said, mark, n),
            Between::Blanks if said.trim().is_empty() => break,
            Between::Blanks => under(said, at..name.end - line.start),
        };
        let Some(cell) = cell else { continue };
        let value = &said[cell.clone()];
        if is_secret(text, value, name, Link::Loose, false) {
            found.push(row.start + cell.start..row.start + cell.end);
        }
    }
    columns.keep(between, column, last.end);
}

/// The separator of a line's columns, if the line is a header.
fn between(head: &str, at: usize, end: usize) -> Option<Between> {
    let outside = |c: char| c.is_whitespace() || c == '"' || c == '\'' || c == '*';
    let left = head[..at].trim_end_matches(outside);
    let right = head[end..].trim_start_matches(outside);
    let (before, after) = (left.chars().next_back(), right.chars().next());
    for mark in ['|', '│', '┃', '\t', ';', ','] {
        let tab = mark == '\t' && (head[..at].ends_with('\t') || head[end..].starts_with('\t'));
        let one = |c: Option<char>| c == Some(mark);
        let side = |c: Option<char>| one(c) || c.is_none();
        if !(tab || side(before) && side(after) && (one(before) || one(after))) {
            continue;
        }
        // Commas also occur in sentences and calls.
        let plain = |c: char| c.is_alphanumeric() || "_-. ,;\"\r".contains(c);
        if !matches!(mark, ',' | ';') || head.chars().all(plain) && !head.contains([' ']) {
            return Some(Between::Mark(mark));
        }
    }
    let wide = |s: &str| s.is_empty() || s.starts_with("  ") || s.trim().is_empty();
    let start = head[..at].ends_with("  ") || head[..at].is_empty();
    let plain = |c: char| c.is_alphanumeric() || "_-. \r".contains(c);
    let several = head.split_whitespace().count() >= 2;
    (several && start && wide(&head[end..]) && head.chars().all(plain)).then_some(Between::Blanks)
}

/// The number of columns of a line with this separator.
fn shape(line: &str, between: Between) -> usize {
    match between {
        Between::Mark(mark) => line.matches(mark).count(),
        Between::Blanks => 0,
    }
}

fn trimmed(line: &str, from: usize, to: usize) -> Range<usize> {
    let quote = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '│');
    let said = &line[from..to];
    let lead = said.len() - said.trim_start_matches(quote).len();
    let n = said.trim_matches(quote).len();
    from + lead..from + lead + n
}

/// The cell with this number.
fn nth(line: &str, mark: char, n: usize) -> Option<Range<usize>> {
    let mut from = 0;
    for (i, part) in line.split(mark).enumerate() {
        if i == n {
            return Some(trimmed(line, from, from + part.len()));
        }
        from += part.len() + mark.len_utf8();
    }
    None
}

/// The word below a heading.
fn under(line: &str, head: Range<usize>) -> Option<Range<usize>> {
    let mut from = 0;
    for word in line.split(' ') {
        let here = from..from + word.len();
        from += word.len() + 1;
        if !word.is_empty() && here.start < head.end && here.end > head.start {
            return Some(trimmed(line, here.start, here.end));
        }
    }
    None
}

/// The values of a column in `INSERT INTO t (a, password) VALUES ('x', '…')`.
pub fn inserted(text: &str, name: &Name, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let low = name.start.saturating_sub(LINE);
    let Some(open) = bytes[low..name.start].iter().rposition(|b| *b == b'(') else {
        return;
    };
    let open = low + open;
    let mut lead = bytes[open.saturating_sub(100)..open].windows(5);
    if !lead.any(|w| w.eq_ignore_ascii_case(b"into ")) {
        return;
    }
    let n = bytes[open..name.start]
        .iter()
        .filter(|b| **b == b',')
        .count();
    let rest = &bytes[name.end..];
    let Some(close) = rest.iter().take(LINE).position(|b| *b == b')') else {
        return;
    };
    let after = name.end + close + 1;
    let values = bytes[after..]
        .iter()
        .take(12)
        .take_while(|b| b.is_ascii_whitespace());
    let mut at = after + values.count();
    if !bytes[at..]
        .get(..6)
        .is_some_and(|w| w.eq_ignore_ascii_case(b"values"))
    {
        return;
    }
    at += 6;
    let stop = (at + 4096).min(bytes.len());
    let (mut column, mut quote, mut from, mut depth) = (0, 0_u8, at, 0_u32);
    while at < stop {
        let b = bytes[at];
        match b {
            _ if quote != 0 && b != quote => {}
            _ if quote != 0 => {
                if depth == 1 && column == n {
                    let said = &text[from..at];
                    if is_secret(text, said, name, Link::Sign('='), true) {
                        found.push(from..at);
                    }
                }
                quote = 0;
            }
            b'\'' | b'"' => {
                quote = b;
                from = at + 1;
            }
            b'(' => {
                depth += 1;
                if depth == 1 {
                    column = 0;
                }
            }
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => column += 1,
            b';' if depth == 0 => break,
            _ => {}
        }
        at += 1;
    }
}

/// The middle of a line of `.pgpass` begins with the port, or any.
pub const PASSFILE: &[&str] = &[":5432:", ":5433:", ":5434:", ":6432:", ":6543:", ":*:"];

/// The password of such a line: its fifth and last field.
pub fn passfile(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    // On a long line only the surroundings count: redaction elsewhere on it changes its length.
    let line = seam::line_start(text, hit.start, LINE)..seam::line_end(text, hit.end, LINE);
    let start = text[line.clone()].find(|c: char| !c.is_whitespace() && !"'\"│>".contains(c))?;
    let host = &text[line.start + start..hit.start];
    let host = host.rsplit([' ', '"', '\'']).next().unwrap_or(host);
    let word = |s: &str| !s.is_empty() && !s.contains(char::is_whitespace) && !s.contains('/');
    if !word(host) && !host.starts_with('/') || host.contains(':') {
        return None;
    }
    let mut rest = hit.end..line.end;
    for _ in 0..2 {
        let said = &text[rest.clone()];
        let n = said.find(':').filter(|n| word(&said[..*n]))?;
        rest.start += n + 1;
    }
    let said = &text[rest.clone()];
    let n = said
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '│' | '`'))
        .unwrap_or(said.len());
    let said = said[..n].strip_suffix("\\n").unwrap_or(&said[..n]);
    let solid = said.len() >= 4
        && !super::value::is_stand_in(said)
        && !said.bytes().all(|b| b.is_ascii_digit());
    solid.then_some(rest.start..rest.start + said.len())
}
