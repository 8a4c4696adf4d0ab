//! The parser's result for a fixture, in the form of `expected.json`.

use nbmedic::text::{Document, Limits};
use nbmedic::traceback::{parse, Chain, Frame, Origin};
use serde_json::{json, Value};
use std::path::PathBuf;

/// The fixtures' folder.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traceback")
}

/// The fixtures' names and texts, in order.
pub fn fixtures() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder())
        .expect("the fixtures' folder")
        .filter_map(|e| {
            let path = e.expect("an entry").path();
            let name = path
                .file_name()?
                .to_str()?
                .strip_suffix(".txt")?
                .to_string();
            Some((name, std::fs::read_to_string(path).expect("a fixture")))
        })
        .collect();
    all.sort();
    all
}

/// The chains of a text.
pub fn snapshot(text: &str) -> Value {
    let doc = Document::from_terminal(text, Limits::default());
    parse(&doc).iter().map(chain).collect()
}

fn chain(c: &Chain) -> Value {
    let exceptions: Vec<Value> = c
        .exceptions
        .iter()
        .map(|e| {
            let mut marks = Vec::new();
            marks.extend(e.embedded.then_some("embedded"));
            marks.extend(e.ignored.then_some("ignored"));
            json!({
                "is": format!("{:?} {:?} {}", e.relation, e.style, marks.join(" ")).trim_end(),
                "class": e.class,
                "message": e.message_line(),
                "message_lines": e.message.lines().count(),
                "lines": [e.lines.start, e.lines.end],
                "frames": e.frames.len(),
                "deepest": e.frames.last().map(frame),
                "cell": e.frames.iter().rev().find(|f| in_cell(f)).map(frame),
            })
        })
        .collect();
    json!({
        "lines": [c.lines.start, c.lines.end],
        "headed": c.headed,
        "cell_line": c.cell_line(),
        "exceptions": exceptions,
    })
}

fn in_cell(f: &Frame) -> bool {
    matches!(f.origin, Origin::Cell { .. })
}

fn frame(f: &Frame) -> String {
    let line = f.line.map_or_else(|| "?".to_string(), |n| n.to_string());
    let function = f.function.as_deref().unwrap_or("-");
    let code = f.code.as_deref().unwrap_or("-");
    format!("{}:{line} {function} | {code} | {:?}", f.file, f.origin)
}
