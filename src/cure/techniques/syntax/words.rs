//! Words and characters: other languages, Python 2, the shell.

use super::failure::{Failure, Try};
use super::scan::scan;
use nbmedic_wordings::{ipython, python};

/// Characters that word processors and web pages substitute for those that Python reads.
const ODD: &[(char, &str)] = &[
    ('“', "\""),
    ('”', "\""),
    ('„', "\""),
    ('«', "\""),
    ('»', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('´', "'"),
    ('–', "-"),
    ('—', "-"),
    ('−', "-"),
    ('×', "*"),
    ('÷', "/"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('\u{a0}', " "),
    ('\u{2002}', " "),
    ('\u{2003}', " "),
    ('\u{2009}', " "),
    ('\u{202f}', " "),
    ('\u{3000}', " "),
    ('\u{200b}', ""),
    ('\u{200c}', ""),
    ('\u{200d}', ""),
    ('\u{2060}', ""),
    ('\u{feff}', ""),
    ('，', ","),
    ('（', "("),
    ('）', ")"),
    ('：', ":"),
    ('；', ";"),
    ('［', "["),
    ('］', "]"),
    ('＝', "="),
    ('。', "."),
];

pub(super) fn odd_characters(f: &Failure<'_>, out: &mut Vec<Try>) {
    let (marks, _) = scan(f.text);
    let changes: Vec<_> = marks
        .iter()
        .filter_map(|m| {
            let (_, by) = ODD.iter().find(|(c, _)| *c == m.c)?;
            Some((m.at..m.at + m.c.len_utf8(), (*by).to_owned()))
        })
        .collect();
    if changes.is_empty() {
        return;
    }
    let first = f.text.get(changes[0].0.clone()).unwrap_or("");
    let title = match (first.trim().is_empty(), changes[0].1.as_str()) {
        (true, _) | (_, "") => "Write plain blanks for the invisible characters".to_owned(),
        (_, by) => format!("Write `{by}` for `{first}`"),
    };
    out.push(Try::new(
        "plain-characters",
        title,
        "Text copied from a page or a document has characters that look like Python's and are not.",
        changes,
    ));
}

/// `print x`, `except E, e`.
pub(super) fn python2(f: &Failure<'_>, out: &mut Vec<Try>) {
    let mut prints = Vec::new();
    let mut excepts = Vec::new();
    for line in 1..=f.lines() {
        let start = f.span(line).start + f.python.indent(line).len();
        let end = f.code_end(line);
        let Some(code) = f.text.get(start..end) else {
            continue;
        };
        if let Some(rest) = code.strip_prefix("print") {
            let value = rest.trim_start();
            let statement = rest.starts_with([' ', '\t', '"', '\''])
                && !value.starts_with(['(', '=', '.', '[']);
            let whole = value.strip_suffix(',');
            if statement && !value.is_empty() && !value.contains(';') && !value.starts_with(">>") {
                let text = match whole {
                    Some(value) => format!("({}, end=\" \")", value.trim_end()),
                    None => format!("({value})"),
                };
                prints.push((start + "print".len()..end, text));
            }
        }
        if let Some(rest) = code
            .strip_prefix("except ")
            .and_then(|r| r.strip_suffix(':'))
        {
            if let Some((class, name)) = rest.split_once(',') {
                let word = |t: &str| {
                    !t.is_empty()
                        && t.chars()
                            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
                };
                let name = name.trim();
                if word(class.trim()) && word(name) {
                    excepts.push((start..end, format!("except {} as {name}:", class.trim())));
                }
            }
        }
    }
    if let Some((_, text)) = prints.first() {
        let title = format!("Write `print{}`", shortened(text));
        out.push(Try::new(
            "print-call",
            title,
            "`print` is a function in Python 3.",
            prints.clone(),
        ));
        let both = prints.iter().chain(&excepts).cloned().collect();
        out.push(Try::new(
            "print-call",
            "Write `print(…)` and `except … as …`",
            "This is Python 2.",
            both,
        ));
    }
    if let Some((_, text)) = excepts.first() {
        let title = format!("Write `{text}`");
        out.push(Try::new(
            "except-as",
            title,
            "Python 3 names the exception with `as`.",
            excepts.clone(),
        ));
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 50 {
        return text.to_owned();
    }
    let cut: String = text.chars().take(47).collect();
    format!("{cut}…")
}

/// Programs that people run from a cell.
const PROGRAMS: &[&str] = &[
    "pip",
    "pip3",
    "conda",
    "python",
    "python3",
    "git",
    "wget",
    "curl",
    "ls",
    "cd",
    "mkdir",
    "rm",
    "cp",
    "mv",
    "unzip",
    "tar",
    "apt",
    "apt-get",
    "sudo",
    "nvidia-smi",
    "kaggle",
    "cat",
    "head",
    "tail",
    "npm",
    "jupyter",
    "bash",
    "sh",
    "chmod",
    "export",
    "huggingface-cli",
    "gdown",
    "echo",
    "brew",
    "docker",
    "streamlit",
    "tensorboard",
];

pub(super) fn shell(f: &Failure<'_>, out: &mut Vec<Try>) {
    let mut changes = Vec::new();
    let mut shown = String::new();
    for line in 1..=f.lines() {
        let start = f.span(line).start + f.python.indent(line).len();
        let code = f.code(line);
        let (plain, cut) = match code.strip_prefix("$ ").or_else(|| code.strip_prefix("> ")) {
            Some(rest) => (rest, 2),
            None => (code, 0),
        };
        let mut words = plain.split_whitespace();
        let (Some(program), Some(next)) = (words.next(), words.next()) else {
            continue;
        };
        let operator = next.starts_with(['=', '+', '*', '/', '(', '[', ',', ':'])
            || matches!(next, "in" | "is" | "and" | "or" | "if");
        if !PROGRAMS.contains(&program) || operator {
            continue;
        }
        let mark = match program {
            "pip" | "conda" | "cd" => "%",
            _ => "!",
        };
        if shown.is_empty() {
            shown = format!("{mark}{plain}");
        }
        changes.push((start..start + cut, mark.to_owned()));
    }
    if changes.is_empty() {
        return;
    }
    out.push(Try::new(
        "shell-mark",
        format!("Write `{}`", shortened(&shown)),
        "It is a command of the shell, not Python.",
        changes,
    ));
}

/// `"C:\Users"`: `\U` starts a Unicode escape.
pub(super) fn escapes(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("unicodeescape") {
        return;
    }
    let mut changes = Vec::new();
    let mut at = f.span(f.line).start;
    let end = f.span(f.line).end;
    while let Some(found) = f.text.get(at..end).and_then(|t| t.find(['\'', '"'])) {
        let start = at + found;
        let quote = f.text.as_bytes()[start];
        let rest = &f.text[start + 1..end];
        let close = rest.bytes().position(|b| b == quote);
        let Some(close) = close else { break };
        let inner = &rest[..close];
        let raw = f.text[..start].ends_with(['r', 'R', 'b', 'B']);
        let number = ["\\U", "\\u", "\\x", "\\N"]
            .iter()
            .any(|e| inner.contains(e));
        if number && !raw {
            changes.push((start..start, "r".to_owned()));
        }
        at = start + 1 + close + 1;
    }
    out.push(Try::new(
        "raw-path",
        "Put `r` before the path",
        "In a plain text `\\U`, `\\u`, `\\x` and `\\N` begin a character's number; in `r\"…\"` a backslash is a backslash.",
        changes,
    )
    // Whether the file exists is another question.
    .assumed());
}

/// `=` for `==`.
pub(super) fn comparisons(f: &Failure<'_>, out: &mut Vec<Try>) {
    let code = f.code(f.line);
    let head = ["if ", "elif ", "while ", "assert ", "return "]
        .iter()
        .any(|h| code.starts_with(h));
    if !head && !python::ASSIGNED_TO.is_in(f.message) && !f.says("'=='") {
        return;
    }
    let span = f.span(f.line);
    let (marks, _) = scan(&f.text[span.clone()]);
    let at = |i: usize| marks.get(i).map(|m| m.c);
    let mut singles: Vec<usize> = Vec::new();
    for (i, m) in marks.iter().enumerate() {
        let before = i.checked_sub(1).and_then(at);
        let part = matches!(
            before,
            Some('=' | '!' | '<' | '>' | '+' | '-' | '*' | '/' | ':' | '%' | '&' | '|' | '^')
        );
        if m.c == '=' && !part && at(i + 1) != Some('=') {
            singles.push(span.start + m.at);
        }
    }
    // Last one first: the first may be a real assignment.
    for at in singles.into_iter().rev() {
        out.push(Try::new(
            "compare",
            format!("Write `==` for `=` in line {}", f.line),
            "`=` assigns; `==` compares.",
            vec![(at..at + 1, "==".to_owned())],
        ));
    }
}

/// `&&`, `||`, `else if`, `i++`, `007`.
pub(super) fn other_languages(f: &Failure<'_>, out: &mut Vec<Try>) {
    let (marks, _) = scan(f.text);
    let mut changes = Vec::new();
    let mut shown = ("", "");
    for pair in marks.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let by = match (a.c, b.c) {
            ('&', '&') => "and",
            ('|', '|') => "or",
            _ => continue,
        };
        if b.at == a.at + 1 {
            shown = (if by == "and" { "&&" } else { "||" }, by);
            changes.push((a.at..b.at + 1, by.to_owned()));
        }
    }
    if !changes.is_empty() {
        let title = format!("Write `{}` for `{}`", shown.1, shown.0);
        out.push(Try::new(
            "python-operator",
            title,
            "Python writes it as a word.",
            changes,
        ));
    }
    let start = f.span(f.line).start + f.python.indent(f.line).len();
    let code = f.code(f.line);
    for (sign, by) in [("++", " += 1"), ("--", " -= 1")] {
        if let Some(name) = code
            .strip_suffix(sign)
            .or_else(|| code.strip_suffix(&format!("{sign};")))
        {
            let text = format!("{}{by}", name.trim_end());
            out.push(Try::new(
                "increment",
                format!("Write `{text}`"),
                format!("Python has no `{sign}`."),
                vec![(start..f.code_end(f.line), text)],
            ));
        }
    }
    for other in ["else if", "elseif", "elsif"] {
        if code.starts_with(other) {
            out.push(Try::new(
                "elif",
                format!("Write `elif` for `{other}`"),
                "Python writes it as one word.",
                vec![(start..start + other.len(), "elif".to_owned())],
            ));
        }
    }
    if f.says("leading zeros") {
        let span = f.span(f.line);
        let (marks, _) = scan(&f.text[span.clone()]);
        let mut changes = Vec::new();
        let mut at = 0;
        while let Some(m) = marks.get(at) {
            let word = at > 0 && {
                let c = marks[at - 1].c;
                (c.is_alphanumeric() || matches!(c, '_' | '.')) && marks[at - 1].at + 1 == m.at
            };
            if m.c == '0' && !word {
                let zeros = marks[at..].iter().take_while(|m| m.c == '0').count();
                let digit = marks.get(at + zeros).is_some_and(|m| m.c.is_ascii_digit());
                if digit {
                    let from = span.start + m.at;
                    changes.push((from..from + zeros, String::new()));
                }
                at += zeros;
            }
            at += 1;
        }
        out.push(Try::new(
            "leading-zeros",
            "Write the number without leading zeros",
            "Python reads no number that begins with `0`.",
            changes,
        ));
    }
}

/// `%%time` below the first line: a cell magic must be on the first line.
pub(super) fn magic_below(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !ipython::CELL_MAGIC.is_in(f.message) {
        return;
    }
    for line in 2..=f.lines() {
        let code = f.text[f.span(line)].trim().to_owned();
        if !code.starts_with("%%") {
            continue;
        }
        let span = f.span(line);
        // Removes its line and the line end before it.
        let from = f.span(line - 1).end;
        out.push(Try::new(
            "magic-first",
            format!("Move `{code}` to the first line"),
            "A magic of the whole cell works only there, above comments too.",
            vec![(0..0, format!("{code}\n")), (from..span.end, String::new())],
        ));
        return;
    }
}
