//! Converts a session's record to its stored form and back, without loss.

use super::memory::{CodeSays, Incident, Memory, Restart, RestartCause};
use super::readings::{Level, Load, Quantity, Sample};
use super::runs::{Run, RunLevels, Use};
use nbmedic_protocol as wire;
use nbmedic_protocol::limits::{LOAD, MISSING, SAMPLE};

fn figure(n: i64) -> Option<u64> {
    u64::try_from(n).ok()
}

fn stored(n: Option<u64>) -> i64 {
    n.map_or(MISSING, |n| n as i64)
}

/// 0 means "not known" in a stored record.
fn nonzero(n: u64) -> Option<u64> {
    (n > 0).then_some(n)
}

/// A stored sample: its time, then use and limit of each quantity in KiB.
fn sample(row: &[i64]) -> Sample {
    let level = |at: usize| Level {
        used: figure(row[at]),
        total: figure(row[at + 1]),
    };
    Sample {
        at: row[0].max(0) as u64,
        ram: level(1),
        gpu: level(3),
        disk: level(5),
    }
}

/// A stored load: its time, then the figures of [`Load`].
fn load(row: &[i64]) -> Load {
    let percent = |at: usize| u32::try_from(row[at]).ok();
    Load {
        at: row[0].max(0) as u64,
        all: percent(1),
        own: percent(2),
        gpu: percent(3),
        disk: percent(4),
        wait: percent(5),
    }
}

/// Stored levels of a run: before, peak and after of memory, device memory and disk.
fn levels(row: &[i64]) -> Option<RunLevels> {
    let of = |what: usize| Use {
        before: figure(row[what]),
        peak: figure(row[3 + what]),
        after: figure(row[6 + what]),
    };
    (row.len() == 9).then(|| RunLevels {
        ram: of(0),
        gpu: of(1),
        disk: of(2),
    })
}

impl From<&wire::Ran> for Run {
    fn from(r: &wire::Ran) -> Run {
        Run {
            cell: r.cell.clone(),
            run: r.run,
            source: r.source,
            count: r.count,
            start: r.start,
            end: nonzero(r.end),
            well: r.well,
            levels: levels(&r.levels),
            tail: r.tail.clone(),
            id: r.id.clone(),
            packages: r.packages.clone(),
            unread: false,
        }
    }
}

impl From<&Run> for wire::Ran {
    fn from(r: &Run) -> wire::Ran {
        let levels = r.levels.map_or(Vec::new(), |l| {
            let all = Quantity::ALL.map(|what| *l.of(what));
            let rows = [
                all.map(|u| stored(u.before)),
                all.map(|u| stored(u.peak)),
                all.map(|u| stored(u.after)),
            ];
            rows.concat()
        });
        wire::Ran {
            cell: r.cell.clone(),
            run: r.run,
            source: r.source,
            count: r.count,
            start: r.start,
            end: r.end.unwrap_or(0),
            well: r.well,
            levels,
            tail: r.tail.clone(),
            id: r.id.clone(),
            packages: r.packages.clone(),
        }
    }
}

impl From<&wire::Incident> for Incident {
    fn from(i: &wire::Incident) -> Incident {
        Incident {
            n: i.n,
            at: i.at,
            fatal: i.fatal,
            cell: i.cell.clone(),
            run: i.run,
            runs: i.runs,
            ran: i.ran,
            notices: i.notices.clone(),
            status: i.status,
            ram: i.ram,
            gpu: i.gpu,
            disk: i.disk,
            age: nonzero(i.age),
            idle: i.idle,
            code: match (i.wants, i.line) {
                (0, 0) => CodeSays::Nothing,
                (0, line) => CodeSays::EndsKernel {
                    line,
                    surely: i.asked,
                    last: i.last,
                },
                (bytes, line) => CodeSays::Allocates { line, bytes },
            },
        }
    }
}

impl From<&Incident> for wire::Incident {
    fn from(i: &Incident) -> wire::Incident {
        let (wants, line, asked, last) = match i.code {
            CodeSays::Nothing | CodeSays::Unread => (0, 0, false, false),
            CodeSays::EndsKernel { line, surely, last } => (0, line, surely, last),
            CodeSays::Allocates { line, bytes } => (bytes, line, false, false),
        };
        wire::Incident {
            n: i.n,
            at: i.at,
            fatal: i.fatal,
            cell: i.cell.clone(),
            run: i.run,
            runs: i.runs,
            ran: i.ran,
            notices: i.notices.clone(),
            status: i.status,
            ram: i.ram,
            gpu: i.gpu,
            disk: i.disk,
            age: i.age.unwrap_or(0),
            idle: i.idle,
            wants,
            line,
            asked,
            last,
        }
    }
}

impl From<&wire::Memory> for Memory {
    fn from(m: &wire::Memory) -> Memory {
        let cause = |why: &str| match why {
            "person" => RestartCause::Asked,
            "died" => RestartCause::Died,
            _ => RestartCause::Unseen,
        };
        let restart = |(why, second): &(String, u32)| Restart {
            cause: cause(why),
            second: *second,
        };
        let mut memory = Memory {
            nb: m.nb.clone(),
            name: m.name.clone(),
            last: m.last,
            incidents: m.incidents.iter().map(Incident::from).collect(),
            faults: m.faults.clone(),
            contexts: m.contexts.clone(),
            handled: m.handled.clone(),
            dismissed: m.dismissed.clone(),
            status: m.status,
            born: nonzero(m.born),
            boot: nonzero(m.boot),
            restarts: m.restarts.iter().map(restart).collect(),
            runs: m.runs.iter().map(Run::from).collect(),
            samples: m.samples.chunks_exact(SAMPLE).map(sample).collect(),
            loads: m.loads.chunks_exact(LOAD).map(load).collect(),
            flights: m.flights.clone(),
            warned: m.warned.clone(),
        };
        memory.bound();
        memory
    }
}

impl From<&Memory> for wire::Memory {
    fn from(m: &Memory) -> wire::Memory {
        let word = |cause: RestartCause| match cause {
            RestartCause::Asked => "person",
            RestartCause::Died => "died",
            RestartCause::Unseen => "unseen",
        };
        let restart = |r: &Restart| (word(r.cause).to_owned(), r.second);
        let sample = |s: &Sample| {
            let levels = Quantity::ALL.map(|what| s.level(what));
            let [ram, gpu, disk] = levels.map(|l| [stored(l.used), stored(l.total)]);
            [&[s.at as i64][..], &ram, &gpu, &disk].concat()
        };
        let load = |l: &Load| {
            let figures = [l.all, l.own, l.gpu, l.disk, l.wait];
            let figures = figures.map(|n| n.map_or(MISSING, i64::from));
            [&[l.at as i64][..], &figures].concat()
        };
        wire::Memory {
            nb: m.nb.clone(),
            name: m.name.clone(),
            old: false,
            last: m.last,
            incidents: m.incidents.iter().map(wire::Incident::from).collect(),
            faults: m.faults.clone(),
            contexts: m.contexts.clone(),
            handled: m.handled.clone(),
            dismissed: m.dismissed.clone(),
            status: m.status,
            born: m.born.unwrap_or(0),
            boot: m.boot.unwrap_or(0),
            restarts: m.restarts.iter().map(restart).collect(),
            runs: m.runs.iter().map(wire::Ran::from).collect(),
            samples: m.samples.iter().flat_map(sample).collect(),
            loads: m.loads.iter().flat_map(load).collect(),
            flights: m.flights.clone(),
            warned: m.warned.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_protocol::{Before, Context, Dismissed, Flight, KernelStatus, Said};
    use nbmedic_vitals::Reading;

    /// A stored record with every field set, and with figures that are missing.
    fn record() -> wire::Memory {
        let before = |used| {
            Some(Before {
                reading: Reading::Known {
                    used,
                    total: Some(9),
                },
                age: 8,
            })
        };
        let incident = |n, wants, line, asked| wire::Incident {
            n,
            at: 1_800_000_000_000,
            fatal: true,
            cell: Some("c".into()),
            run: 3,
            runs: 4,
            ran: Some(5),
            notices: vec![Said {
                id: "7".into(),
                text: "crashed".into(),
            }],
            status: Some(KernelStatus::Dead),
            ram: before(1),
            gpu: before(2),
            disk: before(3),
            age: 10,
            idle: 11,
            wants,
            line,
            asked,
            last: asked,
        };
        let run = |levels: Vec<i64>, end| wire::Ran {
            cell: "c".into(),
            run: 1,
            source: 2,
            count: Some(3),
            start: 4,
            end,
            well: end > 0,
            levels,
            tail: "done".into(),
            id: "gpu-oom".into(),
            packages: vec!["numpy".into()],
        };
        wire::Memory {
            nb: "n".into(),
            name: "demo".into(),
            last: 4,
            incidents: vec![
                incident(1, 12, 13, false),
                incident(2, 0, 13, true),
                incident(3, 0, 13, false),
                incident(4, 0, 0, false),
            ],
            faults: vec![("c".into(), 1)],
            contexts: vec![Context {
                id: "cuda-illegal-access".into(),
                members: vec![("d".into(), 2)],
                ..Context::default()
            }],
            handled: vec!["7".into()],
            dismissed: vec![Dismissed {
                card: "n/c".into(),
                run: 1,
                n: 2,
            }],
            status: KernelStatus::Busy,
            born: 1_800_000_000_000,
            boot: 1_800_000_000_001,
            restarts: vec![
                ("person".into(), 5),
                ("died".into(), 6),
                ("unseen".into(), 7),
            ],
            runs: vec![run(vec![1, 2, 3, 4, 5, 6, 7, 8, -1], 5), run(Vec::new(), 0)],
            samples: vec![1, 2, 3, 4, 5, 6, -1, 2, -1, -1, 0, 0, 7, 8],
            loads: vec![1, 98, 99, 12, -1, 0],
            flights: vec![Flight {
                at: 1,
                id: "host-oom".into(),
                ..Flight::default()
            }],
            warned: vec![("Runtime RAM c".into(), 1)],
            ..wire::Memory::default()
        }
    }

    #[test]
    fn a_stored_record_is_the_same_after_it_was_read() {
        for record in [record(), wire::Memory::default()] {
            let memory = Memory::from(&record);
            assert_eq!(wire::Memory::from(&memory), record);
        }
    }

    #[test]
    fn what_is_missing_in_a_record_is_none() {
        let memory = Memory::from(&record());
        assert_eq!(memory.samples[0].disk.total, None);
        assert_eq!(memory.samples[1].gpu.used, Some(0));
        assert_eq!(memory.loads[0].disk, None);
        assert_eq!(memory.runs[0].after(Quantity::Disk), None);
        assert_eq!(memory.runs[0].peak(Quantity::Gpu), Some(5.0 * 1024.0));
        assert_eq!(memory.running().map(|r| r.levels), Some(None));
        let code: Vec<CodeSays> = memory.incidents.iter().map(|i| i.code).collect();
        let ends = |surely| CodeSays::EndsKernel {
            line: 13,
            surely,
            last: surely,
        };
        let asks = CodeSays::Allocates {
            line: 13,
            bytes: 12,
        };
        assert_eq!(code, [asks, ends(true), ends(false), CodeSays::Nothing]);
        assert_eq!(Memory::from(&wire::Memory::default()).born, None);
    }

    #[test]
    fn a_damaged_record_is_read_as_far_as_it_goes() {
        let record = wire::Memory {
            samples: vec![1, 2, 3],
            loads: vec![-1; 8],
            runs: vec![wire::Ran {
                levels: vec![1, 2],
                ..wire::Ran::default()
            }],
            ..wire::Memory::default()
        };
        let memory = Memory::from(&record);
        assert!(memory.samples.is_empty() && memory.runs[0].levels.is_none());
        assert_eq!((memory.loads.len(), memory.loads[0].is_known()), (1, false));
    }
}
