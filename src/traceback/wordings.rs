//! Exceptions told without their class: Python's own words name it. Loggers, front ends and people leave the class out, or
//! put another exception's words into theirs.
//!
//! The words are those of CPython 3.9 to 3.14 (`Objects/`, `Python/ceval.c`, `Lib/importlib/_bootstrap.py`).

use super::classify::{certain, class_end, error_prefix, exception};

/// In a text of at most so many lines, words that only an exception has are one.
const FEW: usize = 6;
/// A longer text was printed, not written by a person.
const PASTED: usize = 60;
/// Longest message that is one of these, in bytes.
const MAX: usize = 400;

/// A class, and the pieces of its message: the first begins it, the others follow in this order.
const WORDS: &[(&str, &[&str])] = &[
    ("AttributeError", &["'", "' object has no attribute '"]),
    ("AttributeError", &["module '", "' has no attribute '"]),
    ("AttributeError", &["type object '", "' has no attribute '"]),
    (
        "AttributeError",
        &["Can't get attribute '", "' on <module '"],
    ),
    (
        "AttributeError",
        &["Can't get attribute '", "' on module '"],
    ),
    ("ImportError", &["cannot import name ", " from "]),
    ("ModuleNotFoundError", &["No module named '", "'"]),
    ("NameError", &["name '", "' is not defined"]),
    (
        "UnboundLocalError",
        &[
            "cannot access local variable '",
            "' where it is not associated with a value",
        ],
    ),
    (
        "UnboundLocalError",
        &["local variable '", "' referenced before assignment"],
    ),
    ("IndexError", &["list index out of range"]),
    ("IndexError", &["tuple index out of range"]),
    ("IndexError", &["string index out of range"]),
    ("TypeError", &["unsupported operand type(s) for ", ": '"]),
    ("TypeError", &["'", "' object is not callable"]),
    ("TypeError", &["'", "' object is not subscriptable"]),
    ("TypeError", &["'", "' object is not iterable"]),
    (
        "TypeError",
        &["'", "' object does not support item assignment"],
    ),
    (
        "TypeError",
        &["'", "' object cannot be interpreted as an integer"],
    ),
    ("TypeError", &["unhashable type: '", "'"]),
    (
        "TypeError",
        &["can only concatenate ", " (not \"", "\") to "],
    ),
    (
        "TypeError",
        &["", "() got an unexpected keyword argument '", "'"],
    ),
    (
        "TypeError",
        &["", "() got multiple values for argument '", "'"],
    ),
    ("TypeError", &["", "() missing ", " required ", " argument"]),
    (
        "TypeError",
        &["", "() takes ", " positional argument", " given"],
    ),
    (
        "TypeError",
        &["Object of type ", " is not JSON serializable"],
    ),
    (
        "ValueError",
        &["invalid literal for int() with base ", ": '"],
    ),
    ("ValueError", &["could not convert string to float: '", "'"]),
    ("ValueError", &["too many values to unpack (expected ", ")"]),
    (
        "ValueError",
        &["not enough values to unpack (expected ", ")"],
    ),
    ("ZeroDivisionError", &["division by zero"]),
    ("RecursionError", &["maximum recursion depth exceeded"]),
    (
        "FileNotFoundError",
        &["[Errno 2] No such file or directory: '", "'"],
    ),
    ("PermissionError", &["[Errno 13] Permission denied: '", "'"]),
    (
        "UnicodeDecodeError",
        &["'", "' codec can't decode byte 0x", " in position "],
    ),
    ("TypeError", &["cannot pickle '", "' object"]),
    // urllib3's (`connectionpool.py`, `connection.py`), which every client prints.
    (
        "ConnectTimeoutError",
        &["Connection to ", " timed out. (connect timeout="],
    ),
    (
        "ReadTimeoutError",
        &[
            "HTTP",
            "ConnectionPool(host='",
            "Read timed out. (read timeout=",
        ],
    ),
];

/// What stands in front of another exception's words.
const BEFORE: &[&str] = &[
    "with error: ",
    "with error ",
    "error message: ",
    "original error: ",
    "Original error: ",
    "Original error was: ",
    "caused by: ",
    "Caused by: ",
    "Reason: ",
    "reason: ",
    "with exception: ",
    "got error: ",
    "following error: ",
    "Error: ",
    "error: ",
    "failed: ",
    "failed with: ",
];

/// What people say before an exception in a sentence: `f(x) gives TypeError: …`.
const TELLS: &[&str] = &[
    "gives",
    "give",
    "gave",
    "get",
    "gets",
    "got",
    "getting",
    "raises",
    "raised",
    "throws",
    "threw",
    "shows",
    "showed",
    "hit",
    "hits",
    "fails",
    "failed",
    "error",
    "exception",
];
/// What may stand between.
const ARTICLES: &[&str] = &[
    "a",
    "an",
    "the",
    "this",
    "that",
    "same",
    "exact",
    "following",
    "with",
    "error:",
];

/// Words of a line that tell of an exception that ended nothing, or only speak of one.
const HANDLED: &[&str] = &[
    "skip",
    "ignor",
    "retry",
    "retri",
    "fallback",
    "falling back",
    "warn",
    "info",
    "debug",
    "expected",
    "handle",
    "caught",
    "catch",
    "recover",
    "fixed",
    "fixes",
    "e.g.",
    "for example",
    "such as",
    "never",
    "no longer",
    "instead of",
    " if ",
    " may ",
    " can ",
    " could ",
    " would ",
    "passed",
];
/// Most places of a line that are read as the colon behind a class.
const PLACES: usize = 8;
/// Longest part of a line that is read in front of a class, in bytes.
const LEAD: usize = 160;

/// The class of a message by its words: they begin the text, and a dotted function's name may stand before `()`.
fn class_of(message: &str) -> Option<&'static str> {
    if message.len() > MAX {
        return None;
    }
    let fits = |pieces: &[&str]| {
        let Some(mut rest) = message.strip_prefix(pieces[0]) else {
            return false;
        };
        if pieces[0].is_empty() {
            let name = class_end(rest);
            if name == 0 || !rest[name..].starts_with("()") {
                return false;
            }
        }
        pieces[1..].iter().all(|p| match rest.find(p) {
            Some(at) => {
                rest = &rest[at + p.len()..];
                true
            }
            None => false,
        })
    };
    WORDS.iter().find(|(_, w)| fits(w)).map(|(class, _)| *class)
}

/// A class that is only spelt otherwise (`attributeError`, `Attribute error`).
fn spelt(class: &str) -> Option<&'static str> {
    let letters = || class.bytes().filter(|b| *b != b' ');
    let same = |known: &&str| {
        letters().count() == known.len()
            && letters()
                .zip(known.bytes())
                .all(|(a, b)| a.eq_ignore_ascii_case(&b))
    };
    let mut all = WORDS.iter().map(|(class, _)| *class);
    all.find(same).filter(|known| *known != class)
}

/// An exception in a form that people and loggers give it: told by its words without a class, with a class that is spelt
/// otherwise, as its `repr`, between backticks in a sentence. `lines`: how many the text has; `left`: how many from here on.
/// `apart`: whether it stands alone in a block of code.
pub(super) fn worded(s: &str, lines: usize, left: usize, apart: bool) -> Option<(&str, &str)> {
    let (few, last) = (lines <= FEW || apart && lines <= PASTED, left <= FEW);
    let text = s.trim();
    if let Some(found) = ticked(text).filter(|_| lines <= PASTED) {
        return Some(found);
    }
    if let Some(found) = bracketed(text).filter(|_| lines <= PASTED) {
        return Some(found);
    }
    let text = match class_of(text) {
        Some(_) => text,
        None => unquoted(text),
    };
    if few || last {
        if let Some(found) = repr(text) {
            return Some(found);
        }
    }
    let named = text.split_once(": ").filter(|(class, _)| class.len() < 30);
    if let Some((class, message)) = named {
        let known = spelt(class);
        let one = |class: &str| !class.contains(' ') && few;
        let sure = |known: &str| one(class) || class_of(message) == Some(known);
        if let Some(known) = known.filter(|known| sure(known)) {
            return Some((known, message));
        }
    }
    if few {
        if let Some(class) = class_of(text) {
            return Some((class, text));
        }
    }
    if lines <= 2 * FEW {
        if let Some(found) = in_sentence(text) {
            return Some(found);
        }
    }
    for mark in [" - ", ": ", "| ", "] "] {
        let Some(at) = text.find(mark).map(|i| i + mark.len()) else {
            continue;
        };
        let levels = ["ERROR", "CRITICAL", "FATAL", "Error"];
        let head = &text[..at];
        if levels.iter().any(|l| head.contains(l))
            && error_prefix(head.trim_end_matches([' ', '-']))
        {
            if let Some(class) = class_of(&text[at..]) {
                return Some((class, &text[at..]));
            }
        }
    }
    None
}

/// A line between quotation marks, without them.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix(['"', '\'', '`', '\u{201c}']);
    let inner = inner.and_then(|t| {
        t.trim_end_matches(['.', ','])
            .strip_suffix(['"', '\'', '`', '\u{201d}'])
    });
    inner.unwrap_or(text)
}

/// `` `Class: message` `` in a sentence.
fn ticked(text: &str) -> Option<(&str, &str)> {
    let start = text.find('`')? + 1;
    let (class, message) = exception(&text[start..])?;
    // Without its end the message goes on below.
    let message = message.split('`').next().unwrap_or(message);
    (certain(class) && message.len() > 3).then_some((class, message))
}

/// `[Class: message]` that is the whole line.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let round = || text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let (class, message) = exception(inner.or_else(round)?)?;
    (certain(class) && message.len() > 3).then_some((class, message))
}

/// An exception in a sentence: one that says that it was raised, that has it in parentheses, or whose words and class agree.
fn in_sentence(text: &str) -> Option<(&str, &str)> {
    for (at, _) in text.match_indices(": ").take(PLACES) {
        let head = &text[..at];
        let start = head.rfind([' ', '\t', '(', '[']).map_or(0, |i| i + 1);
        let Some((class, message)) = exception(&text[start..]) else {
            continue;
        };
        if start == 0 || !certain(class) || message.len() <= 3 {
            continue;
        }
        let lead = &head[head.floor_char_boundary(start.saturating_sub(LEAD))..start];
        // What the message itself says counts for nothing.
        let handled = |after: &str| {
            let after = &after[..after.floor_char_boundary(LEAD)];
            [lead, after]
                .map(str::to_ascii_lowercase)
                .iter()
                .any(|t| HANDLED.iter().any(|w| t.contains(w)))
        };
        let close = match lead.chars().next_back() {
            Some('(') => Some(')'),
            Some('[') => Some(']'),
            _ => None,
        };
        if let Some(close) = close {
            match closed(message, close) {
                Some(told) if told.len() > 3 && !handled(&message[told.len()..]) => {
                    return Some((class, told));
                }
                _ => continue,
            }
        }
        let words = lead.split_whitespace().rev();
        let mut before = words.clone().skip_while(|w| ARTICLES.contains(w));
        let tells = before.next().is_some_and(|w| TELLS.contains(&w));
        // `Training stops with this error: Class: …`, `Loading: Class: its usual words`.
        let mut words = words.map(|w| w.trim_end_matches(':'));
        let named = lead.trim_end().ends_with(':')
            && (words.any(|w| TELLS.contains(&w)) || class_of(message) == Some(class))
            && !handled("");
        if !tells && !named {
            continue;
        }
        // A key ends with its quotation mark.
        let key = message.strip_prefix('\'').and_then(|m| m.find('\''));
        let message = match key.filter(|_| class == "KeyError") {
            Some(end) => &message[..end + 2],
            None => message,
        };
        return Some((class, message));
    }
    None
}

/// The part of a text before the bracket that closes one which stands in front of it.
fn closed(text: &str, close: char) -> Option<&str> {
    let open = if close == ')' { '(' } else { '[' };
    let mut depth = 0;
    for (at, c) in text.char_indices().take(MAX) {
        if c == close && depth == 0 {
            return Some(&text[..at]);
        }
        depth += i32::from(c == open) - i32::from(c == close);
    }
    None
}

/// `Class("message")` that is the whole line, perhaps in brackets of its own.
fn repr(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(['\'', '"', '(', '[']);
    let end = class_end_bare(text);
    let class = &text[..end];
    let rest = text[end..].strip_prefix('(')?;
    let mark = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let message = rest[1..].trim_end_matches([')', ']', ',', '"', '\'', '.']);
    let closed = rest.trim_end_matches([')', ']', '.']).ends_with(mark) || rest.len() > 200;
    (certain(class) && closed && !message.is_empty()).then_some((class, message))
}

/// The class and the text of `raise Class("text")`.
pub(super) fn raised(code: &str) -> Option<(&str, &str)> {
    let rest = code.trim().strip_prefix("raise ")?;
    let end = class_end_bare(rest);
    let text = rest[end..].strip_prefix('(')?;
    let mark = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (message, _) = text[1..].split_once(mark)?;
    (end > 0 && !message.is_empty()).then_some((&rest[..end], message))
}

/// The text between the brackets that a statement reads with, if it is the only one: `b` of `t["a"] = t["b"]`.
pub(super) fn key(code: &str) -> Option<&str> {
    let value = code.rsplit_once(" = ").map_or(code, |(_, value)| value);
    let mut keys = value.match_indices('[').filter_map(|(at, _)| {
        let rest = &value[at + 1..];
        let mark = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (key, after) = rest[1..].split_once(mark)?;
        let read = value[..at].ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
        (read && after.starts_with(']') && !key.is_empty()).then_some(key)
    });
    let first = keys.next()?;
    keys.all(|k| k == first).then_some(first)
}

/// Length of the dotted name at the start.
fn class_end_bare(s: &str) -> usize {
    s.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(s.len())
}

/// Another exception that a message quotes: its class (empty if its words don't say it) and its message.
///
/// ```
/// let (class, message) = nbmedic_traceback::quoted_exception("Worker failed with error 'CUDA error: out of memory'").unwrap();
/// assert_eq!((class, message), ("", "CUDA error: out of memory"));
/// ```
pub fn quoted_exception(message: &str) -> Option<(&str, &str)> {
    let line = message.lines().next()?;
    // `…: got ValueError('…')` names its class.
    if let Some(found) = line.rsplit_once(": got ").and_then(|(_, rest)| repr(rest)) {
        return Some(found);
    }
    let at = |mark: &&str| line.find(*mark).map(|i| i + mark.len());
    let start = BEFORE.iter().filter_map(at).min()?;
    let rest = line[start..].trim();
    let mark = rest.chars().next().filter(|c| "'\"`([".contains(*c));
    let bare = match mark {
        Some(_) => rest[1..].trim_end_matches(['.', ',']),
        None => rest,
    };
    let ends = ['\'', '"', '`', ')', ']'];
    let bare = mark.and_then(|_| bare.strip_suffix(ends)).unwrap_or(bare);
    if bare.len() < 8 {
        return None;
    }
    match exception(bare).filter(|(class, _)| certain(class)) {
        Some(found) => Some(found),
        None => Some((class_of(bare).unwrap_or_default(), bare)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_their_class() {
        for (message, class) in [
            (
                "'super' object has no attribute '__sklearn_tags__'",
                "AttributeError",
            ),
            ("name 'ALL_PARAMETERS' is not defined", "NameError"),
            ("cannot import name 'a' from 'b' (/c.py)", "ImportError"),
            (
                "f.<locals>.g() got an unexpected keyword argument 'x'",
                "TypeError",
            ),
            ("list index out of range", "IndexError"),
        ] {
            assert_eq!(class_of(message), Some(class), "{message}");
        }
        for message in [
            "the name 'x' is not defined here",
            "no module named x",
            "training done",
            "'a' is fine",
        ] {
            assert_eq!(class_of(message), None, "{message}");
        }
        assert_eq!(spelt("attributeError"), Some("AttributeError"));
        assert_eq!(spelt("Attribute error"), Some("AttributeError"));
        assert_eq!(spelt("AttributeError"), None);
    }

    #[test]
    fn a_sentence_says_what_was_raised() {
        for (text, found) in [
            (
                "f(x) gives TypeError: unhashable type: 'list'",
                Some(("TypeError", "unhashable type: 'list'")),
            ),
            (
                "Now it shows the exact same KeyError: 'fare' again, in a new cell.",
                Some(("KeyError", "'fare'")),
            ),
            ("Please handle ValueError: the docs say how", None),
            ("It never raises. A KeyError: 'x' is not possible", None),
            (
                "fit() breaks on new releases (ValueError: Input X contains NaN (row 3)), see below",
                Some(("ValueError", "Input X contains NaN (row 3)")),
            ),
            (
                "After an hour the run stops with this error: cv2.error: OpenCV(4.9.0) !_src.empty()",
                Some(("cv2.error", "OpenCV(4.9.0) !_src.empty()")),
            ),
            (
                "MyApp: ImportError: cannot import name 'RunInfo' from 'b'",
                Some(("ImportError", "cannot import name 'RunInfo' from 'b'")),
            ),
            ("MyApp: ImportError: the module is old", None),
            ("skipped 3 rows (ValueError: could not parse them)", None),
            ("row 7 has no date (ValueError: bad date), falling back to 1970", None),
            ("an open bracket (ValueError: bad date", None),
        ] {
            assert_eq!(in_sentence(text), found, "{text}");
        }
    }

    #[test]
    fn a_line_in_brackets_is_an_exception() {
        let text = "[ValueError: Invalid frequency: ME]";
        let found = Some(("ValueError", "Invalid frequency: ME"));
        assert_eq!(worded(text, 40, 30, false), found);
        assert_eq!(worded("[Note: see the docs]", 40, 30, false), None);
        assert_eq!(worded(text, 400, 30, false), None);
    }

    #[test]
    fn the_key_is_what_the_statement_reads() {
        for (code, found) in [
            ("table[\"close\"] = table[\"adjusted\"]", Some("adjusted")),
            ("return row['text'].strip()", Some("text")),
            ("total = row['a'] + row['b']", None),
            ("table[['a']]", None),
            ("names = ['a']", None),
            ("table['a'] = 3", None),
        ] {
            assert_eq!(key(code), found, "{code}");
        }
    }

    #[test]
    fn words_alone_in_a_block_name_their_class() {
        let text = "Connection to hub.example.org timed out. (connect timeout=10)";
        let found = Some(("ConnectTimeoutError", text));
        assert_eq!(worded(text, 20, 10, true), found);
        assert_eq!(worded(text, 20, 10, false), None);
        assert_eq!(worded(text, 200, 10, true), None);
    }

    #[test]
    fn a_message_quotes_another() {
        assert_eq!(
            quoted_exception("Task failed: ValueError: could not broadcast"),
            Some(("ValueError", "could not broadcast"))
        );
        assert_eq!(
            quoted_exception("got error: No module named 'x'"),
            Some(("ModuleNotFoundError", "No module named 'x'"))
        );
        assert_eq!(
            quoted_exception("node failed: call f(*(x, -1), **{}): got ValueError('bad (size)!')"),
            Some(("ValueError", "bad (size)!"))
        );
        assert_eq!(quoted_exception("expected 3: got 4 values"), None);
        assert_eq!(quoted_exception("shapes differ"), None);
    }
}
