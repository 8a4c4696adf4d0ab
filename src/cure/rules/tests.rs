use super::read::{rule, Rule, Step};
use super::rewrite::metavariables;
use super::{ALL, RULES, WHOLE};
use crate::tests::{cures_of, error_at};
use crate::{cures, Book, BookCell, Case};
use nbmedic_facts::{Cure, Diagnosis};

/// An example of a rule.
#[derive(Debug, Default)]
struct Example {
    cells: Vec<String>,
    /// The failing line of the last cell, from 1.
    line: u32,
    error: String,
    /// A known version: the package's name and version.
    with: Option<(String, String)>,
    /// The changed cell. None if nothing is offered.
    after: Option<String>,
}

/// Lines that are empty or indented by two spaces, without the indentation.
fn indented<'t>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> String {
    let mut out = Vec::new();
    while let Some(line) = lines.next_if(|l| l.is_empty() || l.starts_with("  ")) {
        out.push(line.strip_prefix("  ").unwrap_or(""));
    }
    out.join("\n").trim_end().to_owned()
}

/// The examples of a rule.
fn examples(at: &str, text: &str) -> Vec<Example> {
    let Some((_, text)) = text.split_once("\nexample:\n") else {
        return Vec::new();
    };
    let text = format!("example:\n{text}");
    let mut lines = text.lines().peekable();
    let mut out: Vec<Example> = Vec::new();
    while let Some(line) = lines.next() {
        match line.split_once(':').unwrap_or((line, "")) {
            ("example", "") => {
                let cells = indented(&mut lines);
                out.push(Example {
                    cells: cells.split("\n# %%\n").map(str::to_owned).collect(),
                    line: 1,
                    ..Example::default()
                });
            }
            ("after", "") => {
                let after = indented(&mut lines);
                let last = out.last_mut().expect("an example has begun");
                last.after = Some(after);
            }
            ("stays" | "", "") => {}
            ("with", version) => {
                let last = out.last_mut().expect("an example has begun");
                let version = version.trim().split_once(' ');
                last.with = version.map(|(n, v)| (n.to_owned(), v.to_owned()));
            }
            (field, message) => {
                let number = field.strip_prefix("error").map(str::trim);
                let number =
                    number.unwrap_or_else(|| panic!("{at}: {line} is no part of an example"));
                let more = indented(&mut lines);
                let last = out.last_mut().expect("an example has begun");
                last.line = number.parse().unwrap_or(1);
                last.error = format!("{}\n{more}", message.trim()).trim_end().to_owned();
            }
        }
    }
    out
}

/// The cures of a notebook with a known version.
fn cures_with(cells: &[&str], error: &str, version: (String, String)) -> Vec<Cure> {
    let cells = cells.iter().enumerate().map(|(i, source)| BookCell {
        position: i + 1,
        source,
        count: i64::try_from(i + 1).ok(),
        ran: u64::try_from(i + 1).ok(),
        ..BookCell::default()
    });
    let cells: Vec<BookCell<'_>> = cells.collect();
    let at = cells.len() - 1;
    let mut diagnosis = Diagnosis::default();
    diagnosis.setting.versions.push(version);
    let book = Book::new(cells);
    let case = Case::new(&book, at, error).expect("an error");
    cures(&case.with(&diagnosis))
}

fn read_all() -> Vec<Rule> {
    let read = WHOLE
        .iter()
        .zip(RULES)
        .map(|((at, _), (_, text))| rule(at, text));
    read.collect::<Result<_, _>>()
        .unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_rule_is_read_and_asks_for_what_it_has() {
    let rules = read_all();
    assert_eq!(rules.len(), ALL.len());
    for (r, (at, _)) in rules.iter().zip(RULES) {
        let mut given: Vec<String> = r
            .shapes
            .iter()
            .flat_map(super::shape::Shape::names)
            .collect();
        given.extend(r.imports.iter().map(|i| i.name.to_owned()));
        given.extend(["match", "old", "new", "made"].map(str::to_owned));
        let asked = r.wheres.iter().map(super::condition::Where::names);
        let mut wanted: Vec<&str> = Vec::new();
        for (name, more) in asked {
            wanted.extend(name);
            given.extend(more);
        }
        wanted.extend(metavariables(r.title));
        r.why.iter().for_each(|w| wanted.extend(metavariables(w)));
        for step in &r.steps {
            match step {
                Step::Replace { node, code, .. } | Step::After(node, code) => {
                    wanted.push(node);
                    wanted.extend(metavariables(code));
                }
                Step::Remove(node) => wanted.push(node),
                Step::RemoveNamed(_) => {}
                Step::Argument(call, _, code) => {
                    wanted.push(call);
                    wanted.extend(metavariables(code));
                }
                Step::Above(code) => wanted.extend(metavariables(code)),
            }
        }
        for (n, shape) in r.shapes.iter().enumerate() {
            let mut has = shape.names();
            has.extend(["match", "made"].map(str::to_owned));
            for condition in &r.wheres {
                let (name, more) = condition.names();
                let missing = name.filter(|name| has.iter().all(|h| h != name));
                assert!(
                    missing.is_none(),
                    "{at}: shape {} never matches: it has no ${}, which a condition is about",
                    n + 1,
                    missing.unwrap_or_default()
                );
                has.extend(more);
            }
        }
        for name in wanted {
            assert!(given.iter().any(|g| g == name), "{at}: nothing is ${name}");
        }
        for other in &r.yields {
            let found = rules
                .iter()
                .any(|o| o.folder == r.folder && o.name == *other);
            assert!(found && *other != r.name, "{at}: there is no rule {other}");
        }
    }
    // A rule placed before one that it yields to is in a cycle.
    for (i, r) in ALL.iter().enumerate() {
        let later = ALL[i..].iter().filter(|o| o.folder == r.folder);
        for o in later {
            assert!(
                !r.yields.contains(&o.name),
                "{} and {} wait for each other",
                r.name,
                o.name
            );
        }
    }
}

#[test]
fn every_rule_does_what_its_examples_show() {
    let mut wrong = Vec::new();
    for ((at, text), r) in WHOLE.iter().zip(read_all()) {
        let all = examples(at, text);
        if !all.iter().any(|e| e.after.is_some() || !r.changes_code()) {
            wrong.push(format!("{at}: no example of what it changes"));
        }
        for example in all {
            let cells: Vec<&str> = example.cells.iter().map(String::as_str).collect();
            let (class, message) = example
                .error
                .split_once(':')
                .unwrap_or((&example.error, ""));
            let message = message.strip_prefix(' ').unwrap_or(message);
            let error = error_at(&cells, example.line, class, message);
            let cures = match &example.with {
                None => cures_of(&cells, &error),
                Some(version) => cures_with(&cells, &error, version.clone()),
            };
            let made = cures.iter().find(|c| c.id == r.id).map(|c| c.code.as_str());
            let first = cures.first().filter(|c| c.id != r.id);
            if made != example.after.as_deref() || example.after.is_some() && first.is_some() {
                let before = first.map(|c| format!("; first comes `{}`: {}", c.id, c.title));
                let before = before.unwrap_or_default();
                wrong.push(format!("{at}: {example:#?} gets {made:#?}{before}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mistake_is_named_with_its_file_and_line() {
    for (text, wanted) in [
        (
            "About.\n\nsays: E: a\ncode: f($x\n",
            "d/r.txt:4: no shape of code: f($x",
        ),
        (
            "About.\n\nwhere: $x is odd\n",
            "d/r.txt:3: no condition: $x is odd",
        ),
        ("About.\n\nsays: E: a\n", "d/r.txt:1: there is no `code:`"),
        (
            "About.\n\nsay: E: a\n",
            "d/r.txt:3: there is no field `say`",
        ),
    ] {
        assert_eq!(rule("d/r.txt", text).err().as_deref(), Some(wanted));
    }
}
