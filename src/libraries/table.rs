//! Reads a packed table and looks names up in it. README.md describes the format.

use crate::releases::{compare, Release, Releases, MOST};
use std::cmp::Ordering;
use std::ops::Range;

/// Texts that are longer are no table.
const MOST_BYTES: usize = 8 << 20;

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A module.
    Module,
    /// A class.
    Class,
    /// A function or method.
    Function,
    /// A constant, property or other attribute.
    Value,
}

/// A part of the table's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    from: u32,
    to: u32,
}

/// One line: a name of a module or class.
#[derive(Debug)]
pub(crate) struct Entry {
    name: Part,
    /// What it is.
    pub kind: Kind,
    /// The variants, as written.
    rest: Part,
    /// The module or class that it is in.
    pub scope: usize,
    /// Where it is a class that is described here: its scope.
    pub own: Option<usize>,
}

/// A module or class with its names.
#[derive(Debug)]
pub(crate) struct Scope {
    /// Its dotted path; `~Name` for a class without a public one.
    pub path: String,
    /// The releases that have it.
    pub releases: Releases,
    /// Whether it is a class.
    pub class: bool,
    /// The line that describes it, if it is a class.
    pub entry: Option<usize>,
    bases: Part,
    entries: Vec<usize>,
}

/// What a name is in some releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant<'t> {
    /// The releases.
    pub releases: Releases,
    /// The parameters, as written, if known.
    pub params: Option<&'t str>,
    /// The path of the class that it is, or of the class of the value.
    pub same: Option<&'t str>,
}

/// The public names and parameters of one library in several releases.
#[derive(Debug)]
pub struct Table {
    text: String,
    library: String,
    imports: Vec<String>,
    releases: Vec<(String, bool)>,
    entries: Vec<Entry>,
    /// Sorted by path.
    scopes: Vec<Scope>,
}

/// The variants of a line: its words.
fn variants(text: &str, all: Releases, count: usize) -> Option<Vec<Variant<'_>>> {
    let mut out = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let end = word.find(['(', '=']).unwrap_or(word.len());
        let (when, rest) = word.split_at(end);
        let releases = match when {
            "" => all,
            _ => Releases::parse(when, count)?,
        };
        let params = rest.strip_prefix('(').map(|r| r.strip_suffix(')'));
        out.push(Variant {
            releases,
            params: match params {
                Some(None) => return None,
                Some(params) => params,
                None => None,
            },
            same: rest.strip_prefix('=').filter(|s| !s.is_empty()),
        });
    }
    if out.is_empty() {
        out.push(Variant {
            releases: all,
            params: None,
            same: None,
        });
    }
    Some(out)
}

/// A table while it is read.
struct Reader<'t> {
    text: &'t str,
    count: usize,
    entries: Vec<Entry>,
    scopes: Vec<Scope>,
    module: Option<usize>,
    class: Option<usize>,
}

impl<'t> Reader<'t> {
    fn part(&self, of: &str) -> Part {
        // Both are parts of the same text, so the difference is the offset.
        let from = (of.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Part {
            from: from as u32,
            to: (from + of.len()) as u32,
        }
    }

    fn scope(&mut self, path: String, releases: Releases, entry: Option<usize>) -> usize {
        self.scopes.push(Scope {
            path,
            releases,
            class: entry.is_some(),
            entry,
            bases: Part::default(),
            entries: Vec::new(),
        });
        self.scopes.len() - 1
    }

    /// Reads one line after the head; an error says what is wrong with it.
    fn line(&mut self, line: &'t str) -> Result<(), &'static str> {
        if let Some(rest) = line.strip_prefix('[') {
            let (path, when) = rest.split_once(']').ok_or("no `]`")?;
            let releases = match when.trim_start() {
                "" => Releases::first(self.count),
                when => Releases::parse(when, self.count).ok_or("bad releases")?,
            };
            self.module = Some(self.scope(path.to_owned(), releases, None));
            self.class = None;
            return Ok(());
        }
        let (member, line) = match line.strip_prefix(' ') {
            Some(member) => (true, member),
            None => (false, line),
        };
        let module = self.module.ok_or("a name before the first module")?;
        if member {
            let class = self.class.ok_or("a member without a class")?;
            if let Some(bases) = line.strip_prefix('^') {
                let part = self.part(bases);
                self.scopes[class].bases = part;
                return match self.bases(bases) {
                    Some(()) => Ok(()),
                    None => Err("bad bases"),
                };
            }
            return self.entry(line, class);
        }
        self.entry(line, module)?;
        let (at, entry) = (self.entries.len() - 1, self.entries.last());
        let Some((Kind::Class, rest)) = entry.map(|e| (e.kind, e.rest)) else {
            self.class = None;
            return Ok(());
        };
        let all = self.scopes[module].releases;
        let found = variants(
            &self.text[rest.from as usize..rest.to as usize],
            all,
            self.count,
        );
        // Where it is another class's alias, that class has its members.
        let here = found.into_iter().flatten().filter(|v| v.same.is_none());
        let releases = here.fold(Releases::default(), |all, v| all.or(v.releases));
        let name = self.entries[at].name;
        let name = &self.text[name.from as usize..name.to as usize];
        let path = match self.scopes[module].path.as_str() {
            "~" => format!("~{name}"),
            module => format!("{module}.{name}"),
        };
        let scope = self.scope(path, releases, Some(at));
        self.entries[at].own = (!releases.is_empty()).then_some(scope);
        self.class = Some(scope);
        Ok(())
    }

    fn bases(&self, text: &str) -> Option<()> {
        for word in text.split(' ').filter(|w| !w.is_empty()) {
            let (when, _) = split_base(word);
            if !when.is_empty() {
                Releases::parse(when, self.count)?;
            }
        }
        Some(())
    }

    fn entry(&mut self, line: &'t str, scope: usize) -> Result<(), &'static str> {
        let kind = match line.as_bytes().first() {
            Some(b'm') => Kind::Module,
            Some(b'c') => Kind::Class,
            Some(b'f') => Kind::Function,
            Some(b'v') => Kind::Value,
            _ => return Err("unknown kind"),
        };
        let line = &line[1..];
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        if name.is_empty() {
            return Err("no name");
        }
        variants(rest, self.scopes[scope].releases, self.count).ok_or("bad variant")?;
        let rest = if rest.is_empty() {
            &line[line.len()..]
        } else {
            rest
        };
        let entry = Entry {
            name: self.part(name),
            kind,
            rest: self.part(rest),
            scope,
            own: None,
        };
        self.entries.push(entry);
        let at = self.entries.len() - 1;
        self.scopes[scope].entries.push(at);
        Ok(())
    }
}

/// The releases and the names of a variant of a class's bases.
fn split_base(word: &str) -> (&str, &str) {
    let range = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | '+');
    let end = word.find(|c| !range(c)).unwrap_or(word.len());
    word.split_at(end)
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// A message that names the line, if the text is not a table.
    pub fn parse(text: &str) -> Result<Table, String> {
        if text.len() > MOST_BYTES {
            return Err("the table is too long".to_owned());
        }
        let text = text.to_owned();
        let mut lines = text.lines();
        let mut head = |word: &str| {
            let line = lines.next().unwrap_or_default();
            let rest = line.strip_prefix(word).and_then(|r| r.strip_prefix(' '));
            rest.ok_or_else(|| format!("a table's head has `{word}`, not `{line:.40}`"))
        };
        if head("nbmedic-signatures")? != "1" {
            return Err("a table of another version".to_owned());
        }
        let library = head("library")?.to_owned();
        let words = |line: &str| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let imports = words(head("imports")?);
        let releases: Vec<(String, bool)> = head("releases")?
            .split_whitespace()
            .map(|r| match r.strip_prefix('~') {
                Some(release) => (release.to_owned(), true),
                None => (r.to_owned(), false),
            })
            .collect();
        if releases.is_empty() || releases.len() > MOST {
            return Err(format!(
                "a table has 1 to {MOST} releases, not {}",
                releases.len()
            ));
        }
        let mut reader = Reader {
            text: &text,
            count: releases.len(),
            entries: Vec::new(),
            scopes: Vec::new(),
            module: None,
            class: None,
        };
        for (at, line) in lines.enumerate().filter(|(_, l)| !l.is_empty()) {
            let wrong = |what| format!("line {}: {what}", at + 5);
            reader.line(line).map_err(wrong)?;
        }
        let Reader {
            entries, scopes, ..
        } = reader;
        let mut table = Table {
            text,
            library,
            imports,
            releases,
            entries,
            scopes,
        };
        table.sort();
        Ok(table)
    }

    /// Orders scopes by path and each one's names, so that they can be searched.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.scopes.len()).collect();
        order.sort_by(|a, b| self.scopes[*a].path.cmp(&self.scopes[*b].path));
        let mut place = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new;
        }
        for entry in &mut self.entries {
            entry.scope = place[entry.scope];
            entry.own = entry.own.map(|own| place[own]);
        }
        self.scopes.sort_by(|a, b| a.path.cmp(&b.path));
        let (text, entries) = (&self.text, &self.entries);
        for scope in &mut self.scopes {
            scope.entries.sort_by_key(|e| cut(text, entries[*e].name));
        }
    }

    /// The library's name in its package registry: `scikit-learn`.
    pub fn library(&self) -> &str {
        &self.library
    }

    /// The modules that it is imported as: `sklearn`.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        self.imports.iter().map(String::as_str)
    }

    /// The releases that the table knows, oldest first.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        self.releases.iter().map(|(name, _)| name.as_str())
    }

    /// The newest release.
    pub fn newest(&self) -> Release {
        Release((self.releases.len() - 1) as u8)
    }

    /// A release's version: `1.24`.
    pub fn version(&self, release: Release) -> &str {
        let found = self.releases.get(usize::from(release.0));
        found.map_or("", |(name, _)| name.as_str())
    }

    /// The release that an installed version belongs to: the newest one that is not after it.
    /// `None` if the version is older than all of them.
    pub fn release(&self, version: &str) -> Option<Release> {
        let after = |(name, _): &(String, bool)| compare(name, version) == Ordering::Greater;
        let count = self.releases.iter().take_while(|r| !after(r)).count();
        count.checked_sub(1).map(|at| Release(at as u8))
    }

    /// All releases, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = Release> {
        (0..self.releases.len()).map(|at| Release(at as u8))
    }

    /// Whether the table knows every release between this one and the one before it.
    pub(crate) fn follows(&self, release: Release) -> bool {
        let found = self.releases.get(usize::from(release.0));
        found.is_some_and(|(_, gap)| !gap)
    }

    /// A module or class of that path.
    pub(crate) fn scope_at(&self, path: &str) -> Option<usize> {
        let found = self.scopes.binary_search_by(|s| s.path.as_str().cmp(path));
        found.ok()
    }

    pub(crate) fn scope(&self, at: usize) -> &Scope {
        &self.scopes[at]
    }

    pub(crate) fn scopes(&self) -> Range<usize> {
        0..self.scopes.len()
    }

    pub(crate) fn entry(&self, at: usize) -> &Entry {
        &self.entries[at]
    }

    pub(crate) fn name(&self, entry: usize) -> &str {
        cut(&self.text, self.entries[entry].name)
    }

    /// The lines of a scope, ordered by name.
    pub(crate) fn entries(&self, scope: usize) -> &[usize] {
        &self.scopes[scope].entries
    }

    /// A scope's lines for a name: several, if it changed its kind.
    pub(crate) fn entries_named(&self, scope: usize, name: &str) -> &[usize] {
        let all = self.entries(scope);
        let from = all.partition_point(|e| self.name(*e) < name);
        let count = all[from..].partition_point(|e| self.name(*e) == name);
        &all[from..from + count]
    }

    /// What a line says of each release.
    pub(crate) fn variants(&self, entry: usize) -> Vec<Variant<'_>> {
        let Entry { rest, scope, .. } = self.entries[entry];
        let all = self.scopes[scope].releases;
        variants(cut(&self.text, rest), all, self.releases.len()).unwrap_or_default()
    }

    /// The releases in which a line's name exists.
    pub(crate) fn present(&self, entry: usize) -> Releases {
        let all = self.variants(entry).into_iter().map(|v| v.releases);
        let scope = self.scopes[self.entries[entry].scope].releases;
        all.fold(Releases::default(), Releases::or).and(scope)
    }

    /// A class's bases in their order, with the releases in which they are.
    pub(crate) fn bases(&self, scope: usize) -> impl Iterator<Item = (Releases, &str)> {
        let Scope {
            bases, releases, ..
        } = self.scopes[scope];
        let words = cut(&self.text, bases).split(' ').filter(|w| !w.is_empty());
        words.flat_map(move |word| {
            let (when, names) = split_base(word);
            let when = Releases::parse(when, self.releases.len()).unwrap_or(releases);
            names.split(',').map(move |name| (when, name))
        })
    }
}

/// A part of a text.
fn cut(text: &str, part: Part) -> &str {
    text.get(part.from as usize..part.to as usize).unwrap_or("")
}
