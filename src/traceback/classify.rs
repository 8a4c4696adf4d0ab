//! Classifies a line by its form alone.

use super::chain::Relation;

/// The words that every traceback starts with.
const HEADER: &str = "Traceback (most recent call last)";

/// A line that starts a traceback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header<'a> {
    /// The interpreter's.
    CPython,
    /// "Original Traceback (most recent call last):", within a message.
    Original,
    /// "+ Exception Group Traceback (most recent call last):"
    Group,
    /// The class, then "Traceback (most recent call last)" at the right.
    IPython(&'a str),
    /// The upper edge of rich's box.
    Rich,
}

pub(super) fn indent(s: &str) -> usize {
    s.len() - s.trim_start().len()
}

/// The position of these words, in a line that can end a header; most lines end otherwise.
pub(super) fn header_at(s: &str) -> Option<usize> {
    let end = s.trim_end().as_bytes();
    // ':' or ')' for text, '+' or the last byte of a box's corner for rich.
    let can =
        end.len() >= HEADER.len() && matches!(end.last(), Some(b':' | b')' | b'+' | 0xAE | 0x90));
    can.then(|| s.find(HEADER))?
}

pub(super) fn header(s: &str) -> Option<Header<'_>> {
    let i = header_at(s)?;
    let before = s[..i].trim();
    let after = s[i + HEADER.len()..].trim();
    if before.starts_with(['╭', '┌']) || (before.starts_with("+-") && after.ends_with('+')) {
        return Some(Header::Rich);
    }
    match after {
        ":" => {}
        "" => {
            let end = class_end(before);
            if end > 0 && end == before.len() {
                return Some(Header::IPython(before));
            }
        }
        _ => return None,
    }
    if before.ends_with("Exception Group") {
        Some(Header::Group)
    } else if before.ends_with("Original") {
        Some(Header::Original)
    } else if before.ends_with(['"', '\'', '`', '(']) || before.starts_with('#') {
        // Quoted in code or prose.
        None
    } else {
        Some(Header::CPython)
    }
}

pub(super) fn connector(s: &str) -> Option<Relation> {
    let s = s.trim();
    if s.starts_with("The above exception was the direct cause of the following") {
        Some(Relation::Cause)
    } else if s.starts_with("During handling of the above exception, another exception") {
        Some(Relation::Context)
    } else {
        None
    }
}

/// The edge between the parts of an exception group: `+-+---- 1 ----`. True if a part follows.
pub(super) fn group_rule(s: &str) -> Option<bool> {
    let s = s.trim();
    if !s.starts_with("+-") || !s.contains("----") {
        return None;
    }
    let body = s.trim_matches(|c| matches!(c, '+' | '-' | ' '));
    (body.is_empty() || body.bytes().all(|b| b.is_ascii_digit()) || body == "...")
        .then_some(!body.is_empty())
}

/// A rule as wide as IPython's and unittest's.
pub(super) fn rule(s: &str) -> bool {
    let s = s.trim();
    s.len() >= 60 && (s.bytes().all(|b| b == b'-') || s.bytes().all(|b| b == b'='))
}

/// The heading of a stack that belongs to no exception, and neither do the frames after it.
pub(super) fn other_stack(s: &str) -> bool {
    let s = s.trim();
    call_stack(s)
        || s.ends_with("(most recent call first):")
        || s.starts_with("Original stack trace for")
        || s.ends_with("defined at (most recent call last):")
        || s.starts_with("Thread 0x")
}

/// The heading of the stack that `logging` prints.
pub(super) fn call_stack(s: &str) -> bool {
    let s = s.trim();
    s == "Call stack:" || s.starts_with("Stack (most recent call last)")
}

/// A line that says that the exception after it is only reported.
pub(super) fn ignored(s: &str) -> bool {
    let s = s.trim();
    s.starts_with("Exception ignored in")
        || s.starts_with("Exception ignored while")
        || s.starts_with("--- Logging error")
        || (s.starts_with("Exception ") && s.ends_with(" ignored"))
        // An optional part that is left out: xFormers' Triton, PyTorch's extensions.
        || s.contains("will not be enabled")
}

/// Length of the dotted class name at the start, including what ray puts in parentheses.
pub(super) fn class_end(s: &str) -> usize {
    let mut end = 0;
    let mut part = 0;
    let mut rest = s;
    while let Some(c) = rest.chars().next() {
        if c.is_alphabetic() || c == '_' || (part > 0 && c.is_ascii_digit()) {
            part += 1;
        } else if c == '.' && part > 0 {
            part = 0;
            if rest[1..].starts_with("<locals>.") {
                rest = &rest[9..];
                end += 9;
            }
        } else {
            break;
        }
        end += c.len_utf8();
        rest = &rest[c.len_utf8()..];
    }
    if part == 0 {
        return 0;
    }
    if let Some(inner) = rest.strip_prefix('(') {
        if let Some(close) = inner.find(')') {
            if close > 0
                && inner[..close]
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.".contains(c))
            {
                end += close + 2;
            }
        }
    }
    end
}

/// `Class: message` or `Class` at the start of the line: the class, and the message.
pub(super) fn exception(s: &str) -> Option<(&str, &str)> {
    let s = s.trim();
    let end = class_end(s);
    if end == 0 || end > 200 {
        return None;
    }
    let (class, rest) = s.split_at(end);
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some((class, "")),
        Some(m) if m.is_empty() || m.starts_with([' ', '\t']) => Some((class, m.trim_start())),
        _ => None,
    }
}

fn name(class: &str) -> &str {
    let class = class.split('(').next().unwrap_or(class);
    class.rsplit('.').next().unwrap_or(class)
}

/// Whether two classes have the same last part.
pub(super) fn same_class(a: &str, b: &str) -> bool {
    name(a) == name(b)
}

/// A class that is an exception by its name.
pub(super) fn strong(class: &str) -> bool {
    const ENDS: &[&str] = &[
        "Error",
        "Exception",
        "Interrupt",
        "Exit",
        "Iteration",
        "Warning",
        "Timeout",
        "Failure",
        "Fault",
        "ExceptionGroup",
        "Failed",
        "NotFound",
        "StackTrace",
        "Traceback",
    ];
    let name = name(class);
    ENDS.iter().any(|e| name.ends_with(e))
}

/// A class that can be an exception after the frames of a traceback.
pub(super) fn weak(class: &str) -> bool {
    const WORDS: &[&str] = &[
        "else",
        "try",
        "finally",
        "except",
        "lambda",
        "return",
        "pass",
        "break",
        "continue",
        "raise",
        "yield",
        "None",
        "True",
        "False",
        "self",
        "Note",
        "NOTE",
        "Message",
        "Arguments",
        "Hint",
        "INFO",
    ];
    let n = name(class);
    if strong(class) {
        return true;
    }
    let upper = n.starts_with(|c: char| c.is_uppercase()) && !WORDS.contains(&n);
    let lower = matches!(n, "error" | "timeout" | "gaierror" | "herror");
    upper || lower || (class.contains('.') && !WORDS.contains(&class))
}

/// A name that only an exception has, for lines outside a traceback.
pub(super) fn certain(class: &str) -> bool {
    let n = name(class);
    let long = n.len() > 5 && n != "Exception";
    let ends = ["Error", "Exception", "Interrupt"]
        .iter()
        .any(|e| n.ends_with(e));
    let camel = n.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    // Exceptions of the standard library and of pandas that are not called so.
    let other = [
        "BadZipFile",
        "BadZipfile",
        "BadGzipFile",
        "OutOfBoundsDatetime",
        "OutOfBoundsTimedelta",
    ];
    // Of C modules.
    let small = ["cv2.error", "zlib.error", "struct.error", "re.error"];
    long && ends && camel || other.contains(&n) || small.contains(&class) || from_exceptions(class)
}

/// A class in a module of exceptions, whatever its own name: ONNX Runtime's
/// `onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument`, `torch._dynamo.exc.Unsupported`;
/// or in a private one: `huggingface_hub.utils._http.OfflineModeIsEnabled`.
fn from_exceptions(class: &str) -> bool {
    let Some((module, n)) = class.rsplit_once('.') else {
        return false;
    };
    let last = module.rsplit('.').next().unwrap_or("");
    module.contains('.')
        && n.len() > 3
        && n.starts_with(|c: char| c.is_ascii_uppercase())
        && n.chars().any(|c| c.is_ascii_lowercase())
        && module
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._".contains(&b))
        && (matches!(last, "exc" | "exceptions" | "errors" | "error")
            || last.ends_with("_state")
            || last == "_http")
}

/// An exception line outside a traceback, perhaps after a log prefix: class and message.
pub(super) fn bare(s: &str) -> Option<(&str, &str)> {
    let text = s.trim();
    if s.starts_with([' ', '\t']) && text.len() + 1 < s.len() {
        // Indented as a quotation: a class with its module is nothing else.
        return exception(text)
            .filter(|(class, m)| class.contains('.') && certain(class) && !m.is_empty());
    }
    // Quoted in an answer, or in bold.
    let text = text.strip_prefix("> ").unwrap_or(text);
    let text = text.trim_start_matches("_**").trim_start_matches("**");
    if let Some((class, message)) = exception(text) {
        let alone = class.ends_with(".TimeoutError")
            || matches!(class, "KeyboardInterrupt" | "MemoryError");
        return (certain(class) && (alone || !message.is_empty())).then_some((class, message));
    }
    let mut from = 0;
    // A prefix has few colons; a text with more is a sentence.
    for _ in 0..4 {
        let Some(i) = text[from..].find(": ").map(|i| from + i) else {
            break;
        };
        let start = text[..i].rfind([' ', '\t']).map_or(0, |j| j + 1);
        let class = &text[start..i];
        if class_end(class) == class.len() && certain(class) {
            // A pasted frame that lost its line break.
            let glued = text.starts_with("File \"") && text[..start].contains(" raise ");
            return (glued || error_prefix(&text[..start]))
                .then(|| (class, text[i + 2..].trim_start()));
        }
        from = i + 2;
    }
    // A dash in place of the colon.
    let i = text.find(" - ")?;
    let start = text[..i].rfind([' ', '\t']).map_or(0, |j| j + 1);
    let class = &text[start..i];
    (class_end(class) == class.len() && certain(class) && error_prefix(&text[..start]))
        .then(|| (class, text[i + 3..].trim_start()))
}

/// Whether a text is what loggers write in front of an error: level, time, name, brackets.
pub(super) fn error_prefix(s: &str) -> bool {
    let bracket_first = s.starts_with(['[', '(']);
    let (mut level, mut dated, mut named) = (false, false, false);
    let mut depth = 0;
    let outside: String = s
        .chars()
        .filter(|&c| {
            let inside = depth > 0;
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' if depth > 0 => depth -= 1,
                _ => {}
            }
            !inside && !matches!(c, '[' | '(' | ']' | ')')
        })
        .collect();
    for word in outside.split(|c: char| c.is_whitespace() || matches!(c, ':' | '|')) {
        let digits = word
            .bytes()
            .all(|b| b.is_ascii_digit() || b"-./,TZ+:".contains(&b));
        match word {
            "ERROR" | "CRITICAL" | "FATAL" | "Error" | "error" | "SEVERE" | "E" | "stderr" => {
                level = true;
            }
            "WARNING" | "WARN" | "INFO" | "DEBUG" | "W" | "I" | "D" => return false,
            "" => {}
            _ if digits => dated = true,
            // A logger's name.
            _ if level || word.contains('.') => {}
            // A program's, between the time and the level.
            _ if dated && !named => named = true,
            _ => return false,
        }
    }
    depth == 0 && (level || bracket_first) && s.len() <= 200
}

/// IPython's `----> 2 code`: the number and the code.
pub(super) fn arrow(s: &str) -> Option<(u32, &str)> {
    let rest = s.trim_start().trim_start_matches('-').strip_prefix('>')?;
    let rest = rest.trim_start();
    // VS Code makes the number a link, which becomes Markdown when copied.
    let rest = match rest.strip_prefix("<a href=") {
        Some(link) => link.split_once('>')?.1,
        None => rest.strip_prefix('[').unwrap_or(rest),
    };
    let n = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..n].parse().ok()?;
    let code = &rest[n..];
    let code = match code.strip_prefix("](") {
        Some(link) => link.split_once(')')?.1,
        None => code.strip_prefix("</a>").unwrap_or(code),
    };
    (code.is_empty() || code.starts_with(char::is_whitespace)).then(|| (number, code.trim()))
}

/// A numbered source line of IPython, or its `(...)`.
pub(super) fn numbered(s: &str) -> bool {
    let s = s.trim();
    let s = s.strip_prefix('[').unwrap_or(s);
    let n = s.bytes().take_while(u8::is_ascii_digit).count();
    let after = &s[n..];
    (n > 0
        && n < 8
        && (after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with("](")))
        || s == "(...)"
        || s.starts_with("(...) ")
        || s.starts_with("<a href='vscode-notebook-cell")
}

/// A line that says that frames were omitted.
pub(super) fn fold(s: &str) -> bool {
    let s = s.trim();
    s.starts_with("[...")
        || s.starts_with("...<")
        || s.starts_with("... ")
        || s == "..."
        || s.starts_with("[Previous line repeated")
        || s.strip_suffix(" frames")
            .or(s.strip_suffix(" frame"))
            .is_some_and(|n| n.parse::<u32>().is_ok())
}
