//! Hostile input: mutated at random from a fixed seed, or built to be slow.

use nbmedic_probe::procfs::{self, Stat};
use nbmedic_probe::{bytes, cgroup, kmsg, wait, Record};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const SEEDS: &[&[u8]] = &[
    include_bytes!("fixtures/proc-meminfo"),
    include_bytes!("fixtures/proc-diskstats"),
    include_bytes!("fixtures/proc-stat"),
    include_bytes!("fixtures/proc-pressure-memory"),
    include_bytes!("fixtures/v1-memory.stat"),
    include_bytes!("fixtures/v2-memory.events"),
    b"4242 (a) b) Z 1 2 3 0 -1 4 5 0 0 0 12 3 0 0 20 0 9 0 8812345 0 77 1 9 1 1 0 0 256 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 139\n",
    b"9:memory:/docker/ab\n0::/user.slice/a\n",
    b"6,339,5140900,-;NVRM: Xid (PCI:0000:00:04 GPU-I:05): 31, pid=1, name=python3, MMU Fault\n SUBSYSTEM=pci\n",
    b"<6>[   12.000345] Memory cgroup out of memory: Killed process 4242 (python3) total-vm:1kB\n",
    b"1,2,oom_kill=1\n5,2,oom_kill=2\n",
    br#"{"k":"start","v":1,"t":1,"mode":"native","pid":7,"born":5,"gpus":[{"u":"GPU-1","na":{"ecc":"x"}}]}
{"k":"s","t":2,"r":[1,2],"cg":[1,null],"oom":[0,0,null],"d":[["/",1,2]],"g":[[1,2,null],null],"na":{"io":"no-file"}}
{"k":"run","t":3,"n":1,"l":"a\u00e9\ud83d\ude00"}
{"k":"end","t":4,"st":9,"oom":[1,null,null],"fault":"Segmentation fault","for":["signal-kill"]}
"#,
];

fn change(random: &mut Random, text: &mut Vec<u8>) {
    const BITS: &[&[u8]] = &[
        b"18446744073709551616",
        b"-1",
        b"(",
        b")",
        b"\"",
        b"\\u",
        b"{",
        b"[",
        b"\n",
        b"\xff",
        b"0",
        b" ",
    ];
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        match random.below(5) {
            0 if at < text.len() => text[at] = random.below(256) as u8,
            1 => text.truncate(at),
            2 if at < text.len() => {
                let to = at + random.below(text.len() - at);
                text.drain(at..to);
            }
            3 => {
                let to = (at + random.below(40)).min(text.len());
                let part = text[at..to].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, part);
            }
            _ => {
                let bit = BITS[random.below(BITS.len())];
                text.splice(at..at, bit.iter().copied());
            }
        }
    }
}

/// Runs every parser on this text and checks what must hold for any input.
fn read_all(text: &[u8]) {
    if let Some(stat) = Stat::parse(text) {
        assert!(!(stat.is_zombie() && stat.is_well()));
        let _ = stat.status.and_then(wait::decode);
    }
    if let Some(memory) = procfs::memory(text) {
        assert!(memory.used <= memory.total && memory.swap_used <= memory.swap_total);
    }
    let _ = (
        procfs::processors(text),
        procfs::disks(text),
        procfs::pressure(text, b"some avg10="),
    );
    let _ = (
        cgroup::own(text),
        cgroup::limit(text),
        cgroup::kills(text),
        cgroup::colab_kills(text),
    );
    for line in bytes::lines(text) {
        let message = kmsg::record(line)
            .or(kmsg::line(line))
            .map_or(line, |(_, message)| message);
        if let Some(xid) = kmsg::xid(message) {
            assert!(xid.bus.len() <= message.len());
        }
        if let Some((_, name)) = kmsg::killed(message) {
            assert!(!name.contains(&b')'));
        }
    }
    let records = Record::read(&[text]);
    assert!(records.len() <= 8);
    for record in records {
        let _ = record.verdict();
        assert!(record.samples.len() <= 600 && record.cells.len() <= 64 && record.xids.len() <= 64);
        assert!(record.gpus.len() <= 16 && record.space.len() <= 16);
        for cell in record.cells {
            assert!(cell.line.is_none_or(|line| line.len() <= 200));
        }
    }
}

#[test]
fn nothing_breaks_on_changed_input() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..30_000 {
        let mut text = SEEDS[round % SEEDS.len()].to_vec();
        change(&mut random, &mut text);
        read_all(&text);
    }
}

#[test]
fn memory_is_bounded_however_long_the_record() {
    let line = "{\"k\":\"s\",\"t\":1,\"r\":[1,2],\"g\":[[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1]]}\n";
    let xids = "{\"k\":\"xid\",\"t\":1,\"x\":31}\n{\"k\":\"run\",\"t\":1,\"n\":1}\n";
    let text = format!("{}{}", line.repeat(5_000), xids.repeat(5_000));
    let record = Record::read(&[text.as_bytes()]).pop().unwrap();
    assert_eq!(
        (record.samples.len(), record.xids.len(), record.cells.len()),
        (600, 64, 64)
    );
    assert_eq!(record.samples[0].gpus.len(), 16);
    let starts = "{\"k\":\"start\",\"t\":1,\"pid\":1,\"born\":1}\n".repeat(50);
    assert_eq!(Record::read(&[starts.as_bytes()]).len(), 8);
}

/// Processor time of this thread, in nanoseconds.
fn ran() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn time_grows_with_length_and_no_faster() {
    // Unclosed brackets, unclosed quotes, and lines of every length up to the longest.
    let kinds: [&dyn Fn(usize) -> Vec<u8>; 4] = [
        &|n| [b"{\"k\":".as_slice(), &b"[".repeat(n)].concat(),
        &|n| b"{\"k\":\"s\",\"t\":1,\"g\":[[\n".repeat(n / 22),
        &|n| {
            [
                b"{\"k\":\"s\",\"t\":1,\"g\":".as_slice(),
                &b"[".repeat(8000),
                b"\n",
            ]
            .concat()
            .repeat(n / 8018 + 1)
        },
        &|n| b"Out of memory: Killed process NVRM: Xid (PCI:0000 out of memory".repeat(n / 62),
    ];
    for (i, kind) in kinds.iter().enumerate() {
        let took = |n: usize| {
            let text = kind(n);
            let best = (0..3)
                .map(|_| {
                    let began = ran();
                    read_all(&text);
                    ran() - began
                })
                .fold(f64::MAX, f64::min);
            best.max(1e5)
        };
        let (short, long) = (took(1 << 16), took(1 << 19));
        assert!(
            long < 30.0 * short,
            "{i}: eight times as long takes {:.0} times as long",
            long / short
        );
    }
}
