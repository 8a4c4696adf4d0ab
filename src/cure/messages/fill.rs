//! Fills the slots of an entry.

use nbmedic_facts::expr::Val;
use nbmedic_rule::{Found, HoleKind};
use regex::{Captures, Regex};

/// Maximum length of a value in code, in bytes.
const MAX_VALUE: usize = 160;
/// Maximum length of a value in prose, in characters.
const MAX_SAID: usize = 100;

/// The values of an entry's slots.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    values: Vec<(String, String)>,
    /// Names of slots filled from a table, whose values code may contain verbatim.
    own: Vec<String>,
}

impl Slots {
    /// Adds the matched named groups. `name_2` is an alternative place for `name`.
    pub(super) fn add(&mut self, pattern: &Regex, found: &Captures<'_>) {
        for name in pattern.capture_names().flatten() {
            if let Some(value) = found.name(name) {
                self.set(name.strip_suffix("_2").unwrap_or(name), value.as_str());
            }
        }
    }

    /// Takes what a wording's holes hold.
    pub fn hold(&mut self, found: &Found<'_, '_>) {
        for (hole, held) in found {
            match hole.kind {
                HoleKind::Shape => self.set_shape(hole.name, held),
                _ => self.set(hole.name, held),
            }
        }
    }

    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() && !value.contains('\n') {
            self.values.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Sets a value from a table.
    pub fn set_own(&mut self, name: &str, value: &str) {
        self.own.push(name.to_owned());
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// Sets a shape and its sizes: `s_n` the number of dimensions, `s_0` the first size, `s_l` the
    /// last, `s_p` the product.
    pub fn set_shape(&mut self, name: &str, held: &str) {
        let dims =
            held.split(|c: char| c == 'x' || !c.is_ascii_alphanumeric() && c != '-' && c != '?');
        let dims = dims.filter(|d| !d.is_empty());
        let dims: Vec<&str> = dims.map(|d| if d == "?" { "None" } else { d }).collect();
        let Some(last) = dims.last() else {
            return self.set(name, held);
        };
        let known = dims.iter().filter_map(|d| d.parse::<f64>().ok());
        let product: f64 = known.filter(|d| *d >= 0.0).product();
        self.set(&format!("{name}_n"), &dims.len().to_string());
        for (i, d) in dims.iter().enumerate() {
            self.set(&format!("{name}_{i}"), d);
        }
        self.set(&format!("{name}_l"), last);
        self.set(&format!("{name}_p"), &format!("{product}"));
        let comma = if dims.len() == 1 { "," } else { "" };
        self.set(name, &format!("({}{comma})", dims.join(", ")));
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.values.iter();
        all.find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The value of a slot in a condition.
    pub fn value(&self, name: &str) -> Val {
        match self.get(name) {
            None => Val::Unknown,
            Some(text) => match text.parse::<f64>() {
                Ok(n) => Val::Num(n),
                Err(_) => Val::Text(text.to_owned()),
            },
        }
    }

    /// A text with its slots `{name}` filled; none if one is missing.
    pub fn text(&self, template: &str) -> Option<String> {
        // Backticks mark code in prose.
        let said = |value: &str, own: bool| match value.char_indices().nth(MAX_SAID) {
            Some((at, _)) if !own => Some(format!("{}…", value[..at].trim_end()).replace('`', "'")),
            _ => Some(value.replace('`', "'")),
        };
        self.fill(template, ("{", "}"), said)
    }

    /// Code with its slots `{{name}}` filled.
    pub fn code(&self, template: &str) -> Option<String> {
        let plain = |value: &str, own: bool| {
            (own || value.len() <= MAX_VALUE && is_plain(value)).then(|| value.to_owned())
        };
        self.fill(template, ("{{", "}}"), plain)
    }

    fn fill(
        &self,
        template: &str,
        (open, close): (&str, &str),
        with: impl Fn(&str, bool) -> Option<String>,
    ) -> Option<String> {
        let mut out = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find(open) {
            let (before, inside) = (&rest[..at], &rest[at + open.len()..]);
            out += before;
            match inside.split_once(close) {
                Some((name, after)) if is_slot(name) => {
                    let own = self.own.iter().any(|n| n == name);
                    out += &with(self.get(name)?, own)?;
                    rest = after;
                }
                _ => {
                    out += open;
                    rest = inside;
                }
            }
        }
        Some(out + rest)
    }
}

/// Whether what stands between braces is a slot's name.
fn is_slot(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letter)
}

/// Whether a value has no special meaning to a shell or Python. Spaces occur in package lists from
/// tables.
fn is_plain(value: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-/:+@=~,\\ ".contains(c);
    !value.starts_with('-') && !value.contains(" -") && value.chars().all(plain)
}

/// Turns terminal commands into notebook lines.
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
