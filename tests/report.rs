//! Exports are complete and valid, and contain nothing that must not leave.

use nbmedic::catalog::Prose;
use nbmedic::report::{redact, triage_html, triage_json, triage_markdown, Known};
use nbmedic::triage::{triage, Diagnosis, Input};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

fn prose() -> BTreeMap<String, Prose> {
    nbmedic_catalogc::load(Path::new("src/catalog"))
        .unwrap_or_else(|e| panic!("{e}"))
        .into_iter()
        .map(|r| (r.id, r.prose))
        .collect()
}

fn found(text: &str) -> Vec<(Diagnosis, Prose)> {
    let prose = prose();
    triage(&Input {
        text,
        ..Input::default()
    })
    .into_iter()
    .map(|d| {
        let p = prose[d.id].clone();
        (d, p)
    })
    .collect()
}

/// A message that tries to break out of whatever contains it.
const HOSTILE: &str =
    "``` <script>0</script> `\n</pre><script>alert(1)</script> | <b>@somebody</b> ````";

fn failure() -> String {
    format!(
        "Traceback (most recent call last):\n  File \"/home/ada/run.py\", line 3, in <module>\n    \
         main()\nValueError: {HOSTILE}\n"
    )
}

#[test]
fn the_json_line_is_what_the_contract_says() {
    let json = triage_json("out.txt", &found(&failure()));
    assert!(!json.contains('\n'));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], "nbmedic.triage/1");
    assert_eq!(json["source"], "out.txt");
    let d = &json["diagnoses"][0];
    let keys: Vec<&String> = d.as_object().expect("an object").keys().collect();
    for key in [
        "id",
        "confidence",
        "title",
        "summary",
        "facts",
        "location",
        "evidence",
        "explanation",
        "fixes",
        "links",
    ] {
        assert!(keys.iter().any(|k| *k == key), "{key}: {keys:?}");
    }
    assert!(d["evidence"][0]["line"].is_u64() && d["evidence"][0]["text"].is_string());
    for fix in d["fixes"].as_array().expect("a list") {
        for key in ["id", "title", "why", "applicability", "code", "language"] {
            assert!(fix[key].is_string(), "{key}: {fix}");
        }
        let sure = fix["applicability"].as_str().expect("a word");
        assert!(["sure", "likely", "maybe"].contains(&sure), "{sure}");
    }
    assert!(d["links"]
        .as_array()
        .expect("a list")
        .iter()
        .all(Value::is_string));
    let bare = triage_json("-", &found("Your session crashed for an unknown reason.\n"));
    assert!(bare.contains(r#""facts":{}"#), "{bare}");
    assert_eq!(
        triage_json("-", &[]),
        r#"{"schema":"nbmedic.triage/1","source":"-","diagnoses":[]}"#
    );
}

#[test]
fn nothing_breaks_out_of_markdown() {
    let text = triage_markdown("a|b`c", &found(&failure()), &Known::default());
    // Outside fences, no markup of the message remains.
    let mut fence: Option<usize> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks >= open && line.trim_start_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                assert!(!line.contains("<script"), "{line}");
                assert!(!line.contains("<b>"), "{line}");
                assert!(!line.contains("@somebody"), "{line}");
            }
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    assert!(!text.contains("/home/ada"), "{text}");
}

#[test]
fn the_page_holds_no_script_and_loads_nothing() {
    let page = triage_html(&[
        ("bad.txt".to_owned(), found(&failure())),
        ("<b>good</b>".to_owned(), Vec::new()),
    ]);
    for part in [
        "<script",
        "<b>",
        "<img",
        "src=",
        "url(",
        "http-equiv=\"refresh\"",
        "/home/ada",
    ] {
        assert!(!page.contains(part), "{part}");
    }
    for part in [
        "default-src 'none'",
        "Nothing wrong was found.",
        "&lt;b&gt;good&lt;/b&gt;",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<button"), "nothing would answer it");
}

#[test]
fn long_and_dense_texts_end() {
    for piece in [
        "token=",
        "a@b.co ",
        "://a:b",
        "-----BEGIN PRIVATE KEY-----\n",
        "/home/a",
        "eyJ",
    ] {
        let text = piece.repeat((128 << 10) / piece.len());
        let redacted = redact(&text);
        let mut rebuilt = 0;
        for f in &redacted.found {
            assert!(f.range.start >= rebuilt && f.range.end <= text.len());
            rebuilt = f.range.end;
        }
    }
}
