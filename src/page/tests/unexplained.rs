//! Failures of which nothing is known beyond their message.

use super::*;

#[test]
fn what_only_repeats_the_exception_gets_one_line_and_is_listed() {
    let mut p = Page::new();
    p.send(&[
        &cell("a", 0, "error", 1, Some(1)),
        &out("a", 1, "HUH: as printed"),
    ]);
    let tree = p.cards.values().next().expect("one card");
    assert_eq!(tree.class, "card info quiet");
    let classes: Vec<&str> = tree.kids[0].kids.iter().map(|k| k.class.as_str()).collect();
    assert_eq!(classes, ["badge", "title", "do"]);
    assert_eq!(tree.kids.len(), 2, "the line, and what takes it away");
    let buttons: Vec<&str> = tree.kids[0].kids[2]
        .kids
        .iter()
        .map(|k| k.class.as_str())
        .collect();
    assert_eq!(buttons, ["assistant", "missed"]);
    let (_, panel) = &p.page.panels(p.now)[0];
    let panel = serde_json::to_string(&panel.clone().draw()).unwrap();
    assert!(panel.contains("HUH: as printed"), "{panel}");
    p.replays();
}
