//! Colab's crash: a run that was cut off, and a toast that comes later.

use super::foresight::{ram, source};
use super::verdicts::{end, notice, COLAB};
use super::*;

/// A run cut off as Colab shows it: an error without a count.
pub(super) fn cut_off(id: &str, index: u32, run: u32) -> String {
    cell(id, index, "error", run, None).replace("\"run\"", "\"cut\":true,\"run\"")
}

pub(super) fn toast(text: &str) -> String {
    notice(text).replace("dialog", "toast")
}

/// Colab's sentences, the diagnosis, and how the probe says that such a kernel ended.
const CRASHES: [(&str, &str, &str); 6] = [
    (
        "Your session crashed after using all available RAM.",
        "host-oom",
        KILLED,
    ),
    (
        "使用可能な RAM をすべて使用した後、セッションがクラッシュしました。",
        "host-oom",
        KILLED,
    ),
    (
        "Your session crashed after requesting an X window. The X window system is not available in Colab.",
        "display-missing",
        r#""st":6,"oom":[0,0,null]"#,
    ),
    (
        "Your session crashed for an unknown reason.",
        "kernel-died",
        KILLED,
    ),
    (
        "不明な理由により、セッションがクラッシュしました。",
        "kernel-died",
        KILLED,
    ),
    ("Words in a language that no rule knows.", "kernel-died", KILLED),
];
const KILLED: &str = r#""st":9,"oom":[3,4,null]"#;

#[test]
fn colabs_late_toast_is_about_the_run_that_was_cut_off() {
    let mut n = 0;
    for (said, id, ended) in CRASHES {
        for late in [0, 8, 20, 29, 40] {
            for between in ["nothing", "an end", "a run"] {
                let kernels = ["idle", "disconnected", "connecting", "unknown"];
                for kernel in &kernels[..if late == 8 { 4 } else { 2 }] {
                    let mut p = Page::real();
                    let name = format!("{said} after {late} s, {between}, {kernel}");
                    p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
                    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
                    p.wait(1);
                    p.send(&[&cell("b", 1, "running", 1, None)]);
                    p.wait(4);
                    let died = p.now;
                    p.send(&[&cut_off("b", 1, 1)]);
                    p.send(&[&format!(r#"{{"t":"kernel","nb":"n","status":"{kernel}"}}"#)]);
                    // Another cell runs in the new kernel, to its end or still.
                    let mut waited = 0;
                    if between != "nothing" && late > 0 {
                        p.wait(2);
                        p.send(&[&cell("c", 2, "running", 1, None)]);
                        waited = 2;
                        if between == "an end" {
                            p.wait(2);
                            p.send(&[&cell("c", 2, "done", 1, Some(1))]);
                            waited = 4;
                        }
                    }
                    p.wait(late - waited);
                    p.send(&[&toast(said)]);
                    assert_eq!(p.shows(), [("n/b", id)], "{name}");
                    // The dialog that the toast's button opens is about the same death.
                    if id == "host-oom" {
                        let again = notice(&format!("Switch to a high-RAM runtime? {said}"));
                        p.send(&[&again.replace("\"1\"", "\"2\"")]);
                        assert_eq!(p.shows(), [("n/b", id)], "{name}, and the dialog");
                    }
                    // The probe is started again, and tells how the kernel before it ended.
                    p.wait(5);
                    let record = end(died, ended);
                    p.send(&[&cell("p", 3, "done", 1, Some(2)), &out("p", 1, &record)]);
                    let known = if ended == KILLED { "host-oom" } else { id };
                    assert_eq!(p.shows(), [("n/b", known)], "{name}, probed");
                    n += 1;
                    if n % 7 == 0 {
                        p.replays();
                    }
                }
            }
        }
    }
    assert_eq!(n, 216);
}

#[test]
fn a_run_that_ends_at_once_is_only_seen_to_wait() {
    let words = "Your session crashed for an unknown reason.";
    for first in [Vec::new(), vec![cell("b", 1, "pending", 1, None)]] {
        let mut p = Page::real();
        p.send(&[COLAB, &cell("b", 1, "stale", 0, None)]);
        for event in &first {
            p.send(&[event]);
        }
        p.send(&[&cut_off("b", 1, 1)]);
        p.wait(8);
        p.send(&[&toast(words)]);
        assert_eq!(p.shows(), [("n/b", "kernel-died")], "{first:?}");
        p.replays();
        // The next run ends well as fast: it is not the one that was cut off.
        p.wait(4);
        p.send(&[&cell("b", 1, "pending", 2, None)]);
        p.send(&[&cell("b", 1, "done", 2, Some(1))]);
        p.wait(1);
        p.send(&[&toast(words).replace("\"1\"", "\"2\"")]);
        assert_eq!(p.shows(), [("n/@top", "kernel-died")], "{first:?}");
        p.replays();
    }
}

#[test]
fn the_last_reading_is_the_one_before_the_run_was_cut_off() {
    for late in [8, 29, 40] {
        for between in [false, true] {
            let mut p = Page::real();
            p.send(&[COLAB, &ram(12.5), &cell("b", 1, "running", 1, None)]);
            p.wait(4);
            p.send(&[&cut_off("b", 1, 1)]);
            // The new kernel is empty, and then it is not.
            p.wait(3);
            p.send(&[&ram(0.9)]);
            if between {
                p.send(&[&cell("c", 2, "running", 1, None)]);
                p.send(&[&cell("c", 2, "done", 1, Some(1)), &ram(3.3)]);
            }
            p.wait(late - 3);
            p.send(&[&toast("Words in a language that no rule knows.")]);
            assert_eq!(
                p.variant("n/b"),
                "card error host-oom/killed",
                "{late} {between}"
            );
            assert!(
                p.says().contains("12.5 of 12.7 GiB, 4 s earlier"),
                "{}",
                p.says()
            );
            p.replays();
        }
    }
}

#[test]
fn the_probe_tells_how_it_ended_and_not_why_it_asked_for_a_window() {
    let words =
        "This application failed to start because no Qt platform plugin could be initialized.\n";
    let segv = r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#;
    let exit = r#""st":256,"oom":[0,0,null]"#;
    for ended in [r#""st":6,"oom":[0,0,null]"#, segv, exit, KILLED] {
        let mut p = Page::real();
        p.send(&[&cell("b", 1, "running", 1, None), &out("b", 1, words)]);
        p.wait(4);
        let died = p.now;
        p.send(&[
            r#"{"t":"kernel","nb":"n","status":"dead"}"#,
            &cell("b", 1, "idle", 1, None),
        ]);
        assert_eq!(p.shows(), [("n/b", "display-missing")]);
        p.wait(5);
        p.send(&[
            &cell("p", 2, "done", 1, Some(1)),
            &out("p", 1, &end(died, ended)),
        ]);
        // Memory that ran out is another reason.
        let known = if ended == KILLED {
            "host-oom"
        } else {
            "display-missing"
        };
        assert_eq!(p.shows(), [("n/b", known)], "{ended}");
        p.replays();
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
fn a_reading_just_after_the_run_was_cut_off_is_its_last_one() {
    let mut p = Page::real();
    p.send(&[COLAB, &ram(3.1), &cell("b", 1, "running", 1, None)]);
    p.wait(4);
    p.send(&[&cut_off("b", 1, 1)]);
    p.wait(1);
    p.send(&[&ram(12.5)]);
    p.wait(7);
    p.send(&[&ram(0.9), &toast("Words in a language that no rule knows.")]);
    assert_eq!(p.variant("n/b"), "card error host-oom/killed");
    assert!(p.says().contains("12.5 of 12.7 GiB"), "{}", p.says());
    p.replays();
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

/// Colab's session crashes while a cell runs that had this code; the one before it had that. What the card offers first,
/// and its text.
fn crashed(said: &str, before: &str, code: &str) -> (String, String) {
    let mut p = Page::real();
    p.send(&[COLAB, &ram(2.1), &source("a", before), &source("b", code)]);
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.wait(1);
    p.send(&[&cell("b", 1, "running", 1, None)]);
    p.wait(4);
    p.send(&[&cut_off("b", 1, 1)]);
    p.wait(8);
    p.send(&[&toast(said)]);
    p.replays();
    let card = p.says();
    let (_, offer) = card.split_once(r#""data-fix":""#).expect("a fix");
    (offer.split('"').next().unwrap().to_owned(), card)
}

#[test]
fn the_code_that_filled_the_memory_is_repaired_in_the_cell() {
    let ram = "Your session crashed after using all available RAM.";
    let import = "import numpy as np\nimport pandas as pd";
    let (offer, card) = crashed(ram, import, "x = np.array(pictures) / 255.0");
    assert_eq!(offer, "divided-in-32-bits", "{card}");
    assert!(
        card.contains("np.divide(np.array(pictures), 255.0, dtype=np.float32)"),
        "{card}"
    );
    let model = "from transformers import AutoModelForCausalLM\nm = AutoModelForCausalLM.from_pretrained('x/y-7b')";
    let (offer, card) = crashed(ram, import, model);
    assert_eq!(offer, "model-half");
    assert!(card.contains("make of them, of 12.7 GiB in all"), "{card}");
    // Where nothing is known of the code, the catalogue's advice stands.
    let (offer, _) = crashed(ram, import, "fit(model)");
    assert!(!offer.contains("model-half") && !offer.is_empty());
    // An unknown reason: the probe first, which would have told; what the code says of its memory stands below.
    let unknown = "Your session crashed for an unknown reason.";
    let (offer, card) = crashed(unknown, import, model);
    assert!(card.contains(r#""data-fix":"model-half""#), "{card}");
    assert_eq!(offer, "start-probe");
    // That it reads a table says nothing.
    let (_, card) = crashed(unknown, import, "df = pd.read_csv('t.csv')");
    assert!(!card.contains("columns-measured"), "{card}");
}
