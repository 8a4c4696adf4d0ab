//! Checks values against the parts of JSON Schema that docs/schema uses.

use serde_json::Value;
use std::path::Path;

/// What is wrong with a value by `docs/schema/<name>-1.schema.json`; empty if nothing is.
pub fn faults(name: &str, value: &Value) -> Vec<String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/schema/{name}-1.schema.json"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    let root: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let mut out = Vec::new();
    check(&root, &root, value, "", &mut out);
    out
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches('#');
        let part = root.pointer(name).expect("the reference leads somewhere");
        return check(root, part, value, at, out);
    }
    let fits = match schema["type"].as_str() {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some(other) => panic!("unknown type {other}"),
    };
    let equals = |key: &str| schema.get(key).is_none_or(|c| c == value);
    let among = schema["enum"].as_array().is_none_or(|l| l.contains(value));
    let least = schema["minimum"].as_f64();
    let enough = least.is_none_or(|m| value.as_f64().is_some_and(|v| v >= m));
    if !fits || !equals("const") || !among || !enough {
        out.push(format!("{at}: {value}"));
    }
    if let Value::Array(items) = value {
        if items.len() < usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap_or(0) {
            out.push(format!("{at}: too few"));
        }
        for (i, item) in items
            .iter()
            .enumerate()
            .filter(|_| schema.get("items").is_some())
        {
            check(root, &schema["items"], item, &format!("{at}/{i}"), out);
        }
    }
    let Value::Object(fields) = value else {
        return;
    };
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            out.push(format!("{at}: no {name}"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}/{name}");
        match schema["properties"].get(name) {
            Some(part) => check(root, part, field, &at, out),
            None if schema["additionalProperties"] == false => out.push(format!("{at}: unknown")),
            None => {}
        }
    }
}
