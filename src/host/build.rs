//! Joins the profiles in this folder into one JSON array, in the order in which the sensor tries
//! them, and lists those that lend runtimes and those that take new cells: the engine needs these whenever it starts, and reading all
//! profiles takes milliseconds.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use serde_json::Value;
use std::{env, fs, path::Path};

struct Profile {
    id: String,
    like: Option<String>,
    fallback: bool,
    /// Its id and its pages' addresses, if its runtimes are available for a limited time.
    lent: Vec<String>,
    /// New cells can be put into it.
    inserts: bool,
    text: String,
}

fn main() {
    println!("cargo::rerun-if-changed=.");
    let mut profiles: Vec<Profile> = fs::read_dir(".")
        .expect("the folder of the profiles")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a profile");
            let json: Value =
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let id = json["id"].as_str().unwrap_or_default().to_owned();
            assert_eq!(Some(id.as_str()), path.file_stem().and_then(|s| s.to_str()));
            let home = json["home"].as_array().into_iter().flatten();
            let home = home.filter_map(|h| h.as_str().map(str::to_owned));
            let names = std::iter::once(id.clone()).chain(home);
            Profile {
                lent: names.filter(|_| json["lent"] == true).collect(),
                inserts: json["inserts"] == true,
                id,
                like: json["like"].as_str().map(str::to_owned),
                fallback: json["fallback"] == true,
                text,
            }
        })
        .collect();
    // A profile that is like another one describes a special case of it, so it is tried first.
    profiles.sort_by_cached_key(|p| {
        let group = p.like.clone().unwrap_or(p.id.clone());
        (p.fallback, group, p.like.is_none(), p.id.clone())
    });
    let texts: Vec<&str> = profiles.iter().map(|p| p.text.trim_end()).collect();
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(
        Path::new(&out).join("profiles.json"),
        format!("[{}]", texts.join(",")),
    )
    .expect("the joined profiles");
    let lent: Vec<&String> = profiles.iter().flat_map(|p| &p.lent).collect();
    fs::write(Path::new(&out).join("lent.rs"), format!("&{lent:?}")).expect("a list");
    let inserts = profiles.iter().filter(|p| p.inserts);
    let inserts: Vec<&String> = inserts.map(|p| &p.id).collect();
    fs::write(Path::new(&out).join("inserts.rs"), format!("&{inserts:?}")).expect("a list");
}
