//! What a message by itself says to do, where nothing surer is known: its own names and numbers in words.
//!
//! The knowledge is in tables beside this file (`rows.rs` says how they are written). A row is tried only if no other
//! technique had a cure, and the first that fits is taken: within a table the narrower one stands first.

mod operands;
mod pattern;
mod rows;
#[cfg(test)]
mod tests;

use crate::case::Case;
use nbmedic_facts::expr::{eval, holds, Val};
use nbmedic_facts::{Applicability, Cure, FixKind};
use nbmedic_traceback::{Exception, Origin, Relation};
use pattern::floor;
use rows::{Row, Step};
use std::sync::LazyLock;

/// What is read of a message's beginning, and as much of its end, in bytes.
const MAX_MESSAGE: usize = 4000;
/// The last lines of the output that are read for a graph's error, and the most of each, in bytes.
const LAST_LINES: usize = 6;
const MAX_LINE: usize = 500;
/// Longest text that a name stands for, in characters.
const MAX_VALUE: usize = 100;
/// Most frames whose code is looked at.
const MAX_FRAMES: usize = 120;

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let tables = [
        include_str!("torch.txt"),
        include_str!("keras.txt"),
        include_str!("jax.txt"),
        include_str!("models.txt"),
        include_str!("tables.txt"),
        include_str!("arrays.txt"),
        include_str!("files.txt"),
        include_str!("python.txt"),
    ];
    tables.into_iter().flat_map(rows::read).collect()
});

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !out.is_empty() {
        return;
    }
    let all = &case.chain.exceptions;
    // An exception that was raised from another one often only says that something failed.
    let mut from = all.len().saturating_sub(1);
    while from > 0 && matches!(all[from].relation, Relation::Cause) {
        from -= 1;
    }
    let found = all[from..].iter().rev().find_map(|e| said(case, e));
    out.extend(found);
}

fn said(case: &Case<'_>, error: &Exception) -> Option<Cure> {
    let mut text = flat(error);
    // What looks like a traceback in it may cut the message short of what failed.
    if text.contains("Graph execution error") {
        let end = case.output.len();
        for i in end.saturating_sub(LAST_LINES)..end {
            let line = case.output.line(i);
            text += " ";
            text += &line[..floor(line, MAX_LINE)];
        }
    }
    let mut near = None;
    let frameworks = case.setting().map_or(&[][..], |s| &s.frameworks);
    TABLE.iter().find_map(|row| {
        let fits = |names: &[&str]| {
            let one = |f: &nbmedic_facts::Framework| {
                names.contains(&format!("{f:?}").to_lowercase().as_str())
            };
            names.is_empty() || frameworks.is_empty() || frameworks.iter().any(one)
        };
        let found = row.wordings.iter().find_map(|w| w.find(&text))?;
        if !fits(&row.frameworks) {
            return None;
        }
        if !row.near.is_empty() {
            let near = near.get_or_insert_with(|| around(error, &text));
            let has = |words: &[&str]| words.iter().any(|w| near.contains(w));
            if row.near.iter().any(|(wanted, words)| has(words) != *wanted) {
                return None;
            }
        }
        let mut names: Names = Vec::new();
        for (hole, held) in found {
            match hole.is_shape() {
                true => bind(&mut names, hole.name, held),
                false => names.push((hole.name.to_owned(), clipped(held))),
            }
        }
        for (name, held) in operands::of(case, error) {
            names.push((name.to_owned(), held));
        }
        row.cure(&mut names)
    })
}

type Names = Vec<(String, String)>;

/// Adds a name, and the sizes of a shape: `s_n` how many, `s_0` the first, `s_l` the last, `s_p` their product.
fn bind(names: &mut Names, name: &str, held: &str) {
    let dims = held.split(|c: char| c == 'x' || !c.is_ascii_alphanumeric() && c != '-' && c != '?');
    let dims: Vec<&str> = dims.filter(|d| !d.is_empty()).collect();
    let dims: Vec<&str> = dims
        .iter()
        .map(|d| if *d == "?" { "None" } else { *d })
        .collect();
    let Some(last) = dims.last() else {
        return names.push((name.to_owned(), held.to_owned()));
    };
    let known = dims.iter().filter_map(|d| d.parse::<f64>().ok());
    let product: f64 = known.filter(|d| *d >= 0.0).product();
    let mut add = |key: &str, value: String| names.push((format!("{name}_{key}"), value));
    add("n", dims.len().to_string());
    for (i, d) in dims.iter().enumerate() {
        add(&i.to_string(), (*d).to_owned());
    }
    add("l", (*last).to_owned());
    add("p", format!("{product}"));
    let comma = if dims.len() == 1 { "," } else { "" };
    names.push((name.to_owned(), format!("({}{comma})", dims.join(", "))));
}

/// A text that is not too long to be said.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

impl Row {
    /// The cure, if all holds that the row asks for.
    fn cure(&self, names: &mut Names) -> Option<Cure> {
        for step in &self.steps {
            let look = |name: &str| value(names, name);
            match step {
                Step::Holds(condition) => {
                    if !holds(condition, look).unwrap_or(false) {
                        return None;
                    }
                }
                Step::Whole(name, sum) => match eval(sum, look) {
                    Ok(Val::Num(n)) if n >= 1.0 && n.fract() == 0.0 && n < 1e15 => {
                        names.push(((*name).to_owned(), format!("{n}")));
                    }
                    _ => return None,
                },
            }
        }
        let code: Option<Vec<String>> = self.code.iter().map(|l| fill(l, names)).collect();
        let code = code?;
        let why = self.why.iter().filter_map(|w| fill(w, names));
        Some(Cure {
            id: "as-said".into(),
            kind: FixKind::Look,
            applies: Applicability::Likely,
            title: fill(self.title, names)?,
            why: why.collect::<Vec<_>>().join(" "),
            language: if code.is_empty() { "" } else { "python" }.into(),
            code: code.join("\n"),
            ..Cure::default()
        })
    }
}

fn value(names: &Names, name: &str) -> Val {
    match names.iter().find(|(n, _)| n == name) {
        None => Val::Unknown,
        Some((_, text)) => match text.parse::<f64>() {
            Ok(n) => Val::Num(n),
            Err(_) => Val::Text(text.clone()),
        },
    }
}

/// A line of the table with what its names stand for. None if one of them is not known.
fn fill(line: &str, names: &Names) -> Option<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some((open, len)) = slot(rest) {
        let name = &rest[open + 1..open + len];
        out.push_str(&rest[..open]);
        // Backticks mark code in what is said.
        out += &names.iter().find(|(n, _)| n == name)?.1.replace('`', "'");
        rest = &rest[open + len + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// The first name between braces, and its length with the first brace.
fn slot(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find('{')?;
        let len = text[open..].find('}')?;
        let name = &text[open + 1..open + len];
        let letter = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letter) {
            return Some((open, len));
        }
        from = open + 1;
    }
}

/// `Class: message` on one line; of a very long message the beginning and the end.
fn flat(error: &Exception) -> String {
    let message = &error.message;
    let head = floor(message, MAX_MESSAGE);
    // A graph's error says at the end what failed.
    let tail = floor(message, message.len().saturating_sub(MAX_MESSAGE).max(head));
    let words = message[..head].split_whitespace();
    let words = words.chain(message[tail..].split_whitespace());
    let words = words.collect::<Vec<_>>().join(" ");
    format!("{}: {words}", error.name())
}

/// The frames of an exception, and its message.
fn around(error: &Exception, text: &str) -> String {
    let mut out = text.to_owned();
    for f in error.frames.iter().rev().take(MAX_FRAMES) {
        let code = f.code.as_deref().unwrap_or("");
        let function = f.function.as_deref().unwrap_or("");
        let file = f.file.replace('\\', "/");
        out += &format!("\n{file}:{function}: {}", &code[..floor(code, 300)]);
        if f.origin != Origin::Library {
            out += "\nown";
        }
    }
    out
}
