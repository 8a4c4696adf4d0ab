//! What JavaScript is checked against and computes with, generated from this room.

use crate::{
    ActionRequest, Done, DraftOf, Effect, Example, LogLine, Options, Put, Reply, SensorRequest,
    Slot, Status, Text, ViewRequest, SLOTS,
};
use nbmedic_tree::Health;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use ts_rs::{Config, TypeVisitor, TS};

const HEAD: &str = "// Generated from src/protocol by its tests. Don't edit.\n";

/// The bounds that JavaScript knows.
const BOUNDS: &[(&str, usize)] = &[
    ("MAX_HEAD", crate::MAX_HEAD),
    ("MAX_TAIL", crate::MAX_TAIL),
    ("MAX_SOURCE", crate::MAX_SOURCE),
    ("MAX_NOTICE", crate::MAX_NOTICE),
];

struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the standard library are written where they are used.
        if T::output_path().is_none() {
            return T::visit_generics(self);
        }
        let name = T::ident(&self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.found
            .insert(name, tidy(&(docs + "export " + &T::decl(&self.config))));
        T::visit_dependencies(self);
    }
}

/// A declaration with one variant and one field a line, indented, and short comments on one line.
fn tidy(text: &str) -> String {
    let mut text = text.replace(" | {", "\n| {");
    if text.contains("\n| {") {
        text = text.replacen(" = {", " =\n| {", 1);
    }
    let mut out = String::new();
    let mut depth = 0;
    let mut put = |line: &str, depth: usize| {
        let _ = writeln!(out, "{:1$}{line}", "", 2 * depth);
    };
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let base = usize::from(line.starts_with('|'));
        if line == "/**" {
            let said = lines.next().unwrap_or_default();
            if lines.peek() == Some(&"*/") {
                lines.next();
                put(&format!("/**{} */", &said[1..]), depth);
            } else {
                put("/**", depth);
                put(&format!(" {said}"), depth);
            }
        } else if line.starts_with('*') {
            put(&format!(" {line}"), depth);
        } else if let Some((head, tag)) = line
            .split_once("{ ")
            .filter(|(_, tag)| tag.starts_with('"') && line.ends_with(','))
        {
            // A variant's tag, with fields below it.
            put(&format!("{head}{{"), base);
            depth = base + 1;
            put(&tag.replace(',', ";"), depth);
        } else if line.ends_with('{') {
            put(line, base);
            depth = base + 1;
        } else if let Some((field, end)) = line.rsplit_once(", }").filter(|_| depth > 0) {
            put(&format!("{field};"), depth);
            depth -= 1;
            put(&format!("}}{end}"), depth);
            depth = 0;
        } else if let Some(field) = line.strip_suffix(',').filter(|_| depth > 0) {
            put(&format!("{field};"), depth);
        } else {
            put(line, base);
        }
    }
    out
}

/// Everything that events, effects and stored records are made of.
fn records() -> Declarations {
    let mut all = Declarations {
        config: Config::new().with_large_int("number"),
        found: BTreeMap::new(),
    };
    all.visit::<Effect>();
    all.visit::<LogLine>();
    all
}

/// `extension/protocol.d.ts`: the types of events and effects, in the order of their names.
pub fn types() -> String {
    let mut out = HEAD.to_owned();
    for decl in records().found.values() {
        let _ = write!(out, "\n{decl}");
    }
    out.push_str(
        "\n/** The slot of each event: a prefix, then fields, of alternatives the first that has a value. */\n\
         export const SLOTS: Record<string, { prefix: string; fields: string[][] } | undefined>;\n",
    );
    for (name, _) in BOUNDS {
        let _ = writeln!(out, "export const {name}: number;");
    }
    out
}

/// `extension/requests.d.ts`: the types of requests and answers.
pub fn requests() -> String {
    let mut all = records();
    let known: Vec<String> = all.found.keys().cloned().collect();
    all.visit::<SensorRequest>();
    all.visit::<ViewRequest>();
    all.visit::<ActionRequest>();
    all.visit::<Reply>();
    all.visit::<Status>();
    all.visit::<DraftOf>();
    all.visit::<Example>();
    all.visit::<Options>();
    all.visit::<Text>();
    all.visit::<Done>();
    all.visit::<Put>();
    all.visit::<Health>();
    all.found.retain(|name, _| !known.contains(name));
    let text: String = all.found.values().map(|decl| format!("\n{decl}")).collect();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']));
    let words: BTreeSet<&str> = code
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()))
        .collect();
    let used: Vec<&str> = known
        .iter()
        .map(String::as_str)
        .filter(|name| words.contains(name))
        .collect();
    format!(
        "{HEAD}\nimport type {{ {} }} from './protocol.js';\n{text}",
        used.join(", ")
    )
}

/// `extension/protocol.js`: slots and bounds.
pub fn values() -> String {
    let mut out = HEAD.to_owned() + "\nexport const SLOTS = {\n";
    for Slot {
        tag,
        prefix,
        fields,
    } in SLOTS
    {
        let fields: Vec<String> = fields
            .iter()
            .map(|names| format!("['{}']", names.join("', '")))
            .collect();
        let key = match tag.contains('-') {
            true => format!("'{tag}'"),
            false => (*tag).to_owned(),
        };
        let _ = writeln!(
            out,
            "  {key}: {{ prefix: '{prefix}', fields: [{}] }},",
            fields.join(", ")
        );
    }
    out.push_str("};\n\n// Bytes; the sensor counts UTF-16 units, and the engine cuts again.\n");
    for (name, value) in BOUNDS {
        let _ = writeln!(out, "export const {name} = {value};");
    }
    out
}
