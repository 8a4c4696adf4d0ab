//! Several notebooks on one page.

use super::*;

fn notebook(nb: &str, name: &str) -> String {
    format!(r#"{{"t":"notebook","nb":"{nb}","name":"{name}"}}"#)
}

fn cell(nb: &str, state: &str, cut: bool) -> String {
    format!(
        r#"{{"t":"cell","nb":"{nb}","cell":"c","index":0,"state":"{state}","run":1,"cut":{cut}}}"#
    )
}

#[test]
fn a_notice_is_about_the_notebook_that_it_names() {
    let mut p = Page::new();
    p.send(&[&notebook("x", "a.ipynb"), &notebook("y", "ba.ipynb")]);
    p.send(&[&cell("x", "running", false), &cell("y", "running", false)]);
    p.now += 5_000;
    // The other one goes on running, and changed last.
    p.send(&[&cell("y", "idle", true)]);
    p.send(&[
        r#"{"t":"output","nb":"x","cell":"c","out":0,"run":1,"kind":"stream","len":2,"head":"on"}"#,
    ]);
    p.now += 100;
    p.send(&[
        r#"{"t":"notice","id":"1","kind":"dialog","text":"The kernel for ba.ipynb crashed."}"#,
    ]);
    assert_eq!(p.shows(), [("y/c", "kernel-died")]);
}

#[test]
fn a_notice_that_names_no_notebook_is_about_the_one_that_runs() {
    let mut p = Page::new();
    p.send(&[&notebook("x", "a.ipynb"), &notebook("y", "")]);
    p.send(&[&cell("x", "running", false), &cell("y", "done", false)]);
    p.send(&[r#"{"t":"notice","id":"1","kind":"dialog","text":"It crashed."}"#]);
    assert_eq!(p.shows(), [("x/c", "kernel-died")]);
}
