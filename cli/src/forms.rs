//! The forms in which people hand on a failure: each turns a text into what a log collector, a chat, an editor or a
//! terminal makes of it. `nbmedic score --forms` scores the cases in each.

/// The figure that a form has to reach, in percent of the cases that are right as they were printed.
pub const GOAL: f64 = 95.0;

/// A form: its name, the goal for ids, and what it does to a text.
pub struct Form {
    pub name: &'static str,
    pub goal: f64,
    pub wear: fn(&str) -> String,
}

const fn form(name: &'static str, wear: fn(&str) -> String) -> Form {
    Form {
        name,
        goal: GOAL,
        wear,
    }
}

/// Every form.
pub const FORMS: &[Form] = &[
    form("as printed", str::to_owned),
    form("CRLF", |t| t.replace('\n', "\r\n")),
    form("byte order mark", |t| format!("\u{feff}{t}")),
    form("UTF-16 read as bytes", |t| {
        t.chars().flat_map(|c| [c, '\0']).collect()
    }),
    form("blanks lost", |t| each(t, |_, l| l.trim().to_owned())),
    form("wrapped at 80", |t| {
        each(&bare(t), |_, l| cut(l, 80).join("\n"))
    }),
    form("wrapped at words", |t| {
        each(&bare(t), |_, l| at_words(l, 80).join("\n"))
    }),
    form("fenced and indented", |t| {
        format!(
            "    ```\n{}\n    ```",
            each(t, |_, l| format!("    {l}")).trim_end()
        )
    }),
    form("> quoted", |t| each(t, |_, l| format!("> {l}"))),
    form("# comments", |t| each(t, |_, l| format!("# {l}"))),
    form("- bullets", |t| each(t, |_, l| format!("- {l}"))),
    form("| bars", |t| each(t, |_, l| format!("| {l}"))),
    form("compose", |t| each(t, |_, l| format!("trainer-1  | {l}"))),
    form("journald", |t| {
        each(t, |n, l| {
            format!(
                "Mar 03 09:{:02}:{:02} node7 train[4211]: {l}",
                n / 60 % 60,
                n % 60
            )
        })
    }),
    form("slurm", |t| each(t, |_, l| format!("3: {l}"))),
    form("timestamps", |t| {
        each(t, |n, l| {
            format!(
                "2026-03-03T09:{:02}:{:02}.{:07}Z {l}",
                n / 60 % 60,
                n % 60,
                n * 7919 % 10_000_000
            )
        })
    }),
    form("Kubernetes", |t| {
        each(t, |n, l| {
            format!("2026-03-03T09:12:{:02}.{n:09}Z stderr F {l}", n % 60)
        })
    }),
    form("Ray", |t| {
        each(t, |_, l| format!("(train pid=4628, ip=10.0.0.5) {l}"))
    }),
    form("ranks", |t| each(t, |_, l| format!("[rank0]: {l}"))),
    form("logger's line", |t| {
        format!("2026-03-03 09:12:44.120 | ERROR    | __main__:main:12 - failed\n{t}")
    }),
    form("line numbers", |t| {
        each(t, |n, l| format!("{:>6}\t{l}", n + 1))
    }),
    form("numbers and bars", |t| {
        each(t, |n, l| format!("{:>4} | {l}", n + 1))
    }),
    form("panel, message below", panel_above),
    form("panel", panel),
    form("no-break spaces", |t| t.replace(' ', "\u{a0}")),
    form("curly quotes", curly),
    form("HTML entities", |t| escaped(t).replace('\n', "\r\n")),
    form("HTML breaks", |t| escaped(t).replace('\n', "<br>")),
    form("colours without ESC", colours),
    form("on one line", |t| {
        let lines: Vec<&str> = t.trim_end().lines().collect();
        lines.join(" ")
    }),
    form("JSON log line", |t| {
        format!(
            "{{\"timestamp\": \"2026-03-03T09:12:44Z\", \"level\": \"ERROR\", \"logger\": \"train\", \"message\": {}}}\n",
            json(t)
        )
    }),
    form("Docker's file", |t| {
        each(t, |_, l| {
            format!(
                "{{\"log\":{},\"stream\":\"stderr\",\"time\":\"2026-03-03T09:12:44.120Z\"}}",
                json(&format!("{l}\n"))
            )
        })
    }),
    form("repr", repr),
    form("piece of a notebook", notebook),
    Form {
        name: "last three lines",
        goal: 90.0,
        wear: |t| last(t, 3),
    },
    Form {
        name: "last line",
        goal: 75.0,
        wear: |t| last(t, 1),
    },
];

/// Changes every line; how a text ends stays.
fn each(text: &str, f: impl Fn(usize, &str) -> String) -> String {
    let lines: Vec<String> = (text.lines().enumerate())
        .map(|(n, line)| f(n, line))
        .collect();
    lines.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

/// Cuts a line into pieces of so many characters.
fn cut(line: &str, width: usize) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    match chars.is_empty() {
        true => vec![String::new()],
        false => chars.chunks(width).map(String::from_iter).collect(),
    }
}

/// Wraps a line between words; a longer word is cut.
fn at_words(line: &str, width: usize) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let bare = word.trim_end().chars().count();
        if used > 0 && used + bare > width {
            out.push(String::new());
            used = 0;
        }
        for piece in cut(word, width) {
            if used + piece.trim_end().chars().count() > width {
                out.push(String::new());
                used = 0;
            }
            used += piece.chars().count();
            if let Some(open) = out.last_mut() {
                open.push_str(&piece);
            }
        }
    }
    out.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// The text without colours: a terminal doesn't count them when it breaks lines.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split("\u{1b}[");
    out += parts.next().unwrap_or_default();
    for part in parts {
        let codes = part.find(|c: char| !c.is_ascii_digit() && c != ';');
        out += codes.map_or("", |n| part.get(n + 1..).unwrap_or_default());
    }
    out
}

/// Lines in a drawn box, wrapped between words.
fn boxed(text: &str, title: &str) -> String {
    const INNER: usize = 96;
    let mut out = format!("╭{:─^1$}╮\n", title, INNER + 2);
    for line in text.lines().flat_map(|l| at_words(l, INNER)) {
        let pad = INNER - line.chars().count();
        out += &format!("│ {line}{} │\n", " ".repeat(pad));
    }
    out + &format!("╰{}╯\n", "─".repeat(INNER + 2))
}

fn panel(text: &str) -> String {
    boxed(bare(text).trim_end(), " Error ")
}

/// A panel around all but the last line, as rich prints tracebacks.
fn panel_above(text: &str) -> String {
    let text = bare(text);
    match text.trim_end().rsplit_once('\n') {
        Some((above, message)) if above.contains("Traceback (most recent call last)") => {
            boxed(above, " Traceback (most recent call last) ") + message + "\n"
        }
        _ => text,
    }
}

/// What an editor for prose makes of quotes and dashes.
fn curly(text: &str) -> String {
    let mut before = ' ';
    let mut out = String::new();
    for c in text.chars() {
        let opens = before.is_whitespace() || matches!(before, '(' | '[' | '{' | '=');
        out.push(match c {
            '"' if opens => '“',
            '"' => '”',
            '\'' if opens => '‘',
            '\'' => '’',
            c => c,
        });
        before = c;
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Colours as a viewer leaves them that dropped only the escape character.
fn colours(text: &str) -> String {
    let bare = text.replace('\u{1b}', "");
    if bare.contains("[0m") {
        return bare;
    }
    each(text, |n, l| match n % 3 {
        0 => format!("[1;31m{l}[0m"),
        1 => l.replacen(": ", "[0m: [32m", 1),
        _ => l.replacen(' ', " [0;34m", 1) + "[39;49m",
    })
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Python's `repr` of the text.
fn repr(text: &str) -> String {
    let mut out = String::from("b'");
    for c in text.chars() {
        match c {
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            '\'' => out += "\\'",
            '\\' => out += "\\\\",
            '\u{1b}' => out += "\\x1b",
            c => out.push(c),
        }
    }
    out + "'"
}

/// The lines of an output as a notebook's file has them.
fn notebook(text: &str) -> String {
    let lines: Vec<String> = text
        .split_inclusive('\n')
        .map(|l| format!("      {}", json(l)))
        .collect();
    format!(
        "     \"text\": [\n{}\n     ]\n    }}\n   ],",
        lines.join(",\n")
    )
}

fn last(text: &str, n: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(n)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worn(name: &str, text: &str) -> String {
        let form = FORMS.iter().find(|f| f.name == name).expect("a form");
        (form.wear)(text)
    }

    #[test]
    fn forms_are_what_they_say() {
        let text = "one 'x'\n  two\n";
        assert_eq!(worn("> quoted", text), "> one 'x'\n>   two\n");
        assert_eq!(
            worn("line numbers", text),
            "     1\tone 'x'\n     2\t  two\n"
        );
        assert_eq!(worn("HTML breaks", text), "one &#39;x&#39;<br>  two<br>");
        assert_eq!(worn("on one line", text), "one 'x'   two");
        assert_eq!(worn("repr", text), "b'one \\'x\\'\\n  two\\n'");
        assert_eq!(worn("curly quotes", text), "one ‘x’\n  two\n");
        assert_eq!(worn("last line", text), "  two");
        assert_eq!(cut("abcde", 2), ["ab", "cd", "e"]);
        assert_eq!(at_words("ab cd efghij", 5), ["ab cd", "efghi", "j"]);
        let boxed = worn("panel", text);
        assert!(boxed.starts_with("╭──") && boxed.contains("│ one 'x'   "));
        assert!(FORMS.len() > 34, "as printed, and 34 forms at least");
    }
}
