//! Patterns as written in the catalogue: over several lines, with names that stand for lists.

use regex_syntax::escape;
use std::collections::BTreeMap;

/// Widest line of a pattern over several lines.
const WIDTH: usize = 100;

/// Lists by name, for `{name}` in a pattern.
pub(crate) type Names = BTreeMap<String, Vec<String>>;

/// The pattern to compile: its lines joined without breaks and indentation, and each `{name}`
/// replaced with the alternatives of that list.
pub(crate) fn expand(written: &str, names: &Names) -> Result<String, String> {
    let mut rest = &*join(written);
    let mut out = String::new();
    while let Some(at) = rest.find('{') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let name = after[1..].split('}').next().unwrap_or("");
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || quoted(before) {
            out.push('{');
            rest = &after[1..];
            continue;
        }
        let list = names
            .get(name)
            .ok_or_else(|| format!("pattern `{written}`: no list is named `{name}`"))?;
        let all = list.iter().map(|n| escape(n)).collect::<Vec<_>>().join("|");
        rest = &after[name.len() + 2..];
        let alone = out.ends_with(['(', ':', '>', '|']) && rest.starts_with([')', '|']);
        out.push_str(&if alone { all } else { format!("(?:{all})") });
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether the brace after this text is escaped, or belongs to `\x{…}` or `\p{…}`.
fn quoted(before: &str) -> bool {
    let slashes = |text: &str| text.len() - text.trim_end_matches('\\').len();
    let class = before.strip_suffix(['p', 'P', 'x', 'u', 'U']);
    slashes(before) % 2 == 1 || class.is_some_and(|b| slashes(b) % 2 == 1)
}

/// The lines of a pattern, joined.
pub(crate) fn join(written: &str) -> String {
    if !written.contains('\n') {
        return written.to_owned();
    }
    written.lines().map(str::trim).collect()
}

/// The canonical layout of a pattern: one line if it fits into `room` characters, otherwise broken
/// between its alternatives, with indented lines.
pub(crate) fn layout(written: &str, room: usize, indent: usize) -> Vec<String> {
    let mut reader = Reader {
        text: join(written).chars().collect(),
        at: 0,
    };
    let alternatives = reader.alternatives();
    let all: Vec<String> = alternatives.iter().map(|a| flat(a)).collect();
    let pattern = all.join("|");
    if width(&pattern) <= room && !pattern.ends_with('\'') {
        return vec![pattern];
    }
    let mut lines = Lines::default();
    lines.alternatives(&alternatives, indent);
    lines.end();
    if lines.done.len() == 1 && !pattern.ends_with('\'') {
        return vec![pattern];
    }
    lines.done
}

/// An unbreakable piece of a pattern, or a group.
enum Atom {
    Text(String),
    Group {
        open: String,
        alternatives: Vec<Vec<Atom>>,
        close: String,
    },
}

impl Atom {
    fn flat(&self) -> String {
        match self {
            Atom::Text(text) => text.clone(),
            Atom::Group {
                open,
                alternatives,
                close,
            } => {
                let all: Vec<String> = alternatives.iter().map(|a| flat(a)).collect();
                format!("{open}{}{close}", all.join("|"))
            }
        }
    }
}

fn flat(atoms: &[Atom]) -> String {
    atoms.iter().map(Atom::flat).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

struct Reader {
    text: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, out: &mut String) {
        out.extend(self.peek());
        self.at += 1;
    }

    fn alternatives(&mut self) -> Vec<Vec<Atom>> {
        let mut all = vec![Vec::new()];
        while let Some(c) = self.peek() {
            match c {
                ')' => break,
                '|' => {
                    self.at += 1;
                    all.push(Vec::new());
                }
                _ => {
                    let atom = self.atom();
                    all.last_mut().expect("never empty").push(atom);
                }
            }
        }
        all
    }

    fn atom(&mut self) -> Atom {
        let mut text = String::new();
        match self.peek() {
            Some('(') => return self.group(),
            Some('[') => self.class(&mut text),
            Some('\\') => {
                self.take(&mut text);
                let kind = self.peek();
                self.take(&mut text);
                if self.peek() == Some('{') && kind.is_some_and(|c| "pPxuU".contains(c)) {
                    self.braces(&mut text);
                }
            }
            Some('{') => self.braces(&mut text),
            _ => self.take(&mut text),
        }
        if text == "[ ]" {
            text = " ".to_owned();
        }
        self.quantifier(&mut text);
        Atom::Text(text)
    }

    fn braces(&mut self, out: &mut String) {
        while let Some(c) = self.peek() {
            self.take(out);
            if c == '}' {
                break;
            }
        }
    }

    fn class(&mut self, out: &mut String) {
        self.take(out);
        if self.peek() == Some('^') {
            self.take(out);
        }
        if self.peek() == Some(']') {
            self.take(out);
        }
        while let Some(c) = self.peek() {
            match c {
                '[' => {
                    self.class(out);
                    continue;
                }
                '\\' => self.take(out),
                _ => {}
            }
            self.take(out);
            if c == ']' {
                break;
            }
        }
    }

    fn group(&mut self) -> Atom {
        let mut open = String::new();
        self.take(&mut open);
        if self.peek() == Some('?') {
            while let Some(c) = self.peek() {
                if c == ')' {
                    // Flags alone: `(?i)`.
                    self.take(&mut open);
                    return Atom::Text(open);
                }
                self.take(&mut open);
                if c == ':' || c == '>' {
                    break;
                }
            }
        }
        let alternatives = self.alternatives();
        let mut close = String::new();
        self.take(&mut close);
        self.quantifier(&mut close);
        Atom::Group {
            open,
            alternatives,
            close,
        }
    }

    fn quantifier(&mut self, out: &mut String) {
        match self.peek() {
            Some('*' | '+' | '?') => self.take(out),
            Some('{') if self.text.get(self.at + 1).is_some_and(char::is_ascii_digit) => {
                self.braces(out);
            }
            _ => return,
        }
        if self.peek() == Some('?') {
            self.take(out);
        }
    }
}

/// The lines of a layout. A space at the edge of a line would be lost, so it is written `[ ]` there.
#[derive(Default)]
struct Lines {
    done: Vec<String>,
    line: String,
    indent: usize,
}

impl Lines {
    fn end(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        if line.ends_with(' ') {
            line.pop();
            line.push_str("[ ]");
        }
        if let Some(rest) = line.strip_prefix(' ') {
            line = format!("[ ]{rest}");
        }
        self.done.push(format!("{}{line}", " ".repeat(self.indent)));
    }

    fn start(&mut self, indent: usize) {
        self.end();
        self.indent = indent;
    }

    fn room(&self) -> usize {
        WIDTH.saturating_sub(self.indent + width(&self.line))
    }

    fn alternatives(&mut self, all: &[Vec<Atom>], indent: usize) {
        self.start(indent);
        // Short alternatives share lines.
        let short = all.iter().all(|a| width(&flat(a)) <= 30);
        for (n, atoms) in all.iter().enumerate() {
            let bar = if n == 0 { "" } else { "|" };
            let text = flat(atoms);
            let shares = short && !self.line.is_empty() && !self.line.ends_with(' ');
            if !(shares && width(&text) < self.room()) {
                self.start(indent);
            }
            self.line.push_str(bar);
            self.concat(atoms, indent);
        }
    }

    fn concat(&mut self, atoms: &[Atom], indent: usize) {
        let mut atoms = atoms;
        while let Some((atom, rest)) = atoms.split_first() {
            // Keep together what fits on the line.
            let text = flat(atoms);
            if width(&text) <= self.room() {
                self.line.push_str(&text);
                return;
            }
            match atom {
                Atom::Group {
                    open,
                    alternatives,
                    close,
                } => {
                    let whole = width(&atom.flat());
                    if whole <= self.room() {
                        self.line.push_str(&atom.flat());
                    } else if whole + indent + 2 <= WIDTH {
                        self.start(indent + 2);
                        self.line.push_str(&atom.flat());
                    } else {
                        self.line.push_str(open);
                        self.alternatives(alternatives, indent + 2);
                        self.start(indent);
                        self.line.push_str(close);
                    }
                    atoms = rest;
                }
                Atom::Text(_) => {
                    // Text up to the next group, broken between words if necessary.
                    let run = atoms
                        .iter()
                        .take_while(|a| matches!(a, Atom::Text(_)))
                        .count();
                    self.run(&atoms[..run], indent);
                    atoms = &atoms[run..];
                }
            }
        }
    }

    fn run(&mut self, atoms: &[Atom], indent: usize) {
        let mut word = String::new();
        for (n, atom) in atoms.iter().enumerate() {
            word.push_str(&atom.flat());
            let goes_on = |a: &Atom| {
                let text = a.flat();
                text.chars().all(|c| c.is_alphanumeric() || c == '_')
            };
            let next = atoms.get(n + 1);
            let space = next.is_some_and(|a| a.flat().starts_with(' '));
            if space || !word.ends_with(' ') && next.is_some_and(goes_on) {
                continue;
            }
            if width(&word) > self.room() {
                self.start(indent + 2);
            }
            self.line.push_str(&std::mem::take(&mut word));
        }
        if width(&word) > self.room() {
            self.start(indent + 2);
        }
        self.line.push_str(&word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let list = ["a.b", "c"].map(str::to_owned).to_vec();
        Names::from([("some-names".to_owned(), list)])
    }

    #[test]
    fn names_become_alternatives() {
        for (written, want) in [
            (r"x{2,3}\{some-names\}", r"x{2,3}\{some-names\}"),
            ("'(?P<n>{some-names})'", r"'(?P<n>a\.b|c)'"),
            ("'(?:x|{some-names})'", r"'(?:x|a\.b|c)'"),
            ("{some-names}+", r"(?:a\.b|c)+"),
            (r"\p{some-names}", r"\p{some-names}"),
            ("\n  a\n  |b c\n", "a|b c"),
        ] {
            assert_eq!(expand(written, &names()).as_deref(), Ok(want));
        }
        assert!(expand("{other}", &names()).is_err());
    }

    #[test]
    fn a_long_pattern_is_broken_and_stays_the_same() {
        for pattern in [
            format!("(?i)^a(?:{})[^\\n]{{0,40}}z|b", ["word"; 40].join("|")),
            format!("x {}| y ", "one two ".repeat(30)),
            format!(
                "(?P<n>{})",
                ["a longer alternative [a|)(] of (?:two|words) \\(here"; 9].join("|")
            ),
            r"plain\[(?:[]a]|[^]b])".repeat(12),
            format!("{}'", r"a\.b{2,}?".repeat(20)),
        ] {
            let lines = layout(&pattern, 90, 2);
            let joined = join(&format!("{}\n", lines.join("\n")));
            assert_eq!(joined.replace("[ ]", " "), pattern);
            assert_eq!(layout(&joined, 90, 2), lines, "laid out twice");
            assert!(lines.iter().all(|l| width(l) <= 120), "{lines:#?}");
            assert!(lines.len() > 1, "{lines:#?}");
        }
        assert_eq!(layout("short", 90, 2), ["short"]);
    }
}
