//! Fills an entry's slots.

use super::entries::Take;

/// Longest value of a slot, in bytes.
const MAX_VALUE: usize = 160;

/// What fills the slots of an entry.
#[derive(Debug, Default)]
pub(super) struct Slots {
    values: Vec<(String, String)>,
    /// Those from a table, which code may have as they are.
    own: Vec<String>,
}

impl Slots {
    /// Takes the named groups that matched.
    pub fn add(&mut self, take: &Take, found: &regex::Captures<'_>) {
        let names = take
            .regex()
            .into_iter()
            .flat_map(regex::Regex::capture_names);
        for name in names.flatten() {
            if let Some(value) = found.name(name) {
                self.set(name, value.as_str());
            }
        }
    }

    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() && value.len() <= MAX_VALUE && !value.contains(['\n', '`']) {
            // `name_2` is another place where the same may stand.
            let name = name.strip_suffix("_2").unwrap_or(name);
            self.values.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Sets what a table has.
    pub fn set_own(&mut self, name: &str, value: &str) {
        self.own.push(name.to_owned());
        self.values.push((name.to_owned(), value.to_owned()));
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.values.iter();
        all.find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// A text with its slots filled; none if one is missing.
    pub fn text(&self, template: &str) -> Option<String> {
        self.fill(template, |_| true)
    }

    /// The same for code.
    pub fn code(&self, template: &str) -> Option<String> {
        self.fill(template, is_plain)
    }

    fn fill(&self, template: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        let mut out = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            out += before;
            let end = after.find('}').filter(|e| is_slot(&after[..*e]));
            let Some(end) = end else {
                out.push('{');
                rest = after;
                continue;
            };
            let name = &after[..end];
            let own = self.own.iter().any(|n| n == name);
            out += self.get(name).filter(|v| own || fits(v))?;
            rest = &after[end + 1..];
        }
        Some(out + rest)
    }
}

fn is_slot(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// Whether a shell and Python read a value as text only. Spaces are for lists of packages in tables.
fn is_plain(value: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-/:+@=~,\\ ".contains(c);
    !value.starts_with('-') && !value.contains(" -") && value.chars().all(plain)
}

/// A terminal's commands as a notebook's lines.
pub(super) fn magics(code: &str) -> String {
    let line = |line: &str| {
        let command = line.strip_prefix("sudo ").unwrap_or(line);
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        match word {
            _ if line.is_empty() || line.starts_with('#') => line.to_owned(),
            "pip" | "cd" => format!("%{word} {rest}"),
            "conda" if rest.starts_with("install ") => {
                format!("%conda install -y {}", &rest["install ".len()..])
            }
            "export" => format!("%env {rest}"),
            _ => format!("!{command}"),
        }
    };
    code.lines().map(line).collect::<Vec<_>>().join("\n")
}
