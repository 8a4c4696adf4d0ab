//! What the program does while its kernel lives.

use crate::support::{built, Folder, Kernel, Probe};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_rate_follows_the_cells() {
    let kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, &["idle=60", "hz=20"], &[]);
    let count = |probe: &Probe| probe.record().map_or(0, |r| r.samples.len());
    let idle = probe
        .until("no sample", |r| !r.samples.is_empty())
        .samples
        .len();
    probe.say("r");
    let record = probe.until("no samples while a cell runs", |r| {
        r.samples.len() >= idle + 4
    });
    // A change of less than a hundredth is written once a second; memory that other programs of
    // this machine allocate and free in the meantime counts as a change too.
    let told: Vec<_> = record.samples.iter().skip(idle + 1).collect();
    for pair in told.windows(2) {
        let [used, before] = [1, 0].map(|i| pair[i].ram.unwrap().0);
        assert!(
            pair[1].time - pair[0].time > 900 || used.abs_diff(before) >= 15 << 20,
            "more than once a second: {pair:?}"
        );
    }
    probe.say("d");
    std::thread::sleep(Duration::from_millis(300));
    let after = count(&probe);
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(count(&probe), after, "samples while nothing runs");
    let sample = probe.record().unwrap().samples.pop_back().unwrap();
    let (used, total) = sample.ram.unwrap();
    assert!(used > 0 && used < total);
    assert!(sample.rss[0].unwrap() > 0 && sample.cpu[0].is_some() && sample.up.unwrap() > 0);
    assert_eq!(probe.record().unwrap().space.first().unwrap().name, "/");
}

#[test]
fn memory_that_moves_is_told_at_once_and_children_count() {
    let mut kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, &[], &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    probe.say("r");
    // A child that holds 60 MB until its input ends.
    kernel.run("(a=$(head -c 60000000 /dev/zero | tr '\\0' a); read -r x)");
    let record = probe.until("children's memory", |r| {
        r.samples
            .back()
            .is_some_and(|s| s.rss[1].is_some_and(|n| n > 50_000_000))
    });
    assert!(record.end.is_none());
}

#[test]
fn the_last_sample_is_told_with_the_end() {
    // Without changes one sample per second is written, so two of them are never closer.
    let told = (0..10).any(|_| {
        let mut kernel = Kernel::start();
        let mut probe = Probe::start(&kernel, &[], &[]);
        probe.say("r");
        probe.until("no samples", |r| r.samples.len() >= 4);
        std::thread::sleep(Duration::from_millis(500));
        kernel.run("kill -9 $$");
        let mut record = probe.until("no end", |r| r.end.is_some());
        let [.., before, last] = record.samples.make_contiguous() else {
            return false;
        };
        let age = record.end.unwrap().time - last.time;
        age < 300 && last.time - before.time < 900
    });
    assert!(told, "the last sample was not told");
}

#[test]
fn it_is_spared_where_memory_runs_out_as_far_as_the_system_allows() {
    let kernel = Kernel::start();
    let probe = Probe::start(&kernel, &[], &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    let score = |pid: u32| {
        std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).map(|s| s.trim().to_owned())
    };
    // Another process shows whether this user may do that.
    let other = Kernel::start();
    let allowed = std::fs::write(format!("/proc/{}/oom_score_adj", other.pid()), "-1000").is_ok();
    let wanted = score(if allowed { other.pid() } else { kernel.pid() });
    assert_eq!(score(probe.child.id()).unwrap(), wanted.unwrap());
}

#[test]
fn it_stops_when_asked_and_at_a_signal() {
    let kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, &[], &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    probe.say("q");
    let record = probe.until("no stop", |r| r.stop.is_some());
    assert_eq!(record.stop.unwrap().1, "asked");
    let probe = Probe::start(&kernel, &[], &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    Command::new("kill")
        .arg(probe.child.id().to_string())
        .status()
        .unwrap();
    let record = probe.until("no stop", |r| r.stop.is_some());
    assert_eq!(record.stop.unwrap().1, "runtime");
}

#[test]
fn it_outlives_the_group_that_started_it() {
    let mut kernel = Kernel::start();
    let folder = Folder::new();
    // As a front end ends a kernel: the whole process group.
    let mut starter = Command::new("sh")
        .args(["-c", "\"$0\" \"$1\" \"$2\"; echo $?; read -r wait"])
        .args([
            built().program.as_os_str(),
            kernel.pid().to_string().as_ref(),
            folder.path().as_os_str(),
        ])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answer = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(starter.stdout.take().unwrap()),
        &mut answer,
    )
    .unwrap();
    assert_eq!(answer.trim(), "0");
    Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", starter.id())])
        .status()
        .unwrap();
    starter.wait().unwrap();
    kernel.run("exit 5");
    let began = Instant::now();
    while !folder.text("nbmedic-flight.jsonl").contains("\"st\":1280") {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{}",
            folder.text("nbmedic-flight.jsonl")
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn it_says_why_it_cannot_start() {
    let kernel = Kernel::start();
    let pid = kernel.pid().to_string();
    let status = |arguments: &[&str]| {
        let mut command = Command::new(&built().program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .status()
            .unwrap()
            .code()
    };
    assert_eq!(status(&[]), Some(2));
    assert_eq!(status(&[&pid, "/tmp", "nonsense"]), Some(2));
    assert_eq!(status(&["4194399", "/tmp"]), Some(3));
    assert_eq!(status(&[&pid, "/nonexistent"]), Some(4));
    assert_eq!(status(&[&pid, "/proc"]), Some(4));
}

#[test]
fn a_full_half_is_put_aside_and_a_second_notebook_has_its_own() {
    let kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, &["name=2", "id=abc"], &[]);
    let name = "nbmedic-flight-2.jsonl";
    while !probe.folder.text(name).contains("\"k\":\"s\"") {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(probe.folder.text(name).contains("\"id\":\"abc\""));
    // A hook writes a lot.
    let filler = format!("{{\"k\":\"x\",\"t\":1,\"l\":\"{}\"}}\n", "x".repeat(1000)).repeat(530);
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(probe.folder.file(name))
        .unwrap();
    file.write_all(filler.as_bytes()).unwrap();
    probe.say("r");
    let began = Instant::now();
    while !probe.folder.text(name).contains("\"again\":1") {
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(10));
    }
    let text = probe.folder.text(name);
    let records = nbmedic_probe::Record::read(&[
        probe.folder.text("nbmedic-flight-2.1.jsonl").as_bytes(),
        text.as_bytes(),
    ]);
    assert_eq!(records.len(), 1, "one kernel, one record");
    assert_eq!(records[0].start.id.as_deref(), Some("abc"));
    assert!(text
        .lines()
        .find(|l| l.contains("\"k\":\"s\""))
        .is_none_or(|l| l.contains("\"up\"")));
}
