//! Error texts that are only quoted: rows of tables and lists, tracebacks inside warnings.

use nbmedic_facts::number::decimal;
use nbmedic_text::Document;
use nbmedic_traceback::Chain;

/// Maximum number of lines between a warning's first line and the traceback that it quotes, and
/// after that.
const WARNING_REACH: usize = 400;
/// Maximum number of lines between the announcement that something is skipped and its traceback.
const SKIP_REACH: usize = 4;
/// First words of a log's columns, which are not a table.
const LEVELS: &[&str] = &[
    "INFO", "DEBUG", "TRACE", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "E", "W",
];

/// Whether a line is a row of a printed table, data frame, dict or list.
pub(super) fn is_row(doc: &Document, line: usize) -> bool {
    let text = doc.line(line);
    item(text) || boxed(text) || commit(text) || {
        let beside = [line.checked_sub(1), Some(line + 1)];
        beside
            .into_iter()
            .flatten()
            .filter(|&i| i < doc.len())
            .any(|i| {
                numbered(text, doc.line(i))
                    || aligned(text, doc.line(i))
                    || bullets(text, doc.line(i))
                    || scored(text) && scored(doc.line(i))
            })
    }
}

/// An item of a printed list of texts, or of a dict that counts them.
fn item(text: &str) -> bool {
    let t = text.trim().trim_start_matches(['[', '{', '(', ' ']);
    let t = t.trim_end_matches([',', ']', '}', ')', ' ']);
    let Some(rest) = t.strip_prefix('\'') else {
        return text.trim_start().starts_with('•');
    };
    match rest.rfind('\'') {
        Some(end) if end > 0 => {
            let after = rest[end + 1..].trim();
            after.is_empty() && t.len() < text.trim().len()
                || after
                    .strip_prefix(':')
                    .is_some_and(|n| decimal(n.trim()).is_some())
        }
        _ => false,
    }
}

/// Two items of a list with dashes at the left edge. Installers indent theirs.
fn bullets(a: &str, b: &str) -> bool {
    a.starts_with("- ") && b.starts_with("- ")
}

/// An entry of a list of scores: words, then a fraction.
fn scored(text: &str) -> bool {
    text.rsplit_once(": ")
        .is_some_and(|(_, n)| n.contains('.') && decimal(n.trim()).is_some())
}

/// `git log --oneline`: an abbreviated commit, then its subject.
fn commit(text: &str) -> bool {
    let Some((hash, _)) = text.split_once(' ') else {
        return false;
    };
    (7..=12).contains(&hash.len())
        && hash
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        && hash.bytes().any(|b| b.is_ascii_digit())
        && hash.bytes().any(|b| b.is_ascii_lowercase())
}

/// A row of a table with drawn edges and at least two columns.
fn boxed(text: &str) -> bool {
    let t = text.trim();
    ['|', '│', '┃']
        .iter()
        .any(|&edge| t.starts_with(edge) && t.ends_with(edge) && t.matches(edge).count() >= 3)
}

/// Both begin with a number, and the numbers are consecutive.
fn numbered(a: &str, b: &str) -> bool {
    let number = |s: &str| -> Option<(i64, usize)> {
        let s = s.trim_start();
        let end = s.find(|c: char| !c.is_ascii_digit())?;
        let rest = s[end..].strip_prefix(['.', ')']).unwrap_or(&s[end..]);
        rest.starts_with([' ', '\t'])
            .then(|| s[..end].parse().ok())?
            .map(|n| (n, end))
    };
    matches!((number(a), number(b)), (Some((x, _)), Some((y, _))) if (x - y).abs() == 1)
}

/// Both have a column that starts at the same place, after a gap of three blanks or more.
fn aligned(a: &str, b: &str) -> bool {
    let columns = |s: &str| -> Vec<usize> {
        let mut out = Vec::new();
        let (mut gap, mut seen) = (0, false);
        for (at, c) in s.chars().take(200).enumerate() {
            if c == ' ' {
                gap += 1;
            } else {
                if seen && gap >= 3 {
                    out.push(at);
                }
                (gap, seen) = (0, true);
            }
        }
        out
    };
    let first = |s: &str| {
        let word = s.split_whitespace().next().unwrap_or("");
        word.trim_matches(['[', ']', ':']).to_owned()
    };
    let log = |s: &str| {
        let word = first(s);
        LEVELS.contains(&word.as_str()) || word.starts_with(|c: char| c.is_ascii_digit())
    };
    if a.starts_with("  ") || log(a) || log(b) {
        return false;
    }
    let other = columns(b);
    columns(a).iter().any(|c| other.contains(c))
}

/// Whether the lines just before say that the failed part is skipped: work continues (AutoGluon).
pub(super) fn skipped(doc: &Document, chain: &Chain) -> bool {
    let start = chain.lines.start;
    (start.saturating_sub(SKIP_REACH)..start).any(|i| doc.line(i).contains("kipping this "))
}

/// The lines of a text that begin a warning, and those that show its source, which `warnings` prints after it.
pub(super) struct Warnings {
    /// Each line, and whether a warning begins there.
    lines: Vec<(usize, bool)>,
}

impl Warnings {
    pub fn of(doc: &Document) -> Warnings {
        let source = |s: &str| {
            let t = s.trim_start();
            t.len() < s.len() && (t.starts_with("warnings.warn(") || t.starts_with("warn("))
        };
        let lines = doc.lines().enumerate().filter_map(|(i, line)| {
            let opens = opens_warning(line);
            (opens || source(line)).then_some((i, opens))
        });
        Warnings {
            lines: lines.collect(),
        }
    }

    /// Whether a warning quotes the traceback, its source line follows, and work continued.
    pub fn quote(&self, chain: &Chain) -> bool {
        let start = chain.lines.start;
        let first = self.lines.partition_point(|(line, _)| *line < start);
        let above = first.checked_sub(1).map(|i| self.lines[i]);
        if !above.is_some_and(|(line, opens)| opens && line + WARNING_REACH >= start) {
            return false;
        }
        let mut rest = self.lines[first..].iter();
        let next = rest.find(|(line, opens)| !opens || *line > start);
        next.is_some_and(|(line, opens)| !opens && *line < start + WARNING_REACH)
    }
}

/// `file.py:12: SomeWarning: `
fn opens_warning(s: &str) -> bool {
    let Some(at) = s.find("Warning:") else {
        return false;
    };
    s[..at]
        .split_once(": ")
        .and_then(|(place, class)| {
            let (_, line) = place.rsplit_once(':')?;
            (line.parse::<u32>().is_ok()
                && class
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.'))
            .then_some(())
        })
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_text::Limits;

    fn rows(text: &str) -> Vec<bool> {
        let doc = Document::from_terminal(text, Limits::default());
        (0..doc.len()).map(|i| is_row(&doc, i)).collect()
    }

    #[test]
    fn tables_and_lists_are_rows() {
        assert_eq!(rows("0  CUDA out of memory\n1  Killed"), [true, true]);
        assert_eq!(
            rows("OSError        No space left\nValueError     bad input"),
            [true, true]
        );
        assert_eq!(rows("| 3 | Permission denied |"), [true]);
        assert_eq!(rows("['Permission denied',\n 'Killed']"), [true, true]);
        assert_eq!(rows("{'Killed': 3}"), [true]);
        assert_eq!(rows("- Killed\n- out of memory"), [true, true]);
        assert_eq!(rows("Disk full: 0.15\nKilled: 0.85"), [true, true]);
        assert_eq!(rows("a1b2c3d Fix a crash: Killed"), [true]);
    }

    #[test]
    fn a_warning_quotes_a_traceback() {
        let quoted = |head: &str, tail: &str| {
            let text = format!(
                "{head}\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    \
                 g()\nValueError: bad\n{tail}\ndone\n"
            );
            let doc = Document::from_terminal(&text, Limits::default());
            let chains = nbmedic_traceback::parse(&doc);
            Warnings::of(&doc).quote(&chains[0])
        };
        let head = "/lib/m.py:425: FitFailedWarning: 3 fits failed.";
        assert!(quoted(head, "\n  warnings.warn(message, FitFailedWarning)"));
        assert!(!quoted(head, "\n"));
        assert!(!quoted("starting", "\n  warnings.warn(message)"));
    }

    #[test]
    fn a_skipped_part_is_no_failure() {
        let told = |said: &str| {
            let text = format!(
                "{said}\nDetailed Traceback:\nTraceback (most recent call last):\n  File \"a.py\", line 1, \
                 in fit\n    import b\nModuleNotFoundError: No module named 'b'\nFitting model: c\n"
            );
            let doc = Document::from_terminal(&text, Limits::default());
            skipped(&doc, &nbmedic_traceback::parse(&doc)[0])
        };
        assert!(told("\tFit of m failed... Skipping this model."));
        assert!(!told("\tFit of m failed."));
    }

    #[test]
    fn logs_are_no_rows() {
        assert_eq!(
            rows("INFO     starting\nERROR    CUDA out of memory"),
            [false, false]
        );
        assert_eq!(rows("2 errors detected in the compilation"), [false]);
        assert_eq!(rows("cp: cannot stat 'x': No such file"), [false]);
    }
}
