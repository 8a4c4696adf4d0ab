//! A runtime that is gone, in any language and without words.

use super::crash::{cut_off, toast};
use super::verdicts::{notice, COLAB};
use super::*;

/// A notice on a lost runtime in twelve languages and in made-up words. No rule knows any of them.
const WORDS: [&str; 14] = [
    "Laufzeit getrennt",
    "Environnement d'exécution déconnecté",
    "Entorno de ejecución desconectado",
    "Tempo de execução desconectado",
    "Runtime disconnesso",
    "Runtime losgekoppeld",
    "Środowisko wykonawcze rozłączone",
    "Среда выполнения отключена",
    "Çalışma zamanının bağlantısı kesildi",
    "ランタイムが切断されました",
    "런타임 연결이 끊어졌습니다",
    "运行时已断开连接",
    "Via tempo-sxelo malkonektigxis",
    "Qw ertz uiop",
];

const GONE: &str = "card error runtime-disconnected/";

fn kernel(status: &str) -> String {
    format!(r#"{{"t":"kernel","nb":"n","status":"{status}"}}"#)
}

/// What the sensor sends when the connection has been away for a while: nothing new.
const STILL: &str = r#"{"t":"notebook","nb":"n","name":"demo"}"#;
const CLOSED: &str = r#"{"t":"notice-gone","id":"1"}"#;

/// A connected page on which a cell ran well.
fn connected() -> Page {
    let mut p = Page::real();
    p.send(&[COLAB, STILL, &kernel("idle")]);
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.wait(3);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p
}

/// A page on which a cell runs, and has run for a while.
fn busy() -> Page {
    let mut p = connected();
    p.wait(5);
    p.send(&[&cell("b", 1, "running", 1, None), &kernel("busy")]);
    p.wait(60);
    p
}

#[test]
fn a_run_that_was_cut_off_without_a_connection_is_a_lost_runtime_in_every_language() {
    for words in WORDS {
        for with in ["dialog", "dialog closed", "dialog first", "toast", "none"] {
            for runs_on in [false, true] {
                let mut p = busy();
                let name = format!("{words}, {with}, {runs_on}");
                let said = match with {
                    "toast" => toast(words),
                    _ => notice(words),
                };
                if with == "dialog first" {
                    p.send(&[&said]);
                    p.wait(1);
                }
                p.send(&[&kernel("disconnected")]);
                if !runs_on {
                    p.send(&[&cut_off("b", 1, 1)]);
                }
                p.wait(1);
                if with == "toast" || with == "dialog" || with == "dialog closed" {
                    p.send(&[&said]);
                }
                if with == "dialog closed" {
                    p.wait(4);
                    p.send(&[CLOSED]);
                }
                p.wait(20);
                p.send(&[STILL]);
                let early = p.shows();
                assert!(
                    early.is_empty() || with == "toast" && early == [("n/b", "kernel-died")],
                    "{name}: {early:?}"
                );
                p.wait(27);
                p.send(&[STILL]);
                assert_eq!(p.variant("n/b"), GONE, "{name}");
                let told = p.says();
                assert_eq!(told.contains(words), with != "none", "{name}: {told}");
                assert!(told.contains("disconnected"), "{name}: {told}");
                if words == WORDS[13] {
                    p.replays();
                }
            }
        }
    }
}

#[test]
fn a_runtime_that_is_lost_while_nothing_runs_is_told_at_the_top() {
    for words in WORDS {
        for with in ["dialog", "toast", "none"] {
            for (idle, card) in [
                (10, GONE),
                (4 * 3600, "card error session-idle-timeout/"),
                (12 * 3600, "card error session-time-limit/"),
            ] {
                let mut p = connected();
                p.wait(idle);
                p.send(&[&kernel("disconnected")]);
                match with {
                    "dialog" => drop(p.send(&[&notice(words)])),
                    "toast" => drop(p.send(&[&toast(words)])),
                    _ => {}
                }
                p.wait(30);
                p.send(&[STILL]);
                assert!(p.cards.is_empty(), "{:?}", p.shows());
                p.wait(16);
                p.send(&[STILL]);
                assert_eq!(p.variant("n/@top"), card, "{words}, {with}, {idle}");
                assert_eq!(p.says().contains(words), with != "none");
                if words == WORDS[13] {
                    p.replays();
                }
                // It is told once, and goes with the next run.
                p.wait(60);
                p.send(&[&kernel("connecting"), STILL]);
                assert_eq!(p.cards.len(), 1);
                p.send(&[&kernel("idle"), &cell("a", 0, "running", 2, None)]);
                assert!(
                    p.shows().iter().all(|(_, id)| *id == "session-time-limit"),
                    "{:?}",
                    p.shows()
                );
                if words == WORDS[13] {
                    p.replays();
                }
            }
        }
    }
}

#[test]
fn the_sessions_limit_is_told_by_the_runtimes_age_at_the_cell_that_ran() {
    for (hours, card) in [(2, GONE), (12, "card error session-time-limit/")] {
        let mut p = connected();
        p.wait(5);
        p.send(&[&cell("b", 1, "running", 1, None), &kernel("busy")]);
        p.wait(hours * 3600);
        p.send(&[&cut_off("b", 1, 1), &kernel("disconnected")]);
        p.wait(46);
        p.send(&[STILL]);
        assert_eq!(p.variant("n/b"), card);
        p.replays();
    }
    // A server of one's own has no such limit.
    let mut p = busy();
    p.send(&[r#"{"t":"hello","profile":"jupyterlab","origin":"http://localhost:8888"}"#]);
    p.wait(12 * 3600);
    p.send(&[&cut_off("b", 1, 1), &kernel("disconnected")]);
    p.wait(46);
    p.send(&[STILL]);
    assert_eq!(p.variant("n/b"), GONE);
}

#[test]
fn a_connection_that_comes_back_soon_was_not_lost() {
    for back in [1, 30, 44] {
        for with in ["dialog", "none"] {
            for by in ["busy", "idle", "a run"] {
                for idle in [false, true] {
                    let mut p = if idle { connected() } else { busy() };
                    p.send(&[&kernel("disconnected")]);
                    if with == "dialog" {
                        p.send(&[&notice("Qw ertz uiop")]);
                    }
                    p.wait(back);
                    if back > 20 {
                        p.send(&[&kernel("connecting")]);
                    }
                    match by {
                        "a run" => p.send(&[&cell("c", 2, "running", 1, None)]),
                        _ => p.send(&[&kernel(by)]),
                    };
                    p.wait(90);
                    p.send(&[STILL]);
                    assert!(p.cards.is_empty(), "{back} {with} {by}: {:?}", p.shows());
                    p.replays();
                }
            }
        }
    }
    // Later, the run goes on, or it ended well meanwhile: the card goes away again.
    for state in [None, Some(cell("b", 1, "done", 1, Some(2)))] {
        let mut p = busy();
        p.send(&[&kernel("disconnected")]);
        p.wait(50);
        p.send(&[STILL]);
        assert_eq!(p.variant("n/b"), GONE);
        p.wait(50);
        p.send(&[&kernel("busy")]);
        state.iter().for_each(|event| drop(p.send(&[event])));
        assert!(p.cards.is_empty(), "{:?}", p.shows());
        p.replays();
    }
    // So does that of a laptop that slept while nothing ran.
    let mut p = connected();
    p.send(&[&kernel("disconnected")]);
    p.wait(600);
    p.send(&[STILL]);
    assert_eq!(p.variant("n/@top"), GONE);
    p.send(&[&kernel("idle")]);
    assert!(p.cards.is_empty(), "{:?}", p.shows());
    p.replays();
    // A run that was cut off stays so.
    let mut p = busy();
    p.send(&[&kernel("disconnected"), &cut_off("b", 1, 1)]);
    p.wait(50);
    p.send(&[STILL]);
    p.wait(50);
    p.send(&[&kernel("idle")]);
    assert_eq!(p.variant("n/b"), GONE);
    p.replays();
}

#[test]
fn what_a_person_ended_is_no_loss() {
    for words in WORDS {
        for idle in [false, true] {
            for same in [false, true] {
                let mut p = if idle { connected() } else { busy() };
                // The front end asks whether the runtime is to be deleted.
                p.send(&[&notice(words)]);
                p.wait(4);
                p.send(&[CLOSED]);
                p.wait(if same { 0 } else { 2 });
                p.send(&[&kernel("disconnected")]);
                if !idle {
                    p.send(&[&cut_off("b", 1, 1)]);
                }
                for _ in 0..4 {
                    p.wait(30);
                    p.send(&[STILL]);
                    assert!(p.cards.is_empty(), "{words}: {:?}", p.shows());
                    if words == WORDS[13] {
                        p.replays();
                    }
                }
            }
        }
    }
    // A restart of the person's own, after which the connection does not come back.
    let mut p = busy();
    p.send(&[&kernel("restarting"), &cut_off("b", 1, 1)]);
    p.send(&[&kernel("disconnected")]);
    p.wait(60);
    p.send(&[STILL]);
    assert_eq!(p.variant("n/b"), "card info kernel-died/restarted");
    // A page that was never connected, and a server that a person shuts down while nothing runs.
    let mut p = Page::real();
    p.send(&[COLAB, &kernel("disconnected")]);
    p.send(&[&cell("a", 0, "idle", 0, Some(1))]);
    p.wait(60);
    p.send(&[STILL]);
    assert!(p.cards.is_empty());
    let mut p = connected();
    p.send(&[r#"{"t":"hello","profile":"jupyterlab","origin":"http://localhost:8888"}"#]);
    p.send(&[&kernel("disconnected")]);
    p.wait(60);
    p.send(&[STILL]);
    assert!(p.cards.is_empty());
}

#[test]
fn the_death_of_a_kernel_with_its_own_notice_keeps_its_verdict() {
    for (words, card) in [
        ("Your session crashed for an unknown reason.", "kernel-died/"),
        ("Your session crashed after using all available RAM.", "host-oom/system-says"),
        ("Your runtime has been disconnected due to executing code that is disallowed in our free of charge tier.", "runtime-policy-terminated/"),
    ] {
        let mut p = busy();
        p.send(&[&cut_off("b", 1, 1), &kernel("disconnected")]);
        p.wait(8);
        p.send(&[&toast(words)]);
        let want = format!("card error {card}");
        assert_eq!(p.variant("n/b"), want);
        p.wait(60);
        p.send(&[STILL]);
        assert_eq!(p.variant("n/b"), want);
        p.replays();
    }
    // A toast in unknown words while the kernel is connected is about the kernel alone.
    let mut p = busy();
    p.send(&[&cut_off("b", 1, 1), &kernel("idle")]);
    p.wait(8);
    p.send(&[&toast("Qw ertz.")]);
    assert_eq!(p.variant("n/b"), "card error kernel-died/");
    p.replays();
}

#[test]
fn letters_that_all_languages_share_are_read_on_a_run_that_was_cut_off() {
    for (words, lost, alive) in [
        ("Qw ertz RAM uiop.", "host-oom/killed", "host-oom/killed"),
        (
            "使用可能なRAMを全部。",
            "host-oom/killed",
            "host-oom/killed",
        ),
        (
            "Qw ertz GPU.",
            "runtime-disconnected/",
            "runtime-quota-exhausted/",
        ),
        (
            "Qw Google Drive ertz.",
            "runtime-disconnected/",
            "drive-failed/",
        ),
        (
            "Qw PROGRAM Driver X.",
            "runtime-disconnected/",
            "kernel-died/",
        ),
        ("Qw RAM GPU.", "runtime-disconnected/", "kernel-died/"),
    ] {
        for connected in [false, true] {
            let mut p = busy();
            let status = if connected { "idle" } else { "disconnected" };
            p.send(&[&cut_off("b", 1, 1), &kernel(status)]);
            p.wait(5);
            p.send(&[&toast(words)]);
            p.wait(45);
            p.send(&[STILL]);
            let want = if connected { alive } else { lost };
            let seen = p.variant("n/b");
            assert!(
                seen.ends_with(&format!(" {want}")),
                "{words} {connected}: {seen}"
            );
            assert!(p.says().contains(words), "{}", p.says());
            p.replays();
        }
    }
}
