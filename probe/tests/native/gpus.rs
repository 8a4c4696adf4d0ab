//! GPUs: how the program handles every answer of NVIDIA's library.
//!
//! The library is a simulation that follows scripts (`native/fake-nvml`). What must hold for any GPU
//! is also tested with the machine's own library, if there is one.

use crate::support::{built, Built, Kernel, Probe};
use nbmedic_probe::{Cause, Record};

const FIRST: &str = "GPU-00000000-0000-0000-0000-000000000000";

fn with(script: &str, what: &str, is: impl Fn(&Record) -> bool) -> Record {
    let kernel = Kernel::start();
    let mut probe = Probe::with_gpus(&kernel, script);
    probe.say("r");
    probe.until(what, is)
}

fn missing<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    let found = record
        .gpus
        .first()?
        .missing
        .iter()
        .find(|(name, _)| name == field)?;
    Some(found.1.as_str())
}

fn seen(record: &Record) -> Option<nbmedic_probe::GpuUse> {
    *record.samples.back()?.gpus.first()?
}

#[test]
fn everything_that_a_gpu_tells() {
    let record = with("gpus=2", "two GPUs", |r| {
        r.gpus.len() == 2 && r.samples.back().is_some_and(|s| s.gpus.len() == 2)
    });
    assert_eq!(record.gpus[0].uuid, FIRST);
    assert_eq!(record.gpus[0].name, "Tesla T4");
    assert_eq!(record.gpus[0].total, Some(15 << 30));
    assert!(!record.gpus[0].mig && !record.gpus[0].virtual_ && !record.gpus[0].reserve_counted);
    assert_ne!(record.gpus[0].uuid, record.gpus[1].uuid);
    assert_eq!(record.start.driver.as_deref(), Some("580.82.07"));
    let gpu = seen(&record).unwrap();
    assert_eq!((gpu.used, gpu.total), (Some(2 << 30), Some(15 << 30)));
    assert_eq!(
        (gpu.utilisation, gpu.temperature, gpu.power),
        (Some(97), Some(64), Some(70))
    );
    assert_eq!(
        (gpu.throttle, gpu.ecc, gpu.own, gpu.clock),
        (Some(4), Some(0), Some(0), Some(585))
    );
}

#[test]
fn growth_is_seen_to_the_end() {
    let record = with("grow", "a full GPU", |r| {
        seen(r).is_some_and(|g| g.used.is_some() && g.used == g.total)
    });
    let full: Vec<u64> = record
        .samples
        .iter()
        .filter_map(|s| s.gpus.first()?.as_ref()?.used)
        .collect();
    assert!(
        full.len() >= 3,
        "on the way there are samples too: {full:?}"
    );
    assert!(full.windows(2).all(|w| w[0] <= w[1]));
}

#[test]
fn an_xid_comes_with_its_gpu() {
    let record = with("xid=31", "an Xid", |r| !r.xids.is_empty());
    assert_eq!(
        (record.xids[0].number, record.xids[0].uuid.as_deref()),
        (31, Some(FIRST))
    );
}

#[test]
fn an_abort_after_an_xid_is_the_gpus() {
    let mut kernel = Kernel::start();
    let mut probe = Probe::with_gpus(&kernel, "xid=31");
    probe.say("r");
    probe.until("an Xid", |r| !r.xids.is_empty());
    kernel.run("kill -ABRT $$");
    let verdict = probe.end().verdict().unwrap();
    assert_eq!(
        (verdict.cause, verdict.xid),
        (Cause::IllegalAccess, Some(31))
    );
}

#[test]
fn a_gpu_that_fell_off_the_bus() {
    let mut kernel = Kernel::start();
    let mut probe = Probe::with_gpus(&kernel, "lost,gpus=2");
    probe.say("r");
    let record = probe.until("a lost GPU", |r| missing(r, "mem") == Some("lost"));
    assert!(record.gpus[1].missing.is_empty(), "the other is well");
    let record = probe.until("no figures", |r| {
        r.samples
            .back()
            .is_some_and(|s| s.gpus.len() == 2 && s.gpus[0].is_none() && s.gpus[1].is_some())
    });
    assert_eq!(record.xids[0].number, 79);
    kernel.run("kill -KILL $$");
    let record = probe.end();
    assert!(record.end.as_ref().unwrap().gpu_lost);
    assert_eq!(record.verdict().unwrap().cause, Cause::GpuHardware);
}

#[test]
fn no_gpu_has_a_reason_each() {
    for (script, reason) in [
        ("init=18", "driver-mismatch"),
        ("init=9", "driver-not-loaded"),
        ("init=4", "no-permission"),
        ("init=17", "blocked"),
        ("init=999", "unknown-error"),
        ("gpus=0", "no-gpu"),
    ] {
        let record = with(script, script, |r| r.no_gpu.is_some());
        assert_eq!(record.no_gpu.as_deref(), Some(reason), "{script}");
        assert!(record.gpus.is_empty());
    }
    let kernel = Kernel::start();
    let probe = Probe::start(&kernel, &["nvml=/nonexistent"], &[]);
    let record = probe.until("no library", |r| r.no_gpu.is_some());
    assert_eq!(record.no_gpu.as_deref(), Some("no-library"));
}

#[test]
fn what_is_not_supported_is_not_zero() {
    let record = with("bare", "a sample", |r| seen(r).is_some());
    let gpu = seen(&record).unwrap();
    assert_eq!(gpu.used, Some(2 << 30));
    assert_eq!(
        (gpu.utilisation, gpu.temperature, gpu.power, gpu.ecc),
        (None, None, None, None)
    );
    for field in ["util", "temp", "watt", "why", "ecc", "xid"] {
        assert_eq!(missing(&record, field), Some("not-supported"), "{field}");
    }
}

#[test]
fn instances_are_told_apart_and_have_no_share_of_the_whole() {
    let record = with("mig", "instances", |r| {
        r.gpus.len() == 2 && seen(r).is_some()
    });
    assert!(record
        .gpus
        .iter()
        .all(|g| g.mig && g.uuid.starts_with("MIG-")));
    assert_eq!(missing(&record, "util"), Some("mig"));
    let gpu = seen(&record).unwrap();
    assert_eq!((gpu.used, gpu.utilisation), (Some(2 << 30), None));
}

#[test]
fn a_virtual_gpu_says_so() {
    assert!(with("virtual", "a GPU", |r| !r.gpus.is_empty()).gpus[0].virtual_);
}

#[test]
fn our_processes_are_told_from_others() {
    let kernel = Kernel::start();
    let mut probe = Probe::with_gpus(&kernel, &format!("pid={}:1048576", kernel.pid()));
    probe.say("r");
    let record = probe.until("our memory", |r| {
        seen(r).is_some_and(|g| g.own.is_some_and(|n| n > 0))
    });
    assert_eq!(seen(&record).unwrap().own, Some(1 << 20));
    // Process numbers that do not exist here are the host's, and the figure stays missing.
    let record = with("pid=4194399:1048576", "a sample", |r| {
        missing(r, "own").is_some()
    });
    assert_eq!(missing(&record, "own"), Some("no-process-list"));
    assert_eq!(seen(&record).unwrap().own, None);
}

#[test]
fn an_old_library_has_what_the_new_one_has() {
    let kernel = Kernel::start();
    let library = built().old.to_str().unwrap();
    let script = format!("xid=13,pid={}:77", kernel.pid());
    let mut probe = Probe::start(
        &kernel,
        &[],
        &[("LD_LIBRARY_PATH", library), ("FAKE_NVML", &script)],
    );
    probe.say("r");
    let record = probe.until("an Xid", |r| {
        !r.xids.is_empty() && seen(r).is_some_and(|g| g.own == Some(77))
    });
    assert!(record.gpus[0].reserve_counted);
    assert_eq!(seen(&record).unwrap().used, Some(2 << 30));
}

#[test]
fn a_library_that_hangs_stops_nothing_else() {
    for script in ["hang", "hang-init"] {
        let mut kernel = Kernel::start();
        let mut probe = Probe::with_gpus(&kernel, script);
        probe.say("r");
        let text = |probe: &Probe| probe.folder.text("nbmedic-flight.jsonl");
        let began = std::time::Instant::now();
        while !text(&probe).contains("\"no-answer\"") {
            assert!(began.elapsed().as_secs() < 60, "{}", text(&probe));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(probe.record().unwrap().samples.len() > 3, "{script}");
        kernel.run("kill -SEGV $$");
        assert_eq!(
            probe.end().verdict().unwrap().cause,
            Cause::NativeCrash,
            "{script}"
        );
    }
}

#[test]
fn xids_are_read_off_the_log_too() {
    use std::io::Write;
    let kernel = Kernel::start();
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
    let library = built().today.to_str().unwrap();
    let probe = Probe::start(
        &kernel,
        &[&format!("kmsg={}", log.display())],
        &[("LD_LIBRARY_PATH", library)],
    );
    probe.until("a GPU", |r| !r.gpus.is_empty());
    writeln!(
        writer,
        "3,9,1,-;NVRM: Xid (PCI:0000:00:04): 119, pid=7, name=python3, Timeout"
    )
    .unwrap();
    let record = probe.until("an Xid", |r| !r.xids.is_empty());
    assert_eq!(
        (record.xids[0].number, record.xids[0].uuid.as_deref()),
        (119, Some(FIRST))
    );
    assert_eq!(
        record.xids[0].message.as_deref(),
        Some("pid=7, name=python3, Timeout")
    );
}

/// What must hold for any GPU, simulated or real: it has a name, each figure is present or has a
/// reason, and none is out of range. Then the kernel crashes, and the GPU is not blamed.
fn holds_of_any_gpu(environment: &[(&str, &str)]) -> Record {
    let mut kernel = Kernel::start();
    let mut probe = Probe::start(&kernel, &[], environment);
    probe.say("r");
    let record = probe.until("each figure or its reason", |r| {
        let Some(now) = r.samples.back().filter(|_| r.samples.len() >= 2) else {
            return false;
        };
        let each = |(gpu, now): (&nbmedic_probe::Gpu, &Option<nbmedic_probe::GpuUse>)| {
            let now = now.unwrap_or_default();
            [
                ("mem", now.used),
                ("util", now.utilisation),
                ("temp", now.temperature),
                ("watt", now.power),
                ("why", now.throttle),
                ("ecc", now.ecc),
                ("own", now.own),
                ("clock", now.clock),
            ]
            .iter()
            .all(|(field, value)| {
                value.is_some() != gpu.missing.iter().any(|(name, _)| name == field)
            })
        };
        !r.gpus.is_empty()
            && r.gpus.len() == now.gpus.len()
            && r.gpus.iter().zip(&now.gpus).all(each)
    });
    assert!(record.start.driver.as_ref().is_some_and(|d| !d.is_empty()));
    let now = record.samples.back().unwrap();
    for (gpu, now) in record.gpus.iter().zip(&now.gpus) {
        let uuid = if gpu.mig { "MIG-" } else { "GPU-" };
        assert!(
            gpu.uuid.starts_with(uuid) && !gpu.name.is_empty(),
            "{gpu:?}"
        );
        let now = now.unwrap_or_default();
        assert!(now.total == gpu.total && now.used <= now.total);
        assert!(now.used.is_none() || now.own <= now.used);
        assert!(now.utilisation <= Some(100) && now.temperature < Some(150));
    }
    kernel.run("kill -SEGV $$");
    assert_eq!(probe.end().verdict().unwrap().cause, Cause::NativeCrash);
    record
}

#[test]
fn any_gpu_that_is_played() {
    let Built { today, old, .. } = built();
    for (library, script) in [
        (today, ""),
        (today, "gpus=2"),
        (today, "mig"),
        (today, "virtual"),
        (today, "bare"),
        (old, ""),
    ] {
        holds_of_any_gpu(&[
            ("LD_LIBRARY_PATH", library.to_str().unwrap()),
            ("FAKE_NVML", script),
        ]);
    }
}

/// The same with NVIDIA's own library on a machine with a GPU, compared with NVIDIA's command.
#[test]
fn the_library_of_this_machine() {
    if !std::path::Path::new("/dev/nvidiactl").exists() {
        let kernel = Kernel::start();
        let probe = Probe::start(&kernel, &[], &[]);
        probe.until("no GPU", |r| r.no_gpu.is_some());
        println!("left out: no NVIDIA GPU on this machine");
        return;
    }
    let record = holds_of_any_gpu(&[]);
    let said = std::process::Command::new("nvidia-smi")
        .args([
            "--query-gpu=uuid,name,driver_version,memory.total",
            "--format=csv,noheader,nounits",
        ])
        .output()
        .expect("nvidia-smi runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    for (line, gpu) in said.lines().zip(&record.gpus).filter(|(_, gpu)| !gpu.mig) {
        let total = gpu.total.map_or(0, |bytes| bytes >> 20);
        let driver = record.start.driver.as_deref().unwrap_or_default();
        let ours = format!("{}, {}, {driver}, {total}", gpu.uuid, gpu.name);
        assert_eq!(line.trim(), ours);
    }
}
