//! Colab's crash: a run that was cut off, and a toast that comes later.

use super::foresight::source;
use super::verdicts::{end, notice, COLAB};
use super::*;

/// A run cut off as Colab shows it: an error without a count.
fn cut_off(id: &str, index: u32, run: u32) -> String {
    cell(id, index, "error", run, None).replace("\"run\"", "\"cut\":true,\"run\"")
}

fn toast(text: &str) -> String {
    notice(text).replace("dialog", "toast")
}

#[test]
fn colabs_late_toast_is_about_the_run_that_was_cut_off() {
    let words = [
        (
            "Your session crashed after using all available RAM.",
            "host-oom",
        ),
        ("Your session crashed for an unknown reason.", "kernel-died"),
        ("Words in a language that no rule knows.", "kernel-died"),
    ];
    for (said, id) in words {
        for late in [0, 8, 20, 29, 40] {
            for between in [false, true] {
                let mut p = Page::real();
                p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
                p.send(&[&cell("a", 0, "done", 1, Some(1))]);
                p.wait(1);
                p.send(&[&cell("b", 1, "running", 1, None)]);
                p.wait(4);
                p.send(&[&cut_off("b", 1, 1)]);
                if between && late > 0 {
                    // Another cell runs in the new kernel, to its end or still.
                    p.wait(2);
                    p.send(&[&cell("c", 2, "running", 1, None)]);
                    if late > 10 {
                        p.wait(2);
                        p.send(&[&cell("c", 2, "done", 1, Some(1))]);
                    }
                }
                p.wait(late);
                p.send(&[&toast(said)]);
                let name = format!("{said} after {late} s, {between}");
                assert_eq!(p.shows(), [("n/b", id)], "{name}");
                // The dialog that the toast's button opens is about the same death.
                if id == "host-oom" {
                    let again = notice("Switch to a high-RAM runtime? Your session crashed after using all available RAM.");
                    p.send(&[&again.replace("\"1\"", "\"2\"")]);
                    assert_eq!(p.shows(), [("n/b", id)], "{name}");
                }
                p.replays();
            }
        }
    }
}

#[test]
fn every_sentence_of_colab_is_told_apart() {
    const FREE: &str = "you have access to longer runtime durations than non-subscribers do";
    let gone = |why: &str| format!("Runtime disconnected\n{why}");
    for (said, card, fatal) in [
        ("Your session crashed after using all available RAM.".to_owned(), "host-oom/system-says", true),
        ("Your session crashed after requesting an X window. The X window system is not available in Colab.".to_owned(), "display-missing/crashed", true),
        ("Your session crashed for an unknown reason.".to_owned(), "kernel-died/", true),
        (gone("Your runtime has been disconnected due to inactivity or reaching its maximum duration."), "session-time-limit/or-idle", true),
        (gone(&format!("Your runtime has been disconnected due to inactivity or reaching its maximum duration. As a Colab Pro subscriber {FREE}.")), "session-time-limit/or-idle", true),
        (gone("The runtime disconnected due to inactivity. As a Colab Pro+ subscriber your idle timeouts are more lenient than they are for non-subscribers, but runtime durations are still not guaranteed or unlimited."), "session-idle-timeout/", true),
        (gone(&format!("The runtime disconnected due to reaching its maximum duration. As a Colab Pro+ subscriber {FREE}.")), "session-time-limit/", true),
        (gone("Your runtime has been disconnected due to executing code that is disallowed in our free of charge tier."), "runtime-policy-terminated/", true),
        ("You may be executing code that is disallowed, and this may restrict your ability to use Colab in the future.".to_owned(), "runtime-policy-terminated/warning", false),
        ("Unable to connect to the runtime.".to_owned(), "runtime-disconnected/", true),
        ("A Google Drive timeout has occurred (most recently at 4:05:06 PM).".to_owned(), "drive-failed/timeout", false),
        ("A Google Drive quota has been exceeded (most recently at 4:05:06 PM).".to_owned(), "drive-failed/rate", false),
        ("A Google Drive storage quota has been exceeded (most recently at 4:05:06 PM).".to_owned(), "drive-failed/storage-full", false),
    ] {
        for signs in [&[toast(&said)][..], &[notice(&said)]] {
            let mut p = Page::real();
            p.send(&[COLAB, &source("b", "train()"), &cell("b", 1, "running", 1, None)]);
            p.wait(4);
            p.send(&signs.iter().map(String::as_str).collect::<Vec<_>>());
            let key = if fatal { "n/b" } else { "n/@top" };
            assert!(p.variant(key).ends_with(&format!(" {card}")), "{said}: {:?}", p.shows());
            assert_eq!(p.shows().len(), 1, "{said}: {:?}", p.shows());
            p.replays();
            if !fatal {
                // The cell goes on, and a later end of it is no death.
                p.send(&[&cell("b", 1, "done", 1, Some(1))]);
                assert!(!p.shows().iter().any(|(key, _)| *key == "n/b"), "{said}: {:?}", p.shows());
            }
        }
    }
}

#[test]
fn a_restart_on_purpose_gets_a_quiet_note_and_is_never_counted() {
    const NOTE: &str = "card info quiet kernel-died/on-purpose";
    let unknown = "Your session crashed for an unknown reason.";
    for (code, card) in [
        ("import condacolab\ncondacolab.install()", NOTE),
        ("import os\nos.kill(os.getpid(), 9)", NOTE),
        ("import os\nos._exit(0)", NOTE),
        ("exit()", NOTE),
        (
            "import IPython\nIPython.Application.instance().kernel.do_shutdown(True)",
            NOTE,
        ),
        ("get_ipython().kernel.do_shutdown(True)", NOTE),
        ("!pip install -q tiny\n!kill -9 -1", NOTE),
        (
            "!pip install -q tiny\nif on_colab:\n    os.kill(os.getpid(), 9)",
            NOTE,
        ),
        // Something was to come after it, or it may not have been reached.
        ("os._exit(0)\ntrain()", "card info kernel-died/asked"),
        (
            "train()\nif lost:\n    os._exit(1)",
            "card error kernel-died/",
        ),
        ("train()", "card error kernel-died/"),
    ] {
        for said in [unknown, "Words in a language that no rule knows."] {
            for late in [0, 29, 40] {
                // The run may be cut off, or end well before the kernel is gone.
                for end in [cut_off("b", 1, 1), cell("b", 1, "done", 1, Some(2))] {
                    let well = !end.contains("cut");
                    if well && (said != unknown || !card.starts_with("card info")) {
                        continue;
                    }
                    let mut p = Page::real();
                    p.send(&[COLAB, &source("b", code), &cell("b", 1, "running", 1, None)]);
                    p.wait(4);
                    p.send(&[&end]);
                    p.wait(late);
                    p.send(&[&toast(said)]);
                    assert_eq!(
                        p.variant("n/b"),
                        card,
                        "{code} {said} {late}: {:?}",
                        p.shows()
                    );
                    assert_eq!(p.shows().len(), 1);
                    if card == NOTE {
                        let says = p.says();
                        for part in [
                            "restarts its runtime here on purpose",
                            "Go on with the next cell, and do not run this one again",
                        ] {
                            assert!(says.contains(part), "{says}");
                        }
                    }
                    p.replays();
                }
            }
        }
    }
    // What the front end knows better is not hushed up.
    let mut p = Page::real();
    p.send(&[
        COLAB,
        &source("b", "train()\nos._exit(0)"),
        &cell("b", 1, "running", 1, None),
    ]);
    p.wait(4);
    p.send(&[&cut_off("b", 1, 1)]);
    p.send(&[&toast(
        "Your session crashed after using all available RAM.",
    )]);
    assert_eq!(p.shows(), [("n/b", "host-oom")]);
}

#[test]
fn whether_connected_or_not_and_with_or_without_the_probe() {
    let words = [
        (
            "Your session crashed after using all available RAM.",
            "host-oom",
        ),
        (
            "不明な理由により、セッションがクラッシュしました。",
            "kernel-died",
        ),
        ("Via seanco kolapsis.", "kernel-died"),
    ];
    for (said, id) in words {
        for kernel in ["idle", "disconnected", "connecting", "unknown"] {
            for probed in [false, true] {
                let mut p = Page::real();
                p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
                p.send(&[
                    &cell("a", 0, "done", 1, Some(1)),
                    &cell("b", 1, "running", 1, None),
                ]);
                p.wait(4);
                p.send(&[&cut_off("b", 1, 1)]);
                p.send(&[&format!(r#"{{"t":"kernel","nb":"n","status":"{kernel}"}}"#)]);
                p.wait(12);
                p.send(&[&toast(said)]);
                assert_eq!(p.shows(), [("n/b", id)], "{said} {kernel}");
                if probed {
                    // The probe is started again, and tells how the kernel before it ended.
                    p.wait(5);
                    let record = end(p.now - 17_000, r#""st":9,"oom":[3,4,null]"#);
                    p.send(&[&cell("p", 2, "done", 1, Some(1)), &out("p", 1, &record)]);
                    assert_eq!(p.shows(), [("n/b", "host-oom")], "{said} {kernel}, probed");
                }
                p.replays();
            }
        }
    }
}

#[test]
fn the_drift_report_offers_a_sentence_that_no_rule_knows() {
    for (said, unknown) in [
        ("Via seanco kolapsis.", true),
        ("Your session crashed for an unknown reason.", false),
    ] {
        let mut p = Page::real();
        p.send(&[COLAB, &cell("b", 1, "running", 1, None)]);
        p.wait(4);
        p.send(&[&cut_off("b", 1, 1)]);
        p.send(&[&toast(said)]);
        let status = serde_json::to_string(&p.page.status().english()).unwrap();
        let offer = format!(r#""act":{{"do":"drift","words":"{said}"}}"#);
        assert_eq!(status.contains(&offer), unknown, "{status}");
    }
}

#[test]
fn a_cell_that_ended_well_or_raised_is_never_blamed() {
    let crashed = toast("Your session crashed for an unknown reason.");
    for (state, count) in [("done", Some(1)), ("error", Some(1))] {
        let mut p = Page::real();
        p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
        p.send(&[&cell("a", 0, state, 1, count)]);
        p.wait(3);
        p.send(&[&crashed]);
        assert_eq!(p.shows(), [("n/@top", "kernel-died")], "{state}");
    }
    // The count of an exception may be drawn after its state.
    let mut p = Page::real();
    p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
    p.send(&[&cut_off("a", 0, 1)]);
    p.send(&[&cell("a", 0, "error", 1, Some(1))]);
    p.wait(3);
    p.send(&[&crashed]);
    assert_eq!(p.shows(), [("n/@top", "kernel-died")]);
}
