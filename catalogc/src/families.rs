//! Families of wordings: reads the files of `src/wordings`, checks and packs them.

use crate::entries::{check_wording, entries};
use nbmedic_rule::{Piece, Wording};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Shortest literal, in bytes.
const MIN_LITERAL: usize = 6;

/// A family as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// The exceptions that have such a message; empty if any may.
    pub classes: Vec<String>,
    /// Of these, each of its messages contains one.
    pub literals: Vec<String>,
    /// Its wordings.
    pub says: Vec<String>,
    /// What its messages are about, as other families' are.
    pub about: Vec<String>,
}

/// All families by their ids: `library.name`.
#[derive(Clone, Debug, Default)]
pub struct Families(BTreeMap<String, Family>);

impl Families {
    /// Reads the text files of a folder, one for each library.
    ///
    /// # Errors
    /// All complaints, one per line, each with the file's name and the line.
    pub fn load(dir: &Path) -> Result<Families, String> {
        let read =
            |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
        let listed = fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        let mut files: Vec<_> = listed.flatten().map(|e| e.path()).collect();
        files.retain(|p| p.extension().is_some_and(|e| e == "txt"));
        files.sort();
        let mut families = Families::default();
        let mut complaints = Vec::new();
        for file in files {
            let library = file.file_stem().unwrap_or_default().to_string_lossy();
            families.take(&library, &read(&file)?, &mut complaints);
        }
        let mut of: BTreeMap<&str, &str> = BTreeMap::new();
        for (id, family) in &families.0 {
            for says in &family.says {
                if let Some(other) = of.insert(says, id) {
                    complaints.push(format!("{id}: `{says}` stands in {other}"));
                }
            }
        }
        match complaints.is_empty() {
            true => Ok(families),
            false => Err(complaints.join("\n")),
        }
    }

    /// Takes a library's families.
    pub(crate) fn take(&mut self, library: &str, text: &str, complaints: &mut Vec<String>) {
        for entry in entries(text) {
            let at = format!("{library}.txt:{}: ", entry.line);
            let mut family = Family::default();
            let list = |value: &str, between: &str| -> Vec<String> {
                value.split(between).map(str::to_owned).collect()
            };
            for (number, line) in &entry.lines {
                match line.split_once(": ") {
                    _ if line.is_empty() || line.starts_with('#') => {}
                    Some(("class", value)) => family.classes = list(value, " "),
                    Some(("literal", value)) => family.literals = list(value, " || "),
                    Some(("about", value)) => family.about = list(value, " "),
                    Some(("says", value)) => family.says.push(value.trim_end().to_owned()),
                    _ => complaints.push(format!("{library}.txt:{number}: no field: {line}")),
                }
            }
            complaints.extend(family.complete().into_iter().map(|c| format!("{at}{c}")));
            let id = format!("{library}.{}", entry.name);
            let named = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
            let about = family.about.iter().find(|a| !a.chars().all(named));
            complaints.extend(about.map(|a| format!("{at}`{a}` is no name")));
            if entry.name.is_empty() || !id.chars().all(named) {
                complaints.push(format!("{at}`{id}` is no name"));
            }
            if self.0.insert(id, family).is_some() {
                complaints.push(format!("{at}the name `{}` is taken", entry.name));
            }
        }
    }

    /// The family with an id.
    ///
    /// # Errors
    /// That there is none.
    pub fn get(&self, id: &str) -> Result<&Family, String> {
        let found = self.0.get(id);
        found.ok_or_else(|| format!("no family is named `{id}`"))
    }

    /// The number of the family with an id.
    ///
    /// # Errors
    /// That there is none.
    pub fn number(&self, id: &str) -> Result<usize, String> {
        self.get(id)?;
        Ok(self.0.range(..id.to_owned()).count())
    }

    /// The wordings of the family with a number.
    pub(crate) fn says(&self, number: usize) -> impl Iterator<Item = &str> {
        let family = self.0.values().nth(number);
        family.into_iter().flat_map(|f| &f.says).map(String::as_str)
    }

    /// Rust source with a constant for each family, in a module for each library, one for what several families are about, and
    /// the packed families (`PACKED`).
    pub fn source(&self) -> String {
        let mut out = String::new();
        let mut open = "";
        for (number, (id, family)) in self.0.iter().enumerate() {
            let (library, name) = id.split_once('.').unwrap_or_default();
            if open != library {
                let close = if open.is_empty() { "" } else { "}\n" };
                let _ = writeln!(
                    out,
                    "{close}/// The families of `{library}.txt`.\npub mod {library} {{\n    use super::Family;"
                );
                open = library;
            }
            let name = name.to_uppercase().replace(['-', '.'], "_");
            let says = family.says[0].replace('`', "'");
            let fields = family.fields().len();
            let _ = writeln!(
                out,
                "    /// `{says}`\n    pub const {name}: Family<{fields}> = Family({number});"
            );
        }
        let packed: Vec<String> = self.0.values().map(Family::pack).collect();
        let close = if open.is_empty() { "" } else { "}\n" };
        let about = self.about();
        format!(
            "{out}{close}{about}\nconst PACKED: &str = {:?};\n",
            packed.join("\u{1}")
        )
    }
}

impl Families {
    /// Rust source with a constant for each thing that families are about.
    fn about(&self) -> String {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (number, family) in self.0.values().enumerate() {
            for about in &family.about {
                let name = about.to_uppercase().replace('-', "_");
                all.entry(name).or_default().push(number.to_string());
            }
        }
        let mut out =
            String::from("/// What families are about.\npub mod about {\n    use super::About;\n");
        for (name, numbers) in all {
            let numbers = numbers.join(", ");
            let _ = writeln!(out, "    #[allow(missing_docs, reason = \"the name says it\")]\n    pub const {name}: About = About(&[{numbers}]);");
        }
        out + "}\n"
    }
}

impl Family {
    /// Fills in the literals that are not written; what is wrong with it.
    fn complete(&mut self) -> Vec<String> {
        let mut wrong: Vec<String> = Vec::new();
        if self.says.is_empty() {
            wrong.push("it says nothing".to_owned());
            self.says.push(String::new());
            return wrong;
        }
        wrong.extend(self.says.iter().filter_map(|w| check_wording(w).err()));
        if self.literals.is_empty() {
            self.literals = self.says.iter().map(|w| longest(w).to_owned()).collect();
            self.literals.sort();
            self.literals.dedup();
        }
        let texts = |says: &str, literal: &str| {
            let pieces = Wording::new(says).pieces();
            let mut texts = pieces.iter();
            texts.any(|p| matches!(p, Piece::Text(t) if t.contains(literal)))
        };
        for says in &self.says {
            if !self.literals.iter().any(|l| texts(says, l)) {
                wrong.push(format!("`{says}` has none of the literals"));
            }
        }
        for literal in &self.literals {
            if literal.len() < MIN_LITERAL || !self.says.iter().any(|s| texts(s, literal)) {
                wrong.push(format!(
                    "the literal `{literal}` is short, or in no wording"
                ));
            }
        }
        wrong
    }

    /// The names of its holes.
    fn fields(&self) -> Vec<&str> {
        let mut out = Vec::new();
        for says in &self.says {
            for hole in Wording::new(says).holes() {
                if !out.contains(&hole.name) {
                    out.push(hole.name);
                }
            }
        }
        out
    }

    fn pack(&self) -> String {
        let says = self.says.iter().map(|w| format!("{w}\u{2}"));
        let literals = self.literals.iter().map(|l| format!("{l}\u{3}"));
        says.chain(literals).collect()
    }
}

/// The longest text of a wording.
fn longest(says: &str) -> &str {
    let texts = Wording::new(says).pieces().into_iter().map(|p| match p {
        Piece::Text(text) => text,
        Piece::Hole(_) => "",
    });
    texts.max_by_key(|t| t.len()).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> (Families, Vec<String>) {
        let mut complaints = Vec::new();
        let mut families = Families::default();
        families.take("numpy", text, &mut complaints);
        (families, complaints)
    }

    #[test]
    fn a_family_has_literals_and_fields() {
        let (families, complaints) = taken(
            "# A comment.\n== a-b\nclass: ValueError TypeError\nabout: rows sizes\nsays: got {n#} rows of {s@}\nsays: got rows {t@}\n\n== c\nliteral: of rows\nsays: lack of rows\nabout: rows\n",
        );
        assert_eq!(complaints, [""; 0]);
        let family = families.get("numpy.a-b").expect("a family");
        assert_eq!(family.classes, ["ValueError", "TypeError"]);
        assert_eq!(family.literals, ["got rows", "rows of"]);
        assert_eq!(family.fields(), ["n", "s", "t"]);
        assert_eq!(families.number("numpy.c"), Ok(1));
        let source = families.source();
        for constant in [
            "pub const A_B: Family<3> = Family(0);",
            "pub const ROWS: About = About(&[0, 1]);",
            "pub const SIZES: About = About(&[0]);",
        ] {
            assert!(source.contains(constant), "{source}");
        }
    }

    #[test]
    fn mistakes_are_found() {
        for (text, wrong) in [
            ("== a\nclass: ValueError\n", "numpy.txt:1: it says nothing"),
            ("== A\nsays: no rows\n", "numpy.txt:1: `numpy.A` is no name"),
            (
                "== a\nsay: no rows\n",
                "numpy.txt:2: no field: say: no rows",
            ),
            (
                "== a\nliteral: no columns\nsays: no rows\n",
                "numpy.txt:1: `no rows` has none of the literals",
            ),
            (
                "== a\nsays: {n#} rows\n",
                "numpy.txt:1: a wording begins with a hole",
            ),
            (
                "== a\nsays: no rows\n== a\nsays: no lines\n",
                "numpy.txt:3: the name `a` is taken",
            ),
        ] {
            assert_eq!(taken(text).1.first().map(String::as_str), Some(wrong));
        }
    }
}
