//! Reads the entries and the tables.

use nbmedic_facts::{Applicability, FixKind};
use regex::Regex;
use std::sync::LazyLock;

const TABLES: &str = include_str!("tables.txt");

/// What an entry's literals are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The exceptions; the output, if there are none.
    Error,
    /// The output around the failure.
    Around,
}

/// One remedy, as written.
#[derive(Debug)]
pub(super) struct Entry {
    pub name: &'static str,
    pub scope: Scope,
    /// One of each must occur.
    pub when: Vec<Vec<&'static str>>,
    pub unless: Vec<&'static str>,
    pub takes: Vec<Take>,
    pub look_ups: Vec<LookUp>,
    /// Slots that must not be the same.
    pub differ: Option<(&'static str, &'static str)>,
    pub on: Vec<&'static str>,
    pub kind: FixKind,
    pub applies: Option<Applicability>,
    pub title: &'static str,
    pub why: &'static str,
    pub language: &'static str,
    pub code: String,
    /// Fields that are not known: a mistake in the file, which a test finds.
    pub wrong: Vec<&'static str>,
}

/// What a table has for a slot.
#[derive(Debug)]
pub(super) struct LookUp {
    pub table: &'static str,
    pub from: &'static str,
    pub slot: &'static str,
    /// Without an entry of the table, the slot itself is taken.
    pub or_itself: bool,
}

/// A pattern, compiled when an entry's literals occur.
#[derive(Debug)]
pub(super) struct Take {
    pub pattern: &'static str,
    compiled: std::sync::OnceLock<Option<Regex>>,
}

impl Take {
    /// The compiled pattern; none if it is wrong, which a test finds.
    pub fn regex(&self) -> Option<&Regex> {
        let made = self.compiled.get_or_init(|| Regex::new(self.pattern).ok());
        made.as_ref()
    }

    pub fn captures<'t>(&self, text: &'t str) -> Option<regex::Captures<'t>> {
        self.regex()?.captures(text)
    }
}

/// All entries, in the order of the files.
pub(super) fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let python = read(include_str!("python.txt"), Scope::Error);
        let shell = read(include_str!("shell.txt"), Scope::Around);
        python.into_iter().chain(shell).collect()
    });
    &ALL
}

fn read(file: &'static str, scope: Scope) -> Vec<Entry> {
    let parts = file.split("\n== ").skip(1);
    parts.map(|part| entry(part, scope)).collect()
}

fn entry(part: &'static str, scope: Scope) -> Entry {
    let (name, rest) = part.split_once('\n').unwrap_or((part, ""));
    let mut entry = Entry {
        name: name.trim(),
        scope,
        when: Vec::new(),
        unless: Vec::new(),
        takes: Vec::new(),
        look_ups: Vec::new(),
        differ: None,
        on: Vec::new(),
        kind: FixKind::Install,
        applies: None,
        title: "",
        why: "",
        language: "",
        code: String::new(),
        wrong: Vec::new(),
    };
    for line in rest.lines() {
        if let Some(code) = line.strip_prefix("  ") {
            if !entry.code.is_empty() {
                entry.code.push('\n');
            }
            entry.code += code;
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (field, value) = line.split_once(": ").unwrap_or((line, ""));
        match field {
            "when" => entry.when.push(value.split(" || ").collect()),
            "unless" => entry.unless.extend(value.split(" || ")),
            "take" => entry.takes.push(Take {
                pattern: value,
                compiled: std::sync::OnceLock::new(),
            }),
            "look-up" | "look-up?" => match value.split(' ').collect::<Vec<_>>().as_slice() {
                [table, from, "->", slot] => entry.look_ups.push(LookUp {
                    table,
                    from,
                    slot,
                    or_itself: field.ends_with('?'),
                }),
                _ => entry.wrong.push(line),
            },
            "differ" => entry.differ = value.split_once(' '),
            "on" => entry.on.extend(value.split_whitespace()),
            "kind" => match value {
                "install" => entry.kind = FixKind::Install,
                "setting" => entry.kind = FixKind::Setting,
                "look" => entry.kind = FixKind::Look,
                _ => entry.wrong.push(line),
            },
            "applies" => match value {
                "sure" => entry.applies = Some(Applicability::Sure),
                "likely" => entry.applies = Some(Applicability::Likely),
                "maybe" => entry.applies = Some(Applicability::Maybe),
                _ => entry.wrong.push(line),
            },
            "title" => entry.title = value,
            "why" => entry.why = value,
            "code" => entry.language = value,
            _ => entry.wrong.push(line),
        }
    }
    entry
}

/// What a table has for a word: its lines are `word value`, below the table's name between brackets. A word that ends
/// with `*` stands for all that begin like it.
pub(super) fn look_up(table: &str, word: &str) -> Option<&'static str> {
    let head = format!("[{table}]");
    let mut lines = TABLES.lines().skip_while(|l| *l != head).skip(1);
    let own = lines.by_ref().take_while(|l| !l.starts_with('['));
    own.filter_map(|l| l.split_once(' '))
        .find_map(|(key, value)| {
            let same = match key.strip_suffix('*') {
                Some(start) => word.starts_with(start),
                None => key == word,
            };
            same.then_some(value)
        })
}
