//! Notices with unknown wording.

use super::*;

fn toast(id: &str, text: &str) -> String {
    format!(r#"{{"t":"notice","id":"{id}","kind":"toast","text":"{text}"}}"#)
}

const DIALOG: &str = r#"{"t":"notice","id":"d","kind":"dialog","text":"Qw ertz?"}"#;

#[test]
fn an_unknown_toast_beside_a_restart_is_shown_in_its_own_words() {
    let cut = cell("b", 1, "stale", 1, None);
    let reset = cell("a", 0, "stale", 1, None);
    let said = toast("t", "Qw ertz uiop.");
    // Neither the order matters nor which of the two signs of a restart is seen.
    for order in [
        [&said, &cut],
        [&cut, &said],
        [&said, &reset],
        [&reset, &said],
    ] {
        let mut p = Page::new();
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        p.send(&[&cell("b", 1, "running", 1, None)]);
        for event in order {
            assert!(p.cards.is_empty(), "one alone says nothing");
            p.now += 2_000;
            p.send(&[event]);
        }
        assert_eq!(p.shows(), [("n/b", "kernel-died")]);
        let text = serde_json::to_string(&p.cards[&"n/b".to_owned()]).unwrap();
        for part in [
            "Qw ertz uiop.",
            "nbmedic does not recognise the wording of the notice",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        p.replays();
        // The other signs do not count as a second death.
        p.now += 1_000;
        p.send(&[&cut, &reset, &said]);
        assert_eq!(p.shows(), [("n/b", "kernel-died")]);
        p.send(&[&cell("b", 1, "running", 2, None)]);
        assert!(p.cards.is_empty());
        p.replays();
    }
}

#[test]
fn an_unknown_toast_alone_says_nothing() {
    let cut = cell("a", 0, "stale", 1, None);
    let old = r#"{"t":"notice","id":"t","kind":"toast","text":"Qw ertz.","old":true}"#;
    let cases: &[(&str, &[&str])] = &[
        ("the cell ends well", &[&cell("a", 0, "done", 1, Some(2))]),
        (
            "the cell is run again at once",
            &[&cell("a", 0, "pending", 1, None)],
        ),
        ("the cell fails", &[&cell("a", 0, "error", 1, Some(2))]),
        ("it was there before", &[old, &cut]),
        ("the person was asked", &[DIALOG, &cut]),
        (
            "the person restarts",
            &[r#"{"t":"kernel","nb":"n","status":"restarting"}"#, &cut],
        ),
    ];
    for (why, events) in cases {
        let mut p = Page::new();
        p.send(&[&cell("a", 0, "running", 1, None)]);
        if !events[0].contains("\"old\"") {
            p.send(&[&toast("t", "Qw ertz.")]);
        }
        for event in *events {
            p.send(&[event]);
        }
        // A requested restart is reported, but not as a crash.
        let told = |c: &Node| c.class.contains("info");
        let asked = why.contains("restarts") && p.cards.values().all(told);
        assert!(p.cards.is_empty() || asked, "{why}: {:?}", p.shows());
        p.replays();
    }
    let mut p = Page::new();
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.send(&[&toast("t", "Qw ertz.")]);
    p.now += 60_000;
    p.send(&[&cut]);
    assert!(p.cards.is_empty(), "too far apart");
}
