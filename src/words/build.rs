//! Generates a function for each message in `extension/_locales/en/messages.json`.

// A build script reads and writes files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::{env, fs, path::Path};

const ENGLISH: &str = "../../extension/_locales/en/messages.json";

fn main() {
    println!("cargo::rerun-if-changed={ENGLISH}");
    let text = fs::read_to_string(ENGLISH).expect("the English messages");
    let catalogue: Value = serde_json::from_str(&text).expect("messages.json is JSON");
    let messages = catalogue.as_object().expect("an object of messages");
    // `Key` searches the table, so it is sorted.
    let messages: BTreeMap<_, _> = messages.iter().collect();
    let mut table = String::from("static MESSAGES: &[(&str, &str)] = &[\n");
    let mut functions = String::new();
    for (at, (key, message)) in messages.iter().enumerate() {
        let (template, names) = template(key, message);
        // Writing to a string can't fail.
        let _ = writeln!(table, "    ({key:?}, {template:?}),");
        let parameters: Vec<String> = names
            .iter()
            .map(|n| format!("{n}: impl Into<Text>"))
            .collect();
        let arguments: Vec<String> = names.iter().map(|n| format!("{n}.into()")).collect();
        let _ = writeln!(
            functions,
            "/// `{}`\npub fn {}({}) -> Say {{\n    Say::new({at}, vec![{}])\n}}",
            template.replace('`', "'").replace('\n', " "),
            snake(key),
            parameters.join(", "),
            arguments.join(", "),
        );
    }
    table.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(
        Path::new(&out).join("messages.rs"),
        format!("{table}\n{functions}"),
    )
    .expect("OUT_DIR is writable");
}

/// The English with `$1` to `$9` in place of the named placeholders, and the names in that order.
fn template(key: &str, message: &Value) -> (String, Vec<String>) {
    let mut text = message["message"].as_str().expect(key).to_owned();
    let mut names = Vec::new();
    if let Some(placeholders) = message["placeholders"].as_object() {
        names = vec![String::new(); placeholders.len()];
        for (name, placeholder) in placeholders {
            let content = placeholder["content"].as_str().expect(key);
            let digit = content.strip_prefix('$').expect(key);
            let at: usize = digit.parse().expect(key);
            let named = format!("${}$", name.to_uppercase());
            assert!(text.contains(&named), "{key}: {named} is not used");
            text = text.replace(&named, content);
            names[at - 1] = name.to_lowercase();
        }
        assert!(names.iter().all(|n| !n.is_empty()), "{key}: a gap");
    }
    let digits = (1..=names.len()).map(|n| n.to_string());
    let known: Vec<String> = digits.collect();
    for (at, _) in text.match_indices('$') {
        let next = text.get(at + 1..at + 2).unwrap_or("");
        assert!(known.iter().any(|d| d == next), "{key}: a stray $");
    }
    (text, names)
}

/// `noAnswer` as `no_answer`.
fn snake(key: &str) -> String {
    let mut name = String::new();
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
