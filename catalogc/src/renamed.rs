//! The tables of names that libraries removed or renamed (`renamed/<library>.toml`).

use crate::pattern::Names;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::{fs, path::Path};

/// The facts about one name; `src/catalog/README.md` describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The replacement.
    #[serde(default)]
    pub new: String,
    /// The release that removed it.
    #[serde(default)]
    pub since: String,
    /// The first release that has the replacement.
    #[serde(default)]
    pub from: String,
    /// The release that added the name.
    #[serde(default)]
    pub added: String,
    /// The classes or functions that it belongs to; empty: any.
    #[serde(default)]
    pub of: Vec<String>,
    /// Whether a fix's text lists it.
    #[serde(default)]
    pub shown: bool,
}

/// One library's names, by kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Address of the documentation by release; `""`: of all other releases.
    pub sources: BTreeMap<String, String>,
    /// Names in the library's modules.
    #[serde(default)]
    pub attributes: BTreeMap<String, Entry>,
    /// Attributes and methods of its objects.
    #[serde(default)]
    pub members: BTreeMap<String, Entry>,
    /// Named arguments of its functions.
    #[serde(default)]
    pub arguments: BTreeMap<String, Entry>,
    /// Modules.
    #[serde(default)]
    pub modules: BTreeMap<String, Entry>,
}

impl Library {
    fn kinds(&self) -> [(&'static str, &BTreeMap<String, Entry>); 4] {
        [
            ("attributes", &self.attributes),
            ("members", &self.members),
            ("arguments", &self.arguments),
            ("modules", &self.modules),
        ]
    }

    /// The page that documents a name's change.
    fn source(&self, entry: &Entry) -> &str {
        let of = |release: &str| self.sources.get(release);
        let own = [&entry.since, &entry.added, &entry.from].into_iter();
        let found = own.filter(|r| !r.is_empty()).find_map(|r| of(r));
        found.or_else(|| of("")).map_or("", String::as_str)
    }
}

/// Every library's table, by its name.
pub type Tables = BTreeMap<String, Library>;

/// Reads every `*.toml` of a folder.
pub(crate) fn load(dir: &Path) -> Result<Tables, String> {
    let mut all = Tables::new();
    let at = |e: &dyn std::fmt::Display, path: &Path| format!("{}: {e}", path.display());
    for entry in fs::read_dir(dir).map_err(|e| at(&e, dir))? {
        let path = entry.map_err(|e| at(&e, dir))?.path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).map_err(|e| at(&e, &path))?;
        let library: Library = toml::from_str(&text).map_err(|e| at(&e, &path))?;
        check(&library).map_err(|e| at(&e, &path))?;
        all.insert(name.into_owned(), library);
    }
    Ok(all)
}

fn check(library: &Library) -> Result<(), String> {
    let release = |r: &str| {
        r.split('.')
            .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    for (kind, names) in library.kinds() {
        for (name, e) in names {
            let said = [&e.since, &e.from, &e.added];
            if let Some(r) = said.iter().find(|r| !r.is_empty() && !release(r)) {
                return Err(format!("{kind}.{name}: `{r}` is no release"));
            }
            let removed = !e.since.is_empty() || !e.new.is_empty();
            if removed && !e.added.is_empty() {
                return Err(format!("{kind}.{name} was both added and removed"));
            }
            let known = said.iter().any(|r| !r.is_empty()) || !e.new.is_empty();
            if known && library.source(e).is_empty() {
                return Err(format!("{kind}.{name} has no source"));
            }
        }
    }
    Ok(())
}

/// The lists that patterns name: `{numpy.attributes}`, `{any.arguments}` (of every library).
pub(crate) fn names(tables: &Tables) -> Names {
    let mut out = Names::new();
    for (library, table) in tables {
        for (kind, names) in table.kinds() {
            for owner in [library.as_str(), "any"] {
                let list = out.entry(format!("{owner}.{kind}")).or_default();
                list.extend(names.keys().cloned());
            }
        }
    }
    for list in out.values_mut() {
        list.sort();
        list.dedup();
    }
    out.retain(|_, list| !list.is_empty());
    out
}

/// Expands lists of replacements in a rule's prose: `{renamed numpy.attributes np.}` becomes
/// "`np.float_` → `np.float64` (2.0), …", with the entries marked `shown`.
pub(crate) fn prose(text: &str, tables: &Tables) -> Result<String, String> {
    const OPEN: &str = "{renamed ";
    let mut parts = text.split(OPEN);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (call, rest) = part.split_once('}').ok_or("`{renamed` has no end")?;
        let (list, prefix) = call.split_once(' ').unwrap_or((call, ""));
        let entries = list.split_once('.').and_then(|(library, kind)| {
            let kinds = tables.get(library)?.kinds();
            kinds
                .into_iter()
                .find(|(k, _)| *k == kind)
                .map(|(_, names)| names)
        });
        let entries = entries.ok_or_else(|| format!("`{list}` is no list of names"))?;
        let shown: Vec<String> = entries
            .iter()
            .filter(|(_, e)| e.shown)
            .map(|(name, e)| line(prefix, name, e))
            .collect();
        if shown.is_empty() {
            return Err(format!("`{list}` has no entry with `shown`"));
        }
        out.push_str(&shown.join(", "));
        out.push_str(rest);
    }
    Ok(out)
}

fn line(prefix: &str, name: &str, e: &Entry) -> String {
    let new = match e.new.as_str() {
        "" => "gone".to_owned(),
        new => format!("`{new}`"),
    };
    let release = if e.from.is_empty() { &e.since } else { &e.from };
    let mut text = format!("`{prefix}{name}` → {new}");
    if !release.is_empty() {
        let _ = write!(text, " ({release})");
    }
    text
}

/// The table for the engine: one row for each name with any facts.
pub(crate) fn packed(tables: &Tables) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for (library, table) in tables {
        for (kind, names) in table.kinds() {
            for (name, e) in names {
                if e.new.is_empty() && e.since.is_empty() && e.added.is_empty() {
                    continue;
                }
                let fields = [library, kind, name, &e.new, &e.since, &e.from, &e.added];
                let mut fields: Vec<String> = fields.map(str::to_owned).to_vec();
                fields.push(e.of.join(" "));
                fields.push(table.source(e).to_owned());
                out.push(fields);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let toml = "[sources]\n'' = 'https://a.example/all'\n'2.0' = 'https://a.example/2'\n[attributes]\n\
            old = { new = 'n.new', since = '2.0', shown = true }\ngone = { since = '1.0' }\nodd = {}\n\
            [arguments]\nsize = { new = 'count', from = '1.2', of = ['f', 'g'], shown = true }\n";
        let library: Library = toml::from_str(toml).expect("TOML");
        check(&library).expect("a sound table");
        Tables::from([("lib".to_owned(), library)])
    }

    #[test]
    fn patterns_prose_and_engine_read_one_table() {
        let all = names(&tables());
        assert_eq!(all["lib.attributes"], ["gone", "odd", "old"]);
        assert_eq!(all["any.arguments"], ["size"]);
        assert_eq!(
            prose(
                "Use: {renamed lib.attributes n.}; {renamed lib.arguments}.",
                &tables()
            )
            .as_deref(),
            Ok("Use: `n.old` → `n.new` (2.0); `size` → `count` (1.2).")
        );
        for bad in [
            "{renamed lib.modules}",
            "{renamed other.attributes}",
            "{renamed lib.arguments",
        ] {
            assert!(prose(bad, &tables()).is_err(), "{bad}");
        }
        let lines = packed(&tables());
        assert_eq!(lines.len(), 3, "`odd` says nothing");
        assert_eq!(lines[0][2..5], ["gone", "", "1.0"]);
        assert_eq!(lines[1][8], "https://a.example/2");
        assert_eq!(lines[2][7], "f g");
    }

    #[test]
    fn a_table_with_a_mistake_is_refused() {
        for bad in [
            "a = { since = '2.x' }",
            "a = { new = 'b', added = '2.0' }",
            "a = { colour = 'b' }",
            "a = { since = '1.0' }",
        ] {
            let source = if bad.contains("1.0") {
                ""
            } else {
                "'' = 'https://a.example'"
            };
            let toml = format!("[sources]\n{source}\n[members]\n{bad}\n");
            let read = toml::from_str::<Library>(&toml).map_err(|e| e.to_string());
            assert!(read.and_then(|l| check(&l)).is_err(), "{bad}");
        }
    }
}
