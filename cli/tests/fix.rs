//! `nbmedic fix`: what it shows, what it writes, and what it leaves as it is.

mod schema;

use nbmedic::facts::Edit;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn nbmedic(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nbmedic"));
    command.args(args).output().expect("the binary runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const LINE: &str = "table = table.drop('price', 1)";
const FIXED: &str = "table = table.drop('price', axis=1)";

/// A notebook whose last cell fails, as nbformat writes it, with things in it that a rewrite would change.
fn notebook(dir: &Path) -> PathBuf {
    let text = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": ["# Prices, in €\n", "\u0041 title"]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {"b": 1, "a": 1.50},
   "outputs": [],
   "source": [
    "import pandas as pd\n",
    "table = pd.DataFrame({'price': [1], 'size': [2]})"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 2,
   "metadata": {},
   "outputs": [
    {
     "ename": "TypeError",
     "evalue": "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given",
     "output_type": "error",
     "traceback": [
      "---------------------------------------------------------------------------",
      "TypeError                                 Traceback (most recent call last)",
      "Cell In[2], line 2\n      1 unit = '€'\n----> 2 table = table.drop('price', 1)\n      3 print(table, unit)\n",
      "TypeError: DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given"
     ]
    }
   ],
   "source": [
    "unit = '€'\n",
    "table = table.drop('price', 1)\n",
    "print(table, unit)"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;
    let path = dir.join("prices.ipynb");
    fs::write(&path, text).expect("a file can be written");
    path
}

/// The same notebook, which misses a name instead.
fn without(dir: &Path, name: &str) -> PathBuf {
    let path = notebook(dir);
    let text = fs::read_to_string(&path).expect("it is there");
    let message = "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given";
    let text = text
        .replace(message, &format!("name '{name}' is not defined"))
        .replace(LINE, &format!("other = {name}.copy()"))
        .replace("TypeError", "NameError")
        .replace("\"execution_count\": 1", "\"execution_count\": null");
    fs::write(&path, text).expect("a file can be written");
    path
}

fn arg(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

#[test]
fn a_repair_is_shown_and_nothing_is_written() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = notebook(dir.path());
    let before = fs::read(&path).expect("it is there");
    for args in [&["fix"][..], &["fix", "--diff"]] {
        let output = nbmedic(&[args, &[arg(&path)]].concat());
        assert_eq!(output.status.code(), Some(0));
        let text = said(&output);
        for part in [
            "cell 3, line 2:",
            "--- cell 3\n+++ cell 3\n@@ -1,3 +1,3 @@\n unit = '€'\n-table = table.drop('price', 1)\n+table = table.drop('price', axis=1)\n print(table, unit)\n",
            "then run cell 3",
            "nbmedic fix --write",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains('\x1b'), "colours in a pipe");
    }
    assert_eq!(fs::read(&path).expect("it is there"), before);
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1);
}

#[test]
fn a_repair_is_written_and_every_other_byte_stays() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = notebook(dir.path());
    let before = fs::read_to_string(&path).expect("it is there");
    let write = ["fix", "--write", "--applicability", "maybe", arg(&path)];
    let output = nbmedic(&write);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = said(&output);
    assert!(
        text.contains("now run cell 3") && !text.contains("@@"),
        "{text}"
    );
    let after = fs::read_to_string(&path).expect("it is there");
    let line = |line: &str| format!("    \"{line}\\n\",\n");
    assert_eq!(after, before.replace(&line(LINE), &line(FIXED)));
    let backup = dir.path().join("prices.ipynb.bak");
    assert_eq!(fs::read_to_string(&backup).expect("a backup"), before);
    // The old output is still there; the name that it misses is not in the cell any more.
    let again = nbmedic(&write);
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), after);
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 2);
}

#[test]
fn json_holds_the_edits() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = notebook(dir.path());
    let output = nbmedic(&["fix", "--format", "json", arg(&path)]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(schema::faults("fix", &json), [""; 0]);
    let failure = &json["failures"][0];
    assert_eq!(
        (&failure["cell"], &failure["state"]),
        (&Value::from(3), &Value::from("shown"))
    );
    let fix = &failure["fix"];
    assert_eq!(fix["kind"], "edit");
    let code = format!("unit = '€'\n{FIXED}\nprint(table, unit)");
    assert_eq!(fix["code"], code);
    // Whatever its size, it makes the repaired cell.
    let edit: Edit = serde_json::from_value(fix["edits"][0].clone()).expect("an edit");
    assert_eq!((edit.cell, edit.start.line), (3, 2));
    let before = code.replace(FIXED, LINE);
    assert_eq!(Edit::apply(&before, &[&edit]), Some(code));
    // The same edits are in the triage.
    let triage = nbmedic(&["triage", "--format", "json", arg(&path)]);
    let json: Value = serde_json::from_slice(&triage.stdout).expect("one JSON object");
    assert_eq!(schema::faults("triage", &json), [""; 0]);
    assert_eq!(&json["diagnoses"][0]["fixes"][0], fix);
    let write = [
        "fix",
        "--write",
        "--applicability",
        "maybe",
        "--format",
        "json",
    ];
    let output = nbmedic(&[&write[..], &[arg(&path)]].concat());
    let json: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(schema::faults("fix", &json), [""; 0]);
    assert_eq!(json["failures"][0]["state"], "written");
    assert_eq!(json["run"], serde_json::json!([3]));
    assert!(json["backup"]
        .as_str()
        .is_some_and(|b| b.ends_with("prices.ipynb.bak")));
}

#[test]
fn cells_to_run_are_named_and_not_written() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    // The cell that sets it did not run.
    let path = without(dir.path(), "table");
    let output = nbmedic(&["fix", arg(&path)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(said(&output).contains("Run cell 2"), "{}", said(&output));
    let before = fs::read(&path).expect("it is there");
    let output = nbmedic(&["fix", "--write", arg(&path)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("not written"), "{}", said(&output));
    assert_eq!(fs::read(&path).expect("it is there"), before);
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1);
}

#[test]
fn exit_status_tells_repaired_from_left() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    // No change of the code makes room on a disk.
    let path = notebook(dir.path());
    let text = fs::read_to_string(&path).expect("it is there");
    let message = "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given";
    let full = text
        .replace(message, "[Errno 28] No space left on device")
        .replace("TypeError", "OSError");
    fs::write(&path, full).expect("a file can be written");
    let output = nbmedic(&["fix", arg(&path)]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("no repair is known"),
        "{}",
        said(&output)
    );
    let well = dir.path().join("well.ipynb");
    fs::write(&well, r#"{"cells":[],"nbformat":4}"#).expect("a file can be written");
    let output = nbmedic(&["fix", "--write", arg(&well)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(said(&output).contains("nothing to repair"));
    assert!(!dir.path().join("well.ipynb.bak").exists());
}

#[test]
fn what_cannot_be_read_or_written_is_said() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, content: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, content).expect("a file can be written");
        path
    };
    let log = file("run.log", b"NameError: name 'x' is not defined\n");
    let bytes = file("latin.ipynb", b"{\"cells\":[],\"x\":\"\xe9\"}");
    let missing = dir.path().join("missing.ipynb");
    for (args, want) in [
        (vec!["fix", arg(&log)], "run.log: not a notebook"),
        (vec!["fix", arg(&bytes)], "latin.ipynb: not UTF-8"),
        (vec!["fix", arg(&missing)], "missing.ipynb"),
        (vec!["fix", arg(dir.path())], "is a folder"),
        (
            vec!["fix", "--write", "-"],
            "standard input can't be written to",
        ),
        (
            vec!["fix", "--applicability", "certainly", arg(&log)],
            "certainly",
        ),
        (vec!["fix"], "NOTEBOOK"),
    ] {
        let output = nbmedic(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(want), "{args:?}: {message}");
    }
}

#[test]
fn a_triage_shows_the_difference_first() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = notebook(dir.path());
    let text = said(&nbmedic(&["triage", arg(&path)]));
    let (_, help) = text.split_once("\nhelp: ").expect("a fix");
    let part = "      cell 3\n      2 - table = table.drop('price', 1)\n      2 + table = table.drop('price', axis=1)\n";
    assert!(help.contains(part), "{text}");
    // Advice for failures of its kind is one command away.
    assert_eq!(text.matches("\nhelp: ").count(), 1, "{text}");
    assert!(text.contains("more: nbmedic explain"), "{text}");
    let text = said(&nbmedic(&["triage", "--format", "markdown", arg(&path)]));
    let part = "```diff\n@@ cell 3, line 2 @@\n-table = table.drop('price', 1)\n+table = table.drop('price', axis=1)\n```\n";
    assert!(text.contains(part), "{text}");
}
