//! The fuzz targets over their seeds and a fixed number of inputs mutated from them: the same each time, in seconds.
//! `./build.sh fuzz` runs the same targets under libFuzzer for as long as one likes.
//!
//! `NBMEDIC_FUZZ_SEEDS=FOLDER` writes the seeds, one folder for each target, and does nothing else.
// Reads the repository's own files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

#[path = "fuzz/targets.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use targets::{CELL, TARGETS};

/// Seeds of one target, and their longest.
const SEEDS: usize = 60;
const LONGEST: usize = 3000;
/// Mutated inputs of one target.
const INPUTS: u32 = 250;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(all) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = all.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.iter().filter_map(|p| fs::read(p).ok()).collect()
}

/// The texts of the stored outputs, evenly spread.
fn outputs() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for file in files("tests/fixtures/outputs") {
        for line in String::from_utf8_lossy(&file).lines().step_by(9) {
            let Ok(case) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            texts.extend(case["text"].as_str().map(|t| t.as_bytes().to_vec()));
        }
    }
    texts
}

/// Notebooks of both formats whose cells printed such texts.
fn notebooks() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (i, text) in outputs().iter().enumerate().step_by(5) {
        let text = String::from_utf8_lossy(&text[..text.len().min(800)]).into_owned();
        let stream = serde_json::json!({"output_type": "stream", "name": "stdout", "text": [text]});
        let error = serde_json::json!({"output_type": "error", "ename": "E", "evalue": "x", "traceback": [text]});
        let cell = |out| serde_json::json!({"cell_type": "code", "source": ["x = 1\n"], "execution_count": i, "outputs": [out]});
        let cells = [cell(stream), cell(error)];
        let made = match i % 2 {
            0 => {
                serde_json::json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
            }
            _ => {
                serde_json::json!({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]})
            }
        };
        all.push(made.to_string().into_bytes());
    }
    all
}

fn events() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for file in files("tests/fixtures/sessions") {
        for line in String::from_utf8_lossy(&file).lines() {
            let Ok(batch) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            all.push(batch["events"].to_string().into_bytes());
        }
    }
    all
}

/// Cells that failed, and what they printed.
fn failures() -> Vec<Vec<u8>> {
    let failed = |cells: &[&str], line: u32, error: &str| {
        let source = cells[cells.len() - 1];
        let code = source.lines().nth(line as usize - 1).unwrap_or("");
        let n = cells.len();
        let output = format!("Traceback (most recent call last)\nCell In[{n}], line {line}\n----> {line} {code}\n\n{error}\n");
        let parts: Vec<&str> = cells.iter().copied().chain([output.as_str()]).collect();
        parts.join(CELL).into_bytes()
    };
    vec![
        failed(&["colour = 3", "print(color)"], 1, "NameError: name 'color' is not defined"),
        failed(&["import numpy as np\nx = np.float(3)"], 2, "AttributeError: module 'numpy' has no attribute 'float'."),
        failed(&["import pandas as pd\ndf = pd.DataFrame()\ndf.append({})"], 3, "AttributeError: 'DataFrame' object has no attribute 'append'"),
        failed(&["def f(\n    x):\n  return x", "f(1, 2)"], 1, "TypeError: f() takes 1 positional argument but 2 were given"),
        failed(&["n = '3'\nprint('a' + 3)"], 2, "TypeError: can only concatenate str (not \"int\") to str"),
        failed(&["import sklearn.cross_validation"], 1, "ModuleNotFoundError: No module named 'sklearn.cross_validation'"),
        failed(&["from collections import Mapping"], 1, "ImportError: cannot import name 'Mapping' from 'collections' (/usr/lib/python3.12/collections/__init__.py)"),
        failed(&["%matplotlib inline\nx = 1", "d = {'a': 1}\nd['é']"], 2, "KeyError: 'é'"),
        failed(&["y = math.sqrt(2)"], 1, "NameError: name 'math' is not defined"),
        failed(&["import torch\na = torch.ones(3).cuda()\nb = a.numpy()"], 3, "TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."),
        failed(&["open('data/x.csv')"], 1, "FileNotFoundError: [Errno 2] No such file or directory: 'data/x.csv'"),
        failed(&["l = [1, 2]\nfor i in range(3):\n\tprint(l[i])"], 3, "IndexError: list index out of range"),
    ]
}

fn records() -> Vec<Vec<u8>> {
    let mut all = files("probe/tests/library/fixtures");
    all.push(
        br#"{"k":"start","v":1,"t":1,"mode":"native","pid":7,"born":5,"gpus":[{"u":"GPU-1","na":{"ecc":"x"}}]}
{"k":"s","t":2,"r":[1,2],"cg":[1,null],"oom":[0,0,null],"d":[["/",1,2]],"g":[[1,2,null],null],"na":{"io":"no-file"}}
{"k":"run","t":3,"n":1,"l":"a\u00e9\ud83d\ude00"}
{"k":"start","v":1,"t":3,"mode":"native","pid":7,"born":5,"again":true}
{"k":"end","t":4,"st":9,"oom":[1,null,null],"fault":"Segmentation fault","for":["signal-kill"]}
"#
        .to_vec(),
    );
    all
}

/// Values of chance in the places that redaction looks at.
fn secrets() -> Vec<Vec<u8>> {
    let value = "Kq7Rw2Tz9Xv4Bn6Mj1Hg8Fd3";
    let places = [
        "api_token = '§'",
        "curl -u ada:§ https://a.b",
        "Bearer §",
        "postgres://ada:§@db/x",
        "db:5432:shop:ada:§",
        "<td>password</td><td>§</td>",
        "user,password\nada,§\n",
        "Password:\n§",
        "!echo § > token.txt",
        "$2b$12$§§§",
        "│ token │ § │\n│ §",
        "{\"Name\": \"DB_PASSWORD\", \"Value\": \"§\"}",
        "%22token%22%3A%22§",
        "INSERT INTO u (name, password) VALUES ('ada', '§')",
        "-----BEGIN PRIVATE KEY-----\n§§\n§",
        "hf_§§",
        "token = \"§\" + \"§\"",
        "ada@acme.org /home/ada/§ 10.3.4.5 ssh gpu-1.corp",
        "Cookie: a=§; b=§",
    ];
    places
        .iter()
        .map(|p| p.replace('§', value).into_bytes())
        .collect()
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut all = match target {
        "notebook" => files("examples").into_iter().chain(notebooks()).collect(),
        "events" => events(),
        "record" => records(),
        "edits" => failures(),
        "json" => events().into_iter().chain(records()).collect(),
        "redaction" => secrets()
            .into_iter()
            .chain(outputs().into_iter().step_by(7))
            .collect(),
        "traceback" => files("tests/fixtures/traceback")
            .into_iter()
            .chain(outputs())
            .collect(),
        _ => outputs(),
    };
    all.iter_mut().for_each(|s| s.truncate(LONGEST));
    let step = all.len() / SEEDS + 1;
    // What was found once comes first.
    let found = files(&format!("tests/fixtures/fuzz/{target}"));
    found
        .into_iter()
        .chain(all.into_iter().step_by(step))
        .collect()
}

/// Pieces with a meaning for one target or another.
const PIECES: &[&str] = &[
    "\n",
    "\r",
    "\t",
    " ",
    "\u{1b}[2K",
    "\u{1b}[1A",
    "\u{8}",
    "\u{9b}",
    "│",
    "\"",
    "'",
    "\\",
    "\\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    "=",
    "\u{fffd}",
    "é",
    "\u{202e}",
    "\\ud83d",
    "null",
    "-1",
    "18446744073709551616",
    "1e999",
    "> ",
    "| ",
    "```",
    "ValueError: x",
    "Traceback (most recent call last):\n",
    "  File \"a.py\", line 3, in f\n",
    "----> 3 ",
    "token=",
    "password: ",
    "[redacted-",
    "-----BEGIN PRIVATE KEY-----",
    "://a:b@c",
    "\n# %% next\n",
    "⟦nbmedic:1 {}⟧",
    "%%bash\n",
    "(",
    ")",
    ",",
];

fn changed(seeds: &[Vec<u8>], r: &mut Random) -> Vec<u8> {
    let mut input = seeds[r.below(seeds.len())].clone();
    for _ in 0..=r.below(5) {
        let at = r.below(input.len() + 1);
        let to = at + r.below((input.len() - at).min(200) + 1);
        match r.below(7) {
            0 => drop(input.drain(at..to)),
            1 => input.truncate(at),
            2 if at < input.len() => input[at] = r.below(256) as u8,
            3 => {
                let again = input[at..to].to_vec();
                drop(input.splice(at..at, again));
            }
            4 => {
                let other = &seeds[r.below(seeds.len())];
                let from = r.below(other.len() + 1);
                let end = from + r.below((other.len() - from).min(300) + 1);
                drop(input.splice(at..to, other[from..end].to_vec()));
            }
            _ => {
                let piece = PIECES[r.below(PIECES.len())];
                drop(input.splice(at..at, piece.bytes()));
            }
        }
    }
    input.truncate(2 * LONGEST);
    input
}

#[test]
fn every_target_holds_for_its_seeds_and_for_what_is_made_of_them() {
    if let Some(folder) = std::env::var_os("NBMEDIC_FUZZ_SEEDS") {
        for (name, _) in TARGETS {
            let folder = Path::new(&folder).join(name);
            fs::create_dir_all(&folder).expect("a folder");
            for (i, seed) in seeds(name).iter().enumerate() {
                fs::write(folder.join(format!("seed-{i:03}")), seed).expect("a seed");
            }
        }
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let inputs = number("NBMEDIC_FUZZ_INPUTS").map_or(INPUTS, |n| n as u32);
    let first = number("NBMEDIC_SEED").unwrap_or(1);
    let only = std::env::var("NBMEDIC_FUZZ_TARGET").ok();
    let mut failed = Vec::new();
    for (name, target) in TARGETS
        .iter()
        .filter(|t| only.as_deref().is_none_or(|o| o == t.0))
    {
        let seeds = seeds(name);
        assert!(seeds.len() >= 8, "{name}: {} seeds", seeds.len());
        let mut r = Random(0x9e37_79b9_7f4a_7c15 ^ first);
        let made = (0..inputs).map(|_| changed(&seeds, &mut r));
        let fails = |input: &Vec<u8>| catch_unwind(|| target(input)).is_err();
        let all = seeds.iter().cloned().chain(made.collect::<Vec<_>>());
        if let Some(input) = all.into_iter().find(fails) {
            let there = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
            fs::write(&there, &input).expect("a file");
            failed.push(format!("{name} fails for {}", there.display()));
        }
        println!("{name}: {} seeds, {inputs} inputs", seeds.len());
    }
    assert!(failed.is_empty(), "{failed:?}");
}
