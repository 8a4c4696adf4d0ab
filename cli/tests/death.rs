//! `nbmedic death`. `deaths/memory` holds what a real kernel left that a control group's limit ended: the probe's record, its
//! server's log and lines of `dmesg`.

mod program;
mod schema;

use program::{complaint, nbmedic, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

const MEMORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/deaths/memory");
const AT: &str = "2026-11-27T13:25:42Z";

fn told(paths: &[&str]) -> Value {
    let args = [&["death", "--zone", "UTC", "--format", "json"], paths].concat();
    let output = nbmedic(&args, b"");
    assert_eq!(output.status.code(), Some(1), "{}", complaint(&output));
    let json = serde_json::from_str(&text(&output)).expect("JSON");
    assert_eq!(schema::faults("death", &json), [""; 0]);
    json
}

/// Writes files into a folder and tells what they say.
fn of(files: &[(&str, &str)]) -> Value {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    told(&[dir.path().to_str().expect("UTF-8")])
}

fn cause(told: &Value) -> (&str, &str) {
    let part = |name: &str| told[name].as_str().expect("a text");
    (part("cause"), part("certainty"))
}

#[test]
fn a_record_and_the_logs_beside_it_are_one_account() {
    let told = told(&[MEMORY]);
    assert_eq!(cause(&told), ("host-oom", "certain"));
    assert_eq!(told["schema"], "nbmedic.death/1");
    let cell = &told["cell"];
    assert_eq!(
        (&cell["count"], &cell["cell"], &cell["notebook"]),
        (&4.into(), &2.into(), &"train.ipynb".into())
    );
    let lines: Vec<(&str, &str)> = told["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| (l["source"].as_str().unwrap(), l["text"].as_str().unwrap()))
        .collect();
    let order = [
        ("Jupyter's server", "Kernel started"),
        ("the flight record", "cell [4] began: import time"),
        ("the flight record", "memory: 400 MiB of 400 MiB"),
        ("the flight record", "the kernel ended: signal 9, SIGKILL"),
        ("the system's log", "Killed process 7022"),
        ("Jupyter's server", "restarting kernel (1/5)"),
    ];
    let mut rest = lines.iter();
    for (source, words) in order {
        let found = rest.any(|(s, t)| *s == source && t.contains(words));
        assert!(found, "{source}: {words} in {lines:#?}");
    }
    // What befell others two minutes before is not told.
    assert!(
        !lines.iter().any(|(_, t)| t.contains("30084")),
        "{lines:#?}"
    );
    let output = nbmedic(&["death", "--zone", "UTC", MEMORY], b"");
    let shown = text(&output);
    for words in [
        "How the kernel died: the system killed it because memory ran out",
        "(certain)",
        "train.ipynb, cell 2, while cell [4] ran: import time",
        "13:25:43.891   Jupyter's server   AsyncIOLoopKernelRestarter",
        "nbmedic explain host-oom",
        "read: dmesg.log, jupyter.log, nbmedic-flight/nbmedic-flight.jsonl",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn the_systems_log_completes_a_record_without_an_end() {
    let record = fs::read_to_string(Path::new(MEMORY).join("nbmedic-flight/nbmedic-flight.jsonl"))
        .expect("a record");
    let cut: Vec<&str> = record
        .lines()
        .filter(|l| !l.contains("\"k\":\"end\""))
        .collect();
    let cut = cut.join("\n") + "\n";
    let dated = |text: &str| format!("[Fri Nov 27 13:25:43 2026] {text}\n");
    let kill =
        dated("Memory cgroup out of memory: Killed process 7022 (python) total-vm:1302880kB");
    let with = |log: &str| of(&[("nbmedic-flight.jsonl", &cut), ("dmesg.log", log)]);
    assert_eq!(cause(&with(&kill)), ("host-oom", "certain"));
    // Another process's kill is not this one's.
    let other = kill.replace("7022", "7023");
    assert_eq!(cause(&with(&other)), ("unknown", "unknown"));
    let fault =
        dated("python[7022]: segfault at 0 ip 00007f sp 00007f error 4 in libtorch.so[7f+1]");
    let told = with(&fault);
    assert_eq!(cause(&told), ("native-crash", "certain"));
    assert!(
        told["words"].as_str().unwrap().contains("system logged"),
        "{told}"
    );
}

#[test]
fn the_records_own_counts_say_more_than_a_container() {
    let start = r#"{"k":"start","v":1,"t":1795785900000,"pid":7,"born":1,"boot":"b"}"#;
    let end = r#"{"k":"end","t":1795785942984,"st":9,"oom":[0,0,null],"exact":1,"last":[40,100]}"#;
    let record = format!("{start}\n{end}\n");
    let docker = format!("{AT} container oom 4f1c (image=other, name=other)\n");
    let told = of(&[("nbmedic-flight.jsonl", &record), ("docker.log", &docker)]);
    assert_eq!(cause(&told), ("kernel-died", "certain"), "{told}");
}

#[test]
fn logs_without_a_record() {
    let died = "[I 2026-11-27 13:25:40.903 ServerApp] Kernel started: 60dfeb43\n{}[I 2026-11-27 13:25:43.891 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), new random ports\n";
    let said = |printed: &str| of(&[("jupyter.log", &died.replace("{}", printed))]);
    let told = said("");
    assert_eq!(cause(&told), ("kernel-died", "unknown"));
    assert_eq!(cause(&said("Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f (most recent call first):\n  File \"x.py\", line 3 in f\n")), ("native-crash", "likely"));
    let colab = "Timestamp,Level,Message\n\
        \"Nov 27, 2026, 1:25:43 PM\",WARNING,WARNING:root:kernel b0290a05 restarted\n\
        \"Nov 27, 2026, 1:25:43 PM\",INFO,\"KernelRestarter: restarting kernel (1/5), keep random ports\"\n\
        \"Nov 27, 2026, 1:25:41 PM\",WARNING,Fatal Python error: Segmentation fault\n";
    assert_eq!(
        cause(&of(&[("runtime-logs.csv", colab)])),
        ("native-crash", "likely")
    );
    let kaggle = r#"[{"stream_name":"stderr","time":4.5,"data":"terminate called after throwing an instance of 'std::bad_alloc'\n"}
,{"stream_name":"stderr","time":96.25,"data":"nbclient.exceptions.DeadKernelError: Kernel died\n"}]"#;
    let told = of(&[("run.log", kaggle)]);
    assert_eq!(told["cause"], "host-oom", "{told}");
    let docker = format!("{AT} container oom 4f1c (image=jupyter, name=nb)\n{AT} container die 4f1c (execDuration=61, exitCode=137, image=jupyter, name=nb)\n");
    assert_eq!(
        cause(&of(&[("docker-events.log", &docker)])),
        ("host-oom", "certain")
    );
    let pod = "    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    139\n      Finished:     Fri, 27 Nov 2026 13:25:42 +0000\n";
    assert_eq!(cause(&of(&[("pod.txt", pod)])), ("native-crash", "likely"));
    let pod = pod.replace("139", "137");
    assert_eq!(cause(&of(&[("pod.txt", &pod)])), ("kernel-died", "likely"));
    let kernel =
        "Nov 27 13:25:42 host kernel: Out of memory: Killed process 7022 (python3) total-vm:1kB\n";
    assert_eq!(cause(&of(&[("kern.log", kernel)])), ("host-oom", "certain"));
}

#[test]
fn what_can_not_be_told_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().to_str().expect("UTF-8");
    let output = nbmedic(&["death", path], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("no flight record"));
    let output = nbmedic(&["death", "--zone", "Mars/Base", MEMORY], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("Mars/Base: no such time zone"));
    // A shutdown that was asked for is no death.
    let asked = "[I 2026-11-27 13:25:40.903 ServerApp] Kernel started: 60dfeb43\n[I 2026-11-27 13:25:43.891 ServerApp] Kernel shutdown: 60dfeb43\n";
    fs::write(dir.path().join("jupyter.log"), asked).expect("a file");
    let output = nbmedic(&["death", path], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("asked to end or restart it"));
}

#[test]
fn no_secret_leaves() {
    const SECRET: &str = "Vq7mWz2LpX9c";
    let log = format!("[I 2026-11-27 13:25:41.903 ServerApp] Kernel interrupted: password='{SECRET}'\n[I 2026-11-27 13:25:43.891 ServerApp] KernelRestarter: restarting kernel (1/5) {SECRET}\n");
    let told = of(&[("jupyter.log", &log)]).to_string();
    assert!(
        told.contains("restarting kernel") && !told.contains(SECRET),
        "{told}"
    );
}
