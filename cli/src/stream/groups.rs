//! The distinct failures of a long input.

use nbmedic::facts::{Occurrences, Spot};
use nbmedic::triage::{Diagnosis, Value};

/// Maximum number of distinct failures that are told apart. Any further one counts for the first of its diagnosis.
const MAX_GROUPS: usize = 256;
/// Facts that make two failures of one diagnosis different ones.
const TELLING: &[&str] = &["exception", "module", "name", "signal", "exit_code", "xid"];

/// What a failure is grouped by: the same for failures of one cause, whatever their sizes, paths and numbers.
pub fn signature(d: &Diagnosis) -> String {
    let mut out = d.id.to_owned();
    for part in d.variant.iter() {
        out.push('/');
        out.push_str(part);
    }
    // Group by the missing name: the exception's class varies by release.
    let named = ["module", "name"]
        .iter()
        .any(|n| matches!(d.facts.get(*n), Some(Value::Text(_))));
    for name in TELLING {
        match d.facts.get(*name) {
            Some(Value::Text(_)) if named && *name == "exception" => {}
            Some(Value::Text(t)) => {
                out.push(' ');
                numberless(ancestor(t), &mut out);
            }
            Some(Value::Int(n)) => out.push_str(&format!(" {name}={n}")),
            _ => {}
        }
    }
    out
}

/// What older releases raised where newer ones have a class of its own, or another name for it.
fn ancestor(name: &str) -> &str {
    match name {
        "IOError"
        | "EnvironmentError"
        | "WindowsError"
        | "error"
        | "FileNotFoundError"
        | "PermissionError"
        | "ConnectionRefusedError" => "OSError",
        "ModuleNotFoundError" => "ImportError",
        "RecursionError" => "RuntimeError",
        "JSONDecodeError" => "ValueError",
        "XlaRuntimeError" => "JaxRuntimeError",
        name => name,
    }
}

/// A name without its numbers and identifiers: one of these is not a failure of its own.
fn numberless(text: &str, out: &mut String) {
    let parts = text.split_inclusive(|c: char| !c.is_alphanumeric());
    for part in parts.take(40) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        match digits > 2 {
            true => out.push_str(&format!("#{}", &part[word.len()..])),
            false => out.push_str(part),
        }
    }
}

/// Distinct failures, in the order in which they were found.
#[derive(Default)]
pub struct Groups {
    list: Vec<(String, Occurrences)>,
}

impl Groups {
    /// The number of a failure, and whether it is a new one that is to be told.
    pub fn of(&mut self, d: &Diagnosis) -> Option<(usize, bool)> {
        let id = format!("{}/{}", d.id, d.variant.unwrap_or(""));
        let mut key = id.clone();
        for name in TELLING {
            key.push('\0');
            match d.facts.get(*name) {
                Some(Value::Text(t)) => key.extend(t.chars().take(200)),
                Some(Value::Int(n)) => key.push_str(&n.to_string()),
                _ => {}
            }
        }
        if let Some(known) = self.list.iter().position(|g| g.0 == key) {
            return Some((known, false));
        }
        if self.list.len() < MAX_GROUPS {
            let spot = Spot {
                cell: None,
                line: None,
            };
            let none = Occurrences {
                count: 0,
                first: spot,
                last: spot,
            };
            self.list.push((key, none));
            return Some((self.list.len() - 1, true));
        }
        let near = |g: &(String, _)| g.0.split('\0').next() == Some(&id);
        let known = self.list.iter().position(near).unwrap_or(0);
        Some((known, false))
    }

    /// Counts a failure once more.
    pub fn count(&mut self, group: usize, at: Spot) {
        if let Some((_, o)) = self.list.get_mut(group) {
            if o.count == 0 {
                o.first = at;
            }
            o.count += 1;
            o.last = at;
        }
    }

    /// How often each failure was found, in the order in which they were told.
    pub fn counts(&self) -> Vec<Occurrences> {
        self.list.iter().map(|g| g.1).collect()
    }
}
