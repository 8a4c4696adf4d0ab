//! The user's settings: when to warn, and what to mute.

use super::foresight::{ram, source, NAME_ERROR};
use super::*;
use nbmedic_report::assistant;

/// Raises memory by 0.2 GiB every ten seconds. Returns the level at which a warning appears.
fn warned_at(limits: &str) -> Option<f64> {
    let mut p = Page::real();
    p.send(&[
        limits,
        &ram(2.0),
        &source("a", "grow()"),
        &cell("a", 0, "running", 1, None),
    ]);
    let mut level = 2.0;
    while level < 12.4 {
        p.wait(10);
        level += 0.2;
        p.send(&[&ram(level)]);
        if !p.cards.is_empty() {
            p.replays();
            return Some(level);
        }
    }
    None
}

#[test]
fn a_forecast_is_said_when_the_person_wants_it() {
    let usual = warned_at(r#"{"t":"limits"}"#).expect("a warning");
    assert!(usual > 6.0 && usual < 7.0, "{usual}");
    // At 0.02 GiB a second, 6 GiB are left five minutes before the end, and 2.4 GiB two minutes
    // before.
    let late = warned_at(r#"{"t":"limits","memory":2}"#).expect("a warning");
    assert!(late > 10.0 && late < 11.0, "{late}");
    let full = warned_at(r#"{"t":"limits","full":75}"#).expect("a warning");
    assert!(full > 9.4 && full < 10.0, "{full}");
    assert_eq!(warned_at(r#"{"t":"limits","memory":0}"#), None);
    assert_eq!(warned_at(r#"{"t":"limits","quiet":true}"#), None);
}

#[test]
fn limits_hold_from_the_moment_they_are_set() {
    let mut p = Page::real();
    let planned = source("a", "x = np.random.rand(100000, 1000, 1000)");
    p.send(&[&ram(1.0), &planned, &cell("a", 0, "running", 1, None)]);
    assert_eq!(p.cards.len(), 1);
    p.send(&[r#"{"t":"limits","quiet":true}"#]);
    assert!(p.cards.is_empty());
    p.replays();
    p.send(&[r#"{"t":"limits"}"#]);
    assert_eq!(p.cards.len(), 1);
}

#[test]
fn a_long_run_is_reminded_after_as_long_as_the_person_says() {
    for (unsaved, reminded) in [(30, true), (0, false)] {
        let mut p = Page::real();
        p.send(&[
            r#"{"t":"hello","profile":"colab","origin":"https://x"}"#,
            &format!(r#"{{"t":"limits","unsaved":{unsaved}}}"#),
            &ram(2.0),
            &source("a", "for step in steps:\n    train(step)"),
            &cell("a", 0, "running", 1, None),
        ]);
        for minute in 0..100 {
            p.wait(60);
            p.send(&[&out("a", 1, &format!("step {minute}\n"))]);
            assert!(minute > 28 || p.cards.is_empty(), "{minute}");
        }
        assert_eq!(!p.cards.is_empty(), reminded, "{unsaved}");
    }
}

#[test]
fn a_muted_cell_is_silent_as_long_as_its_code_is_the_same() {
    let mut p = Page::new();
    p.send(&[
        &source(
            "a",
            "\nfit(token='hf_abcdefghijklmnopqrstuvwxyzABCDEFGH')\n",
        ),
        &cell("a", 0, "error", 1, Some(1)),
        &out("a", 1, "BOOM"),
    ]);
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    let at = popup.find(r#"{"do":"mute","id":"@"#).expect("an offer");
    let act: serde_json::Value = serde_json::Deserializer::from_str(&popup[at..])
        .into_iter()
        .next()
        .unwrap()
        .unwrap();
    let id = act["id"].as_str().unwrap().to_owned();
    let name = act["name"].as_str().unwrap();
    assert!(name.starts_with("fit(") && !name.contains("hf_"), "{name}");
    p.act("mute", None, Some(&id));
    assert!(p.cards.is_empty());
    p.replays();
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, "BOOM")]);
    assert_eq!(p.shows(), [("n/b", "assertion-failed")], "another cell");
    p.send(&[&source("a", "fit(1)")]);
    assert_eq!(p.cards.len(), 2, "another code");
    p.send(&[&source(
        "a",
        "fit(token='hf_abcdefghijklmnopqrstuvwxyzABCDEFGH')",
    )]);
    assert_eq!(p.cards.len(), 1);
    p.act("unmute", None, Some(&id));
    assert_eq!(p.cards.len(), 2);
}

#[test]
fn an_assistant_gets_the_error_with_the_code_that_it_rests_on() {
    let mut p = Page::real();
    p.send(&[
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &source(
            "a",
            "key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'\nvalues = [1, 4]",
        ),
        &cell("a", 0, "done", 1, Some(1)),
        &source("c", "unrelated = 1"),
        &cell("c", 2, "done", 1, Some(2)),
    ]);
    p.send(&[
        &source("b", "print(values)\nprint(table)"),
        &cell("b", 1, "error", 1, Some(3)),
        &out("b", 1, NAME_ERROR),
    ]);
    let text = assistant(p.page.session(), &p.prose, "n/b", p.now).expect("a card");
    for part in [
        "In my notebook cell [3] failed",
        "[name-undefined",
        "Facts: name = table\n",
        "NameError: name 'table' is not defined",
        "The failing cell (cell [3]):\n```python\nprint(values)\nprint(table)\n```",
        "cell 1 sets values:",
        "[redacted-",
        "nbmedic suggests:\n- ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        !text.contains("ghp_0") && !text.contains("unrelated"),
        "{text}"
    );
    assert_eq!(assistant(p.page.session(), &p.prose, "n/z", p.now), None);
}
