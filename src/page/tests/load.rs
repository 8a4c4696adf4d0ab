//! What limits a run: processors, disks, or a quantity that will soon be full.

use super::foresight::{ram, source};
use super::*;

/// One sample line of the probe, in its feed.
fn feed(figures: &str) -> String {
    let line = format!("nbmedic: recording ⟦nbmedic:1 {{\"k\":\"s\",\"t\":7,{figures}}}⟧");
    out("p", 1, &line)
}

/// A cell that has been running under this load for half a minute, reported every second.
fn under(figures: &str) -> Page {
    let mut p = Page::real();
    p.send(&[
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &cell("p", 0, "done", 1, Some(1)),
        &source("a", "train()"),
        &cell("a", 1, "running", 1, None),
    ]);
    for second in 0..40 {
        p.wait(1);
        // The feed changes every second, because its time does.
        p.send(&[&feed(figures).replace("\\\"t\\\":7", &format!("\\\"t\\\":{second}"))]);
    }
    p
}

/// The bottleneck. Checks that popup, panel and report all show it.
fn limit(p: &Page) -> Option<String> {
    let limit = p.page.session().overview().remove(0).limit;
    let limit = limit.map(|l| nbmedic_view::bottleneck(&l).english());
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    let panel = serde_json::to_string(&p.page.panels(p.now)[0].1.clone().draw().english()).unwrap();
    let made =
        nbmedic_report::session_report(p.page.session(), &p.prose, p.now, &Default::default());
    for text in [popup, panel, made.json(), made.markdown(), made.html()] {
        match &limit {
            Some(limit) => {
                let words = limit.split(':').next().unwrap();
                assert!(text.contains(words), "{words}: {text}");
            }
            None => assert!(!text.contains("ottleneck"), "{text}"),
        }
    }
    limit
}

#[test]
fn a_gpu_that_waits_for_data_is_named_with_what_it_waits_for() {
    let gpu = |percent: u32| format!("\"g\":[[1610612736,16106127360,{percent}]]");
    for (figures, want) in [
        (format!("\"cpu\":[97,1,180,900],{}", gpu(12)), "CPU, all processors 97 % busy, the GPU 12 %: it waits for data"),
        (format!("\"cpu\":[31,0,99,110],{}", gpu(20)), "CPU, the kernel uses 99 % of one processor, the GPU 20 %: it waits for data"),
        ("\"cpu\":[99,0,390,900]".to_owned(), "CPU, all processors 99 % busy"),
        (
            format!("\"cpu\":[20,45,60,500],\"io\":[90000000,0,980],{}", gpu(5)),
            "Disk I/O, busy 98 % of the time, waited for 45 % of the time, the GPU 5 %: it waits for data",
        ),
        ("\"cpu\":[20,5,60,500],\"psi\":[0,0,6100,40,3]".to_owned(), "Disk I/O, waited for 61 % of the time"),
    ] {
        let p = under(&figures);
        assert_eq!(limit(&p).as_deref(), Some(want), "{figures}");
        assert!(p.cards.is_empty(), "it is worth no alarm");
        p.replays();
    }
}

#[test]
fn nothing_is_named_where_nothing_holds_the_run_up() {
    for figures in [
        // The GPU itself is busy.
        "\"cpu\":[97,0,180,900],\"g\":[[1610612736,16106127360,96]]",
        "\"cpu\":[40,2,60,900],\"g\":[[1610612736,16106127360,20]]",
        "\"cpu\":[70,4,99,100]",
        // A busy disk that no process waits for.
        "\"cpu\":[20,3,60,500],\"io\":[90000000,0,990]",
        "\"r\":[1,2]",
        "\"cpu\":[null,null,null,null],\"io\":[],\"psi\":\"x\",\"g\":[null]",
        "\"cpu\":[-5,1e300,\"9\"]",
    ] {
        assert_eq!(limit(&under(figures)), None, "{figures}");
    }
}

#[test]
fn one_moment_is_no_bottleneck_nor_is_what_was_before_the_run() {
    let busy = "\"cpu\":[99,0,390,900]";
    let mut p = under(busy);
    assert!(limit(&p).is_some());
    p.send(&[&cell("a", 1, "done", 1, Some(2))]);
    assert_eq!(limit(&p), None, "nothing runs");
    p.wait(1);
    p.send(&[&cell("a", 1, "running", 2, None)]);
    for _ in 0..4 {
        p.wait(5);
        p.send(&[&feed(busy)]);
    }
    assert_eq!(limit(&p), None, "not yet");
}

#[test]
fn what_is_full_soon_goes_before_what_is_slow() {
    let mut p = under("\"cpu\":[99,0,390,900]");
    let mut level = 4.0;
    for _ in 0..14 {
        p.wait(10);
        level += 0.3;
        p.send(&[&ram(level)]);
    }
    let said = limit(&p).unwrap();
    assert!(said.starts_with("Runtime RAM, full in "), "{said}");
}

#[test]
fn the_readings_are_bounded_and_kept() {
    let mut p = under("\"cpu\":[99,0,390,900]");
    for _ in 0..200 {
        p.wait(5);
        p.send(&[&feed("\"cpu\":[98,0,390,900]")]);
    }
    let kept = p.store.iter().rev().find_map(|(_, _, e)| match e {
        Event::Memory(m) => Some(m.clone()),
        _ => None,
    });
    let loads = kept.expect("a memory").loads;
    assert!(
        !loads.is_empty() && loads.len() <= 30 * 6,
        "{}",
        loads.len()
    );
}
