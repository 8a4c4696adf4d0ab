//! What stands at the left of every line: quote marks, bullets, numbers, a service's name, a time; and Markdown's fences.

use super::lines::Sample;
use nbmedic_text::{Document, Remake};

/// Share of the lines without the margin, as one in so many.
const OTHERS: usize = 10;
/// Longest margin, in bytes.
const MAX_MARGIN: usize = 200;
/// Words that say how much a line matters: they stay.
const LEVELS: &[&str] = &[
    "WARN", "INFO", "DEBUG", "TRACE", "Warning", "warning", "Info", "info", "Error", "ERROR",
    "error", "Debug", "NOTICE",
];

/// The text without its margin. Also says whether it can be nothing else.
pub(super) fn plain(doc: &Document, sample: &Sample<'_>) -> Option<(Document, bool)> {
    let lines = &sample.lines;
    if clocked(lines) {
        return Some((cut(doc, clock), true));
    }
    let alike = sample.alike();
    if let Some(after) = alike.then(|| numbers(lines)).flatten() {
        return Some((
            cut(doc, |line| number(line).map(|n| n.end(line, after))),
            matches!(after, After::Tab | After::Bar),
        ));
    }
    if let Some((n, stamp)) = stamped(lines) {
        if 2 * n >= lines.len() && n > 1 && !alike {
            return Some((cut(doc, move |line| worn(line, stamp)), true));
        }
    }
    if let Some(margin) = alike.then(|| shared_by_all(lines)).flatten() {
        // A list's items are not indented further.
        let inner = |l: &&str| worn(l, margin).is_some_and(|n| l[n..].starts_with(' '));
        let bullet = margin.trim_start().starts_with(['-', '*', '•']);
        let sure = !bullet || lines.iter().any(inner);
        return Some((cut(doc, |line| worn(line, margin)), sure));
    }
    let fence = |l: &str| l.trim_start().starts_with("```") || l.trim_start().starts_with("~~~");
    let fences = match sample.begin(b"`~") {
        0 => 0,
        _ => lines.iter().filter(|l| fence(l)).count(),
    };
    if fences == 0 && sample.indented < lines.len() {
        return None;
    }
    let blanks = |l: &str| l.len() - l.trim_start_matches(' ').len();
    let own = lines.iter().filter(|l| !fence(l));
    let indent = own.map(|l| blanks(l)).min()?;
    (fences > 0 || indent > 0).then(|| {
        let keep = |line: &str| (!fence(line)).then(|| indent.min(blanks(line)));
        (remade(doc, keep), true)
    })
}

/// Length of the seconds that Docker's build puts in front of what a step prints: `0.525 E: …`.
fn clock(line: &str) -> Option<usize> {
    let (seconds, rest) = line.split_once(' ')?;
    let (whole, parts) = seconds.split_once('.')?;
    let digits = |s: &str, most: usize| {
        (1..=most).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit())
    };
    (digits(whole, 5) && parts.len() == digits_after(whole) && digits(parts, 3) && !rest.is_empty())
        .then_some(seconds.len() + 1)
}

/// A date and time at the beginning of a line: how many lines begin so, and the first one's.
fn stamped<'a>(lines: &[&'a str]) -> Option<(usize, &'a str)> {
    let end = |line: &str| {
        let n = line
            .find(|c: char| !(c.is_ascii_digit() || "-:.TZ+,/ ".contains(c)))
            .unwrap_or(line.len());
        let digits = line[..n].bytes().filter(u8::is_ascii_digit).count();
        // Blanks after it may be the line's own.
        let n = line[..n].trim_end().len();
        (digits >= 12 && line[..n].contains(':') && line[n..].starts_with(' ')).then_some(n + 1)
    };
    let first = lines.iter().find_map(|l| end(l).map(|n| &l[..n]))?;
    let all = lines.iter().filter(|l| worn(l, first).is_some());
    Some((all.count(), first))
}

/// How many digits BuildKit prints after the point: four significant ones.
fn digits_after(whole: &str) -> usize {
    match whole.len() {
        1 => 3,
        2 => 2,
        _ => 1,
    }
}

/// Whether at least half of the lines have such a clock, and it runs.
fn clocked(lines: &[&str]) -> bool {
    let mut count = 0;
    let mut last = (0, "");
    for line in lines {
        let Some(n) = clock(line) else { continue };
        // As many digits after the point for as many before it: texts compare as numbers.
        let seconds = &line[..n - 1];
        let now = (seconds.find('.').unwrap_or(0), seconds);
        if now < last {
            return false;
        }
        (count, last) = (count + 1, now);
    }
    count > 0 && 2 * count >= lines.len()
}

/// Leaves the margin of each line out.
fn cut(doc: &Document, margin: impl Fn(&str) -> Option<usize>) -> Document {
    remade(doc, |line| Some(margin(line).unwrap_or(0)))
}

/// Keeps each line from some byte on, or leaves it out.
fn remade(doc: &Document, keep: impl Fn(&str) -> Option<usize>) -> Document {
    let mut out = Remake::new(doc);
    for i in 0..doc.len() {
        let span = doc.span(i);
        if let Some(n) = keep(doc.line(i)) {
            out.keep(span.start + n..span.end);
            out.end(span.end);
        }
    }
    out.finish()
}

/// What follows a line's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Tab,
    Bar,
    Mark(u8),
    Blank,
}

/// A line's number.
struct Number {
    value: usize,
    after: After,
    /// The first byte after the digits.
    at: usize,
}

impl Number {
    /// Where the line's own text begins.
    fn end(&self, line: &str, after: After) -> usize {
        if self.after != after {
            return 0;
        }
        let rest = &line[self.at..];
        let cut = match after {
            After::Tab => 1,
            After::Bar => rest.find(['|', '│']).map_or(0, |i| {
                i + rest[i..].chars().next().map_or(1, char::len_utf8)
            }),
            After::Mark(_) => 1,
            After::Blank => 0,
        };
        let blank = after != After::Tab && rest[cut..].starts_with(' ');
        self.at + cut + usize::from(blank)
    }
}

fn number(line: &str) -> Option<Number> {
    let t = line.trim_start_matches(' ');
    let digits = t.bytes().take_while(u8::is_ascii_digit).count();
    let value = t.get(..digits).filter(|d| d.len() < 8)?.parse().ok()?;
    let at = line.len() - t.len() + digits;
    let rest = &line[at..];
    let bare = rest.trim_start_matches(' ');
    let after = match rest.as_bytes().first() {
        Some(b'\t') => After::Tab,
        _ if bare.starts_with(['|', '│']) => After::Bar,
        Some(&b @ (b':' | b'.' | b')')) => After::Mark(b),
        Some(b' ') | None => After::Blank,
        _ => return None,
    };
    Some(Number { value, after, at })
}

/// Whether the lines are numbered one after the other.
fn numbers(lines: &[&str]) -> Option<After> {
    let after = number(lines.first()?)?.after;
    if lines.len() == 1 {
        let padded = lines[0].starts_with("  ");
        return (padded && matches!(after, After::Tab | After::Bar)).then_some(after);
    }
    let (mut rising, mut last) = (0, None);
    for line in lines {
        let now = number(line).filter(|n| n.after == after).map(|n| n.value);
        // A blank line can have kept its number or lost it.
        let next = |last: usize| now.is_some_and(|n| n > last && n <= last + 3);
        rising += usize::from(last.is_some_and(next));
        last = now;
    }
    (lines.len() > 1 && rising * OTHERS >= (lines.len().saturating_sub(1)) * (OTHERS - 1))
        .then_some(after)
}

/// The beginning of all lines, with digits left open; a few may have none.
fn shared_by_all<'a>(lines: &[&'a str]) -> Option<&'a str> {
    if let [line] = lines {
        return alone(line);
    }
    [0, lines.len() / 2, lines.len().checked_sub(1)?]
        .into_iter()
        .find_map(|i| {
            let mut margin = &lines[i][..floor(lines[i], MAX_MARGIN)];
            let mut others = 0;
            for (_, line) in lines.iter().enumerate().filter(|(j, _)| *j != i) {
                let n = trimmed(shared(margin, line)).len();
                // What only the margin was printed of has lost its blanks.
                if worn(line, margin).is_some_and(|n| n == line.len()) {
                    continue;
                }
                if n > 0 {
                    margin = &margin[..n];
                } else {
                    others += 1;
                }
            }
            let margin = trimmed(margin);
            (mark(margin) && margin.len() < lines[i].len().max(2) && others * OTHERS <= lines.len())
                .then_some(margin)
        })
}

/// The margin of a text of one line.
fn alone(line: &str) -> Option<&str> {
    let quote = ["> ", "| ", "# ", "- "]
        .iter()
        .find(|m| line.starts_with(*m));
    if let Some(quote) = quote {
        return Some(&line[..quote.len()]);
    }
    // A time, or a name and a bar.
    let bar = line.find(" | ").filter(|&i| {
        let name = line[..i].trim_end();
        name.len() < 40
            && !LEVELS.contains(&name)
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    });
    bar.map(|i| &line[..i + 3])
}

fn floor(line: &str, max: usize) -> usize {
    let mut at = line.len().min(max);
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The part of `a` that `b` begins with too; digits may differ.
fn shared<'a>(a: &'a str, b: &str) -> &'a str {
    let (x, y) = (a.as_bytes(), b.as_bytes());
    let digits =
        |s: &[u8], from: usize| s[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let (mut i, mut j) = (0, 0);
    while i < x.len() && j < y.len() {
        if x[i].is_ascii_digit() && y[j].is_ascii_digit() {
            i += digits(x, i);
            j += digits(y, j);
        } else if x[i] == y[j] {
            i += 1;
            j += 1;
        } else {
            break;
        }
    }
    &a[..floor(a, i)]
}

/// Whether a margin is a mark, a name with a bar, a time or a number: several messages can begin with the same words.
fn mark(margin: &str) -> bool {
    let t = margin.trim();
    let bytes = t.as_bytes();
    let time = bytes
        .windows(3)
        .any(|w| w[0].is_ascii_digit() && w[1] == b':' && w[2].is_ascii_digit());
    let digit = t.bytes().any(|b| b.is_ascii_digit());
    t.starts_with(|c: char| !c.is_alphabetic())
        || t.contains(['|', '│'])
        || time
        || digit && (t.contains(['[', '(']) || t.ends_with(':') && !t.contains(' '))
}

/// Whether a file is named: a compiler's message begins so. Dates have digits around their strokes.
fn names_file(margin: &str) -> bool {
    let bytes = margin.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let stroke = |(i, b): (usize, &u8)| {
        matches!(b, b'/' | b'\\') && !(digit(i.checked_sub(1)) && digit(Some(i + 1)))
    };
    !margin.starts_with(['[', '(']) && bytes.iter().enumerate().any(stroke)
}

/// A margin up to its last mark and one blank, without the words that say how much a line matters.
fn trimmed(margin: &str) -> &str {
    if names_file(margin) {
        return "";
    }
    let level = LEVELS.iter().filter_map(|l| margin.find(l)).min();
    let margin = &margin[..level.unwrap_or(margin.len())];
    let margin = margin.trim_end_matches(|c: char| {
        c.is_alphanumeric() || "_./\\\"'<,=-([{~".contains(c) && c != '-'
    });
    let bare = margin.trim_end_matches([' ', '\t']);
    // A bullet needs its blank: `---` is a rule.
    let dashed = bare.ends_with('-') || bare.ends_with('*');
    if bare.bytes().all(|b| b.is_ascii_digit() || b == b' ')
        || dashed && (bare.len() == margin.len() || bare.trim_start().len() > 1)
    {
        return "";
    }
    &margin[..margin.len().min(bare.len() + 1)]
}

/// Length of the margin of a line that has it.
fn worn(line: &str, margin: &str) -> Option<usize> {
    let whole = |margin: &str| {
        let part = shared(margin, line);
        (part.len() == margin.len()).then(|| {
            let rest = shared(line, margin);
            rest.len()
        })
    };
    whole(margin).or_else(|| {
        whole(margin.trim_end())
            .filter(|n| line[*n..].trim().is_empty())
            .map(|_| line.len())
    })
}
