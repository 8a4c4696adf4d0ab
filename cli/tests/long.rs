//! Inputs of any length: every byte is judged, memory stays bounded, and what was not read is not spoken of.

mod program;
mod schema;

use program::{nbmedic, quiet, started, text, OOM};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};

fn json(input: &[u8]) -> Value {
    let output = nbmedic(&["triage", "--format", "json"], input);
    serde_json::from_slice(&output.stdout).expect("one object")
}

fn ids(value: &Value) -> Vec<&str> {
    let found = value["diagnoses"].as_array().expect("a list");
    found.iter().filter_map(|d| d["id"].as_str()).collect()
}

#[test]
fn a_failure_in_the_middle_of_a_long_log_is_found_at_its_line() {
    let part = quiet(9 << 19);
    let log = format!("{part}{OOM}{part}");
    let value = json(log.as_bytes());
    assert_eq!(schema::faults("triage", &value), Vec::<String>::new());
    assert_eq!(ids(&value), ["gpu-oom"]);
    let at = part.lines().count() as u64 + 1;
    let d = &value["diagnoses"][0];
    assert_eq!(d["evidence"][0]["line"], at);
    assert_eq!(d["occurrences"]["count"], 1);
    assert_eq!(d["occurrences"]["first"]["line"], at);
    assert_eq!(value["read"]["bytes"], log.len() as u64);
    assert_eq!(value["read"]["lines"], 2 * at - 1);
    assert_eq!(value["read"]["complete"], true);
    // It is the same in every form of text, and redrawn lines count as they are in the file.
    let redrawn = log.replace("learning rate", "\u{1b}[1mlearning\u{1b}[0m rate\rstep");
    assert_eq!(
        json(redrawn.as_bytes())["diagnoses"][0]["evidence"][0]["line"],
        at
    );
    let windows = log.replace('\n', "\r\n");
    assert_eq!(
        json(windows.as_bytes())["diagnoses"][0]["evidence"][0]["line"],
        at
    );
}

#[test]
fn what_is_well_says_how_much_was_read() {
    let log = quiet(9 << 20);
    let output = nbmedic(&["triage"], log.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output);
    let lines = log.lines().count();
    assert!(
        said.starts_with("nothing wrong found: - (9.4")
            && said.contains(&format!("{lines} lines read)")),
        "{said}"
    );
    let page = text(&nbmedic(
        &["triage", "--format", "markdown"],
        log.as_bytes(),
    ));
    assert!(
        page.contains(&format!("found in what was read: {} bytes", log.len())),
        "{page}"
    );
}

/// A log with three kinds of failures, many times each.
fn failing_log(times: usize) -> String {
    let mut log = quiet(8 << 20);
    for n in 0..times {
        log.push_str(&OOM.replace("2.00 GiB", &format!("{}.00 GiB", n % 6 + 2)));
        log.push_str(&format!(
            "Traceback (most recent call last):\n  File \"/srv/job.py\", line {n}, in <module>\n    import absent\n\
             ModuleNotFoundError: No module named 'absent'\n"
        ));
        log.push_str(&quiet(2000));
        if n % 10 == 0 {
            log.push_str("OSError: [Errno 28] No space left on device: '/tmp/x'\n");
            log.push_str(&quiet(5000));
        }
    }
    log
}

#[test]
fn each_distinct_failure_is_named_once_with_its_count() {
    let log = failing_log(200);
    let value = json(log.as_bytes());
    assert_eq!(schema::faults("triage", &value), Vec::<String>::new());
    let mut found = ids(&value);
    found.sort_unstable();
    assert_eq!(found, ["disk-full", "gpu-oom", "module-missing"]);
    for d in value["diagnoses"].as_array().expect("a list") {
        let (text, wanted) = match d["id"].as_str() {
            Some("gpu-oom") => ("OutOfMemoryError", 200),
            Some("module-missing") => ("ModuleNotFoundError", 200),
            _ => ("OSError", 20),
        };
        let lines = || log.lines().enumerate().filter(|(_, l)| l.contains(text));
        let number = |line: Option<(usize, &str)>| line.map(|(n, _)| n as u64 + 1);
        let o = &d["occurrences"];
        assert_eq!(o["count"], wanted, "{text}");
        assert_eq!(
            o["first"]["line"].as_u64(),
            number(lines().next()),
            "{text}"
        );
        assert_eq!(o["last"]["line"].as_u64(), number(lines().last()), "{text}");
    }
    let said = text(&nbmedic(&["triage"], log.as_bytes()));
    assert!(said.contains("200 times, from line "), "{said}");
}

#[test]
fn a_line_without_an_end_is_judged_in_its_middle() {
    let field = "\"loss\": 0.25, \"step\": 12, ";
    let half = field.repeat(20_000);
    let line = format!("{half}\"error\": \"write failed: No space left on device\", {half}\n");
    for log in [line.clone(), line.repeat(9)] {
        let value = json(log.as_bytes());
        assert_eq!(ids(&value), ["disk-full"], "{} bytes", log.len());
    }
}

#[test]
fn results_of_a_pipe_without_an_end_appear_as_they_are_found() {
    let mut child = started(&["triage"]);
    let mut to = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        let mut part = format!("{OOM}{}", quiet(1 << 20)).into_bytes();
        while to.write_all(&part).is_ok() {
            part = quiet(1 << 20).into_bytes();
        }
    });
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("UTF-8");
    assert!(first.starts_with("error[gpu-oom"), "{first}");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    writer.join().expect("written");
}

#[cfg(unix)]
#[test]
fn a_slow_pipe_is_judged_while_it_pauses_and_a_signal_ends_it_with_what_was_read() {
    for format in ["text", "json"] {
        let mut child = started(&["triage", "--format", format]);
        let mut to = child.stdin.take().expect("a pipe");
        to.write_all(OOM.as_bytes()).expect("written");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let end = || {
            let pid = child.id().to_string();
            std::process::Command::new("kill").arg(&pid).status()
        };
        if format == "text" {
            let first = lines.next().expect("a line").expect("UTF-8");
            assert!(first.starts_with("error[gpu-oom"), "{first}");
        } else {
            // Past the point where the signal is heeded.
            std::thread::sleep(std::time::Duration::from_millis(700));
        }
        assert!(end().expect("kill runs").success());
        let rest: Vec<String> = lines.map(|l| l.expect("UTF-8")).collect();
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{rest:?}");
        let last = rest.join("\n");
        if format == "text" {
            assert!(last.contains("not to its end"), "{last}");
        } else {
            let value: Value = serde_json::from_str(&last).expect("one object");
            assert_eq!(ids(&value), ["gpu-oom"]);
            assert_eq!(value["read"]["complete"], false);
        }
        drop(to);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let peak = |megabytes: usize| -> u64 {
        let mut child = started(&["triage"]);
        let mut to = child.stdin.take().expect("a pipe");
        let part = format!("{}{OOM}", quiet(1 << 20));
        for _ in 0..megabytes {
            to.write_all(part.as_bytes()).expect("written");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        drop(to);
        assert_eq!(
            child.wait_with_output().expect("it ends").status.code(),
            Some(1)
        );
        let status = status.expect("it runs");
        let line = status.lines().find(|l| l.starts_with("VmHWM:"));
        let number = line.and_then(|l| l.split_whitespace().nth(1)?.parse().ok());
        number.expect("kilobytes")
    };
    let (short, long) = (peak(12), peak(36));
    assert!(long < short + 4096, "{short} kB, then {long} kB");
    assert!(long < 80 << 10, "{long} kB");
}

/// A notebook of more than 8 MiB, with this many failing cells.
fn large_notebook(failing: usize) -> String {
    let picture = "iVBORw0KGgo".repeat(900_000);
    let mut cells = vec![format!(
        r#"{{"cell_type":"code","execution_count":1,"source":"show()","outputs":[{{"output_type":"display_data","data":{{"image/png":"{picture}"}}}}]}}"#
    )];
    for n in 0..failing {
        let name = if n == failing - 1 {
            "other".to_owned()
        } else {
            format!("x{n}")
        };
        cells.push(format!(
            r#"{{"cell_type":"code","execution_count":{n},"source":"{name}","outputs":[{{"output_type":"error","ename":"NameError","evalue":"name '{name}' is not defined","traceback":[]}}]}}"#
        ));
        cells.push(r#"{"cell_type":"markdown","source":["text"]}"#.to_owned());
    }
    format!(
        r#"{{"cells":[{}],"nbformat":4,"nbformat_minor":5,"metadata":{{}}}}"#,
        cells.join(",")
    )
}

#[test]
fn a_large_notebook_is_read_cell_by_cell() {
    let value = json(large_notebook(3).as_bytes());
    assert_eq!(schema::faults("triage", &value), Vec::<String>::new());
    assert_eq!(ids(&value), ["name-undefined"; 3]);
    let cell = |n: usize| &value["diagnoses"][n]["location"]["cell"];
    assert_eq!((cell(0), cell(2)), (&2.into(), &6.into()));
    assert_eq!(value["read"]["cells"], 7);

    let value = json(large_notebook(1000).as_bytes());
    assert_eq!(schema::faults("triage", &value), Vec::<String>::new());
    let found = value["diagnoses"].as_array().expect("a list");
    assert!((256..300).contains(&found.len()), "{}", found.len());
    let all: u64 = found
        .iter()
        .filter_map(|d| d["occurrences"]["count"].as_u64())
        .sum();
    assert_eq!(all, 1000);
    assert_eq!(value["read"]["cells"], 2001);

    let broken = large_notebook(3);
    let output = nbmedic(&["triage"], &broken.as_bytes()[..broken.len() - 100]);
    assert_eq!(output.status.code(), Some(2));
    let said = program::complaint(&output);
    assert!(
        said.contains("not a notebook: EOF") && said.lines().count() == 1,
        "{said}"
    );
    assert!(text(&output).contains("not to its end"));
}

#[test]
fn many_inputs_keep_their_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let paths: Vec<String> = (0..40)
        .map(|n| {
            let path = dir.path().join(format!("{n}.txt"));
            // The first takes longest.
            let text = quiet(if n == 0 { 9 << 20 } else { 100 });
            let end = if n % 3 == 0 { OOM } else { "" };
            std::fs::write(&path, text + end).expect("a file");
            path.to_str().expect("UTF-8").to_owned()
        })
        .collect();
    let mut args = vec!["triage", "--format", "json"];
    args.extend(paths.iter().map(String::as_str));
    let output = nbmedic(&args, b"");
    let said = text(&output);
    let values = said
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
    for (n, (value, path)) in values.zip(&paths).enumerate() {
        assert_eq!(value["source"], path.as_str());
        assert_eq!(ids(&value).len(), usize::from(n % 3 == 0), "{n}");
    }
    assert_eq!(said.lines().count(), paths.len());
}
