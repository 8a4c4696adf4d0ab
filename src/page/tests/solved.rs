//! Failures that are over, and failures that come again.

use super::foresight::source;
use super::*;

const TYPO: &str = "---------------------------------------------------------------------------\n\
NameError                                 Traceback (most recent call last)\n\
Cell In[2], line 1\n----> 1 print(totl)\n\n\
NameError: name 'totl' is not defined\n";

/// A page whose second cell failed, as `Cell In[2]`.
fn failed() -> Page {
    let mut p = Page::real();
    p.send(&[r#"{"t":"hello","profile":"jupyterlab","origin":"http://localhost:8888"}"#]);
    p.send(&[&source("a", "total = 3"), &cell("a", 0, "done", 1, Some(1))]);
    p.wait(5);
    p.send(&[
        &source("b", "print(totl)"),
        &cell("b", 1, "running", 1, None),
    ]);
    p.wait(1);
    p.send(&[&out("b", 1, TYPO), &cell("b", 1, "error", 1, Some(2))]);
    assert_eq!(p.shows(), [("n/b", "name-undefined")]);
    p
}

/// Runs a cell again, with another source or the same.
fn run(p: &mut Page, text: &str, n: u32, prints: &str, state: &str) {
    p.wait(5);
    p.send(&[&source("b", text), &cell("b", 1, "running", n, None)]);
    p.wait(1);
    p.send(&[&out("b", n, prints), &cell("b", 1, state, n, Some(n + 1))]);
}

#[test]
fn a_cell_that_runs_well_after_its_failure_is_solved() {
    let mut p = failed();
    run(&mut p, "print(total)", 2, "3\n", "done");
    assert_eq!(p.shows(), [("n/b", "solved")]);
    assert!(p.says().contains("Solved: cell [3] ran"), "{}", p.says());
    // It is no problem: neither the popup nor the panel has it among the open ones.
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    assert!(popup.contains("Nothing is wrong"), "{popup}");
    p.replays();
    // A run that ends well again has nothing to say of the one before.
    run(&mut p, "print(total)", 3, "3\n", "done");
    assert!(p.cards.is_empty(), "{:?}", p.shows());
    p.replays();
}

#[test]
fn while_it_runs_and_when_it_ends_otherwise_nothing_is_solved() {
    let mut p = failed();
    p.send(&[&cell("b", 1, "running", 2, None)]);
    assert!(p.cards.is_empty());
    // Stopped by hand, and cut off.
    p.send(&[&cell("b", 1, "error", 2, Some(3))]);
    assert!(p.cards.is_empty(), "{:?}", p.shows());
    p.replays();
}

#[test]
fn what_is_solved_can_be_closed_and_muted() {
    for how in ["dismiss", "mute"] {
        let mut p = failed();
        run(&mut p, "print(total)", 2, "3\n", "done");
        match how {
            "dismiss" => p.act("dismiss", Some("n/b"), None),
            _ => p.act("mute", None, Some("name-undefined")),
        }
        assert!(p.cards.is_empty(), "{how}: {:?}", p.shows());
        p.replays();
    }
}

#[test]
fn a_cure_that_was_put_below_and_ran_well_solves_it() {
    let mut p = failed();
    assert!(p.says().contains("print(total)"), "{}", p.says());
    p.wait(5);
    p.send(&[
        &source("new", "print(total)\n"),
        &cell("new", 2, "running", 1, None),
    ]);
    assert_eq!(p.shows(), [("n/b", "name-undefined")]);
    p.wait(1);
    p.send(&[&out("new", 1, "3\n"), &cell("new", 2, "done", 1, Some(3))]);
    assert_eq!(p.shows(), [("n/b", "solved")]);
    assert!(p.says().contains("Solved: cell [3] ran"), "{}", p.says());
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    assert!(popup.contains("Nothing is wrong"), "{popup}");
    let (_, panel) = &p.page.panels(p.now)[0];
    let panel = serde_json::to_string(&panel.clone().draw().english()).unwrap();
    assert!(panel.contains("Solved: the fix ran in cell [3]"), "{panel}");
    let (found, over) = remembered(&p);
    assert_eq!(over, [(found[0].clone(), "cell [3]".to_owned(), "fix")]);
    p.replays();
    // The broken one, run once more, is broken still.
    run(&mut p, "print(totl)", 2, TYPO, "error");
    assert_eq!(p.shows(), [("n/b", "name-undefined")]);
    p.replays();
}

/// What the history keeps: the keys of what is found, and what is over.
fn remembered(p: &Page) -> (Vec<String>, Vec<(String, String, &'static str)>) {
    let kept = nbmedic_report::past(p.page.session(), &p.prose, p.now);
    let over = kept.over.into_iter();
    (
        kept.found.into_iter().map(|f| f.key).collect(),
        over.map(|o| (o.key, o.by, o.how)).collect(),
    )
}

#[test]
fn the_history_and_the_panel_learn_what_solved_a_failure() {
    for (text, how, said) in [
        (
            "print(total)",
            "changed",
            "Solved: cell [3] ran, with changed code",
        ),
        ("print(totl)", "same", "Solved: cell [3] ran"),
    ] {
        let mut p = failed();
        let (found, over) = remembered(&p);
        assert_eq!((found.len(), over.len()), (1, 0));
        run(&mut p, text, 2, "3\n", "done");
        let solved = (found[0].clone(), "cell [3]".to_owned(), how);
        assert_eq!(remembered(&p), (vec![], vec![solved.clone()]));
        let panel =
            serde_json::to_string(&p.page.panels(p.now)[0].1.clone().draw().english()).unwrap();
        assert!(panel.contains(&format!("\"{said}\"")), "{panel}");
        assert!(panel.contains("NameError: name 'totl' is not defined"));
        // A later failure is another one; what solved the first stays.
        run(&mut p, "print(totl)", 3, TYPO, "error");
        let (found, over) = remembered(&p);
        assert_eq!((found.len(), over), (1, vec![solved.clone()]));
        assert_ne!(found[0], solved.0);
        p.replays();
    }
}

#[test]
fn a_run_that_fails_otherwise_solves_nothing() {
    let mut p = failed();
    let other = TYPO.replace("totl", "tota");
    run(&mut p, "print(tota)", 2, &other, "error");
    assert_eq!(remembered(&p).1, []);
}

#[test]
fn another_cell_that_runs_well_solves_nothing() {
    let mut p = failed();
    p.send(&[
        &source("new", "print(total + 1)"),
        &cell("new", 2, "running", 1, None),
    ]);
    p.send(&[&cell("new", 2, "done", 1, Some(3))]);
    assert_eq!(p.shows(), [("n/b", "name-undefined")]);
}

#[test]
fn the_same_failure_again_says_so_and_what_has_changed() {
    for (text, said) in [
        ("print(totl)", "this cell is as it was in the run before"),
        (
            "print(totl)  # again",
            "this cell has changed since the run before",
        ),
    ] {
        let mut p = failed();
        assert!(!p.says().contains("Again:"), "{}", p.says());
        run(&mut p, text, 2, TYPO, "error");
        assert!(p.says().contains(said), "{}", p.says());
        p.replays();
    }
    // Another failure is not the same again.
    let mut p = failed();
    let other = TYPO.replace("totl", "tota");
    run(&mut p, "print(tota)", 2, &other, "error");
    assert!(!p.says().contains("Again:"), "{}", p.says());
    p.replays();
}
