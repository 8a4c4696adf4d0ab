//! The command line's contract: exit status, JSON lines, clear errors.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const OOM: &str = "Traceback (most recent call last):\n  File \"/srv/train.py\", line 9, in <module>\n    \
    out = net(x)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total \
    capacity of 14.70 GiB of which 1.10 GiB is free. Of the allocated memory 13.20 GiB is allocated by PyTorch, \
    and 110.00 MiB is reserved by PyTorch but unallocated.\n";

fn nbmedic(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nbmedic"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A command that does not read its input closes it early.
    let _ = child
        .stdin
        .take()
        .expect("stdin is piped")
        .write_all(stdin.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

fn line(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn exit_status_tells_sick_from_well_from_unreadable() {
    assert_eq!(
        nbmedic(&["triage"], "epoch 1 loss 0.4\n").status.code(),
        Some(0)
    );
    assert_eq!(nbmedic(&["triage", "-"], OOM).status.code(), Some(1));
    let missing = nbmedic(&["triage", "no-such-file.log"], "");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no-such-file.log"));
    assert_eq!(
        nbmedic(&["triage", "--format", "yaml"], "").status.code(),
        Some(2)
    );
}

#[test]
fn json_holds_the_contract() {
    let json = line(&nbmedic(&["triage", "--format", "json", "-"], OOM));
    assert_eq!(json["schema"], "nbmedic.triage/1");
    assert_eq!(json["source"], "-");
    let d = &json["diagnoses"][0];
    assert_eq!(d["id"], "gpu-oom");
    assert!(d["confidence"].as_f64().is_some_and(|c| c > 0.9));
    assert_eq!(d["facts"]["requested_bytes"], 2_147_483_648_u64);
    assert_eq!(d["facts"]["free_bytes"], 1_181_116_006_u64);
    assert_eq!(d["evidence"][0]["line"], 4);
    for field in ["title", "summary", "explanation"] {
        assert!(d[field].as_str().is_some_and(|s| s.len() > 20), "{field}");
    }
    let fix = &d["fixes"][0];
    for field in ["id", "title", "why", "applicability", "code", "language"] {
        assert!(fix[field].is_string(), "{field}");
    }
    assert!(d["links"].as_array().is_some_and(|l| !l.is_empty()));
    let well = line(&nbmedic(&["triage", "--format", "json"], "all good\n"));
    assert_eq!(well["diagnoses"], Value::Array(Vec::new()));
}

#[test]
fn a_notebook_names_the_cell_and_its_line() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("demo.ipynb");
    let notebook = serde_json::json!({
    "nbformat": 4, "nbformat_minor": 5, "metadata": {},
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": "1 + 1",
         "outputs": [{"output_type": "execute_result", "metadata": {}, "data": {"text/plain": "2"}, "execution_count": 1}]},
        {"cell_type": "code", "id": "c", "metadata": {}, "execution_count": 2, "source": ["a = 1\n", "b + a"],
         "outputs": [{"output_type": "error", "ename": "NameError", "evalue": "name 'b' is not defined", "traceback": [
            "\u{1b}[0;31m---------------------------------------------------------------------------\u{1b}[0m",
            "\u{1b}[0;31mNameError\u{1b}[0m                                 Traceback (most recent call last)",
            "Cell \u{1b}[0;32mIn[2], line 2\u{1b}[0m\n\u{1b}[1;32m      1\u{1b}[0m a = 1\n\u{1b}[0;32m----> 2\u{1b}[0m b + a\n",
            "\u{1b}[0;31mNameError\u{1b}[0m: name 'b' is not defined"]}]}
    ]});
    std::fs::write(&path, notebook.to_string()).expect("the folder is writable");
    let json = line(&nbmedic(
        &[
            "triage",
            "--format",
            "json",
            path.to_str().expect("a UTF-8 path"),
        ],
        "",
    ));
    let d = &json["diagnoses"][0];
    assert_eq!(d["id"], "name-undefined");
    assert_eq!(d["location"]["cell"], 3);
    assert_eq!(d["location"]["line"], 2);
    assert_eq!(d["facts"]["name"], "b");
}

#[test]
fn one_object_per_input_and_the_worst_status() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (sick, well) = (dir.path().join("sick.txt"), dir.path().join("well.txt"));
    std::fs::write(&sick, OOM).expect("the folder is writable");
    std::fs::write(&well, "fine\n").expect("the folder is writable");
    let paths = [well.to_str().expect("UTF-8"), sick.to_str().expect("UTF-8")];
    let both = nbmedic(&["triage", "--format", "json", paths[0], paths[1]], "");
    assert_eq!(both.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&both.stdout).lines().count(), 2);
    let with_missing = nbmedic(&["triage", "--format", "json", paths[1], "absent.log"], "");
    assert_eq!(with_missing.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&with_missing.stdout)
            .lines()
            .count(),
        1
    );
}

#[test]
fn explain_and_rules_know_every_id() {
    let rules = nbmedic(&["rules", "--format", "json"], "");
    let list: Vec<Value> = serde_json::from_slice(&rules.stdout).expect("an array");
    assert!(list.len() >= 16);
    for rule in &list {
        let id = rule["id"].as_str().expect("an id");
        let page = nbmedic(&["explain", id], "");
        assert_eq!(page.status.code(), Some(0), "{id}");
        let text = String::from_utf8_lossy(&page.stdout).into_owned();
        assert!(
            text.contains("Why it happens") && !text.contains("{{"),
            "{id}"
        );
        // An unfilled placeholder must not be printed.
        let words = text.lines().filter(|l| !l.starts_with("        "));
        for line in words {
            assert!(!line.contains("}]") && !line.contains("[ "), "{id}: {line}");
        }
        let proofs: Vec<&str> = rule["proofs"]
            .as_array()
            .expect("one for each fix")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(proofs.len(), rule["fixes"].as_array().map_or(0, Vec::len));
        for proof in proofs {
            assert!(text.contains(proof), "{id}: {proof}");
        }
    }
    let unknown = nbmedic(&["explain", "gpu-omm"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("gpu-oom"));
}

#[test]
fn binary_files_are_refused_with_a_word_on_what_to_give() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let zip = dir.path().join("x.zip");
    std::fs::write(&zip, b"PK\x03\x04rest").expect("the folder is writable");
    let out = nbmedic(&["triage", zip.to_str().expect("UTF-8")], "");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains(".ipynb"));
}

#[test]
fn control_codes_of_an_input_do_not_reach_the_terminal() {
    let evil = "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nValueError: \u{1b}]0;owned\u{7}\u{9b}31mred\n";
    let out = nbmedic(&["triage", "-"], evil);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(!text.contains('\u{7}') && !text.contains('\u{9b}') && !text.contains("\u{1b}]"));
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let help = nbmedic(&["--help"], "");
    let help = String::from_utf8(help.stdout).expect("UTF-8");
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.split_whitespace().next())
        .filter(|c| *c != "help")
        .collect();
    assert!(commands.len() > 5, "{help}");
    let dir = tempfile::tempdir().expect("a folder");
    let man = dir.path().join("man1");
    let written = nbmedic(&["manual", man.to_str().expect("UTF-8")], "");
    assert_eq!(written.status.code(), Some(0));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = nbmedic(&["completions", shell], "");
        let script = String::from_utf8(script.stdout).expect("UTF-8");
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    for command in commands {
        let page = std::fs::read_to_string(man.join(format!("nbmedic-{command}.1")));
        assert!(page.expect("a page").contains("SYNOPSIS"), "{command}");
    }
    let bad = nbmedic(&["manual", "/proc/none"], "");
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("/proc/none"));
}

/// What a start cell prints about the kernel before its own, and its feed.
#[test]
fn a_notebook_with_a_start_cells_verdict_names_the_death() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("died.ipynb");
    let path = path.to_str().expect("UTF-8");
    let triage = |end: &str| {
        let said = format!(
            "nbmedic: the kernel before this one ended Sat Nov 21 19:32:24 2026, while cell [3] ran: model.fit(x)\n\
             The system killed it because memory ran out (certain; signal 9, SIGKILL). Memory just before: 11.9 of 12.0 GiB. \
             ⟦nbmedic:1 {{\"k\":\"end\",\"t\":1763750000000,{end}}}⟧\n"
        );
        let feed =
            "nbmedic: RAM 1.0/12.0 GiB ⟦nbmedic:1 {\"k\":\"s\",\"t\":1763750001000,\"r\":[1,2]}⟧";
        let notebook = serde_json::json!({
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [
            {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1, "source": "1 + 1", "outputs": []},
            {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 2, "source": "nbmedic()", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": said},
                {"output_type": "display_data", "metadata": {}, "data": {"text/plain": feed}}]}
        ]});
        std::fs::write(path, notebook.to_string()).expect("the folder is writable");
        nbmedic(&["triage", "--format", "json", path], "")
    };
    let out = triage(r#""st":9,"oom":[1,1,null],"last":[119,120],"own":100"#);
    assert_eq!(out.status.code(), Some(1));
    let d = &line(&out)["diagnoses"][0];
    assert_eq!(
        (&d["id"], &d["variant"]),
        (&"host-oom".into(), &"system-says".into())
    );
    // A restart is none.
    assert_eq!(triage(r#""st":0,"oom":[0,0,null]"#).status.code(), Some(0));
}

/// A notebook whose second cell fails in its third line.
fn failing_notebook(dir: &std::path::Path) -> String {
    let path = dir.join("fails.ipynb");
    let traceback = "NameError                                 Traceback (most recent call last)\nCell In[2], line 3\n      1 a = 1\n      2 \n----> 3 total = b + a\n\nNameError: name 'b' is not defined";
    let notebook = serde_json::json!({
    "nbformat": 4, "nbformat_minor": 5, "metadata": {},
    "cells": [
        {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1, "source": "1", "outputs": []},
        {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 2, "source": ["a = 1\n", "\n", "total = b + a"],
         "outputs": [{"output_type": "error", "ename": "NameError", "evalue": "name 'b' is not defined", "traceback": [traceback]}]}
    ]});
    std::fs::write(&path, notebook.to_string()).expect("the folder is writable");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn the_failing_line_is_shown_and_marked_without_colours_in_a_pipe() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let notebook = failing_notebook(dir.path());
    let out = nbmedic(&["triage", &notebook], "");
    let text = String::from_utf8(out.stdout).expect("UTF-8");
    assert!(!text.contains('\u{1b}'), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("error[name-undefined]: "), "{text}");
    assert!(lines[1].ends_with(": cell 2, line 3"), "{text}");
    let at = lines.iter().position(|l| *l == "3 | total = b + a");
    let at = at.unwrap_or_else(|| panic!("{text}"));
    assert_eq!(lines[at + 1], "  | ^^^^^^^^^^^^^");
    assert!(lines[at + 3].ends_with("::: its output"), "{text}");
    assert!(
        lines[at + 5].ends_with("| NameError: name 'b' is not defined"),
        "{text}"
    );
}

#[test]
fn colours_are_there_where_they_are_asked_for_and_no_color_takes_them_away() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let notebook = failing_notebook(dir.path());
    let with = |name: &str, value: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_nbmedic"))
            .args(["triage", &notebook])
            .env_remove("NO_COLOR")
            .env(name, value)
            .output()
            .expect("the binary starts");
        String::from_utf8(out.stdout).expect("UTF-8")
    };
    assert!(with("CLICOLOR_FORCE", "1").contains("\u{1b}[1m\u{1b}[31merror"));
    assert!(!with("NO_COLOR", "1").contains('\u{1b}'));
}

#[test]
fn several_inputs_end_with_a_sum() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let notebook = failing_notebook(dir.path());
    let well = dir.path().join("well.txt");
    std::fs::write(&well, "fine\n").expect("the folder is writable");
    let well = well.to_str().expect("UTF-8");
    let text = |args: &[&str]| String::from_utf8(nbmedic(args, "").stdout).expect("UTF-8");
    let some = text(&["triage", &notebook, well, &notebook]);
    // Its cure says what to do; it is no edit.
    assert_eq!(some.lines().last(), Some("2 problems in 2 of 3 inputs"));
    let unread = text(&["triage", "absent.log", "missing.log"]);
    assert_eq!(unread, "", "nothing is said of what was not read");
    let none = text(&["triage", well, well]);
    assert_eq!(none.lines().last(), Some("nothing wrong found in 2 inputs"));
    assert!(!text(&["triage", &notebook]).contains("inputs"));
}

#[test]
fn html_is_one_page_for_all_inputs() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let notebook = failing_notebook(dir.path());
    let out = nbmedic(&["triage", "--format", "html", &notebook, "-"], OOM);
    let page = String::from_utf8(out.stdout).expect("UTF-8");
    assert_eq!(page.matches("<!doctype html>").count(), 1);
    assert_eq!(page.matches("</html>").count(), 1);
    for part in [
        "default-src 'none'",
        "name-undefined",
        "gpu-oom",
        "<h2>-</h2>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script"));
}

/// How much more a form may lose of a sample than of all fixtures, in percent.
const SLACK: f64 = 4.0;

#[test]
fn a_failure_keeps_its_name_in_the_forms_in_which_people_hand_it_on() {
    // A sample, for time: `nbmedic score tests/fixtures/outputs --forms` has all.
    const EVERY: usize = 9;
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/outputs");
    let folder = tempfile::tempdir().unwrap();
    let mut sample = String::new();
    for file in std::fs::read_dir(fixtures).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let text = std::fs::read_to_string(path).unwrap();
            sample.extend(text.split_inclusive('\n').step_by(EVERY));
        }
    }
    std::fs::write(folder.path().join("sample.jsonl"), sample).unwrap();
    let folder = folder.path().to_str().unwrap();
    let scored = nbmedic(&["score", folder, "--forms"], "");
    let table = String::from_utf8_lossy(&scored.stdout);
    let mut forms = 0;
    for row in table.lines().skip(1) {
        let (name, figures) = row.split_at(22);
        let mut figures = figures.split_whitespace();
        let mut next = || figures.next().and_then(|f| f.parse::<f64>().ok());
        let (Some(kept), Some(goal)) = (next(), next()) else {
            panic!("{row}");
        };
        assert!(kept >= goal - SLACK, "{name}: {kept} of {goal}\n{table}");
        forms += 1;
    }
    assert!(forms >= 34, "{table}");
}
