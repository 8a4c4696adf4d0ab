//! The verdict's rules, one by one and combined.

use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::XidSeen;
use nbmedic_probe::wait::Ended;
use nbmedic_probe::{Cause, Certainty, Evidence, Facts, Verdict};
use Certainty::{Certain, Likely};

/// The facts, with `None` for unknown ones.
#[derive(Clone, Copy, Debug, Default)]
struct Seen<'a> {
    status: Option<u32>,
    oom: [Option<u64>; 3],
    exact: bool,
    oom_log: Option<bool>,
    fault: bool,
    memory: Option<(u64, u64)>,
    shm: Option<(u64, u64)>,
    disk: Option<(u64, u64)>,
    own: Option<u64>,
    running: bool,
    gpu_lost: bool,
    xids: &'a [XidSeen],
}

fn verdict(seen: &Seen) -> Verdict {
    let both = |pair: Option<(u64, u64)>| pair.map_or([NONE; 2], |(a, b)| [a, b]);
    nbmedic_probe::verdict(&Facts {
        status: seen.status,
        replaced: false,
        spent: false,
        oom: seen.oom.map(|n| n.unwrap_or(NONE)),
        exact: seen.exact,
        oom_log: seen.oom_log,
        fault: seen.fault,
        memory: both(seen.memory),
        shm: both(seen.shm),
        disk: both(seen.disk),
        own: seen.own.unwrap_or(NONE),
        running: seen.running,
        gpu_lost: seen.gpu_lost,
        xids: seen.xids,
    })
}

/// A machine with all counters, none of which changed.
fn quiet(status: u32) -> Seen<'static> {
    Seen {
        status: Some(status),
        oom: [Some(0), Some(0), None],
        memory: Some((4, 10)),
        ..Seen::default()
    }
}

fn judged(facts: Seen) -> (Cause, Certainty) {
    let verdict = verdict(&facts);
    (verdict.cause, verdict.certainty)
}

const KILL: u32 = 9;
const SEGV: u32 = 11;
const ABRT: u32 = 6;
const BUS: u32 = 7;

fn with(status: u32, xids: &[XidSeen]) -> (Cause, Certainty) {
    judged(Seen {
        xids,
        ..quiet(status)
    })
}

fn xid(number: u32) -> [XidSeen; 1] {
    [XidSeen {
        number,
        before: 400,
        address: false,
    }]
}

#[test]
fn a_kill_is_for_memory_when_a_counter_or_the_log_says_so() {
    for (oom, log, exact, sure) in [
        ([Some(1), Some(1), None], None, false, Certain),
        ([Some(0), Some(1), None], None, false, Certain),
        ([None, None, Some(1)], None, false, Certain),
        // Only the machine's counter, which counts other users' processes too …
        ([Some(1), None, None], None, false, Likely),
        // … but not on Colab, where there is no other user.
        ([Some(1), Some(0), Some(0)], None, false, Certain),
        ([Some(0), Some(0), None], Some(true), false, Certain),
        ([Some(1), Some(0), None], Some(true), true, Certain),
    ] {
        let facts = Seen {
            oom,
            oom_log: log,
            exact,
            own: Some(6),
            ..quiet(KILL)
        };
        assert_eq!(judged(facts), (Cause::HostOom, sure), "{facts:?}");
        // A count may be a child's: the system kills the largest process.
        let small = Seen {
            own: Some(1),
            ..facts
        };
        let sure = if log == Some(true) { Certain } else { Likely };
        assert_eq!(judged(small), (Cause::HostOom, sure), "{small:?}");
    }
}

#[test]
fn a_kill_without_a_counter_came_from_outside() {
    assert_eq!(judged(quiet(KILL)), (Cause::Died, Certain));
    let full = Seen {
        memory: Some((95, 100)),
        ..quiet(KILL)
    };
    assert_eq!(judged(full), (Cause::Died, Likely));
    assert!(verdict(&full).against.has(Evidence::MemoryHigh));
    let blind = Seen {
        oom: [None; 3],
        ..quiet(KILL)
    };
    assert_eq!(judged(blind), (Cause::Died, Likely));
}

#[test]
fn somebody_elses_kill_is_not_ours() {
    let log = Seen {
        oom: [Some(1), Some(1), None],
        oom_log: Some(false),
        ..quiet(KILL)
    };
    assert_eq!(judged(log), (Cause::Died, Likely));
    // The machine killed some process, and our own group counted no kill: the kernel may have been in another one.
    let group = Seen {
        oom: [Some(1), Some(0), None],
        exact: true,
        ..quiet(KILL)
    };
    assert_eq!(judged(group), (Cause::Unknown, Certainty::Unknown));
    // A worker was killed; the kernel itself crashed.
    let worker = Seen {
        oom: [Some(1), Some(1), None],
        ..quiet(SEGV)
    };
    assert_eq!(judged(worker), (Cause::NativeCrash, Likely));
    assert!(verdict(&worker).against.has(Evidence::OomCgroup));
}

#[test]
fn crashes_are_native_unless_shared_memory_or_the_gpu_is_behind_them() {
    for signal in [4, 5, 6, 8, 11] {
        // Whoever sent the signal, the fault handler writes the same.
        for fault in [false, true] {
            let facts = Seen {
                fault,
                ..quiet(signal)
            };
            assert_eq!(judged(facts), (Cause::NativeCrash, Likely), "{signal}");
        }
    }
    assert_eq!(judged(quiet(31)), (Cause::Died, Likely), "a sandbox");
    let full = Seen {
        shm: Some((1 << 20, 6 << 30)),
        ..quiet(BUS)
    };
    assert_eq!(judged(full), (Cause::SharedMemory, Likely));
    assert_eq!(
        judged(Seen {
            status: Some(SEGV),
            ..full
        }),
        (Cause::NativeCrash, Likely)
    );
    let room = Seen {
        shm: Some((1 << 30, 6 << 30)),
        ..quiet(BUS)
    };
    assert_eq!(judged(room), (Cause::NativeCrash, Likely));
    let disk = |free, total| {
        judged(Seen {
            disk: Some((free, total)),
            ..quiet(BUS)
        })
    };
    assert_eq!(disk(4096, 9 << 30), (Cause::DiskFull, Likely));
    assert_eq!(disk(9 << 30, 999 << 30), (Cause::NativeCrash, Likely));
}

#[test]
fn xids_count_by_their_class_and_only_shortly_before() {
    assert_eq!(with(ABRT, &xid(31)), (Cause::IllegalAccess, Likely));
    assert_eq!(
        with(
            ABRT,
            &[XidSeen {
                number: 13,
                before: 1,
                address: true
            }]
        ),
        (Cause::IllegalAccess, Likely)
    );
    assert_eq!(
        with(ABRT, &xid(13)),
        (Cause::NativeCrash, Likely),
        "13 without an address"
    );
    assert_eq!(
        with(ABRT, &xid(45)),
        (Cause::NativeCrash, Likely),
        "a consequence"
    );
    assert_eq!(with(SEGV, &xid(48)), (Cause::GpuHardware, Certain));
    assert_eq!(with(SEGV, &xid(94)), (Cause::GpuHardware, Likely));
    assert_eq!(with(KILL, &xid(79)), (Cause::GpuHardware, Likely));
    let old = [XidSeen {
        number: 31,
        before: 60_000,
        address: false,
    }];
    assert_eq!(with(ABRT, &old), (Cause::NativeCrash, Likely));
    // Killed because memory ran out while it used the GPU: 45 follows, and 31 did not kill it.
    let both = [
        XidSeen {
            number: 31,
            before: 900,
            address: false,
        },
        XidSeen {
            number: 45,
            before: -10,
            address: false,
        },
    ];
    let facts = Seen {
        oom: [Some(1), Some(1), None],
        own: Some(6),
        xids: &both,
        ..quiet(KILL)
    };
    assert_eq!(judged(facts), (Cause::HostOom, Certain));
    assert_eq!(verdict(&facts).xid, Some(31));
}

#[test]
fn ends_without_a_crash_and_ends_that_nobody_saw() {
    assert_eq!(judged(quiet(0)), (Cause::CleanExit, Certain));
    assert_eq!(verdict(&quiet(137 << 8)).ended, Some(Ended::Exit(137)));
    assert_eq!(judged(quiet(137 << 8)), (Cause::Died, Certain));
    assert_eq!(judged(quiet(15)), (Cause::Died, Certain));
    // For another user's process, 0 is read in any case.
    assert_eq!(
        judged(Seen {
            fault: true,
            ..quiet(0)
        })
        .0,
        Cause::Unknown
    );
    let unseen = Seen {
        status: None,
        ..quiet(0)
    };
    assert_eq!(judged(unseen), (Cause::Unknown, Certainty::Unknown));
    assert_eq!(
        judged(Seen {
            fault: true,
            ..unseen
        }),
        (Cause::NativeCrash, Likely)
    );
    assert_eq!(
        judged(Seen {
            oom: [None, Some(1), None],
            ..unseen
        }),
        (Cause::HostOom, Likely)
    );
    assert_eq!(
        judged(Seen {
            oom_log: Some(true),
            ..unseen
        }),
        (Cause::HostOom, Certain)
    );
}

#[test]
fn whatever_is_seen_nothing_is_claimed_without_its_evidence() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    for _ in 0..200_000 {
        let statuses = [
            None,
            Some(0),
            Some(9),
            Some(11),
            Some(6),
            Some(7),
            Some(15),
            Some(256),
            Some(0xffff),
        ];
        let mut count = || [None, Some(0), Some(1)][next(3) as usize];
        let oom = [count(), count(), count()];
        let xids = [XidSeen {
            number: [13, 31, 45, 48, 79, 94, 119, 999][next(8) as usize],
            before: next(40_000) as i64 - 20_000,
            address: next(2) == 0,
        }];
        let facts = Seen {
            status: statuses[next(9) as usize],
            oom,
            exact: next(2) == 0,
            oom_log: [None, Some(true), Some(false)][next(3) as usize],
            fault: next(2) == 0,
            memory: [None, Some((next(101), 100))][next(2) as usize],
            shm: [None, Some((next(101), 100))][next(2) as usize],
            disk: [None, Some((next(101), 100))][next(2) as usize],
            own: [None, Some(next(101))][next(2) as usize],
            running: next(2) == 0,
            gpu_lost: next(4) == 0,
            xids: &xids[..next(2) as usize],
        };
        let verdict = verdict(&facts);
        let rose = oom.contains(&Some(1));
        match verdict.cause {
            Cause::HostOom => {
                assert!(rose || facts.oom_log == Some(true), "{facts:?}");
                assert!(
                    matches!(verdict.ended, None | Some(Ended::Signal(9))),
                    "{facts:?}"
                );
            }
            Cause::NativeCrash | Cause::SharedMemory | Cause::DiskFull | Cause::IllegalAccess => {
                assert!(
                    !matches!(verdict.ended, Some(Ended::Signal(9 | 15) | Ended::Exit(_))),
                    "{facts:?}"
                );
            }
            Cause::GpuHardware => {
                let named = facts.xids.iter().any(|x| matches!(x.number, 48 | 79 | 94));
                assert!(facts.gpu_lost || named, "{facts:?}");
            }
            Cause::CleanExit => assert_eq!(verdict.ended, Some(Ended::Exit(0)), "{facts:?}"),
            Cause::Died => assert!(verdict.ended.is_some(), "{facts:?}"),
            Cause::Unknown => assert_eq!(verdict.certainty, Certainty::Unknown),
        }
        assert!(
            verdict.evidence.iter().all(|e| !verdict.against.has(e)),
            "{facts:?}: for and against"
        );
        assert!(
            verdict.cause == Cause::Unknown || verdict.evidence.iter().next().is_some(),
            "{facts:?}: a verdict without evidence"
        );
    }
}
