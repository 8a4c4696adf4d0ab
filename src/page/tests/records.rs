//! Which death a record of the probe belongs to.

use super::foresight::ram;
use super::verdicts::{dies, end, DIED};
use super::*;

#[test]
fn a_record_is_of_the_death_that_it_is_nearest_to() {
    let oom = r#""st":9,"oom":[1,1,null]"#;
    let probe = |p: &mut Page, run: u32, text: &str| {
        p.send(&[
            &cell("p", 1, "running", run, None),
            &out("p", run, text),
            &cell("p", 1, "done", run, Some(1)),
        ]);
    };
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let first = p.now;
    p.send(&[
        &cell("a", 0, "idle", 1, None),
        r#"{"t":"kernel","nb":"n","status":"idle"}"#,
    ]);
    p.wait(8);
    probe(&mut p, 1, &end(first, oom));
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
    // Another cell dies soon after: the known record belongs to the death before.
    p.wait(12);
    p.send(&[&cell("b", 2, "running", 1, None)]);
    p.wait(1);
    p.send(&[&cell("b", 2, "idle", 1, None), DIED]);
    assert_eq!(p.variant("n/b"), "card error kernel-died/");
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
    // That does not change if the only record is that of the first death.
    p.wait(5);
    probe(&mut p, 2, &end(first + 1, oom));
    assert_eq!(p.variant("n/b"), "card error kernel-died/");
    p.replays();

    // Two deaths within three seconds: the second record does not belong to the first death.
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let first = p.now;
    p.send(&[&cell("a", 0, "idle", 1, None)]);
    p.wait(1);
    probe(&mut p, 1, &end(first, oom));
    let fault = r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#;
    p.send(&[&cell("b", 2, "running", 1, None)]);
    p.wait(1);
    p.send(&[&cell("b", 2, "idle", 1, None), DIED]);
    p.wait(1);
    let second = p.now - 1000;
    probe(&mut p, 2, &end(second, fault));
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
}

/// Two deaths, in milliseconds: when each happened and when the page reported it. Each record is
/// read one second after the report.
fn one_after_the_other(first: [u64; 2], second: [u64; 2]) -> Page {
    let start = |p: &mut Page, run: u32, text: &str| {
        p.send(&[
            &cell("p", 1, "running", run, None),
            &out("p", run, text),
            &cell("p", 1, "done", run, Some(1)),
        ]);
    };
    let mut p = dies("train()", &ram(4.0), "step\n", &[]);
    let zero = p.now;
    let ends = [
        (first, r#""st":9,"oom":[1,1,null]"#),
        (
            second,
            r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#,
        ),
    ];
    for (i, ([died, told], what)) in ends.into_iter().enumerate() {
        let name = ["a", "b"][i];
        p.now = zero + died;
        p.send(&[&cell(name, 2 * i as u32, "running", 1, None)]);
        p.now = zero + told;
        p.send(&[&cell(name, 2 * i as u32, "idle", 1, None), DIED]);
        p.send(&[r#"{"t":"kernel","nb":"n","status":"idle"}"#]);
        p.now += 1_000;
        start(&mut p, i as u32 + 1, &end(zero + died, what));
    }
    p
}

#[test]
fn a_kernel_that_is_gone_and_was_started_again_by_the_person_has_its_record() {
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let at = p.now;
    // Meanwhile the page reports more about the death.
    p.wait(4);
    p.send(&[r#"{"t":"notice","nb":null,"id":"m1","kind":"dialog","text":"Kernel Restarting\nThe kernel for demo.ipynb appears to have died. It will restart automatically.","old":false}"#]);
    p.wait(8);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    p.wait(5);
    let alone = r#""st":256,"oom":[0,0,null],"par":0"#;
    let text = end(at + 1_500, alone)
        + "\nkernel: Memory cgroup out of memory: Killed process 9 (python)\n";
    p.send(&[
        &cell("p", 1, "running", 1, None),
        &out("p", 1, &text),
        &cell("p", 1, "done", 1, Some(1)),
    ]);
    assert_eq!(
        p.variant("n/a"),
        "card error runtime-disconnected/server-gone"
    );
    assert_eq!(
        p.shows().len(),
        1,
        "what the probe quotes is no problem of its cell"
    );
    p.replays();
}

#[test]
fn a_record_is_of_the_death_after_which_it_was_read() {
    for (first, second) in [
        // A fast machine: the second death is closer to the first report than the first death is.
        ([0, 2_900], [4_200, 5_600]),
        // A slow machine: the second report is so late that the first one is closer to the death.
        ([0, 2_900], [5_000, 14_000]),
        ([500, 1_000], [3_000, 20_000]),
    ] {
        let p = one_after_the_other(first, second);
        assert_eq!(
            p.variant("n/a"),
            "card error host-oom/system-says",
            "{first:?} {second:?}"
        );
        assert_eq!(
            p.variant("n/b"),
            "card error native-crash/",
            "{first:?} {second:?}"
        );
        p.replays();
    }
}
