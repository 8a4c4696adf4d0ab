//! The table of verdicts in FORMAT.md: the example of every row, and every combination of what its words stand for.
//! The sampler's rules in Python are tested against the same table (`tests/probe/table.py`).

use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::XidSeen;
use nbmedic_probe::{Facts, Record};
use std::collections::BTreeSet;

/// A row: its rule, and what it says.
struct Row {
    text: &'static str,
    example: &'static str,
    /// For each word of the rule the facts of which one must hold; the second ones must not.
    needs: Vec<(u64, u64)>,
    says: [&'static str; 3],
}

const WORDS: [&str; 35] = [
    "unseen",
    "replaced",
    "zero",
    "code",
    "kill",
    "crash",
    "abort",
    "bus",
    "forbidden",
    "processor-limit",
    "file-limit",
    "alarm",
    "pipe",
    "told",
    "log",
    "log-other",
    "machine",
    "group",
    "colab",
    "machine-quiet",
    "on-colab",
    "elsewhere",
    "low",
    "spent",
    "largest",
    "shm-full",
    "disk-full",
    "fault",
    "running",
    "server-gone",
    "gpu-broken",
    "gpu-failed",
    "gpu-address",
    "lost",
    // No rule names it.
    "exact",
];

/// The facts that these words name.
fn facts(words: &str) -> u64 {
    let bit = |word: &str| match WORDS.iter().position(|w| *w == word) {
        Some(at) => 1 << at,
        None => panic!("no such word: {word}"),
    };
    words
        .split(['/', ' '])
        .filter(|w| !w.is_empty())
        .map(bit)
        .sum()
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for text in include_str!("../../FORMAT.md").lines() {
        let cells: Vec<&str> = text.split(" | ").collect();
        let [_, when, example, cause, sure, words] = cells[..] else {
            continue;
        };
        let Some(example) = example.trim_matches('`').strip_prefix('{') else {
            continue;
        };
        let need = |word: &str| match word.strip_prefix('!') {
            Some(word) => (u64::MAX, facts(word)),
            None => (facts(word), 0),
        };
        rows.push(Row {
            text,
            example,
            needs: when.trim_matches('`').split(' ').map(need).collect(),
            says: [
                cause.trim_matches('`'),
                sure,
                words.trim_end_matches('|').trim_end(),
            ],
        });
    }
    assert!(rows.len() > 30, "{}", rows.len());
    rows
}

/// The row that holds.
fn holds(rows: &[Row], seen: u64) -> usize {
    let fits = |row: &Row| {
        row.needs
            .iter()
            .all(|&(any, none)| seen & any != 0 && seen & none == 0)
    };
    rows.iter().position(fits).expect("a row for every end")
}

#[test]
fn every_example_is_judged_as_its_row_says() {
    for row in rows() {
        let mut text =
            String::from("{\"k\":\"start\",\"t\":1,\"v\":1,\"pid\":7,\"born\":1,\"boot\":\"b\"}\n");
        if row.example.contains("\"n\":") {
            text += "{\"k\":\"run\",\"t\":2,\"n\":3}\n";
        }
        if let Some((_, xid)) = row.example.split_once("\"xids\":[[") {
            let (number, _) = xid.split_once(',').unwrap();
            text += &format!("{{\"k\":\"xid\",\"t\":9500,\"x\":{number}}}\n");
        }
        text += &format!("{{\"k\":\"end\",\"t\":10000,{}\n", row.example);
        let records = Record::read(&[text.as_bytes()]);
        let verdict = records[0].verdict().expect(row.text);
        let parent = records[0].end.as_ref().unwrap().parent;
        let said = [
            verdict.cause.id(),
            verdict.certainty.id(),
            verdict.words(parent),
        ];
        assert_eq!(row.says, said, "{}", row.text);
    }
}

const STATUSES: [(Option<u32>, &str); 23] = [
    (None, "unseen"),
    (None, "replaced"),
    (Some(0), "zero"),
    (Some(256), "code"),
    (Some(137 << 8), "code"),
    (Some(9), "kill"),
    (Some(4), "crash"),
    (Some(5), "crash"),
    (Some(6), "crash abort"),
    (Some(7), "crash bus"),
    (Some(8), "crash"),
    (Some(11), "crash"),
    (Some(139), "crash"),
    (Some(31), "forbidden"),
    (Some(24), "processor-limit"),
    (Some(25), "file-limit"),
    (Some(14), "alarm"),
    (Some(26), "alarm"),
    (Some(27), "alarm"),
    (Some(13), "pipe"),
    (Some(15), "told"),
    (Some(1), "told"),
    (Some(40), "told"),
];
const LOGS: [(Option<bool>, &str); 3] =
    [(None, ""), (Some(true), "log"), (Some(false), "log-other")];
const COUNTS: [u64; 3] = [NONE, 0, 2];
/// Memory used and in total, and the kernel's own; with `spent`, a limit of processor time was reached.
const MEMORY: [([u64; 2], u64, &str); 6] = [
    ([NONE; 2], NONE, ""),
    ([69, 100], 49, "low"),
    ([69, 100], 50, "low largest"),
    ([69, 100], NONE, "low spent"),
    ([70, 100], NONE, ""),
    ([100, 100], 80, "largest"),
];
const ROOMS: [([u64; 2], [u64; 2], &str); 4] = [
    ([3, 100], [(64 << 20) + 1, 1 << 40], ""),
    ([2, 100], [100, 100], "shm-full"),
    ([100, 100], [64 << 20, 1 << 40], "disk-full"),
    ([0, 100], [0, 100], "shm-full disk-full"),
];
/// An Xid, how long before the end it came, and whether it named an address out of range.
const XIDS: [(u32, i64, bool, &str); 7] = [
    (0, 0, false, ""),
    (79, 9_999, false, "gpu-broken"),
    (94, -9_999, false, "gpu-failed"),
    (31, 500, false, "gpu-address"),
    (13, 500, true, "gpu-address"),
    (13, 500, false, ""),
    (79, 10_001, false, ""),
];

#[test]
fn every_combination_is_judged_as_its_row_says() {
    let rows = rows();
    let [exactly, wrote, runs, alone, silent, beside] = [
        "exact",
        "fault",
        "running",
        "server-gone",
        "lost",
        "elsewhere",
    ]
    .map(facts);
    let memory = MEMORY.map(|(memory, own, words)| (memory, own, facts(words)));
    let rooms = ROOMS.map(|(shm, disk, words)| (shm, disk, facts(words)));
    let xids = XIDS.map(|(number, before, address, words)| {
        let xid = XidSeen {
            number,
            before,
            address,
        };
        ([xid], facts(words))
    });
    let (mut ends, mut used) = (0_u32, BTreeSet::new());
    for (status, end) in STATUSES {
        for n in 0..3 * 27 {
            let (oom_log, log) = LOGS[n / 27];
            let oom = [n / 9 % 3, n / 3 % 3, n % 3].map(|i| COUNTS[i]);
            let mut counts = facts(end) | facts(log);
            for (i, [rose, known]) in [
                ["machine", "machine-quiet"],
                ["group", ""],
                ["colab", "on-colab"],
            ]
            .into_iter()
            .enumerate()
            {
                counts |= facts(if oom[i] == 2 { rose } else { "" });
                let knows = if i == 0 { oom[i] == 0 } else { oom[i] != NONE };
                counts |= facts(if knows { known } else { "" });
            }
            for m in 0..memory.len() * rooms.len() * xids.len() * 32 {
                let flag = |i: usize| m >> i & 1 == 1;
                let rest = m / 32;
                let (memory, own, much) = memory[rest % MEMORY.len()];
                let (shm, disk, full) = rooms[rest / MEMORY.len() % ROOMS.len()];
                let (xid, gpu) = &xids[rest / MEMORY.len() / ROOMS.len()];
                let [exact, fault, running, gone, lost] = [0, 1, 2, 3, 4].map(flag);
                let elsewhere = exact && oom[0] == 2 && oom[1] == 0 && oom[2] != 2;
                let mut seen = counts | much | full | gpu;
                for (holds, words) in [
                    (exact, exactly),
                    (fault, wrote),
                    (running, runs),
                    (gone, alone),
                    (lost, silent),
                    (elsewhere, beside),
                ] {
                    seen |= if holds { words } else { 0 };
                }
                // The limit counts only where the system killed it.
                let row = holds(&rows, seen);
                let judged = nbmedic_probe::verdict(&Facts {
                    status,
                    replaced: end == "replaced",
                    spent: much & facts("spent") != 0,
                    oom,
                    exact,
                    oom_log,
                    fault,
                    memory,
                    shm,
                    disk,
                    own,
                    running,
                    gpu_lost: lost,
                    xids: if xid[0].number == 0 { &[] } else { xid },
                });
                let said = [
                    judged.cause.id(),
                    judged.certainty.id(),
                    judged.words(Some(!gone)),
                ];
                assert_eq!(rows[row].says, said, "{status:?} {oom:?} {oom_log:?} exact {exact}, fault {fault}, memory {memory:?}, own {own}, {shm:?} {disk:?} running {running}, lost {lost}, {xid:?}: {}", rows[row].text);
                used.insert(row);
                ends += 1;
            }
        }
    }
    // A row that never holds has the rule of one before it, for another example.
    for (i, row) in rows.iter().enumerate() {
        let again = rows[..i].iter().any(|r| r.needs == row.needs);
        assert!(used.contains(&i) != again, "{}", row.text);
    }
    assert!(ends > 7_000_000, "{ends}");
}
