//! How processes die, and what the program records.

use crate::support::{built, Kernel, Probe};
use nbmedic_probe::wait::Ended;
use nbmedic_probe::{Cause, Certainty, Evidence};
use std::io::Write;

fn dies(arguments: &[&str], line: &str) -> (nbmedic_probe::Record, nbmedic_probe::Verdict) {
    let mut kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, arguments, &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    kernel.run(line);
    let record = probe.end();
    let verdict = record.verdict().unwrap();
    (record, verdict)
}

#[test]
fn signals_and_codes_are_read_off_the_zombie() {
    for (line, ended, cause) in [
        ("kill -SEGV $$", Ended::Signal(11), Cause::NativeCrash),
        ("kill -ABRT $$", Ended::Signal(6), Cause::NativeCrash),
        ("kill -BUS $$", Ended::Signal(7), Cause::NativeCrash),
        ("kill -ILL $$", Ended::Signal(4), Cause::NativeCrash),
        ("kill -FPE $$", Ended::Signal(8), Cause::NativeCrash),
        ("kill -KILL $$", Ended::Signal(9), Cause::Died),
        ("kill -TERM $$", Ended::Signal(15), Cause::Died),
        ("exit 3", Ended::Exit(3), Cause::Died),
        ("exit 137", Ended::Exit(137), Cause::Died),
        ("exit 0", Ended::Exit(0), Cause::CleanExit),
    ] {
        let (_, verdict) = dies(&[], line);
        assert_eq!(
            (verdict.ended, verdict.cause),
            (Some(ended), cause),
            "{line}"
        );
    }
}

#[test]
fn without_a_pidfd_it_looks_ten_times_a_second() {
    let (record, verdict) = dies(&["pidfd=0"], "kill -SEGV $$");
    assert_eq!(verdict.cause, Cause::NativeCrash);
    assert!(record.end.unwrap().time > 0);
}

#[test]
fn a_kernel_that_was_reaped_at_once_is_unknown_or_right() {
    // The shell in between waits for its child and reaps it as soon as it ends.
    for (info, times) in [("info=1", 3), ("info=0", 3)] {
        for _ in 0..times {
            let mut shell = Kernel::start();
            let folder = crate::support::Folder::new();
            let file = folder.file("pid");
            shell.run(&format!("sleep 1000 & echo $! >{}; wait", file.display()));
            let pid = loop {
                if let Ok(pid) = folder.text("pid").trim().parse::<u32>() {
                    break pid;
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            };
            let mut child = std::process::Command::new(&built().program)
                .args([
                    pid.to_string().as_str(),
                    folder.path().to_str().unwrap(),
                    "fg=1",
                    info,
                ])
                .stdin(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let began = std::time::Instant::now();
            while !folder.text("nbmedic-flight.jsonl").contains("\"k\":\"s\"") {
                assert!(began.elapsed().as_secs() < 30);
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let killed = std::process::Command::new("kill")
                .args(["-SEGV", &pid.to_string()])
                .status();
            assert!(killed.unwrap().success());
            child.wait().unwrap();
            let text = folder.text("nbmedic-flight.jsonl");
            let record = nbmedic_probe::Record::read(&[text.as_bytes()])
                .pop()
                .unwrap();
            let verdict = record.verdict().unwrap();
            assert!(
                matches!(verdict.cause, Cause::NativeCrash | Cause::Unknown),
                "{info}: {text}"
            );
        }
    }
}

#[test]
fn the_fault_file_is_read_from_where_it_was() {
    let mut kernel = Kernel::start();
    let folder = crate::support::Folder::new();
    let fault = folder.file("nbmedic-fault.log");
    std::fs::write(&fault, "Fatal Python error: Aborted\n\nan old one\n").unwrap();
    let mut child = std::process::Command::new(&built().program)
        .args([
            &kernel.pid().to_string(),
            folder.path().to_str().unwrap(),
            "fg=1",
        ])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.text("nbmedic-flight.jsonl").contains("\"k\":\"s\"") {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let text = "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1:\n  File \"x\", line 1 in f\n  ...\n";
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&fault)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
    kernel.run("kill -SEGV $$");
    child.wait().unwrap();
    let text = folder.text("nbmedic-flight.jsonl");
    let record = nbmedic_probe::Record::read(&[text.as_bytes()])
        .pop()
        .unwrap();
    let end = record.end.as_ref().unwrap();
    assert_eq!(end.fault.as_deref(), Some("Segmentation fault"));
    assert!(end.deep);
    let verdict = record.verdict().unwrap();
    assert_eq!(
        (verdict.cause, verdict.certainty),
        (Cause::NativeCrash, Certainty::Likely)
    );
    assert!(verdict.evidence.has(Evidence::FaultFile));
}

#[test]
fn a_line_in_the_kernels_log_convicts() {
    // A pipe replaces the log and delivers lines as the device does.
    let mut kernel = Kernel::start();
    let folder = crate::support::Folder::new();
    let log = folder.file("kmsg");
    assert!(std::process::Command::new("mkfifo")
        .arg(&log)
        .status()
        .unwrap()
        .success());
    let mut writer = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&log)
        .unwrap();
    let mut probe = Probe::start(&kernel, &[&format!("kmsg={}", log.display())], &[]);
    probe.until("no sample", |r| !r.samples.is_empty());
    let pid = kernel.pid();
    // In one piece, as the device delivers a record.
    let line = format!(
        "6,700,99000000,-;Memory cgroup out of memory: Killed process {pid} (sh) total-vm:1kB\n"
    );
    writer.write_all(line.as_bytes()).unwrap();
    // A kernel with much memory looks healthy for a while after the line, however often it is looked at.
    probe.say("r");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    kernel.run("kill -KILL $$");
    let record = probe.end();
    let (ours, line) = record.end.as_ref().unwrap().oom_line.clone().unwrap();
    assert!(
        ours == Some(true) && line.contains("Killed process"),
        "{line}"
    );
    let verdict = record.verdict().unwrap();
    assert_eq!(
        (verdict.cause, verdict.certainty),
        (Cause::HostOom, Certainty::Certain)
    );
}

#[test]
fn of_a_strangers_kernel_the_status_comes_from_the_pidfd_or_not_at_all() {
    use std::os::unix::process::CommandExt;
    // Only root can run as another user.
    let id = std::process::Command::new("id").arg("-u").output().unwrap();
    let root = id.stdout == b"0\n";
    for (info, causes) in [
        ("info=1", &[Cause::Died, Cause::Unknown][..]),
        ("info=0", &[Cause::Unknown]),
    ] {
        let kernel = Kernel::start();
        let folder = crate::support::Folder::new();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(folder.path(), mode).unwrap();
        let program = folder.file("probe");
        std::fs::copy(&built().program, &program).unwrap();
        let mut command = std::process::Command::new(program);
        command
            .arg(kernel.pid().to_string())
            .arg(folder.path())
            .args(["fg=1", info]);
        if root {
            command.uid(65534).gid(65534);
        }
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        while !folder.text("nbmedic-flight.jsonl").contains("\"k\":\"s\"") {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        // Dropping it kills and reaps it.
        drop(kernel);
        child.wait().unwrap();
        let text = folder.text("nbmedic-flight.jsonl");
        let record = nbmedic_probe::Record::read(&[text.as_bytes()])
            .pop()
            .unwrap();
        let cause = record.verdict().unwrap().cause;
        let right = if root {
            causes.contains(&cause)
        } else {
            cause == Cause::Died || cause == Cause::Unknown
        };
        assert!(right, "{info}: {text}");
        assert_ne!(record.end.unwrap().status, Some(0), "{text}");
    }
}
