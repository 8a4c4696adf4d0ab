//! Why a kernel died, from the notice, the output, the code and the last readings together.

use super::foresight::{ram, source, vitals};
use super::*;

pub(super) const DIED: &str = r#"{"t":"kernel","nb":"n","status":"autorestarting"}"#;
pub(super) const COLAB: &str =
    r#"{"t":"hello","profile":"colab","origin":"https://colab.research.google.com"}"#;

pub(super) fn notice(text: &str) -> String {
    format!(
        r#"{{"t":"notice","nb":null,"id":"1","kind":"dialog","text":{}}}"#,
        serde_json::to_string(text).unwrap()
    )
}

/// A running cell with the last readings and its output, followed by the signs of a death.
pub(super) fn dies(code: &str, shown: &str, printed: &str, signs: &[&str]) -> Page {
    let mut p = Page::real();
    p.send(&[
        COLAB,
        shown,
        &source("a", code),
        &cell("a", 0, "running", 1, None),
    ]);
    if !printed.is_empty() {
        p.send(&[&out("a", 1, printed)]);
    }
    p.wait(5);
    p.send(signs);
    p.replays();
    p
}

#[test]
fn plenty_on_the_bar_is_explained() {
    let all_ram = notice("Your session crashed after using all available RAM.");
    let p = dies("model.fit(x)", &ram(4.3), "", &[&all_ram]);
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
    for part in [
        "the bar showed 33 % of the runtime's RAM, 5 s earlier",
        // Next to the summary, without a click.
        "class\":\"summary\",\"text\":\"Why the bar showed plenty: it is read every few seconds, and one large allocation between two readings does not show. Or a limit below",
    ] {
        assert!(p.says().contains(part), "{part}: {}", p.says());
    }
    // The code shows which of the two explanations applies.
    let p = dies("x = np.zeros((40000, 40000))", &ram(4.3), "", &[&all_ram]);
    let said = p.says();
    assert!(
        said.contains(
            "Why the bar showed plenty: line 1 asks for 11.9 GiB at once, 8.37 GiB were free."
        ),
        "{said}"
    );
    // A full bar needs no explanation.
    let p = dies("model.fit(x)", &ram(12.4), "", &[&all_ram]);
    assert!(!p.says().contains("the bar showed"), "{}", p.says());
}

#[test]
fn the_reading_of_the_new_kernel_is_not_the_last_one_before_the_death() {
    let all_ram = notice("Your session crashed after using all available RAM.");
    let p = dies("model.fit(x)", &ram(12.1), "", &[&ram(0.9), &all_ram]);
    assert!(
        p.says().contains("12.1 of 12.7 GiB, 5 s earlier"),
        "{}",
        p.says()
    );
    let p = dies("model.fit(x)", &ram(4.3), "", &[&ram(4.1), &all_ram]);
    assert!(p.says().contains("4.1 of 12.7 GiB"), "{}", p.says());
}

#[test]
fn what_the_front_end_does_not_know_the_readings_and_the_code_tell() {
    let unknown = notice("Your session crashed for an unknown reason.");
    for (code, shown, printed, card) in [
        ("train()", ram(12.5), "", "host-oom/killed"),
        ("import numpy as np\nx = np.ones((39000, 39000))", ram(4.3), "", "host-oom/killed"),
        ("import os\nos._exit(0)\ntrain()", ram(12.5), "", "kernel-died/asked"),
        ("import os\nos._exit(0)", ram(12.5), "", "kernel-died/on-purpose"),
        ("train()", ram(12.5), "Fatal Python error: Segmentation fault\n", "native-crash/"),
        (
            "train()",
            ram(4.0),
            "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: an illegal memory access was encountered\n",
            "cuda-illegal-access/",
        ),
        ("train()", ram(4.0), "Fatal Python error: Cannot recover from stack overflow.\n", "native-crash/"),
        ("train()", ram(4.0), "python3: malloc.c:2617: sysmalloc: Assertion `(old_size == 0)' failed.\n", "native-crash/"),
        ("train()", ram(4.0), "AssertionError: 3 of 7 rows\nAssertion failed.\n", "kernel-died/"),
        ("train()", ram(4.0), "", "kernel-died/"),
        ("train()", vitals("Connect"), "", "kernel-died/"),
    ] {
        for signs in [&[DIED, &unknown][..], &[&unknown, DIED], &[DIED], &[&unknown]] {
            let p = dies(code, &shown, printed, signs);
            let seen = p.variant("n/a");
            assert!(seen.ends_with(card), "{code:?} {printed:?} {signs:?}: {seen}");
        }
    }
}

#[test]
fn an_own_end_names_its_line_and_is_no_error() {
    let p = dies(
        "import os\nos.kill(os.getpid(), 9)  # restart\ntrain()",
        &ram(2.0),
        "",
        &[DIED],
    );
    assert_eq!(p.variant("n/a"), "card info kernel-died/asked");
    let said = p.says();
    assert!(
        said.contains("The cell ended its own kernel, on line 2"),
        "{said}"
    );
    assert!(
        said.contains("os.kill(os.getpid(), 9)  # restart"),
        "{said}"
    );
    assert!(!said.contains("without finding a reason"), "{said}");
}

#[test]
fn an_unknown_death_lists_what_was_looked_at() {
    let p = dies("train()", &ram(4.0), "step 1\n", &[DIED]);
    let said = p.says();
    for part in [
        "The front end shows no notice with a reason.",
        "The end of the output has no line",
        "Memory was not nearly full",
        "The code: no line ends the kernel",
        "The disk was not full.",
        "The time limit: the runtime was first seen",
        "The signal and exit code",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn two_reasons_in_one_notice_are_told_apart_by_the_clock() {
    let both = notice(
        "Runtime disconnected\nYour runtime has been disconnected due to inactivity or reaching its maximum duration.",
    );
    for (hours, running, card) in [
        (12, true, "n/a card error session-time-limit/"),
        (12, false, "n/@top card error session-time-limit/"),
        (3, false, "n/@top card error session-idle-timeout/"),
        (3, true, "n/a card error session-time-limit/or-idle"),
    ] {
        let mut p = Page::real();
        p.send(&[
            COLAB,
            &source("a", "save(f())"),
            &cell("a", 0, "running", 1, None),
        ]);
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        p.wait(hours * 3600);
        if running {
            p.send(&[&cell("a", 0, "running", 2, None)]);
            p.wait(60);
        }
        p.send(&[&both]);
        let (key, id) = card.split_once(' ').unwrap();
        assert_eq!(p.variant(key), id, "{hours} h, {running}");
        assert!(p.says().contains("first seen"), "{}", p.says());
        p.replays();
    }
}

/// The wordings of Colab's snackbars and dialogs, with the verdict on each.
const NOTICES: &[(&str, &str)] = &[
    ("Your session crashed after using all available RAM. View runtime logs", "host-oom"),
    ("Your session crashed after using all available RAM. Get more RAM", "host-oom"),
    ("Your session crashed for an unknown reason. View runtime logs", "kernel-died"),
    ("Your session crashed. Automatically restarting.", "kernel-died"),
    ("不明な理由により、セッションがクラッシュしました。", "kernel-died"),
    (
        "Runtime disconnected\nYour runtime has been disconnected due to inactivity or reaching its maximum duration. To connect to a new runtime, click the connect button below.",
        "session-time-limit",
    ),
    (
        "Your runtime has been disconnected due to executing code that is disallowed in our free of charge tier. If you believe this message is in error, file an appeal.",
        "runtime-policy-terminated",
    ),
    (
        "Cannot connect to GPU backend\nYou cannot currently connect to a GPU due to usage limits in Colab. Learn more",
        "runtime-quota-exhausted",
    ),
    (
        "Failed to assign a backend\nNo backend with GPU available. Would you like to use a runtime with no accelerator?",
        "runtime-quota-exhausted",
    ),
    (
        "Too many sessions\nYou have too many active sessions. Terminate an existing session to continue.",
        "runtime-quota-exhausted",
    ),
    ("Sorry, no backends available. Please try again later.", "runtime-quota-exhausted"),
    (
        "Runtime disconnected\nYour runtime has been disconnected due to inactivity or reaching its maximum duration. For longer running notebooks, consider upgrading to Colab Pro. To connect to a new runtime, click the connect button below.",
        "session-time-limit",
    ),
    (
        "Runtime disconnected\nYour runtime has been disconnected due to inactivity or reaching its maximum duration. As a Colab Pro subscriber you have access to longer runtime durations than non-subscribers do, but durations are still not guaranteed or unlimited. To connect to a new runtime, click the connect button below.",
        "session-time-limit",
    ),
    (
        "Cannot connect to GPU backend\nYou cannot currently connect to a GPU due to usage limits in Colab. As a Colab Pro+ subscriber, you have higher usage limits than non-subscribers. Learn more",
        "runtime-quota-exhausted",
    ),
    (
        "Não é possível conectar ao back-end da GPU\nNo momento, não é possível se conectar a uma GPU devido aos limites de uso no Colab. Para ter mais acesso a GPUs, compre unidades de computação do Colab com Pay As You Go.",
        "runtime-quota-exhausted",
    ),
    (
        "Failed to assign a backend\nNo backend with TPU is available. Would you like to use a runtime with no accelerator?",
        "runtime-quota-exhausted",
    ),
    (
        "You may be executing code that is disallowed, and this may restrict your ability to use Colab in the future.",
        "runtime-policy-terminated",
    ),
    ("Are you still here?", "session-idle-timeout"),
    (
        "Failed to execute cell. Could not send execute message to runtime: Error: Not connected to a runtime.",
        "runtime-disconnected",
    ),
];

#[test]
fn a_question_or_a_warning_is_no_end() {
    for (text, card) in [
        ("Are you still here?", "card info session-idle-timeout/soon"),
        (
            "You may be executing code that is disallowed, and this may restrict your ability to use Colab in the future.",
            "card warning runtime-policy-terminated/warning",
        ),
    ] {
        let mut p = dies("train()", &ram(4.0), "step 1\n", &[&notice(text)]);
        assert_eq!(p.variant("n/@top"), card, "{:?}", p.shows());
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        assert!(p.page.panels(p.now).iter().all(|(_, panel)| {
            !serde_json::to_string(&panel.clone().draw().english()).unwrap().contains("The kernel died")
        }));
    }
}

#[test]
fn every_notice_of_the_front_end_gets_its_verdict() {
    for (text, id) in NOTICES {
        let p = dies("train()", &ram(4.0), "step 1\n", &[&notice(text)]);
        let ids: Vec<&str> = p.shows().into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids, [*id], "{text}");
    }
}

const FEED: &str = "RAM 3.9 of 4.0 GiB ⟦nbmedic:1 {\"k\":\"s\",\"t\":7,\"r\":[9000000000,13302912000],\"cg\":[4187593113,4294967296],\"d\":[[\"/\",72000000000,115658190848]],\"g\":[null,[1610612736,16106127360,97]]}⟧";

pub(super) fn end(at: u64, verdict: &str) -> String {
    format!("nbmedic: the kernel before this one died ⟦nbmedic:1 {{\"k\":\"end\",\"t\":{at},\"p\":1,{verdict}}}⟧")
}

#[test]
fn the_probes_samples_are_vitals() {
    let mut p = Page::real();
    p.send(&[&cell("p", 0, "done", 1, Some(1)), &out("p", 1, FEED)]);
    p.send(&[r#"{"t":"notebook","nb":"n","name":"demo"}"#]);
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    for part in ["3.9 of 4.0 GiB", "40.7 of 107.7 GiB", "1.5 of 15.0 GiB"] {
        assert!(popup.contains(part), "{part}: {popup}");
    }
    p.replays();
    // A rich output counts too: the feed is one.
    let shown = out("p", 1, &FEED.replace("4187593113", "2147483648")).replace("stream", "rich");
    p.wait(5);
    p.send(&[&shown]);
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    assert!(popup.contains("2.0 of 4.0 GiB"), "{popup}");
    let hostile = FEED.replace("[4187593113,4294967296]", "[-1,1e300]");
    p.send(&[
        &out("p", 1, &hostile),
        &out("p", 1, "⟦nbmedic:1 {\"k\":\"s\",\"t\":\"x\"}⟧ ⟦nbmedic:1 "),
    ]);
    p.replays();
}

#[test]
fn a_saved_notebook_shows_the_death_that_its_start_cell_printed() {
    let printed = end(
        1,
        r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#,
    );
    let mut p = Page::real();
    // The page did not see the cell run.
    p.send(&[&cell("p", 0, "idle", 0, Some(1)), &out("p", 0, &printed)]);
    assert_eq!(p.variant("n/p"), "card error native-crash/");
    // A restart is no death.
    let clean = end(2, r#""st":0,"oom":[0,0,null]"#);
    p.send(&[&cell("q", 1, "idle", 0, Some(2)), &out("q", 0, &clean)]);
    assert_eq!(p.shows().len(), 1);
    p.replays();
}

#[test]
fn the_probes_verdict_comes_first_with_its_evidence() {
    for (verdict, card, part) in [
        (
            r#""st":9,"oom":[1,1,null],"exact":1,"last":[50,100]"#,
            "card error host-oom/system-says",
            "the control group's count of out-of-memory kills rose",
        ),
        (
            r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#,
            "card error native-crash/",
            "Segmentation fault",
        ),
        (
            r#""st":9,"oom":[0,0,null],"last":[40,100]"#,
            "card error kernel-died/killed",
            "no count of out-of-memory kills rose",
        ),
        (
            r#""st":9,"oom":[0,0,null],"last":[75,100]"#,
            "card error kernel-died/killed-maybe",
            "maybe because memory was short",
        ),
        (
            r#""st":768,"oom":[0,0,null]"#,
            "card error kernel-died/exited",
            "The kernel ended itself",
        ),
        (
            r#""st":24,"oom":[0,0,null]"#,
            "card error kernel-died/limit",
            "a limit or an alarm of its own: processor time",
        ),
        (
            r#""st":15,"oom":[0,0,null]"#,
            "card error kernel-died/told",
            "told to end, by signal 15",
        ),
        (
            r#""exec":1,"oom":[null,null,null]"#,
            "card error kernel-died/replaced",
            "its variables are gone",
        ),
        (
            r#""st":6,"oom":[0,0,null],"xids":[[31,400,0]]"#,
            "card error cuda-illegal-access/",
            "the GPU's driver reported an error of the program on the GPU just before",
        ),
        (
            r#""st":0,"oom":[0,0,null]"#,
            "card info kernel-died/clean",
            "ended itself without an error",
        ),
        (
            r#""via":"gone""#,
            "card error kernel-died/",
            "how the kernel ended could not be read",
        ),
    ] {
        let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
        p.wait(40);
        let at = p.now - 41_000;
        p.send(&[
            &cell("p", 1, "done", 1, Some(1)),
            &out("p", 1, &end(at, verdict)),
        ]);
        assert_eq!(p.variant("n/a"), card, "{verdict}");
        assert!(p.says().contains(part), "{part}: {}", p.says());
        p.replays();
    }
    // A record of another death.
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let other = r#""st":9,"oom":[1,1,null]"#;
    p.send(&[
        &cell("p", 1, "done", 1, Some(1)),
        &out("p", 1, &end(p.now - 600_000, other)),
    ]);
    assert_eq!(p.variant("n/a"), "card error kernel-died/");
}

#[test]
fn a_log_that_is_opened_after_a_death_says_why() {
    let crash = notice("Your session crashed for an unknown reason.");
    let row = |time: &str, text: &str| format!("Nov 22, 2026, {time} PMWARNING{text}");
    let end = row(
        "1:04:09",
        "KernelRestarter: restarting kernel (1/1), keep random ports",
    );
    let big = row(
        "1:04:02",
        "tcmalloc: large alloc 8589934592 bytes == 0x5616 @ 0x7f",
    );
    let fault = row("1:04:02", "Fatal Python error: Segmentation fault");
    let window = row(
        "1:04:02",
        "This application failed to start because no Qt platform plugin could be initialized. Reinstalling the application may fix this problem.",
    );
    let other = row(
        "12:02:03",
        "KernelRestarter: restarting kernel (1/1), keep random ports",
    );
    let calm = row("1:03:00", "Saving file at /a.ipynb");
    for (rows, card, part) in [
        (
            vec![&calm, &big, &end],
            "card error host-oom/killed",
            "tcmalloc: large alloc 8589934592 bytes",
        ),
        (
            vec![&end, &big, &calm],
            "card error host-oom/killed",
            "tcmalloc",
        ),
        (
            vec![&calm, &fault, &end],
            "card error native-crash/",
            "Segmentation fault",
        ),
        (
            vec![&calm, &window, &end],
            "card error display-missing/",
            "no Qt platform plugin",
        ),
        // About an earlier restart, or about nothing.
        (
            vec![
                &big.clone().replace("1:04:02", "12:01:01"),
                &other,
                &calm,
                &end,
            ],
            "card error kernel-died/",
            "What",
        ),
        (vec![&calm, &calm, &end], "card error kernel-died/", "What"),
    ] {
        let mut p = dies("train()", &ram(4.0), "step\n", &[&crash]);
        p.wait(60);
        let rows: Vec<&str> = rows.into_iter().map(String::as_str).collect();
        let text = format!("Runtime logs\nTimestampLevelMessage{}", rows.concat());
        let dialog = notice(&text).replace(r#""id":"1""#, r#""id":"2""#);
        p.send(&[&dialog]);
        assert_eq!(p.variant("n/a"), card, "{text}");
        assert!(p.says().contains(part), "{part}: {}", p.says());
        p.replays();
    }
    // A log that is opened without a death causes no card.
    let mut p = Page::real();
    p.send(&[COLAB, &cell("a", 0, "running", 1, None)]);
    p.send(&[&notice(&format!("Runtime logs\n{big}{end}{calm}"))]);
    assert!(p.cards.is_empty(), "{:?}", p.shows());
}

#[test]
fn the_end_of_a_run_may_be_told_after_the_death() {
    let cut = cell("b", 1, "idle", 1, None).replace("\"run\"", "\"cut\":true,\"run\"");
    let restarting = r#"{"t":"kernel","nb":"n","status":"restarting"}"#;
    for (sign, card) in [
        (DIED, "card error kernel-died/"),
        (restarting, "card info kernel-died/restarted"),
    ] {
        let mut p = Page::real();
        p.send(&[&cell("a", 0, "running", 1, None)]);
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        p.wait(1);
        p.send(&[sign]);
        p.now += 160;
        p.send(&[&cut]);
        assert_eq!(p.variant("n/b"), card);
        assert_eq!(p.cards.len(), 1, "{:?}", p.shows());
        p.replays();
    }
    // The cell in which the previous kernel died is not the one in which the next kernel dies.
    let mut p = Page::real();
    p.send(&[&cell("b", 1, "running", 1, None)]);
    p.send(&[&cut, DIED]);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"idle"}"#]);
    p.wait(8);
    let shutdown = source("c", "get_ipython().kernel.do_shutdown(True)");
    p.send(&[&shutdown, &cell("c", 2, "running", 1, None)]);
    p.send(&[&cell("c", 2, "done", 1, Some(1))]);
    p.wait(1);
    p.send(&[DIED]);
    assert_eq!(
        p.variant("n/c"),
        "card info quiet kernel-died/on-purpose",
        "{:?}",
        p.shows()
    );
    p.replays();
}

#[test]
fn a_run_that_nobody_saw_and_that_was_cut_off_is_the_one_that_died() {
    let mut p = Page::real();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.wait(1);
    let cut = cell("b", 1, "idle", 1, None).replace("\"run\"", "\"cut\":true,\"run\"");
    p.send(&[&cut, DIED]);
    let keys: Vec<&str> = p.shows().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["n/b"]);
    p.replays();
}

#[test]
fn a_cell_that_was_last_seen_waiting_is_the_one_that_died() {
    let mut p = Page::new();
    p.send(&[
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &cell("a", 0, "running", 1, None),
    ]);
    p.now += 600;
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.now += 3_000;
    p.send(&[
        &cell("b", 1, "pending", 1, None),
        &cell("c", 2, "pending", 1, None),
    ]);
    p.now += 300;
    p.send(&[&notice(
        "Your session crashed after using all available RAM.",
    )]);
    p.now += 80;
    p.send(&[
        &cell("b", 1, "stale", 1, None),
        &cell("c", 2, "stale", 1, None),
    ]);
    assert_eq!(p.shows(), [("n/b", "host-oom")]);
    // The same notice again, while a cell waits for the new kernel, is about the old kernel.
    p.now += 1_000;
    p.send(&[&cell("c", 2, "pending", 2, None)]);
    p.send(&[
        &notice("Your session crashed after using all available RAM.").replace(r#""1""#, r#""2""#),
    ]);
    p.send(&[&cell("c", 2, "done", 2, Some(1))]);
    assert!(
        p.shows().iter().all(|(card, _)| *card != "n/c"),
        "{:?}",
        p.shows()
    );
}
