//! What a CI system and an editor get: reports, folders, and the short form of the command.

mod program;

use program::{complaint, nbmedic, text, OOM};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A notebook whose third line misspells a name.
fn notebook(path: &Path) {
    let traceback = "NameError                                 Traceback (most recent call last)\nCell In[1], line 2\n      1 total = 3\n----> 2 print(totl)\n\nNameError: name 'totl' is not defined";
    let notebook = json!({
        "cells": [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Totals"]},
            {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": ["total = 3\n", "print(totl)"],
             "outputs": [{"output_type": "error", "ename": "NameError", "evalue": "name 'totl' is not defined", "traceback": [traceback]}]}
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5
    });
    fs::write(path, format!("{notebook:#}\n")).expect("the folder is writable");
}

/// Runs it in a folder.
fn within(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nbmedic"))
        .args(args)
        .current_dir(dir)
        .output()
        .expect("the binary starts")
}

/// A folder with a notebook and a log that fail, and much beside them.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| dir.path().join(name);
    notebook(&at("analysis.ipynb"));
    fs::create_dir_all(at("logs/.ipynb_checkpoints")).expect("a folder");
    notebook(&at("logs/.ipynb_checkpoints/analysis-checkpoint.ipynb"));
    for (name, content) in [
        ("logs/train.log", format!("epoch 1\n{OOM}")),
        ("logs/well.log", "epoch 1\n".to_owned()),
        ("logs/ignored.log", OOM.to_owned()),
        ("logs/train.py", OOM.to_owned()),
        (".ignore", "ignored.log\n".to_owned()),
    ] {
        fs::write(at(name), content).expect("the folder is writable");
    }
    dir
}

#[test]
fn a_path_alone_is_triaged_and_a_folder_is_walked() {
    let dir = folder();
    let out = within(dir.path(), &["analysis.ipynb"]);
    assert_eq!(out.status.code(), Some(1));
    let last = "1 problem in 1 notebook, 1 with a repair: nbmedic fix analysis.ipynb";
    assert_eq!(text(&out).lines().last(), Some(last));
    let out = within(dir.path(), &[".", "--format", "concise"]);
    assert_eq!(
        text(&out),
        "./analysis.ipynb:cell 2:2: name-undefined: The name “totl” is not defined\n\
         ./logs/train.log:2: gpu-oom: The GPU ran out of memory: 2.00 GiB asked for, 1.10 GiB free of 14.7 GiB\n"
    );
    assert_eq!(
        (out.status.code(), complaint(&out)),
        (Some(1), String::new())
    );
    assert_eq!(nbmedic(&["-"], OOM.as_bytes()).status.code(), Some(1));
    // A file that is not there is named; a word that is neither path nor command is not taken for one.
    let out = within(dir.path(), &["gone.ipynb"]);
    assert!(complaint(&out).contains("gone.ipynb: "), "{out:?}");
    assert_eq!(out.status.code(), Some(2));
    let out = within(dir.path(), &["triaje"]);
    assert!(complaint(&out).contains("triage"), "{out:?}");
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn what_a_walk_finds_and_cannot_read_is_a_warning() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::write(dir.path().join("a.out"), b"PK\x03\x04rest").expect("writable");
    fs::write(dir.path().join("bad.ipynb"), b"{").expect("writable");
    fs::write(dir.path().join("run.log"), "fine\n").expect("writable");
    let out = within(dir.path(), &["triage", "."]);
    assert_eq!(out.status.code(), Some(0));
    let said = complaint(&out);
    assert_eq!(said.matches("warning: ").count(), 2, "{said}");
    assert!(
        said.contains("a.out") && said.contains("bad.ipynb"),
        "{said}"
    );
    assert_eq!(
        text(&out).lines().last(),
        Some("nothing wrong found in 1 input")
    );
    let named = within(dir.path(), &["triage", "bad.ipynb"]);
    assert_eq!(named.status.code(), Some(2));
    let none = tempfile::tempdir().expect("a temporary folder");
    let out = within(none.path(), &["."]);
    assert_eq!(out.status.code(), Some(0));
    assert!(complaint(&out).contains("no notebooks"), "{out:?}");
}

#[test]
fn a_repair_in_a_sarif_log_repairs_the_file() {
    let dir = folder();
    let out = within(dir.path(), &["analysis.ipynb", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text(&out)).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    let path = dir.path().join("analysis.ipynb");
    let before = fs::read_to_string(&path).expect("readable");
    let line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        .as_u64()
        .expect("a line");
    let of_file: Vec<&str> = before.split_inclusive('\n').collect();
    let number = |n: &Value| usize::try_from(n.as_u64().expect("a number")).expect("small");
    assert!(of_file[number(&line.into()) - 1].contains("print(totl)"));
    let replacement = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    // All is ASCII: a column is a byte.
    let at = |line: &str, column: &str| {
        let region = &replacement["deletedRegion"];
        let lines = &of_file[..number(&region[line]) - 1];
        lines.iter().map(|l| l.len()).sum::<usize>() + number(&region[column]) - 1
    };
    let (from, to) = (at("startLine", "startColumn"), at("endLine", "endColumn"));
    let put = replacement["insertedContent"]["text"]
        .as_str()
        .expect("text");
    let after = format!("{}{put}{}", &before[..from], &before[to..]);
    let fix = [
        "fix",
        "--write",
        "--applicability",
        "likely",
        "analysis.ipynb",
    ];
    within(dir.path(), &fix);
    assert_eq!(after, fs::read_to_string(&path).expect("readable"));
    assert_ne!(after, before);
}

#[test]
fn reports_that_others_read_have_no_secrets() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let input = format!("token {secret}\nTraceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nKeyError: '{secret}'\n");
    for format in ["github", "sarif", "junit"] {
        let out = nbmedic(&["triage", "--format", format], input.as_bytes());
        assert_eq!(out.status.code(), Some(1), "{format}");
        assert!(
            !text(&out).contains(&secret[10..]),
            "{format}: {}",
            text(&out)
        );
    }
}

#[test]
fn fix_says_what_less_sure_repairs_there_are() {
    let dir = folder();
    let out = text(&within(dir.path(), &["fix", "analysis.ipynb"]));
    let sure = out.contains("(fixes it)");
    let more = "1 more with: nbmedic fix --write --applicability likely analysis.ipynb";
    assert_eq!(out.contains(more), !sure, "{out}");
    let path = dir.path().join("analysis.ipynb");
    let both = fs::read_to_string(&path).expect("readable");
    fs::write(&path, both.replace("total = 3", "totals = 3")).expect("writable");
    let out = text(&within(
        dir.path(),
        &[
            "fix",
            "--write",
            "--applicability",
            "maybe",
            "analysis.ipynb",
        ],
    ));
    assert!(!out.contains("more with"), "{out}");
}

/// The examples of docs/ci.md are what the program prints.
#[test]
fn the_manual_shows_what_is_printed() {
    let dir = folder();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let mut out = String::new();
    let mut rest = page.as_str();
    let mut shown = 0;
    while let Some((before, after)) = rest.split_once("<!-- prints: ") {
        let (command, after) = after.split_once(" -->\n\n```").expect("a block");
        let (language, after) = after.split_once('\n').expect("a line");
        let (_, after) = after.split_once("\n```\n").expect("an end");
        let args: Vec<&str> = command.split(' ').collect();
        let printed = text(&within(dir.path(), &args[1..]));
        let printed = printed.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        out += &format!(
            "{before}<!-- prints: {command} -->\n\n```{language}\n{}\n```\n",
            printed.trim_end()
        );
        rest = after;
        shown += 1;
    }
    out += rest;
    if std::env::var_os("NBMEDIC_BLESS").is_some() {
        fs::write(&path, &out).expect("writable");
    } else {
        assert_eq!(out, page, "after NBMEDIC_BLESS=1 it is right");
    }
    assert!(shown >= 5, "{shown}");
}

#[test]
#[cfg(unix)]
fn a_growing_log_is_watched_and_each_failure_is_told_once() {
    use std::io::{BufRead, BufReader, Write};
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("run.log");
    let mut child = program::started(&["watch", path.to_str().expect("UTF-8")]);
    let id = child.id().to_string();
    let end = move || Command::new("kill").args(["-INT", &id]).status();
    // Should a failure not be told, the test ends all the same.
    let late = end.clone();
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(60));
        late()
    });
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().map(|l| l.expect("UTF-8"));
    let mut log = fs::File::create(&path).expect("writable");
    write!(log, "epoch 1\n{OOM}").expect("writable");
    let mut until = |start: &str| loop {
        match next() {
            Some(line) if line.starts_with(start) => return line,
            Some(line) => assert!(!line.starts_with("error["), "{line}"),
            None => panic!("no {start}"),
        }
    };
    until("error[gpu-oom]");
    fs::rename(&path, dir.path().join("run.log.1")).expect("renamed");
    let other = "ModuleNotFoundError: No module named 'xarray'";
    fs::write(&path, format!("{OOM}{}{other}\n", program::quiet(40_000))).expect("writable");
    until("error[module-missing");
    end().expect("kill is there");
    assert!(until("  gpu-oom").contains("2 times"));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// What action.yml runs in its second step.
#[test]
#[cfg(unix)]
fn the_action_annotates_and_fails_only_if_that_is_asked_for() {
    let dir = folder();
    let program = Path::new(env!("CARGO_BIN_EXE_nbmedic"));
    let own = program.parent().expect("a folder").display();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/annotate.sh");
    let run = |paths: &str, fail: &str, sarif: &str| {
        Command::new("bash")
            .arg(script)
            .current_dir(dir.path())
            .env("PATH", format!("{own}:/usr/local/bin:/usr/bin:/bin"))
            .env("NBMEDIC_PATHS", paths)
            .env("NBMEDIC_FAIL", fail)
            .env("NBMEDIC_SARIF", sarif)
            .output()
            .expect("bash is there")
    };
    let out = run("analysis.ipynb\nlogs\n", "true", "found.sarif");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert_eq!(text(&out).matches("::error file=").count(), 2, "{out:?}");
    let log = fs::read_to_string(dir.path().join("found.sarif")).expect("readable");
    let log: Value = serde_json::from_str(&log).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(run("analysis.ipynb", "false", "").status.code(), Some(0));
    assert_eq!(run("logs/well.log", "true", "").status.code(), Some(0));
    assert_eq!(run("gone.log", "false", "").status.code(), Some(2));
    let action = concat!(env!("CARGO_MANIFEST_DIR"), "/../action.yml");
    let action = fs::read_to_string(action).expect("readable");
    for name in [
        "NBMEDIC_PATHS",
        "NBMEDIC_FAIL",
        "NBMEDIC_SARIF",
        "tools/annotate.sh",
    ] {
        assert!(action.contains(name), "{name}");
    }
}
