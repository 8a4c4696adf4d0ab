//! Files of real systems; `fixtures/README.md` says where each comes from.

use nbmedic_probe::bytes::hundredths;
use nbmedic_probe::cgroup::{droppable, kills, limit, own, Version};
use nbmedic_probe::{bytes, kmsg, procfs, Cause, Certainty, Evidence, Record};

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("fixtures/", $name))
    };
}

#[test]
fn control_groups_of_version_2() {
    let path = &b"/user.slice/jupyter.scope"[..];
    assert_eq!(own(file!("v2-cgroup")), Some((Version::V2, path)));
    assert_eq!(bytes::number(file!("v2-memory.current")), Some(25849856));
    assert_eq!(limit(file!("v2-memory.max")), Some(64 << 20));
    assert_eq!(limit(file!("v2-slice-memory.max")), None, "max");
    // 16 MiB were read from a disk; a file in memory cannot be reclaimed.
    let stat = file!("v2-memory.stat");
    assert_eq!(droppable(stat, Version::V2), 17301504);
    assert_eq!(kills(file!("v2-memory.events")), Some(1));
    let pressure = file!("v2-memory.pressure");
    assert_eq!(procfs::pressure(pressure, b"full avg10="), Some(105));
}

#[test]
fn control_groups_of_version_2_with_much_in_them() {
    let stat = file!("v2-node-memory.stat");
    assert_eq!(droppable(stat, Version::V2), 0);
    assert_eq!(bytes::value(stat, b"shmem "), Some(2207744));
    assert_eq!(bytes::value(stat, b"slab "), Some(422488));
}

#[test]
fn a_kill_on_a_system_of_version_2() {
    let mut records = Record::read(&[file!("v2-record.jsonl")]);
    let record = records.pop().unwrap();
    let verdict = record.verdict().unwrap();
    assert_eq!(
        (verdict.cause, verdict.certainty),
        (Cause::HostOom, Certainty::Certain)
    );
    for seen in [Evidence::OomCgroup, Evidence::OomLog, Evidence::OomHost] {
        assert!(verdict.evidence.has(seen), "{seen:?}");
    }
    let end = record.end.unwrap();
    assert_eq!((end.status, end.exact), (Some(9), true));
}

#[test]
fn control_groups_of_version_1_after_a_kill() {
    assert_eq!(kills(file!("v1-memory.oom_control")), Some(1));
    assert_eq!(limit(file!("v1-memory.limit_in_bytes")), Some(29999104));
    assert_eq!(
        bytes::number(file!("v1-memory.usage_in_bytes")),
        Some(172032)
    );
    assert_eq!(droppable(file!("v1-memory.stat"), Version::V1), 0);
}

#[test]
fn the_machine() {
    let memory = procfs::memory(file!("proc-meminfo")).unwrap();
    assert_eq!((memory.total, memory.used), (25276514304, 2226237440));
    assert_eq!(bytes::value(file!("proc-vmstat"), b"oom_kill "), Some(95));
    assert_eq!(
        procfs::pressure(file!("proc-pressure-memory"), b"some avg10="),
        Some(0)
    );
    assert_eq!(hundredths(file!("proc-loadavg")), Some(574));
    assert_eq!(hundredths(file!("proc-uptime")), Some(343572));
    let processors = procfs::processors(file!("proc-stat")).unwrap();
    assert_eq!(
        (processors.all, processors.idle, processors.waiting),
        (685982, 122701, 1787)
    );
    let disks = procfs::disks(file!("proc-diskstats")).unwrap();
    assert_eq!(
        (disks.read, disks.written, disks.busy),
        (16683186 * 512, 88077928 * 512, 78892)
    );
}

#[test]
fn a_kill_in_the_log() {
    let text = b"Memory cgroup out of memory: Killed process 20526 (python3) total-vm:211880kB, anon-rss:29056kB, file-rss:6488kB, shmem-rss:0kB, UID:0 pgtables:128kB oom_score_adj:0";
    assert_eq!(kmsg::killed(text), Some((20526, &b"python3"[..])));
}
