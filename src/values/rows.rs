//! All rows, by name. A row is read when it is needed for the first time.

use crate::row::{self, Gives, Row};
use std::collections::BTreeMap;
use std::rc::Rc;

include!(concat!(env!("OUT_DIR"), "/rows.rs"));

/// A line of a file.
type Line = (usize, usize, &'static str);

/// The rows by their names.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Those of functions and classes by their whole paths, of methods by kind and name.
    by_name: BTreeMap<&'static str, Vec<&'static str>>,
    /// The kinds that have a method of a name.
    by_method: BTreeMap<&'static str, Vec<&'static str>>,
    /// The kind whose methods a kind has as well.
    parents: BTreeMap<&'static str, &'static str>,
    /// Another path for the same: `tensorflow.keras` is `keras`.
    aliases: Vec<(&'static str, &'static str)>,
}

/// Each line that is a row, with its file and its number, from 1.
fn lines() -> impl Iterator<Item = Line> {
    let files = FILES.iter().enumerate();
    files.flat_map(|(at, (_, text))| {
        let lines = text.lines().enumerate().filter(|(_, l)| !l.is_empty());
        lines.map(move |(i, line)| (at, i + 1, line))
    })
}

/// The name at the beginning of a row.
fn name_of(line: &'static str) -> &'static str {
    let end = line.find(['(', ' ']).unwrap_or(line.len());
    &line[..end]
}

impl Rows {
    pub(crate) fn all() -> Rows {
        let mut rows = Rows {
            by_name: BTreeMap::new(),
            by_method: BTreeMap::new(),
            parents: BTreeMap::new(),
            aliases: Vec::new(),
        };
        for (_, _, line) in lines() {
            if let Some((from, to)) = line
                .strip_prefix("alias ")
                .and_then(|l| l.split_once(" = "))
            {
                rows.aliases.push((from, to));
                continue;
            }
            if let Some((kind, parent)) =
                line.strip_prefix("kind ").and_then(|l| l.split_once(" < "))
            {
                rows.parents.insert(kind, parent);
                continue;
            }
            let name = name_of(line);
            rows.by_name.entry(name).or_default().push(line);
            if let Some((kind, parent)) = line
                .rsplit_once(" < ")
                .filter(|_| !line.contains(" when "))
                .and_then(|(l, parent)| Some((l.rsplit_once("-> ")?.1, parent)))
            {
                let kind = kind.split(['[', ':', ' ']).next().unwrap_or(kind);
                rows.parents.insert(kind, parent);
            }
            // What a table is of which nothing is known is no question of polars: its methods have the names of pandas'.
            let told = is_kind(name) && !name.starts_with("Polars");
            if let Some((kind, method)) = name.split_once('.').filter(|_| told) {
                let kinds = rows.by_method.entry(method).or_default();
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        rows
    }

    /// The rows of a path or a method, in order.
    pub(crate) fn named(&self, name: &str) -> Vec<Rc<Row>> {
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter_map(|l| row::read(l).ok())
            .map(Rc::new)
            .collect()
    }

    /// A path as the rows have it.
    pub(crate) fn path(&self, path: &str) -> String {
        for (from, to) in &self.aliases {
            if let Some(rest) = path.strip_prefix(from) {
                if rest.is_empty() || rest.starts_with('.') {
                    return format!("{to}{rest}");
                }
            }
        }
        path.to_owned()
    }

    /// The rows of a method of a kind, or of what it has its methods from.
    pub(crate) fn method(&self, kind: &str, name: &str) -> Vec<Rc<Row>> {
        let mut at = kind;
        for _ in 0..8 {
            let rows = self.named(&format!("{at}.{name}"));
            if !rows.is_empty() {
                return rows;
            }
            match self.parents.get(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        Vec::new()
    }

    /// Whether a kind is another one, or has its methods.
    pub(crate) fn is(&self, kind: &str, other: &str) -> bool {
        let mut at = kind;
        for _ in 0..8 {
            if at == other {
                return true;
            }
            match self.parents.get(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        false
    }

    /// The kinds that have a method or attribute of a name.
    pub(crate) fn kinds_with(&self, method: &str) -> &[&'static str] {
        self.by_method.get(method).map_or(&[], Vec::as_slice)
    }
}

/// Whether a name begins with a kind and not with a module: modules that are no kinds have more than one part, or are written small.
fn is_kind(name: &str) -> bool {
    let mut parts = name.split('.');
    let (Some(first), Some(_), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    first.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') || SMALL.contains(&first)
}

/// Kinds that are written small.
const SMALL: &[&str] = &[
    "bool",
    "bytes",
    "csr_matrix",
    "dict",
    "float",
    "int",
    "list",
    "ndarray",
    "range",
    "scalar",
    "set",
    "str",
    "tuple",
];

/// Reads all rows.
///
/// # Errors
///
/// Each line that can't be read: its file, its number and what was expected.
pub fn check() -> Result<Vec<Row>, Vec<String>> {
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for (file, number, line) in lines() {
        let place = || format!("src/values/rows/{}:{number}", FILES[file].0);
        if let Some(alias) = line.strip_prefix("alias ") {
            if !alias.contains(" = ") {
                wrong.push(format!("{}: expected ` = ` in an alias", place()));
            }
            continue;
        }
        if line
            .strip_prefix("kind ")
            .is_some_and(|l| l.contains(" < "))
        {
            continue;
        }
        match row::read(line) {
            Ok(row) => {
                if let Some(unknown) = unknown(&row.gives) {
                    wrong.push(format!("{}: no function `{unknown}`", place()));
                }
                rows.push(row);
            }
            Err(e) => wrong.push(format!("{}: {e}", place())),
        }
    }
    match wrong.is_empty() {
        true => Ok(rows),
        false => Err(wrong),
    }
}

/// A function in a result that is none.
fn unknown(gives: &Gives) -> Option<&'static str> {
    use crate::row::{Dim, Term};
    fn of(term: &Term) -> Option<&'static str> {
        match term {
            Term::Call(f, _) if !row::FUNCTIONS.contains(f) => Some(f),
            Term::Call(_, args) => args.iter().find_map(of),
            _ => None,
        }
    }
    match gives {
        Gives::Several(_, all) => all.iter().find_map(unknown),
        Gives::One(one) => {
            let dims = one.dims.iter().flatten().map(|d| match d {
                Dim::One(t) | Dim::Many(t) => t,
            });
            dims.chain(&one.dtype).chain(&one.constant).find_map(of)
        }
    }
}
