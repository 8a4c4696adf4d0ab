//! Checks the rooms: the picture shows which crate uses which, as the manifests do, and inside a
//! crate no modules use each other.
// Reads the repository's own files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "support/modules.rs"]
mod modules;

use modules::Modules;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Where the picture begins and ends in `docs/architecture.md`.
const FENCE: (&str, &str) = ("<!-- rooms: tests/rooms.rs -->\n", "<!-- end of rooms -->");

/// The compiler of the catalogue: needed to build, never to run.
const COMPILER: &str = "catalogc";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(folder: &Path) -> Table {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse()
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The room of a package; `None` if the package is not ours.
fn room(package: &str) -> Option<&str> {
    match package {
        "nbmedic" => Some("engine"),
        _ => package.strip_prefix("nbmedic-"),
    }
}

/// A package's manifest: its purpose, and which of our crates it uses.
struct Package {
    folder: PathBuf,
    /// Its description.
    purpose: String,
    uses: BTreeSet<String>,
    builds_with: BTreeSet<String>,
    tests_with: BTreeSet<String>,
}

fn ours(table: Option<&Value>) -> BTreeSet<String> {
    let table = table.and_then(Value::as_table).into_iter().flatten();
    table
        .filter_map(|(name, _)| room(name))
        .map(str::to_owned)
        .collect()
}

/// Every package of the workspace, by room.
fn packages() -> BTreeMap<String, Package> {
    let workspace = manifest(&root());
    let members = workspace["workspace"]["members"]
        .as_array()
        .expect("members");
    let folders = members
        .iter()
        .map(|m| root().join(m.as_str().expect("a path")));
    let mut all = BTreeMap::new();
    for folder in folders.chain([root()]) {
        let table = manifest(&folder);
        let mut uses = ours(table.get("dependencies"));
        // Dependencies of one target are dependencies.
        for target in table
            .get("target")
            .and_then(Value::as_table)
            .into_iter()
            .flatten()
        {
            uses.extend(ours(target.1.get("dependencies")));
        }
        let said = |key: &str| table["package"][key].as_str().expect(key).to_owned();
        let name = said("name");
        let package = Package {
            purpose: said("description"),
            folder,
            uses,
            builds_with: ours(table.get("build-dependencies")),
            tests_with: ours(table.get("dev-dependencies")),
        };
        // A crate that stands in for one of a registry has that one's name, and is no room.
        if let Some(room) = room(&name) {
            all.insert(room.to_owned(), package);
        }
    }
    all
}

/// The number of storeys below a room.
fn storey(room: &str, all: &BTreeMap<String, Package>) -> usize {
    let uses = all.get(room).map(|p| &p.uses).into_iter().flatten();
    uses.map(|u| storey(u, all) + 1).max().unwrap_or(0)
}

/// The engine's rooms: those under `src/`, and the package that joins them.
fn engine(all: &BTreeMap<String, Package>) -> Vec<&str> {
    let src = root().join("src");
    let in_src = |p: &Package| p.folder.starts_with(&src) || p.folder == root();
    let rooms = all.iter().filter(|(_, p)| in_src(p));
    rooms.map(|(name, _)| name.as_str()).collect()
}

/// The picture: from the top, each room with what it is for and what it uses.
fn picture(all: &BTreeMap<String, Package>) -> String {
    let mut rooms: Vec<(usize, &str)> = engine(all)
        .into_iter()
        .map(|r| (storey(r, all), r))
        .collect();
    rooms.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let mut out = String::from("| storey | room | what it is for | uses |\n|---|---|---|---|\n");
    for (storey, room) in rooms {
        let package = &all[room];
        let folder = match room {
            "engine" => "src".to_owned(),
            _ => format!("src/{room}"),
        };
        let uses: Vec<&str> = package.uses.iter().map(String::as_str).collect();
        let uses = match uses.is_empty() {
            true => "–".to_owned(),
            false => uses.join(", "),
        };
        let _ = writeln!(
            out,
            "| {storey} | `{folder}` | {} | {uses} |",
            package.purpose
        );
    }
    out
}

#[test]
fn the_picture_of_the_rooms_is_what_the_manifests_say() {
    let path = root().join("docs/architecture.md");
    let text = fs::read_to_string(&path).expect("the document");
    let (before, rest) = text.split_once(FENCE.0).expect("where the picture begins");
    let (drawn, after) = rest.split_once(FENCE.1).expect("where the picture ends");
    let picture = picture(&packages());
    if drawn != picture && std::env::var_os("NBMEDIC_BLESS").is_some() {
        let text = [before, FENCE.0, &picture, FENCE.1, after].concat();
        return fs::write(&path, text).expect("the document is writable");
    }
    assert!(
        drawn == picture,
        "docs/architecture.md shows other rooms than the manifests. After \
         NBMEDIC_BLESS=1 cargo test -p nbmedic --test rooms it shows:\n{picture}"
    );
}

#[test]
fn a_room_uses_only_rooms_that_the_workspace_lists_before_it() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let listed = workspace
        .split_once("[workspace.dependencies]")
        .expect("the list")
        .1;
    let order: Vec<&str> = listed
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once(" = "))
        .filter_map(|(name, _)| room(name))
        .collect();
    let place = |room: &str| order.iter().position(|r| *r == room);
    let all = packages();
    for name in engine(&all) {
        // The package that joins the rooms is above all of them, and no room depends on it.
        let own = place(name).unwrap_or(order.len());
        assert!(
            own < order.len() || name == "engine",
            "{name} is not listed"
        );
        for used in &all[name].uses {
            let at =
                place(used).unwrap_or_else(|| panic!("{name} uses {used}, which is not listed"));
            assert!(at < own, "{name} uses {used}, which stands above it");
        }
    }
}

#[test]
fn the_compiler_of_the_catalogue_is_needed_to_build_only() {
    let all = packages();
    for (name, package) in &all {
        assert!(
            !package.uses.contains(COMPILER),
            "{name} has {COMPILER} at run time"
        );
        if package.builds_with.contains(COMPILER) {
            let builders = ["catalog", "cure", "wordings"];
            assert!(builders.contains(&name.as_str()), "{name}");
        }
    }
    assert!(all["catalog"].builds_with.contains(COMPILER));
    assert!(all["triage"].tests_with.contains(COMPILER));
}

#[test]
fn pages_do_not_link_the_engine() {
    let all = packages();
    let mut open = vec!["pages"];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if seen.insert(name) {
            let uses = all.get(name).map(|p| &p.uses).into_iter().flatten();
            open.extend(uses.map(String::as_str));
        }
    }
    for room in ["engine", "triage", "catalog", "session", "traceback"] {
        assert!(!seen.contains(room), "pages link {room}: {seen:?}");
    }
}

#[test]
fn no_modules_of_a_crate_use_each_other() {
    let all = packages();
    let mut read = 0;
    let mut circles = Vec::new();
    for (name, package) in &all {
        for file in ["lib.rs", "src/lib.rs", "src/main.rs"] {
            let file = package.folder.join(file);
            if file.exists() {
                let found = Modules::read(&file).circles();
                circles.extend(found.into_iter().map(|c| format!("{name}: {c}")));
                read += 1;
            }
        }
    }
    assert!(read >= all.len(), "{read} crates of {}", all.len());
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
