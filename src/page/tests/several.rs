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
    // The other notebook keeps running, and changed last.
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

#[test]
fn two_views_of_one_notebook_both_say_that_its_kernel_died() {
    let mut p = Page::new();
    p.send(&[&notebook("x", "a.ipynb"), &notebook("y", "a.ipynb")]);
    // A notebook of the same name in another folder, in which nothing runs, and a closed view.
    p.send(&[&notebook("z", "a.ipynb"), &cell("z", "done", false)]);
    p.send(&[&notebook("v", "a.ipynb"), &cell("v", "running", false)]);
    p.send(&[r#"{"t":"removed","nb":"v","cell":"c"}"#]);
    p.send(&[&cell("x", "running", false), &cell("y", "running", false)]);
    p.now += 5_000;
    p.send(&[&cell("x", "idle", true), &cell("y", "idle", true)]);
    p.send(&[
        r#"{"t":"notice","id":"1","kind":"dialog","text":"The kernel for a.ipynb crashed."}"#,
    ]);
    assert_eq!(p.shows(), [("x/c", "kernel-died"), ("y/c", "kernel-died")]);
    p.replays();
}

#[test]
fn a_view_in_which_nothing_died_is_not_given_what_the_other_one_remembers() {
    let mut p = Page::new();
    let died = "The kernel for a.ipynb crashed.";
    p.send(&[&notebook("x", "a.ipynb"), &cell("x", "idle", true)]);
    // Storage keeps the latest event of each cell, so this one seems to run when the notice comes.
    p.send(&[&notebook("y", "a.ipynb"), &cell("y", "running", false)]);
    p.send(&[&format!(
        r#"{{"t":"notice","id":"1","kind":"dialog","text":"{died}"}}"#
    )]);
    p.send(&[&format!(
        r#"{{"t":"memory","nb":"x","name":"a.ipynb","last":1,"handled":["1"],"incidents":[{{"n":1,"at":{},"fatal":true,"cell":"c","run":1,"runs":1,"notices":[{{"id":"1","text":"{died}"}}]}}]}}"#,
        p.now
    )]);
    assert_eq!(p.shows(), [("x/c", "kernel-died")]);
}
