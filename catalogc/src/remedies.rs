//! What messages say to do: reads the entries of `src/cure/messages`, checks and packs them.

use crate::entries::{check_wording, entries, Entry};
use crate::families::Families;
use nbmedic_facts::expr;
use nbmedic_facts::FixKind;
use nbmedic_rule::{unpack, HoleKind, Packer, Remedy, Wording};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Longest title, in characters.
const MAX_TITLE: usize = 118;
/// Shortest literal, in bytes.
const MIN_LITERAL: usize = 4;
/// Tables that are those of distributions.
const DISTRIBUTIONS: [&str; 2] = ["modules", "packages"];
/// Slots that the failing line may fill.
const OF_LINE: [&str; 6] = ["line", "left", "right", "target", "value", "function"];

/// A group of files whose entries are tried in one order.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The name of the constant that holds them.
    pub name: &'a str,
    /// The files, in their order.
    pub files: &'a [&'a str],
    /// Each entry needs a name of its own, and may speak of cells.
    pub named: bool,
}

/// Rust source with each group's packed entries as a text, and the tables of names (`TABLES`). Entries name `families`.
///
/// # Errors
/// All complaints, one per line, each with the file's name and the line.
pub fn remedies(
    dir: &Path,
    groups: &[Group<'_>],
    tables: &str,
    families: &Families,
) -> Result<String, String> {
    let read = |file: &str| {
        let path = dir.join(file);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let mut complaints = Vec::new();
    let text = read(tables)?;
    let tables = rows(tables, &text, &mut complaints);
    let mut out = String::new();
    let mut names = BTreeSet::new();
    for group in groups {
        let mut packed = String::new();
        for file in group.files {
            let text = read(file)?;
            for entry in entries(&text) {
                let at = format!("{file}:{}: ", entry.line);
                match entry.pack(true, families) {
                    Ok(whole) => {
                        let known = |table: &str| {
                            DISTRIBUTIONS.contains(&table)
                                || tables.iter().any(|(t, _)| *t == table)
                        };
                        let found = unpack(&whole);
                        let wrong = found
                            .iter()
                            .flat_map(|r| faults(r, families, group.named, known));
                        complaints.extend(wrong.map(|w| format!("{at}{w}")));
                        packed += &entry.pack(false, families).unwrap_or_default();
                    }
                    Err(wrong) => complaints.push(format!("{file}:{wrong}")),
                }
                if !entry.name.is_empty() && !names.insert(entry.name.to_owned()) {
                    complaints.push(format!("{at}the name `{}` is taken", entry.name));
                }
            }
        }
        let _ = writeln!(out, "pub(super) const {}: &str = {packed:?};", group.name);
    }
    let _ = writeln!(
        out,
        "pub(super) static TABLES: &[(&str, &[(&str, &str)])] = &["
    );
    for (name, rows) in &tables {
        let _ = writeln!(out, "({name:?}, &{rows:?}),");
    }
    out.push_str("];\n");
    match complaints.is_empty() {
        true => Ok(out),
        false => Err(complaints.join("\n")),
    }
}

/// A table's name, and its rows.
type Table<'t> = (&'t str, Vec<(&'t str, &'t str)>);

/// The tables of names: `word value` below the table's name between brackets.
fn rows<'t>(file: &str, text: &'t str, complaints: &mut Vec<String>) -> Vec<Table<'t>> {
    let mut tables: Vec<Table<'t>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let name = line.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
        match (name, line.split_once(' '), tables.last_mut()) {
            _ if line.is_empty() || line.starts_with('#') => {}
            (Some(name), ..) => tables.push((name, Vec::new())),
            (_, Some(row), Some((_, rows))) => rows.push(row),
            _ => complaints.push(format!("{file}:{number}: no row: {line}")),
        }
    }
    tables
}

impl Entry<'_> {
    /// The entry, packed: by itself, or behind the entry above it, whose wordings it shares. What is wrong with it begins with
    /// the line.
    fn pack(&self, alone: bool, families: &Families) -> Result<String, String> {
        let mut packer = Packer::default();
        packer.entry(self.name, !alone && !self.of.is_empty());
        let (mut code, mut blank) = (String::new(), false);
        let shared = self.of.iter().filter(|_| alone);
        for (number, line) in shared.chain(&self.lines) {
            let wrong = |what: String| format!("{number}: {what}");
            if let Some(part) = line.strip_prefix("  ") {
                if !code.is_empty() {
                    code += if blank { "\n\n" } else { "\n" };
                }
                code += part;
            } else if !line.is_empty() && !line.starts_with('#') {
                let (field, value) = line
                    .split_once(": ")
                    .ok_or_else(|| wrong(format!("no field: {line}")))?;
                let field = match field {
                    "code" => "language",
                    "language" => "",
                    _ => field,
                };
                match field {
                    "family" => {
                        let number = families.number(value.trim()).map_err(wrong)?;
                        packer.field(field, &number.to_string()).map_err(wrong)?;
                    }
                    _ => packer.field(field, value.trim()).map_err(wrong)?,
                }
            }
            blank = line.is_empty();
        }
        if !code.is_empty() {
            packer
                .field("code", &code)
                .map_err(|e| format!("{}: {e}", self.line))?;
        }
        Ok(packer.finish())
    }
}

/// What is wrong with an entry.
fn faults(
    entry: &Remedy<'_>,
    families: &Families,
    named: bool,
    known: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let of_families = entry.families.iter().flat_map(|n| families.says(*n));
    let own = entry.says.iter().map(|w| w.source);
    let says: Vec<Wording<'_>> = own.chain(of_families).map(Wording::new).collect();
    let is_filled = |name: &str| is_filled(entry, &says, name);
    let mut say = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    let looks = !says.is_empty() || !entry.literal.is_empty();
    say(
        looks && !entry.title.is_empty(),
        "no title, or nothing that it looks for",
    );
    let title = entry.title.replace('`', "");
    say(title.chars().count() <= MAX_TITLE, "a long title");
    say(
        entry.code.is_empty() == entry.language.is_empty(),
        "code without a language",
    );
    say(!named || !entry.id.is_empty(), "no name");
    say(
        !matches!(entry.kind, FixKind::Edit | FixKind::Run),
        "a message changes and runs nothing",
    );
    for pattern in &entry.patterns {
        if let Err(why) = regex::Regex::new(pattern.source) {
            say(false, &why.to_string());
        }
    }
    for literal in entry.literal.iter().flatten() {
        let short = literal.len() < MIN_LITERAL;
        say(!short, &format!("the literal `{literal}` is short"));
    }
    for wording in &entry.says {
        if let Err(why) = check_wording(wording.source) {
            say(false, &why);
        }
    }
    for text in entry.why.iter().chain([&entry.title]) {
        say(text.matches('`').count() % 2 == 0, "an open backtick");
        say(named || !text.contains(" cell"), "speaks of cells");
    }
    let derives = entry.derives.iter().map(|(_, value)| value);
    for predicate in entry.when.iter().chain(derives) {
        match expr::names(predicate) {
            Ok(names) => {
                for name in names {
                    let filled = is_filled(&name) || OF_LINE.contains(&name.as_str());
                    say(filled, &format!("nothing fills `{name}`"));
                }
            }
            Err(why) => say(false, &why),
        }
    }
    let looked_up = entry.look_ups.iter().map(|l| l.from);
    for name in looked_up.chain(entry.unlisted.iter().copied()) {
        say(is_filled(name), &format!("nothing fills `{name}`"));
    }
    for l in &entry.look_ups {
        say(known(l.table), &format!("no table is named `{}`", l.table));
    }
    let code = slots(entry.code, "{{", "}}");
    for name in code.into_iter().chain(slots(entry.title, "{", "}")) {
        say(is_filled(name), &format!("nothing fills `{name}`"));
    }
    wrong
}

/// The slots of a text.
fn slots<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        let inside = &rest[at + open.len()..];
        let name = inside.find(close).map_or("", |end| &inside[..end]);
        let letter = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letter) {
            out.push(name);
        }
        rest = inside;
    }
    out
}

/// Whether a slot is filled whichever of the entry's wordings fits.
fn is_filled(entry: &Remedy<'_>, says: &[Wording<'_>], name: &str) -> bool {
    let base = name.rsplit_once('_').map_or(name, |(base, _)| base);
    let holds = |w: &Wording<'_>| {
        let mut holes = w.holes().into_iter();
        holes.any(|h| h.name == name || h.kind == HoleKind::Shape && h.name == base)
    };
    let said = !says.is_empty() && says.iter().all(holds);
    let second = format!("{name}_2");
    let captured = entry.patterns.iter().any(|pattern| {
        let names = pattern.regex().into_iter().flat_map(|r| r.capture_names());
        names.flatten().any(|n| n == name || n == second)
    });
    let asked = format!("has({name})");
    said || captured
        || entry.look_ups.iter().any(|l| l.slot == name)
        || entry.derives.iter().any(|(derived, _)| *derived == name)
        || OF_LINE.contains(&name) && entry.when.iter().any(|w| w.contains(&asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families() -> Families {
        let mut complaints = Vec::new();
        let mut families = Families::default();
        families.take(
            "numpy",
            "== sizes\nsays: sizes are {a#} {b#}\n",
            &mut complaints,
        );
        assert_eq!(complaints, [""; 0]);
        families
    }

    fn complaints(text: &str, named: bool) -> Vec<String> {
        let mut out = Vec::new();
        for entry in entries(text) {
            match entry.pack(true, &families()) {
                Ok(packed) => {
                    let all = unpack(&packed);
                    let known = |t: &str| t == "pypi";
                    let wrong = all.iter().map(|r| faults(r, &families(), named, known));
                    out.extend(wrong.flatten());
                }
                Err(wrong) => out.push(wrong),
            }
        }
        out
    }

    #[test]
    fn mistakes_are_found() {
        for (text, wrong) in [
            (
                "== a\nsays: a {n#} b\ntitle: {n} and {m}\n",
                "nothing fills `m`",
            ),
            (
                "== a\nsays: a b\ntitle: t\nwhen ab\n",
                "4: no field: when ab",
            ),
            (
                "== a\nsays: a b\ntitle: t\nwhn: a\n",
                "4: there is no field `whn`",
            ),
            (
                "== a\nsays: a b\ntitle: t\nsystems: moon\n",
                "4: `systems` can't be read: moon",
            ),
            (
                "== a\nsays: a b\ntitle: t\nkind: edit\n",
                "a message changes and runs nothing",
            ),
            ("== a\ntitle: t\n", "no title, or nothing that it looks for"),
            ("==\nsays: a b\ntitle: t\n", "no name"),
            ("== a\nsays: a b\ntitle: `t\n", "an open backtick"),
            (
                "== a\nsays: a b\ntitle: t\ncode: bash\n",
                "code without a language",
            ),
            (
                "== a\nsays: a {n#}\ntitle: t\nwhen: k > 1\n",
                "nothing fills `k`",
            ),
            (
                "== a\nsays: a {n#}\ntitle: t\nlook-up: pip n -> p\n",
                "no table is named `pip`",
            ),
            (
                "== a\nsays: a b\ntitle: t\ncode: bash\n  pip install {{p}}\n",
                "nothing fills `p`",
            ),
            (
                "== a\nfamily: numpy.sizes\ntitle: {a}, {b} and {c}\n",
                "nothing fills `c`",
            ),
            (
                "== a\nfamily: numpy.size\ntitle: t\n",
                "2: no family is named `numpy.size`",
            ),
            (
                "== a\nsays: {n#} rows\ntitle: t\n",
                "a wording begins with a hole",
            ),
        ] {
            assert_eq!(complaints(text, true), [wrong], "{text}");
        }
        let pattern = complaints("== a\nsays: a b\ntitle: t\npattern: (\n", true);
        assert!(pattern[0].contains("unclosed group"), "{pattern:?}");
        let holes = complaints("== a\nsays: a {x}{y} b\ntitle: t\n", true);
        assert!(
            holes[0].starts_with("the wording `a {x}{y} b` reads"),
            "{holes:?}"
        );
        assert_eq!(complaints("==\nsays: a b\ntitle: t\n", false), [""; 0]);
    }

    #[test]
    fn a_case_has_the_wordings_of_the_entry_above() {
        let text =
            "==\nsays: a {n#}\nwhen: n > 1\ntitle: t\n--\nwhen: n > 2\ntitle: u\n--\ntitle: v\n";
        assert_eq!(complaints(text, false), [""; 0]);
        let packed: Vec<_> = entries(text)
            .iter()
            .map(|e| e.pack(false, &families()))
            .collect();
        let packed: Result<String, String> = packed.into_iter().collect();
        let packed = packed.expect("entries");
        let all = unpack(&packed);
        let said: Vec<&str> = all.iter().flat_map(|r| &r.says).map(|w| w.source).collect();
        assert_eq!(
            (said, packed.matches("a {n#}").count()),
            (vec!["a {n#}"; 3], 1)
        );
        assert_eq!(all[2].title, "v");
    }

    #[test]
    fn code_keeps_its_empty_lines() {
        let all = entries("# A comment.\n== a\nsays: x\ncode: bash\n  a\n\n    b\n");
        let packed = all[0].pack(true, &families()).expect("an entry");
        assert_eq!(unpack(&packed)[0].code, "a\n\n  b");
    }
}
