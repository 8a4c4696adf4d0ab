//! The panel's timeline of a session.

use super::*;
use nbmedic_view::chart::Outcome;

#[test]
fn a_run_whose_error_is_shown_after_its_end_is_a_failure_in_the_timeline() {
    let mut p = Page::new();
    let timeline = |p: &Page| {
        let (chart, panel) = p.page.panels(p.now).remove(0);
        let failed = chart.spans.iter().filter(|s| s.outcome == Outcome::Failed);
        let rows = serde_json::to_string(&panel.draw().english()).unwrap();
        (failed.count(), rows.matches("failed after").count())
    };
    p.send(&[r#"{"t":"notebook","nb":"n","name":"demo"}"#]);
    p.send(&[&cell("a", 0, "running", 1, None)]);
    p.wait(1);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    assert_eq!(timeline(&p), (0, 0));
    p.send(&[&out("a", 1, "BOOM"), &cell("a", 0, "error", 1, Some(1))]);
    assert_eq!(timeline(&p), (1, 1));
    // A later edit of a cell does not change the outcome of its run.
    p.send(&[&cell("b", 1, "done", 1, Some(2))]);
    p.send(&[&cell("b", 1, "stale", 1, Some(2))]);
    assert_eq!(timeline(&p), (1, 1));
}

#[test]
fn what_ipython_says_of_a_cell_counts_where_the_front_end_says_nothing() {
    let header = "MemoryError                               Traceback (most recent call last)";
    for (text, failed) in [
        (format!("-----\n{header}\nBOOM"), 1),
        ("  Cell In[3], line 1\n    BOOM (\n".to_owned(), 1),
        // From a program that the cell started, or caught and printed by the cell.
        ("Traceback (most recent call last):\nBOOM".to_owned(), 0),
        ("it says Cell In[3] failed: BOOM".to_owned(), 0),
    ] {
        let mut p = Page::new();
        p.send(&[r#"{"t":"notebook","nb":"n","name":"demo"}"#]);
        p.send(&[&cell("a", 0, "running", 1, None), &out("a", 1, &text)]);
        p.wait(1);
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        let (chart, _) = p.page.panels(p.now).remove(0);
        let spans = chart.spans.iter();
        let failures = spans.filter(|s| s.outcome == Outcome::Failed).count();
        assert_eq!(failures, failed, "{text}");
    }
}

#[test]
fn an_install_that_failed_is_told_by_its_message() {
    let source = r#"{"t":"source","nb":"n","cell":"a","text":"!pip install nosuchthing"}"#;
    let advice = "[notice] To update, run: pip install --upgrade pip";
    let refused = "ERROR: Could not find a version that satisfies the requirement nosuchthing (from versions: none)\n\
        ERROR: No matching distribution found for nosuchthing";
    for (text, installed) in [
        (format!("{refused}\n{advice}"), false),
        (
            format!("Successfully installed nosuchthing-1.0\n{advice}"),
            true,
        ),
    ] {
        let mut p = Page::real();
        p.send(&[source, &cell("a", 0, "running", 1, None)]);
        p.wait(1);
        p.send(&[&out("a", 1, &text), &cell("a", 0, "done", 1, Some(1))]);
        let (_, panel) = p.page.panels(p.now).remove(0);
        let told: Vec<String> = panel.events.iter().map(|e| e.told.english()).collect();
        match installed {
            true => assert_eq!(told, ["", ""]),
            false => assert_eq!(
                told,
                ["ERROR: No matching distribution found for nosuchthing"]
            ),
        }
        let title = panel.problems.first().map(|p| p.title.english());
        let drawn = serde_json::to_string(&panel.draw().english()).unwrap();
        assert_eq!(
            drawn.contains("pip installed packages"),
            installed,
            "{drawn}"
        );
        // The problem and its row.
        assert!(
            title.is_none_or(|title| drawn.matches(&title).count() >= 2),
            "{drawn}"
        );
    }
}

#[test]
fn a_failure_is_told_by_its_title_and_an_earlier_one_by_its_message() {
    let mut p = Page::real();
    let error = |name: &str| {
        format!(
            "NameError                                 Traceback (most recent call last)\n\
             Cell In[1], line 1\n----> 1 {name}\n\nNameError: name '{name}' is not defined\n"
        )
    };
    for (n, name) in [(1, "alpha"), (2, "beta"), (3, "beta")] {
        p.send(&[&cell("a", 0, "running", n, None)]);
        p.wait(1);
        p.send(&[
            &out("a", n, &error(name)),
            &cell("a", 0, "error", n, Some(n)),
        ]);
        p.wait(5);
    }
    let (_, panel) = p.page.panels(p.now).remove(0);
    let title = panel.problems[0].title.english();
    assert!(
        title.contains("beta") && !title.starts_with("NameError"),
        "{title}"
    );
    let drawn = serde_json::to_string(&panel.draw().english()).unwrap();
    assert_eq!(
        drawn.matches("× 2").count(),
        2,
        "the problem and its row: {drawn}"
    );
    assert!(
        drawn.contains("\"NameError: name 'alpha' is not defined\""),
        "{drawn}"
    );
    assert!(!drawn.contains("name 'beta' is not defined"), "{drawn}");
}
