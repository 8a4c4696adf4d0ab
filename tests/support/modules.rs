//! The modules of a crate and which of them uses which, read from its source.
//!
//! A use is a path in a `use` item, in code or in a macro's arguments that leads to something
//! defined in another module. A re-export is followed to the definition, so a facade does not count
//! as the module that it re-exports. Test modules are left out.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, Meta, UseTree};

/// A module's name: the segments from the crate's root, which has none.
pub type Name = Vec<String>;

/// Maximum number of re-exports that are followed from one name.
const MAX_STEPS: usize = 16;

#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// What `use` items bind here, and the paths they name.
    bound: BTreeMap<String, Vec<String>>,
    /// Paths whose whole contents `use` items bring in.
    globs: Vec<Vec<String>>,
    /// Paths in code.
    paths: BTreeSet<Vec<String>>,
}

/// The modules of one crate.
pub struct Modules(BTreeMap<Name, Module>);

impl Modules {
    /// Reads a crate from its root file.
    pub fn read(root: &Path) -> Modules {
        let mut modules = Modules(BTreeMap::new());
        let folder = root.parent().expect("a file lies in a folder").to_owned();
        modules.file(root, &folder, Vec::new());
        modules
    }

    fn file(&mut self, path: &Path, folder: &Path, name: Name) {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        self.items(file.items, folder, name);
    }

    fn items(&mut self, items: Vec<Item>, folder: &Path, name: Name) {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Mod(m) if is_test(&m.attrs) => {}
                Item::Mod(m) => {
                    let child = m.ident.to_string();
                    let inside = [name.clone(), vec![child.clone()]].concat();
                    match m.content {
                        Some((_, items)) => self.items(items, &folder.join(&child), inside),
                        None => {
                            let (file, below) = place(&m.attrs, folder, &child);
                            self.file(&file, &below, inside);
                        }
                    }
                    module.children.insert(child);
                }
                Item::Use(u) if !is_test(&u.attrs) => module.bind(&mut Vec::new(), &u.tree),
                Item::Use(_) => {}
                Item::Fn(f) if is_test(&f.attrs) => {}
                item => paths(item.into_token_stream(), &mut module.paths),
            }
        }
        self.0.insert(name, module);
    }

    /// Which module uses which.
    pub fn uses(&self) -> BTreeMap<&Name, BTreeSet<Name>> {
        let mut all = BTreeMap::new();
        for (name, module) in &self.0 {
            let named = module
                .bound
                .values()
                .chain(&module.globs)
                .chain(&module.paths);
            let mut used: BTreeSet<Name> = named
                .filter_map(|path| self.defined(name, path, MAX_STEPS))
                .collect();
            used.remove(name);
            all.insert(name, used);
        }
        all
    }

    /// The module that defines what a path names; `None` if another crate defines it, or if
    /// the path begins with a name that a `use` item binds, which is counted by itself.
    fn defined(&self, from: &Name, path: &[String], steps: usize) -> Option<Name> {
        let steps = steps.checked_sub(1)?;
        let mut at = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop()?;
            }
            first if self.0[from].children.contains(first) => at.push(first.to_owned()),
            _ => return None,
        }
        rest = &rest[1..];
        while rest.first().is_some_and(|s| s == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        for (i, segment) in rest.iter().enumerate() {
            let module = self.0.get(&at)?;
            if module.children.contains(segment) {
                at.push(segment.clone());
                continue;
            }
            if let Some(bound) = module.bound.get(segment) {
                let further = [&bound[..], &rest[i + 1..]].concat();
                return match bound[0].as_str() {
                    "crate" | "self" | "super" => self.defined(&at, &further, steps),
                    first if module.children.contains(first) => self.defined(&at, &further, steps),
                    // Defined by another crate and only re-exported here.
                    _ => None,
                };
            }
            break;
        }
        Some(at)
    }

    /// The uses that are part of a cycle, as text.
    pub fn circles(&self) -> Vec<String> {
        let uses = self.uses();
        let reached: BTreeMap<&Name, BTreeSet<Name>> = uses
            .keys()
            .map(|start| {
                let mut seen = BTreeSet::new();
                let mut open: Vec<&Name> = uses[start].iter().collect();
                while let Some(next) = open.pop() {
                    if seen.insert(next.clone()) {
                        open.extend(&uses[next]);
                    }
                }
                (*start, seen)
            })
            .collect();
        let mut within = Vec::new();
        for (name, used) in &uses {
            let back = used.iter().filter(|other| reached[other].contains(*name));
            let back: Vec<String> = back.map(shown).collect();
            if !back.is_empty() {
                within.push(format!("{} uses {}", shown(name), back.join(", ")));
            }
        }
        within
    }
}

/// A module's name as text.
fn shown(name: &Name) -> String {
    match name.is_empty() {
        true => "crate".to_owned(),
        false => name.join("::"),
    }
}

impl Module {
    fn bind(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        let path = |last: String| [before.clone(), vec![last]].concat();
        match tree {
            UseTree::Path(p) => {
                before.push(p.ident.to_string());
                self.bind(before, &p.tree);
                before.pop();
            }
            UseTree::Group(g) => g.items.iter().for_each(|t| self.bind(before, t)),
            UseTree::Name(n) if n.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.bound.insert(name, before.clone());
            }
            UseTree::Name(n) => {
                self.bound
                    .insert(n.ident.to_string(), path(n.ident.to_string()));
            }
            UseTree::Rename(r) => {
                let named = match r.ident == "self" {
                    true => before.clone(),
                    false => path(r.ident.to_string()),
                };
                // Several things may be bound as `_`.
                let name = match r.rename == "_" {
                    true => format!("_{}", self.bound.len()),
                    false => r.rename.to_string(),
                };
                self.bound.insert(name, named);
            }
            UseTree::Glob(_) => self.globs.push(before.clone()),
        }
    }
}

/// A child's file, and the folder of its own children.
fn place(attrs: &[Attribute], folder: &Path, child: &str) -> (PathBuf, PathBuf) {
    let below = folder.join(child);
    for attr in attrs.iter().filter(|a| a.path().is_ident("path")) {
        if let Meta::NameValue(n) = &attr.meta {
            let path = n.value.to_token_stream().to_string();
            return (folder.join(path.trim_matches('"')), below);
        }
    }
    let beside = folder.join(format!("{child}.rs"));
    match beside.exists() {
        true => (beside, below),
        false => (below.join("mod.rs"), below),
    }
}

fn is_test(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| {
        a.path().is_ident("test")
            || a.path().is_ident("cfg") && {
                let condition = a.meta.to_token_stream().to_string();
                condition.contains("test") && !condition.contains("not")
            }
    })
}

/// The paths in some tokens: names joined by `::`.
fn paths(tokens: TokenStream, out: &mut BTreeSet<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 {
                    keep(&mut path, out);
                }
                colons = 0;
                path.push(ident.to_string());
                continue;
            }
            TokenTree::Punct(p) if p.as_char() == ':' && !path.is_empty() => {
                colons += 1;
                continue;
            }
            TokenTree::Group(g) => paths(g.stream(), out),
            _ => {}
        }
        colons = 0;
        keep(&mut path, out);
    }
    keep(&mut path, out);
}

fn keep(path: &mut Vec<String>, out: &mut BTreeSet<Vec<String>>) {
    let path = std::mem::take(path);
    if path.len() > 1 {
        out.insert(path);
    }
}
