//! Reads the entries and the tables of names.

use super::pattern::Pattern;
use nbmedic_facts::{Applicability, FixKind};
use nbmedic_libraries::{distribution, listed};
use regex::Regex;
use std::sync::{LazyLock, OnceLock};

const NAMES: &str = include_str!("setup/names.txt");

/// The set-up's entries that look at the exceptions; at the output, if there are none.
pub(super) static EXCEPTIONS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let files = [
        include_str!("setup/versions.txt"),
        include_str!("setup/services.txt"),
        include_str!("setup/exceptions.txt"),
    ];
    files.into_iter().flat_map(read).collect()
});

/// The set-up's entries that look at the output around the failure.
pub(super) static OUTPUT: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let files = [
        include_str!("setup/output.txt"),
        include_str!("setup/commands.txt"),
    ];
    files.into_iter().flat_map(read).collect()
});

/// What to write instead: the entries look at one exception's message.
pub(super) static CODE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let files = [
        include_str!("code/frameworks.txt"),
        include_str!("code/torch.txt"),
        include_str!("code/keras.txt"),
        include_str!("code/jax.txt"),
        include_str!("code/models.txt"),
        include_str!("code/tables.txt"),
        include_str!("code/arrays.txt"),
        include_str!("code/files.txt"),
        include_str!("code/python.txt"),
    ];
    files.into_iter().flat_map(read).collect()
});

/// The name of an entry that has none.
const UNNAMED: &str = "as-said";

/// One entry, as written.
#[derive(Debug)]
pub(super) struct Entry {
    pub name: &'static str,
    /// One of them must occur, if there are any.
    pub says: Vec<Pattern>,
    /// One of each must occur.
    pub when: Vec<Vec<&'static str>>,
    pub unless: Vec<&'static str>,
    pub takes: Vec<Take>,
    /// Whether one of them must stand nearby, or none may.
    pub near: Vec<(bool, Vec<&'static str>)>,
    pub about: Vec<&'static str>,
    pub on: Vec<&'static str>,
    pub look_ups: Vec<LookUp>,
    /// Slots with modules of which no table says what brings them.
    pub unlisted: Vec<&'static str>,
    /// Slots that must not be the same.
    pub differ: Option<(&'static str, &'static str)>,
    pub steps: Vec<Step>,
    pub kind: FixKind,
    pub applies: Applicability,
    pub title: &'static str,
    pub why: Vec<&'static str>,
    pub language: &'static str,
    pub code: String,
    /// Lines that can't be read: a mistake in the file, which a test finds.
    #[cfg(test)]
    pub wrong: Vec<&'static str>,
}

/// A condition, or a number calculated from others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    If(&'static str),
    Let(&'static str, &'static str),
}

/// What a table has for a slot.
#[derive(Debug)]
pub(super) struct LookUp {
    pub table: &'static str,
    pub from: &'static str,
    pub slot: &'static str,
    /// Without an entry of the table, the slot stays empty.
    pub optional: bool,
}

/// A pattern, compiled when an entry's literals occur.
#[derive(Debug)]
pub(super) struct Take {
    pub pattern: &'static str,
    compiled: OnceLock<Option<Regex>>,
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

impl Entry {
    fn new(name: &'static str) -> Entry {
        Entry {
            name: if name.is_empty() { UNNAMED } else { name },
            says: Vec::new(),
            when: Vec::new(),
            unless: Vec::new(),
            takes: Vec::new(),
            near: Vec::new(),
            about: Vec::new(),
            on: Vec::new(),
            look_ups: Vec::new(),
            unlisted: Vec::new(),
            differ: None,
            steps: Vec::new(),
            kind: FixKind::Look,
            applies: Applicability::Likely,
            title: "",
            why: Vec::new(),
            language: "",
            code: String::new(),
            #[cfg(test)]
            wrong: Vec::new(),
        }
    }

    /// Takes a field; none if it can't be read.
    fn field(&mut self, field: &str, value: &'static str) -> Option<()> {
        let literals = || value.split(" || ");
        match field {
            "says" => self.says.push(Pattern::new(value)),
            "when" => self.when.push(literals().collect()),
            "unless" => self.unless.extend(literals()),
            "take" => self.takes.push(Take {
                pattern: value,
                compiled: OnceLock::new(),
            }),
            "near" => self.near.push((true, literals().collect())),
            "not-near" => self.near.push((false, literals().collect())),
            "about" => self.about.extend(value.split(' ')),
            "on" => self.on.extend(value.split(' ')),
            "look-up" | "look-up?" => {
                let (from, slot) = value.split_once(" -> ")?;
                let (table, from) = from.split_once(' ')?;
                self.look_ups.push(LookUp {
                    table,
                    from,
                    slot,
                    optional: field.ends_with('?'),
                });
            }
            "unlisted" => self.unlisted.push(value),
            "differ" => self.differ = Some(value.split_once(' ')?),
            "if" => self.steps.push(Step::If(value)),
            "let" => {
                let (name, sum) = value.split_once(" = ")?;
                self.steps.push(Step::Let(name, sum));
            }
            "kind" => {
                self.kind = match value {
                    "install" => FixKind::Install,
                    "setting" => FixKind::Setting,
                    "look" => FixKind::Look,
                    _ => return None,
                }
            }
            "applies" => {
                self.applies = match value {
                    "sure" => Applicability::Sure,
                    "likely" => Applicability::Likely,
                    "maybe" => Applicability::Maybe,
                    "shows" => Applicability::Shows,
                    _ => return None,
                }
            }
            "title" => self.title = value,
            "why" => self.why.push(value),
            "code" => self.language = value,
            _ => return None,
        }
        Some(())
    }
}

/// The entries of a file. What stands before the first one is a comment.
pub(super) fn read(file: &'static str) -> impl Iterator<Item = Entry> {
    let mut lines = file.lines().peekable();
    while lines.next_if(|l| !l.starts_with("==")).is_some() {}
    std::iter::from_fn(move || {
        let mut entry = Entry::new(lines.next()?.trim_start_matches('=').trim());
        let mut blank = false;
        while let Some(line) = lines.next_if(|l| !l.starts_with("==")) {
            if let Some(code) = line.strip_prefix("  ") {
                if !entry.code.is_empty() {
                    entry.code += if blank { "\n\n" } else { "\n" };
                }
                entry.code += code;
            } else if !line.is_empty() && !line.starts_with('#') {
                let read = line.split_once(": ");
                let read = read.and_then(|(field, value)| entry.field(field, value.trim()));
                if read.is_none() {
                    #[cfg(test)]
                    entry.wrong.push(line);
                }
            }
            blank = line.is_empty();
        }
        Some(entry)
    })
}

/// What a table has for a word: its lines are `word value`, below the table's name between brackets. A word that ends
/// with `*` stands for all that begin like it. Two tables are those of distributions: `modules` has a module's, `packages`
/// also that of its own name.
pub(super) fn look_up(table: &str, word: &str) -> Option<&'static str> {
    let named = |package: &'static str| package.split(['<', '=']).next();
    match table {
        "modules" => return distribution(word).and_then(|(package, _)| named(package)),
        "packages" => return listed(word).and_then(named),
        _ => {}
    }
    let head = format!("[{table}]");
    let mut lines = NAMES.lines().skip_while(|l| *l != head).skip(1);
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
