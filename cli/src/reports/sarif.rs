//! SARIF 2.1.0, for code scanning and editors
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).

use super::finding::{Finding, Input};
use nbmedic::catalog::{general, plain, prose};
use serde_json::{json, Value};

/// The log of one run over inputs.
pub fn sarif(inputs: &[Input]) -> String {
    let found = || inputs.iter().flat_map(|i| &i.findings);
    let mut ids: Vec<&'static str> = found().map(|f| f.rule).collect();
    ids.sort_unstable();
    ids.dedup();
    let results: Vec<Value> = inputs
        .iter()
        .flat_map(|i| i.findings.iter().map(|f| result(&ids, &i.source, f)))
        .collect();
    let errors = inputs.iter().filter_map(|i| i.error.as_ref());
    let notes: Vec<Value> = errors
        .map(|e| json!({"level": "error", "message": {"text": e}}))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "nbmedic",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": ids.iter().map(|id| rule(id)).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notes.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    });
    format!("{log:#}")
}

/// A diagnosis as a rule.
fn rule(id: &str) -> Value {
    let Some(page) = prose(id).map(|p| general(&p)) else {
        return json!({"id": id});
    };
    json!({
        "id": id,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": plain(&page.summary)},
        "help": {"text": plain(&page.meaning)},
    })
}

fn result(ids: &[&str], source: &str, f: &Finding) -> Value {
    let artifact = json!({"uri": uri(source)});
    let mut physical = json!({"artifactLocation": artifact});
    if let Some(line) = f.file_line {
        physical["region"] = json!({"startLine": line});
    }
    let mut location = json!({"physicalLocation": physical});
    if f.cell.is_some() {
        location["logicalLocations"] = json!([{"name": f.place(), "kind": "element"}]);
    }
    let mut out = json!({
        "ruleId": f.rule,
        "ruleIndex": ids.iter().position(|id| *id == f.rule),
        "level": f.severity,
        "message": {"text": format!("{}\n{}", f.title, f.message)},
        "locations": [location],
    });
    if let Some((title, change)) = &f.fix {
        out["fixes"] = json!([{
            "description": {"text": title},
            "artifactChanges": [{
                "artifactLocation": artifact,
                "replacements": [{
                    "deletedRegion": {
                        "startLine": change.start.0,
                        "startColumn": change.start.1,
                        "endLine": change.end.0,
                        "endColumn": change.end.1,
                    },
                    "insertedContent": {"text": change.text},
                }],
            }],
        }]);
    }
    out
}

/// A path as a reference (RFC 3986): relative, or `file://` for one from the root.
fn uri(path: &str) -> String {
    if path == "-" {
        return "stdin".to_owned();
    }
    let path = match cfg!(windows) {
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    let drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    let mut out = String::from(match path.starts_with('/') {
        true => "file://",
        false if drive => "file:///",
        false => "",
    });
    for b in path.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(b.into());
            }
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::inputs;
    use super::*;

    /// What the schema requires of a log, as far as nbmedic writes one.
    fn faults(log: &Value) -> Vec<String> {
        let mut out = Vec::new();
        let mut check = |holds: bool, what: String| {
            if !holds {
                out.push(what);
            }
        };
        let known = |at: &str, v: &Value, names: &[&str]| {
            let all = v.as_object().expect(at).keys();
            let odd: Vec<&String> = all.filter(|k| !names.contains(&k.as_str())).collect();
            assert!(odd.is_empty(), "{at}: {odd:?}");
        };
        let text = |v: &Value| v["text"].as_str().is_some_and(|t| !t.is_empty());
        known("log", log, &["$schema", "version", "runs"]);
        check(log["version"] == "2.1.0", "version".into());
        for run in log["runs"].as_array().expect("runs") {
            known(
                "run",
                run,
                &["tool", "columnKind", "invocations", "results"],
            );
            let driver = &run["tool"]["driver"];
            check(driver["name"].is_string(), "driver.name".into());
            let rules = driver["rules"].as_array().expect("rules");
            for r in rules {
                check(r["id"].is_string(), format!("rule without id: {r}"));
                check(text(&r["shortDescription"]), format!("rule: {r}"));
                check(!r.to_string().contains("{{"), format!("template: {r}"));
            }
            for i in run["invocations"].as_array().expect("invocations") {
                check(
                    i["executionSuccessful"].is_boolean(),
                    "executionSuccessful".into(),
                );
            }
            for r in run["results"].as_array().expect("results") {
                known(
                    "result",
                    r,
                    &[
                        "ruleId",
                        "ruleIndex",
                        "level",
                        "message",
                        "locations",
                        "fixes",
                    ],
                );
                check(text(&r["message"]), "message".into());
                let index = r["ruleIndex"].as_u64().expect("an index") as usize;
                check(rules[index]["id"] == r["ruleId"], "ruleIndex".into());
                let level = r["level"].as_str().expect("a level");
                check(["error", "warning", "note"].contains(&level), level.into());
                for l in r["locations"].as_array().expect("locations") {
                    let physical = &l["physicalLocation"];
                    check(
                        physical["artifactLocation"]["uri"].is_string(),
                        "uri".into(),
                    );
                    let line = &physical["region"]["startLine"];
                    check(line.as_u64().is_none_or(|n| n > 0), "startLine".into());
                }
                for f in r["fixes"].as_array().into_iter().flatten() {
                    let changes = f["artifactChanges"].as_array().expect("changes");
                    check(!changes.is_empty(), "artifactChanges".into());
                    for c in changes {
                        check(c["artifactLocation"]["uri"].is_string(), "uri".into());
                        let all = c["replacements"].as_array().expect("replacements");
                        check(!all.is_empty(), "replacements".into());
                        for r in all {
                            let region = &r["deletedRegion"];
                            let n = |k: &str| region[k].as_u64().expect("a number");
                            let from = (n("startLine"), n("startColumn"));
                            let to = (n("endLine"), n("endColumn"));
                            check(from.0 > 0 && from.1 > 0 && from <= to, region.to_string());
                            check(r["insertedContent"]["text"].is_string(), "content".into());
                        }
                    }
                }
            }
        }
        out
    }

    #[test]
    fn a_log_holds_what_the_schema_requires() {
        let log: Value = serde_json::from_str(&sarif(&inputs())).unwrap();
        assert_eq!(faults(&log), Vec::<String>::new());
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
        assert_eq!(run["results"][0]["ruleId"], "name-undefined");
        assert_eq!(run["results"][0]["ruleIndex"], 1);
        let change = &run["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "a%20b%2Cc%3Ad.ipynb");
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "a");
        assert_eq!(run["results"][1].get("fixes"), None);
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let none: Value = serde_json::from_str(&sarif(&[])).unwrap();
        assert_eq!(faults(&none), Vec::<String>::new());
        assert_eq!(none["runs"][0]["results"], json!([]));
    }

    #[test]
    fn a_log_that_breaks_the_schema_is_noticed() {
        let mut log: Value = serde_json::from_str(&sarif(&inputs())).unwrap();
        log["version"] = "2.0".into();
        log["runs"][0]["results"][0]["level"] = "help".into();
        log["runs"][0]["results"][0]["ruleIndex"] = 0.into();
        assert_eq!(faults(&log).len(), 3);
    }

    #[test]
    fn every_diagnosis_can_be_a_rule() {
        for r in nbmedic::catalog::rules() {
            let said = rule(r.id);
            for part in ["shortDescription", "fullDescription", "help"] {
                let text = said[part]["text"].as_str();
                assert!(text.is_some_and(|t| !t.is_empty()), "{}: {part}", r.id);
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri("logs/a b.log"), "logs/a%20b.log");
        assert_eq!(uri("/tmp/é"), "file:///tmp/%C3%A9");
        assert_eq!(uri("-"), "stdin");
    }
}
